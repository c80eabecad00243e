"""Differences whose cause is known and has an issue: each is told with its cause, and passes; `--known CAUSE…` says which do.

| cause | what |
|---|---|
| distinct | the oracle counts the tables of some constants under which the tool cannot execute the sketch, and counts 1 for |
"""
KNOWN = ("distinct",)


def cause(difference):
    """One of KNOWN, or None for a difference that is new."""
    return "distinct" if difference.kind == "distinct" else None
