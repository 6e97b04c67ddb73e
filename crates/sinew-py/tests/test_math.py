"""`mju_*` functions, bit for bit."""

import inspect
import itertools

import mujoco
import numpy as np
import pytest

import sinew

V3, Q, M9, N = "V3", "Q", "M9", "N"
FIXED = {
    # name: result sizes, inputs
    "mju_zero3": ([3], []), "mju_copy3": ([3], [V3]), "mju_scl3": ([3], [V3, N]),
    "mju_add3": ([3], [V3, V3]), "mju_sub3": ([3], [V3, V3]), "mju_addTo3": ([3], [V3]),
    "mju_subFrom3": ([3], [V3]), "mju_addToScl3": ([3], [V3, N]),
    "mju_addScl3": ([3], [V3, V3, N]), "mju_cross": ([3], [V3, V3]),
    "mju_mulMatVec3": ([3], [M9, V3]), "mju_mulMatTVec3": ([3], [M9, V3]),
    "mju_zero4": ([4], []), "mju_unit4": ([4], []), "mju_copy4": ([4], [Q]),
    "mju_rotVecQuat": ([3], [V3, Q]), "mju_negQuat": ([4], [Q]), "mju_mulQuat": ([4], [Q, Q]),
    "mju_mulQuatAxis": ([4], [Q, V3]), "mju_axisAngle2Quat": ([4], [V3, N]),
    "mju_quat2Vel": ([3], [Q, N]), "mju_subQuat": ([3], [Q, Q]), "mju_quat2Mat": ([9], [Q]),
    "mju_mat2Quat": ([4], [M9]), "mju_derivQuat": ([4], [Q, V3]),
    "mju_quatIntegrate": ([4], [V3, N]), "mju_quatZ2Vec": ([4], [V3]),
    "mju_trnVecPose": ([3], [V3, Q, V3]), "mju_dot3": ([], [V3, V3]), "mju_norm3": ([], [V3]),
    "mju_dist3": ([], [V3, V3]), "mju_normalize3": ([3], []), "mju_normalize4": ([4], []),
    "mju_mulPose": ([3, 4], [V3, Q, V3, Q]), "mju_negPose": ([3, 4], [V3, Q]),
    "mju_eig3": ([3, 9, 4], [M9]), "mju_mat2Rot": ([4], [M9]),
    "mju_min": ([], [N, N]), "mju_max": ([], [N, N]), "mju_clip": ([], [N, N, N]),
    "mju_sign": ([], [N]), "mju_round": ([], [N]), "mju_isBad": ([], [N]),
    "mju_sigmoid": ([], [N]),
}  # fmt: skip


def draw(rng, kind, special):
    """Random values, sometimes special values at branches of the formulas."""
    if kind == N:
        return float(rng.choice([0.0, 1.0, -1.0, 1e-20, 2.5])) if special else float(rng.normal())
    size = {V3: 3, Q: 4, M9: 9}[kind]
    if special:
        return (
            np.eye(3).ravel()
            if kind == M9
            else np.eye(size)[rng.integers(size)] * rng.choice([0, 1, -1])
        )
    x = rng.normal(size=size)
    if kind == M9:
        mat = np.zeros(9)
        mujoco.mju_quat2Mat(mat, x[:4] / np.linalg.norm(x[:4]))
        return mat
    return x / np.linalg.norm(x) if kind == Q else x


def call(module, name, outs, ins):
    outs = [o.copy() for o in outs]
    ret = getattr(module, name)(*outs, *ins)
    return [np.asarray(ret if ret is not None else 0), *outs]


def identical(name, outs, ins):
    want, got = (call(module, name, outs, ins) for module in (mujoco, sinew))
    for w, g in zip(want, got):
        assert w.tobytes() == np.asarray(g, w.dtype).tobytes(), (name, ins, want, got)


@pytest.mark.parametrize("name", FIXED)
def test_functions_of_fixed_size_are_mujocos(name):
    rng = np.random.default_rng(0)
    sizes, kinds = FIXED[name]
    for i in range(200):
        outs = [rng.normal(size=n) for n in sizes]
        identical(name, outs, [draw(rng, k, i % 4 == 0) for k in kinds])


VECTORS = {
    "mju_zero": "o", "mju_fill": "oN", "mju_copy": "ov", "mju_scl": "ovN", "mju_add": "ovv",
    "mju_sub": "ovv", "mju_addTo": "ov", "mju_subFrom": "ov", "mju_addScl": "ovvN",
    "mju_addToScl": "ovN", "mju_n2d": "ov", "mju_d2n": "ov", "mju_normalize": "o",
    "mju_insertionSort": "o", "mju_sum": "v", "mju_L1": "v", "mju_norm": "v", "mju_dot": "vv",
    "mju_isZero": "v",
}  # fmt: skip


