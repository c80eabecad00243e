#!/usr/bin/env python3
"""page.py RESULTS.csv DATE: writes what run.sh measured into docs/real_sizes.md and into the rows of README.md, and keeps it
as bench/gpu/real/h200.csv. Kernels of kernels.csv that were not timed are named."""

import csv
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
LIBRARIES = ("CUB", "torch", "torch (cuDNN)", "Triton", "trove")


def row(work, measured):
    times = {r["kernel"]: r["over_copy"] for r in measured if r["kernel"] != "copy"}
    peers = {kernel: ratio for kernel, ratio in times.items() if kernel != "synthesized"}
    best = min(peers, key=lambda kernel: float(peers[kernel]))
    libraries = ", ".join(f"{kernel} {peers[kernel]}" for kernel in LIBRARIES if kernel in peers)
    return f"| {work} | {times['synthesized']} | {peers[best]} ({best}) | {times['naive']} | {libraries or '–'} |"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with open(ROOT / "sketches/real/kernels.csv", encoding="utf-8") as file:
        listed = [r["kernel"] for r in csv.DictReader(file)]
    works = {work: [r for r in rows if r["work"] == work] for work in listed}
    lines = [row(work, measured) if measured else f"| {work} | not timed | | | |" for work, measured in works.items()]
    absent = [r["kernel"] for r in rows if r["work"] == "absent"]
    device = next(r["device"] for r in rows if r["device"])
    text = "\n".join([f"{device}, {sys.argv[2]}." + (f" Not there: {', '.join(absent)}." if absent else ""), "",
                      "| kernel | synthesized | best peer | naive | libraries |", "|---|---|---|---|---|", *lines])
    page = ROOT / "docs/real_sizes.md"
    old = page.read_text(encoding="utf-8")
    new = re.sub(r"(<!-- by page.py -->\n).*?(\n<!-- end -->)", lambda m: m.group(1) + text + m.group(2), old, flags=re.DOTALL)
    page.write_text(new, encoding="utf-8")
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    for work, line in zip(works, lines):
        cells = line.split("|")
        text = re.sub(rf"^\| {work} \|.*$", "|".join(cells[:5]) + "|", text, flags=re.MULTILINE)
    readme.write_text(text, encoding="utf-8")
    if Path(sys.argv[1]).resolve() != HERE / "h200.csv":
        shutil.copy(sys.argv[1], HERE / "h200.csv")


if __name__ == "__main__":
    main()
