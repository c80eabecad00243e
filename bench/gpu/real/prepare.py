#!/usr/bin/env python3
"""prepare.py TOOL FOLDER: completes the kernels of sketches/real/kernels.csv and writes them into FOLDER as text, with
what run.sh needs there: FOLDER/synthesized/NAME.h has all that come from the sketch NAME, for NAME.cu to race."""

import csv
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def with_constants(text, constants):
    for constant in constants.split():
        name, value = constant.split("=")
        text = re.sub(rf"constexpr int {name} = \d+;", f"constexpr int {name} = {value};", text)
    return text


def complete(tool, folder, kernel, sketch, spec):
    """The kernel of a sketch and a spec, both as text; also written into folder/kernel/."""
    place = folder / kernel
    place.mkdir(parents=True)
    (place / "sketch.cu").write_text(sketch, encoding="utf-8")
    (place / "spec.cpp").write_text(spec, encoding="utf-8")
    done = subprocess.run([tool, "sketch.cu", "--spec", "spec.cpp", "--run=none", "--proof=posed", "-o", "kernel.cu"],
                          cwd=place, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{kernel}: {done.stderr}")
    return (place / "kernel.cu").read_text(encoding="utf-8")


def launcher(kernel, text):
    """A struct with the kernel's name, its constants, and launch(), by the launch line of its directives."""
    function, parameters = re.search(r"__global__[^;{]*?(\w+)\(([^()]*)\)\s*{", text).groups()
    grid, block = re.search(r"^// swizzle launch grid\((.*)\) block\((.*)\)$", text, re.MULTILINE).groups()
    arguments = ", ".join(re.findall(r"(\w+)\s*(?:,|$)", parameters))
    constants = re.findall(r"^constexpr int (\w+) =", text, re.MULTILINE)
    lines = [f"namespace emitted_{kernel} {{", f'#include "{kernel}/kernel.cu"', "}", f"struct {kernel} {{",
             f'  static constexpr const char* kName = "{kernel}";',
             *(f"  static constexpr int {name} = emitted_{kernel}::{name};" for name in constants),
             f"  static void launch({parameters}) {{",
             f"    emitted_{kernel}::{function}<<<dim3({grid}), dim3({block})>>>({arguments});", "  }", "};", ""]
    return "\n".join(lines)


def write_header(folder, name, kernels):
    """kernels: the text of each, by its name."""
    parts = ["#pragma once", ""] + [launcher(kernel, text) for kernel, text in kernels.items()]
    races = " + ".join(f"compete<{kernel}>()" for kernel in kernels)
    (folder / f"{name}.h").write_text("\n".join(parts) + f"\n#define SYNTHESIZED(compete) ({races})\n", encoding="utf-8")


def copy_drivers(folder):
    for source in [*HERE.glob("*.h"), *HERE.glob("*.cu"), HERE / "run.sh", HERE.parent / "timing.h"]:
        shutil.copy(source, folder)


def main():
    tool, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    if folder.exists() and any(folder.iterdir()) and not (folder / "race.h").exists():
        sys.exit(f"error: '{folder}' is there, and was not made by prepare.py")
    shutil.rmtree(folder, ignore_errors=True)
    synthesized = folder / "synthesized"
    synthesized.mkdir(parents=True)
    by_sketch = {}
    with open(ROOT / "sketches/real/kernels.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            texts = (with_constants((ROOT / path).read_text(encoding="utf-8"), row["constants"])
                     for path in (f"sketches/real/{row['sketch']}.cu", f"specs/real/{row['sketch']}.cpp"))
            by_sketch.setdefault(row["sketch"], {})[row["kernel"]] = complete(tool, synthesized, row["kernel"], *texts)
    for sketch, kernels in by_sketch.items():
        write_header(synthesized, sketch, kernels)
    copy_drivers(folder)
    print(f"{sum(map(len, by_sketch.values()))} kernels in {folder}")


if __name__ == "__main__":
    main()
