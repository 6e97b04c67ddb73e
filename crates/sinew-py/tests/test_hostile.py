"""Invalid values in files and arrays raise a ValueError with the fault, never a panic."""

import copy
import pathlib
import pickle

import numpy as np
import pytest
import sinew as mujoco
from sinew._sinew import DATA_FIELDS
from sinew.rollout import Rollout

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
    ("features/flex", "flex_vertadr", 1, 1, "flex_vertadr[1] is 1, must be 3"),
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
    ("features/tendon_paths", "wrap_prm", 13, 1e10, "wrap_prm[13]"),
    ("features/tendon_paths", "wrap_prm", 9, np.inf, "wrap_prm[9]"),
    ("features/sensors", "sensor_intprm", (8, 0), 2, "sensor_dim[8] is 1, must be 3"),
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
def test_an_unknown_solver_or_integrator_is_an_error(field, value):
    m = load("humanoid")
    d = mujoco.MjData(m)
    before = d.qpos.copy()
    setattr(m.opt, field, value)
    with pytest.raises(mujoco.FatalError, match=f"(unknown solver type|invalid integrator) {value}"):
        mujoco.mj_step(m, d)
    assert (d.qpos == before).all()


@pytest.mark.parametrize("solver", ["mjSOL_PGS", "mjSOL_CG", "mjSOL_NEWTON"])
def test_endless_iterations_end(solver):
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
def test_an_unknown_type_is_named(field):
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


def test_user_code_that_calls_itself_through_the_engine_is_named():
    xml = """<mujoco><extension><plugin plugin='test.endless'/></extension><worldbody><body>
      <joint/><geom size='.1'/><plugin plugin='test.endless'/></body></worldbody></mujoco>"""

    @mujoco.register_plugin
    class Endless:
        name = "test.endless"
        capabilities = mujoco.mjtPluginCapabilityBit.mjPLUGIN_PASSIVE
        calls = None

        def __init__(self, config, instance):
            if self.calls is None:
                mujoco.MjModel.from_xml_string(xml)

        def compute(self, model, data, capability):
            self.calls(model, data)

    # while a model is loaded, in a stage, in a copy
    with pytest.raises(ValueError, match="plugin 'test.endless' calls the engine"):
        mujoco.MjModel.from_xml_string(xml)
    Endless.calls = staticmethod(lambda m, d: None)
    m = mujoco.MjModel.from_xml_string(xml)
    calls = [mujoco.mj_forward, mujoco.mj_fwdVelocity, mujoco.mj_passive,
             lambda m, d: mujoco.mj_forward(m, mujoco.MjData(m)),
             lambda m, d: mujoco.mjd_transitionFD(m, d, 1e-6, True, np.zeros((2, 2)), None, None, None)]
    for call in calls:
        Endless.calls = staticmethod(call)
        for start in mujoco.mj_forward, mujoco.mj_step, mujoco.mj_inverse:
            with pytest.raises(mujoco.FatalError, match="plugin 'test.endless' calls the engine|plugin->init"):
                start(m, mujoco.MjData(m))

    # callbacks and handlers of warnings
    Endless.calls = staticmethod(lambda m, d: None)
    for kind in "control", "passive", "sensor":
        m = mujoco.MjModel.from_xml_string(
            "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody>"
            "<sensor><user dim='1'/></sensor></mujoco>")
        getattr(mujoco, f"set_mjcb_{kind}")(lambda m, d, *rest: mujoco.mj_forward(m, d))
        try:
            with pytest.raises(mujoco.FatalError, match=f"the hook mjcb_{kind} calls the engine"):
                mujoco.mj_step(m, mujoco.MjData(m))
        finally:
            getattr(mujoco, f"set_mjcb_{kind}")(None)
    warned = "<mujoco><size memory='1'/></mujoco>"
    mujoco.set_mju_user_warning(lambda text: mujoco.MjModel.from_xml_string(warned))
    try:
        with pytest.raises(RecursionError, match="mju_user_warning calls the engine"):
            mujoco.MjModel.from_xml_string(warned)
    finally:
        mujoco.set_mju_user_warning(None)


def test_a_corrected_array_is_accepted():
    m = load("humanoid")
    d = mujoco.MjData(m)
    m.geom_bodyid[0] = 99
    with pytest.raises(ValueError):
        mujoco.mj_step(m, d)
    m.geom_bodyid[0] = 0
    mujoco.mj_step(m, d)


def test_row_counts_beyond_the_arrays_are_refused():
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
        if not array.flags.writeable:  # a field of another version, computed or of the model
            continue
        array[...] = random.integers(-(2**31), 2**31 - 1, array.shape).astype(array.dtype)
        for call in calls:
            try:
                call(m, d)
            except (ValueError, mujoco.FatalError) as error:
                assert "panicked" not in str(error) and "index out of" not in str(error)


