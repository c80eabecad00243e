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
    """Products of polynomials over GF(2) of 32 coefficients a register: sketches/ff32.cu, ff64.cu, ff128.cu, and the last one with more registers."""
    if degree <= 128:
        return template(f"ff{degree}")
    sketch, spec = template("ff128")
    if with_columns(sketch, 4) != sketch:
        raise ValueError("ff128.cu does not offer column j to the accumulators i … i + 4 as it did")
    registers = degree // 32
    sketch = with_columns(sketch, registers).replace("128", str(degree)).replace("four coefficients", f"{registers} coefficients")
    sketch = sketch.replace("i + 4, each", f"i + {registers}, each").replace(", 1, 4)", f", 1, {registers})")
    sketch = sketch.replace("and 8 of the product", f"and {2 * registers} of the product").replace("out[8]", f"out[{2 * registers}]")
    sketch = sketch.replace("i < 8;", f"i < {2 * registers};").replace("i < 4;", f"i < {registers};").replace("product * 256 + 32 * i", f"product * {2 * degree} + 32 * i")
    return sketch, spec.replace("256", str(2 * degree)).replace("127", str(degree - 1)).replace("128", str(degree))


def with_columns(sketch, registers):
    """ff128.cu with as many columns of partial products as registers, its other figures as they are."""
    start = sketch.index("    const unsigned b0")
    end = sketch.index("#pragma unroll", start)
    sketch = sketch[:start] + "".join(
        f"    const unsigned b{j} = __shfl_sync(FULL_MASK, rB[{'' if j == 0 else f'({j} + '}?sw_part(2, lane, k){'' if j == 0 else f') % {registers}'}], from_b);\n"
        for j in range(registers)) + sketch[end:]
    start = sketch.index("      if (?sw_cond")
    end = sketch.index("    }\n", start)
    return sketch[:start] + "\n".join("".join(
        f"      if (?sw_cond(lane, k)) out[i{'' if r == 0 else f' + {r}'}] ^= ai & b{j};\n" for r in range(registers + 1)) for j in range(registers)) + sketch[end:]


def kernels_as_people_write_them():
    """All of tests/kernels in one file of some 500 lines, each in a namespace of its own."""
    files = sorted((ROOT / "tests" / "kernels").glob("*.cu"))
    return "".join(f"namespace {file.stem} {{\n{file.read_text()}}}\n" for file in files)


FAMILIES = [
    Family("stencil1d", "points of a 1D stencil", range(3, 32, 2), stencil1d),
    *(Family(name, "words of a struct", range(2, 17), structs(name)) for name in ("aos_load_crc", "aos_load_rcr", "aos_store_crc", "aos_store_rcr", "aos_sum")),
    Family("finite_field", "coefficients of a polynomial", (32, 64, 128, 256), polynomials),
]


def write(family, root, sizes=None):
    """Writes root/sketches/NAME_SIZE.cu and root/specs/NAME_SIZE.cpp for each size."""
    for folder in ("sketches", "specs"):
        (Path(root) / folder).mkdir(parents=True, exist_ok=True)
    for size in sizes or family.sizes:
        sketch, spec = family.generate(size)
        (Path(root) / "sketches" / f"{family.name}_{size}.cu").write_text(sketch)
        (Path(root) / "specs" / f"{family.name}_{size}.cpp").write_text(spec)
