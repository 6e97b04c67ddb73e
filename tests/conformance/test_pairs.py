"""Contacts of every pair of geom types in random poses: touching, separated, deep, aligned,
degenerate."""
import itertools

import mujoco
import numpy as np
import pytest

TYPES = ["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"]
PAIRS = [(a, b) for a, b in itertools.combinations_with_replacement(TYPES, 2) if b not in ("plane", "hfield")]

MODELS, POSES = 12, 25  # per pair
SEED = 0
DIST = POS = 1e-6
FRAME = 1e-5

# all rotations that map the axes onto each other, and rotations by 45°
HALF = np.sqrt(0.5)
TURNS = [np.array(q) for q in itertools.product([0, 1, -1, HALF, -HALF, 0.5, -0.5], repeat=4) if abs(np.dot(q, q) - 1) < 1e-9]


def text(numbers):
    return " ".join(repr(float(x)) for x in numbers)


def sizes(rng):
    """Half sizes: random, round, flat in one direction, or equal."""
    size = np.exp(rng.uniform(-3, 0.5, size=3))
    kind = rng.integers(6)
    if kind == 0:
        size = np.round(size, 1) + 0.1
    elif kind == 1:
        size[rng.integers(3)] *= 1e-3
    elif kind == 2:
        size[:] = size[0]
    return size


def mesh(rng, size):
    """A cube, a tetrahedron, few or many points in a ball, or a prism with many sides."""
    kind = rng.integers(5)
    if kind == 0:
        points = np.array(list(itertools.product([-1, 1], repeat=3)))
    elif kind == 1:
        points = rng.normal(size=(4, 3))
    elif kind == 4:
        angle = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        points = np.concatenate([np.stack([np.cos(angle), np.sin(angle), 0 * angle + z], 1) for z in (-1, 1)])
    else:
        points = rng.normal(size=(12 if kind == 2 else 80, 3))
        points /= np.linalg.norm(points, axis=1)[:, None]
    return f'<mesh name="mesh%d" vertex="{text((points * size).ravel())}"/>'


def geom(kind, rng, which, margin):
    """Asset and geom of a random size."""
    size = sizes(rng)
    count = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
    asset = ""
    if kind == "plane":
        attributes = 'size="5 5 .1"'
    elif kind == "hfield":
        heights = rng.uniform(size=20)
        asset = f'<hfield name="hfield" size="2 2.5 {text([rng.uniform(0.05, 1)])} .3" nrow="4" ncol="5" elevation="{text(heights)}"/>'
        attributes = 'hfield="hfield"'
    elif kind == "mesh":
        asset = mesh(rng, size) % which
        attributes = f'mesh="mesh{which}"'
    else:
        attributes = f'size="{text(size[: count[kind]])}"'
    return asset, f'<geom type="{kind}" {attributes} margin="{margin / 2}"/>'


def model(a, b, rng, flags):
    """Two bodies with a geom each; the first is fixed if its type requires it."""
    margin = [0, 0.01, 0.1, 0.5][rng.integers(4)]
    free = '<freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    (asset1, geom1), (asset2, geom2) = geom(a, rng, 0, margin), geom(b, rng, 1, margin)
    fixed = a in ("plane", "hfield")
    place = f'pos="{text(rng.normal(size=3))}" quat="{text(turn(rng))}"' if fixed else ""
    return mujoco.MjModel.from_xml_string(f"""
        <mujoco><option><flag {flags}/></option><asset>{asset1}{asset2}</asset><worldbody>
        <body {place}>{"" if fixed else free}{geom1}</body><body>{free}{geom2}</body></worldbody></mujoco>""")


def turn(rng):
    """A random, aligned or nearly aligned orientation."""
    kind = rng.integers(5)
    if kind < 3:
        quat = rng.normal(size=4)
    else:
        quat = TURNS[rng.integers(len(TURNS))]
        if kind == 4:
            quat = quat + rng.normal(size=4) * 10.0 ** rng.integers(-12, -1)
    return quat / np.linalg.norm(quat)


def direction(rng):
    """A random direction, or one in a plane or along a line of the axes."""
    v = rng.normal(size=3)
    kind = rng.integers(3)
    if kind == 0:
        v[rng.integers(3)] = 0
    elif kind == 1:
        v[(np.arange(3) + rng.integers(3)) % 3 < 2] = 0
    return v / np.linalg.norm(v)