@pytest.mark.parametrize("name", VECTORS)
def test_functions_of_vectors_are_mujocos(name):
    rng = np.random.default_rng(0)
    for n in range(1, 18):
        make = {"o": lambda: rng.normal(size=n), "v": lambda: rng.normal(size=n), "N": rng.normal}
        shape = VECTORS[name]
        outs = [make[c]() for c in shape if c == "o"]
        identical(name, outs, [make[c]() for c in shape if c != "o"])


def test_functions_of_matrices_are_mujocos():
    rng = np.random.default_rng(0)
    for r, c, k in itertools.product((1, 2, 5, 9), repeat=3):
        a, b, bt = rng.normal(size=(r, c)), rng.normal(size=(c, k)), rng.normal(size=(k, c))
        identical("mju_mulMatMat", [np.ones((r, k))], [a, b])
        identical("mju_mulMatMatT", [np.ones((r, k))], [a, bt])
        identical("mju_mulMatTMat", [np.ones((c, k))], [a, rng.normal(size=(r, k))])
        identical("mju_mulMatVec", [np.ones(r)], [a, rng.normal(size=c)])
        identical("mju_mulMatTVec", [np.ones(c)], [a, rng.normal(size=r)])
        identical("mju_transpose", [np.ones((c, r))], [a])
        square = rng.normal(size=(c, c))
        identical("mju_symmetrize", [np.ones((c, c))], [square])
        identical("mju_eye", [square], [])
        identical("mju_mulVecMatVec", [], [rng.normal(size=c), square, rng.normal(size=c)])
        positive = square @ square.T + np.eye(c)
        identical("mju_cholFactor", [positive], [1e-10])
        factor = np.linalg.cholesky(positive)
        identical("mju_cholSolve", [np.ones(c)], [factor, rng.normal(size=c)])
        identical("mju_cholUpdate", [factor, 0.1 * rng.normal(size=c)], [k % 2])
        identical("mju_sqrMatTD", [np.ones((c, c))], [a, None])
        identical("mju_sqrMatTD", [np.ones((c, c))], [a, rng.normal(size=r)])


def test_other_functions_are_mujocos():
    rng = np.random.default_rng(0)
    for i in range(100):
        for seq in ("xyz", "XYZ", "zyX", "ZxZ"):
            identical("mju_euler2Quat", [np.ones(4)], [rng.normal(size=3), seq])
        args = [
            rng.normal(size=6),
            i % 2,
            rng.normal(size=3),
            rng.normal(size=3),
            draw(rng, M9, False),
        ]
        identical("mju_transformSpatial", [np.ones(6)], args)
        identical("mju_Halton", [], [i, 2 + i % 3])
        for scale in (0.01, 1.0):
            vel = rng.normal(size=3)
            want, got = ([np.ones(9), np.ones(9), np.ones(3)] for _ in range(2))
            mujoco.mjd_quatIntegrate(vel, scale, *want)
            sinew.mjd_quatIntegrate(vel, scale, *got)
            for w, g in zip(want, got):
                np.testing.assert_allclose(g, w, rtol=1e-14, atol=1e-16)


def test_sparse_matrices_are_mujocos():
    rng = np.random.default_rng(0)
    for room in (20, 4, 0):
        dense = rng.normal(size=(4, 5)) * (rng.random((4, 5)) < 0.5)
        results = []
        for module in (mujoco, sinew):
            out = [np.zeros(room), *(np.zeros(n, np.int32) for n in (4, 4, room))]
            full = module.mju_dense2sparse(out[0], dense, *out[1:])
            results.append((full, [x.tolist() for x in out]))
        assert results[0] == results[1]
    res, nnz, adr, ind = np.zeros(20), *(np.zeros(n, np.int32) for n in (4, 4, 20))
    sinew.mju_dense2sparse(res, dense, nnz, adr, ind)
    back = np.ones((4, 5))
    sinew.mju_sparse2dense(back, res, nnz, adr, ind)
    np.testing.assert_array_equal(back, dense)
    with pytest.raises(TypeError):
        sinew.mju_sparse2dense(back, res, nnz, adr + 100, ind)


def test_pyramids_and_springs_are_mujocos():
    rng = np.random.default_rng(0)
    for n in (2, 3, 5):
        mu, force, edges = rng.uniform(0.1, 2, n), rng.normal(size=n + 1), rng.normal(size=2 * n)
        identical("mju_encodePyramid", [np.ones(2 * n)], [force, mu])
        identical("mju_decodePyramid", [np.ones(n + 1)], [edges, mu])
    for stiffness, damping in ((1.0, 0.1), (1.0, 2.0), (1.0, 5.0)):
        identical("mju_springDamper", [], [0.3, 0.4, stiffness, damping, 0.5])


def test_the_derivative_of_a_quaternion_difference_is_mujocos():
    rng = np.random.default_rng(0)
    for _ in range(50):
        qa, qb = draw(rng, Q, False), draw(rng, Q, False)
        results = []
        for module in (mujoco, sinew):
            da, db = np.zeros((3, 3)), np.zeros((3, 3))
            module.mjd_subQuat(qa, qb, da, db)
            results.append((da, db))
        np.testing.assert_array_equal(results[0], results[1])


