"""Draws learning curves, CSV files of `policy_search.py`, as an SVG picture.

    python plot_curve.py walker.csv [more.csv ...] --out curve.svg
"""

import argparse
import csv
import pathlib

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 70, 620, 40, 300
COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd"]


def nice_step(span):
    """A round distance between at most six lines."""
    steps = (k * 10.0**power for power in range(-3, 9) for k in (1, 2, 5))
    return next(step for step in steps if span / step <= 6)


def picture(curves, title):
    """The text of the picture: return over simulated steps, in millions."""
    most = max(float(row["steps"]) for rows in curves.values() for row in rows) / 1e6
    returns = [float(row["return"]) for rows in curves.values() for row in rows]
    low, high = min(0.0, *returns), max(returns)
    x = lambda steps: LEFT + (RIGHT - LEFT) * steps / most
    y = lambda value: BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{(LEFT + RIGHT) / 2}" y="24" text-anchor="middle" font-size="15">{title}</text>',
        f'<text x="{(LEFT + RIGHT) / 2}" y="345" text-anchor="middle">environment steps, millions</text>',
        '<text transform="translate(18 170) rotate(-90)" text-anchor="middle">mean return</text>',
    ]

    # the grid
    step, value = nice_step(high - low), 0.0
    while value <= high:
        out.append(f'<path d="M{LEFT} {y(value):.1f}H{RIGHT}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
        value += step
    for tick in range(6):
        at = most * tick / 5
        out.append(f'<text x="{x(at):.1f}" y="320" text-anchor="middle">{at:.1f}</text>')

    # the curves
    for i, (name, rows) in enumerate(curves.items()):
        points = (f"{x(float(r['steps']) / 1e6):.1f} {y(float(r['return'])):.1f}" for r in rows)
        colour = COLOURS[i % len(COLOURS)]
        out.append(f'<path d="M{"L".join(points)}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        seconds = float(rows[-1]["seconds"])
        text = f"{name}: {seconds / 60:.1f} minutes"
        out.append(f'<text x="{LEFT + 10}" y="{TOP + 14 + 16 * i}" fill="{colour}">{text}</text>')
    return "\n".join([*out, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("curves", nargs="+", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--title", default="A linear policy learns to walk")
    options = parser.parse_args()
    curves = {}
    for path in options.curves:
        with path.open(newline="") as file:
            curves[path.stem] = list(csv.DictReader(file))
    options.out.write_text(picture(curves, options.title))


if __name__ == "__main__":
    main()
