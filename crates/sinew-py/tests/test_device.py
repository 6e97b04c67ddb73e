"""Batches on a device, by the kernel that the processor runs where there is no GPU."""

import gc
import multiprocessing
import os

import numpy as np
import pytest

import sinew

ARM = """<mujoco><option timestep=".005"/><worldbody><body><joint name="a" axis="0 1 0" damping=".1"/>
<geom type="capsule" size=".05" fromto="0 0 0 0 0 -.5" contype="0" conaffinity="0"/>
<body pos="0 0 -.5"><joint axis="0 1 0"/><geom size=".1" contype="0" conaffinity="0"/></body></body>
</worldbody><actuator><motor joint="a"/></actuator>
<keyframe><key qpos=".4 .2" qvel="1 0" ctrl=".5"/></keyframe></mujoco>"""


@pytest.fixture
def model():
    return sinew.MjModel.from_xml_string(ARM)


def kernel(model, n, **options):
    return sinew.Batch(model, n, device="kernel", **options)


def test_worlds_follow_those_of_the_processor(model):
    there, here = kernel(model, 5), sinew.Batch(model, 5)
    for batch in (there, here):
        batch.reset(keyframe=0)
        batch.ctrl = np.linspace(-1, 1, 5)[:, None]
        batch.step(50)
    np.testing.assert_allclose(np.asarray(there.qpos), here.qpos, rtol=0, atol=1e-10)
    np.testing.assert_allclose(there.state(), here.state(), rtol=0, atol=1e-10)
    assert np.asarray(there.time).shape == (5,) and there.time.numpy()[0] == here.time[0]
    assert not np.asarray(there.diverged).any()
    np.testing.assert_allclose(there.data(2).xpos, here.data(2).xpos, rtol=0, atol=1e-10)


def test_arrays_are_live_and_outlive_the_batch(model):
    batch = kernel(model, 3)
    qpos = np.asarray(batch.qpos)
    assert qpos.shape == (3, 2) and batch.qpos is batch.qpos
    qpos[1] = 0.3, 0.1
    batch.step()
    assert abs(qpos[1, 0] - 0.3) < 1e-2 and qpos[1, 0] != 0.3 and not qpos[0].any()
    shared = np.from_dlpack(batch.qvel)
    assert batch.qvel.__dlpack_device__() == (1, 0)
    capsule = batch.qvel.__dlpack__()
    copy = batch.qvel.numpy()
    del batch, capsule
    gc.collect()
    assert qpos[1, 0] != 0 and np.array_equal(shared, copy)


def test_masks_resets_and_bad_numbers(model):
    batch = kernel(model, 4)
    batch.reset(keyframe=0)
    mask = np.array([True, False, False, True])
    batch.step(2, mask)
    assert (batch.time.numpy() > 0).tolist() == mask.tolist()
    np.asarray(batch.qvel)[2, 0] = np.nan
    batch.step()
    assert batch.diverged.numpy().tolist() == [False, False, True, False]
    assert np.isfinite(batch.qpos.numpy()).all()
    batch.reset(batch.diverged)
    assert batch.time.numpy()[2] == 0 and batch.time.numpy()[0] > 0


def test_single_precision(model):
    batch = kernel(model, 2, dtype=np.float32)
    assert np.asarray(batch.qpos).dtype == np.float32
    batch.reset(keyframe=0)
    batch.step(10)
    other = kernel(model, 2)
    other.reset(keyframe=0)
    other.step(10)
    np.testing.assert_allclose(np.asarray(batch.qpos), np.asarray(other.qpos), atol=1e-5)


