"""Steps models with every choice of integrator, solver and cone, each for the same short time.
The steps give the profile for the compiler (`cargo xtask guided`).

    python crates/sinew-py/benches/training.py model.xml ...
"""

import itertools
import sys
import time

import numpy as np

import sinew

INTEGRATORS = ("EULER", "RK4", "IMPLICIT", "IMPLICITFAST")
SOLVERS = ("PGS", "CG", "NEWTON")
CONES = ("PYRAMIDAL", "ELLIPTIC")

# seconds of each choice on the processor, and steps at most
SECONDS = 0.04
STEPS = 2000
# steps with the same controls, and the controls' share of their range
HELD = 5
SCALE = 0.3


def step(m, rng):
    """Steps a model for a while with controls that change."""
    d = sinew.MjData(m)
    low, high = m.actuator_ctrlrange.T
    limited = m.actuator_ctrllimited.astype(bool)
    middle = np.where(limited, (low + high) / 2, 0.0)
    half = SCALE * np.where(limited, (high - low) / 2, 1.0)
    end = time.process_time() + SECONDS
    steps = 0
    while steps < STEPS and time.process_time() < end:
        d.ctrl[:] = middle + half * rng.uniform(-1.0, 1.0, m.nu)
        sinew.mj_step(m, d, HELD)
        steps += HELD


def main(paths):
    rng = np.random.default_rng(1)
    for path in paths:
        try:
            m = sinew.MjModel.from_xml_path(path)
        except ValueError as error:
            print(f"{path}: {error}", file=sys.stderr)
            continue
        if m.nv == 0:
            continue
        for integrator, solver, cone in itertools.product(INTEGRATORS, SOLVERS, CONES):
            m.opt.integrator = getattr(sinew.mjtIntegrator, "mjINT_" + integrator)
            m.opt.solver = getattr(sinew.mjtSolver, "mjSOL_" + solver)
            m.opt.cone = getattr(sinew.mjtCone, "mjCONE_" + cone)
            step(m, rng)


if __name__ == "__main__":
    main(sys.argv[1:])
