"""Shared parts of single and vector environments: the task, its spaces and its images."""

import numpy as np
from gymnasium import spaces

from sinew.gym import _v5
from sinew.gym._pixels import MODES, Pixels
from sinew.gym._task import Task


def make_task(task, n, nthread, settings):
    """The task with this class or name, in `n` worlds."""
    if isinstance(task, str):
        if task not in _v5.TASKS:
            known = ", ".join(_v5.TASKS)
            raise ValueError(f"there is no task '{task}'; there are {known}")
        task = _v5.TASKS[task]
    if not (isinstance(task, type) and issubclass(task, Task)):
        raise TypeError(f"a task is a subclass of sinew.gym.Task or the name of one, not {task!r}")
    return task(n, nthread=nthread, **settings)


class Picture:
    """Settings of images, from the arguments of an environment."""

    def __init__(self, task, render_mode, pixels, frames, settings, modes=MODES):
        if render_mode is not None and render_mode not in modes:
            raise ValueError(f"render_mode '{render_mode}' is none of {', '.join(modes)}")
        if frames < 1:
            raise ValueError(f"frames is {frames}, and must be at least 1")
        self.mode, self.pixels, self._frames = render_mode, pixels, frames
        self._task, self._settings, self._made = task, settings, None
        # the pictures that are observed, the last ones of a world side by side in its channels
        self.seen = None

    @property
    def camera(self):
        """The camera, created on first use."""
        if self._made is None:
            self._made = Pixels(self._task, **self._settings)
        return self._made

    def space(self):
        """The space of the observations of one world."""
        if not self.pixels:
            return self._task.observation_space()
        shape = (self._settings["height"], self._settings["width"], 3 * self._frames)
        return spaces.Box(0, 255, shape, np.uint8)

    def begin(self, started=None):
        """The observations of all worlds: numbers, or images if requested. Episodes have started in
        all worlds, or in those of a mask, and nothing has changed in the others."""
        if not self.pixels:
            return self._task.observation()
        if started is None or self.seen is None:
            self.seen = self._repeated(self.camera.all())
        else:
            self.seen = self.seen.copy()
            self.seen[started] = self._repeated(self.camera.all(np.flatnonzero(started)))
        return self.seen

    def next(self, started=None):
        """The observations after a step, or after a start in the worlds of a mask."""
        if not self.pixels:
            return self._task.observation()
        now = self.camera.all()
        before = self._repeated(now) if self.seen is None else self.seen
        self.seen = np.concatenate([before[..., 3:], now], axis=-1)
        if started is not None:
            self.seen[started] = self._repeated(now[started])
        return self.seen

    def _repeated(self, images):
        """The first pictures of episodes, which stand for those before."""
        return np.tile(images, self._frames)

    def close(self):
        if self._made is not None:
            self._made.close()
            self._made = None


def camera_settings(width, height, camera_id, camera_name, default_camera_config):
    """The arguments of Gymnasium's environments for rendering."""
    return {
        "width": width,
        "height": height,
        "camera_id": camera_id,
        "camera_name": camera_name,
        "camera": default_camera_config,
    }
