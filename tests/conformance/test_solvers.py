"""Islands, the inertia of constraint rows and the solvers, each on MuJoCo's own rows."""

import mujoco
import numpy as np
import pytest

import compare
import stages

SIZES = "ncon nefc ne nf nl"
JACOBIAN = "efc_J_rownnz efc_J_rowadr efc_J_rowsuper efc_J_colind efc_J"
ROWS = "efc_type efc_id efc_frictionloss efc_R efc_D efc_aref efc_force efc_state"
STATE = "qpos qvel qacc_warmstart qacc_smooth qfrc_smooth M qM qLD qLDiagInv"

ISLANDS = ("nisland nidof tree_island island_ntree island_itreeadr map_itree2tree dof_island island_nv "
           "island_idofadr island_dofadr map_dof2idof map_idof2dof efc_island island_ne island_nf island_nefc "
           "island_iefcadr map_efc2iefc map_iefc2efc iM_rownnz iM_rowadr iLDiagInv iefc_type iefc_id "
           "iefc_frictionloss iefc_D iefc_R")
# MuJoCo leaves the pattern of dense matrices alone
SPARSE_ISLANDS = "iefc_J_rownnz iefc_J_rowadr iefc_J_rowsuper iefc_J_colind iefc_J"
SPARSE_INERTIA = "efc_AR_rownnz efc_AR_rowadr efc_AR_colind"

# solver, iterations of the solver without slip, iterations: 60 sweeps are few enough to stop before the end
DUAL = [("PGS", 0, 60), ("PGS", 5, 60), ("NEWTON", 5, 60)]
# where the solvers start, which way they go and how they account for it shows after few iterations
PRIMAL = [("NEWTON", 0, 1), ("NEWTON", 0, 3), ("CG", 0, 1), ("CG", 0, 3), ("CG", 5, 3)]
# relative; without softness friction is found from differences of nearly equal numbers
TOLERANCE = {0: 1e-11, 5: 1e-8}
# no improvement is below this: all sweeps are made. The cost falls by up to sixteen digits, and
# near the end MuJoCo's own rule compares rounding errors with its tolerance. Rows of every kind
# have a test that does stop by it.
NEVER = -1

EVERYTHING = """<mujoco><option cone="{cone}"/><default><geom condim="{condim}" friction=".8 .02 .01"/></default>
<worldbody><geom type="plane" size="5 5 .1"/>
 <replicate count="{crowd}" offset=".5 0 .1"><body pos="-2 -2 .09"><freejoint/><geom size=".1"/></body></replicate>
 <body name="a" pos="0 0 .35"><freejoint/><geom type="box" size=".1 .1 .1" condim="3"/>
  <body pos=".2 0 0"><joint name="h1" axis="0 1 0" limited="true" range="-10 10" frictionloss=".3"/>
   <geom type="capsule" size=".03" fromto="0 0 0 .3 0 -.1"/>
   <body pos=".3 0 -.1"><joint name="h2" axis="0 1 0" frictionloss=".1" limited="true" range="-5 30"/>
    <geom type="capsule" size=".03" fromto="0 0 0 .1 0 -.25"/></body></body>
  <body pos="-.2 0 0"><joint type="ball" limited="true" range="0 20"/>
   <geom type="capsule" size=".03" fromto="0 0 0 -.3 0 -.3" condim="1"/></body></body>
 <body name="b" pos=".8 .2 .3"><freejoint/><geom type="box" size=".1 .05 .1"/></body>
 <body name="c" pos="1.6 .2 .2"><joint type="slide" axis="1 0 0" name="s1"/>
  <joint type="slide" axis="0 0 1" name="s2" limited="true" range="-.1 .1"/><joint axis="0 1 0"/>
  <geom size=".1" contype="0" conaffinity="0"/></body>
 <body pos="3 0 .095"><freejoint/><geom size=".1"/></body>
 <body pos="3 0 .29"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
 <body pos="-3 0 2"><freejoint/><geom size=".1"/></body></worldbody>
<tendon><fixed name="t1" limited="true" range="-.05 .05" frictionloss=".2"><joint joint="h1" coef="1"/>
 <joint joint="s1" coef="-1"/></fixed><fixed name="t2"><joint joint="s2" coef="1"/></fixed></tendon>
<equality><weld body1="a" body2="b"/><connect body1="c" anchor="0 0 .1" body2="b"/>
 <joint joint1="h1" joint2="h2" polycoef="0 .5 0 0 0"/><tendon tendon1="t1" tendon2="t2"/></equality></mujoco>"""


def sparse_rows(m, d, spare):
    """The Jacobian of a state as dense rows, for either format of the model."""
    kind, solver, noslip = m.opt.jacobian, m.opt.solver, m.opt.noslip_iterations
    m.opt.jacobian, m.opt.solver, m.opt.noslip_iterations = 1, mujoco.mjtSolver.mjSOL_NEWTON, 0
    mujoco.mj_copyData(spare, m, d)
    mujoco.mj_fwdPosition(m, spare)
    if stages.sparse_rotations_unwritten(m, spare):
        take_dense_entries(m, d, spare)
    m.opt.jacobian, m.opt.solver, m.opt.noslip_iterations = kind, solver, noslip


