"""The examples as modules."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "crates" / "sinew-py" / "examples"))
