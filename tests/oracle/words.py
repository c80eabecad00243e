"""Words that are followed bit by bit, as a value: printed as CUDA and as a spec, and executed for many completions at once.

Words are bytes, shorts or whole: of a byte a mask has 256 tables, and all are tried.

Source: docs/language.md, "Bits".
"""
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np

TYPES = {8: "unsigned char", 16: "unsigned short", 32: "unsigned"}
ALL_ONES = 0xffffffff


@dataclass(frozen=True)
class Hole:
    kind: str             # sw_mask, sw_bytes, sw_const or sw_choose
    arguments: tuple      # of "t" and "k"
    low: int = 0          # of ?sw_const
    high: int = 0

    def text(self):
        bounds = (str(self.low), str(self.high)) if self.kind == "sw_const" else ()
        return f"?{self.kind}({', '.join(bounds + self.arguments)})"

    def values(self, width):
        """All that make a difference to words of so many bits."""
        if self.kind == "sw_mask":
            return range(1 << width)
        if self.kind == "sw_const":
            return range(self.low, self.high)
        digits = product(range(8), repeat=width // 8)
        return [sum(digit << 4 * at for at, digit in enumerate(selector)) for selector in digits]

    def count(self, width):
        return {"sw_mask": 1 << width, "sw_bytes": 8 ** (width // 8)}.get(self.kind, self.high - self.low)

    def spoken(self):
        """How many the language has, by the logarithm."""
        return np.log10({"sw_mask": 2 ** 32, "sw_bytes": 8 ** 4}.get(self.kind, max(self.high - self.low, 1)))


@dataclass
class Words:
    """`rounds` times the assignments `steps`, [(name, tree)]. Trees:

        ("name", "a"), ("constant", 3), ("hole", 0), ("op", sign, tree, tree), ("not", tree),
        ("shuffle", tree, lane mask), ("perm", tree, tree, selector), ("choose", 2, tree, tree, …)    as hole 2 has it
    """
    width: int
    lanes: int
    rounds: int
    holes: list
    steps: list
    spec: list = field(default_factory=list)       # for each lane, the values of the holes: [hole][point]
    planted: list = field(default_factory=list)    # those of all lanes but the last, which may have others
    counter: int = None                            # the hole that says how many rounds there are

    def choices(self):
        """[(values of what is the same everywhere, by hole, the words with them in place)]"""
        options = {} if self.counter is None else {self.counter: range(self.holes[self.counter].low, self.holes[self.counter].high)}
        for _, tree in self.steps:
            if tree[0] == "choose":
                options[tree[1]] = range(len(tree) - 2)
        every = [dict(zip(options, values)) for values in product(*options.values())]
        return [(chosen, self.chosen(chosen)) for chosen in every]

    def chosen(self, values):
        steps = [(name, tree[2 + values[tree[1]]] if tree[0] == "choose" else tree) for name, tree in self.steps]
        return replace(self, steps=steps, rounds=values.get(self.counter, self.rounds), counter=None)

    def points(self, hole):
        """None of a hole that nothing asks."""
        if f"('hole', {hole})" not in str(self.steps):
            return []
        sizes = [{"t": self.lanes, "k": self.rounds}[name] for name in self.holes[hole].arguments]
        return list(product(*map(range, sizes)))

    def text(self, fill=None):
        """`fill`: expressions to stand in the place of the holes."""
        return self.with_values([f"({value})" for value in fill] if fill else [hole.text() for hole in self.holes], bool(fill))

    def with_values(self, values, is_filled):
        rounds = self.rounds if self.counter is None else values[self.counter]
        scalar = TYPES[self.width]
        lines = [f"#pragma swizzle launch grid(1) block({self.lanes})", f"#pragma swizzle extent x({self.lanes})",
                 "#pragma swizzle bits(x, y)", f"__global__ void kernel(const {scalar}* x, {scalar}* y) {{",
                 "  const int t = threadIdx.x;", f"  {scalar} a = x[t];", f"  for (int k = 0; k < {rounds}; k++) {{"]
        for name, tree in self.steps:
            declared = "" if name == "a" else "const unsigned " if name.startswith("m") else f"const {scalar} "
            cast = "" if name.startswith("m") or self.width == 32 else f"({scalar})"
            lines.append(f"    {declared}{name} = {cast}({self.printed(tree, values, is_filled)});")
        return "\n".join(lines + ["  }", "  y[t] = a;", "}", ""])

    def printed(self, tree, values, is_filled):
        kind, *rest = tree
        if kind in ("name", "constant"):
            return str(rest[0])
        if kind == "hole":
            return values[rest[0]]
        parts = [self.printed(part, values, is_filled) for part in rest if isinstance(part, tuple)]
        if kind == "choose":
            return values[rest[0]] if is_filled else values[rest[0]].replace("()", f"({', '.join(parts)})")
        if kind == "op":
            return f"({parts[0]} {rest[0]} {parts[1]})"
        if kind == "not":
            return f"~{parts[0]}"
        name = {"shuffle": "__shfl_xor_sync(0xffffffffu, ", "perm": "__byte_perm("}[kind]
        return name + ", ".join(parts) + ")"

    def spec_text(self):
        """Written out lane by lane, with the constants in place."""
        scalar = TYPES[self.width]
        lines = [f"  {scalar} a{t} = x[{t}];" for t in range(self.lanes)]
        for k in range(self.rounds):
            for name, tree in self.steps:
                for t in range(self.lanes):
                    value = self.spelled(tree, t, k)
                    lines.append(f"  const {scalar if name[0] != 'm' else 'unsigned'} {name}_{t}_{k} = {value};")
                if name == "a":
                    lines += [f"  a{t} = a_{t}_{k};" for t in range(self.lanes)]
        lines += [f"  y[{t}] = a{t};" for t in range(self.lanes)]
        return "\n".join([f"void kernel(const {scalar}* x, {scalar}* y) {{"] + lines + ["}", ""])

    def spelled(self, tree, t, k):
        kind, *rest = tree
        if kind == "name":
            return f"a{t}" if rest[0] == "a" else f"{rest[0]}_{t}_{k}"
        if kind == "constant":
            return str(rest[0])
        if kind == "hole":
            return hex(self.spec[t][rest[0]][self.at(rest[0], t, k)]) + "u"
        if kind == "shuffle":
            distance = int(self.spelled(rest[1], t, k).rstrip("u"), 0)
            other = t ^ distance
            return self.spelled(rest[0], other if other < self.lanes else t, k)
        parts = [self.spelled(part, t, k) for part in rest if isinstance(part, tuple)]
        if kind == "op":
            return f"({parts[0]} {rest[0]} {parts[1]})"
        if kind == "not":
            return f"~{parts[0]}"
        selector = int(parts[2].rstrip("u"), 0)
        digits = [selector >> 4 * place & 7 for place in range(4)]
        return "(" + " | ".join(f"(unsigned({parts[d // 4]}) >> {d % 4 * 8} & 255u) << {place * 8}"
                                for place, d in enumerate(digits)) + ")"

    def at(self, hole, t, k):
        """The number of the point that the hole is asked with."""
        point = tuple({"t": t, "k": k}[name] for name in self.holes[hole].arguments)
        return self.points(hole).index(point)


def samples(words, random):
    """Inputs [lanes, samples]: random ones, the extremes, and every one with a single bit."""
    bits = words.lanes * words.width
    single = np.zeros((words.lanes, bits), dtype=np.uint64)
    for bit in range(bits):
        single[bit // words.width, bit] = 1 << bit % words.width
    dice = random.integers(0, 1 << words.width, size=(words.lanes, 64), dtype=np.uint64)
    same = np.array([[0, (1 << words.width) - 1]], dtype=np.uint64).repeat(words.lanes, axis=0)
    return np.concatenate([dice, same, single], axis=1)


def run(words, tables, x):
    """y [completions, lanes, samples]. `tables[hole]`: [completions, points], or [completions, lanes, points] where each
    lane has its own, as the spec has it."""
    y = x[None]
    for y in steps_of(words, tables, x):
        pass
    return y


def steps_of(words, tables, x):
    """What each assignment to a or b gives, in turn; the last one is that to a."""
    own = np.uint64((1 << words.width) - 1)
    names = {"a": x[None]}
    for k in range(words.rounds):
        for name, tree in words.steps:
            value = evaluate(words, tree, names, tables, k)
            names[name] = value if name.startswith("m") else value & own
            if not name.startswith("m"):
                yield names[name]


def evaluate(words, tree, names, tables, k):
    """[completions or 1, lanes or 1, samples or 1], 32 bits each."""
    kind, *rest = tree
    if kind == "name":
        return names[rest[0]]
    if kind == "constant":
        return np.full((1, 1, 1), int(str(rest[0]).rstrip("u"), 0), dtype=np.uint64)
    if kind == "hole":
        at = [words.at(rest[0], t, k) for t in range(words.lanes)]
        table = tables[rest[0]]
        picked = table[:, at] if table.ndim == 2 else table[:, range(words.lanes), at]
        return picked[:, :, None]
    parts = [evaluate(words, part, names, tables, k) for part in rest if isinstance(part, tuple)]
    if kind == "op":
        a, b = parts
        return {"&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor, "<<": np.left_shift,
                ">>": np.right_shift}[rest[0]](a, b) & np.uint64(ALL_ONES)
    if kind == "not":
        return ~parts[0] & np.uint64(ALL_ONES)
    if kind == "shuffle":
        return shuffled(words, *parts)
    return permuted(*parts)


def shuffled(words, value, distance):
    """A lane that the block does not have sends what is undefined: such distances are not generated."""
    own = np.arange(words.lanes)[None, :]
    other = own ^ np.broadcast_to(distance[:, :, 0].astype(np.int64), (len(distance), words.lanes))
    count = max(len(value), len(other))
    rows = np.arange(count)[:, None]
    value = np.broadcast_to(value, (count,) + value.shape[1:])
    return value[rows, np.broadcast_to(other, (count, words.lanes))]


def permuted(a, b, selector):
    both = a | b << np.uint64(32)
    out = np.uint64(0)
    for place in range(4):
        digit = selector >> np.uint64(4 * place) & np.uint64(7)
        out = out | (both >> digit * np.uint64(8) & np.uint64(255)) << np.uint64(8 * place)
    return out


def space(words):
    """How many completions there are to try."""
    total = 1
    for at, hole in enumerate(words.holes):
        total *= hole.count(words.width) ** len(words.points(at))
    return total


def wanted(words, x):
    """What the spec stores: [lanes, samples]."""
    tables = [np.array([[lane[at] for lane in words.spec]], dtype=np.uint64) for at in range(len(words.holes))]
    return run(words, tables, x)[0]


def all_tables(words, numbers):
    """Tables of the completions of these numbers: for each hole [completions, points]."""
    out = []
    for at, hole in enumerate(words.holes):
        points, columns = words.points(at), [np.zeros((len(numbers), 0), dtype=np.uint64)]
        values = np.array(list(hole.values(words.width)) if points else [], dtype=np.uint64)
        for _ in points:
            columns.append(values[numbers % len(values)][:, None])
            numbers = numbers // len(values)
        out.append(np.concatenate(columns, axis=1))
    return out


def right_ones(words, x, y):
    """Numbers of the completions that store y."""
    numbers = np.arange(space(words))
    for few in (4, 24, x.shape[1]):
        kept = []
        for part in np.array_split(numbers, len(numbers) * few // 100_000 + 1):
            if len(part):
                are_right = (run(words, all_tables(words, part), x[:, :few]) == y[:, :few]).all(axis=(1, 2))
                kept.append(part[np.broadcast_to(are_right, len(part))])
        numbers = np.concatenate(kept) if kept else numbers
    return numbers