def take_dense_entries(m, d, spare):
    """Fills the sparse rows of `spare` from MuJoCo's dense Jacobian."""
    dense = mujoco.MjData(m)
    m.opt.jacobian = 0
    mujoco.mj_copyData(dense, m, d)
    mujoco.mj_fwdPosition(m, dense)
    m.opt.jacobian = 1
    assert dense.nefc == spare.nefc
    entries = dense.efc_J[:dense.nefc * m.nv].reshape(dense.nefc, m.nv)
    for row, start, n in zip(entries, spare.efc_J_rowadr, spare.efc_J_rownnz):
        spare.efc_J[start:start + n] = row[spare.efc_J_colind[start:start + n]]


def jacobian(d, spare):
    """The rows of the Jacobian, as (columns, entries)."""
    ends = zip(spare.efc_J_rowadr, spare.efc_J_rownnz)
    rows = [(spare.efc_J_colind[start:start + n], spare.efc_J[start:start + n]) for start, n in ends]
    # MuJoCo leaves rows of zeros out where it has dense ones
    return rows if spare.nefc == d.nefc else [row for row in rows if row[1].any()]


def give(d, spare, mine):
    """Everything the stages read."""
    for name in STATE.split():
        getattr(mine, name)[...] = getattr(d, name)
    for name in ROWS.split():
        mine._set_list(name, np.ascontiguousarray(getattr(d, name)).tobytes())
    mine._set_list("contact", stages.contact_bytes(d))

    rows = jacobian(d, spare)
    sizes = [len(columns) for columns, _ in rows]
    super_rows = spare.efc_J_rowsuper if spare.nefc == d.nefc else np.zeros(d.nefc)
    for name, values in (("rownnz", sizes), ("rowadr", np.cumsum([0] + sizes[:-1])), ("rowsuper", super_rows),
                         ("colind", np.concatenate([columns for columns, _ in rows]))):
        mine._set_list("efc_J_" + name, np.asarray(values, dtype=np.int32).tobytes())
    mine._set_list("efc_J", np.concatenate([entries for _, entries in rows]).tobytes())

    # counts last: they may not exceed the rows that there are
    for name in SIZES.split():
        setattr(mine, name, getattr(d, name))
    mine.nJ = sum(sizes)


def differences(want, got, names):
    for name in names.split():
        how = compare.difference(name, getattr(want, name), getattr(got, name))
        if how:
            yield f"{name} {how}"


def error(want, got):
    """The largest difference, relative to the largest number."""
    want, got = np.ravel(want), np.ravel(got)
    return np.abs(want - got).max(initial=0) / max(np.abs(want).max(initial=0), 1e-6)


def near(what, want, got, tolerance):
    if not error(want, got) <= tolerance:
        yield f"{what}: relative {error(want, got):.1e}"


def cancelling(m, rows, force):
    """The largest sum of absolute row forces on a dof: the scale of rounding errors in `qfrc_constraint`."""
    total = np.zeros(m.nv)
    for (columns, entries), f in zip(rows, force):
        np.add.at(total, columns, np.abs(f * entries))
    return total.max(initial=0)


def shared(d, rows, force):
    """Forces, with opposite edges of a pyramid evened out if their rows are equal: their shares are not defined."""
    force = force.copy()
    for contact in d.contact:
        first, edges = contact.efc_address, 2 * (contact.dim - 1)
        if first < 0 or d.efc_type[first] != mujoco.mjtConstraint.mjCNSTR_CONTACT_PYRAMIDAL:
            continue
        for edge in range(first, first + edges, 2):
            if np.array_equal(rows[edge][1], rows[edge + 1][1]):
                force[edge:edge + 2] = force[edge:edge + 2].mean()
    return force


def statistics(m, d, mine, tolerance):
    """Statistics of every iteration."""
    # on the surface of a cone, where sliding contacts are, rounding decides which rows the dual
    # solvers call active
    surface = m.opt.solver == mujoco.mjtSolver.mjSOL_PGS and m.opt.cone == mujoco.mjtCone.mjCONE_ELLIPTIC
    counts = "" if surface or m.opt.noslip_iterations else "nactive nchange"
    for island in range(min(max(d.nisland, 1), len(d.solver_niter))):
        made = slice(200 * island, 200 * island + min(d.solver_niter[island], 200))
        for name in ("improvement gradient " + counts).split():
            want, got = (getattr(x.solver, name)[made] for x in (d, mine))
            # their unit is such that the solvers' tolerance, 1e-8, is absolute
            off = np.abs(want - got).max(initial=0) / max(np.abs(want).max(initial=0), 1)
            if off > tolerance:
                yield f"{name} of island {island}: {off:.1e}"


