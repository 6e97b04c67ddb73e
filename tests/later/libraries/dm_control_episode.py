"""Episodes of the suite of dm_control."""

import numpy as np
from dm_control import suite

for domain, task in (("cartpole", "swingup"), ("cheetah", "run"), ("humanoid", "walk"),
                     ("finger", "spin"), ("manipulator", "bring_ball")):  # fmt: skip
    env = suite.load(domain, task, task_kwargs={"random": 1})
    rng, spec = np.random.default_rng(1), env.action_spec()
    step = env.reset()
    for _ in range(20):
        step = env.step(rng.uniform(spec.minimum, spec.maximum))
    state = np.concatenate([np.ravel(x) for x in step.observation.values()])
    print("=" + domain, *state, step.reward)
