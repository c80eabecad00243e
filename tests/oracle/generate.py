"""Random sketches of all kinds of holes, small enough that every completion can be tried.

A sketch is a recipe: registers, how an element is fetched, what the fetched are combined to, where the result goes. Each
index, lane and condition on the way is either a hole or a fixed expression. The spec is what a random completion
computes (so there is a solution), that with a small change (so there may be none), or of another completion's shape.
"""
import numpy as np

import grammars
import simulate
from draft import Draft
from provenance import outputs_of
from rename import tuned, variants
from wider_draft import WiderDraft

LARGEST_PRODUCT = grammars.MOST_TABLES


def generate(random, wider=False):
    """A sketch with a spec. `wider`: also of ?sw_choose, ?sw_expr, ?sw_pred, ?sw_tune and ?sw_const with arguments."""
    while True:
        draft = (WiderDraft if wider else Draft)(random).sketch()
        if not draft.holes:
            continue
        family = family_of(draft)
        if space(family) > LARGEST_PRODUCT:
            continue
        spec = plant(family, random)
        if spec is None:
            continue
        draft.spec = perturb(spec, draft, random)
        if any(draft.spec):
            return draft


def family_of(draft):
    """The sketch under each choice of what is the same everywhere."""
    return [fixed for _, with_numbers in tuned(draft) for _, fixed in variants(with_numbers)]


def points_of(sketch):
    """None where it cannot be executed."""
    try:
        return simulate.points(sketch)
    except simulate.BadSketch:
        return None


def tables_of(sketch, points):
    return [grammars.tables(hole.kind, hole.n, p, hole.low) if p else np.zeros((1, 0), dtype=int)
            for hole, p in zip(sketch.holes, points)]


def space(family):
    """How many completions there are to try; too many where a hole has more points than a grammar is listed for."""
    total = 0
    for sketch in family:
        size = 1
        for hole, p in zip(sketch.holes, points_of(sketch) or []):
            if len(p) > 64 or size > LARGEST_PRODUCT:
                return LARGEST_PRODUCT + 1
            size *= how_many(hole, p)
        total += size
    return total


def how_many(hole, points):
    """How many tables; too many where there are more than can be tried."""
    try:
        return len(grammars.tables(hole.kind, hole.n, points, hole.low)) if points else 1
    except grammars.TooMany:
        return LARGEST_PRODUCT + 1


def plant(family, random):
    """What a random completion stores, or None where every one tried breaks a rule."""
    for _ in range(8):
        sketch = family[int(random.integers(len(family)))]
        points = points_of(sketch)
        if points is None:
            continue
        rows = [table[random.integers(len(table))] if p else table[0] for table, p in
                zip(tables_of(sketch, points), points)]
        spec = outputs_of(sketch, points, rows)
        if spec is not None:
            return spec
    return None


def perturb(spec, sketch, random):
    """Leaves 60 of 100 specs as they are; else one or all loads go elsewhere, or an output is another one's."""
    kind = random.random()
    if kind < 0.6:
        return spec
    at = int(random.integers(len(spec)))
    if kind < 0.75:
        spec[at] = moved(spec[at], int(random.integers(sketch.inputs)))
    elif kind < 0.9:
        other = int(random.integers(len(spec)))
        spec[at], spec[other] = spec[other], spec[at]
    elif kind < 0.95 and len(spec) > 1:
        spec[at] = None
    else:
        spec = [shifted(tree, sketch.inputs) for tree in spec]
    return spec


def moved(tree, to):
    """The first load of a tree reads x[to]."""
    if tree is None or tree[0] == "constant":
        return tree
    if tree[0] == "load":
        return ("load", to)
    return (tree[0], tree[1], moved(tree[2], to), tree[3])


def shifted(tree, inputs):
    if tree is None or tree[0] == "constant":
        return tree
    if tree[0] == "load":
        return ("load", (tree[1] + 1) % inputs)
    return (tree[0], tree[1], shifted(tree[2], inputs), shifted(tree[3], inputs))
