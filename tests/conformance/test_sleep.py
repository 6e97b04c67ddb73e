"""Sleep: whole trajectories in which trees fall asleep and wake, step by step against MuJoCo."""
import copy
from pathlib import Path

import mujoco
import numpy as np
import pytest

import compare
import random_sleep
import stages

MODELS = Path(__file__).resolve().parents[2] / "models/features"
COUNTS = "ntree_awake nbody_awake nparent_awake nv_awake nefc ncon nisland nidof ne nf nl".split()
FLAGS = "tree_asleep tree_awake body_awake".split()
LISTS = dict(body_awake_ind="nbody_awake", parent_awake_ind="nparent_awake", dof_awake_ind="nv_awake")

# random models in which something sleeps within the steps that are looked at
RANDOM = [0, 3, 5, 6, 7, 9, 10, 11, 13, 15, 17, 21, 23, 24, 30, 33, 35, 38]

# an unstable one, judged by how far MuJoCo leaves itself
STIFF = {23}

# two engines on their own: rounding grows from contact to contact, and decides nothing in these models
DRIFT = 1e-6

INTEGRATORS = [mujoco.mjtIntegrator.mjINT_EULER, mujoco.mjtIntegrator.mjINT_RK4,
               mujoco.mjtIntegrator.mjINT_IMPLICIT, mujoco.mjtIntegrator.mjINT_IMPLICITFAST]


def toggle_sleep(m, on):
    bit = int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    m.opt.enableflags = m.opt.enableflags | bit if on else m.opt.enableflags & ~bit


def push_contacts(e, t, m, d):
    """Every event that wakes a sleeping tree, one after the other."""
    if t == 150:
        d.xfrc_applied[m.body("left").id, 2] = 0.2
    elif t == 155:
        d.xfrc_applied[:] = 0
    elif t == 190:
        d.qfrc_applied[m.joint("flap").dofadr[0]] = 0.02
    elif t == 200:
        d.qfrc_applied[:] = 0
    elif t == 230:
        d.joint("slider").qpos += 0.02
    elif t == 260:
        d.qvel[m.body("lower").dofadr[0]] = 0.3
    elif 280 <= t < 300:
        d.mocap_pos[0, 2] += 0.002
    elif t in (330, 340):
        toggle_sleep(m, t == 340)


def push_ties(e, t, m, d):
    if t in (60, 100, 140):
        d.eq_active[(t - 60) // 40] = 1
    elif t in (80, 120, 160):
        d.joint("c").qvel = 0.4
    elif t == 150:
        d.joint("b").qvel = -0.3
    elif t == 180:
        d.eq_active[:] = 0
        d.joint("a").qpos += 0.1
    elif t == 220:
        d.eq_active[3:] = 1
    elif t == 230:
        d.ctrl[:] = [0.5, 0.1, 0.2, 0.1, 0.1, 0.3]
    elif t == 250:
        d.joint("driven").qvel = 0.5
    elif t == 300:
        d.ctrl[:] = 0
        d.joint("shoulder").qvel = 1
    elif t == 330:
        d.joint("e1").qvel = 0.5


def push_init(e, t, m, d):
    if t == 40:
        d.joint("x").qvel = 0.2
    elif t == 120:
        e.mj_resetDataKeyframe(m, d, 1)
    elif t == 200:
        e.mj_resetDataKeyframe(m, d, 0)
    elif t == 210:
        d.xfrc_applied[m.body("on top").id, 0] = 0.5
    elif t == 220:
        e.mj_resetData(m, d)
    elif t == 230:
        d.qpos[2] += 1e-12


SCRIPTS = dict(contacts=(push_contacts, 360), ties=(push_ties, 360), init=(push_init, 260))


def load(engine, name, **options):
    m = engine.MjModel.from_xml_path(str(MODELS / f"sleep_{name}.xml"))
    for option, value in options.items():
        setattr(m.opt, option, int(value))
    return m, engine.MjData(m)


def state_of_sleep(d):
    """All flags, lists and counts of awake elements."""
    state = {name: np.array(getattr(d, name)) for name in FLAGS}
    state |= {name: np.array(getattr(d, name)[:getattr(d, count)]) for name, count in LISTS.items()}
    return state | {name: np.array(getattr(d, name)) for name in COUNTS}


def sleep_differences(want, got):
    want, got = state_of_sleep(want), state_of_sleep(got)
    return [f"{name}: {got[name]}, wanted {want[name]}" for name in want if not np.array_equal(want[name], got[name])]


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=lambda i: i.name)
@pytest.mark.parametrize("name", SCRIPTS)
def test_trees_sleep_and_wake_when_mujocos_do(engine, name, integrator):
    script, steps = SCRIPTS[name]
    m, d = load(mujoco, name, integrator=integrator)
    ours, mine = load(engine, name, integrator=integrator)
    asleep = set()
    assert not sleep_differences(d, mine), "at the start"
    for t in range(steps):
        for e, model, data in ((mujoco, m, d), (engine, ours, mine)):
            script(e, t, model, data)
            e.mj_step(model, data)
        asleep.add(tuple(d.tree_awake))
        found = sleep_differences(d, mine)
        for field in ("qpos", "qvel"):
            error = np.abs(getattr(d, field) - getattr(mine, field)).max()
            if not error <= DRIFT:
                found.append(f"{field} by {error}")
        assert not found, f"step {t}: " + "; ".join(found)
    # many trees fell asleep and woke
    assert len(asleep) > 5


