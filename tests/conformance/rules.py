"""Tolerances and excluded fields, each with its reason."""

# relative to the largest number of the field
DEFAULT = 1e-10

# smallest scale of a field; smaller fields are sums of larger numbers that cancel up to rounding
SMALLEST_SCALE = 1e-6

# field: (relative tolerance, reason)
TOLERANCE = {
}

# attributes of MjModel outside physics
SKIPPED_MODEL = {
    "nbuffer": "bytes of MuJoCo's own allocation",
    "narena": "bytes of MuJoCo's own arena; Sinew grows its lists",
    "signature": "hash of MuJoCo's internal specification tree",
}

# members of opt, vis and stat
SKIPPED_STRUCT = {
    "vis.rgba.bv": "MuJoCo 3.5.0's binding shows it with no elements",
    "vis.rgba.bvactive": "MuJoCo 3.5.0's binding shows it with no elements",
}


def tolerance(field):
    return TOLERANCE.get(field, (DEFAULT, ""))[0]
