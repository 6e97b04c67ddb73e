"""Deformable objects that a saved file cannot express, and special cases of the reader: all
compiled fields."""
import mujoco
import pytest

import compare

BODIES = """
<body name="a"><joint type="slide"/><geom size=".1"/></body>
<body name="b" pos="1 0 0"><joint type="slide"/><joint axis="1 0 0"/><geom size=".1"/></body>
<body name="c" pos="0 1 0"><freejoint/><geom size=".1" pos=".1 .2 .3"/></body>"""


def world(inside, before="", after=""):
    return f"<mujoco>{before}<worldbody>{inside}</worldbody>{after}</mujoco>"


def flexcomp(attributes, children="", name="f"):
    return f'<flexcomp name="{name}" spacing=".1 .1 .1" radius=".01" {attributes}>{children}</flexcomp>'


def flex(attributes, children="", equality=""):
    return world(BODIES, "", f'<deformable><flex name="f" {attributes}>{children}</flex></deformable>{equality}')


SHEET = 'dim="2" body="a b c" element="0 1 2"'
GRID = 'type="grid" dim="2" count="3 3 1"'
ELASTIC = '<elasticity young="1e4" poisson=".1"/>'
MODELS = {
    "passive flexcomp": world(flexcomp(GRID, '<contact passive="true"/>')),
    "passive without internal": flex(SHEET, '<contact passive="true"/>'),
    "passive as internal": flex(SHEET, '<contact passive="false" internal="true"/>'),
    "passive as flatskin": flex(SHEET + ' flatskin="true"', '<contact passive="false"/>'),
    "pinned nodes": world('<body name="q" pos="1 2 3" quat="1 .1 .2 .3"><freejoint/><geom size=".1"/>' + flexcomp(
        'type="grid" dof="trilinear" dim="3" count="4 4 4"',
        '<contact selfcollide="none"/><pin id="0 1"/>' + ELASTIC) + "</body>"),
    "pinned nodes of a shape": world('<body name="q">' + flexcomp(
        'type="ellipsoid" dof="quadratic" dim="3" count="9 9 9"',
        '<contact selfcollide="none"/><pin id="0 8"/>' + ELASTIC) + "</body>"),
    "several flexes": world(
        flexcomp(GRID, '<edge damping="1"/>', "a") + flexcomp(GRID + ' rigid="true"', "", "b")
        + flexcomp(GRID, '<edge equality="vert"/>', "c")
        + flexcomp('type="grid" dim="1" count="3 1 1"', '<edge stiffness="1"/>', "d")),
    "in a frame": world('<frame pos="0 0 5"><body name="z"/>' + flexcomp(GRID) + '<body name="y"/></frame>'),
    "class of the body": world('<body name="b" childclass="x">' + flexcomp(
        GRID, '<contact vertcollide="true"/>') + "</body>",
        '<default><default class="x"><joint damping="3"/><geom margin=".2"/></default></default>'),
    "fused": world('<body name="b" pos="1 2 3">' + flexcomp(GRID) + "</body>", '<compiler fusestatic="true"/>'),
    "total mass": world(flexcomp(GRID, '<edge equality="vert"/>'), '<compiler settotalmass="7"/>'),
    "inactive equality": flex(SHEET, "", '<equality><flexvert flex="f" active="false"/></equality>'),
    "texture of elements": flex(SHEET + ' texcoord="0 1" elemtexcoord="0 0 0"'),
    "rigid": flex('dim="2" body="a" vertex="0 0 0 1 0 0 0 1 0" element="0 1 2"'),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore")
def test_fields_of_flexes(name, engine):
    want = mujoco.MjModel.from_xml_string(MODELS[name])
    found = compare.model_differences(want, engine.MjModel.from_xml_string(MODELS[name]))
    assert not found, "\n" + "\n".join(f"{field} {how}" for field, how in sorted(found.items()))