def touching(m, d, way):
    """Distance along `way` at which the geoms touch, by bisection."""
    adr, start = m.nq - 7, d.qpos[m.nq - 7 : m.nq - 4].copy()
    flags, m.opt.disableflags = m.opt.disableflags, 0  # MPR knows no distances
    near, far = 0.0, 20.0
    for _ in range(20):
        middle = (near + far) / 2
        d.qpos[adr : adr + 3] = start + middle * way
        mujoco.mj_kinematics(m, d)
        apart = mujoco.mj_geomDistance(m, d, 0, 1, 5.0, None) > 0
        near, far = (near, middle) if apart else (middle, far)
    d.qpos[adr : adr + 3] = start
    m.opt.disableflags = flags
    return far


def place(m, d, rng):
    """Moves the geoms to a random pose: touching, overlapping, or separated within the margin."""
    mujoco.mj_kinematics(m, d)
    kind, margin, adr = m.geom_type[0], m.geom_margin.sum(), m.nq - 7
    way, start = direction(rng), np.zeros(3)
    mat, fixed = d.geom_xmat[0].reshape(3, 3), kind in (mujoco.mjtGeom.mjGEOM_PLANE, mujoco.mjtGeom.mjGEOM_HFIELD)
    if fixed:
        start = d.geom_xpos[0] + mat @ np.append(rng.normal(size=2), 0)
        way = mat[:, 2]
    elif rng.integers(2):
        start = rng.normal(size=3)
    first, second = turn(rng), turn(rng)
    if rng.integers(4) == 0:
        second = first
    d.qpos[: m.nq] = 0
    if not fixed:
        d.qpos[:7] = np.append(start, first)
    d.qpos[adr:] = np.append(start, second)

    # distance from the first geom's centre: touching, separated, slightly deep, deep, coincident
    if kind == mujoco.mjtGeom.mjGEOM_HFIELD:
        distance = rng.uniform(-0.1, 1) + m.geom_rbound[1] * rng.uniform()
    else:
        distance = touching(m, d, way)
        distance = [
            distance,
            distance + margin * rng.uniform(0, 1.1),
            distance + margin * rng.uniform(0, 1),
            distance - 1e-3 * rng.uniform(),
            distance - 1e-1 * rng.uniform(),
            distance * rng.uniform(0.9, 1),
            distance * rng.uniform(),
            0,
        ][rng.choice(8, p=[0.1, 0.15, 0.15, 0.2, 0.2, 0.1, 0.08, 0.02])]
    d.qpos[adr : adr + 3] = start + distance * way


def contacts(engine, m, d):
    engine.mj_kinematics(m, d)
    engine.mj_comPos(m, d)
    engine.mj_collision(m, d)
    return d.contact.dist.copy(), d.contact.pos.copy(), d.contact.frame.copy()


def difference(want, got):
    """The difference of two lists of contacts, or None."""
    if len(want[0]) != len(got[0]):
        return f"{len(got[0])} contacts, wanted {len(want[0])}"
    for name, limit, a, b in zip(("dist", "pos", "frame"), (DIST, POS, FRAME), want, got):
        if len(a) and not np.abs(a - b).max() <= limit:
            return f"{name} differs by {np.abs(a - b).max():.2g}"
    return None


@pytest.mark.parametrize("flags", ["", 'multiccd="enable"', 'nativeccd="disable"'], ids=["default", "multiccd", "mpr"])
@pytest.mark.parametrize("a,b", PAIRS, ids=["-".join(pair) for pair in PAIRS])
def test_contacts_of_a_pair_are_mujocos(engine, a, b, flags, tmp_path):
    rng = np.random.default_rng([SEED, TYPES.index(a), TYPES.index(b)])
    failures, touched = [], 0
    for which in range(MODELS):
        m = model(a, b, rng, flags)
        mujoco.mj_saveModel(m, str(tmp_path / "model.mjb"))
        ours = engine.MjModel.from_binary_path(str(tmp_path / "model.mjb"))
        d, mine = mujoco.MjData(m), engine.MjData(ours)
        for pose in range(POSES):
            place(m, d, rng)
            mine.qpos[:] = d.qpos
            want, got = contacts(mujoco, m, d), contacts(engine, ours, mine)
            touched += len(want[0]) > 0
            how = difference(want, got)
            if how:
                failures.append(f"model {which} pose {pose}: {how}")
    assert touched > MODELS * POSES // 3
    assert not failures, f"{len(failures)} of {MODELS * POSES}:\n" + "\n".join(failures[:20])
