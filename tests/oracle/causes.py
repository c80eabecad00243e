"""Differences whose cause is known and has an issue: each is told with its cause, and passes; `--known CAUSE…` says which do.

| cause | what |
|---|---|
| distinct | search_space.distinct leaves out constants under which the sketch cannot be executed, and holes in code that never runs |
| guard | what a hole's condition guards is priced by the statement, not by where the condition holds |
| cancel | `s ^= v` twice is priced as nothing where the values stand in the sketch, as two operations where they are found |
| layout | of layouts that are alike in banks the dearer one is kept |
| algebra | laws between two operators, such as x | (x & y) = x, are not known, and difference is concluded from that |
"""
from sketch import If, hole_uses, operators, parts

RULES = ({"+", "-", "*"}, {"^", "&"}, {"|"}, {"&"}, {"min"}, {"max"})    # operators whose laws the docs promise
KNOWN = ("distinct", "guard", "cancel", "algebra", "layout")


def cause(sketch, difference):
    """One of KNOWN, or None for a difference that is new."""
    if difference.kind in ("distinct", "layout cost"):
        return difference.kind.split()[0]
    if difference.kind == "variant" and "exit" in difference.told:
        return None
    if difference.kind == "outcome" and not difference.told.startswith("infeasible"):
        return None
    signs = operators(sketch.body)
    if not any(signs <= rules for rules in RULES):
        return "algebra"
    if difference.kind in ("cost", "listed cost", "fixed", "variant"):
        if any(guards(part) for part in parts(sketch.body)):
            return "guard"
        if signs & {"^", "-"}:
            return "cancel"
    return None


def guards(part):
    """Whether this is a branch that a hole decides."""
    if isinstance(part, If):
        return bool(hole_uses(part.condition))
    return isinstance(part, tuple) and part[:1] == ("select",) and bool(hole_uses(part[1]))
