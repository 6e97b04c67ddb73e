"""One environment."""

import gymnasium
import numpy as np

from sinew.gym._pixels import MODES, Window
from sinew.gym._setup import Picture, camera_settings, make_task


# a single environment may also be shown in the viewer
_MODES = ["human", *MODES]


class Env(gymnasium.Env):
    """Env(task, *, render_mode=None, pixels=False, frames=1, width=480, height=480, ..., \
**settings)

    One world of a task: a subclass of `Task`, or the name of a v5 environment of Gymnasium. With
    `pixels` the observations are images, the last `frames` of them side by side in the channels;
    `settings` are passed to the task. With the render mode `human` every step is shown in the
    viewer.
    """

    metadata = {"render_modes": _MODES}

    def __init__(
        self,
        task,
        *,
        render_mode=None,
        pixels=False,
        frames=1,
        width=480,
        height=480,
        camera_id=None,
        camera_name=None,
        default_camera_config=None,
        **settings,
    ):
        self.task = make_task(task, 1, 1, settings)
        view = camera_settings(width, height, camera_id, camera_name, default_camera_config)
        self._picture = Picture(self.task, render_mode, pixels, frames, view, _MODES)
        self._window = None
        self.render_mode = render_mode
        self.metadata = {"render_modes": _MODES, "render_fps": int(np.round(1.0 / self.dt))}
        self.action_space = self.task.action_space()
        self.observation_space = self._picture.space()

    model = property(lambda self: self.task.model, doc="The model.")
    batch = property(lambda self: self.task.batch, doc="The batch, of one world.")
    dt = property(lambda self: self.task.dt, doc="Seconds that a step takes.")
    frame_skip = property(lambda self: self.task.frame_skip, doc="Steps of the engine for each.")
    init_qpos = property(lambda self: self.task.init_qpos, doc="Positions of the model.")
    init_qvel = property(lambda self: self.task.init_qvel, doc="Velocities of the model.")

    def reset(self, *, seed=None, options=None):
        """Starts an episode; returns the first observation and its info."""
        super().reset(seed=seed)
        self.task.restart([self.np_random])
        self._watch()
        return self._picture.begin()[0].copy(), self._first(self.task.start_info())

    def step(self, action):
        """Makes a step; returns observation, reward, termination, False, and info."""
        action = np.asarray(action)
        reward, terminated, info = self.task.advance(action[None])
        self._watch()
        observation = self._picture.next()[0].copy()
        return observation, float(reward[0]), bool(terminated[0]), False, self._first(info)

    def render(self):
        """An image in the format of `render_mode`."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode: give one to gymnasium.make")
            return None
        if self.render_mode == "human":
            return self._watch()
        return self._picture.camera.one(0, self.render_mode)

    def _watch(self):
        """Shows the state in the viewer, in the render mode `human`."""
        if self.render_mode == "human":
            self._window = self._window or Window(self.task)
            self._window.show()

    def set_state(self, qpos, qvel):
        """Sets positions and velocities, and computes forward dynamics."""
        self.batch.qpos[0], self.batch.qvel[0] = qpos, qvel
        self.batch.forward()

    def state_vector(self):
        """Positions and velocities."""
        return np.concatenate([self.batch.qpos[0], self.batch.qvel[0]])

    def close(self):
        """Releases the camera and closes the viewer; may be called again."""
        self._picture.close()
        if self._window is not None:
            self._window.close()
            self._window = None

    @staticmethod
    def _first(info):
        return {k: v[0].copy() if np.ndim(v[0]) else v[0] for k, v in info.items()}
