"""A sketch as a value: what the generator makes, the simulator executes and the printer writes as CUDA.

Index expressions are C text in which `{h0}` stands for hole 0: `y[{h0}] = x[t]` prints as `y[?sw_xform(t, 4)] = x[t]`.
Data are nested tuples:

    ("load", index)                 x[index]
    ("register", array, index)      r[index]
    ("variable", name)
    ("constant", 3)
    ("shared", array, index)
    ("shuffle", data, lane, kind)   kind: "" (a lane), "_xor", "_up" or "_down"; data are evaluated by the source lane
    ("op", sign, a, b)              sign: + - * ^ & | min max
    ("select", condition, a, b)
    ("choose", "{h2}", a, b)        one of a, b, …, as hole 2, a ?sw_choose without arguments, has it
"""
import re
from dataclasses import dataclass, field, fields, is_dataclass

import expressions


@dataclass(frozen=True)
class Hole:
    kind: str
    n: int                # the partitions or the range; 0 for a condition
    arguments: tuple      # C expressions; the index first, where there is one; of ?sw_choose and ?sw_tune the alternatives
    low: int = 0          # of ?sw_const and ?sw_expr

    @property
    def one_for_all(self):
        """Whether it is the same everywhere, so that each choice makes a sketch of its own."""
        return self.kind == "sw_choose" or (self.kind == "sw_const" and not self.arguments)

    @property
    def unbounded(self):
        """Whether no grammar lists what it may be: every table is made by some expression."""
        return self.kind in ("sw_expr", "sw_pred")

    def text(self):
        arguments = list(self.arguments)
        if self.kind in ("sw_const", "sw_expr"):
            arguments = [str(self.low), str(self.n)] + arguments
        elif self.kind == "sw_part":
            arguments = [str(self.n)] + arguments
        elif self.kind not in ("sw_cond", "sw_pred", "sw_choose", "sw_tune"):
            arguments = [arguments[0], str(self.n)] + arguments[1:]
        return f"?{self.kind}({', '.join(arguments)})"


@dataclass
class Int:
    name: str
    value: str


@dataclass
class Registers:
    name: str
    size: str
    values: list          # [] leaves them undefined


@dataclass
class Variable:
    name: str
    value: tuple


@dataclass
class Assign:
    name: str
    value: tuple
    index: str = None     # of a register array


@dataclass
class Accumulate:
    name: str
    sign: str
    value: tuple


@dataclass
class If:
    condition: str
    then: list
    otherwise: list = field(default_factory=list)


@dataclass
class For:
    name: str
    end: str
    body: list


@dataclass
class Shared:
    name: str
    size: int


@dataclass
class StoreShared:
    name: str
    index: str
    value: tuple


@dataclass
class Barrier:
    pass


@dataclass
class Store:
    index: str
    value: tuple


@dataclass
class Sketch:
    lanes: int
    holes: list
    body: list
    inputs: int           # the extent of x
    outputs: int          # the extent of y
    spec: list            # a data tree over ("load", int) and ("constant", c) for each output
    blocks: int = 1       # of `lanes` threads, one warp each; `b` is the block's number
    toy: bool = False
    type: str = "int"
    functions: str = ""   # text in front of the kernel (metamorphic variants)

    def text(self, fill=None, name="kernel"):
        """`fill`: expressions to stand in the place of the holes, else the holes themselves."""
        values = [f"({value})" for value in fill] if fill else [hole.text() for hole in self.holes]
        return self.printed(Printer({f"h{at}": value for at, value in enumerate(values)}, self.type, filled=bool(fill)), name)

    def printed(self, printer, name="kernel"):
        head = ["#pragma swizzle machine toy8"] if self.toy else []
        head += [f"#pragma swizzle launch grid({self.blocks}) block({self.lanes})", f"#pragma swizzle extent x({self.inputs})", ""]
        head += [self.functions] if self.functions else []
        head += [f"__global__ void {name}(const {self.type}* x, {self.type}* y) {{", "  const int t = threadIdx.x;"]
        head += ["  const int b = blockIdx.x;"] if self.blocks > 1 else []
        return "\n".join(head + printer.block(self.body, "  ") + ["}", ""])

    def spec_text(self, name="kernel"):
        printer = Printer({}, self.type)
        lines = [f"  y[{at}] = {printer.data(tree)};" for at, tree in enumerate(self.spec) if tree]
        return "\n".join([f"void {name}(const {self.type}* x, {self.type}* y) {{"] + lines + ["}", ""])