STATE_MODELS = ["humanoid", "quadruped", "tendons", "features/equality", "features/sleep_init", "features/sensor_contacts"]
STATE_CALLS = ["mj_step", "mj_forward", "mj_inverse", "mj_fwdConstraint", "mj_invConstraint", "mj_sensorPos", "mj_sensorVel",
               "mj_sensorAcc", "mj_rnePostConstraint", "mj_referenceConstraint", "mj_projectConstraint", "mj_makeConstraint",
               "mj_island", "mj_passive", "mj_fwdActuation", "mj_fwdAcceleration", "mj_fwdVelocity", "mj_energyPos",
               "mj_energyVel", "mj_transmission", "mj_tendon", "mj_collision", "mj_subtreeVel", "mj_Euler", "mj_implicit"]


def look_around(m, d):
    """Functions that only read the state."""
    force, geom = np.zeros(6), np.zeros(1, np.int32)
    for contact in range(d.ncon):
        mujoco.mj_contactForce(m, d, contact, force)
    mujoco.mj_ray(m, d, np.array([0, 0, 5.0]), np.array([0, 0, -1.0]), None, 1, -1, geom)
    d.efc_J, d.efc_AR, d.iM, d.iefc_J, d.bvh_active
    copy.copy(d)
    pickle.dumps(d)


def nonsense(m, d, name, value, call):
    """The outcome of an invalid value in a field of the state; None without an error."""
    try:
        field = getattr(d, name)
        if isinstance(field, np.ndarray):
            field[...] = np.array(value).astype(field.dtype)
        else:
            setattr(d, name, value)
        call(m, d)
    except (ValueError, mujoco.FatalError) as error:
        return error


@pytest.mark.parametrize("name", STATE_MODELS)
def test_nonsense_in_integers_of_the_state_is_named_or_does_no_harm(name, capfd):
    m = load(name)
    good, d = mujoco.MjData(m), mujoco.MjData(m)
    mujoco.mj_step(m, good, 60)
    calls = [getattr(mujoco, name) for name in STATE_CALLS] + [look_around]
    fields = [field.name for field in DATA_FIELDS if "int" in field.dtype]
    assert len(fields) > 70
    for field in fields:
        array = isinstance(getattr(good, field), np.ndarray)
        values = [-1, 1, 10**6, 2**31 - 1, -(2**31)] if array else [0, 1, 5, 10**6, -1]
        for value in values:
            for call in calls:
                mujoco.mj_copyData(d, m, good)
                error = nonsense(m, d, field, value, call)
                text = str(error)
                assert error is None or isinstance(error, ValueError), (field, value, call, error)
                assert not any(w in text for w in ("out of bounds", "overflow", "panicked", "out of range")), text
    mujoco.mj_resetData(m, d)
    mujoco.mj_step(m, d, 60)
    assert (d.qpos == good.qpos).all()
    assert capfd.readouterr().err == ""


CONTACT_CASES = [("geom", 99), ("geom", -(2**31)), ("efc_address", 10**6), ("efc_address", -5), ("dim", 0), ("dim", 99),
                 ("flex", 7), ("elem", 7), ("vert", 10**6), ("exclude", 77)]


@pytest.mark.parametrize("field, value", CONTACT_CASES)
def test_nonsense_in_a_contact_is_named_or_does_no_harm(field, value, capfd):
    m = load("humanoid")
    good, d = mujoco.MjData(m), mujoco.MjData(m)
    mujoco.mj_step(m, good, 200)
    assert good.ncon > 0
    for call in [getattr(mujoco, name) for name in STATE_CALLS] + [look_around]:
        mujoco.mj_copyData(d, m, good)
        getattr(d.contact, field)[0] = value
        try:
            call(m, d)
        except ValueError as error:
            assert f"invalid data: contact.{field}[0" in str(error) and f"is {value}, must be from" in str(error)
    assert capfd.readouterr().err == ""


def test_a_number_of_the_state_that_refers_to_nothing_is_named():
    m = load("humanoid")
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d, 200)
    d.map_idof2dof[3] = 1000
    with pytest.raises(ValueError, match=r"invalid data: map_idof2dof\[3\] is 1000, must be from 0 to 28"):
        mujoco.mj_fwdConstraint(m, d)
    mujoco.mj_step(m, d)
    assert np.isfinite(d.qpos).all()


def test_more_island_dofs_than_dofs_are_refused():
    d = mujoco.MjData(load("humanoid"))
    with pytest.raises(ValueError, match="nidof = 2147483647, wanted 0 to 29"):
        d.nidof = 2**31 - 1


