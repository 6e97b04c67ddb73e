"""Makes `import mujoco` mean Sinew, in this process and in its children.

    python -m sinew.as_mujoco script.py arguments
    python -m sinew.as_mujoco -m pytest arguments
    python -m sinew.as_mujoco -c "import mujoco; print(mujoco)"
    python -m sinew.as_mujoco --as 4.0 script.py arguments

or, before anything imports `mujoco`, `sinew.install_as_mujoco()`. `--as` sets the version of MuJoCo
that programs see, 3.5.0 by default.
"""

import os
import runpy
import sys

from sinew import install_as_mujoco as install


def main(arguments):
    """Runs a script, a module (`-m`) or a command (`-c`) with Sinew as MuJoCo."""
    version = None
    if arguments[:1] == ["--as"]:
        if len(arguments) < 2:
            sys.exit("sinew.as_mujoco: --as wants a version")
        version, arguments = arguments[1], arguments[2:]
    if not arguments:
        sys.exit(__doc__)
    try:
        install(version)
    except ValueError as error:
        sys.exit(f"sinew.as_mujoco: {error}")
    first, *rest = arguments
    if first == "-m":
        if not rest:
            sys.exit("sinew.as_mujoco: -m wants the name of a module")
        sys.argv = rest
        sys.path[0] = os.getcwd()
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif first == "-c":
        if not rest:
            sys.exit("sinew.as_mujoco: -c wants a command")
        sys.argv = ["-c", *rest[1:]]
        sys.path[0] = ""
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = arguments
        sys.path[0] = os.path.dirname(os.path.abspath(first))
        runpy.run_path(first, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