def test_texts_are_mujocos(capfd):
    for kind in range(-1, 120):
        assert sinew.mju_type2Str(kind) == mujoco.mju_type2Str(kind)
    for name in ("body", "plugin", "frame", "nonsense", "UNKNOWN"):
        assert sinew.mju_str2Type(name) == mujoco.mju_str2Type(name)
    for number in (0, 1, 1023, 1024, 4096, 1 << 20, 3 << 30, 1500):
        assert sinew.mju_writeNumBytes(number) == mujoco.mju_writeNumBytes(number)
        for warning in range(9):
            text = mujoco.mju_warningText(warning, number)
            assert sinew.mju_warningText(warning, number) == text
    mat = np.random.default_rng(0).normal(size=(2, 3))
    sinew.mju_printMat(mat)
    ours = capfd.readouterr().out
    assert ours == "".join("".join(f"{x:.8f} " for x in row) + "\n" for row in mat) + "\n"


def test_conversions_are_mujocos():
    x = np.random.default_rng(0).normal(size=5)
    for module in (mujoco, sinew):
        single, double = np.zeros(5, np.float32), np.zeros(5)
        module.mju_n2f(single, x)
        module.mju_f2n(double, single)
        assert (double == x.astype(np.float32)).all()
        ints = np.array([3, 1, 2], np.int32)
        module.mju_insertionSortInt(ints)
        assert list(ints) == [1, 2, 3]
        with pytest.raises(TypeError):
            module.mju_n2f(np.zeros(4, np.float32), x)
    option = sinew.MjOption()
    option.timestep = 7
    sinew.mj_defaultOption(option)
    assert option == sinew.MjOption()


def test_bad_numbers_are_judged_as_in_mujoco():
    for x in (0.0, 1e10, 1.1e10, -1.1e10, np.inf, np.nan):
        assert sinew.mju_isBad(x) == mujoco.mju_isBad(x)


def test_muscles_are_mujocos():
    rng = np.random.default_rng(0)
    prm = np.array([0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2])
    for _ in range(100):
        length, vel, act = rng.uniform(0, 2), rng.normal(), rng.uniform()
        lengthrange = np.array([0.4, 1.7])
        identical("mju_muscleGain", [], [length, vel, lengthrange, 1.5, prm])
        identical("mju_muscleBias", [], [length, lengthrange, 1.5, prm])
        identical("mju_muscleDynamics", [], [rng.uniform(), act, np.array([0.01, 0.04, 0.1])])


@pytest.mark.parametrize("args", [
    (np.zeros(3), np.zeros(4), np.zeros(4)),
    ([0, 0, 0, 0], np.zeros(4), np.zeros(4)),
    (np.zeros(4, np.float32), np.zeros(4), np.zeros(4)),
    (np.zeros((1, 4)), np.zeros(4), np.zeros(4)),
    (np.zeros(4), "abcd", np.zeros(4)),
    (np.zeros(4), np.zeros(4)),
])  # fmt: skip
def test_wrong_arguments_are_refused(args):
    for module in (mujoco, sinew):
        with pytest.raises(TypeError):
            module.mju_mulQuat(*args)


def test_inputs_are_converted_and_may_overlap():
    for module in (mujoco, sinew):
        q, res = np.array([0.5, 0.5, 0.5, 0.5]), np.zeros((4, 1))
        module.mju_mulQuat(res, [1, 0, 0, 0], np.array([0, 1, 0, 0]))
        assert list(res.ravel()) == [0, 1, 0, 0]
        module.mju_mulQuat(q, q, q)
        assert list(q) == [-0.5, 0.5, 0.5, 0.5]


def test_results_may_have_any_layout():
    for res in (np.zeros(8)[::2], np.zeros(4)[::-1], np.zeros((4, 3))[:, 1]):
        sinew.mju_copy4(res, [1, 2, 3, 4])
        assert list(res) == [1, 2, 3, 4]
    sinew.mju_zero(np.zeros(0))


def test_read_only_results_are_refused():
    res = np.zeros(4)
    res.flags.writeable = False
    with pytest.raises(TypeError):
        sinew.mju_unit4(res)


def test_argument_names_are_mujocos():
    # those of other versions are compared with their table in test_versions
    for name in (n for n in dir(sinew) if n.startswith(("mj_", "mju_", "mjd_")) and hasattr(mujoco, n)):
        signature = getattr(mujoco, name).__doc__.split("\n")[0]
        want = [p.split(":")[0].strip() for p in _split(signature[signature.index("(") + 1 :])]
        assert list(inspect.signature(getattr(sinew, name)).parameters) == want, name


def _split(text):
    """The parameters of a signature, at commas outside brackets."""
    depth, part, out = 0, "", []
    for c in text:
        if c == ")" and depth == 0:
            break
        depth += (c in "[(") - (c in "])")
        if c == "," and depth == 0:
            out.append(part)
            part = ""
        else:
            part += c
    return [p for p in [*out, part] if p.strip()]
