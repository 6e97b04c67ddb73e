"""Band matrices, quadratic programs and random numbers against MuJoCo's."""

import mujoco
import numpy as np
import pytest

import sinew


@pytest.mark.parametrize("total,band,dense", [(5, 2, 1), (6, 3, 0), (4, 1, 2), (3, 1, 3), (7, 7, 2)])
def test_band_matrices_are_mujocos(total, band, dense):
    rng = np.random.RandomState(0)
    full = rng.randn(total, total)
    full = full @ full.T + np.eye(total)
    size = (total - dense) * band + dense * total
    vector = rng.randn(total)
    results = []
    for engine in (sinew, mujoco):
        mat, square, product = np.zeros(size), np.zeros((total, total)), np.zeros(total)
        engine.mju_dense2Band(mat, full, total, band, dense)
        out = [mat.copy()]
        for sym in (0, 1):
            engine.mju_band2Dense(square, mat, total, band, dense, sym)
            engine.mju_bandMulMatVec(product, mat, vector, total, band, dense, 1, sym)
            out += [square.copy(), product.copy()]
        least = engine.mju_cholFactorBand(mat, total, band, dense, 0.5, 0.1)
        solution = np.zeros(total)
        engine.mju_cholSolveBand(solution, mat, vector, total, band, dense)
        deficient = engine.mju_cholFactorBand(np.zeros(size), total, band, dense, 0, 0)
        diagonal = [engine.mju_bandDiag(i, total, band, dense) for i in range(total)]
        results.append([*out, mat, least, solution, deficient, diagonal])
    for got, want in zip(*results):
        np.testing.assert_allclose(got, want, rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("bounds", ["both", "lower", "upper", "none"])
def test_box_programs_have_mujocos_solution(seed, bounds):
    rng = np.random.RandomState(seed)
    n = 3 + seed
    h = rng.randn(n, n)
    h, g = h @ h.T + 0.1 * np.eye(n), rng.randn(n)
    lower = -0.1 * rng.rand(n) if bounds in ("both", "lower") else None
    upper = 0.1 * rng.rand(n) if bounds in ("both", "upper") else None
    results = []
    for engine in (sinew, mujoco):
        res, factor, index = np.zeros(n), np.zeros((n, n + 7)), np.zeros(n, np.int32)
        rank = engine.mju_boxQP(res, factor, index, h, g, lower, upper)
        part = factor.ravel()[: rank * rank].reshape(rank, rank)
        results.append([rank, res, index, np.tril(part)])
    for got, want in zip(*results):
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)


def test_bad_box_programs_are_refused():
    n = 3
    res, factor, h, g = np.zeros(n), np.zeros((n, n + 7)), np.eye(n), np.ones(n)
    assert sinew.mju_boxQP(res, factor, None, -h, g, -g, g) == -1
    cases = [
        (res, factor[:, :5].copy(), None, h, g, None, None),
        (res, factor, np.zeros(2, np.int32), h, g, None, None),
        (res, factor, None, h[:2], g, None, None),
        (res, factor, None, h, g[:2], None, None),
        (res, factor, None, h, g, g[:2], None),
        (res, factor, None, h, g, None, g[:2]),
        (res, factor, None, h, g, g, g),
    ]
    for case in cases:
        with pytest.raises((TypeError, mujoco.FatalError)) as want:
            mujoco.mju_boxQP(*case)
        with pytest.raises((TypeError, sinew.FatalError)) as got:
            sinew.mju_boxQP(*case)
        assert str(got.value) == str(want.value)


def test_normal_numbers_are_normal():
    numbers = np.array([sinew.mju_standardNormal(None) for _ in range(20000)])
    assert abs(numbers.mean()) < 0.03 and abs(numbers.std() - 1) < 0.03
    assert abs((np.abs(numbers) < 1).mean() - 0.6827) < 0.02
