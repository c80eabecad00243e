#!/usr/bin/env python3
"""check.py LIST SASS: does each kernel's loop hold the instructions that it is named after, as often as `throughput --list`
says, and little else? Fails, naming those that do not."""

import csv
import re
import sys

import sass

MOST_OTHERS = 0.08  # of the loop: its counter, and what a chain of conditions ends in


def operations(mangled):
    """measure<op_lop3, op_none> as ("lop3", "none")."""
    at = mangled.find("7measureI")
    if at < 0:
        return None
    names, rest = [], mangled[at + len("7measureI"):]
    while match := re.match(r"(\d+)", rest):
        length = int(match.group(1))
        start = match.end()
        names.append(rest[start:start + length].removeprefix("op_"))
        rest = rest[start + length:]
    return tuple(names)


def complaint(row, body):
    wanted = [(row["first_opcode"], int(row["first_count"])), (row["second_opcode"], int(row["second_count"]))]
    wanted = [(opcode, count) for opcode, count in wanted if count]
    found = [sum(sass.is_a(i.opcode, opcode) for i in body) for opcode, _ in wanted]
    beside = int(row["beside"])
    others = len(body) - sum(found) - beside
    # Some more may be the counter's, or what stands beside.
    if any(not should <= is_ <= should + beside + 3 for is_, (_, should) in zip(found, wanted)) or others > MOST_OTHERS * len(body):
        histogram = {}
        for i in body:
            histogram[i.opcode] = histogram.get(i.opcode, 0) + 1
        return f"{row['first']} {row['second']}: wanted {wanted}, the loop has {histogram}"
    return None


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        loops = {operations(name): sass.loop(body) for name, body in sass.functions(file.read()).items()}
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    wrong = [c for row in rows if (c := complaint(row, loops.get((row["first"], row["second"]), [])))]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{len(rows) - len(wrong)} of {len(rows)} loops hold what they are named after")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
