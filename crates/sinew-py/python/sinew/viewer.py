"""The viewer in the browser, with the interface of `mujoco.viewer`.

`launch` shows a model and makes its steps; `launch_passive` shows the state of a script. Both serve
a page to this machine only and open it in the browser, or in a notebook as a frame. The address is
printed, so that the page can be opened elsewhere, for example through a forwarded port. No window
system, OpenGL or special interpreter is needed.
"""

import atexit
import base64
import contextlib
import json
import os
import pathlib
import sys
import tempfile
import threading
import time
import weakref
import webbrowser

import numpy as np

from sinew import _enums, _functions, _render, _sinew, _structs, _visual

# maximum number of geoms in a user scene
MAX_GEOM = 10000
# seconds without an open page after which the viewer counts as closed
_GRACE = 5.0


def _in_notebook():
    """Whether the program runs in a notebook."""
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def _can_open():
    """Whether there is a graphical browser; a text browser would occupy the terminal."""
    if os.environ.get("SINEW_VIEWER_OPEN", "1") == "0":
        return False
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _show(url, local, open_browser):
    """Opens a page, or prints its address."""
    if not local:
        print(
            "sinew.viewer: anyone who can reach this machine and learns the address can steer the "
            "simulation; nothing is encrypted",
            file=sys.stderr,
        )
    if _in_notebook():
        from IPython.display import IFrame, display

        display(IFrame(url, "100%", 560))
        return
    print(f"sinew.viewer: {url}", file=sys.stderr, flush=True)
    if open_browser and _can_open():
        webbrowser.open(url)


def _page(url, left, right):
    """The address of a page with hidden panels."""
    hidden = [word for word, shown in (("no-left", left), ("no-right", right)) if not shown]
    return url + ("?" + "&".join(hidden) if hidden else "")


class _Pages:
    """Tracks open pages: a viewer is closed when all its pages are closed."""

    def __init__(self, server, ends):
        self.server, self.ends = server, ends
        self.seen = None

    def are_closed(self):
        if self.server.viewers:
            self.seen = time.monotonic()
        return self.ends and self.seen is not None and time.monotonic() - self.seen > _GRACE


class _Widget:
    """A widget of the page; its number is the server's."""

    def __init__(self, server, id, name, callback):
        if callback is not None and not callable(callback):
            raise ValueError(f"`callback` is not callable: got {callback!r}")
        self._server, self._id, self.name, self.callback = server, id, name, callback

    def remove(self):
        """Removes it from the page."""
        self._server.remove_widget(self._id)

    def _touched(self):
        if self.callback is not None:
            self.callback(self.value)

    def __repr__(self):
        return f"<{type(self).__name__} {self.name!r}: {self.value!r}>"


class Slider(_Widget):
    """A slider; `value` is its number, which users and the script may set."""

    @property
    def value(self):
        return self._server.number(self._id)

    @value.setter
    def value(self, x):
        self._server.set_number(self._id, float(x))


class Text(_Widget):
    """A text; `value` is its content, which the script may set, and users if it is editable."""

    @property
    def value(self):
        return self._server.text(self._id)

    @value.setter
    def value(self, text):
        self._server.set_text(self._id, str(text))


class Button(_Widget):
    """A button; `value` is how often it was pressed."""

    value = 0

    def _touched(self):
        self.value += 1
        super()._touched()


