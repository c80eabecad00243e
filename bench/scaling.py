#!/usr/bin/env python3
"""Time against size for generated sketches: a Markdown table for each chart, and docs/scaling_NAME.svg.

Build first (ninja -C build/release swizzle_bench). Names of charts as arguments pick some; all otherwise.
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


# docs/scaling_NAME.svg: what is drawn in it. One family: by phase; several: the search of each.
CHARTS = {
    "stencil1d": {"stencil1d": "stencil1d"},
    "structs": {"aos_load_crc": "load, c-r-c", "aos_load_rcr": "load, r-c-r", "aos_store_crc": "store, c-r-c", "aos_store_rcr": "store, r-c-r"},
    "finite_field": {"finite_field": "finite_field"},
}


def print_table(label, series):
    print(f"| {label} | " + " | ".join(f"{name} (ms)" for name in series) + " |")
    print("|" + "---|" * (1 + len(series)))
    for row in zip(*series.values()):
        print(f"| {row[0][0]} | " + " | ".join(f"{ms:.2f}" for _, ms in row) + " |")
    print(f"\n{measure.machine()}. Median of 21, on one thread.\n")


def main():
    families = {f.name: f for f in generate.FAMILIES}
    for name, legend in CHARTS.items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        times = {family: measured(families[family]) for family in legend}
        first = next(iter(legend))
        if len(legend) == 1:
            series = {"search": times[first]["search"], "pose": times[first]["pose"]}
        else:
            series = {text: times[family]["search"] for family, text in legend.items()}
        label = families[first].size_label
        print_table(label, series)
        drawing = chart.line_chart(f"{name}: time against size, median of 21, {measure.machine()}", label, "ms", series)
        (measure.ROOT / "docs" / f"scaling_{name}.svg").write_text(drawing)


if __name__ == "__main__":
    main()
