#!/usr/bin/env python3
"""Prints one Markdown table: every sketch, what came out, what it cost and how long it took.

Sketches of arrays of structs have a row for each of SIZES. Build first, or call bench/run.sh, which does. Names of rows
as arguments: these alone (`check`: the second table, of `swizzle-synth check`). The figures of other tools come from anchors.csv.
"""

import csv
import sys
import tempfile
from pathlib import Path

import generate
import measure

SIZES = (2, 3, 4, 5, 6, 7, 8, 16)
RUNS_NONE = 5
RUNS_CPU = 3
RUNS_CHECK = 5
COLUMNS = ("sketch", "outcome", "cost", "proof", "raw space (log10)", "distinct space (log10)", "search (ms)",
           "`--run=none` (s)", "peak memory (MB)", "`--run=cpu` (s)")


def anchors():
    """[tools], {(sketch, tool): figure}, [one line a source]"""
    tools, figures, sources = [], {}, []
    with open(Path(__file__).with_name("anchors.csv"), newline="") as file:
        for row in csv.DictReader(file):
            if row["tool"] not in tools:
                tools.append(row["tool"])
            figures[row["sketch"], row["tool"]] = row["figure"]
            if row["source"]:  # given once, by the first row of a tool
                sources.append(f"{row['tool']}: {row['source']}.")
    return tools, figures, sources


def number(value, digits):
    return f"{value:.{digits}f}" if isinstance(value, (int, float)) else "–"


def row_of(name, sketch, spec, search_ms):
    none = measure.median_run(RUNS_NONE, sketch, spec, "--run=none")
    if none.report is None:
        return [name, f"exit {none.exit_code}: {none.message.splitlines()[0]}"] + ["–"] * (len(COLUMNS) - 2), False
    report = none.report
    found = report["outcome"] == "found"
    row = [name, report["outcome"]]
    row += [f"{report['cost']['total']:g}", report["optimality"]] if found else ["–", "–"]
    space = report["search_space"]
    row += [number(space["raw"], 1), number(space["distinct"], 1) if space["distinct"] else "–"]
    row += [number(search_ms, 2), number(none.seconds, 3), number(none.peak_mb, 0)]
    if not found:
        return row + ["–"], True
    cpu = measure.median_run(RUNS_CPU, sketch, spec, "--run=cpu")
    row.append(number(cpu.seconds, 2) if cpu.exit_code == 0 else f"exit {cpu.exit_code}")
    return row, cpu.exit_code == 0


def rows(names, root):
    """[(name, sketch, spec, search ms)], sized sketches being written below `root`"""
    sized = [f for f in generate.FAMILIES if f.name.startswith("aos_")]
    for family in sized:
        generate.write(family, root, SIZES)
    found = []
    for folder in (measure.ROOT, Path(root)):
        wanted = [(name, sketch, spec) for name, sketch, spec in measure.sketches(folder)
                  if (not names or name in names) and name not in {f.name for f in sized}]
        times = measure.benchmark_ms(folder, ("search",), [name for name, _, _ in wanted]) if wanted else {}
        found += [(name, sketch, spec, times.get(("search", name))) for name, sketch, spec in wanted]
    return sorted(found, key=lambda row: [int(part) if part.isdigit() else part for part in row[0].split("_")])


def check_row(name, text, folder):
    """What `swizzle-synth check` takes for a file, parsing apart from the rest."""
    file = Path(folder) / f"{name}.cu"
    file.write_text(text)
    reports = sorted((measure.check_run(file) for _ in range(RUNS_CHECK)), key=lambda r: r["seconds"]["check"])
    middle = reports[len(reports) // 2]
    return [name, str(text.count("\n")), str(len(middle["kernels"])), str(len(middle["accesses"])),
            number(middle["seconds"]["parse"] * 1e3, 1), number(middle["seconds"]["check"] * 1e3, 1)]


def print_check(root):
    print("\n| `swizzle-synth check` | lines | kernels | accesses | parsing (ms) | beyond parsing (ms) |\n|" + "---|" * 6)
    print("| " + " | ".join(check_row("kernels_as_people_write_them", generate.kernels_as_people_write_them(), root)) + " |")


def main():
    tools, figures, sources = anchors()
    print("| " + " | ".join([*COLUMNS, *tools]) + " |")
    print("|" + "---|" * (len(COLUMNS) + len(tools)))
    sound = True
    with tempfile.TemporaryDirectory() as root:
        for name, sketch, spec, search_ms in rows(sys.argv[1:], root):
            row, right = row_of(name, sketch, spec, search_ms)
            sound = sound and right
            print("| " + " | ".join(row + [figures.get((name, tool), "–") for tool in tools]) + " |", flush=True)
        if not sys.argv[1:] or "check" in sys.argv[1:]:
            print_check(root)
    compiled = ", and `--run=cpu` compiles for the target with nvcc too" if measure.has_nvcc() else ""
    print(f"\n{measure.machine()}. Search: median of 21, on one thread. Whole commands: median of {RUNS_NONE} "
          f"(`--run=none`) and {RUNS_CPU} (`--run=cpu`){compiled}.")
    for source in sources:
        print(source)
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
