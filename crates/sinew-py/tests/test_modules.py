"""Submodules, and Sinew in place of MuJoCo."""

import io
import os
import subprocess
import sys

import mujoco
import mujoco.minimize
import mujoco.msh2obj
import mujoco.rollout
import numpy as np
import pytest

import sinew
import sinew.minimize
import sinew.msh2obj
import sinew.rollout

XML = """
<mujoco>
  <worldbody>
    <body><joint name="a"/><geom size=".1" pos=".1 0 0"/>
      <body pos=".3 0 0"><joint/><geom size=".1" pos=".1 0 0"/></body></body>
    <body name="hand" mocap="true"/>
  </worldbody>
  <actuator><motor joint="a"/></actuator>
  <sensor><jointpos joint="a"/></sensor>
</mujoco>
"""


def run(*arguments, **options):
    command = [sys.executable, "-m", "sinew.as_mujoco", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, **options)
    return done.returncode, done.stdout + done.stderr


def test_imports_of_mujoco_are_sinew(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, subprocess, mujoco, mujoco.rollout, sinew.rollout\n"
        "from mujoco import minimize\n"
        "assert mujoco is sys.modules['sinew'] and mujoco.rollout is sinew.rollout\n"
        "assert sys.argv[1:] == ['x', '-m'] and __name__ == '__main__'\n"
        "code = 'import mujoco.msh2obj as p; import mujoco; print(mujoco.SINEW_VERSION, p.__name__)'\n"
        "subprocess.run([sys.executable, '-c', code], check=True)\n"
        "import multiprocessing\n"
        "print('done')\n"
    )
    code, text = run(str(script), "x", "-m")
    assert code == 0 and "done" in text, text
    assert f"{sinew.SINEW_VERSION} sinew.msh2obj" in text


def test_modules_and_commands_run_as_scripts():
    assert run("-m", "sinew.msh2obj", "--help")[0] == 0
    code, text = run("-c", "import mujoco, sys; print(mujoco.__name__, sys.argv)", "y")
    assert code == 0 and "sinew ['-c', 'y']" in text
    assert run()[0] != 0 and run("-m")[0] != 0


def test_resources_are_never_those_of_an_installed_mujoco(tmp_path):
    package = tmp_path / "mujoco"
    (package / "include").mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('MuJoCo itself')\n")
    (package / "include" / "mujoco.h").write_text("#define mjVERSION_HEADER 1\n")
    code = (
        "import importlib.resources as r, importlib.util, pkgutil, sinew, pathlib\n"
        "own = pathlib.Path(sinew.__file__).parent\n"
        "assert pathlib.Path(str(r.files('mujoco'))) == own, r.files('mujoco')\n"
        "assert r.files('mujoco').joinpath('__init__.py').is_file()\n"
        "assert not r.files('mujoco').joinpath('include', 'mujoco.h').is_file()\n"
        "assert importlib.util.find_spec('mujoco').origin == sinew.__file__\n"
        "try:\n"
        "    pkgutil.get_data('mujoco', 'include/mujoco.h')\n"
        "except OSError:\n"
        "    print('done')\n"
    )
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    for command in code, f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {code!r}], check=True)":
        status, text = run("-c", command, env=env)
        assert status == 0 and "done" in text, text


def test_no_mixture_of_the_two():
    code = "import mujoco, sinew; sinew.install_as_mujoco()"
    env = {k: v for k, v in os.environ.items()}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert done.returncode != 0 and "MuJoCo is loaded already, from" in done.stderr
    code, text = run("-c", "import mujoco.nonsense")
    assert code != 0 and "No module named 'mujoco.nonsense'" in text


