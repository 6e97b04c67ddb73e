"""Holds Sinew's pictures against MuJoCo's own renderer.

    MUJOCO_GL=osmesa python tests/pictures/compare.py [MODEL.xml | FOLDER ...] [--least DB] [--mean DB]
        [--out FOLDER] [--speed ours|theirs]

Needs a software OpenGL (Debian: libosmesa6, or libegl1 and libgl1-mesa-dri with MUJOCO_GL=egl), so
it is no part of the continuous checks. Each model is stepped a little, handed over with its state,
and rendered by both from the free camera and from its own cameras. A picture passes if 99 % of the
pixels show the same object and depths agree within 1 % on 99 % of these. The colours' peak
signal-to-noise ratio must be at least --least. Over all pictures the mean ratio is at least --mean;
equal pictures count as 99 dB. With --out, both pictures are written side by side.
"""

import argparse
import pathlib
import struct
import sys
import tempfile
import time
import zlib

import mujoco
import numpy as np

import sinew

MODELS = pathlib.Path(__file__).parents[2] / "models"
SAME_OBJECT, SAME_DEPTH = 0.99, 0.99
LEAST, MEAN, EQUAL = 36.0, 42.0, 99.0


def write_png(path, image):
    """Writes (height, width, 3) bytes."""
    height, width, _ = image.shape
    rows = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(image))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    pathlib.Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + body)


def load(path, steps):
    """The same model in the same state, in both engines."""
    m = mujoco.MjModel.from_xml_path(str(path))
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    for _ in range(steps):
        mujoco.mj_step(m, d)
    mujoco.mj_forward(m, d)
    with tempfile.TemporaryDirectory() as folder:
        file = str(pathlib.Path(folder) / "model.mjb")
        mujoco.mj_saveModel(m, file)
        ours = sinew.MjModel.from_binary_path(file)
    data = sinew.MjData(ours)
    signature = int(mujoco.mjtState.mjSTATE_INTEGRATION)
    state = np.zeros(mujoco.mj_stateSize(m, signature))
    mujoco.mj_getState(m, d, state, signature)
    sinew.mj_setState(ours, data, state, signature)
    sinew.mj_forward(ours, data)
    return (m, d), (ours, data)


def images(module, m, d, camera, size):
    """Colours, depths and object ids."""
    with module.Renderer(m, *size) as renderer:
        renderer.update_scene(d, camera)
        rgb = renderer.render().copy()
        renderer.enable_depth_rendering()
        depth = renderer.render().copy()
        renderer.disable_depth_rendering()
        renderer.enable_segmentation_rendering()
        objects = renderer.render().copy()
    return rgb, depth, objects


def undo_perspective(m, depth):
    """The true distances of cameras that MuJoCo's `Renderer` treats as perspective."""
    near, far = m.vis.map.znear * m.stat.extent, m.vis.map.zfar * m.stat.extent
    raw = (near * far / depth.astype(float) - near) / (far - near)
    return (far - raw * (far - near)).astype(np.float32)


def compare(theirs, ours):
    same = (theirs[2] == ours[2]).all(axis=-1)
    near = np.abs(theirs[1] - ours[1]) <= 0.01 * np.abs(theirs[1])
    error = np.mean((theirs[0].astype(float) - ours[0].astype(float)) ** 2)
    noise = 10 * np.log10(255**2 / error) if error else EQUAL
    return same.mean(), near[same].mean() if same.any() else 1.0, noise


def speed(module, m, d, size, seconds=2.0):
    """Frames per second, updating the scene for each."""
    with module.Renderer(m, *size) as renderer:
        renderer.update_scene(d)
        renderer.render()
        start, frames = time.perf_counter(), 0
        while frames < 3 or time.perf_counter() - start < seconds:
            renderer.update_scene(d)
            renderer.render()
            frames += 1
        return frames / (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--least", type=float, default=LEAST, metavar="DB")
    parser.add_argument("--mean", type=float, default=MEAN, metavar="DB")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--size", type=int, nargs=2, default=(240, 320), metavar=("H", "W"))
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--speed", choices=("ours", "theirs"))
    args = parser.parse_args()
    named = args.models or [MODELS, MODELS / "features"]
    paths = [file for path in named for file in (sorted(path.glob("*.xml")) if path.is_dir() else [path])]
    if args.speed:
        for path in paths:
            theirs, ours = load(path, args.steps)
            module, pair = (sinew, ours) if args.speed == "ours" else (mujoco, theirs)
            print(f"{path.stem:20} {args.size} {speed(module, *pair, args.size):8.1f} frames/s")
        return
    failed, noises = 0, []
    for path in paths:
        try:
            theirs, ours = load(path, args.steps)
        except ValueError as error:
            print(f"{path.stem:20} not loaded: {str(error).splitlines()[0][:80]}")
            continue
        for camera in range(-1, theirs[0].ncam):
            want = images(mujoco, *theirs, camera, args.size)
            if camera >= 0 and theirs[0].cam_projection[camera]:
                want = want[0], undo_perspective(theirs[0], want[1]), want[2]
            got = images(sinew, *ours, camera, args.size)
            objects, depth, noise = compare(want, got)
            good = objects >= SAME_OBJECT and depth >= SAME_DEPTH and noise >= args.least
            noises.append(noise)
            failed += not good
            mark = "" if good else "  <--"
            print(f"{path.stem:20} {camera:3} {objects:8.4f} {depth:8.4f} {noise:7.2f} dB{mark}", flush=True)
            if args.out:
                args.out.mkdir(parents=True, exist_ok=True)
                both = np.concatenate([want[0], got[0]], axis=1)
                write_png(args.out / f"{path.stem}{'' if camera < 0 else camera}.png", both)
    if noises:
        print(f"{len(noises)} pictures, {failed} below the bounds, mean {np.mean(noises):.2f} dB, least {min(noises):.2f}")
    sys.exit(bool(failed) or not noises or float(np.mean(noises)) < args.mean)


if __name__ == "__main__":
    main()
