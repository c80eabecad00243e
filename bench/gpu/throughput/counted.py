#!/usr/bin/env python3
"""counted.py TOOL: what the tool predicts of the kernels in kernels/real/ from their text, beside what ncu counted and what was measured.

Writes counted.csv beside this script, a line a kernel: microseconds of each part, counted by the tool and by ncu (predictions.csv),
for a launch that moves as many bytes; the predicted and the measured time. Prints, by part, how far the two are apart."""

import csv
import json
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PARTS = {"issue": "issue_us", "alu": "alu_us", "fma": "fma_us", "lsu": "lsu_us", "fp64": "fp64_us", "launch": "launch_us"}
CLOSE = 0.8, 1.25
SMALL = 0.2  # parts that take less of the time than this tell nothing


def with_constants(text, constants):
    for constant in constants.split():
        name, value = constant.split("=")
        text = re.sub(rf"constexpr int {name} = \d+;", f"constexpr int {name} = {value};", text)
    return text


def predicted(tool, row, folder):
    """The report's key of the kernel as it is in kernels/real/."""
    name, sketch = row["kernel"], row["sketch"]
    kernel, spec, report = (Path(folder) / f"{name}.{end}" for end in ("cu", "cpp", "json"))
    text = (ROOT / "kernels" / "real" / f"{name}.cu").read_text(encoding="utf-8")
    kernel.write_text(text.replace("// swizzle ", "#pragma swizzle "), encoding="utf-8")
    spec.write_text(with_constants((ROOT / "specs" / "real" / f"{sketch}.cpp").read_text(encoding="utf-8"), row["constants"]), encoding="utf-8")
    subprocess.run([tool, "verify", kernel, "--spec", spec, "--run=none", "--proof=posed", "--report", report], check=True, capture_output=True)
    return json.loads(report.read_text(encoding="utf-8"))["predicted"]


def line(name, found):
    close = sum(CLOSE[0] <= ratio <= CLOSE[1] for ratio in found)
    return f"| {name} | {len(found)} | {min(found):.2f} | {statistics.median(found):.2f} | {max(found):.2f} | {close} |"


def main():
    with open(ROOT / "sketches" / "real" / "kernels.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with open(HERE / "predictions.csv", encoding="utf-8") as file:
        counted = {row["work"]: row for row in csv.DictReader(file) if row["kernel"] == "synthesized"}
    lines, apart, ratios = [], {part: [] for part in PARTS}, []
    with tempfile.TemporaryDirectory() as folder:
        for row in (row for row in rows if row["kernel"] in counted):
            by_ncu = counted[row["kernel"]]
            cycles = predicted(sys.argv[1], row, folder)["cycles"]
            scale = float(by_ncu["memory_us"]) / cycles["memory"]  # microseconds for a warp's cycle
            measured, time = float(by_ncu["measured_us"]), cycles["total"] * scale
            ratios.append(time / measured)
            fields = [row["kernel"], f"{time:.1f}", f"{measured:.1f}", f"{time / measured:.3f}"]
            for part, column in PARTS.items():
                own, theirs = cycles[part] * scale, float(by_ncu[column])
                fields += [f"{own:.1f}", f"{theirs:.1f}"]
                if theirs > SMALL * measured:
                    apart[part].append(own / theirs)
            lines.append(fields)
    with open(HERE / "counted.csv", "w", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kernel", "predicted_us", "measured_us", "predicted_over_measured",
                         *(f"{part}_{who}" for part in PARTS for who in ("tool", "ncu"))])
        writer.writerows(lines)
    print(f"| | kernels | least | median | most | within {CLOSE[0]} … {CLOSE[1]} |\n|---|---|---|---|---|---|")
    print(line("predicted ÷ measured time", ratios))
    for part, found in apart.items():
        if found:
            print(line(f"{part}: the tool's ÷ ncu's", found))


if __name__ == "__main__":
    main()
