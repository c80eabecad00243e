#!/usr/bin/env python3
"""chart.py RESULTS.csv: each kernel's time over that of a copy, a line for each piece of work, as SVG."""

import csv
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import chart

KERNELS = ("synthesized", "vectors", "shared memory", "register cache", "naive", "CUB", "torch", "Triton", "trove")
TORCH = "torch (cuDNN)"  # drawn as torch
SHADES = (*chart.COLORS, "#8a6d3b")
WIDTH, LEFT, RIGHT, TOP, ROW = 720, 130, 24, 64, 18
TICKS = (1, 1.5, 2, 3, 4, 6, 8)
MOST = 8.2  # what is slower stands at the edge, with its figure


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["kernel"] != "copy" and row["work"] != "absent"]
    for row in rows:
        row["kernel"] = {TORCH: "torch", "float4 loads": "vectors", "ldmatrix": "shared memory"}.get(row["kernel"], row["kernel"])
    works = list(dict.fromkeys(row["work"] for row in rows))
    bottom = TOP + ROW * len(works)

    def x_of(ratio):
        return LEFT + math.log(max(ratio, 0.95) / 0.95) / math.log(MOST / 0.95) * (WIDTH - LEFT - RIGHT)

    def text(x, y, content, anchor="middle", more=""):
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{content}</text>'

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 30}" font-family="sans-serif" '
             f'font-size="12" fill="#222">',
             f'<rect width="{WIDTH}" height="{bottom + 30}" fill="#fff"/>',
             text(LEFT, 20, f"Time over that of a copy of as many bytes, {rows[0]['device']}", "start", ' font-size="14"')]
    for tick in TICKS:
        parts.append(f'<line x1="{x_of(tick):.1f}" y1="{TOP - 8}" x2="{x_of(tick):.1f}" y2="{bottom}" stroke="#ddd"/>')
        parts.append(text(x_of(tick), bottom + 18, f"{tick:g}"))
    for i, (kernel, color) in enumerate(zip(KERNELS, SHADES)):
        at = 20 + sum(22 + 6.6 * len(k) for k in KERNELS[:i])
        parts.append(f'<circle cx="{at}" cy="40" r="4" fill="{color}"/>')
        parts.append(text(at + 8, 44, kernel, "start"))
    colors = dict(zip(KERNELS, SHADES))
    for i, work in enumerate(works):
        y = TOP + ROW * i + ROW / 2
        parts.append(text(LEFT - 10, y + 4, work, "end"))
        # The synthesized one is drawn last, above the others.
        for row in sorted((r for r in rows if r["work"] == work), key=lambda r: r["kernel"] == "synthesized"):
            ratio, radius = float(row["over_copy"]), 5 if row["kernel"] == "synthesized" else 4
            parts.append(f'<circle cx="{x_of(min(ratio, MOST)):.1f}" cy="{y:.1f}" r="{radius}" fill="{colors[row["kernel"]]}"/>')
            if ratio > MOST:
                parts.append(text(x_of(MOST) - 8, y + 4, f"{ratio:.0f}", "end", ' fill="#777"'))
    print("\n".join([*parts, "</svg>"]))


main()
