"""Sketches with holes renumbered, and with what is the same everywhere in the place of ?sw_const, ?sw_choose and ?sw_tune."""
import re
from dataclasses import fields, is_dataclass, replace
from itertools import product

from sketch import Printer, parts


def renamed(part, names):
    """The same statements with other text for the names in braces."""
    if isinstance(part, str):
        return part.format(**names) if "{" in part else part
    if isinstance(part, (list, tuple)):
        return type(part)(renamed(inner, names) for inner in part)
    if is_dataclass(part):
        return replace(part, **{f.name: renamed(getattr(part, f.name), names) for f in fields(part)})
    return part


class _Places(Printer):
    """Prints <3> where hole 3 stands. A hole in an alternative of a ?sw_choose comes before it."""

    def __init__(self, holes):
        super().__init__({f"h{at}": ", ".join(hole.arguments if hole.kind == "sw_choose" else ()) + f"<{at}>"
                          for at, hole in enumerate(holes)}, "int")

    def data(self, tree):
        if tree[0] == "choose":
            return ", ".join(map(self.data, tree[2:])) + self.index(tree[1])
        return super().data(tree)


def in_source_order(sketch):
    """Numbers the holes as they stand in the text, which is how the tool numbers them; ?sw_tune behind all others."""
    places = re.findall(r"<(\d+)>", sketch.printed(_Places(sketch.holes)))
    used = sorted(dict.fromkeys(map(int, places)), key=lambda at: sketch.holes[at].kind == "sw_tune")
    names = {f"h{old}": "{h%d}" % new for new, old in enumerate(used)}
    return replace(sketch, holes=[with_names(sketch.holes[old], names) for old in used], body=renamed(sketch.body, names))


def with_names(hole, names):
    return replace(hole, arguments=renamed(hole.arguments, names))


def variants(sketch):
    """(choices by hole, the sketch with them in place) for each choice of values of its ?sw_const and of alternatives, by
    their numbers, of its ?sw_choose."""
    return fixed(sketch, {at: range(hole.low, hole.n) if hole.kind == "sw_const" else range(alternatives(sketch, at))
                          for at, hole in enumerate(sketch.holes) if hole.one_for_all})


def tuned(sketch):
    """(numbers by hole, the sketch with them in place) for each choice of its ?sw_tune."""
    return fixed(sketch, {at: list(map(int, hole.arguments)) for at, hole in enumerate(sketch.holes) if hole.kind == "sw_tune"})


def alternatives(sketch, at):
    """How many a ?sw_choose has, of integers or of data."""
    return len(sketch.holes[at].arguments or choose_at(sketch, at)[2:])


def alternative(sketch, at, value):
    """A choice as text, in which holes may stand."""
    hole = sketch.holes[at]
    if hole.kind != "sw_choose":
        return str(value)
    return hole.arguments[value] if hole.arguments else Printer({}, "int", raw=True).data(choose_at(sketch, at)[2 + value])


def choose_at(sketch, at):
    """The data among which a ?sw_choose chooses."""
    return next(part for part in parts(sketch.body) if isinstance(part, tuple) and part[:2] == ("choose", "{h%d}" % at))


def fixed(sketch, options):
    """`options`: by the number of the hole. Holes in alternatives that are not chosen stay, and are asked for nothing."""
    if not options:
        return [({}, sketch)]
    rest = [at for at in range(len(sketch.holes)) if at not in options]
    new = {f"h{old}": "{h%d}" % at for at, old in enumerate(rest)}
    every = []
    for values in product(*options.values()):
        chosen = dict(zip(options, values))
        names = dict(new)
        for at, value in chosen.items():
            names[f"h{at}"] = text_of(sketch.holes[at], value).format(**new)
        body = renamed(taken(sketch.body, chosen), names)
        every.append((chosen, replace(sketch, holes=[with_names(sketch.holes[at], names) for at in rest], body=body)))
    return every


def text_of(hole, value):
    if hole.kind == "sw_choose":
        return f"({hole.arguments[value]})" if hole.arguments else ""
    return str(value) if value >= 0 else f"({value})"


def taken(part, chosen):
    """With the chosen alternatives of data."""
    if isinstance(part, tuple) and part[:1] == ("choose",):
        at = int(part[1][2:-1])
        return taken(part[2 + chosen[at]], chosen) if at in chosen else part[:2] + tuple(taken(p, chosen) for p in part[2:])
    if isinstance(part, (list, tuple)):
        return type(part)(taken(inner, chosen) for inner in part)
    if is_dataclass(part):
        return replace(part, **{f.name: taken(getattr(part, f.name), chosen) for f in fields(part)})
    return part
