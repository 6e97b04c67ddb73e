"""Gymnasium environments: equal numbers to Gymnasium's own environments with MuJoCo, and its
rules."""

import os
import pickle
import subprocess
import sys
import warnings

import mujoco
import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

import sinew.gym  # noqa: E402
from sinew.gym._outline import find_model  # noqa: E402

NAMES = sorted(sinew.gym.TASKS)

# same formulas in the same order: only rounding differs
NEAR = 1e-9


@pytest.fixture(autouse=True)
def no_browser(monkeypatch):
    """The viewer opens no page."""
    monkeypatch.setenv("SINEW_VIEWER_OPEN", "0")


def reference(name, **options):
    """Gymnasium's own environment with MuJoCo; without rendering, which needs more packages."""
    sys.modules.setdefault("imageio", type(sys)("imageio"))
    return gymnasium.make(name, **options)


def same_info(a, b):
    assert a.keys() == b.keys()
    for key in a:
        assert np.allclose(a[key], b[key], rtol=NEAR, atol=NEAR), key


@pytest.mark.parametrize("name", NAMES)
def test_numbers_are_those_of_gymnasium_with_mujoco(name):
    ours, theirs = gymnasium.make(f"sinew/{name}"), reference(name)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.unwrapped.dt == theirs.unwrapped.dt
    a, info_a = ours.reset(seed=7)
    b, info_b = theirs.reset(seed=7)
    ours.action_space.seed(3)
    same_info(info_a, info_b)
    for k in range(200):
        assert np.allclose(a, b, rtol=NEAR, atol=NEAR), (k, np.abs(a - b).max())
        action = 0.5 * ours.action_space.sample()
        if name in CHAOTIC:
            hand_over(theirs.unwrapped, ours.unwrapped)
        a, reward_a, *ends_a, info_a = ours.step(action)
        b, reward_b, *ends_b, info_b = theirs.step(action)
        assert reward_a == pytest.approx(reward_b, rel=NEAR, abs=NEAR), k
        assert ends_a == ends_b, k
        same_info(info_a, info_b)
        if any(ends_a):
            a, b = ours.reset()[0], theirs.reset()[0]


# environments that are chaotic: after a change of one rounding, MuJoCo's own trajectory differs
# within 200 steps. Each step is compared from the same state
CHAOTIC = {"Ant-v5"}


def hand_over(theirs, ours):
    """Copies the state of their world to ours, with the reference positions of the reward."""
    spec = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.zeros(mujoco.mj_stateSize(theirs.model, spec))
    mujoco.mj_getState(theirs.model, theirs.data, state, spec)
    ours.batch.set_state(state, int(spec))
    ours.batch.xpos[0] = theirs.data.xpos


@pytest.mark.parametrize("name", sorted(CHAOTIC))
def test_mujoco_is_chaotic_there(name):
    a, b = reference(name), reference(name)
    a.reset(seed=7)
    b.reset(seed=7)
    a.action_space.seed(3)
    b.unwrapped.data.qpos[:] = np.nextafter(b.unwrapped.data.qpos, 2)
    worst = 0.0
    for _ in range(200):
        action = 0.5 * a.action_space.sample()
        worst = max(worst, np.abs(a.step(action)[0] - b.step(action)[0]).max())
    assert worst > NEAR


