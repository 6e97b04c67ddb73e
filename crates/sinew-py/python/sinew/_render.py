"""Images: `Renderer` and the `mjr_*` functions.

Images are drawn on the processor, without OpenGL, a window or a current context.
"""

import contextlib
import weakref

import numpy as np

from sinew import _enums, _sinew, _visual
from sinew._overlay import (
    MjrRect,
    _current,
    _parts,
    _rows,
    mjr_changeFont,
    mjr_drawPixels,
    mjr_figure,
    mjr_label,
    mjr_overlay,
    mjr_rectangle,
    mjr_text,
)


class GLContext:
    """Stand-in for MuJoCo's OpenGL context, which Sinew does not need."""

    def __init__(self, max_width=0, max_height=0):
        self.size = (max_width, max_height)

    def make_current(self):
        """Does nothing."""

    def free(self):
        """Does nothing."""

    @contextlib.contextmanager
    def as_current(self):
        """as_current()

        Does nothing, around a block.
        """
        yield self


class MjrContext:
    """A renderer of a model, and the image that was rendered last."""

    # settings of a context without a model
    offWidth, offHeight, offSamples, shadowSize = 800, 600, 0, 0
    lineWidth, windowAvailable = 1.0, 0
    currentBuffer = int(_enums.mjtFramebuffer.mjFB_OFFSCREEN)
    readDepthMap = int(_enums.mjtDepthMap.mjDEPTH_ZERONEAR)
    fontScale = 150

    def __init__(self, model=None, fontscale=150):
        self._model = model
        self._context = None
        if model is not None:
            self._context = _sinew.RenderContext(model, int(fontscale))
        _current[:] = [weakref.ref(self)]
        if model is not None:
            self.offWidth = model.vis.global_.offwidth
            self.offHeight = model.vis.global_.offheight
            self.offSamples = model.vis.quality.offsamples
            self.shadowSize = model.vis.quality.shadowsize
            self.lineWidth = model.vis.global_.linewidth
        self.fontScale = int(fontscale)
        self._picture = self._depth = None

    def _begin(self):
        """Creates an image if there is none."""
        if self._picture is None:
            self._picture = np.zeros((self.offHeight, self.offWidth, 3), np.uint8)
            self._depth = np.zeros((self.offHeight, self.offWidth), np.float32)

    def free(self):
        """Releases the renderer and the image."""
        self._context = self._picture = self._depth = None


def mjr_render(viewport: "MjrRect", scn: "MjvScene", con: "MjrContext") -> None:
    """Renders a scene to a rectangle of the context's image."""
    if con._context is None:
        raise _sinew.FatalError("mjr_render: the context was freed or has no model")
    if viewport.width <= 0 or viewport.height <= 0:
        return
    size = (viewport.width, viewport.height)
    picture = con._context.picture(con._model, scn, *size)
    depth = con._context.raw_depth(con._model, scn, *size)
    height = max(con.offHeight, viewport.bottom + viewport.height)
    width = max(con.offWidth, viewport.left + viewport.width)
    if con._picture is None or con._picture.shape[:2] != (height, width):
        con._picture = np.zeros((height, width, 3), np.uint8)
        con._depth = np.zeros((height, width), np.float32)
    columns = slice(viewport.left, viewport.left + viewport.width)
    con._picture[_rows(viewport, height), columns] = picture
    con._depth[_rows(viewport, height), columns] = depth


def mjr_readPixels(
    rgb: "NDArray[np.uint8] | None",
    depth: "NDArray[np.float32] | None",
    viewport: "MjrRect",
    con: "MjrContext",
) -> None:
    """Copies a rectangle of the context's image, the lowest row first."""
    picture, values = _parts(con, viewport)
    if rgb is not None:
        np.copyto(rgb, picture.reshape(rgb.shape))
    if depth is not None:
        if con.readDepthMap == int(_enums.mjtDepthMap.mjDEPTH_ZERONEAR):
            values = 1 - values
        np.copyto(depth, values.reshape(depth.shape))


def mjr_setBuffer(framebuffer: "SupportsIndex", con: "MjrContext") -> None:
    """Stores the buffer; a context has only one, and functions without a context draw to it."""
    con.currentBuffer = int(framebuffer)
    _current[:] = [weakref.ref(con)]


def mjr_restoreBuffer(con: "MjrContext") -> None:
    """Does nothing, because the buffer never changes."""


def mjr_resizeOffscreen(
    width: "SupportsIndex", height: "SupportsIndex", con: "MjrContext"
) -> None:
    """Changes the size of the image."""
    con.offWidth, con.offHeight = int(width), int(height)
    con._picture = con._depth = None


def mjr_maxViewport(con: "MjrContext") -> "MjrRect":
    """The rectangle of the whole image."""
    return MjrRect(0, 0, con.offWidth, con.offHeight)


def mjr_uploadTexture(m: "MjModel", con: "MjrContext", texid: "SupportsIndex") -> None:
    """Reads a changed texture."""
    con._context.upload(m, "texture", int(texid))


