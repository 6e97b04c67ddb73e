"""Contacts and distances of geoms."""
import mujoco
import numpy as np
import pytest

import sinew

XML = """
<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
  <body pos="0 0 .09"><freejoint/><geom name="ball" size=".1" condim="4" friction=".5 .1 .2"/></body>
  <body pos="1 0 .09"><freejoint/><geom name="cube" type="box" size=".1 .1 .1"/></body>
</worldbody></mujoco>
"""


@pytest.fixture
def scene():
    m = sinew.MjModel.from_xml_string(XML)
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    return m, d


def test_contacts_are_a_list_and_columns(scene):
    _, d = scene
    assert d.ncon == len(d.contact) == 5
    first = d.contact[0]
    assert first.dist == pytest.approx(-0.01)
    assert (first.dim, first.exclude, first.efc_address) == (4, 0, 0)
    np.testing.assert_allclose(first.frame, [0, 0, 1, 0, 1, 0, -1, 0, 0], atol=1e-15)
    np.testing.assert_allclose(first.friction, [1, 1, 0.1, 0.2, 0.2])
    np.testing.assert_array_equal(d.contact.geom, [[0, 1]] + 4 * [[0, 2]])
    np.testing.assert_array_equal(d.contact.geom1, d.contact.geom[:, 0])
    shapes = {"pos": 3, "frame": 9, "solref": 2, "solreffriction": 2, "solimp": 5, "H": 36, "flex": 2, "elem": 2, "vert": 2}
    for field, width in shapes.items():
        assert getattr(d.contact, field).shape == (5, width)
    assert [c.dim for c in d.contact] == [4, 3, 3, 3, 3]


def test_collision_is_a_stage_of_its_own(scene):
    m, d = scene
    d.geom_xpos[m.geom("ball").id] += [0, 0, 1]
    sinew.mj_collision(m, d)
    assert (d.ncon, d.nefc) == (4, 0)
    m.geom_contype[:] = 0
    sinew.mj_collision(m, d)
    assert d.ncon == 0


def test_distances_are_mujocos(scene):
    m, d = scene
    ball, cube = m.geom("ball").id, m.geom("cube").id
    fromto = np.zeros(6)
    assert sinew.mj_geomDistance(m, d, cube, ball, 2, fromto) == pytest.approx(0.8)
    np.testing.assert_allclose(fromto, [0.9, 0, 0.09, 0.1, 0, 0.09], atol=1e-12)
    assert sinew.mj_geomDistance(m, d, cube, ball, 0.5, fromto) == 0.5
    np.testing.assert_array_equal(fromto, np.zeros(6))
    assert sinew.mj_geomDistance(m, d, 0, ball, 1, None) == pytest.approx(-0.01)
    with pytest.raises(TypeError, match="size 6"):
        sinew.mj_geomDistance(m, d, 0, 1, 1, np.zeros(3))
    with pytest.raises(ValueError, match="geom2 is 99, must be from 0 to 2"):
        sinew.mj_geomDistance(m, d, 0, 99, 1, None)


def test_a_contact_that_is_added_counts_as_one_that_was_found():
    xml = """<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
      <body pos="0 0 .5"><freejoint/><geom size=".1"/></body>
      <body pos="1 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    found = []
    for engine in (mujoco, sinew):
        m = engine.MjModel.from_xml_string(xml)
        d = engine.MjData(m)
        engine.mj_forward(m, d)
        con = engine.MjContact()
        for name in "friction solref solreffriction solimp frame dim".split():
            setattr(con, name, getattr(d.contact[0], name))
        con.dist, con.geom[:], con.flex[:], con.elem[:], con.vert[:] = -0.01, [0, 1], -1, -1, -1
        assert engine.mj_addContact(m, d, con) == 0
        # rows are removed, and made again with the contact
        counts = [d.ncon, d.nefc, d.nisland, *(c.efc_address for c in d.contact)]
        engine.mj_makeConstraint(m, d)
        found.append([*counts, d.nefc, *d.contact.dist, *d.efc_pos, *d.efc_J.ravel()])
        with pytest.raises(TypeError):
            engine.mj_addContact(m, d, 3)
    np.testing.assert_allclose(found[1], found[0], atol=1e-14)
