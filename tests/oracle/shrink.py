"""Makes a sketch on which oracle and tool differ as small as it gets while they still differ in the same way."""
from dataclasses import fields, is_dataclass, replace

import causes
import price
from compare import UNKNOWN
from generate import family_of, plant
from rename import in_source_order
from sketch import Accumulate, For, If

MOST_TRIES = 150


def smallest(sketch, differences, compare, random):
    """The sketch and what differs on it. `compare`: as oracle.py calls it."""
    wanted = {(d.kind, causes.cause(d)) for d in differences}
    tries, shrunk = 0, True
    while shrunk and tries < MOST_TRIES:
        shrunk = False
        for candidate in candidates(sketch, random):
            tries += 1
            if tries > MOST_TRIES:
                break
            found = differing(candidate, compare, random, wanted)
            if found:
                sketch, differences, shrunk = candidate, found, True
                break
    return sketch, differences


def differing(sketch, compare, random, wanted):
    try:
        found = compare(sketch, random)
    except (price.Mismatch, KeyError, IndexError, ValueError):
        return []    # a step that leaves the language, such as a variable that is gone
    if found == UNKNOWN:
        return []
    return [d for d in found if (d.kind, causes.cause(d)) in wanted]


def candidates(sketch, random):
    """Smaller kernels with specs of their own, then the same kernel with a smaller spec."""
    for body in smaller(sketch.body):
        try:
            draft = in_source_order(replace(sketch, body=body))
            spec = plant(family_of(draft), random) if draft.holes else None
        except (KeyError, IndexError, ValueError):
            continue
        if len(draft.holes) == len(sketch.holes):
            yield replace(draft, spec=sketch.spec)
        if spec is not None and any(spec):
            yield replace(draft, spec=spec)
    for at, tree in enumerate(sketch.spec):
        for less in operands(tree):
            yield replace(sketch, spec=sketch.spec[:at] + [less] + sketch.spec[at + 1:])


def operands(tree):
    return [part for part in tree[2:] if isinstance(part, tuple)] if tree and tree[0] == "op" else []


def smaller(part):
    """Every way to make one thing in `part` smaller."""
    if isinstance(part, list):
        for at, inner in enumerate(part):
            if len(part) > 1:
                yield part[:at] + part[at + 1:]
            if isinstance(inner, If):
                yield part[:at] + inner.then + part[at + 1:]
            for less in smaller(inner):
                yield part[:at] + [less] + part[at + 1:]
    elif is_dataclass(part):
        for name in (f.name for f in fields(part)):
            for less in smaller_field(part, name):
                yield replace(part, **{name: less})
    elif isinstance(part, tuple):
        yield from smaller_tree(part)


def smaller_field(part, name):
    value = getattr(part, name)
    if isinstance(part, For) and name == "end" and value.isdigit() and int(value) > 1:
        yield str(int(value) - 1)
    elif isinstance(part, Accumulate) and name == "sign" and value != "+":
        yield "+"
    elif isinstance(value, (list, tuple)):
        yield from smaller(value)
    elif isinstance(value, str) and "{" in value:
        yield from plain(part, name)


def plain(part, name):
    """A fixed expression in the place of a hole."""
    if isinstance(part, If) and name == "condition":
        yield "true"
    elif name == "index":
        yield "t"


def smaller_tree(tree):
    if tree[:1] == ("op",) or tree[:1] == ("select",):
        yield from tree[2:]
    if tree[:1] == ("shuffle",):
        yield tree[1]
    if tree[:1] == ("choose",):
        yield from tree[2:]
        return
    for at, inner in enumerate(tree):
        if isinstance(inner, tuple):
            for less in smaller_tree(inner):
                yield tree[:at] + (less,) + tree[at + 1:]
        elif at > 0 and isinstance(inner, str) and "{" in inner:
            yield tree[:at] + ("0",) + tree[at + 1:]
            if tree[0] in ("load", "shuffle", "shared"):
                yield tree[:at] + ("t",) + tree[at + 1:]
