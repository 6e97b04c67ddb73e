"""Locations of the models."""
import atexit
import importlib.util
import shutil
import tempfile
from pathlib import Path

import random_extras
import random_flex
import random_model

ROOT = Path(__file__).resolve().parents[2]

# number of random models
RANDOM = 40

# seeds of models with more features; MuJoCo rejects a third, and a few crash it
EXTRAS = [0, 3, 6, 10, 11, 14, 15, 17, 19, 21, 22, 25, 26, 28, 29, 30, 32, 33, 35, 37, 39, 40, 42, 43, 45]

# seeds of models with deformable objects; MuJoCo rejects a few
FLEX = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28, 30, 32, 33, 34, 35]

def package_folder(name):
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def random_folder():
    """A folder of random models, deleted at the end."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for seed in range(RANDOM):
        (folder / f"{seed}.xml").write_text(random_model.model(seed))
    for seed in EXTRAS:
        (folder / f"extras{seed}.xml").write_text(random_extras.model(seed))
    for seed in FLEX:
        (folder / f"flex{seed}.xml").write_text(random_flex.model(seed))
    return folder


def collect():
    """All candidate files as (corpus, folder, path)."""
    found = [("models", ROOT / "models", p) for p in sorted((ROOT / "models").rglob("*"))
             if p.suffix in (".xml", ".urdf") and "parts" not in p.parts]
    for name in ("dm_control", "gymnasium"):
        folder = package_folder(name)
        assert folder, f"{name} is not installed"
        found += [(name, folder, p) for p in sorted(folder.rglob("*.xml"))]
    folder = random_folder()
    return found + [("random", folder, path) for path in sorted(folder.iterdir())]


def label(corpus, folder, path):
    return f"{corpus}/{path.relative_to(folder).as_posix()}"
