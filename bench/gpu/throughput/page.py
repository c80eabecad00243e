#!/usr/bin/env python3
"""page.py THROUGHPUT.csv [SUMMARY.md]: writes what throughput.cu measured into docs/throughput.md and, as a table to read by
programs, into pipes.csv beside this script; likewise what model.py printed."""

import csv
import re
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# One instruction of each pipe: who takes turns with it takes the sum of both shares its pipe.
PIPES = {"lsu": "shfl_idx", "alu": "lop3", "fma": "imad", "xu": "popc"}
# Measured only alone; like which they are by their names.
LIKE = {"shfl_up": "lsu", "shfl_down": "lsu", "shfl_bfly": "lsu", "lds_64": "lsu", "lds_128": "lsu", "sts_64": "lsu", "sts_128": "lsu",
        "ldsm_1": "lsu", "ldsm_2": "lsu", "ldg_64_l1": "lsu", "ldg_128_l1": "lsu", "lea": "alu", "imnmx": "alu", "i2f": "alu",
        "flo": "xu", "brev": "xu", "fmul": "fma", "redux": "–", "hfma2": "–", "dfma": "–"}
BESIDE = {"vote": "lop3"}  # its loop has a comparison for each


class Measured:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.rows = list(csv.DictReader(file))
        self.alone = {r["first"]: float(r["cycles"]) for r in self.rows if r["kind"] == "alone"}
        for name, other in BESIDE.items():
            self.alone[name] -= self.alone[other]
        self.pairs = {frozenset((r["first"], r["second"])): float(r["cycles"]) for r in self.rows if r["kind"] == "pair"}

    def shared(self, a, b):
        """Of the shorter one's time, what is added to the longer one's: 0 apart, 1 in one pipe; None where not measured."""
        if frozenset((a, b)) not in self.pairs:
            return None
        alone = [self.alone[name] + (self.alone[BESIDE[name]] if name in BESIDE else 0) for name in (a, b)]
        return (self.pairs[frozenset((a, b))] - max(alone)) / min(alone)

    def pipe(self, name):
        if name.endswith("_l2") or name.startswith("stg"):
            return "L2"
        if name in LIKE:
            return LIKE[name]
        shares = {pipe: 1 if name == one else self.shared(name, one) or 0 for pipe, one in PIPES.items()}
        return max(shares, key=shares.get)


def opcodes():
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("*.h")))
    found = re.findall(r'(?:NAMED|INTEGER|INTEGER_BESIDE|REAL|CHASE|STORE)\((\w+), "([^"]+)"', text)
    return dict(found)


def tables(measured):
    names = opcodes()
    rows = [(name, names[name], measured.pipe(name), f"{cycles:.3f}", f"{4 * cycles:.2f}") for name, cycles in measured.alone.items()]
    with open(HERE / "pipes.csv", "w", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["instruction", "opcode", "pipe", "cycles", "slots"])
        writer.writerows(rows)
    lines = ["| instruction | machine code | pipe | cycles of a multiprocessor | issue slots of a scheduler |", "|---|---|---|---|---|"]
    lines += ["| " + " | ".join((name, f"`{opcode}`", *others)) + " |" for name, opcode, *others in rows]
    return lines


def pair_table(measured):
    names = list(dict.fromkeys(r[k] for r in measured.rows if r["kind"] == "pair" for k in ("first", "second")))
    lines = ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for a in names:
        cells = [measured.shared(a, b) for b in names]
        lines.append(f"| {a} | " + " | ".join("" if c is None else f"{max(c, 0):.1f}" for c in cells) + " |")
    return lines


def written(page, mark, lines):
    return re.sub(rf"(<!-- {mark} -->\n).*?(<!-- end -->)", lambda m: m.group(1) + "\n".join(lines) + "\n" + m.group(2), page, flags=re.DOTALL)


def main():
    measured = Measured(sys.argv[1])
    date = next(r for r in measured.rows if r["kind"] == "date")
    clock = next(r for r in measured.rows if r["kind"] == "clock")
    blocks = [f"{r['first']} threads {float(r['cycles']):.0f}" for r in measured.rows if r["kind"] == "blocks"]
    path = ROOT / "docs/throughput.md"
    page = path.read_text(encoding="utf-8")
    page = written(page, "alone", [f"{clock['device']} at {clock['cycles']} MHz, {date['device']}, {date['first']}.", "", *tables(measured), "",
                                   f"Cycles of a multiprocessor from one block that does nothing to the next: {', '.join(blocks)}."])
    page = written(page, "pairs", pair_table(measured))
    if len(sys.argv) > 2:
        page = written(page, "model", Path(sys.argv[2]).read_text(encoding="utf-8").rstrip("\n").split("\n"))
    path.write_text(page, encoding="utf-8")
    if Path(sys.argv[1]).resolve() != HERE / "h200.csv":
        shutil.copy(sys.argv[1], HERE / "h200.csv")


if __name__ == "__main__":
    main()