class Handle:
    """A script's handle of a passive viewer.

    `sync` reads and writes `cam`, `opt` and `perturb`, including changes that users make in the
    page. Geoms in `user_scn` are shown beside the model's. `add_slider`, `add_button` and `add_text`
    add widgets to the page.
    """

    def __init__(self, server, model, data, key_callback, name, ends):
        self._server, self._m, self._d = server, model, data
        self._key_callback, self._name = key_callback, name
        self._cam, self._opt = _visual.MjvCamera(), _visual.MjvOption()
        self._pert = _visual.MjvPerturb()
        self._user_scn = _visual.MjvScene(model, MAX_GEOM)
        self._lock = threading.RLock()
        self._pages = _Pages(server, ends)
        self._widgets = {}
        self._overlay = {"texts": [], "images": [], "figures": []}
        server.look(self._opt._mem, self._pert._mem, self._cam._mem)

    cam = property(lambda self: self._cam, doc="Where the viewer looks from.")
    opt = property(lambda self: self._opt, doc="What is shown.")
    perturb = property(lambda self: self._pert, doc="What the user holds.")
    user_scn = property(lambda self: self._user_scn, doc="Geoms of the script's own.")

    @property
    def m(self):
        """The model; None after `close`."""
        return self._m if self._server else None

    @property
    def d(self):
        """The data; None after `close`."""
        return self._d if self._server else None

    @property
    def url(self):
        """The address of the page; None after `close`."""
        return self._server.url if self._server else None

    @property
    def viewport(self):
        """The size of the page that was resized last; None after `close`."""
        return _render.MjrRect(0, 0, *self._server.size) if self._server else None

    def is_running(self):
        """Whether neither the script nor its user has closed the viewer.

        Users close it by closing its pages. The viewer counts as running until the first page
        opens.
        """
        if self._server and self._pages.are_closed():
            self.close()
        return self._server is not None

    def lock(self):
        """A context in which the viewer does not use the data."""
        return self._lock if self._server else contextlib.nullcontext()

    def sync(self, state_only=False):
        """Shows the state, and applies the users' actions since the last call.

        `state_only` is accepted without effect: changes of the model are always shown, except for
        meshes, height fields and textures.
        """
        server = self._server
        if server is None:
            return
        with self._lock:
            memory = (self._opt._mem, self._pert._mem, self._cam._mem)
            keys, touched = server.sync(self._m, self._d, *memory, self._user_scn)
        for key in keys if self._key_callback else ():
            self._key_callback(key)
        for widget in filter(None, map(self._widgets.get, touched)):
            widget._touched()

    def _add(self, kind, add, name, *arguments, callback):
        if self._server is None:
            raise RuntimeError("the viewer is closed")
        widget = kind(self._server, None, str(name), callback)
        widget._id = getattr(self._server, add)(str(name), *arguments)
        self._widgets[widget._id] = widget
        return widget

    def add_slider(self, name, low, high, value=None, callback=None):
        """Adds a slider between two numbers to the page; returns a `Slider`.

        `sync` calls `callback` with the value that a user has chosen, in the script's thread.
        """
        low, high = float(low), float(high)
        if not (np.isfinite([low, high]).all() and low < high):
            raise ValueError(f"a slider needs low < high: got {low} and {high}")
        value = low if value is None else float(value)
        return self._add(Slider, "add_slider", name, low, high, value, callback=callback)

    def add_button(self, name, callback=None):
        """Adds a button to the page; returns a `Button`.

        `sync` calls `callback` for every press, with the number of presses so far.
        """
        return self._add(Button, "add_button", name, callback=callback)

    def add_text(self, name, value="", callback=None, editable=None):
        """Adds a text to the page; returns a `Text`.

        Users may change it if it is `editable`, the default with a `callback`.
        """
        editable = callback is not None if editable is None else bool(editable)
        return self._add(Text, "add_text", name, str(value), editable, callback=callback)

    def _resend(self, what, number, count):
        if not 0 <= number < count:
            raise ValueError(f"there is no {what} {number}: the model has {count}")
        if self._server:
            with self._lock:
                self._server.post_model(self._m, self._name, False)

    def update_hfield(self, hfieldid):
        """Shows the new heights of a height field."""
        self._resend("hfield", hfieldid, self._m.nhfield)

    def update_mesh(self, meshid):
        """Shows the new vertices of a mesh."""
        self._resend("mesh", meshid, self._m.nmesh)

    def update_texture(self, texid):
        """Shows the new pixels of a texture."""
        self._resend("texture", texid, self._m.ntex)

    def _lay_over(self, kind, things):
        self._overlay[kind] = things
        if self._server:
            self._server.overlay(json.dumps(self._overlay))

    def set_texts(self, texts):
        """Lays texts over the view: one or several of (font, place, left text, right text)."""
        fonts, places = _enums.mjtFontScale, _enums.mjtGridPos
        default = (int(fonts.mjFONTSCALE_150), int(places.mjGRID_TOPLEFT), "", "")
        texts = [texts] if isinstance(texts, tuple) else texts
        filled = [[d if x is None else x for x, d in zip(text, default)] for text in texts]
        self._lay_over("texts", [[int(f), int(p), str(a), str(b)] for f, p, a, b in filled])

    def clear_texts(self):
        """Removes all texts."""
        self._lay_over("texts", [])

    def set_images(self, viewports_images):
        """Lays images over the view: one or several of (viewport, array of height, width, 3)."""
        several = viewports_images
        several = [several] if isinstance(several, tuple) else several
        images = []
        for rect, image in several:
            wanted = (rect.height, rect.width)
            if image.shape[:2] != wanted:
                raise ValueError(f"Image shape {image.shape[:2]} does not match target shape {wanted}")
            pixels = np.ascontiguousarray(image[..., :3], np.uint8)
            images.append({"rect": _rect(rect), "data": base64.b64encode(pixels).decode()})
        self._lay_over("images", images)

    def clear_images(self):
        """Removes all images."""
        self._lay_over("images", [])

    def set_figures(self, viewports_figures):
        """Lays figures over the view: one or several of (viewport, MjvFigure)."""
        several = viewports_figures
        several = [several] if isinstance(several, tuple) else several
        self._lay_over("figures", [_figure(rect, figure) for rect, figure in several])

    def clear_figures(self):
        """Removes all figures."""
        self._lay_over("figures", [])

    def close(self):
        """Closes the viewer and informs its pages; may be called again."""
        server, self._server = self._server, None
        if server is not None:
            server.close()

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.close()

    def _repr_html_(self):
        if self._server is None:
            return "<i>a viewer that was closed</i>"
        return f'<iframe src="{self.url}" width="100%" height="560" frameborder="0"></iframe>'


