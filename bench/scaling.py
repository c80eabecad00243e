#!/usr/bin/env python3
"""Time against size for generated sketches: a Markdown table for each family, and docs/scaling_NAME.svg.

Build first (ninja -C build/release swizzle_bench). Names of families as arguments pick some; all otherwise.
"""

import sys
import tempfile

import chart
import generate
import measure


def measured(family):
    """{phase: [(size, ms), …]}"""
    with tempfile.TemporaryDirectory() as root:
        generate.write(family, root)
        times = measure.benchmark_ms(root)
    series = {phase: [] for phase in measure.PHASES}
    for phase in measure.PHASES:
        for size in family.sizes:
            ms = times[phase, f"{family.name}_{size}"]
            if isinstance(ms, str):
                raise RuntimeError(f"{family.name} of size {size}: {ms}")
            series[phase].append((size, ms))
    return series


def main():
    families = [f for f in generate.FAMILIES if len(sys.argv) == 1 or f.name in sys.argv[1:]]
    for family in families:
        series = measured(family)
        print(f"| {family.size_label} | " + " | ".join(f"{phase} (ms)" for phase in series) + " |")
        print("|" + "---|" * (1 + len(series)))
        for i, size in enumerate(family.sizes):
            print(f"| {size} | " + " | ".join(f"{points[i][1]:.2f}" for points in series.values()) + " |")
        print(f"\n{measure.machine()}. Median of 21, on one thread.\n")
        drawing = chart.line_chart(f"{family.name}: time against size, median of 21, {measure.machine()}",
                                   family.size_label, "ms", {"search": series["search"], "pose": series["pose"]})
        (measure.ROOT / "docs" / f"scaling_{family.name}.svg").write_text(drawing)


if __name__ == "__main__":
    main()
