"""`mj_saveLastXML`: the XML that a model was read from, with the numbers that the model has now."""

import math

import numpy as np

from sinew import _sinew
from sinew._spec.read import Reader
from sinew._spec.spec import MjSpec
from sinew._spec.write import write

# attributes of elements, and the fields of a model whose rows they are; `mj_copyBack`
_ROWS = {
    "body": "userdata=body_user",
    "joint": "stiffness=jnt_stiffness solref_limit=jnt_solref solimp_limit=jnt_solimp margin=jnt_margin "
    "userdata=jnt_user",
    "geom": "friction solref solimp rgba solmix margin gap userdata=geom_user",
    "site": "rgba userdata=site_user",
    "camera": "fovy=cam_fovy ipd=cam_ipd resolution=cam_resolution userdata=cam_user",
    "light": "attenuation cutoff exponent ambient diffuse specular",
    "material": "texrepeat=mat_texrepeat emission=mat_emission specular=mat_specular "
    "shininess=mat_shininess reflectance=mat_reflectance rgba=mat_rgba",
    "pair": "solref solreffriction solimp margin gap friction",
    "equality": "data=eq_data solref=eq_solref solimp=eq_solimp",
    "tendon": "range actfrcrange solref_limit=tendon_solref_lim solimp_limit=tendon_solimp_lim "
    "solref_friction=tendon_solref_fri solimp_friction=tendon_solimp_fri rgba width margin stiffness "
    "damping armature frictionloss userdata=tendon_user",
    "actuator": "dynprm gainprm biasprm ctrlrange forcerange actrange lengthrange gear cranklength "
    "userdata=actuator_user",
    "sensor": "cutoff noise userdata=sensor_user",
    "key": "time=key_time qpos=key_qpos qvel=key_qvel act=key_act mpos=key_mpos mquat=key_mquat "
    "ctrl=key_ctrl",
}
_DOF = "solref_friction=solref solimp_friction=solimp armature damping frictionloss"
_HINGE, _SLIDE = 3, 2


def _pairs(text, prefix):
    """Names of attributes and fields."""
    for word in text.split():
        name, _, field = word.partition("=")
        yield name, field if "=" in word else prefix + name


def _put(e, name, row):
    """Sets an attribute to a row of a field, if that has any numbers."""
    if row.ndim == 0:
        setattr(e, name, row.item())
    elif row.size:
        setattr(e, name, row.ravel())


def copy_back(spec, m):
    """Gives the elements of a compiled model the numbers of another model of the same sizes."""
    before = spec._model
    spec.option_, spec.visual_ = m.opt.__copy__(), m.vis.__copy__()
    for name in m.stat._all_fields:
        # what was computed is not written
        if not np.array_equal(getattr(m.stat, name), getattr(before.stat, name)):
            setattr(spec.stat_, name, getattr(m.stat, name))
    for kind, text in _ROWS.items():
        for e in spec._all(kind):
            for name, field in _pairs(text, kind + "_"):
                if e._id >= 0:
                    _put(e, name, getattr(m, field)[e._id])
    for joint in spec._all("joint"):
        _joint(joint, m)
    for e in spec._all("numeric"):
        first, count = int(m.numeric_adr[e._id]), int(m.numeric_size[e._id])
        e.data = m.numeric_data[first : first + count]
    for e in spec._all("tuple"):
        first, count = int(m.tuple_adr[e._id]), int(m.tuple_size[e._id])
        e.objprm = m.tuple_objprm[first : first + count]
    for e in spec._all("hfield"):
        if len(e.userdata):
            first, count = int(m.hfield_adr[e._id]), int(m.hfield_nrow[e._id] * m.hfield_ncol[e._id])
            e.userdata = m.hfield_data[first : first + count]


def _joint(joint, m):
    """What a joint has of its dofs and of the reference position."""
    i = joint._id
    dof, position = int(m.jnt_dofadr[i]), int(m.jnt_qposadr[i])
    for name, field in _pairs(_DOF, ""):
        _put(joint, name, getattr(m, "dof_" + field)[dof])
    if int(m.jnt_type[i]) in (_HINGE, _SLIDE):
        degrees = int(m.jnt_type[i]) == _HINGE and joint._compiler.degree
        unit = math.pi / 180 if degrees else 1.0
        joint.ref = float(m.qpos0[position]) / unit
        joint.springref = float(m.qpos_spring[position]) / unit


def mj_saveLastXML(filename, m):
    """Saves the XML that the model was read from, with the numbers that it has now."""
    origin = _sinew.spec_origin(m)
    compiler = dict(origin[0][1][0][0][1]) if origin is not None else {}
    if origin is None or "true" in (compiler.get("fusestatic"), compiler.get("discardvisual")):
        # made in code or by other rules than MuJoCo's, or with bodies that are gone
        return _sinew.save_as_written(filename, m)
    plain, files = origin
    spec = MjSpec()
    Reader(spec).read(plain)
    spec._assets.update(files)
    spec._compile(quiet=True)
    copy_back(spec, m)
    text = write(spec, m)
    with open(filename, "w", encoding="utf-8") as file:
        file.write(text)
