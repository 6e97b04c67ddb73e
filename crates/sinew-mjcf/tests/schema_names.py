"""Prints the elements and attributes of MJCF that a wheel of MuJoCo knows, one element a line.

PYTHON crates/sinew-mjcf/tests/schema_names.py > crates/sinew-mjcf/tests/mjcf-4.0.0.txt
"""

import re

import mujoco


def main():
    """Prints the path of each element, and its attributes in alphabetical order."""
    rows = []
    for line in mujoco.mj_printSchema(False, False).splitlines():
        element = re.match(r"( *)(\S+) \(.\)(.*)", line)
        if element:
            indent, name, attributes = element.groups()
            rows.append((len(indent) // 3, name.removeprefix("(world)"), attributes.split()))
        elif line.strip():
            rows[-1][2].extend(line.split())
    print(f"# MuJoCo {mujoco.__version__}, by schema_names.py")
    path = []
    for depth, name, attributes in rows:
        path[depth:] = [name]
        print("/".join(path), *sorted(attributes))


if __name__ == "__main__":
    main()