# moments beyond the rows that there are have no meaning
MOMENTS = ("actuator_moment", "moment_colind")


def persistent_fields(d):
    skipped = {*LISTS}
    return [f for f in stages.array_fields(d) if not f.startswith(stages.PER_STEP) and f not in skipped]


def field_differences(d, mine, names, m=None, before=None):
    """With the state `before` the step, a number may be as far off as MuJoCo leaves itself."""
    nnz, spread = sum(d.moment_rownnz), None
    for field in names:
        cut = slice(nnz) if field in MOMENTS else slice(None)
        want, got = getattr(d, field)[cut], getattr(mine, field)[cut]
        how = compare.difference(field, want, got)
        if how and before is not None:
            spread = own_spread(m, before, d, names) if spread is None else spread
            if np.abs(want - got).max() <= SPREAD * spread.get(field, 0):
                continue
        if how:
            yield f"{field} {how}"


# of the largest of a few changes by the last bit, which are not the worst there are
SPREAD = 10


def own_spread(m, before, d, names):
    """How far fields of MuJoCo's step go when positions and velocities change by their last bits."""
    spread = {}
    for towards in (np.inf, -np.inf, 0):
        other = copy.copy(before)
        other.qpos[:] = np.nextafter(other.qpos, towards)
        other.qvel[:] = np.nextafter(other.qvel, towards)
        mujoco.mj_step(m, other)
        for name in names:
            a, b = getattr(d, name), getattr(other, name)
            if a.shape == b.shape and a.dtype.kind == "f" and a.size:
                spread[name] = max(spread.get(name, 0), np.abs(a - b).max())
    return spread


def copy_all(source, target, names):
    stages.copy_fields(names + list(LISTS), source, target)