def check(engine, m, d, spare, ours, mine, tolerance):
    """All stages from the rows of `d`, which has the results."""
    sparse_rows(m, d, spare)
    give(d, spare, mine)
    sparse = bool(mujoco.mj_isSparse(m))

    engine.mj_island(ours, mine)
    yield from differences(d, mine, ISLANDS if d.nisland else "nisland nidof")
    if d.nisland and sparse:
        yield from differences(d, mine, SPARSE_ISLANDS)

    dual = m.opt.solver == mujoco.mjtSolver.mjSOL_PGS
    if dual or m.opt.noslip_iterations:
        engine.mj_projectConstraint(ours, mine)
        yield from differences(d, mine, "nA efc_AR " + (SPARSE_INERTIA if sparse else ""))

    mine.solver_niter[:] = 0
    engine.mj_fwdConstraint(ours, mine)
    if not (m.opt.solver == mujoco.mjtSolver.mjSOL_NEWTON and m.opt.noslip_iterations):
        yield from differences(d, mine, "solver_niter solver_nnz")
        yield from statistics(m, d, mine, tolerance)
    rows = jacobian(d, spare)
    forces = (shared(d, rows, x.efc_force) for x in (d, mine))
    yield from near("efc_force", *forces, tolerance)

    # accelerations in units of force, so that both are judged by the forces that cancel in them
    scale = max(cancelling(m, rows, d.efc_force), 1e-6)
    inertial = np.zeros(m.nv)
    mujoco.mj_mulM(m, d, inertial, d.qacc - mine.qacc)
    for name, off in (("qfrc_constraint", d.qfrc_constraint - mine.qfrc_constraint), ("qacc", inertial)):
        if not np.abs(off).max(initial=0) <= tolerance * scale:
            yield f"{name}: off by {np.abs(off).max():.1e} of {scale:.1e}"


def failures(engine, m, binary, steps, stop, solvers, name=""):
    """Both kinds of Jacobian, several solvers, some steps into a simulation."""
    for jacobian in (0, 1):
        for solver, noslip, iterations in solvers:
            m.opt.jacobian, m.opt.noslip_iterations = jacobian, noslip
            m.opt.solver = getattr(mujoco.mjtSolver, f"mjSOL_{solver}")
            m.opt.iterations, m.opt.noslip_tolerance = iterations, stop or 1e-9
            m.opt.tolerance = stop if stop and solver == "PGS" else 1e-8
            mujoco.mj_saveModel(m, binary)
            ours = engine.MjModel.from_binary_path(binary)
            for step, how in compared(engine, m, ours, steps, TOLERANCE[noslip], name):
                yield f"jacobian {jacobian} {solver} {noslip} {iterations} step {step}: {how}"


def compared(engine, m, ours, steps, tolerance, name):
    """Names of the differing fields and their steps, in four states of a simulation."""
    d, spare, mine = mujoco.MjData(m), mujoco.MjData(m), engine.MjData(ours)
    rng = np.random.default_rng(3)
    try:
        for step in range(steps + 1):
            d.ctrl[:] = rng.uniform(-1, 1, m.nu)
            mujoco.mj_step(m, d)
            if step % (steps // 3):
                continue
            mujoco.mj_forward(m, d)
            if mujoco.mj_isSparse(m) and stages.sparse_rotations_unwritten(m, d):
                continue
            if d.nefc and np.isfinite(d.qacc).all():
                for how in check(engine, m, d, spare, ours, mine, tolerance):
                    yield step, how
    except mujoco.FatalError as refusal:
        # sparse rows of dofs with a constant diagonal: MuJoCo gives up, and its answer cannot be compared
        assert "B_rownnz" in str(refusal) or stages.gave_up_on_unwritten_rotations(m, d, refusal)
        stages.refused("solvers", name)


@pytest.mark.parametrize("solvers", [DUAL, PRIMAL], ids=["dual", "primal"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim, crowd", [(1, 1), (3, 1), (4, 1), (6, 1), (3, 8)])
def test_every_kind_of_row_has_mujocos_force(engine, tmp_path, cone, condim, crowd, solvers):
    m = mujoco.MjModel.from_xml_string(EVERYTHING.format(cone=cone, condim=condim, crowd=crowd))
    found = list(failures(engine, m, str(tmp_path / "model.mjb"), 150, None, solvers))
    assert not found, "\n" + "\n".join(found)


def test_forces_of_models_are_mujocos(pair, engine, tally, tmp_path):
    m = mujoco.MjModel.from_xml_path(str(pair.path))
    found = list(failures(engine, m, str(tmp_path / "model.mjb"), 12, NEVER, DUAL, pair.name))
    assert not found, "\n" + "\n".join(found)
    tally("solvers agree")


# of some two hundred
MOST_REFUSED = 2


def test_mujoco_gives_up_on_few_models():
    found = stages.REFUSALS.get("solvers", ())
    assert len(found) <= MOST_REFUSED, sorted(found)
