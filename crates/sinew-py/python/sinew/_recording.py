"""Trajectories as HTML pages that need no server."""

import base64
import os
import pathlib

from sinew import _functions, _sinew, _visual


class Recording:
    """Recording(model, fps=60, camera=None, opt=None, name="")

    A trajectory as one HTML file, which opens without a server. The page can be played, scrubbed
    and viewed from all sides, with contact forces and plots.

        recording = sinew.Recording(model)
        while data.time < 5:
            sinew.mj_step(model, data)
            recording.append(data)
        recording.save("walk.html")

    States that follow the last recorded one by less than 1 / `fps` simulated seconds are skipped,
    unless `fps` is None. Therefore `append` may be called after every step. `camera` is an
    `MjvCamera`, or a camera of the model by name or number; `opt` is an `MjvOption`. A notebook
    displays a recording as a page.
    """

    def __init__(self, model, fps=60, camera=None, opt=None, name=""):
        if fps is not None and not fps > 0:
            raise ValueError(f"fps should be positive or None: got {fps!r}")
        if camera is not None and not isinstance(camera, _visual.MjvCamera):
            camera = _fixed(model, camera)
        opt = _visual.MjvOption() if opt is None else opt
        self._model, self._gap = model, (1 / fps if fps else 0.0)
        self._last = None
        memory = camera._mem if camera is not None else None
        self._page = _sinew.RecordedPage(model, str(name), opt._mem, memory)

    def __len__(self):
        return len(self._page)

    def append(self, data):
        """Appends the state unless it follows the last one too soon; returns whether it was
        appended.

        Positions, contacts and forces are those of the last `mj_step` or `mj_forward`.
        """
        time = data.time
        # rounding of the time must not drop a frame
        soon = self._last is not None and 0 <= time - self._last < self._gap * (1 - 1e-6)
        if soon and self._gap:
            return False
        self._page.append(self._model, data)
        self._last = time
        return True

    def html(self):
        """The page as a string."""
        return self._page.html()

    def save(self, path):
        """Writes the page to a file."""
        pathlib.Path(os.fspath(path)).write_text(self.html(), encoding="utf-8")

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return None

    def _repr_html_(self):
        # an iframe separates the script and style of the page from the notebook
        page = base64.b64encode(self.html().encode()).decode()
        return (
            f'<iframe src="data:text/html;base64,{page}" width="100%" height="560" '
            'frameborder="0"></iframe>'
        )


def _fixed(model, camera):
    """A camera of the model, by name or number."""
    number = camera
    if isinstance(camera, str):
        number = _functions.mj_name2id(model, 7, camera)
    if not 0 <= number < model.ncam:
        raise ValueError(f"the model has no camera {camera!r}")
    out = _visual.MjvCamera()
    out.type, out.fixedcamid = 2, number
    return out


Recording.__module__ = "sinew"
