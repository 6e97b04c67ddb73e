"""Pictures per second beside MuJoCo's own renderer.

    MUJOCO_GL=osmesa python crates/sinew-py/benches/render.py [model.xml] [--rounds N] [--seconds S]

Needs MuJoCo 3.5.0 and a software OpenGL (Debian: libosmesa6). Engines run in processes of their own,
which take turns; the scene is updated for every picture, and shadows are drawn. The fastest round
counts. Rates are given by the clock and by the processor time of all threads, which suits a machine
that others use too. Batched, 64 states are drawn by one call; MuJoCo draws them one after another.
"""

import argparse
import importlib
import json
import pathlib
import subprocess
import sys
import time

MODEL = pathlib.Path(__file__).parents[3] / "models" / "humanoid.xml"
SIZES = {"640 x 480": (480, 640, 1), "84 x 84": (84, 84, 1), "84 x 84, 64 worlds": (84, 84, 64)}


def states(engine, m, count):
    """The first state, and others a few steps apart."""
    datas, d = [], engine.MjData(m)
    for _ in range(count):
        engine.mj_step(m, d)
        other = engine.MjData(m)
        other.qpos[:] = d.qpos
        engine.mj_forward(m, other)
        datas.append(other)
    return datas


def draw(renderer, datas):
    if len(datas) > 1 and hasattr(renderer, "render_batch"):
        return renderer.render_batch(datas)
    for d in datas:
        renderer.update_scene(d)
        renderer.render()


def serve(name, path):
    """In a process of its own: draws for as long as it is told to, and says how fast."""
    engine = importlib.import_module(name)
    m = engine.MjModel.from_xml_path(path)
    for line in sys.stdin:
        height, width, count, seconds = json.loads(line)
        datas = states(engine, m, count)
        with engine.Renderer(m, height, width) as renderer:
            draw(renderer, datas)
            wall, cpu, pictures = time.perf_counter(), time.process_time(), 0
            while pictures == 0 or time.perf_counter() - wall < seconds:
                draw(renderer, datas)
                pictures += count
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(json.dumps([pictures / wall, pictures / cpu]), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model", nargs="?", default=str(MODEL))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--serve")
    options = parser.parse_args()
    if options.serve:
        return serve(options.serve, options.model)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    command = [sys.executable, __file__, options.model, "--serve"]
    engines = {name: subprocess.Popen(command + [name], **pipes) for name in ("mujoco", "sinew")}
    print("| | MuJoCo, wall | Sinew, wall | ratio | MuJoCo, CPU | Sinew, CPU | ratio |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for title, size in SIZES.items():
        best = {name: [0.0, 0.0] for name in engines}
        for _ in range(options.rounds):
            for name, process in engines.items():
                process.stdin.write(json.dumps([*size, options.seconds]) + "\n")
                process.stdin.flush()
                rates = json.loads(process.stdout.readline())
                best[name] = [max(pair) for pair in zip(best[name], rates)]
        (wall, cpu), (our_wall, our_cpu) = best["mujoco"], best["sinew"]
        print(
            f"| {title} | {wall:.1f} | {our_wall:.1f} | {our_wall / wall:.0f} "
            f"| {cpu:.1f} | {our_cpu:.1f} | {our_cpu / cpu:.0f} |"
        )
    for process in engines.values():
        process.stdin.close()
        process.wait()


if __name__ == "__main__":
    main()