def test_parts_that_other_packages_add_are_found_under_both_names(tmp_path):
    package = tmp_path / "mujoco" / "mjx"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(
        "print('loading')\nfrom mujoco.mjx.deep import version\nfrom mujoco.mjx import inner\nimport mujoco\n"
    )
    # while the package is loaded, its own modules import each other by their full names
    (package / "inner.py").write_text("import mujoco.mjx.deep as deep\nfrom mujoco import viewer\n")
    (package / "deep.py").write_text("import mujoco\nversion = mujoco.SINEW_VERSION\n")
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    script = (
        "from mujoco import mjx; import mujoco.mjx, sys; assert mjx is mujoco.mjx is sys.modules['mujoco.mjx'];"
        "print(mjx.inner.deep.version, mjx.deep.version)"
    )
    code, text = run("-c", script, env=env)
    assert code == 0 and f"{sinew.SINEW_VERSION} {sinew.SINEW_VERSION}" in text, text
    assert text.count("loading") == 1


@pytest.mark.parametrize("name", ["egl", "glfw", "osmesa", "gl_context", "renderer"])
def test_modules_of_contexts_are_there_without_one(name):
    code, text = run("-c", f"import mujoco.{name} as m; print(m.__all__)")
    assert code == 0 and ("GLContext" in text or "Renderer" in text), text


def test_structs_are_found_where_mujoco_has_them():
    for part in ("_structs", "_functions", "_specs", "_enums", "_errors", "_callbacks", "_constants"):
        theirs, ours = (getattr(engine, part) for engine in (mujoco, sinew))
        skip = {"_recompile_spec_addr"}  # of MuJoCo's own memory
        missing = [n for n in dir(theirs) if not n.startswith("__") and not hasattr(ours, n)]
        assert set(missing) <= skip, part


@pytest.mark.parametrize("threads", [1, 3])
def test_rollouts_are_mujocos(threads):
    results = []
    for engine in (mujoco, sinew):
        m = engine.MjModel.from_xml_string(XML)
        full = engine.mjtState.mjSTATE_FULLPHYSICS
        rng = np.random.default_rng(1)
        start = rng.normal(size=(7, engine.mj_stateSize(m, full)))
        control = rng.normal(size=(7, 20, m.nu))
        datas = [engine.MjData(m) for _ in range(threads)]
        results.append(engine.rollout.rollout(m, datas, start, control))
    for theirs, ours in zip(*results):
        assert theirs.shape == ours.shape
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-10)


def test_rollouts_are_steps():
    m = sinew.MjModel.from_xml_string(XML)
    d = sinew.MjData(m)
    start = np.zeros(sinew.mj_stateSize(m, sinew.mjtState.mjSTATE_FULLPHYSICS))
    state, sensors = sinew.rollout.rollout(m, d, start, nstep=5)
    assert state.shape == (1, 5, start.size) and sensors.shape == (1, 5, 1)
    d = sinew.MjData(m)
    sinew.mj_step(m, d, 5)
    np.testing.assert_array_equal(state[0, -1, 1 : 1 + m.nq], d.qpos)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"control": np.zeros((1, 1, 3))}, "trailing dimension of control must be 1, got 3"),
        ({"state": np.zeros((2, 2, 2, 2))}, "state can have at most 3 dimensions"),
        ({"initial_warmstart": "x"}, "initial_warmstart must be a numpy array or float"),
        ({"nstep": 2, "control": np.zeros((1, 3, 1))}, "dimension 1 inferred as 2 but control has 3"),
        ({"control_spec": 1}, "control_spec can only contain bits in mjSTATE_USER"),
    ],
)
def test_invalid_rollouts_are_refused(change, text):
    for engine in (mujoco, sinew):
        m = engine.MjModel.from_xml_string(XML)
        start = np.zeros(engine.mj_stateSize(m, engine.mjtState.mjSTATE_FULLPHYSICS))
        with pytest.raises(ValueError, match=text):
            engine.rollout.rollout(m, engine.MjData(m), start, **change)


def test_callbacks_run_in_rollouts():
    m = sinew.MjModel.from_xml_string(XML)
    seen = []
    sinew.set_mjcb_control(lambda m, d: seen.append(d.time))
    try:
        start = np.zeros((4, sinew.mj_stateSize(m, sinew.mjtState.mjSTATE_FULLPHYSICS)))
        sinew.rollout.rollout(m, [sinew.MjData(m) for _ in range(2)], start, nstep=3)
    finally:
        sinew.set_mjcb_control(None)
    assert len(seen) == 12


