"""The stages of the pipeline, each run alone on MuJoCo's own inputs."""
import ctypes
from dataclasses import dataclass
from typing import Callable

import mujoco
import numpy as np


@dataclass
class Stage:
    """A stage: its function in either engine, and the fields it writes."""
    name: str
    run: Callable
    writes: str
    # fields that the engine may skip for some models keep their values instead of NaN
    poison: bool = True

    def fields(self):
        return self.writes.split()


def rne(engine, m, d):
    bias = np.zeros(m.nv)
    engine.mj_rne(m, d, 0, bias)
    d.qfrc_bias[:] = bias


def sensors(engine, m, d):
    engine.mj_sensorPos(m, d)
    engine.mj_sensorVel(m, d)
    engine.mj_sensorAcc(m, d)


CONTACT = " ".join("contact." + field for field in """dist pos frame includemargin friction solref solreffriction
    solimp mu H dim geom1 geom2 geom flex elem vert exclude efc_address""".split())

STAGES = [
    Stage("kinematics", lambda e, m, d: e.mj_kinematics(m, d),
          "xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat"),
    Stage("com", lambda e, m, d: e.mj_comPos(m, d), "subtree_com cdof cinert"),
    Stage("camlight", lambda e, m, d: e.mj_camlight(m, d), "cam_xpos cam_xmat light_xpos light_xdir"),
    Stage("tendon", lambda e, m, d: e.mj_tendon(m, d), "ten_length wrap_xpos wrap_obj ten_wrapadr ten_wrapnum ten_J",
          poison=False),
    Stage("inertia", lambda e, m, d: e.mj_makeM(m, d), "crb M qM"),
    Stage("factor", lambda e, m, d: e.mj_factorM(m, d), "qLD qLDiagInv"),
    Stage("transmission", lambda e, m, d: e.mj_transmission(m, d),
          "actuator_length moment_rownnz moment_rowadr moment_colind actuator_moment", poison=False),
    Stage("velocity", lambda e, m, d: e.mj_fwdVelocity(m, d), "cvel cdof_dot ten_velocity actuator_velocity"),
    Stage("passive", lambda e, m, d: e.mj_passive(m, d),
          "qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive"),
    Stage("bias", rne, "qfrc_bias"),
    Stage("actuation", lambda e, m, d: e.mj_fwdActuation(m, d), "actuator_force qfrc_actuator act_dot"),
    Stage("acceleration", lambda e, m, d: e.mj_fwdAcceleration(m, d), "qfrc_smooth qacc_smooth"),
    Stage("energy", lambda e, m, d: (e.mj_energyPos(m, d), e.mj_energyVel(m, d)), "energy"),
    Stage("subtree", lambda e, m, d: e.mj_subtreeVel(m, d), "subtree_linvel subtree_angmom"),
    Stage("sensors", sensors, "sensordata"),
    Stage("history", lambda e, m, d: e.mj_Euler(m, d), "history", poison=False),
    Stage("euler", lambda e, m, d: e.mj_Euler(m, d), "qpos qvel act time qacc_warmstart", poison=False),
    # the last stage, because it discards the constraint rows
    Stage("collision", lambda e, m, d: e.mj_collision(m, d), "ncon nefc nisland " + CONTACT),
]


def array_fields(d):
    """Names of the arrays of a Data with sizes of the model."""
    names = []
    for name in dir(d):
        if name.startswith("_") or name in ("contact", "warning", "timer", "solver"):
            continue
        value = getattr(d, name)
        if isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
            names.append(name)
    return names


# neither engine writes the unused entries of M's sparsity
SPARSELY_WRITTEN = {"qM"}

PER_STEP = ("efc_", "iefc_", "island_", "iM", "iLD", "iacc", "ifrc", "map_", "dof_island", "tree_island",
            "tendon_efcadr", "solver")


# numbers of awake elements
AWAKE = "ntree_awake nbody_awake nparent_awake nv_awake".split()


def copy_fields(names, source, target):
    """Copies all persistent fields from one Data to another."""
    target.time = source.time
    for name in names:
        if name.startswith(PER_STEP):
            continue
        destination, values = getattr(target, name, None), getattr(source, name)
        if isinstance(destination, np.ndarray) and destination.shape == values.shape and values.size:
            destination[...] = values
    for name in AWAKE:
        setattr(target, name, getattr(source, name))


def copy_constraints(engine, m, source, target):
    """Copies contacts and constraint rows, into rows that the engine makes itself."""
    engine.mj_forward(m, target)
    assert (target.ncon, target.nefc) == (source.ncon, source.nefc), (target.ncon, target.nefc, source.ncon, source.nefc)
    target._set_list("contact", contact_bytes(source))
    for name in array_fields(source):
        if name.startswith("efc_"):
            destination, values = getattr(target, name), getattr(source, name)
            assert destination.shape == values.shape, name
            destination[...] = values


def contact_bytes(d):
    dist = d.contact.dist
    return ctypes.string_at(dist.ctypes.data, dist.strides[0] * d.ncon) if d.ncon else b""


def sparse_rotations_unwritten(m, d):
    """Whether MuJoCo's sparse Jacobian has uninitialised entries.

    mj_jacSum puts the rotations of a point that several bodies move behind 3 * nv numbers and reads
    them behind three rows of the chosen dofs. This is right for dense rows only.
    """
    def several(flex, vertex):
        return flex >= 0 and (vertex < 0 or m.flex_interp[flex] != 0)
    return any(contact.dim > 3 and any(several(*side) for side in zip(contact.flex, contact.vert)) for contact in d.contact)


def gave_up_on_unwritten_rotations(m, d, error):
    """Whether MuJoCo failed to factor a matrix with such uninitialised entries.

    With its stack filled with 1e100 before the step it fails always, with zeros never.
    """
    return "rank-deficient" in str(error) and mujoco.mj_isSparse(m) and sparse_rotations_unwritten(m, d)


def random_state(mujoco, m, d, rng, size):
    """A random state with every input of the dynamics set."""
    mujoco.mj_resetData(m, d)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    if size == 0:
        return
    mujoco.mj_integratePos(m, d.qpos, rng.normal(size=m.nv) * size, 1)
    d.qvel[:] = rng.normal(size=m.nv) * size
    d.act[:] = rng.uniform(0, 1, size=m.na) * size
    for i in range(m.nu):
        low, high = m.actuator_ctrlrange[i] if m.actuator_ctrllimited[i] else (-1, 1)
        d.ctrl[i] = rng.uniform(low, high) * (1 + 0.2 * size)
    d.qfrc_applied[:] = rng.normal(size=m.nv) * 0.1
    if m.nbody > 1:
        d.xfrc_applied[1:] = rng.normal(size=(m.nbody - 1, 6)) * 0.1
    if m.nmocap:
        d.mocap_pos[:] += rng.normal(size=d.mocap_pos.shape) * 0.1
        d.mocap_quat[:] += rng.normal(size=d.mocap_quat.shape) * 0.1


# models that MuJoCo rejects are not compared, so their number is limited
REFUSALS = {}


def refused(test, name):
    """Records that MuJoCo rejected a model in a test."""
    REFUSALS.setdefault(test, set()).add(name)
