#!/usr/bin/env python3
"""headers.py KERNELS LIST OUT: for each sketch that LIST names (a row's driver, where it has one), OUT/synthesized/SKETCH.h with its kernels of the folder
KERNELS, for SKETCH.cu to race: a struct each, and SYNTHESIZED(compete), which calls compete for every one of them."""

import csv
import re
import sys
from pathlib import Path


def launcher(kernel, path):
    """A struct with the kernel's name, its constants, and launch(), by the launch line of its directives."""
    text = path.read_text(encoding="utf-8")
    function, parameters = re.search(r"__global__[^;{]*?(\w+)\(([^()]*)\)\s*{", text).groups()
    grid, block = re.search(r"^// swizzle launch grid\((.*)\) block\((.*)\)$", text, re.MULTILINE).groups()
    arguments = ", ".join(re.findall(r"(\w+)\s*(?:,|$)", parameters))
    constants = re.findall(r"^constexpr int (\w+) =", text, re.MULTILINE)
    lines = [f"namespace emitted_{kernel} {{", f'#include "{path.resolve()}"', "}", f"struct {kernel} {{",
             f'  static constexpr const char* kName = "{kernel}";',
             *(f"  static constexpr int {name} = emitted_{kernel}::{name};" for name in constants),
             f"  static void launch({parameters}) {{",
             f"    emitted_{kernel}::{function}<<<dim3({grid}), dim3({block})>>>({arguments});", "  }", "};", ""]
    return "\n".join(lines)


def main():
    kernels, listed, out = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]) / "synthesized"
    out.mkdir(parents=True, exist_ok=True)
    by_sketch = {}
    with open(listed, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            by_sketch.setdefault(row.get("driver") or row["sketch"], []).append(row["kernel"])
    for sketch, names in by_sketch.items():
        parts = ["#pragma once", ""] + [launcher(name, kernels / f"{name}.cu") for name in names]
        races = " + ".join(f"compete<{name}>()" for name in names)
        (out / f"{sketch}.h").write_text("\n".join(parts) + f"\n#define SYNTHESIZED(compete) ({races})\n", encoding="utf-8")


if __name__ == "__main__":
    main()
