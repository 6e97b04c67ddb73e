"""Many environments of one task, stepped in one call."""

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from sinew.gym._pixels import MODES
from sinew.gym._setup import Picture, camera_settings, make_task


class VectorEnv(gymnasium.vector.VectorEnv):
    """VectorEnv(task, num_envs=1, *, max_episode_steps=None, autoreset_mode="NextStep", nthread=0, \
render_mode=None, pixels=False, frames=1, width=480, height=480, ..., **settings)

    `num_envs` worlds of a task: a subclass of `Task`, or the name of a v5 environment of Gymnasium.
    A call of `step` steps all of them on `nthread` threads; 0 means the machine's parallelism.

    Results equal those of `gymnasium.vector.SyncVectorEnv`. Each world has its own seed, ended
    episodes restart as `autoreset_mode` requests, and `infos` has `final_obs` and `final_info`.
    """

    def __init__(
        self,
        task,
        num_envs=1,
        *,
        max_episode_steps=None,
        autoreset_mode=AutoresetMode.NEXT_STEP,
        nthread=0,
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
        self.task = make_task(task, num_envs, nthread, settings)
        view = camera_settings(width, height, camera_id, camera_name, default_camera_config)
        self._picture = Picture(self.task, render_mode, pixels, frames, view)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.max_episode_steps = max_episode_steps
        self.metadata = {
            "render_modes": MODES,
            "render_fps": int(np.round(1.0 / self.task.dt)),
            "autoreset_mode": self.autoreset_mode,
        }
        self.single_action_space = self.task.action_space()
        self.single_observation_space = self._picture.space()
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._rngs, self._seeds = [None] * num_envs, [None] * num_envs
        self._elapsed = np.zeros(num_envs, np.int64)
        # worlds whose episodes have ended, and whether there are any
        self._over, self._any_over = np.zeros(num_envs, bool), False

    model = property(lambda self: self.task.model, doc="The model.")
    batch = property(lambda self: self.task.batch, doc="The batch, with a world for each environment.")
    dt = property(lambda self: self.task.dt, doc="Seconds that a step takes.")

    @property
    def elapsed(self):
        """Steps of the present episode of every environment; may be set."""
        return self._elapsed.copy()

    @elapsed.setter
    def elapsed(self, steps):
        self._elapsed[:] = steps

    @property
    def np_random(self):
        """The random generators of all environments."""
        self._seed([None] * self.num_envs, range(self.num_envs))
        return tuple(self._rngs)

    @property
    def np_random_seed(self):
        """The seeds of all environments."""
        self._seed([None] * self.num_envs, range(self.num_envs))
        return tuple(self._seeds)

    def _seed(self, seeds, worlds):
        """Gives worlds the generators of their seeds; worlds without a seed keep their
        generator."""
        for i in worlds:
            if seeds[i] is not None or self._rngs[i] is None:
                self._rngs[i], self._seeds[i] = seeding.np_random(seeds[i])

    def reset(self, *, seed=None, options=None):
        """Starts episodes in all environments, or in those of `options["reset_mask"]`.

        `seed` is a list with a seed for each environment, or the first of consecutive seeds.
        """
        if seed is None or isinstance(seed, (int, np.integer)):
            seed = [None if seed is None else int(seed) + i for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(
                f"If seeds are passed as a list the length must match num_envs={self.num_envs} but "
                f"got length={len(seed)}."
            )
        mask = self._reset_mask(options)
        self._seed(seed, range(self.num_envs) if mask is None else np.flatnonzero(mask))
        self.task.restart(self._rngs, mask)
        started = slice(None) if mask is None else mask
        self._elapsed[started], self._over[started] = 0, False
        self._any_over = bool(self._over.any())
        info = _spread({}, self.task.start_info(), mask)
        return self._picture.begin(mask), info

    def _reset_mask(self, options):
        """The reset mask of the options, checked as in Gymnasium."""
        if options is None or "reset_mask" not in options:
            return None
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray):
            raise TypeError(f"`options['reset_mask']` must be a numpy array, got {type(mask)}")
        if mask.shape != (self.num_envs,):
            raise ValueError(
                f"`options['reset_mask']` must have shape `({self.num_envs},)`, got {mask.shape}"
            )
        if mask.dtype != np.bool_:
            raise TypeError(f"`options['reset_mask']` must have `dtype=np.bool_`, got {mask.dtype}")
        if not mask.any():
            raise ValueError(
                "`options['reset_mask']` must contain a boolean array with at least one True value, "
                f"got reset_mask={mask}"
            )
        return mask

    def step(self, actions):
        """Steps all environments: observations, rewards, terminations, truncations, infos."""
        waiting = stepped = None
        if self._any_over:
            if self.autoreset_mode == AutoresetMode.DISABLED:
                worlds = np.flatnonzero(self._over).tolist()
                raise AssertionError(
                    f"episodes of {worlds} are over: reset them with a `reset_mask`"
                )
            # environments whose episode ended in the last step start another instead
            if self.autoreset_mode == AutoresetMode.NEXT_STEP:
                waiting, stepped = self._over, ~self._over
        reward, terminated, info = self.task.advance(np.asarray(actions), stepped)
        reward, terminated = np.array(reward, np.float64), np.array(terminated, bool)
        infos = _spread({}, info, stepped)
        self._elapsed += 1
        if waiting is not None:
            self._restart(waiting, infos)
            reward[waiting], terminated[waiting] = 0.0, False

        # the end of episodes
        limit = self.max_episode_steps
        truncated = np.zeros(self.num_envs, bool) if limit is None else self._elapsed >= limit
        if waiting is not None:
            truncated[waiting] = False
        self._over = over = terminated | truncated
        self._any_over = np.count_nonzero(over) > 0  # faster than `any`
        if self._any_over and self.autoreset_mode == AutoresetMode.SAME_STEP:
            observation, infos = self._restart_at_once(info, over)
        else:
            observation = self._picture.next(waiting)
        return observation, reward, terminated, truncated, infos

    def _restart(self, mask, infos):
        """Starts new episodes, and adds their infos."""
        self._seed([None] * self.num_envs, np.flatnonzero(mask))
        self.task.restart(self._rngs, mask)
        self._elapsed[mask] = 0
        _spread(infos, self.task.start_info(), mask)

    def _restart_at_once(self, info, over):
        """Starts new episodes; returns observations, and infos with the last observations and
        infos of the ended episodes."""
        last = np.full(self.num_envs, None, object)
        observation = self._picture.next()
        for i in np.flatnonzero(over):
            last[i] = observation[i].copy()
        infos = _spread({}, info, ~over)
        infos["final_obs"], infos["_final_obs"] = last, over.copy()
        infos["final_info"], infos["_final_info"] = _spread({}, info, over), over.copy()
        self._restart(over, infos)
        return self._picture.begin(over), infos

    def snapshot(self):
        """A copy of everything that later steps depend on; `restore` continues from it with the
        same bits."""
        return {
            "task": self.task.snapshot(),
            "elapsed": self._elapsed.copy(),
            "over": self._over.copy(),
            "seeds": list(self._seeds),
            "rngs": [r if r is None else r.bit_generator.state for r in self._rngs],
            "seen": None if self._picture.seen is None else self._picture.seen.copy(),
        }

    def restore(self, state):
        """Restores a `snapshot` of an environment with the same arguments."""
        if len(state["elapsed"]) != self.num_envs:
            raise ValueError(
                f"the state has {len(state['elapsed'])} environments, this has {self.num_envs}"
            )
        self.task.restore(state["task"])
        self._elapsed[:], self._over[:] = state["elapsed"], state["over"]
        self._any_over = bool(self._over.any())
        self._seeds, self._picture.seen = list(state["seeds"]), state.get("seen")
        for i, saved in enumerate(state["rngs"]):
            self._rngs[i] = None
            if saved is not None:
                self._rngs[i] = seeding.np_random(0)[0]
                self._rngs[i].bit_generator.state = saved

    def render(self):
        """An image of every environment, in the format of `render_mode`."""
        if self.render_mode is None:
            return None
        if self.render_mode == "rgb_array":
            return tuple(self._picture.camera.all())
        return tuple(self._picture.camera.one(i, self.render_mode) for i in range(self.num_envs))

    def call(self, name, *args, **kwargs):
        """An attribute of the task, or the result of a method, for every environment."""
        found = getattr(self.task, name)
        return (found(*args, **kwargs) if callable(found) else found,) * self.num_envs

    def get_attr(self, name):
        """An attribute of the task, for every environment."""
        return self.call(name)

    def close_extras(self, **kwargs):
        """Releases the camera."""
        self._picture.close()


def _spread(infos, info, mask):
    """Adds infos of the worlds of a mask, with a mask of their presence, as in Gymnasium.

    Without a mask all worlds have them.
    """
    if mask is not None and not mask.any():
        return infos
    others = None if mask is None else ~mask
    everyone = None
    for key, values in info.items():
        if key in infos:
            infos[key][mask] = np.asarray(values)[mask]
            infos["_" + key] |= mask
            continue
        infos[key] = values = np.array(values)
        if mask is None:
            everyone = np.ones(len(values), bool) if everyone is None else everyone.copy()
            infos["_" + key] = everyone
        else:
            values[others] = np.zeros((), values.dtype)
            infos["_" + key] = mask.copy()
    return infos
