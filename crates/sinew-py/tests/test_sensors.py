"""Sensors: readings over whole steps, and histories."""

import pathlib

import mujoco
import numpy as np
import pytest

import sinew

FEATURES = pathlib.Path(__file__).parents[3] / "models" / "features"


def both(name):
    """The model in motion in both engines."""
    found = []
    for engine in (mujoco, sinew):
        m = engine.MjModel.from_xml_path(str(FEATURES / f"{name}.xml"))
        d = engine.MjData(m)
        d.qvel[:] = np.linspace(-1, 1, m.nv)
        d.ctrl[:] = 0.3
        found.append((engine, m, d))
    return found


@pytest.mark.parametrize("name", ["sensor_frames", "sensor_rays", "sensor_dynamics", "sensor_history"])
@pytest.mark.parametrize("halves", [False, True])
def test_sensors_read_mujocos_values_over_steps(name, halves):
    pair = both(name)
    for _ in range(20):
        for engine, m, d in pair:
            if halves:
                engine.mj_step1(m, d)
                engine.mj_step2(m, d)
            else:
                engine.mj_step(m, d)
        (_, _, want), (_, _, got) = pair
        np.testing.assert_allclose(got.sensordata, want.sensordata, rtol=1e-8, atol=1e-8)


def test_delayed_sensors_are_read_as_in_mujoco():
    pair = both("sensor_history")
    for _ in range(15):
        for engine, m, d in pair:
            engine.mj_step(m, d)
    for sensor in range(pair[0][1].nsensor):
        for interp in (-1, 0, 1, 2):
            rows = []
            for engine, m, d in pair:
                result = np.zeros(m.sensor_dim[sensor])
                value = engine.mj_readSensor(m, d, sensor, d.time - 0.0013, result, interp)
                np.testing.assert_array_equal(value, result)
                rows.append(result)
            np.testing.assert_allclose(rows[0], rows[1], rtol=1e-9, atol=1e-10)
    engine, m, d = pair[1]
    with pytest.raises(TypeError, match="sensor_dim"):
        engine.mj_readSensor(m, d, 0, 0.0, np.zeros(5), 0)
    for sensor in (99, -1):
        with pytest.raises(ValueError, match="must be from 0 to 14"):
            engine.mj_readSensor(m, d, sensor, 0.0, np.zeros(3), 0)


def test_no_contact_no_force():
    engine, m, d = both("sensor_rays")[1]
    for contact in (0, -1, 10**6):
        result = np.ones(6)
        engine.mj_contactForce(m, d, contact, result)
        assert not result.any()
