"""The same sketch in other words: the outcome and the least cost must not change.

| variant | what is different |
|---|---|
| renamed | every variable, buffer and function has another name |
| named | a hole's value gets a name before it is used |
| functions | each hole stands in a `__device__` function of its arguments |
| unrolled | as `functions`, and loops are written out |
| swapped | operands of commutative operations, and the lines of the spec, change places |
| moved | all of x lies elsewhere: element i of N at N - 1 - i |
| unsigned, float | the data are |
| accumulator | the sum is one of `create_accumulator` |
"""
import re
from dataclasses import fields, is_dataclass, replace

from sketch import For, Int, hole_uses, operators

ACCUMULATORS = {"+": "plus", "^": "bit_xor"}
COMMUTATIVE = ("+", "*", "^", "&", "|", "min", "max")


def variants(sketch):
    """(name, sketch text, spec text) of each variant that there is of this sketch."""
    text, spec = sketch.text(), sketch.spec_text()
    out = [("renamed", renamed_text(text), renamed_text(spec)), ("swapped", replace(
        sketch, body=swapped(sketch.body)).text(), reversed_lines(spec))]
    wrapped = in_functions(sketch)
    out.append(("functions", wrapped.text(), spec))
    chooses = any(hole.kind == "sw_choose" for hole in sketch.holes)
    if not has_selects(sketch.body) and not chooses:
        out.append(("named", replace(sketch, body=named(sketch.body)).text(), spec))
    if not chooses and any(isinstance(s, For) and s.end.isdigit() for s in sketch.body):
        out.append(("unrolled", replace(wrapped, body=unrolled(wrapped.body)).text(), spec))
    out.append(("moved", *moved(sketch)))
    signs = operators(sketch.body)
    if not signs & {"min", "max"}:
        out.append(("unsigned", of_type("unsigned", text), of_type("unsigned", spec)))
    if signs <= {"+", "-", "*"}:
        out.append(("float", of_type("float", text), of_type("float", spec)))
    if "int s = 0;" in text and len(signs) == 1 and signs <= set(ACCUMULATORS) and "select" not in str(sketch.body) and "Assign(name='s'" not in str(sketch.body):
        out.append(("accumulator", accumulated(text, ACCUMULATORS[signs.pop()]), spec))
    return out


def of_type(scalar, text):
    """With data of another type; indices stay integers."""
    return re.sub(r"\bint (r\[|q\[|s\b|v\d|tile|board)", scalar + r" \1", text.replace("int*", scalar + "*"))


def accumulated(text, operator):
    text = text.replace("int s = 0;", f"auto s = create_accumulator(0, identity, {operator});")
    text = re.sub(r"\bs [-+^]= (.*);", r"accumulate(s, {\1}, true);", text)
    return re.sub(r"= s;", "= eval(s);", text)


def transformed(part, change):
    """Bottom-up: `change` of every statement, data tree and index."""
    if isinstance(part, (list, tuple)):
        part = type(part)(transformed(inner, change) for inner in part)
    elif is_dataclass(part):
        part = replace(part, **{f.name: transformed(getattr(part, f.name), change) for f in fields(part)})
    return change(part)


def renamed_text(text):
    names = {"t": "lane", "k": "round", "r": "mine", "s": "total", "x": "source", "y": "target", "tile": "place", "q": "given", "board": "shelf",
             "b": "block", "p": "chosen", "v0": "first", "v1": "second", "kernel": "compute"}
    return re.sub(r"(?<![.?#\w])(" + "|".join(names) + r")\b", lambda m: names[m.group()], text)


def swapped(body):
    def change(part):
        if isinstance(part, tuple) and part[:1] == ("op",) and part[1] in COMMUTATIVE:
            return ("op", part[1], part[3], part[2])
        return part
    return transformed(body, change)


def reversed_lines(spec):
    first, *lines, last = spec.strip().split("\n")
    return "\n".join([first] + lines[::-1] + [last, ""])


def has_selects(body):
    return "('select'" in str(body)


def named(statements):
    """Each hole in front of the statement that uses it; what it guards is still behind it."""
    out = []
    for s in statements:
        inner = {f.name: named(getattr(s, f.name)) for f in fields(s)
                 if f.name in ("body", "then", "otherwise") and getattr(s, f.name)}
        own = replace(s, **{name: [] for name in inner})
        holes = [] if isinstance(s, For) else list(dict.fromkeys(hole_uses(str(own))))
        names = {"{h%d}" % hole: f"chosen{hole}" for hole in holes}
        out += [Int(name, use) for use, name in names.items()]
        def change(part):
            if isinstance(part, str):
                for use, name in names.items():
                    part = part.replace(use, name)
            return part
        out.append(replace(transformed(own, change), **inner))
    return out


def in_functions(sketch):
    """Each hole in a function of its arguments."""
    functions, calls = [], {}
    for at, hole in enumerate(sketch.holes):
        if hole.one_for_all or "{h%d}" % at in str([other.arguments for other in sketch.holes]):
            continue
        names = ("a", "b", "c", "d")[:len(hole.arguments)]
        kind = "bool" if hole.kind in ("sw_cond", "sw_pred") else "int"
        parameters = ", ".join(f"int {name}" for name in names)
        functions.append(f"__device__ {kind} choose{at}({parameters}) {{ return {replace(hole, arguments=names).text()}; }}")
        calls["{h%d}" % at] = f"choose{at}({', '.join(hole.arguments)})"

    def change(part):
        if isinstance(part, str):
            for use, call in calls.items():
                part = part.replace(use, call)
        return part
    return replace(sketch, body=transformed(sketch.body, change), functions="\n".join(functions))


def unrolled(body):
    """Loops written out; what iteration i declares, and its k, get names of their own."""
    out = []
    for number, s in enumerate(body):
        if not (isinstance(s, For) and s.end.isdigit()):
            out.append(s)
            continue
        for i in range(int(s.end)):
            def change(part, new=rf"\1_{number}_{i}", name=s.name):
                return re.sub(rf"\b({name}|v\d)\b", new, part) if isinstance(part, str) else part
            out += [Int(f"{s.name}_{number}_{i}", str(i))] + transformed(s.body, change)
    return out


def moved(sketch):
    """x[i] becomes x[N - 1 - i], here and in the spec: no less and no more is outside of it."""
    last = sketch.inputs - 1
    def change(part):
        if isinstance(part, tuple) and part[:1] == ("load",):
            return ("load", f"{last} - ({part[1]})")
        return part
    return replace(sketch, body=transformed(sketch.body, change)).text(), replace(sketch, spec=transformed(sketch.spec, change)).spec_text()