def test_an_address_of_an_empty_row_is_named():
    m = load("arm")
    d = mujoco.MjData(m)
    d.moment_rowadr[0] = 1000
    with pytest.raises(ValueError, match=r"invalid data: moment_rowadr\[0\] is 1000, must be from 0 to"):
        mujoco.mj_fwdVelocity(m, d)


def test_the_signature_of_a_model_with_nonsense_is_an_error():
    m = load("humanoid")
    m.body_jntnum[3] = 99
    with pytest.raises(ValueError, match=r"body_jntnum\[3\] is 99"):
        m.signature


@pytest.mark.parametrize("read", ["bvh_active", "iM"])
def test_fields_computed_on_demand_need_a_valid_model(read):
    m = load("humanoid")
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d)
    m.body_weldid[1] = 1000
    with pytest.raises(ValueError, match=r"body_weldid\[1\] is 1000"):
        getattr(d, read)


def test_arrays_stay_where_they_are_after_an_error():
    m = load("features/sleep_init")
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d, 10)
    names = ["qfrc_smooth", "qfrc_fluid", "qfrc_gravcomp", "qfrc_bias", "qfrc_inverse", "qDeriv", "qfrc_passive"]
    views = {name: getattr(d, name) for name in names}
    for field in ("body_awake_ind", "dof_awake_ind", "parent_awake_ind", "tree_asleep"):
        getattr(d, field)[...] = 10**6
        for call in ("mj_passive", "mj_fwdAcceleration", "mj_inverse", "mj_implicit", "mj_step"):
            nonsense(m, d, "nbody_awake", max(d.nbody_awake, 1) - 1, getattr(mujoco, call))
    mujoco.mj_resetData(m, d)
    for name, view in views.items():
        view[...] = 1
        assert (getattr(d, name) == 1).all() and getattr(d, name) is view, name


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


def test_edges_of_a_flex_that_depend_on_more_dofs_than_it_was_made_for_are_an_error():
    links = "<body><joint axis='0 1 0'/><geom size='.1'/>" * 8 + "</body>" * 8
    m = mujoco.MjModel.from_xml_string(f"""<mujoco><worldbody>{links}
        <flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" radius=".01">
        <edge equality="true"/></flexcomp></worldbody></mujoco>""")
    d = mujoco.MjData(m)
    m.flex_vertbodyid[...] = 8
    m.flex_vertbodyid[1::2] = m.nbody - 1
    with pytest.raises(mujoco.FatalError, match="flex 0: edges depend on more dofs than they were made for"):
        mujoco.mj_setConst(m, d)


def test_wide_user_data_without_geoms_is_saved_and_read():
    m = mujoco.MjModel.from_xml_string('<mujoco><size nuser_geom="1000000"/></mujoco>')
    buffer = np.zeros(mujoco.mj_sizeModel(m), np.uint8)
    mujoco.mj_saveModel(m, None, buffer)
    again = mujoco.MjModel.from_binary_path("m.mjb", {"m.mjb": buffer.tobytes()})
    assert again.nuser_geom == 1000000


def test_numbers_that_become_threads_memory_or_widths_have_bounds(tmp_path):
    m = mujoco.MjModel.from_xml_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    for n in 10_000, 2**31, 2**62:
        with pytest.raises(ValueError, match=f"{n} threads: this machine has"):
            mujoco.Batch(m, 4, nthread=n)
        with pytest.raises(ValueError, match=f"{n} threads: this machine has"):
            Rollout(nthread=n)
    for n in 10**12, 2**62:
        with pytest.raises(MemoryError, match=f"{n} worlds take"):
            mujoco.Batch(m, n)
    for n in -1, 0:
        with pytest.raises(ValueError, match="at least one world"):
            mujoco.Batch(m, n)
    for text in "%1000000000f", "%.1000000000f", "%99999999999999999999f":
        with pytest.raises(ValueError, match="width and precision must be at most 1000"):
            mujoco.mj_printFormattedModel(m, str(tmp_path / "m.txt"), text)


def test_an_exception_of_a_plugin_in_a_batch_names_the_world():
    @mujoco.register_plugin
    class Fails:
        name = "test.fails"
        capabilities = mujoco.mjtPluginCapabilityBit.mjPLUGIN_PASSIVE

        def __init__(self, config, instance):
            pass

        def compute(self, model, data, capability):
            if data.qpos[0] > 0.5:
                raise LookupError("no such thing")

    m = mujoco.MjModel.from_xml_string(
        """<mujoco><extension><plugin plugin='test.fails'/></extension><worldbody><body>
        <joint/><geom size='.1'/><plugin plugin='test.fails'/></body></worldbody></mujoco>""")
    batch = mujoco.Batch(m, 5, nthread=2)
    batch.step()
    batch.qpos[3] = 1
    with pytest.raises(RuntimeError, match="world 3: LookupError: 'no such thing'|world 3: LookupError: no such thing") as e:
        batch.step()
    assert type(e.value.__cause__) is LookupError


