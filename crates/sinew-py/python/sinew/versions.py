"""The share of the names of every version of MuJoCo's package that exist in Sinew.

python -m sinew.versions
"""

from sinew._names import DEFAULT, KNOWN, given, missing, names_of, resolve

__all__ = ["DEFAULT", "KNOWN", "given", "missing", "names_of", "resolve"]


def main():
    """Prints the share of names that exist, by version."""
    print("version   names   exist   share")
    for version in KNOWN:
        count, absent = len(names_of(version)), missing(version)
        share = 100 * (count - len(absent)) / count
        print(f"{version:8} {count:6} {count - len(absent):7} {share:6.1f} %")
        for name in absent:
            print(f"    {name}")


if __name__ == "__main__":
    main()
