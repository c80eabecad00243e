"""Layouts of shared memory: random tiles and accesses, all members of the families, and the fewest wavefronts.

Example, 2 × 8 words on 8 banks, read by columns: `r * 8 + c` puts both rows of a column into one bank, 2 wavefronts where 1
is the ideal; `r * 9 + c` and `r * 8 + (c ^ r)` take 1.

What is compared: the wavefronts that are found are the fewest of any member; no layout that is named in the sketch (a pitch,
or a swizzle of CuTe's), as short and with as few wavefronts, costs less than what is proved minimal.

Source: docs/language.md, "Layouts of shared memory".
"""
from dataclasses import dataclass

import numpy as np

from compare import Difference

LOADS = [("{t}", "{i}"), ("{i}", "({t} + {i}) % {C}"), ("({t} + {i}) % {R}", "{t} % {C}"), ("{t} % {R}", "({t} / {R} + {i}) % {C}"),
         ("({t} ^ {i}) % {R}", "{i} % {C}"), ("{t} * 2 % {R}", "({i} + {t} / 2) % {C}")]


@dataclass
class Tile:
    rows: int
    columns: int
    toy: bool
    load: tuple           # row and column as text over {t}, {i}, {R}, {C}
    steps: int            # iterations of the load
    readers: int          # lanes that load
    plain: bool           # an array of rows * columns elements; else of L.size()

    @property
    def banks(self):
        return 8 if self.toy else 32

    def loaded(self, step):
        """Cells that the lanes load in one iteration, in the order of the lanes."""
        names = {"R": self.rows, "C": self.columns, "i": step}
        index = [[int(eval(part.replace("/", "//").format(t=t, **names))) for part in self.load]
                 for t in range(self.readers)]
        return [row * self.columns + column for row, column in index]

    def accesses(self):
        stored = [[row * self.columns + column for column in range(first, min(first + self.banks, self.columns))]
                  for row in range(self.rows) for first in range(0, self.columns, self.banks)]
        return stored + [self.loaded(i) for i in range(self.steps)]

    def text(self, third=""):
        row, column = (part.format(t="t", i="i", R=self.rows, C=self.columns) for part in self.load)
        size = str(self.rows * self.columns) if self.plain else "L.size()"
        return "\n".join([
            f"#pragma swizzle machine {'toy8' if self.toy else 'sm_90'}",
            f"#pragma swizzle launch grid(1) block({self.banks})",
            f"#pragma swizzle extent x({self.rows * self.columns})", "",
            "__global__ void kernel(const int* x, int* y) {",
            f"  auto L = ?sw_layout({self.rows}, {self.columns}{third});",
            f"  __shared__ int tile[{size}];",
            "  const int t = threadIdx.x;",
            f"  for (int i = 0; i < {self.rows}; i++) {{",
            f"    for (int c = t; c < {self.columns}; c += {self.banks}) tile[L(i, c)] = x[i * {self.columns} + c];",
            "  }",
            "  __syncthreads();",
            f"  for (int i = 0; i < {self.steps}; i++) {{",
            f"    if (t < {self.readers}) y[i * {self.readers} + t] = tile[L({row}, {column})];",
            "  }", "}", ""])

    def spec_text(self):
        lines = [f"  y[{i * self.readers + t}] = x[{cell}];" for i in range(self.steps)
                 for t, cell in enumerate(self.loaded(i))]
        return "\n".join(["void kernel(const int* x, int* y) {"] + lines + ["}", ""])


def generate(random):
    """A tile whose load touches no cell outside of it."""
    while True:
        toy = bool(random.random() < 0.7)
        sizes = [2, 3, 4, 6, 8, 16] if toy else [4, 8, 16]
        rows, columns = (int(random.choice(sizes)) for _ in range(2))
        load = LOADS[int(random.integers(len(LOADS)))]
        readers, steps = int(random.choice(sizes)), int(random.integers(1, 5))
        if load == LOADS[0]:
            readers, steps = rows, columns
        tile = Tile(rows, columns, toy, load, steps, readers, bool(random.random() < 0.5))
        inside = {0 <= cell < rows * columns for i in range(steps) for cell in tile.loaded(i)}
        if inside == {True} and readers <= tile.banks:
            return tile


