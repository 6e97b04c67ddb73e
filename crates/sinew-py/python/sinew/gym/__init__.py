"""Gymnasium environments on Sinew: the v5 ones by name, and a base class for one's own.

    import gymnasium, sinew.gym

    env = gymnasium.make("sinew/Walker2d-v5")                     # one environment
    envs = gymnasium.make_vec("sinew/Walker2d-v5", num_envs=256)  # many, stepped in one call

Names and arguments are those of Gymnasium's own environments. Their model files are read from the
installed package; observations and rewards are identical. MuJoCo is not needed.

Libraries that have an interface of their own get it from `sb3` (Stable-Baselines3) and `rsl_rl`.

A user-defined task is a subclass of `Task`, passed to `register`, `Env` or `VectorEnv`.
"""

try:
    import gymnasium as _gymnasium
except ImportError as error:
    raise ImportError(
        "sinew.gym needs Gymnasium 1.0 or newer: pip install 'gymnasium>=1.0'"
    ) from error

from sinew.gym._env import Env
from sinew.gym._task import Task
from sinew.gym._v5 import TASKS
from sinew.gym._vector import VectorEnv

__all__ = ["Env", "PREFIX", "TASKS", "Task", "VectorEnv", "register", "rsl_rl", "sb3"]

# prefix of the names of environments
PREFIX = "sinew/"


def register(id, task, **options):
    """Registers a task, a subclass of `Task`, for `gymnasium.make` and `gymnasium.make_vec`.

    `options` are those of `gymnasium.register`, such as `max_episode_steps`; `kwargs` are passed to
    the task.
    """
    kwargs = {"task": task, **options.pop("kwargs", {})}
    _gymnasium.register(
        id, "sinew.gym:Env", vector_entry_point="sinew.gym:VectorEnv", kwargs=kwargs, **options
    )


def sb3(task, num_envs=1, **options):
    """A `VecEnv` of Stable-Baselines3 with `num_envs` worlds, stepped in one call.

    `task` is a name that `gymnasium.make_vec` knows or a subclass of `Task`; `options` are those of
    `VectorEnv`. Needs the package stable-baselines3.
    """
    from sinew.gym._sb3 import WorldsSb3

    return WorldsSb3(_worlds(task, num_envs, options))


def rsl_rl(task, num_envs=1, *, device="cpu", **options):
    """A `VecEnv` of rsl_rl with `num_envs` worlds, whose tensors are on `device`.

    `task` and `options` are those of `sb3`. Needs the package rsl-rl-lib.
    """
    from sinew.gym._rsl_rl import WorldsRslRl

    return WorldsRslRl(_worlds(task, num_envs, options), device)


def _worlds(task, num_envs, options):
    """A vector environment whose ended episodes restart in the same step."""
    options = {"autoreset_mode": "SameStep", **options}
    if isinstance(task, str) and task not in TASKS:
        if _gymnasium.spec(task).vector_entry_point != "sinew.gym:VectorEnv":
            raise TypeError(f"{task} is not an environment of sinew.gym; {PREFIX}Ant-v5 is one")
        return _gymnasium.make_vec(task, num_envs=num_envs, **options).unwrapped
    if isinstance(task, str):
        options.setdefault("max_episode_steps", TASKS[task].max_episode_steps)
    elif isinstance(task, type) and issubclass(task, Task):
        options.setdefault("max_episode_steps", task.max_episode_steps)
    return VectorEnv(task, num_envs, **options)


for _name, _class in TASKS.items():
    if PREFIX + _name not in _gymnasium.registry:
        register(
            PREFIX + _name,
            _name,
            max_episode_steps=_class.max_episode_steps,
            reward_threshold=_class.reward_threshold,
        )
