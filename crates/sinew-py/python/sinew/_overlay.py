"""Drawing over an image: text, overlays, labels, figures (`mjr_text`, `mjr_overlay`, ...).

The layout is MuJoCo's; the font is Sinew's own, of 5 x 7 dots.
"""

import numpy as np

from sinew import _enums, _sinew
from sinew._records import _describe

# pixels between texts and edges
_PAD = 5
# dots between the origins of neighbouring characters, and of neighbouring lines
_ADVANCE, _LINE = 6, 9


class MjrRect:
    """A rectangle of pixels; `bottom` is measured upwards from the lower edge."""

    __slots__ = ("left", "bottom", "width", "height")

    def __init__(self, left, bottom, width, height):
        self.left, self.bottom = int(left), int(bottom)
        self.width, self.height = int(width), int(height)

    def __eq__(self, other):
        if not isinstance(other, MjrRect):
            return NotImplemented
        return all(getattr(self, n) == getattr(other, n) for n in self.__slots__)

    __hash__ = None

    def __copy__(self):
        return MjrRect(self.left, self.bottom, self.width, self.height)

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __repr__(self):
        return _describe(self, self.__slots__)


# the current context: the one that was made or selected last, as in OpenGL
_current = []


def _rows(viewport, height):
    """Rows of an image, counted from the top, that a rectangle covers."""
    top = height - viewport.bottom - viewport.height
    return slice(max(0, top), max(0, top + viewport.height))


def _parts(con, viewport):
    """Colours and depths in a rectangle of the image, the lowest row first."""
    con._begin()
    rows = _rows(viewport, len(con._picture))
    columns = slice(viewport.left, viewport.left + viewport.width)
    return con._picture[rows, columns][::-1], con._depth[rows, columns][::-1]


