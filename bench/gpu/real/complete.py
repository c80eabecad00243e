#!/usr/bin/env python3
"""complete.py TOOL [FOLDER [LIST]]: completes the kernels that LIST (sketches/real/kernels.csv) names and writes each into
FOLDER (kernels/real) as KERNEL.cu, for run.sh to race. A constant's value takes the place of the sketch's; layout=sw_pitch(64)
names the layout that a sketch leaves open."""

import csv
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def with_constants(text, constants):
    for constant in constants.split():
        name, value = constant.split("=")
        if name == "layout":
            text = re.sub(r"\?sw_layout\(([^()]*)\)", lambda open_one: f"?sw_layout({open_one[1]}, {value})", text)
        else:
            text = re.sub(rf"constexpr int {name} = \d+;", f"constexpr int {name} = {value};", text)
    return text


def complete(tool, kernel, sketch, constants):
    """The kernel's text."""
    with tempfile.TemporaryDirectory() as folder:
        for path, name in ((f"sketches/real/{sketch}.cu", f"{sketch}.cu"), (f"specs/real/{sketch}.cpp", f"{sketch}.cpp")):
            text = with_constants((ROOT / path).read_text(encoding="utf-8"), constants)
            (Path(folder) / name).write_text(text, encoding="utf-8")
        done = subprocess.run([tool, f"{sketch}.cu", "--spec", f"{sketch}.cpp", "--run=none", "--proof=posed"], cwd=folder,
                              capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{kernel}: {done.stderr}")
    return done.stdout


def main():
    tool = Path(sys.argv[1]).resolve()
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "kernels/real"
    listed = Path(sys.argv[3]) if len(sys.argv) > 3 else ROOT / "sketches/real/kernels.csv"
    folder.mkdir(parents=True, exist_ok=True)
    with open(listed, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        text = complete(tool, row["kernel"], row["sketch"], row["constants"])
        (folder / f"{row['kernel']}.cu").write_text(text, encoding="utf-8")
    print(f"{len(rows)} kernels in {folder}")


if __name__ == "__main__":
    main()
