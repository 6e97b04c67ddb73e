"""Steps of environments of MuJoCo Playground: one of its own models, one of Menagerie."""

import jax
from mujoco_playground import registry

for name in ("CartpoleBalance", "Go1JoystickFlatTerrain"):
    env = registry.load(name)
    state = jax.jit(env.reset)(jax.random.PRNGKey(1))
    state = jax.jit(env.step)(state, jax.numpy.zeros(env.action_size))
    values = jax.tree_util.tree_leaves(state.obs)
    print("=" + name, *values[0].ravel()[:50], state.reward, flush=True)
