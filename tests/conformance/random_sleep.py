"""Random models in which trees sleep. Models of `random_model` get the flag, policies, and a
tolerance that lets most trees fall asleep within a few steps.

`python random_sleep.py SEED` prints one.
"""
import sys
import xml.etree.ElementTree as ET

import mujoco

import random_model

# MuJoCo cannot step with these
REFUSED = ("tendon", "flex", "flexvert")


def movable_roots(element):
    """The bodies that are roots of trees."""
    for child in element:
        if child.tag in ("frame", "replicate"):
            yield from movable_roots(child)
        elif child.tag == "body":
            if child.find("joint") is not None or child.find("freejoint") is not None:
                yield child
            else:
                yield from movable_roots(child)


def drop_refused(root):
    """Removes the equalities that MuJoCo rejects in models with sleep."""
    for section in root.findall("equality"):
        for equality in [e for e in section if e.tag in REFUSED]:
            section.remove(equality)


def add_policies(root, random):
    """Sets sleep policies of trees, except policies and equalities that MuJoCo rejects."""
    drop_refused(root)
    for body in (b for world in root.findall("worldbody") for b in movable_roots(world)):
        body.set("sleep", random.choice(["auto", "never", "allowed", "allowed", "init"]))
        try:
            mujoco.MjModel.from_xml_string(ET.tostring(root, encoding="unicode"))
        except ValueError:
            del body.attrib["sleep"]


def model(seed):
    root = ET.fromstring(random_model.model(seed))
    random = random_model.Random(seed)
    option = ET.SubElement(root, "option", sleep_tolerance=random.choice(["0.05", "1", "20"]))
    ET.SubElement(option, "flag", sleep="enable")
    add_policies(root, random)
    return ET.tostring(root, encoding="unicode")


if __name__ == "__main__":
    print(model(int(sys.argv[1])))
