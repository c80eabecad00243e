"""Differences whose cause is known and has an issue: each is told with its cause, and `--known CAUSE` passes it.

| cause | what |
|---|---|
| distinct | search_space.distinct counts combinations of conditions or terms instead of tables |
| guard | what a hole's condition guards is priced by the statement, not by where the condition holds |
| cancel | `s ^= v` twice is priced as nothing where the values stand in the sketch, as two operations where they are found |
| algebra | laws between two operators, such as x | (x & y) = x, are not known, and difference is concluded from that |
"""
from dataclasses import fields, is_dataclass

from sketch import Accumulate, If, hole_uses

KNOWN = ("distinct", "guard", "cancel", "algebra")


def cause(sketch, difference):
    """One of KNOWN, or None for a difference that is new."""
    if difference.kind == "distinct":
        return "distinct"
    if difference.kind == "outcome" and not difference.told.startswith("infeasible"):
        return None
    if len(operators(sketch.body) - {"*"} - ({"&"} if "|" not in operators(sketch.body) else set())) > 1:
        return "algebra"
    if difference.kind in ("cost", "completion", "fixed"):
        if any(guards(part) for part in parts(sketch.body)):
            return "guard"
        if operators(sketch.body) & {"^", "-"}:
            return "cancel"
    return None


def parts(tree):
    """Every statement and every data tree below."""
    yield tree
    inner = [getattr(tree, f.name) for f in fields(tree)] if is_dataclass(tree) else tree
    if isinstance(inner, (list, tuple)):
        for part in inner:
            yield from parts(part)


def guards(part):
    """Whether this is a branch that a hole decides."""
    if isinstance(part, If):
        return bool(hole_uses(part.condition))
    return isinstance(part, tuple) and part[:1] == ("select",) and bool(hole_uses(part[1]))


def operators(tree):
    signs = {part.sign for part in parts(tree) if isinstance(part, Accumulate)}
    return signs | {part[1] for part in parts(tree) if isinstance(part, tuple) and part[:1] == ("op",)}
