"""The cache of processed assets."""

import os
import subprocess
import sys
import threading

import mujoco
import numpy as np
import pytest

import sinew
from conftest import corpus

XML = """
<mujoco>
  <asset>
    <mesh name="wedge" file="wedge.obj" scale="1 1 {scale}"/>
    <texture name="dots" type="2d" builtin="checker" width="32" height="32" mark="random"/>
  </asset>
  <worldbody>
    <body><joint name="hinge"/><geom name="wedge" type="mesh" mesh="wedge"/></body>
  </worldbody>
</mujoco>
"""
WEDGE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 {}\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


@pytest.fixture
def cache():
    """The cache, empty and of its first capacity; afterwards too."""
    cache = sinew.mj_getCache()
    capacity = sinew.mj_getCacheCapacity(cache)
    sinew.mj_clearCache(cache)
    yield cache
    sinew.mj_setCacheCapacity(cache, capacity)
    sinew.mj_clearCache(cache)


def saved(m):
    buffer = np.zeros(sinew.mj_sizeModel(m), np.uint8)
    sinew.mj_saveModel(m, None, buffer)
    return buffer.tobytes()


def load(scale=1, top=1, **options):
    assets = {"wedge.obj": WEDGE.format(top)}
    return saved(sinew.MjModel.from_xml_string(XML.format(scale=scale), assets, **options))


def test_functions_are_mujocos(cache):
    # at the start of a process; other tests set the capacity of this one
    program = "import mujoco, sinew\nfor e in mujoco, sinew: print(e.mj_getCacheCapacity(e.mj_getCache()))"
    both = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    theirs, ours = both.stdout.split()
    assert ours == theirs
    assert sinew.mj_setCacheCapacity(cache, 1000) == 1000 == sinew.mj_getCacheCapacity(cache)
    assert sinew.mj_getCacheSize(cache) == 0
    for call in (sinew.mj_getCacheSize, sinew.mj_getCacheCapacity, sinew.mj_clearCache):
        with pytest.raises(TypeError, match="asset cache"):
            call(None)
    for size in (-1, "1", 1.5, 2**70):
        with pytest.raises((TypeError, OverflowError)):
            sinew.mj_setCacheCapacity(cache, size)
    assert sinew.mj_getCacheCapacity(cache) == 1000


def test_assets_are_kept_once_and_leave(cache):
    first = load()
    size = sinew.mj_getCacheSize(cache)
    assert size > 0
    assert load() == first and sinew.mj_getCacheSize(cache) == size
    sinew.mj_clearCache(cache)
    assert sinew.mj_getCacheSize(cache) == 0
    assert load() == first and sinew.mj_getCacheSize(cache) == size

    # the mesh leaves: the texture was used later
    sinew.mj_setCacheCapacity(cache, 3200)
    assert 0 < sinew.mj_getCacheSize(cache) <= 3200
    assert load() == first
    sinew.mj_setCacheCapacity(cache, 0)
    assert sinew.mj_getCacheSize(cache) == 0
    assert load() == first and sinew.mj_getCacheSize(cache) == 0


def test_a_load_can_do_without(cache):
    plain = load(cache=False)
    assert sinew.mj_getCacheSize(cache) == 0
    assert load(cache=True) == plain
    assert sinew.mj_getCacheSize(cache) > 0
    with pytest.raises(TypeError):
        load(cache="yes")


@pytest.mark.parametrize("file", corpus(), ids=lambda f: f.stem)
def test_models_are_the_same(file, cache):
    cold, warm = (saved(sinew.MjModel.from_xml_path(file)) for _ in range(2))
    assert cold == warm == saved(sinew.MjModel.from_xml_path(file, cache=False))


# loads a model with many assets on one processor or on all, and prints its hash
LOAD = """
import hashlib, os, sys
import numpy as np, sinew
processors = sorted(os.sched_getaffinity(0))
os.sched_setaffinity(0, processors[: int(sys.argv[1]) or None])
rng = np.random.default_rng(0)
points = [" ".join(map(str, rng.normal(size=3 * n).round(3))) for n in range(10, 90, 4)]
meshes = "".join(f'<mesh name="m{i}" vertex="{p}"/>' for i, p in enumerate(points))
textures = "".join(
    f'<texture name="t{i}" type="2d" builtin="gradient" mark="random" width="{8 + i}" height="9"/>'
    for i in range(9)
)
geoms = "".join(f'<geom type="mesh" mesh="m{i}" pos="0 0 {9 * i}"/>' for i in range(len(points)))
text = f"<mujoco><asset>{meshes}{textures}</asset><worldbody>{geoms}</worldbody></mujoco>"
m = sinew.MjModel.from_xml_string(text, cache=False)
buffer = np.zeros(sinew.mj_sizeModel(m), np.uint8)
sinew.mj_saveModel(m, None, buffer)
print(hashlib.sha256(buffer).hexdigest())
"""


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs a choice of processors")
def test_the_number_of_threads_changes_no_byte():
    def hash_with(processors):
        command = [sys.executable, "-c", LOAD, str(processors)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    # 0: all of them
    assert hash_with(1) == hash_with(0)


def test_settings_and_contents_count(cache):
    wanted = {(s, t): load(s, t, cache=False) for s in (1, 2) for t in (1, 3)}
    assert len(set(wanted.values())) == 4
    for _ in range(2):
        for (scale, top), model in wanted.items():
            assert load(scale, top) == model


def test_a_changed_file_of_the_same_time_is_noticed(cache, tmp_path):
    (tmp_path / "model.xml").write_text(XML.format(scale=1))

    def write(top):
        (tmp_path / "wedge.obj").write_text(WEDGE.format(top))
        os.utime(tmp_path / "wedge.obj", (0, 0))
        return sinew.MjModel.from_xml_path(tmp_path / "model.xml").mesh_vert.max()

    # other contents of the same length
    assert write(1) != write(2)
    assert write(1) == write(1)


def test_a_spec_compiled_again_adds_nothing(cache):
    assets = {"wedge.obj": WEDGE.format(1)}
    spec = sinew.MjSpec.from_string(XML.format(scale=1), assets=assets)
    model = spec.compile()
    data = sinew.MjData(model)
    size = sinew.mj_getCacheSize(cache)
    spec.joint("hinge").damping = 2
    again, _ = spec.recompile(model, data)
    assert again.dof_damping[0] == 2 and sinew.mj_getCacheSize(cache) == size > 0
    np.testing.assert_array_equal(again.mesh_vert, model.mesh_vert)


def test_threads_share_it(cache):
    wanted = [load(1 + i % 3, cache=False) for i in range(12)]
    found = [None] * 12

    def work(i):
        found[i] = load(1 + i % 3)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == wanted


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_processes_have_their_own(cache):
    """Forks while other threads load: a child never waits for a lock that is lost."""
    wanted = [load(1 + i % 3, cache=False) for i in range(3)]
    stop = threading.Event()

    def work():
        while not stop.is_set():
            for scale in (1, 2, 3):
                load(scale)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(20):
            child = os.fork()
            if not child:
                same = [load(1 + i % 3) for i in range(3)] == wanted
                os._exit(0 if same else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()