def _rect(rect):
    return [rect.left, rect.bottom, rect.width, rect.height]


def _figure(rect, figure):
    """The lines of a figure in the form that the page draws."""
    used = [i for i in range(len(figure.linepnt)) if figure.linepnt[i] > 0]
    lines = [figure.linedata[i][: 2 * figure.linepnt[i]].reshape(-1, 2).tolist() for i in used]
    color = lambda rgb: "rgb(%d,%d,%d)" % tuple(int(255 * min(1, max(0, x))) for x in rgb)
    return {
        "rect": _rect(rect),
        "title": figure.title,
        "lines": lines,
        "colors": [color(figure.linergb[i]) for i in used],
        "range": np.asarray(figure.range, float).tolist(),
    }


_handles = weakref.WeakSet()


@atexit.register
def _close_all():
    for handle in list(_handles):
        handle.close()


def launch_passive(
    model,
    data,
    *,
    key_callback=None,
    show_left_ui=True,
    show_right_ui=True,
    address="127.0.0.1",
    port=0,
    open_browser=True,
    close_with_page=True,
):
    """Shows the state of a script, and immediately returns a `Handle`, a context manager.

    The script makes the steps and calls `sync` to update the page. `sync` calls `key_callback` with
    GLFW's key numbers, in the script's thread. The viewer counts as closed when all its pages are
    closed, unless `close_with_page` is False.
    """
    if not isinstance(model, _structs.MjModel):
        raise ValueError(f"`model` is not a mujoco.MjModel: got {model!r}")
    if not isinstance(data, _structs.MjData):
        raise ValueError(f"`data` is not a mujoco.MjData: got {data!r}")
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: got {key_callback!r}")
    _functions.mj_forward(model, data)
    server = _sinew.ViewServer(model, "", address, port, True)
    handle = Handle(server, model, data, key_callback, "", close_with_page)
    _handles.add(handle)
    handle.sync()
    _show(_page(server.url, show_left_ui, show_right_ui), server.local, open_browser)
    return handle


def _file_loader(path, confine=False):
    def load():
        if str(path).endswith(".mjb"):
            model = _structs.MjModel.from_binary_path(str(path))
        else:
            model = _structs.MjModel.from_xml_path(str(path), confine=confine)
        return model, _structs.MjData(model), str(path)

    return load


def _loaded(loader):
    """The model, data and name returned by a loader."""
    model, data, *path = loader()
    if data is None:
        data = _structs.MjData(model)
    return model, data, (str(path[0]) if path else "")