SETTINGS = {
    "Ant-v5": {"contact_cost_weight": 0.1, "include_cfrc_ext_in_observation": False},
    "HalfCheetah-v5": {"exclude_current_positions_from_observation": False, "frame_skip": 3},
    "Hopper-v5": {"terminate_when_unhealthy": False, "healthy_reward": 2.0},
    "Humanoid-v5": {"include_cinert_in_observation": False, "forward_reward_weight": 2.0},
    "InvertedDoublePendulum-v5": {"healthy_reward": 3.0, "reset_noise_scale": 0.01},
    "Reacher-v5": {"reward_control_weight": 0.3},
    "Walker2d-v5": {"healthy_angle_range": (-0.1, 0.1), "ctrl_cost_weight": 0.2},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_are_those_of_gymnasium(name):
    ours = gymnasium.make(f"sinew/{name}", **SETTINGS[name])
    theirs = reference(name, **SETTINGS[name])
    assert ours.observation_space == theirs.observation_space
    a, b = ours.reset(seed=1)[0], theirs.reset(seed=1)[0]
    for _ in range(20):
        assert np.allclose(a, b, rtol=NEAR, atol=NEAR)
        action = ours.action_space.sample()
        a, reward_a, *ends_a, _ = ours.step(action)
        b, reward_b, *ends_b, _ = theirs.step(action)
        assert reward_a == pytest.approx(reward_b, rel=NEAR, abs=NEAR) and ends_a == ends_b
        if any(ends_a):
            break


def complaints(env, **options):
    """The messages of Gymnasium's checker."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        check_env(env.unwrapped, **options)
    return {str(w.message) for w in found if w.category is not sinew.LoadWarning}


@pytest.mark.parametrize("name", NAMES)
def test_gymnasiums_checker_finds_no_more_than_in_its_own(name):
    ours = complaints(gymnasium.make(f"sinew/{name}", width=32, height=24))
    assert ours <= complaints(reference(name), skip_render_check=True, skip_close_check=True)


def same(a, b, path=""):
    """Asserts that results of vector environments are identical in bits and structure."""
    assert type(a) is type(b), path
    if isinstance(a, dict):
        assert a.keys() == b.keys(), path
        for key in a:
            same(a[key], b[key], f"{path}.{key}")
    elif a.dtype == object:
        assert [x is None for x in a] == [x is None for x in b], path
        assert all(np.array_equal(x, y) for x, y in zip(a, b) if x is not None), path
    else:
        assert a.shape == b.shape and a.dtype == b.dtype, (path, a.dtype, b.dtype)
        assert np.array_equal(a, b), path


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("name", ["Hopper-v5", "Humanoid-v5", "Reacher-v5", "InvertedPendulum-v5"])
def test_vector_environments_equal_gymnasiums_sync_vector(name, mode):
    options = {"max_episode_steps": 12}
    ours = gymnasium.make_vec(f"sinew/{name}", 5, autoreset_mode=mode, nthread=2, **options)
    one = lambda: gymnasium.make(f"sinew/{name}", **options)
    theirs = gymnasium.vector.SyncVectorEnv([one] * 5, autoreset_mode=mode)
    assert isinstance(ours.unwrapped, sinew.gym.VectorEnv)
    assert ours.metadata["autoreset_mode"] == mode
    for space in ("action_space", "observation_space"):
        assert getattr(ours, space) == getattr(theirs, space)
        assert getattr(ours, "single_" + space) == getattr(theirs, "single_" + space)
    (a, info_a), (b, info_b) = ours.reset(seed=4), theirs.reset(seed=4)
    same(a, b)
    same(info_a, info_b)
    assert ours.np_random_seed == theirs.np_random_seed == (4, 5, 6, 7, 8)
    ours.action_space.seed(2)
    ended = 0
    for _ in range(40):
        actions = ours.action_space.sample()
        results = [e.step(actions) for e in (ours, theirs)]
        for x, y in zip(*results):
            same(x, y)
        over = results[0][2] | results[0][3]
        ended += over.sum()
        if mode == AutoresetMode.DISABLED and over.any():
            with pytest.raises(AssertionError):
                ours.step(actions)
            results = [e.reset(options={"reset_mask": over.copy()}) for e in (ours, theirs)]
            for x, y in zip(*results):
                same(x, y)
    assert ended >= 5


def test_seeds_are_per_environment():
    envs = gymnasium.make_vec("sinew/Hopper-v5", 3)
    a, _ = envs.reset(seed=[5, None, 5])
    assert np.array_equal(a[0], a[2]) and not np.array_equal(a[0], a[1])
    single = gymnasium.make("sinew/Hopper-v5").reset(seed=5)[0]
    assert np.array_equal(a[0], single)
    with pytest.raises(ValueError, match="num_envs=3"):
        envs.reset(seed=[1, 2])
    mask = np.array([True, False, False])
    envs.step(envs.action_space.sample())
    b, _ = envs.reset(seed=[5, 6, 7], options={"reset_mask": mask})
    assert np.array_equal(b[0], a[0]) and not np.array_equal(b[1], a[1])
    for bad in ([True, False, False], mask[:2], mask.astype(int), ~mask & mask):
        with pytest.raises((TypeError, ValueError), match="reset_mask"):
            envs.reset(options={"reset_mask": bad})


def test_gymnasiums_vector_wrappers_work():
    envs = gymnasium.make_vec("sinew/InvertedPendulum-v5", 4, max_episode_steps=20)
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    envs = gymnasium.wrappers.vector.ClipReward(envs, 0, 0.5)
    envs.reset(seed=1)
    lengths = []
    for _ in range(60):
        _, rewards, _, _, infos = envs.step(0 * envs.action_space.sample())
        assert rewards.max() <= 0.5
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
    assert lengths and max(lengths) <= 20


def test_pictures_on_request():
    env = gymnasium.make("sinew/Hopper-v5", render_mode="rgb_array", width=64, height=48)
    env.reset(seed=0)
    picture = env.render()
    assert picture.shape == (48, 64, 3) and picture.dtype == np.uint8 and picture.std() > 5
    envs = gymnasium.make_vec("sinew/Hopper-v5", 3, render_mode="rgb_array", width=64, height=48)
    envs.reset(seed=0)
    frames = envs.render()
    assert len(frames) == 3 and np.array_equal(frames[0], picture)
    rgbd = gymnasium.make("sinew/Hopper-v5", render_mode="rgbd_tuple", width=64, height=48)
    rgbd.reset(seed=0)
    colours, depth = rgbd.render()
    assert np.array_equal(colours, picture) and depth.shape == (48, 64)
    assert 0 < depth.min() < depth.max() <= 1
    pixels = gymnasium.make_vec("sinew/Hopper-v5", 2, pixels=True, width=64, height=48)
    observation, _ = pixels.reset(seed=0)
    assert observation in pixels.observation_space and np.array_equal(observation[0], picture)
    one = gymnasium.make("sinew/Hopper-v5", pixels=True, width=64, height=48)
    assert np.array_equal(one.reset(seed=0)[0], picture)
    with pytest.raises(ValueError, match="render_mode"):
        gymnasium.make("sinew/Hopper-v5", render_mode="none", disable_env_checker=True)


def test_frames_are_the_last_pictures_of_a_world():
    settings = {"width": 24, "height": 16, "pixels": True, "max_episode_steps": 3}
    make = lambda mode, frames: gymnasium.make_vec(
        "sinew/Hopper-v5", 2, autoreset_mode=mode, frames=frames, **settings
    )
    actions = np.random.default_rng(0).uniform(-1, 1, (8, 2, 3)).astype(np.float32)
    for mode in ("SameStep", "NextStep"):
        one, three = make(mode, 1), make(mode, 3)
        assert three.single_observation_space.shape == (16, 24, 9)
        shown = [[picture] * 3 for picture in one.reset(seed=0)[0]]
        assert np.array_equal(three.reset(seed=0)[0], np.concatenate(np.swapaxes(shown, 0, 1), -1))
        for t, action in enumerate(actions):
            now, _, *ended, info = one.step(action)
            found, *_, more = three.step(action)
            # episodes of three steps begin with three times their first picture
            begins = t % 3 == 2 if mode == "SameStep" else t % 4 == 3
            for world in (0, 1):
                before = shown[world][1:]
                if mode == "SameStep" and begins:
                    last = [*before, info["final_obs"][world]]
                    assert np.array_equal(more["final_obs"][world], np.concatenate(last, -1))
                shown[world] = [now[world]] * 3 if begins else [*before, now[world]]
                assert np.array_equal(found[world], np.concatenate(shown[world], -1))
    # a snapshot has the pictures, and a single environment has frames too
    other = make("NextStep", 3)
    other.unwrapped.restore(three.unwrapped.snapshot())
    for a, b in zip(other.step(actions[0])[:4], three.step(actions[0])[:4]):
        assert np.array_equal(a, b)
    single = gymnasium.make("sinew/Hopper-v5", frames=3, **settings)
    assert np.array_equal(single.reset(seed=0)[0], make("NextStep", 3).reset(seed=0)[0][0])
    with pytest.raises(ValueError, match="frames"):
        gymnasium.make("sinew/Hopper-v5", frames=0, disable_env_checker=True, **settings)


def test_a_human_sees_every_step():
    env = gymnasium.make("sinew/Hopper-v5", render_mode="human")
    env.reset(seed=0)
    window = env.unwrapped._window
    shown = window._data.qpos.copy()
    assert np.array_equal(shown, env.unwrapped.batch.qpos[0])
    env.step(env.action_space.sample())
    assert np.array_equal(window._data.qpos, env.unwrapped.batch.qpos[0])
    assert not np.array_equal(window._data.qpos, shown) and env.render() is None
    env.close()
    with pytest.raises(ValueError, match="human"):
        sinew.gym.VectorEnv("Hopper-v5", 2, render_mode="human")


class Balance(sinew.gym.Task):
    """A pole on a cart, from Gymnasium's models."""

    xml_file = "inverted_pendulum.xml"
    frame_skip = 2

    def start(self, rng):
        return self.init_qpos + rng.uniform(-0.01, 0.01, self.model.nq), self.init_qvel

    def outcome(self, action, before):
        fallen = abs(self.batch.qpos[:, 1]) > 0.2
        return 1.0 - fallen, fallen, {}


def test_a_user_defined_task():
    sinew.gym.register("own/Balance-v0", Balance, max_episode_steps=50)
    env = gymnasium.make("own/Balance-v0")
    check_env(env.unwrapped, skip_render_check=True)
    envs = gymnasium.make_vec("own/Balance-v0", 4)
    a, _ = envs.reset(seed=0)
    assert a.shape == (4, 4) and np.array_equal(a[0], env.reset(seed=0)[0])
    for _ in range(60):
        _, rewards, terminated, truncated, _ = envs.step(envs.action_space.sample())
    assert rewards.shape == terminated.shape == truncated.shape == (4,)
    gymnasium.registry.pop("own/Balance-v0")


def test_parameters_by_environment():
    envs = gymnasium.make_vec("sinew/Hopper-v5", 2)
    envs.unwrapped.batch.expand("opt.gravity")[1] *= 0.1
    envs.reset(seed=[3, 3])
    for _ in range(10):
        observation, *_ = envs.step(np.zeros((2, 3), np.float32))
    assert observation[1, 0] > observation[0, 0]


class Ordered(Balance):
    """Balances a pole whose weight and order differ by world."""

    carried = ("order",)

    def __init__(self, n, **options):
        super().__init__(n, **options)
        self.order = np.arange(float(n))
        self.batch.expand("body_mass")[:] *= np.linspace(0.5, 2, n)[:, None]
        self.batch.set_const()

    def outcome(self, action, before):
        self.order += action[:, 0]
        reward, fallen, info = super().outcome(action, before)
        return reward + self.order + self.batch.bind("xpos")[:, -1, 0], fallen, info


@pytest.mark.parametrize("mode", list(AutoresetMode)[:2])
@pytest.mark.parametrize("task", [Ordered, "Ant-v5", "Hopper-v5"])
def test_a_snapshot_continues_with_the_same_bits(task, mode):
    settings = {"max_episode_steps": 15, "autoreset_mode": mode, "nthread": 1}
    envs = sinew.gym.VectorEnv(task, 5, **settings)
    envs.reset(seed=2)
    rng = np.random.default_rng(0)
    shape = (50, *envs.action_space.shape)
    actions = rng.uniform(-1, 1, shape).astype(np.float32)
    for action in actions[:20]:
        envs.step(action)
    saved = pickle.loads(pickle.dumps(envs.snapshot()))
    wanted = [envs.step(action)[:4] for action in actions[20:]]
    other = sinew.gym.VectorEnv(task, 5, **settings)
    for again in (other, envs):
        again.restore(saved)
        for action, results in zip(actions[20:], wanted):
            for a, b in zip(again.step(action), results):
                assert np.array_equal(a, b)
    with pytest.raises(ValueError, match="the state has 5 environments, this has 4"):
        sinew.gym.VectorEnv(task, 4, **settings).restore(saved)


def test_errors_say_what_to_do():
    with pytest.raises(ValueError, match="no task 'Nothing-v5'.*Ant-v5"):
        sinew.gym.Env("Nothing-v5")
    with pytest.raises(TypeError, match="subclass"):
        sinew.gym.VectorEnv(int, 2)
    with pytest.raises(TypeError, match="CartPole-v1 is not an environment of sinew.gym"):
        sinew.gym._worlds("CartPole-v1", 2, {})
    with pytest.raises(gymnasium.error.Error, match="Nothing"):
        sinew.gym._worlds("sinew/Nothing-v5", 2, {})
    with pytest.raises(FileNotFoundError, match="pip install"):
        sinew.gym.Env("Ant-v5", xml_file="no_such_model.xml")
    env = sinew.gym.Env("Hopper-v5")
    env.reset()
    with pytest.raises(ValueError, match="Action dimension mismatch"):
        env.step(np.zeros(2))
    code = "import sys; sys.modules['gymnasium'] = None; import sinew.gym"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'gymnasium" in done.stderr


def test_environments_live_in_other_processes():
    one = lambda: gymnasium.make("sinew.gym:sinew/Hopper-v5")
    envs = gymnasium.vector.AsyncVectorEnv([one, one])
    try:
        a, _ = envs.reset(seed=0)
        twin = gymnasium.make_vec("sinew/Hopper-v5", 2)
        assert np.array_equal(a, twin.reset(seed=0)[0])
    finally:
        envs.close()
    spec = gymnasium.spec("sinew/Hopper-v5")
    assert gymnasium.make(pickle.loads(pickle.dumps(spec))).spec.id == "sinew/Hopper-v5"
    assert os.path.exists(find_model("ant.xml"))


# Gymnasium's own environment with the package in place of `mujoco`; the package that saves files is
# not needed for rendering
NO_OPENGL = """
import sys, types
sys.modules["imageio"] = types.ModuleType("imageio")
import sinew
sinew.install_as_mujoco()
import gymnasium, sinew.gym
for name in ("Hopper-v5", "sinew/Hopper-v5"):
    env = gymnasium.make(name, render_mode="rgb_array", width=64, height=48)
    env.reset(seed=0)
    picture = env.render()
    assert picture.shape == (48, 64, 3) and picture.std() > 5, name
    env.close()
libraries = open("/proc/self/maps").read()
assert not [n for n in ("libGL", "libEGL", "libOSMesa", "libgallium") if n in libraries]
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux which libraries are loaded")
def test_pictures_without_a_library_of_opengl():
    env = {k: v for k, v in os.environ.items() if k != "MUJOCO_GL"}
    subprocess.run([sys.executable, "-c", NO_OPENGL], check=True, env=env)