class Printer:
    """`filled`: what stands for a ?sw_choose among data is its text. `raw`: holes stay {h0}."""

    def __init__(self, holes, scalar, filled=True, raw=False):
        self.holes, self.scalar, self.filled, self.raw = holes, scalar, filled, raw

    def index(self, text):
        text = str(text)
        while "{" in text and not self.raw:    # the alternatives of a ?sw_choose may have holes
            text = text.format(**self.holes)
        return text

    def data(self, tree):
        kind, *rest = tree
        if kind == "load":
            return f"x[{self.index(rest[0])}]"
        if kind in ("register", "shared"):
            return f"{rest[0]}[{self.index(rest[1])}]"
        if kind in ("variable", "constant"):
            return str(rest[0])
        if kind == "shuffle":
            return f"__shfl{rest[2]}_sync(0xffffffffu, {self.data(rest[0])}, {self.index(rest[1])})"
        if kind == "select":
            return f"({self.index(rest[0])} ? {self.data(rest[1])} : {self.data(rest[2])})"
        if kind == "choose":
            return self.index(rest[0]) if self.filled else f"?sw_choose({', '.join(map(self.data, rest[1:]))})"
        sign, a, b = rest[0], self.data(rest[1]), self.data(rest[2])
        return f"{sign}({a}, {b})" if sign.isalpha() else f"({a} {sign} {b})"

    def block(self, statements, indent):
        return [line for statement in statements for line in self.statement(statement, indent)]

    def statement(self, s, indent):
        if isinstance(s, If):
            lines = [f"{indent}if ({self.index(s.condition)}) {{"] + self.block(s.then, indent + "  ")
            if s.otherwise:
                lines += [f"{indent}}} else {{"] + self.block(s.otherwise, indent + "  ")
            return lines + [indent + "}"]
        if isinstance(s, For):
            head = f"{indent}for (int {s.name} = 0; {s.name} < {self.index(s.end)}; {s.name}++) {{"
            return [head] + self.block(s.body, indent + "  ") + [indent + "}"]
        return [indent + self.simple(s)]

    def simple(self, s):
        if isinstance(s, Int):
            return f"const int {s.name} = {self.index(s.value)};"
        if isinstance(s, Registers):
            values = " = {" + ", ".join(map(self.data, s.values)) + "}" if s.values else ""
            return f"{self.scalar} {s.name}[{self.index(s.size)}]{values};"
        if isinstance(s, Variable):
            return f"{self.scalar} {s.name} = {self.data(s.value)};"
        if isinstance(s, Assign):
            at = "" if s.index is None else f"[{self.index(s.index)}]"
            return f"{s.name}{at} = {self.data(s.value)};"
        if isinstance(s, Accumulate):
            value = self.data(s.value)
            return f"{s.name} = {s.sign}({s.name}, {value});" if s.sign.isalpha() else f"{s.name} {s.sign}= {value};"
        if isinstance(s, Shared):
            return f"__shared__ {self.scalar} {s.name}[{s.size}];"
        if isinstance(s, StoreShared):
            return f"{s.name}[{self.index(s.index)}] = {self.data(s.value)};"
        if isinstance(s, Store):
            return f"y[{self.index(s.index)}] = {self.data(s.value)};"
        return "__syncthreads();"


def hole_uses(text):
    """Numbers of the holes in an index expression, in the order of their places."""
    return [int(at) for at in re.findall(r"\{h(\d+)\}", str(text))]


def parsed(text, _cache={}):
    """The expression tree of an index in which hole 0 is a variable named h0."""
    text = str(text)
    if text not in _cache:
        _cache[text] = expressions.parse(text.replace("{", "").replace("}", ""))
    return _cache[text]


def parts(tree):
    """Every statement and every data tree below."""
    yield tree
    inner = [getattr(tree, f.name) for f in fields(tree)] if is_dataclass(tree) else tree
    if isinstance(inner, (list, tuple)):
        for part in inner:
            yield from parts(part)


def operators(tree):
    signs = {part.sign for part in parts(tree) if isinstance(part, Accumulate)}
    return signs | {part[1] for part in parts(tree) if isinstance(part, tuple) and part[:1] == ("op",)}
