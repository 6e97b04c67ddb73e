"""Comparison of fields: integers exactly, numbers to the tolerance of their field."""
import numpy as np

import rules


def difference(field, want, got):
    """None if the values agree, else a line with the difference."""
    if isinstance(want, bytes):
        return None if want == bytes(got) else "bytes differ"
    want, got = np.asarray(want), np.asarray(got)
    if want.shape != got.shape:
        return f"shape {got.shape}, wanted {want.shape}"
    if want.size == 0:
        return None
    if want.dtype.kind in "iub":
        wrong = np.argwhere(want != got)
        if len(wrong) == 0:
            return None
        at = tuple(wrong[0])
        return f"{len(wrong)} differ, first at {list(map(int, at))}: {got[at]}, wanted {want[at]}"
    want, got = want.astype(float), got.astype(float)
    if not np.array_equal(np.isnan(want), np.isnan(got)):
        return "NaN in other places"
    same = (want == got) | np.isnan(want)
    if same.all():
        return None
    finite = np.abs(want[np.isfinite(want)])
    scale = max(finite.max() if finite.size else 0.0, rules.SMALLEST_SCALE)
    error = np.where(same, 0.0, np.abs(want - got)) / scale
    at = np.unravel_index(np.argmax(error), error.shape)
    if error[at] <= rules.tolerance(field):
        return None
    place = list(map(int, at))
    return f"{place}: {got[at]!r}, wanted {want[at]!r} (relative {error[at]:.1e})"


def model_differences(want, got):
    """Differences of all public fields of the compiled model, by name."""
    found = {}
    for name in dir(want):
        if name.startswith("_") or name in rules.SKIPPED_MODEL:
            continue
        value = getattr(want, name)
        if callable(value):
            continue
        if not hasattr(got, name):
            found[name] = "missing"
        elif name in ("opt", "vis", "stat"):
            found.update(struct_differences(name, value, getattr(got, name)))
        else:
            how = difference(name, value, getattr(got, name))
            if how:
                found[name] = how
    return found


def struct_differences(path, want, got):
    found = {}
    for name in dir(want):
        if name.startswith("_"):
            continue
        value = getattr(want, name)
        if callable(value):
            continue
        full = f"{path}.{name}"
        if full in rules.SKIPPED_STRUCT:
            continue
        if not hasattr(got, name):
            found[full] = "missing"
        elif isinstance(value, (int, float, np.ndarray)):
            how = difference(full, value, getattr(got, name))
            if how:
                found[full] = how
        else:
            found.update(struct_differences(full, value, getattr(got, name)))
    return found
