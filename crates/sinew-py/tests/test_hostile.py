"""Nonsense in files and arrays is a ValueError that says what is wrong, never a panic."""

import pathlib

import numpy as np
import pytest
import sinew as mujoco

MODELS = pathlib.Path(__file__).parents[3] / "models"
FEATURES = ["equality", "tendon_paths", "sensors", "flexcomp_grid", "skin", "delays", "meshes", "hfields", "sdf_meshes"]


def load(name):
    return mujoco.MjModel.from_xml_path(str(MODELS / f"{name}.xml"))


def corrupt(name, field, index, value):
    """A model with one number of an array changed."""
    m = load(name)
    getattr(m, field)[index] = value
    return m


CASES = [
    ("humanoid", "dof_parentid", 5, 5, "dof_parentid[5] is 5, must be 4"),
    ("humanoid", "body_parentid", 3, 3, "body_parentid[3] is 3, must be from 0 to 2"),
    ("humanoid", "geom_bodyid", 0, 99, "geom_bodyid[0] is 99, must be from 0 to 16"),
    ("humanoid", "jnt_type", 0, 9, "jnt_type[0] is 9, must be from 0 to 3"),
    ("humanoid", "geom_condim", 0, 2, "geom_condim[0] is 2, must be 1, 3, 4 or 6"),
    ("humanoid", "M_rowadr", 1, 999, "M_rowadr[1] is 999, must be 1"),
    ("humanoid", "actuator_trnid", (0, 0), 77, "actuator_trnid[0, 0] is 77, must be from 0 to"),
    ("features/equality", "eq_type", 0, 9, "eq_type[0] is 9, must be from 0 to 6"),
    ("features/sensors", "sensor_type", 0, 99, "sensor_type[0] is 99, must be from 0 to 48"),
    ("features/skin", "skin_bonevertid", 0, 10**6, "skin_bonevertid[0] is 1000000, must be from 0 to"),
    ("features/meshes", "mesh_face", (0, 1), -1, "mesh_face[0, 1] is -1, must be from 0 to"),
    ("features/flexcomp_grid", "flex_elem", 0, 10**6, "flex_elem[0] is 1000000, must be from 0 to"),
    ("features/tendon_paths", "wrap_objid", 0, 10**6, "wrap_objid[0] is 1000000, must be from 0 to"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1])
def test_an_array_that_refers_to_nothing_is_named(case, capfd):
    name, field, index, value, words = case
    m = load(name)
    d = mujoco.MjData(m)
    getattr(m, field)[index] = value
    for call in (lambda: mujoco.mj_step(m, d), lambda: mujoco.mj_forward(m, d), lambda: mujoco.MjData(m)):
        with pytest.raises(ValueError) as error:
            call()
        assert words in str(error.value)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("field", ["solver", "integrator"])
@pytest.mark.parametrize("value", [99, -1, 2**31 - 1])
def test_a_solver_or_integrator_that_there_is_not_is_an_error(field, value):
    m = load("humanoid")
    d = mujoco.MjData(m)
    before = d.qpos.copy()
    setattr(m.opt, field, value)
    with pytest.raises(mujoco.FatalError, match=f"(unknown solver type|invalid integrator) {value}"):
        mujoco.mj_step(m, d)
    assert (d.qpos == before).all()


@pytest.mark.parametrize("solver", ["mjSOL_PGS", "mjSOL_CG", "mjSOL_NEWTON"])
def test_iterations_without_end_end(solver):
    m = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
        "<body pos='0 0 .09'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    m.opt.solver = getattr(mujoco.mjtSolver, solver)
    m.opt.tolerance = m.opt.ls_tolerance = m.opt.noslip_tolerance = -1
    m.opt.iterations = m.opt.ls_iterations = m.opt.noslip_iterations = 2**31 - 1
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d)
    assert np.isfinite(d.qpos).all()


ENUMERATIONS = ["actuator_trntype", "actuator_dyntype", "actuator_gaintype", "actuator_biastype", "geom_type", "jnt_type",
                "cam_mode", "light_type", "sensor_objtype", "sensor_needstage", "wrap_type", "tex_type"]


@pytest.mark.parametrize("field", ENUMERATIONS)
def test_a_type_that_there_is_not_is_named(field):
    m = load("humanoid")
    d = mujoco.MjData(m)
    getattr(m, field)[0] = 77
    with pytest.raises(ValueError, match=rf"{field}\[0\] is 77, must be"):
        mujoco.mj_step(m, d)


def test_contacts_beyond_the_bound_are_dropped_with_a_warning():
    body = "<body><freejoint/><geom size='1'/></body>"
    m = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody><replicate count='520'>{body}</replicate></worldbody></mujoco>")
    d = mujoco.MjData(m)
    for stage in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_collision):
        stage(m, d)
    assert d.ncon == 2**17 < 520 * 519 // 2
    assert d.warning[mujoco.mjtWarning.mjWARN_CONTACTFULL].number > 0


