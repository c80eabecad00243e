"""What it saves to execute one of the groups of threads that behave alike, and that nothing else comes of it.

  bench/launches.py                      every sketch with --execute=each and alike: outcome, cost, kernel, message
  bench/launches.py --times 5 [--before TOOL]
                                         a table of posing and re-reading, at the sizes of LAUNCHES, in seconds of CPU:
                                         of what the command takes, as large a part as they are of its time
"""

import argparse
import csv
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import BUILD, ROOT

LAUNCHES = [
    *((f"stencil of {points}, blocks of {threads}", "stencil1d", f"kPoints={points} kThreads={threads}")
      for points in (9, 33) for threads in (64, 128, 256, 512, 1024)),
    *((f"convolution {size} x {size}", "conv2d_wide" if size > 9 else "conv2d", f"kSize={size}") for size in (3, 5, 7, 11)),
    *((f"structs of {words} words, loaded", "structs_load", f"kFields={words} kStructs=1") for words in (4, 16, 32)),
    *((f"structs of {words} words, stored", "structs_store", f"kFields={words} kStructs=1") for words in (4, 16, 32)),
    ("separable convolution 5 x 5", "conv2d_separable", "kSize=5"),
    ("product of degree 64, blocks of 256", "product", "kDegree=64"),
    ("product of degree 128, blocks of 256", "product", "kDegree=128 kOwn=16"),
]
SAME = ("outcome", "reason", "optimality", "cost")


def with_constants(text, constants):
    for constant in constants.split():
        name, value = constant.split("=")
        text = re.sub(rf"constexpr int {name} = \d+;", f"constexpr int {name} = {value};", text)
    return text


def pairs():
    """(name, sketch, spec) of all published sketches."""
    for sketch in sorted((ROOT / "sketches").glob("*.cu")):
        yield sketch.stem, sketch.read_text(), (ROOT / "specs" / f"{sketch.stem}.cpp").read_text()
    with open(ROOT / "sketches/real/kernels.csv") as lines:
        for row in csv.DictReader(lines):
            yield row["kernel"], *real(row["sketch"], row["constants"])


def real(sketch, constants):
    return tuple(with_constants((ROOT / path).read_text(), constants)
                 for path in (f"sketches/real/{sketch}.cu", f"specs/real/{sketch}.cpp"))


def run(tool, sketch, spec, *flags):
    """(report, kernel, message) of one run."""
    with tempfile.TemporaryDirectory() as scratch:
        at = {name: Path(scratch) / name for name in ("a.cu", "a.cpp", "out.cu", "report.json")}
        at["a.cu"].write_text(sketch)
        at["a.cpp"].write_text(spec)
        done = subprocess.run([tool, at["a.cu"], "--spec", at["a.cpp"], "-o", at["out.cu"], "--report", at["report.json"],
                               "--run=none", "--proof=posed", "-I", ROOT / "sketches", *flags], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        kernel = at["out.cu"].read_text() if at["out.cu"].exists() else ""
        message = re.sub(r"; [0-9.]+ s\b|[0-9.]+ m?s\b", "", (done.stdout + done.stderr).replace(scratch, ""))
        return json.loads(at["report.json"].read_text()), kernel, message


def executed(report):
    return (report["seconds"]["pose"] or 0) + (report["seconds"]["reread"] or 0)


def compare(tool, names):
    different = 0
    for name, sketch, spec in pairs():
        if names and name not in names:
            continue
        (each, kernel, message), (alike, other, told) = (run(tool, sketch, spec, f"--execute={how}") for how in ("each", "alike"))
        wrong = [key for key in SAME if each.get(key) != alike.get(key)]
        wrong += ["kernel"] * (kernel != other) + ["message"] * (message != told)
        different += bool(wrong)
        print(f"{name:28} {each['outcome']:12} {executed(each):8.3f} {executed(alike):8.3f}  {' '.join(wrong)}", flush=True)
    return different


def cpu_seconds(tool, sketch, spec):
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    report, _, _ = run(tool, sketch, spec)
    return (used() - before) * executed(report) / report["seconds"]["total"]


def medians_of(count, tools, sketch, spec):
    """Of each tool; they take turns, so that a machine that is shared treats them alike."""
    seconds = [[cpu_seconds(tool, sketch, spec) for tool in tools] for _ in range(count)]
    return [statistics.median(of_tool) for of_tool in zip(*seconds)]


def table(tool, before, count):
    print("| launch | before (s) | now (s) | ratio |" if before else "| launch | now (s) |")
    print("|---|---|---|---|" if before else "|---|---|")
    for title, sketch, constants in LAUNCHES:
        medians = medians_of(count, [before, tool] if before else [tool], *real(sketch, constants))
        cells = [title, *(f"{median:.3f}" for median in medians)]
        if before:
            cells.append(f"{medians[0] / medians[1]:.1f}")
        print(f"| {' | '.join(cells)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=str(BUILD / "swizzle-synth"))
    parser.add_argument("--times", type=int, metavar="N", help="the median of so many runs")
    parser.add_argument("--before", metavar="TOOL", help="another build, whose times stand beside")
    parser.add_argument("names", nargs="*", help="some of the sketches, where both ways are compared")
    options = parser.parse_args()
    if options.times:
        table(options.tool, options.before, options.times)
    elif compare(options.tool, options.names):
        sys.exit(1)


main()
