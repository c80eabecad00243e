"""Differences whose cause is known and has an issue: each is told with its cause, and passes; `--known CAUSE…` says which do.

| cause | what |
|---|---|
| distinct | the oracle counts the tables of some constants under which the tool cannot execute the sketch, and counts 1 for |
| cancel | `s ^= v` twice is priced as nothing where the values stand in the sketch, as two operations where they are found |
"""
from sketch import operators

KNOWN = ("distinct", "cancel")


def cause(sketch, difference):
    """One of KNOWN, or None for a difference that is new."""
    if difference.kind == "distinct":
        return "distinct"
    if sketch is None or difference.kind not in ("cost", "listed cost", "fixed", "variant"):    # no sketch: a tile
        return None
    if difference.kind == "variant" and "exit" in difference.told:
        return None
    return "cancel" if operators(sketch.body) & {"^", "-"} else None
