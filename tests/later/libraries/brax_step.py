"""Steps of brax on MJX."""

import jax
from brax import envs

env = envs.create("reacher", backend="mjx")
state = jax.jit(env.reset)(jax.random.PRNGKey(1))
step = jax.jit(env.step)
for _ in range(3):
    state = step(state, 0.1 * jax.numpy.ones(env.action_size))
print("=reacher", *state.obs, state.reward)