def test_ids_are_checked_with_the_name_of_the_argument_and_its_range():
    m = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><body><joint/><geom size='.1'/><site/></body></worldbody>
        <actuator><motor joint='j'/></actuator></mujoco>""".replace("<joint/>", "<joint name='j'/>"))
    d = mujoco.MjData(m)
    jac, v3, six = np.zeros((3, m.nv)), np.zeros(3), np.zeros(6)
    calls = {
        "mj_jac: body": (m.nbody, lambda i: mujoco.mj_jac(m, d, jac, None, v3, i)),
        "mj_jacDot: body": (m.nbody, lambda i: mujoco.mj_jacDot(m, d, jac, None, v3, i)),
        "mj_jacBody: body": (m.nbody, lambda i: mujoco.mj_jacBody(m, d, jac, None, i)),
        "mj_jacBodyCom: body": (m.nbody, lambda i: mujoco.mj_jacBodyCom(m, d, jac, None, i)),
        "mj_jacGeom: geom": (m.ngeom, lambda i: mujoco.mj_jacGeom(m, d, jac, None, i)),
        "mj_jacSite: site": (m.nsite, lambda i: mujoco.mj_jacSite(m, d, jac, None, i)),
        "mj_jacSubtreeCom: body": (m.nbody, lambda i: mujoco.mj_jacSubtreeCom(m, d, jac, i)),
        "mj_jacPointAxis: body": (m.nbody, lambda i: mujoco.mj_jacPointAxis(m, d, jac, None, v3, v3, i)),
        "mj_applyFT: body": (m.nbody, lambda i: mujoco.mj_applyFT(m, d, v3, v3, v3, i, np.zeros(m.nv))),
        "mj_local2Global: body": (
            m.nbody, lambda i: mujoco.mj_local2Global(d, v3, np.zeros(9), v3, np.array([1.0, 0, 0, 0]), i, 0)),
        "mj_angmomMat: body": (m.nbody, lambda i: mujoco.mj_angmomMat(m, d, jac, i)),
        "mj_objectVelocity: objid": (m.nsite, lambda i: mujoco.mj_objectVelocity(m, d, 6, i, six, 0)),
        "mj_objectAcceleration: objid": (m.ngeom, lambda i: mujoco.mj_objectAcceleration(m, d, 5, i, six, 0)),
        "mj_geomDistance: geom2": (m.ngeom, lambda i: mujoco.mj_geomDistance(m, d, 0, i, 1.0, None)),
        "mj_readCtrl: id": (m.nu, lambda i: mujoco.mj_readCtrl(m, d, i, 0.0, 0)),
    }
    mujoco.mj_forward(m, d)
    for what, (count, call) in calls.items():
        call(count - 1)
        for bad in count, 99, -1, 2**40:
            with pytest.raises(ValueError, match=f"{what} is {bad}, must be from 0 to {count - 1}"):
                call(bad)
    for what, call in {
        "mj_rayFlex: flexid": lambda i: mujoco.mj_rayFlex(m, d, 0, 1, 1, 1, 1, i, v3, v3),
        "mj_readSensor: id": lambda i: mujoco.mj_readSensor(m, d, i, 0.0, np.zeros(1), 0),
    }.items():
        with pytest.raises(ValueError, match=f"{what} is 0, but the model has none"):
            call(0)


def test_a_value_of_the_wrong_type_is_an_error_with_the_name_of_the_attribute():
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body()
    elements = [spec, spec.compiler, body, body.add_geom(), body.add_joint(), body.add_site(),
                body.add_camera(), body.add_light(), spec.add_actuator(), spec.add_sensor(), spec.add_equality(),
                spec.add_mesh(), spec.add_texture(), spec.add_material(), spec.add_tendon(), spec.add_key()]
    for name in spec.option._float_fields + spec.option._int_fields:
        for value in object(), [object()], 1j, None:
            with pytest.raises((TypeError, ValueError), match=name):
                setattr(spec.option, name, value)
    for element in elements:
        for name in dir(type(element)):
            if name.startswith("_") or callable(getattr(type(element), name)):
                continue
            for value in object(), [object()], 1j, None:
                try:
                    setattr(element, name, value)
                except (TypeError, ValueError, OverflowError) as error:
                    assert name in str(error), f"{element}: {error}"
                except AttributeError as error:
                    assert "no setter" in str(error) or "can't set" in str(error) or name in str(error), error
