#!/usr/bin/env python3
"""bits_chart.py RESULTS.csv: time over that of a copy against the block's size, as SVG, from what bits.sh measured."""

import csv
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import chart

KERNELS = ("bits_ballot", "bits_shared", "bits_hybrid", "bits_shuffle32", "bits_shuffle8", "bits_wide", "bits_wide4", "copy16")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    series = {name: [(math.log2(int(r["block"])), float(r["over_copy"])) for r in rows if r["kernel"] == name] for name in KERNELS}
    print(chart.line_chart(f"Transposing bit matrices on {rows[0]['device']}", "threads a block", "time over the fastest copy",
                           series, lambda x: f"{2 ** x:g}"), end="")


main()
