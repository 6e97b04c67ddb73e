"""The robot of `walk.py` with its worlds, observations and rewards on a GPU.

    cd crates/sinew-py/examples
    python -m sinew.gym.ppo --env walk_device:Walk --device cuda --worlds 4096 --out runs/walk
"""

import numpy as np
import torch
import walk

from sinew.gym import tensors


class Walk(walk.Gait, tensors.Task):
    """Walks by commanded velocity."""

    xp, cat, fields = torch, staticmethod(torch.cat), ("sensordata", "actuator_force")

    def __init__(self, n, *, noise=1.0, pushes=True, **options):
        super().__init__(n, xml_file=walk.rough_ground(), **options)
        self.gyro = torch.from_dlpack(self.batch.sensor("gyro"))
        self.speed = torch.from_dlpack(self.batch.sensor("velocity"))
        self.force = self.actuator_force
        self.set_up(noise, pushes, np.random.default_rng(0))

    def array(self, x):
        return torch.as_tensor(np.array(x), device=self.device, dtype=self.dtype)

    def start(self, uniform):
        u, qpos = 2 * uniform(15 + self.model.nv) - 1, self.pose.repeat(self.n, 1)
        qpos[:, :2] += 0.4 * walk.GROUND * u[:, :2]
        qpos[:, 2] += walk.BUMPS
        qpos[:, 3], qpos[:, 6] = torch.cos(np.pi / 2 * u[:, 2]), torch.sin(np.pi / 2 * u[:, 2])
        qpos[:, 7:] += 0.1 * u[:, 3:15]
        return qpos, 0.1 * u[:, 15:]

    def restart(self, over):
        self.begin(over)
        super().restart(over)

    def outcome(self, action, before):
        return self.rewards(action.to(self.dtype, copy=True))[:2]