def _dot(font, con):
    """Width of a font's dot in pixels."""
    big = int(font) == int(_enums.mjtFont.mjFONT_BIG)
    return max(1, (con.fontScale + 50) // 100) + big


def _width(text, dot):
    return _ADVANCE * dot * len(text)


def _text(text):
    """Decodes text given as bytes, which MuJoCo accepts."""
    return text.decode("latin-1") if isinstance(text, bytes) else text


def _bytes(colour):
    return [int(c) for c in np.rint(255 * np.clip(colour, 0, 1))]


def _write(con, font, text, left, bottom, colour):
    """Writes a line of text to the image; `bottom` is measured upwards from the lower edge."""
    con._begin()
    shadow = int(font) == int(_enums.mjtFont.mjFONT_SHADOW)
    place = [int(left), len(con._picture) - int(bottom)]
    _sinew.draw_text(con._picture, place, text, _dot(font, con), _bytes(colour), shadow)


def _fill(con, rect, colour):
    """Blends a rectangle with a colour and alpha over the image."""
    con._begin()
    columns = slice(max(rect.left, 0), max(rect.left + rect.width, 0))
    part = con._picture[_rows(rect, len(con._picture)), columns]
    *rgb, alpha = (min(max(float(c), 0), 1) for c in colour)
    part[...] = np.rint(alpha * 255 * np.array(rgb) + (1 - alpha) * part)


def mjr_rectangle(
    viewport: "MjrRect", r: "float", g: "float", b: "float", a: "float"
) -> None:
    """Fills a rectangle of the current context's image."""
    con = _current[0]() if _current else None
    if con is not None:
        _fill(con, viewport, (r, g, b, a))


def mjr_text(
    font: "SupportsIndex",
    txt: "str",
    con: "MjrContext",
    x: "float",
    y: "float",
    r: "float",
    g: "float",
    b: "float",
) -> None:
    """Writes text at a position of the image, from 0 to 1 to the right and upwards."""
    if 0 <= x <= 1 and 0 <= y <= 1:
        _write(con, font, _text(txt), x * con.offWidth, y * con.offHeight, (r, g, b))


def _column(con, font, gridpos, viewport, skip, grey, text):
    """Writes a column of an overlay and returns its width."""
    dot, lines = _dot(font, con), text.split("\n")
    line = _LINE * dot
    width = _PAD + max(_width(t, dot) for t in lines) + 8
    height = _PAD + line * len(lines) + _PAD * (len(lines) - 1)

    # horizontal position (left, right, between) and vertical position (top, bottom, between)
    place = _enums.mjtGridPos(int(gridpos)).name.removeprefix("mjGRID_")
    left, bottom = viewport.left, viewport.bottom
    if place.endswith("LEFT"):
        left += skip + _PAD
    elif place.endswith("RIGHT"):
        left += viewport.width - skip - 1 - _PAD - width
    else:
        left += (viewport.width - skip - width) // 2 - 1 - _PAD
    if place.startswith("TOP"):
        bottom += viewport.height - 1 - _PAD - height
    elif place.startswith("BOTTOM"):
        bottom += _PAD
    else:
        bottom += (viewport.height - height) // 2 - 1 - _PAD

    _fill(con, MjrRect(left, bottom, width, height), (0, 0, 0, 0.5))
    for i, t in enumerate(lines):
        below = bottom + height - line * (i + 1) - _PAD * i
        _write(con, font, t, left + 3, below, (grey, grey, grey))
    return width - 2


def mjr_overlay(
    font: "SupportsIndex",
    gridpos: "SupportsIndex",
    viewport: "MjrRect",
    overlay: "str",
    overlay2: "str",
    con: "MjrContext",
) -> None:
    """Writes one or two columns of text at an edge of a rectangle."""
    if viewport.width <= 0 or viewport.height <= 0:
        return
    overlay, overlay2 = _text(overlay), _text(overlay2)
    columns = [(1, overlay)]
    if overlay2:
        columns = [(0.7, overlay), (1, overlay2)]
        if not _enums.mjtGridPos(int(gridpos)).name.endswith("LEFT"):
            columns.reverse()
    skip = 0
    for grey, text in columns:
        skip = _column(con, font, gridpos, viewport, skip, grey, text)


def mjr_label(
    viewport: "MjrRect",
    font: "SupportsIndex",
    txt: "str",
    r: "float",
    g: "float",
    b: "float",
    a: "float",
    rt: "float",
    gt: "float",
    bt: "float",
    con: "MjrContext",
) -> None:
    """Fills a rectangle and writes a text in its middle."""
    if viewport.width <= 0 or viewport.height <= 0:
        return
    txt = _text(txt)
    _fill(con, viewport, (r, g, b, a))
    dot = _dot(font, con)
    left = viewport.left + max(0, (viewport.width - _width(txt, dot)) // 2)
    bottom = viewport.bottom + (viewport.height - _LINE * dot) // 2
    _write(con, font, txt, left, bottom, (rt, gt, bt))


def _ranges(fig, lines):
    """The limits of both axes."""
    out = []
    for axis in range(2):
        low, high = (float(x) for x in fig.range[axis])
        values = np.concatenate([line[:, axis] for line in lines]) if lines else np.zeros(0)
        if len(values) and (fig.flg_extend or low >= high):
            low = min(low, values.min()) if low < high else values.min()
            high = max(high, values.max()) if low < high else values.max()
        if axis and fig.flg_symmetric:
            low, high = -max(abs(low), abs(high)), max(abs(low), abs(high))
        out.append((low, high if high > low else low + 1))
    return out


def _stroke(con, rect, points, colour, width):
    """Draws a polyline, in pixels relative to the lower left corner of a rectangle."""
    colour, reach = _bytes(colour), max(int(width), 1)
    rows = con._picture[_rows(rect, len(con._picture)), rect.left : rect.left + rect.width][::-1]
    for a, b in zip(points[:-1], points[1:]):
        count = int(min(max(np.abs(b - a).max(), 1), 1e5)) + 1
        at = np.rint(a + (b - a) * np.linspace(0, 1, count)[:, None]).astype(int)
        for dx in range(reach):
            for dy in range(reach):
                x, y = at[:, 0] + dx - reach // 2, at[:, 1] + dy - reach // 2
                kept = (x >= 0) & (y >= 0) & (x < rows.shape[1]) & (y < rows.shape[0])
                rows[y[kept], x[kept]] = colour


def mjr_figure(viewport: "MjrRect", fig: "MjvFigure", con: "MjrContext") -> None:
    """Draws a figure: title, axes with tick labels, grid, lines and their names."""
    if viewport.width <= 0 or viewport.height <= 0:
        return
    _fill(con, viewport, fig.figurergba)
    normal, dot = _enums.mjtFont.mjFONT_NORMAL, _dot(_enums.mjtFont.mjFONT_NORMAL, con)
    line, text = _LINE * dot, tuple(fig.textrgb)
    used = [i for i in range(len(fig.linepnt)) if fig.linepnt[i] > 0]
    lines = [fig.linedata[i][: 2 * fig.linepnt[i]].reshape(-1, 2).astype(float) for i in used]
    ranges = _ranges(fig, lines)

    # tick labels of the axes
    ticks = [np.linspace(*ranges[k], max(int(fig.gridsize[k]), 2)) for k in range(2)]
    names = [[form % x for x in t] for form, t in zip((fig.xformat, fig.yformat), ticks)]
    shown = [bool(flag) for flag in fig.flg_ticklabel]

    # the plot area between the texts
    wide = max(_width(n, dot) for n in [*names[1], fig.minwidth]) if shown[1] else 0
    below = _PAD + line * (bool(fig.xlabel) + shown[0])
    above = _PAD + line * bool(fig.title)
    pane = MjrRect(
        viewport.left + _PAD + wide,
        viewport.bottom + below,
        max(viewport.width - 2 * _PAD - wide, 1),
        max(viewport.height - below - above, 1),
    )
    _fill(con, pane, fig.panergba)

    def places(points):
        low, high = np.array(ranges).T
        return (points - low) / (high - low) * (pane.width - 1, pane.height - 1)

    # grid and texts
    middle = viewport.left + viewport.width // 2
    for label, bottom in ((fig.title, pane.bottom + pane.height), (fig.xlabel, viewport.bottom)):
        _write(con, normal, label, middle - _width(label, dot) // 2, bottom + _PAD // 2, text)
    for axis in range(2):
        for tick, name in zip(ticks[axis], names[axis]):
            ends = np.array(ranges).T
            ends[:, axis] = tick
            ends = places(ends)
            _stroke(con, pane, ends, fig.gridrgb, fig.gridwidth)
            x, y = pane.left + int(ends[0, 0]), pane.bottom + int(ends[0, 1])
            if axis == 0 and shown[0]:
                left = min(x - _width(name, dot) // 2, viewport.left + viewport.width)
                _write(con, normal, name, left, pane.bottom - line, text)
            elif axis == 1 and shown[1]:
                _write(con, normal, name, pane.left - _width(name, dot), y - line // 2, text)

    # lines and their names
    for i, points in zip(used, lines):
        _stroke(con, pane, places(points), fig.linergb[i], fig.linewidth)
    if fig.flg_legend:
        for k, i in enumerate(used):
            name = fig.linename[i].decode(errors="replace")
            left = pane.left + pane.width - _width(name, dot) - _PAD
            bottom = pane.bottom + pane.height - line * (k + 1 + fig.legendoffset) - _PAD
            _write(con, _enums.mjtFont.mjFONT_SHADOW, name, left, bottom, fig.linergb[i])

    # positions of the axes in pixels, for programs that interpret mouse positions
    fig.xaxispixel = (pane.left, pane.left + pane.width)
    fig.yaxispixel = (pane.bottom, pane.bottom + pane.height)
    fig.xaxisdata, fig.yaxisdata = ranges


def mjr_changeFont(fontscale: "SupportsIndex", con: "MjrContext") -> None:
    """Sets the size of text in percent."""
    con.fontScale = int(fontscale)
    if con._context is not None:
        con._context.set_font_scale(con.fontScale)


def mjr_drawPixels(
    rgb: "NDArray[np.uint8] | None",
    depth: "NDArray[np.float32] | None",
    viewport: "MjrRect",
    con: "MjrContext",
) -> None:
    """Copies colours, or depths, into a rectangle of the picture, the lowest row first."""
    picture, depths = _parts(con, viewport)
    if rgb is not None:
        picture[...] = np.asarray(rgb, np.uint8).reshape(picture.shape)
    if depth is not None:
        depths[...] = np.asarray(depth, np.float32).reshape(depths.shape)
