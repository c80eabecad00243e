"""Sketches of any size: a family is a name, the sizes to try and a function from a size to (sketch, spec)."""

from pathlib import Path
from typing import Callable, NamedTuple, Sequence

ROOT = Path(__file__).resolve().parent.parent


class Family(NamedTuple):
    name: str
    size_label: str
    sizes: Sequence[int]
    generate: Callable[[int], tuple[str, str]]


def replaced(text, old, new):
    if text.count(old) != 1:
        raise ValueError(f"{old!r} stands {text.count(old)} times in the template, not once")
    return text.replace(old, new)


def template(name):
    return (ROOT / "sketches" / f"{name}.cu").read_text(), (ROOT / "specs" / f"{name}.cpp").read_text()


def stencil1d(width):
    """A stencil of `width` points on two registers a lane, which hold 64 elements: width is at most 33."""
    sketch, spec = template("stencil1d")
    sketch = replaced(sketch, "A 3-point stencil", f"A {width}-point stencil")
    return replaced(sketch, "k < 3;", f"k < {width};"), replaced(spec, "k < 3;", f"k < {width};")


def structs(name):
    """Arrays of structs of `fields` words, as in sketches/NAME.cu."""
    def generated(fields):
        sketch, spec = template(name)
        return tuple(replaced(text, "constexpr int kFields = 3;", f"constexpr int kFields = {fields};") for text in (sketch, spec))
    return generated


def polynomials(degree):
    """Products of polynomials over GF(2) of 32 coefficients a register: sketches/ff32.cu and ff64.cu."""
    return template(f"ff{degree}")


FAMILIES = [
    Family("stencil1d", "points of a 1D stencil", range(3, 32, 2), stencil1d),
    *(Family(name, "words of a struct", range(2, 17), structs(name)) for name in ("aos_load_crc", "aos_load_rcr", "aos_store_crc", "aos_store_rcr", "aos_sum")),
    Family("finite_field", "coefficients of a polynomial", (32, 64), polynomials),
]


def write(family, root, sizes=None):
    """Writes root/sketches/NAME_SIZE.cu and root/specs/NAME_SIZE.cpp for each size."""
    for folder in ("sketches", "specs"):
        (Path(root) / folder).mkdir(parents=True, exist_ok=True)
    for size in sizes or family.sizes:
        sketch, spec = family.generate(size)
        (Path(root) / "sketches" / f"{family.name}_{size}.cu").write_text(sketch)
        (Path(root) / "specs" / f"{family.name}_{size}.cpp").write_text(spec)
