#!/usr/bin/env python3
"""machine_code.py TOOL [FOLDER]: the instructions that the tool counts of what it emits, beside those that nvcc makes of it.

Completes every sketch of sketches/ and takes every kernel of kernels/real/, compiles them for sm_90, and reads what cuobjdump -sass
prints; neither a GPU nor counters are needed. Kernels that keep a loop are left out: machine code does not say how often it turns.
So are, of each kind, kernels with fewer than LEAST instructions of it. Branches that only ragged ends of arrays take are in machine
code, and not in what the tool counts: loads, stores and comparisons are more there.

Prints, by kind, how far the two are apart; FOLDER keeps reports and machine code, and machine_code.csv beside this script has all figures."""

import collections
import csv
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from counted import with_constants
from sass import functions, loop

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LEAST = 8

KINDS = {
    "shuffles": {"SHFL"},
    "logic": {"LOP3", "PRMT", "SHF", "SGXT", "BMSK", "IMAD.SHL"},
    "selects": {"SEL", "FSEL"},
    "compares": {"ISETP", "FSETP", "PLOP3"},
    "integers": {"IADD3", "VIADD", "LEA", "VIMNMX", "IMNMX", "IABS", "IMAD.IADD"},
    "multiplies": {"IMAD"},
    "reals": {"FADD", "FMUL", "FFMA"},
    "shared": {"LDS", "STS", "LDSM", "STSM"},
    "loads": {"LDG"},
    "stores": {"STG"},
}
WAITS = {"NOP", "BRA"}


def kind_of(opcode):
    parts = opcode.split(".")
    if parts[0] == "IMAD" and len(parts) > 1 and parts[1] in ("MOV", "SHL", "IADD"):
        parts = [".".join(parts[:2])]
    return next((kind for kind, names in KINDS.items() if parts[0] in names), None)


def counted(text):
    """The instructions of machine code by kind; nothing, where there is a loop."""
    found = collections.Counter()
    for instructions in functions(text).values():
        if len(loop(instructions)) > 1:
            return None
        for instruction in instructions:
            found[kind_of(instruction.opcode)] += 1
            found["all"] += instruction.opcode.split(".")[0] not in WAITS
    return found


def works():
    """Names, and what the tool is asked for: a sketch and its spec, or a kernel and a spec with its constants."""
    for sketch in sorted((ROOT / "sketches").glob("*.cu")):
        spec = ROOT / "specs" / f"{sketch.stem}.cpp"
        if spec.exists():
            yield sketch.stem, sketch.read_text(encoding="utf-8"), spec.read_text(encoding="utf-8"), []
    with open(ROOT / "sketches" / "real" / "kernels.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            text = (ROOT / "kernels" / "real" / f"{row['kernel']}.cu").read_text(encoding="utf-8")
            spec = (ROOT / "specs" / "real" / f"{row['sketch']}.cpp").read_text(encoding="utf-8")
            yield row["kernel"], text.replace("// swizzle ", "#pragma swizzle "), with_constants(spec, row["constants"]), ["verify"]


def compared(tool, name, text, spec, command, folder):
    """What the tool counts and what nvcc makes, by kind; nothing: it counts nothing, or there is a loop."""
    sketch, reference, kernel, report, code = (folder / f"{name}.{end}" for end in ("sketch.cu", "cpp", "cu", "json", "cubin"))
    sketch.write_text(text, encoding="utf-8")
    reference.write_text(spec, encoding="utf-8")
    arguments = [tool, *command, sketch, "--spec", reference, "--run=none", "--proof=posed", "--report", report]
    if not command:
        arguments += ["-o", kernel]
    done = subprocess.run(arguments, capture_output=True, check=False)
    if done.returncode != 0:
        return None
    predicted = json.loads(report.read_text(encoding="utf-8"))["predicted"]
    if not predicted or not predicted["instructions"]:
        return None
    if command:
        kernel.write_text(text.replace("#pragma swizzle ", "// swizzle "), encoding="utf-8")
    subprocess.run(["nvcc", "-std=c++17", "-arch=sm_90", "-cubin", "-o", code, kernel], check=True, capture_output=True)
    made = counted(subprocess.run(["cuobjdump", "-sass", code], check=True, capture_output=True, text=True).stdout)
    if made is None:
        return None
    ours = dict(predicted["instructions"])
    ours["all"] = sum(ours.values())
    return ours, made


def main():
    tool = Path(sys.argv[1]).resolve()
    apart, lines = collections.defaultdict(list), []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text, spec, command in works():
            both = compared(tool, name, text, spec, command, folder)
            if both is None:
                continue
            ours, made = both
            lines.append([name, *(f"{count:g}" for kind in (*KINDS, "all") for count in (ours[kind], made[kind]))])
            for kind in (*KINDS, "all"):
                if made[kind] >= LEAST:
                    apart[kind].append(ours[kind] / made[kind])
    with open(HERE / "machine_code.csv", "w", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kernel", *(f"{kind}_{who}" for kind in (*KINDS, "all") for who in ("tool", "nvcc"))])
        writer.writerows(lines)
    print("| instructions | kernels | least | median | most | within 0.8 … 1.25 |\n|---|---|---|---|---|---|")
    for kind, ratios in apart.items():
        close = sum(0.8 <= ratio <= 1.25 for ratio in ratios)
        print(f"| {kind} | {len(ratios)} | {min(ratios):.2f} | {statistics.median(ratios):.2f} | {max(ratios):.2f} | {close} |")


if __name__ == "__main__":
    main()