def test_an_array_that_is_put_right_is_accepted_again():
    m = load("humanoid")
    d = mujoco.MjData(m)
    m.geom_bodyid[0] = 99
    with pytest.raises(ValueError):
        mujoco.mj_step(m, d)
    m.geom_bodyid[0] = 0
    mujoco.mj_step(m, d)


def test_more_rows_than_there_are_cannot_be_asked_for():
    m = load("humanoid")
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d)
    with pytest.raises(ValueError, match="nefc = 300"):
        d.nefc = 300
    assert d.efc_J.size >= 0


@pytest.mark.parametrize("name", FEATURES)
def test_random_numbers_in_integer_arrays_are_errors_or_steps(name):
    random = np.random.default_rng(1)
    m = load(f"features/{name}")
    fields = [f for f in dir(m) if isinstance(getattr(m, f), np.ndarray)]
    fields = [f for f in fields if getattr(m, f).dtype.kind == "i" and getattr(m, f).size]
    fields = [f for f in fields if getattr(m, f).flags.writeable]
    for field in fields:
        array = getattr(m, field)
        kept = array.copy()
        at = random.integers(array.size)
        array.flat[at] = random.choice([-1, 0, 1, 7, 2**31 - 1, -(2**31)])
        try:
            mujoco.mj_step(m, mujoco.MjData(m))
        except (ValueError, mujoco.FatalError) as error:
            assert "panicked" not in str(error) and "index out of" not in str(error)
        array[...] = kept
    mujoco.mj_step(m, mujoco.MjData(m))


def test_random_numbers_in_arrays_of_the_state_are_errors_or_steps():
    random = np.random.default_rng(1)
    m = load("humanoid")
    d = mujoco.MjData(m)
    calls = [mujoco.mj_step, mujoco.mj_forward, mujoco.mj_inverse, mujoco.mj_fwdConstraint, mujoco.mj_sensorAcc,
             mujoco.mj_rnePostConstraint, mujoco.mj_referenceConstraint, mujoco.mj_projectConstraint]
    names = [n for n in dir(d) if not n.startswith("_")]
    for name in names:
        mujoco.mj_resetData(m, d)
        for _ in range(40):
            mujoco.mj_step(m, d)
        array = getattr(d, name)
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "iu" or not array.size:
            continue
        array[...] = random.integers(-(2**31), 2**31 - 1, array.shape).astype(array.dtype)
        for call in calls:
            try:
                call(m, d)
            except (ValueError, mujoco.FatalError) as error:
                assert "panicked" not in str(error) and "index out of" not in str(error)


def test_copies_sorted_by_island_survive_lists_that_refer_to_nothing(capfd):
    m = load("quadruped")
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d, 200)
    lists = ["dof_island", "map_dof2idof", "map_idof2dof", "island_idofadr", "island_iefcadr", "island_nefc", "map_iefc2efc",
             "efc_island", "efc_J_colind", "efc_J_rowadr", "efc_J_rownnz"]
    for sparse in (0, 1):
        m.opt.jacobian = sparse
        for name in lists:
            for value in (-1, 10**6, 2**31 - 1, -(2**31)):
                mujoco.mj_forward(m, d)
                assert d.nisland > 0 and getattr(d, name).size
                getattr(d, name)[0] = value
                d.iM, d.iefc_J, d.iefc_type, d.efc_J
    assert capfd.readouterr().err == ""


def test_mutated_binary_models_are_refused_or_step(tmp_path):
    random = np.random.default_rng(1)
    path = tmp_path / "model.mjb"
    mujoco.mj_saveModel(load("humanoid"), str(path), None)
    original = np.frombuffer(path.read_bytes(), np.uint8)
    for _ in range(200):
        mutant = original.copy()
        at = 4 * random.integers(5, mutant.size // 4)
        mutant[at:at + 4] = np.frombuffer(np.int32(random.choice([-1, 7, 10**6, 2**31 - 1])).tobytes(), np.uint8)
        path.write_bytes(mutant.tobytes())
        try:
            m = mujoco.MjModel.from_binary_path(str(path))
        except ValueError as error:
            assert str(error)
            continue
        mujoco.mj_step(m, mujoco.MjData(m))


def test_wide_user_data_of_no_geom_is_saved_and_read():
    m = mujoco.MjModel.from_xml_string('<mujoco><size nuser_geom="1000000"/></mujoco>')
    buffer = np.zeros(mujoco.mj_sizeModel(m), np.uint8)
    mujoco.mj_saveModel(m, None, buffer)
    again = mujoco.MjModel.from_binary_path("m.mjb", {"m.mjb": buffer.tobytes()})
    assert again.nuser_geom == 1000000
