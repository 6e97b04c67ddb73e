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
        batch.bind("xpos")
    with pytest.raises(AttributeError):
        batch.xpos
    with pytest.raises(AttributeError):
        batch.nonsense = 1
    with pytest.raises(NotImplementedError):
        batch.expand("body_mass")
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
    implicit = sinew.MjModel.from_xml_string(ARM.replace("<option", '<option integrator="implicit"'))
    with pytest.raises(RuntimeError, match="integrator implicit"):
        kernel(implicit, 2)


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
