"""Arrays of fields whose numbers live in another place than the array."""

import weakref

import numpy as np


class Rows(np.ndarray):
    """An array of a field. Writing an element sets the whole field, or raises the field's error.

    The memory is read-only, so any other way to write is an error.
    """

    # the whole array has a setter; a part of it has the whole array
    _setter = None
    _whole = None

    @classmethod
    def of(cls, array, field, owner):
        """The array of a field of an object."""
        rows = array.view(cls)
        rows._setter = (field, weakref.ref(owner))
        rows.flags.writeable = False
        return rows

    def __array_finalize__(self, source):
        if isinstance(source, Rows):
            self._whole = source if source._setter else source._whole

    def _shown(self):
        """The whole array, if this is it or a part of it, and not a copy."""
        if self._setter:
            return self
        is_part = self._whole is not None and np.may_share_memory(self, self._whole)
        return self._whole if is_part else None

    def _write(self, change):
        """Changes this array's numbers by a function, and sets the field."""
        whole = self._shown()
        if whole is None:
            return change(self.view(np.ndarray))
        field, owner = whole._setter
        before = np.array(whole)
        whole.flags.writeable = self.flags.writeable = True
        try:
            change(self.view(np.ndarray))
            if owner() is not None:
                field.__set__(owner(), np.array(whole))
        except BaseException:
            whole.view(np.ndarray)[...] = before
            raise
        finally:
            whole.flags.writeable = self.flags.writeable = False

    def __setitem__(self, key, value):
        self._write(lambda array: array.__setitem__(key, value))

    def __repr__(self):
        return repr(self.view(np.ndarray))

    def fill(self, value):
        """Writes one value into all elements."""
        self._write(lambda array: array.fill(value))

    def __array_ufunc__(self, ufunc, method, *inputs, out=(), **options):
        plain = [a.view(np.ndarray) if isinstance(a, Rows) else a for a in inputs]
        if not any(isinstance(array, Rows) for array in out):
            return getattr(ufunc, method)(*plain, **({"out": out} if out else {}), **options)
        if method == "at" or len(out) != 1:
            raise TypeError(f"{ufunc.__name__}.{method} cannot write into this array")
        result = getattr(ufunc, method)(*plain, **options)
        out[0]._write(lambda array: np.copyto(array, result, casting="same_kind"))
        return out[0]