def members(tile):
    """Addresses of the cells for each member of the families: [members, rows * columns]."""
    r, c = (axis.ravel() for axis in np.mgrid[:tile.rows, :tile.columns])
    pitches = [tile.columns] if tile.plain else range(tile.columns, tile.columns + tile.banks + 1)
    found = []
    for pitch in pitches:
        base, bits = r * pitch, int(pitch - 1).bit_length()
        changed = [c] + list(xors(r, c, bits))
        found += [base + column for column in changed]
        inner = changed if pitch == tile.columns else [c]
        for modulus in {tile.columns, pitch}:
            found += [base + (column + turn) % modulus for column in inner for turn in turns(r, modulus)]
        if pitch == tile.columns or pitch & (pitch - 1) == 0:
            found += list(swizzles(base + c))
    found = np.array(found)
    whole = (np.diff(np.sort(found, axis=1), axis=1) > 0).all(axis=1) & (found >= 0).all(axis=1)
    if tile.plain:
        whole &= (found < tile.rows * tile.columns).all(axis=1)
    return np.unique(found[whole], axis=0)


def xors(r, c, bits):
    for shift in range(int(r.max()).bit_length()):
        for width in range(1, bits + 1):
            for up in range(bits - width + 1):
                yield c ^ ((r >> shift & ((1 << width) - 1)) << up)


def turns(r, modulus):
    for shift in range(int(r.max()).bit_length()):
        for factor in range(1, modulus):
            yield factor * (r >> shift)


def swizzles(e):
    bits = int(e.max()).bit_length()
    for b in range(1, bits + 1):
        for m in range(bits - b + 1):
            for s in range(b, bits):
                mask = ((1 << b) - 1) << m
                yield e ^ (e >> s & mask)
                yield e ^ (e << s & mask)


def wavefronts(tile, addresses):
    """Wavefronts of all accesses, by member."""
    total = np.zeros(len(addresses), dtype=np.int64)
    for cells in tile.accesses():
        banks = addresses[:, sorted(set(cells))] % tile.banks
        total += (banks[:, :, None] == np.arange(tile.banks)).sum(axis=1).max(axis=1)
    return total


def compare(tile, tool, random):
    """Differences; None where the tool does not know."""
    answer = tool.ask(tile.text(), tile.spec_text())
    if answer.outcome == "unknown":
        return None
    if answer.outcome != "found":
        return [Difference("outcome", f"{answer.outcome} {answer.diagnostics}, but a layout never changes what is computed")]
    fewest = int(wavefronts(tile, members(tile)).min())
    layout = answer.report["layouts"][0]
    if layout["wavefronts"] != fewest:
        return [Difference("layout", f"{layout['wavefronts']:g} wavefronts with {layout['expression']}, but {fewest}")]
    return named(tile, tool, answer, fewest, random)


def named(tile, tool, answer, fewest, random):
    """Layouts under their names that are as good, and cost less."""
    r, c = (axis.ravel() for axis in np.mgrid[:tile.rows, :tile.columns])
    every = [(f", sw_pitch({pitch})", r * pitch + c) for pitch in range(tile.columns, tile.columns + tile.banks)]
    bits = int((tile.rows * tile.columns - 1)).bit_length()
    e = r * tile.columns + c
    every += [(f", sw_cute({b}, {m}, {s})", e ^ (e >> s & ((1 << b) - 1) << m)) for b in range(1, bits)
              for m in range(bits - b) for s in range(b, bits)]
    limit = tile.rows * tile.columns if tile.plain else 1 << 30
    good = [(text, a) for text, a in every if a.max() < limit and wavefronts(tile, a[None])[0] == fewest]
    for at in random.permutation(len(good))[:4]:
        text = good[at][0]
        fixed = tool.ask(tile.text(text), tile.spec_text())
        if fixed.outcome != "found" or fixed.report["layouts"][0]["wavefronts"] != fewest:
            return [Difference("layout", f"{text[2:]}: {fixed.outcome} {fixed.diagnostics}, but {fewest} wavefronts")]
        if fixed.cost < answer.cost:
            return [Difference("layout cost", f"{answer.cost:g} ({answer.report['layouts'][0]['expression']}, "
                               f"{answer.report['optimality']}), but {fixed.cost:g} with {text[2:]}")]
    return []