CG_ELLIPTIC = dict(solver=mujoco.mjtSolver.mjSOL_CG, cone=mujoco.mjtCone.mjCONE_ELLIPTIC)
OPTIONS = [dict(integrator=i) for i in INTEGRATORS] + [
    dict(solver=mujoco.mjtSolver.mjSOL_CG),
    CG_ELLIPTIC,
    dict(solver=mujoco.mjtSolver.mjSOL_PGS),
    dict(jacobian=0, integrator=2), dict(jacobian=1), dict(jacobian=1, integrator=3, cone=1),
    dict(noslip_iterations=2),
    dict(disableflags=mujoco.mjtDisableBit.mjDSBL_ISLAND),
    dict(disableflags=int(mujoco.mjtDisableBit.mjDSBL_SPRING) | int(mujoco.mjtDisableBit.mjDSBL_DAMPER)),
    dict(disableflags=mujoco.mjtDisableBit.mjDSBL_ACTUATION, integrator=2),
    dict(enableflags=int(mujoco.mjtEnableBit.mjENBL_SLEEP) | int(mujoco.mjtEnableBit.mjENBL_FWDINV)),
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", SCRIPTS)
def test_every_field_is_mujocos_while_trees_sleep(engine, name, options):
    """From MuJoCo's state at every step, with all that stages have left out as MuJoCo has it."""
    script, steps = SCRIPTS[name]
    try:
        m, d = load(mujoco, name, **options)
    except mujoco.FatalError as error:
        # without islands nothing that stands on something can begin asleep
        with pytest.raises(engine.FatalError, match=str(error).splitlines()[0]):
            load(engine, name, **options)
        return
    ours, mine = load(engine, name, **options)
    names = persistent_fields(d)
    failures = []
    for t in range(steps):
        script(mujoco, t, m, d)
        ours.opt.enableflags = m.opt.enableflags
        copy_all(d, mine, names)
        # only there MuJoCo's own answer is less certain than the digits that are compared
        loose = options == CG_ELLIPTIC
        before = copy.copy(d)
        mujoco.mj_step(m, d)
        engine.mj_step(ours, mine)
        found = sleep_differences(d, mine)
        # forward and inverse cancel: only rounding is left of this
        found += field_differences(d, mine, [f for f in names if f != "qfrc_inverse"], m, before if loose else None)
        failures += [f"step {t}: {line}" for line in found]
        if len(failures) > 10:
            break
    assert not failures, "\n" + "\n".join(failures)


@pytest.mark.parametrize("seed", RANDOM)
def test_random_trees_sleep_as_mujocos_do(engine, seed):
    """From MuJoCo's state at every step; a random push now and then."""
    xml = random_sleep.model(seed)
    m, ours = (e.MjModel.from_xml_string(xml) for e in (mujoco, engine))
    # other solvers stop at a tolerance wider than the comparison's; they have tests of their own
    m.opt.solver = ours.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
    d, mine = mujoco.MjData(m), engine.MjData(ours)
    assert not sleep_differences(d, mine)
    names = persistent_fields(d)
    rng = np.random.default_rng(seed)
    failures, asleep = [], 0
    for t in range(40):
        if t % 8 == 7:
            body, dof = rng.integers(1, m.nbody), rng.integers(m.nv)
            d.xfrc_applied[body] = rng.normal(size=6) * (t < 20)
            d.qvel[dof] += rng.normal() * (t > 10)
        copy_all(d, mine, names)
        before = copy.copy(d)
        mujoco.mj_step(m, d)
        engine.mj_step(ours, mine)
        asleep = max(asleep, m.ntree - d.ntree_awake)
        found = sleep_differences(d, mine)
        found += field_differences(d, mine, [f for f in names if f != "qfrc_inverse"], m, before if seed in STIFF else None)
        failures += [f"step {t}: {line}" for line in found]
        if failures:
            break
    assert not failures, "\n" + "\n".join(failures)
    assert asleep


@pytest.mark.parametrize("name", SCRIPTS)
def test_inverse_and_derivatives_while_trees_sleep(engine, name):
    _, steps = SCRIPTS[name]
    m, d = load(mujoco, name)
    ours, mine = load(engine, name)
    names = persistent_fields(d)
    for t in range(60):
        copy_all(d, mine, names)
        mujoco.mj_step(m, d)
        engine.mj_step(ours, mine)
    assert d.ntree_awake < m.ntree
    for step in range(3):
        copy_all(d, mine, names)
        d.qacc[:] = np.sin(np.arange(m.nv) + step)
        mine.qacc[:] = d.qacc
        mujoco.mj_inverse(m, d)
        engine.mj_inverse(ours, mine)
        found = sleep_differences(d, mine)
        found += field_differences(d, mine, names)
        assert not found, found
        mujoco.mj_step(m, d)
        engine.mj_step(ours, mine)
    n = 2 * m.nv + m.na
    want, got = np.zeros((n, n)), np.zeros((n, n))
    copy_all(d, mine, names)
    mujoco.mjd_transitionFD(m, d, 1e-6, 1, want, None, None, None)
    engine.mjd_transitionFD(ours, mine, 1e-6, 1, got, None, None, None)
    # quotients of differences: six digits are left of sixteen
    np.testing.assert_allclose(got, want, atol=1e-5 * np.abs(want).max())


def test_what_mujoco_refuses_at_a_step_is_refused(engine):
    flag = '<option><flag sleep="enable"/></option>'
    bodies = "".join(f'<body pos="{i} 0 0"><joint name="j{i}"/><geom size=".1"/></body>' for i in range(2))
    tendons = "".join(f'<fixed name="t{i}"><joint joint="j{i}" coef="1"/></fixed>' for i in range(2))
    tendon = f"""<mujoco>{flag}<worldbody>{bodies}</worldbody><tendon>{tendons}</tendon>
        <equality><tendon tendon1="t0" tendon2="t1"/></equality></mujoco>"""
    flex = f"""<mujoco>{flag}<worldbody><flexcomp name="f" type="grid" dim="1" count="4 1 1" spacing=".1 .1 .1"
        radius=".01"><edge equality="true"/></flexcomp></worldbody></mujoco>"""
    for xml in (tendon, flex):
        said = []
        for e in (mujoco, engine):
            m = e.MjModel.from_xml_string(xml)
            d = e.MjData(m)
            for call in (e.mj_step, e.mj_forward, e.mj_step1, e.mj_fwdPosition):
                with pytest.raises(e.FatalError) as error:
                    call(m, d)
                said.append(str(error.value))
            # not where nobody may sleep, or the equality does not act
            d.eq_active[:] = 0
            e.mj_step(m, d)
            d.eq_active[:] = 1
            m.opt.enableflags = 0
            e.mj_step(m, d)
        assert said[:4] == said[4:]


def test_a_tree_that_cannot_begin_asleep_is_an_error(engine):
    xml = """<mujoco><option><flag sleep="enable"/></option><worldbody>
        <body name="a" sleep="init"><freejoint/><geom size=".1"/></body>
        <body pos="{x} 0 0"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    said = []
    for e in (mujoco, engine):
        with pytest.raises(ValueError, match="Body 'a' .id=1. is the root of the first tree that could not be slept"):
            e.MjModel.from_xml_string(xml.format(x=0.1))
        m = e.MjModel.from_xml_string(xml.format(x=1))
        m.qpos0[0] = 0.9
        with pytest.raises(e.FatalError) as error:
            e.MjData(m)
        said.append(str(error.value))
    assert said[0] == said[1]
