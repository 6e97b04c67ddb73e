"""Gymnasium environments on Sinew: the v5 ones by name, and a base class for one's own.

    import gymnasium, sinew.gym

    env = gymnasium.make("sinew/Walker2d-v5")                     # one environment
    envs = gymnasium.make_vec("sinew/Walker2d-v5", num_envs=256)  # many, stepped in one call

Names and arguments are those of Gymnasium's own environments. Their model files are read from the
installed package; observations and rewards are identical. MuJoCo is not needed.

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

__all__ = ["Env", "PREFIX", "TASKS", "Task", "VectorEnv", "register"]

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


for _name, _class in TASKS.items():
    if PREFIX + _name not in _gymnasium.registry:
        register(
            PREFIX + _name,
            _name,
            max_episode_steps=_class.max_episode_steps,
            reward_threshold=_class.reward_threshold,
        )