def test_what_is_not_there_is_an_error(model):
    batch = kernel(model, 2)
    with pytest.raises(KeyError, match="not kept on the device"):
        batch.bind("cinert")
    with pytest.raises(AttributeError):
        batch.cinert
    with pytest.raises(ValueError, match="only read"):
        batch.xpos = 0
    with pytest.raises(AttributeError):
        batch.nonsense = 1
    with pytest.raises(KeyError, match="did you mean"):
        batch.expand("body_masses")
    with pytest.raises(ValueError, match="mask"):
        batch.set_state(batch.state(), mask=[True])
    with pytest.raises(ValueError, match="device"):
        sinew.Batch(model, 2, device="tpu")
    with pytest.raises(TypeError, match="dtype"):
        sinew.Batch(model, 2, dtype=np.float32)
    with pytest.raises(IndexError):
        batch.data(2)
    with pytest.raises(AttributeError):
        batch.qpos.__cuda_array_interface__
    with pytest.raises(RuntimeError, match="there is no"):
        sinew.Batch(model, 2, device="cuda:1000")
    other = sinew.MjModel.from_xml_string(ARM.replace("<option", '<option solver="PGS"'))
    with pytest.raises(RuntimeError, match="solver PGS"):
        kernel(other, 2)


SENSED = ARM.replace("</worldbody>", '<site name="s" pos="0 0 1"/></worldbody>').replace(
    "</actuator>", '</actuator><sensor><jointpos joint="a"/><framepos objtype="site" objname="s"/></sensor>'
)


def test_results_and_sensors():
    model = sinew.MjModel.from_xml_string(SENSED.replace("<sensor>", '<sensor><clock name="c"/>'))
    there, here = kernel(model, 3), sinew.Batch(model, 3)
    names = ("xpos", "sensordata", "site_xpos", "qacc", "cvel")
    for batch in (there, here):
        batch.reset(keyframe=0)
        batch.ctrl = np.linspace(-1, 1, 3)[:, None]
        for name in names:
            batch.bind(name)
        batch.step(4)
    for name in names:
        np.testing.assert_allclose(np.asarray(there.bind(name)), here.bind(name), atol=1e-9)
    clock = there.sensor("c")
    assert clock.shape == (3, 1) and clock.numpy()[1, 0] == here.sensor("c")[1, 0] > 0
    there.step(3, wait=False)
    here.step(3)
    there.wait()
    np.testing.assert_allclose(np.asarray(there.xpos), here.xpos, atol=1e-9)
    there.reset()
    there.forward(np.array([True, False, True]))
    assert (clock.numpy()[:, 0] > 0).tolist() == [False, True, False]
    assert np.asarray(there.xpos).flags.c_contiguous


def test_parameters_of_single_worlds(model):
    there, here = kernel(model, 4), sinew.Batch(model, 4)
    for batch in (there, here):
        batch.reset(keyframe=0)
        batch.expand("body_mass")[:, 1:] *= np.linspace(0.5, 2, 4)[:, None]
        batch.expand("dof_damping")[2] = 0.3
        batch.set_const()
        batch.expand("actuator_gear")[3, 0, 0] = 2
        batch.step(20)
    np.testing.assert_allclose(there.qpos.numpy(), here.qpos, rtol=0, atol=1e-9)
    mass = there.expand("body_mass")
    assert there.parameters["body_mass"] is mass and len(mass) == 4 and there.has_const
    assert there.world_model(2).body_mass[1] == mass[2, 1] == here.expand("body_mass")[2, 1]
    inverse = there.expand("body_invweight0")
    np.testing.assert_allclose(inverse[:], here.expand("body_invweight0"), rtol=1e-12)
    with pytest.raises(ValueError, match="copies"):
        mass[2][1] = 1
    twice = mass[:] * 2
    twice[0] = 1  # an array of the caller's own
    there.expand("opt.timestep")[1] = 0.01
    with pytest.raises(RuntimeError, match="world 1"):
        there.step()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_steps_on(model):
    batch = kernel(model, 2)

    def child(queue):
        batch.step(3)
        queue.put(batch.time.numpy()[0])

    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    process = context.Process(target=child, args=(queue,))
    process.start()
    process.join(60)
    assert process.exitcode == 0 and queue.get() == pytest.approx(0.015)
    assert batch.time.numpy()[0] == 0
