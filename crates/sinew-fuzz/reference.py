"""Runs the same inputs in MuJoCo.

    sinew-fuzz write xml 1 1000 FOLDER
    python reference.py FOLDER

Every input is loaded and stepped in child processes; a child that dies is replaced. The output has
the number of inputs that were accepted, rejected, killed the process, or exceeded the time limit.
"""

import collections
import multiprocessing
import pathlib
import resource
import sys

SECONDS = 10
BYTES = 6 << 30


def serve(inputs, done):
    """Loads and steps all models; reports the begin and the end of each."""
    import mujoco

    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    mujoco.set_mju_user_warning(lambda text: None)
    for folder in iter(inputs.get, None):
        name = (folder / "MODEL").read_text()
        try:
            if name.endswith(".mjb"):
                m = mujoco.MjModel.from_binary_path(str(folder / name))
            else:
                files = {p.name: p.read_bytes() for p in folder.iterdir() if p.name not in ("MODEL", name)}
                m = mujoco.MjModel.from_xml_string((folder / name).read_bytes().decode(), files)
            d = mujoco.MjData(m)
            for _ in range(3):
                mujoco.mj_step(m, d)
            mujoco.mj_inverse(m, d)
            done.put("accepted")
        except Exception:
            done.put("refused")


def main():
    folders = sorted(p.parent for p in pathlib.Path(sys.argv[1]).glob("*/MODEL"))
    tally = collections.Counter()
    dead = []
    context = multiprocessing.get_context("spawn")
    child = inputs = done = None
    for folder in folders:
        if child is None:
            inputs, done = context.Queue(), context.Queue()
            child = context.Process(target=serve, args=(inputs, done), daemon=True)
            child.start()
        inputs.put(folder)
        verdict = None
        for _ in range(10 * SECONDS + 100):
            try:
                verdict = done.get(timeout=0.1)
                break
            except Exception:
                if not child.is_alive():
                    verdict = f"killed by signal {-child.exitcode}" if child.exitcode < 0 else "exits"
                    break
        verdict = verdict or "does not end"
        tally[verdict] += 1
        if verdict not in ("accepted", "refused"):
            dead.append(f"{folder.name}: {verdict}")
            child.kill()
            child.join()
            child = None
    print(len(folders), dict(tally))
    print("\n".join(dead[:20]))


if __name__ == "__main__":
    main()
