"""`drive.onnx`: a policy with the observations and controls of its task, for `sinew view`."""

import importlib.util
import json

import numpy as np
import torch
from torch import nn


class Drive(nn.Module):
    """A policy with the observations and controls of its task: from a state to controls."""

    # the inputs that a task may read, and their sizes
    sizes = {"time": lambda m: 1, "qpos": lambda m: m.nq, "qvel": lambda m: m.nv}
    sizes |= {"act": lambda m: m.na, "ctrl": lambda m: m.nu, "sensordata": lambda m: m.nsensordata}
    sizes |= {"xpos": lambda m: 3 * m.nbody, "site_xpos": lambda m: 3 * m.nsite}

    def __init__(self, agent, task):
        super().__init__()
        self.agent, self.task, self.names = agent, task, []
        self.sizes = {name: size(task.model) for name, size in self.sizes.items()}
        self.sizes |= {"command": len(task.commands), "last": task.last_size}
        # a first call finds the inputs that are used
        self.found = self.task.drive(self, agent)

    def __getattr__(self, name):
        """A field of the state."""
        if name not in self.__dict__.get("sizes", ()):
            return super().__getattr__(name)
        given = self.__dict__.setdefault("given", {})
        if name not in given:
            self.names.append(name)
            given[name] = torch.zeros(1, self.sizes[name], dtype=torch.float64)
        return given[name]

    def sensor(self, name):
        """The numbers of a sensor."""
        sensor = self.task.model.sensor(name)
        return self.sensordata[:, sensor.adr[0] : sensor.adr[0] + sensor.dim[0]]

    def tensor(self, x):
        """Constants."""
        return torch.as_tensor(np.asarray(x))

    def cat(self, *parts):
        """Rows side by side."""
        return torch.cat(parts, dim=1)

    def stack(self, *parts):
        """Rows whose numbers alternate."""
        return torch.stack(parts, dim=2).flatten(1)

    def forward(self, *inputs):
        """The controls, and what is remembered."""
        self.__dict__["given"] = dict(zip(self.names, inputs))
        return self.task.drive(self, self.agent)


def export_drive(agent, task, folder):
    """Writes `drive.onnx`, by which `sinew view --policy` drives the robot."""
    drive = Drive(agent, task)
    if drive.found is None or not importlib.util.find_spec("onnx"):
        why = "onnx is not installed" if drive.found is not None else "the task has no drive"
        print(f"drive.onnx: skipped, because {why}")
        return
    import onnx

    path = folder / "drive.onnx"
    examples = tuple(drive.given[name] for name in drive.names)
    outputs = ["ctrl", "next"][: len(drive.found) if isinstance(drive.found, tuple) else 1]
    torch.onnx.export(
        drive, examples, path, input_names=drive.names, output_names=outputs, dynamo=False
    )
    model = onnx.load(path)
    commands = [[name, float(low), float(high)] for name, low, high in task.commands]
    about = {"sinew.period": repr(float(task.dt)), "sinew.commands": json.dumps(commands)}
    onnx.helper.set_model_props(model, about)
    onnx.save(model, path)
