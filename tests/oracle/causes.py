"""Differences whose cause is known and has an issue: each is told with its cause, and passes; `--known CAUSE…` says which do.

There are none today. A cause is a word in KNOWN and a test of a difference in cause().
"""
KNOWN = ()


def cause(difference):
    """One of KNOWN, or None for a difference that is new."""
    return None
