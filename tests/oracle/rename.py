"""Sketches with holes renumbered, and with constants in the place of ?sw_const."""
from dataclasses import fields, is_dataclass, replace
from itertools import product

from sketch import hole_uses


def renamed(part, names):
    """The same statements with other text for the names in braces."""
    if isinstance(part, str):
        return part.format(**names) if "{" in part else part
    if isinstance(part, (list, tuple)):
        return type(part)(renamed(inner, names) for inner in part)
    if is_dataclass(part):
        return replace(part, **{f.name: renamed(getattr(part, f.name), names) for f in fields(part)})
    return part


def in_source_order(sketch):
    """Numbers the holes as they stand in the text, which is how the tool numbers them."""
    used = hole_uses(sketch.text(fill=["{h%d}" % at for at in range(len(sketch.holes))]))
    used = list(dict.fromkeys(used))
    names = {f"h{old}": "{h%d}" % new for new, old in enumerate(used)}
    return replace(sketch, holes=[sketch.holes[old] for old in used], body=renamed(sketch.body, names))


def variants(sketch):
    """(constants by hole, the sketch with them in place) for each choice of values of its ?sw_const."""
    constants = [at for at, hole in enumerate(sketch.holes) if hole.kind == "sw_const"]
    if not constants:
        return [({}, sketch)]
    rest = [at for at, hole in enumerate(sketch.holes) if hole.kind != "sw_const"]
    every = []
    for values in product(*(range(sketch.holes[at].low, sketch.holes[at].n) for at in constants)):
        chosen = dict(zip(constants, values))
        names = {f"h{at}": str(value) if value >= 0 else f"({value})" for at, value in chosen.items()}
        names.update({f"h{old}": "{h%d}" % new for new, old in enumerate(rest)})
        every.append((chosen, replace(sketch, holes=[sketch.holes[at] for at in rest],
                                      body=renamed(sketch.body, names))))
    return every