def mjr_uploadMesh(m: "MjModel", con: "MjrContext", meshid: "SupportsIndex") -> None:
    """Reads a changed mesh."""
    con._context.upload(m, "mesh", int(meshid))


def mjr_uploadHField(m: "MjModel", con: "MjrContext", hfieldid: "SupportsIndex") -> None:
    """Reads a changed height field."""
    con._context.upload(m, "hfield", int(hfieldid))


def mjr_finish() -> None:
    """Does nothing, because rendering functions return finished images."""


def mjr_getError() -> "int":
    """Zero, because there are no OpenGL errors."""
    return 0


class Renderer:
    """Renders scenes of a model, without OpenGL."""

    def __init__(self, model, height=240, width=320, max_geom=10000, font_scale=None):
        glob = model.vis.global_
        for name, value, limit in (
            ("width", width, glob.offwidth),
            ("height", height, glob.offheight),
        ):
            if value > limit:
                raise ValueError(
                    f"Image {name} {value} > framebuffer {name} {limit}. Either reduce the image "
                    f"{name} or specify a larger offscreen framebuffer in the model XML using the "
                    f'clause:\n<visual>\n  <global off{name}="my_{name}"/>\n</visual>'
                )
        self._width, self._height, self._model = width, height, model
        self._scene = _visual.MjvScene(model, max_geom)
        self._scene_option = _visual.MjvOption()
        scale = _enums.mjtFontScale.mjFONTSCALE_150 if font_scale is None else font_scale
        self._context = _sinew.RenderContext(model, int(scale))
        self._mode = "picture"

    model = property(lambda self: self._model, doc="The model.")
    scene = property(lambda self: self._scene, doc="The scene, to which geoms may be added.")
    height = property(lambda self: self._height, doc="Rows of pixels.")
    width = property(lambda self: self._width, doc="Pixels in a row.")

    def enable_depth_rendering(self):
        """Makes `render` return distances along the line of sight."""
        self._mode = "depth"

    def disable_depth_rendering(self):
        """Makes `render` return colours."""
        if self._mode == "depth":
            self._mode = "picture"

    def enable_segmentation_rendering(self):
        """Makes `render` return ids and types of objects, -1 for the background."""
        self._mode = "segmentation"

    def disable_segmentation_rendering(self):
        """Makes `render` return colours."""
        if self._mode == "segmentation":
            self._mode = "picture"

    def render(self, *, out=None):
        """The image as an array: colours of (height, width, 3), distances of (height, width), or
        ids and types of (height, width, 2)."""
        if self._context is None:
            raise RuntimeError("render cannot be called after close.")
        shape = (self._height, self._width) if self._mode == "depth" else (self._height, self._width, 3)
        if out is not None and out.shape != shape:
            raise ValueError(
                f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead. When using "
                "depth rendering, the out array should be of shape `(width, height)` and "
                f"otherwise (width, height, 3). Got `(self.height, self.width)="
                f"{(self.height, self.width)}` and `self._depth_rendering="
                f"{self._mode == 'depth'}`."
            )
        draw = getattr(self._context, self._mode)
        image = draw(self._model, self._scene, self._width, self._height)
        if out is None or self._mode == "segmentation":
            return image
        out[:] = image
        return out

    def _camera(self, camera):
        if isinstance(camera, _visual.MjvCamera):
            return camera
        number = camera
        if isinstance(camera, str):
            number = _sinew.mj_name2id(self._model, int(_enums.mjtObj.mjOBJ_CAMERA), camera)
            if number == -1:
                raise ValueError(f'The camera "{camera}" does not exist.')
        if not -1 <= number < self._model.ncam:
            raise ValueError(
                f"The camera id {number} is out of range [-1, {self._model.ncam})."
            )
        made = _visual.MjvCamera()
        if number == -1:
            _visual.mjv_defaultFreeCamera(self._model, made)
        else:
            made.type, made.fixedcamid = int(_enums.mjtCamera.mjCAMERA_FIXED), number
        return made

    def update_scene(self, data, camera=-1, scene_option=None):
        """Updates the scene, with a camera given by id, name or `MjvCamera`."""
        option = scene_option or self._scene_option
        every = int(_enums.mjtCatBit.mjCAT_ALL)
        _visual.mjv_updateScene(
            self._model, data, option, None, self._camera(camera), every, self._scene
        )

    def render_batch(self, datas, camera=-1, scene_option=None):
        """Images of several states of the model: an array of (states, height, width, 3)."""
        if self._context is None:
            raise RuntimeError("render cannot be called after close.")
        option, camera = scene_option or self._scene_option, self._camera(camera)
        size = [self._height, self._width]
        return self._context.batch(self._model, list(datas), option._mem, camera._mem, size)

    def close(self):
        """Releases the renderer; may be called again."""
        self._context = None

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        self.close()


for _cls in (GLContext, MjrRect, MjrContext, Renderer):
    _cls.__module__ = "sinew"

__all__ = [n for n in dir() if n.startswith("mjr_")]