def _take_files(files):
    """A loader of files dropped on the page, and their temporary folder."""
    folder = tempfile.TemporaryDirectory(prefix="sinew-viewer-")
    found = None
    for name, content in files:
        path = pathlib.Path(folder.name, pathlib.PurePath(name.replace("\\", "/")).name)
        path.write_bytes(bytes(content))
        is_model = path.suffix.lower() in (".mjb", ".xml", ".mjcf", ".urdf")
        if found is None and is_model:
            found = path
    if found is None:
        raise ValueError("none of these files is a model")
    # an untrusted model may refer only to files dropped with it
    return _file_loader(found, confine=True), folder


def _changed(path, before):
    try:
        info = os.stat(path)
    except OSError:
        return before
    return (info.st_mtime_ns, info.st_size)


class _Show:
    """A viewer that makes the steps itself, until its pages are closed."""

    def __init__(self, loader, address, port):
        self.loader, self.folder = loader, None
        self.model, self.data, self.name = _loaded(loader)
        _functions.mj_forward(self.model, self.data)
        self.server = _sinew.ViewServer(self.model, self.name, address, port, True)
        self.stamp = _changed(self.name, None) if self.name else None
        self.looked = time.monotonic()

    def reload(self, loader, folder=None):
        """Reloads the model; on failure the old model stays and the page shows the error."""
        try:
            model, data, name = _loaded(loader)
        except Exception as error:
            self.server.notice("The model does not load; the last one that did is shown", str(error))
            return
        self.loader, self.model, self.data, self.name = loader, model, data, name
        self.folder = folder or self.folder
        _functions.mj_forward(model, data)
        self.server.notice("", "")
        self.server.post_model(model, name, True)

    def saved(self):
        """Whether the file of the model was saved; checks the disk at intervals."""
        if not self.name or time.monotonic() - self.looked < 0.3:
            return False
        self.looked = time.monotonic()
        before, self.stamp = self.stamp, _changed(self.name, self.stamp)
        return self.stamp != before

    def run(self, pages):
        while not pages.are_closed():
            request = self.server.play(self.model, self.data)
            word, files = request or (None, None)
            if word == "quit":
                return
            if word == "reload" or self.saved():
                self.reload(self.loader)
            elif word == "drop":
                try:
                    self.reload(*_take_files(files))
                except (ValueError, OSError) as error:
                    self.server.notice("Nothing was loaded", str(error))


def launch(
    model=None,
    data=None,
    *,
    loader=None,
    show_left_ui=True,
    show_right_ui=True,
    address="127.0.0.1",
    port=0,
    open_browser=True,
    close_with_page=True,
):
    """Shows a model, makes its steps, and returns when its pages are closed.

    A `loader` returns a model and its data, and is called again when the page requests a reload.
    Without a model the page is empty and accepts dropped files.
    """
    if model is None and data is not None:
        raise ValueError("mjData is specified but mjModel is not")
    if callable(model) and data is not None:
        raise ValueError("mjData should not be specified when an mjModel loader is used")
    if loader is not None and model is not None:
        raise ValueError("model and loader are both specified")
    if callable(model) and not isinstance(model, _structs.MjModel):
        loader = model
    if loader is None:
        model = _structs.MjModel.from_xml_string("<mujoco/>") if model is None else model
        loader = lambda: (model, data)
    show = _Show(loader, address, port)
    try:
        _show(_page(show.server.url, show_left_ui, show_right_ui), show.server.local, open_browser)
        show.run(_Pages(show.server, close_with_page))
    except KeyboardInterrupt:
        pass
    finally:
        show.server.close()


def launch_from_path(path, **options):
    """Shows a model file, MJCF, URDF or MJB, and reloads it when it is saved."""
    launch(loader=_file_loader(os.fspath(path)), **options)


if __name__ == "__main__":
    import argparse

    parser = argparse.ArgumentParser(description="Shows a model in the browser.")
    parser.add_argument("--mjcf", help="Path to MJCF file.")
    path = parser.parse_args().mjcf
    launch_from_path(os.path.expanduser(path)) if path else launch()