def test_rollouts_read_no_clock_but_the_users():
    m = sinew.MjModel.from_xml_string(XML)
    start = np.zeros(sinew.mj_stateSize(m, sinew.mjtState.mjSTATE_FULLPHYSICS))
    d = sinew.MjData(m)
    sinew.rollout.rollout(m, d, start, nstep=3)
    assert d.timer[0].number == 3 and d.timer[0].duration == 0
    ticks = iter(range(1000))
    sinew.set_mjcb_time(lambda: next(ticks))
    try:
        sinew.rollout.rollout(m, d, start, nstep=3)
    finally:
        sinew.set_mjcb_time(None)
    assert d.timer[0].number == 6 and d.timer[0].duration > 0


def test_least_squares_finds_what_mujoco_finds():
    rosenbrock = lambda x: np.stack([1 - x[0], 10 * (x[1] - x[0] ** 2)])
    for bounds in (None, [np.array([-1.0, -1.0]), np.array([0.5, 2.0])]):
        found = []
        for engine in (mujoco, sinew):
            out = io.StringIO()
            x, trace = engine.minimize.least_squares(
                np.array([-0.9, 1.5]), rosenbrock, bounds=bounds, output=out
            )
            found.append((x, len(trace), out.getvalue().split("y:")[-1].split(",")[0]))
        np.testing.assert_allclose(found[1][0], found[0][0], atol=1e-7)
        assert found[0][1:] == found[1][1:]
    with pytest.raises(ValueError, match="bounds must be finite"):
        bounds = [np.array([-np.inf, 0]), np.ones(2)]
        sinew.minimize.least_squares(np.zeros(2), rosenbrock, bounds=bounds)


def test_least_squares_knows_sizes_of_variables():
    residual = lambda x: np.stack([x[0] - 1, 1e4 * (x[1] * 1e-4 - 2)])
    for scale in (None, 1.0, [1.0, 1e4], "jac"):
        scale = np.array(scale) if isinstance(scale, list) else scale
        x, _ = sinew.minimize.least_squares(np.zeros(2), residual, x_scale=scale, verbose=0)
        np.testing.assert_allclose(x, [1, 2e4], rtol=1e-6)
    for scale in ("other", -1.0, [1.0, np.inf], [1.0]):
        scale = np.array(scale) if isinstance(scale, list) else scale
        with pytest.raises(ValueError, match="x_scale"):
            sinew.minimize.least_squares(np.zeros(2), residual, x_scale=scale)


def test_differences_stay_within_narrow_bounds():
    lower, upper = np.array([[1.0]]), np.array([[np.nextafter(1, 2)]])
    seen = []

    def residual(x):
        seen.append(x.copy())
        return x.copy()

    for x in (lower, upper):
        jac, _ = sinew.minimize.jacobian_fd(residual, x, residual(x), 1e-8, 0, [lower, upper])
        assert jac == 1
    assert min(map(np.min, seen)) == lower and max(map(np.max, seen)) == upper


def test_meshes_become_text(tmp_path):
    vertices = np.eye(4, 3, dtype=np.float32)
    faces = np.array([[0, 1, 2], [0, 2, 3]], np.int32)
    parts = [np.array([4, 4, 4, 2], np.int32), vertices, vertices, vertices[:, :2], faces]
    file = tmp_path / "mesh.msh"
    file.write_bytes(b"".join(np.ascontiguousarray(p).tobytes() for p in parts))
    assert sinew.msh2obj.msh_to_obj(file) == mujoco.msh2obj.msh_to_obj(file)
    file.write_bytes(file.read_bytes()[:-4])
    with pytest.raises(ValueError, match=r"Invalid number of faces: 5 != 3\*2"):
        sinew.msh2obj.msh_to_obj(file)


def test_structs_of_plots():
    ours, theirs = sinew.MjvFigure(), mujoco.MjvFigure()
    for name in ours._all_fields:
        a, b = getattr(ours, name), getattr(theirs, name)
        assert type(a) is type(b) and np.shape(a) == np.shape(b), name
        np.testing.assert_array_equal(a, b, err_msg=name)
