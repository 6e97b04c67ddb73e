"""Draws learning curves as an SVG picture: a panel for each robot.

    python plot_curve.py Hopper-0.csv Hopper-1.csv Hopper-mujoco-0.csv --out hopper.svg
    python plot_curve.py docs/learning/*.csv --over minutes --out docs/learning-minutes.svg

A file is a `curve.csv` of a training, named after its robot and its seed. Runs that differ in the
seed alone are a line, their mean, in a band from the least to the most.
"""

import argparse
import collections
import csv
import pathlib

import numpy as np

# a panel, in pixels, and the edges of the plot in it
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 240, 56, 346, 34, 196
COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd"]
# columns of the x axis, their scale and their name
AXES = {"steps": ("steps", 1e6, "million steps"), "minutes": ("seconds", 60.0, "minutes")}


def nice_step(span):
    """A round distance between at most six lines."""
    steps = (k * 10.0**power for power in range(-3, 9) for k in (1, 2, 5))
    return next(step for step in steps if span / step <= 6)


def read(paths, over):
    """Curves by panel and by line: a list of (x, return) of its seeds."""
    panels = collections.defaultdict(lambda: collections.defaultdict(list))
    column, scale, _ = AXES[over]
    for path in paths:
        with path.open(newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["return"] != "nan"]
        if not rows:
            raise SystemExit(f"{path}: no episode has ended")
        x, y = (np.array([float(row[name]) for row in rows]) for name in (column, "return"))
        robot, *others = path.stem.split("-")
        panels[robot]["-".join(others[:-1]) or "sinew"].append((x / scale, y))
    return panels


def panel(robot, lines, unit):
    """The elements of a panel."""
    everything = [curve for curves in lines.values() for curve in curves]
    most = max(x[-1] for x, _ in everything)
    low, high = min(0.0, *(y.min() for _, y in everything)), max(y.max() for _, y in everything)
    across = lambda x: LEFT + (RIGHT - LEFT) * x / most
    up = lambda y: BOTTOM - (BOTTOM - TOP) * (y - low) / (high - low)
    middle = (LEFT + RIGHT) / 2
    out = [f'<text x="{middle}" y="20" text-anchor="middle" font-size="15">{robot}</text>']
    out.append(f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">{unit}</text>')

    # the grid
    for value in np.arange(0.0, high, nice_step(high - low)):
        out.append(f'<path d="M{LEFT} {up(value):.1f}H{RIGHT}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{up(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
    for value in np.arange(0.0, most * 1.001, nice_step(most)):
        out.append(f'<text x="{across(value):.1f}" y="{BOTTOM + 16}" text-anchor="middle">{value:g}</text>')

    # the lines, as far as all of their seeds go
    for i, (name, curves) in enumerate(sorted(lines.items(), key=lambda line: line[0] != "sinew")):
        x = np.linspace(max(c[0][0] for c in curves), min(c[0][-1] for c in curves), 100)
        y = np.array([np.interp(x, *curve) for curve in curves])
        points = lambda values: [f"{across(a):.1f} {up(b):.1f}" for a, b in zip(x, values)]
        colour = COLOURS[i % len(COLOURS)]
        band = "L".join(points(y.max(axis=0)) + points(y.min(axis=0))[::-1])
        out.append(f'<path d="M{band}Z" fill="{colour}" opacity="0.2"/>')
        line = "L".join(points(y.mean(axis=0)))
        out.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        text = name if len(curves) == 1 else f"{name}, {len(curves)} seeds"
        place = f'x="{RIGHT - 8}" y="{BOTTOM - 24 + 15 * i}" text-anchor="end"'
        out.append(f'<text {place} fill="{colour}">{text}</text>')
    return out


def picture(panels, over):
    """The text of the picture, with two panels in a row."""
    columns = min(2, len(panels))
    width, height = columns * WIDTH, (len(panels) + columns - 1) // columns * HEIGHT
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for i, (robot, lines) in enumerate(panels.items()):
        place = f"translate({i % columns * WIDTH} {i // columns * HEIGHT})"
        out += [f'<g transform="{place}">', *panel(robot, lines, AXES[over][2]), "</g>"]
    return "\n".join([*out, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("curves", nargs="+", type=pathlib.Path)
    parser.add_argument("--over", choices=AXES, default="steps", help="the x axis")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.out.write_text(picture(read(options.curves, options.over), options.over))


if __name__ == "__main__":
    main()
