"""Plugins in every integrator, in derivatives, in binary files and in saved XML, compared with
MuJoCo."""
from pathlib import Path

import mujoco
import numpy as np
import pytest

import compare

FEATURES = Path(__file__).resolve().parents[2] / "models" / "features"
MODELS = sorted(FEATURES.glob("plugin_*.xml"))
# not in models/: MuJoCo draws the gradient descents of these fields, Sinew does not
SHAPES = Path(__file__).parent / "distance_fields" / "shapes.xml"
INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}
# steps are compared while rounding is small: a few units in the last place per step
STEPS = 20
TOLERANCE = 1e-9


def excited(module, m):
    d = module.MjData(m)
    rng = np.random.default_rng(3)
    if m.nkey:
        module.mj_resetDataKeyframe(m, d, 0)
    d.qvel += 0.1 * rng.standard_normal(m.nv)
    d.ctrl += 0.1 * rng.standard_normal(m.nu)
    return d


def close(a, b):
    return np.allclose(a, b, rtol=TOLERANCE, atol=TOLERANCE * max(1, np.abs(b).max(initial=0)))


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_steps_with_plugins_are_mujocos(path, integrator, engine):
    want, got = (x.MjModel.from_xml_path(str(path)) for x in (mujoco, engine))
    want.opt.integrator = got.opt.integrator = INTEGRATORS[integrator]
    d, e = excited(mujoco, want), excited(engine, got)
    for step in range(STEPS):
        mujoco.mj_step(want, d)
        engine.mj_step(got, e)
        for name in ("qpos", "qvel", "act", "actuator_force", "qfrc_passive", "sensordata"):
            assert close(getattr(e, name), getattr(d, name)), f"{name} at step {step}"


def test_the_distance_fields_of_mujocos_plugins_are_its_own(engine):
    want, got = (x.MjModel.from_xml_path(str(SHAPES)) for x in (mujoco, engine))
    found = compare.model_differences(want, got)
    assert not found, "\n".join(f"{name} {how}" for name, how in sorted(found.items()))
    d, e = mujoco.MjData(want), engine.MjData(got)
    mujoco.mj_forward(want, d)
    engine.mj_forward(got, e)
    assert e.ncon == d.ncon > 100 and np.array_equal(e.contact.geom, d.contact.geom)
    assert close(e.contact.dist, d.contact.dist) and close(e.contact.pos, d.contact.pos)
    assert close(e.sensordata, d.sensordata)


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_derivatives_with_plugins_are_mujocos(path, engine):
    want, got = (x.MjModel.from_xml_path(str(path)) for x in (mujoco, engine))
    results = []
    for module, m in ((mujoco, want), (engine, got)):
        d = excited(module, m)
        for _ in range(3):
            module.mj_step(m, d)
        n = 2 * m.nv + m.na
        A, B = np.zeros((n, n)), np.zeros((n, m.nu))
        module.mjd_transitionFD(m, d, 1e-6, True, A, B if m.nu else None, None, None)
        results.append((A, B))
    for a, b in zip(*results):
        # differences of numbers that agree to 1e-14, divided by 1e-6
        assert np.allclose(a, b, rtol=1e-5, atol=1e-5 * max(1, np.abs(b).max(initial=0)))


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_binary_files_with_plugins_are_exchanged(path, engine, tmp_path):
    want, got = (x.MjModel.from_xml_path(str(path)) for x in (mujoco, engine))
    ours, theirs = str(tmp_path / "ours.mjb"), str(tmp_path / "theirs.mjb")
    engine.mj_saveModel(got, ours, None)
    mujoco.mj_saveModel(want, theirs, None)
    for loaded in (mujoco.MjModel.from_binary_path(ours), engine.MjModel.from_binary_path(theirs)):
        assert not compare.model_differences(want, loaded)
    d = engine.MjData(engine.MjModel.from_binary_path(theirs))
    engine.mj_forward(d.model, d)


def test_cables_hold_in_the_exact_friction_mode(engine):
    path = FEATURES / "plugin_cable.xml"
    m = engine.MjModel.from_xml_path(str(path))
    soft, exact = (excited(engine, m) for _ in range(2))
    for _ in range(50):
        engine.mj_step(m, soft)
    m.coulomb = {"enabled": True}
    for _ in range(50):
        engine.mj_step(m, exact)
    # without contacts both modes have the same elasticity
    assert exact.coulomb["status"] in ("idle", "converged")
    assert np.allclose(soft.qpos, exact.qpos, atol=1e-6)


def test_a_touch_grid_shows_the_boxes_that_mujocos_shows(engine):
    path = str(FEATURES / "plugin_touch_grid.xml")
    shown = []
    for module in (mujoco, engine):
        m = module.MjModel.from_xml_path(path)
        d = module.MjData(m)
        for _ in range(60):
            module.mj_step(m, d)
        module.mj_forward(m, d)
        scene, option, camera = module.MjvScene(m, 500), module.MjvOption(), module.MjvCamera()
        module.mjv_updateScene(m, d, option, None, camera, module.mjtCatBit.mjCAT_DECOR, scene)
        boxes = [g for g in scene.geoms[:scene.ngeom] if g.objtype == module.mjtObj.mjOBJ_UNKNOWN]
        shown.append([np.concatenate([[g.type, g.objid, g.category, g.segid], g.size, g.pos, np.ravel(g.mat), g.rgba])
                      for g in boxes])
    want, got = shown
    assert len(want) > 3 and len(got) == len(want)
    assert np.allclose(got, want, atol=1e-5)
