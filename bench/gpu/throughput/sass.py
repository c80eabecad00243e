"""Machine code as cuobjdump -sass prints it: functions, their instructions, their longest loop."""

import re
from collections import namedtuple

Instruction = namedtuple("Instruction", "address opcode operands")  # opcode: LOP3.LUT; without its predicate

LINE = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9_.]+)\s*([^;]*);")


def functions(text):
    """{mangled name: [Instruction]}"""
    result, current = {}, None
    for line in text.splitlines():
        if match := re.search(r"Function : (\S+)", line):
            current = result.setdefault(match.group(1), [])
        elif current is not None and (match := LINE.match(line)):
            current.append(Instruction(int(match.group(1), 16), match.group(2), match.group(3)))
    return result


def loop(instructions):
    """The instructions of the longest loop: from where a branch leads back to, to that branch."""
    longest = []
    for branch in instructions:
        target = re.search(r"0x([0-9a-f]+)", branch.operands) if branch.opcode.startswith("BRA") else None
        if target and int(target.group(1), 16) < branch.address:
            body = [i for i in instructions if int(target.group(1), 16) <= i.address <= branch.address]
            longest = max(longest, body, key=len)
    return longest


def is_a(opcode, name):
    """Is LOP3.LUT a LOP3? What a name says stands in the opcode, in its order; LDS is no LDS.64, IMAD no IMAD.MOV."""
    parts = opcode.split(".")
    wanted = name.split(".")
    if parts[0] != wanted[0]:
        return False
    widths = {"64", "128", "2", "4", "WIDE", "MOV", "SHL", "IADD"}
    return set(wanted) <= set(parts) and (set(parts) & widths) <= set(wanted)
