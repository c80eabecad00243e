#!/usr/bin/env python3
"""Draws the pictures of these pages as text, from the values that the tool finds: pictures.py NAME.

Most are drawn for a warp of 8 lanes instead of 32: the same formulas with 8 in place of 32.
"""
import sys

LANES = 8


def table(head, rows):
    """Rows of cells, each column as wide as its widest cell."""
    lines = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[i]) for row in lines) for i in range(len(head))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths)).rstrip() for row in lines)


def lanes_head(title):
    return [title] + [f"t{lane}" for lane in range(LANES)]


def stencil1d():
    def register(lane, k):
        return 1 if lane < k else 0

    def source(lane, k):
        return (lane + k) % LANES

    parts = [table(lanes_head("holds"), [[f"rc[{r}]"] + [f"x{LANES * r + lane}" for lane in range(LANES)] for r in range(2)])]
    for k in range(3):
        rows = [
            ["sends"] + [f"rc[{register(lane, k)}]" for lane in range(LANES)],
            ["from"] + [f"t{source(lane, k)}" for lane in range(LANES)],
            ["gets"] + [f"x{LANES * register(source(lane, k), k) + source(lane, k)}" for lane in range(LANES)],
        ]
        parts.append(table(lanes_head(f"k = {k}"), rows))
    return "\n\n".join(parts)


def stencil2d():
    ky, kx = 2, 1

    def cell(row, col):
        source_row, source_col = (row + ky) % 4, (col + kx) % 8
        return f"rc[{int(source_row < ky)}][{int(source_col < kx)}] t{source_row * 8 + source_col}"

    return table([f"ky = {ky}, kx = {kx}"] + [f"col {c}" for c in range(8)], [[f"row {r}"] + [cell(r, c) for c in range(8)] for r in range(4)])


def conv1d_stride2():
    def row(k):
        cells = []
        for lane in range(LANES):
            source = (lane + k // 2) % LANES
            piece = 1 if source < k // 2 else 0
            cells.append(f"x{2 * (LANES * piece + source) + k % 2}")
        return [f"k = {k}"] + cells

    return table(lanes_head(""), [row(k) for k in range(4)])


def ff_rounds(cell, lanes):
    return table([""] + [f"k = {k}" for k in range(lanes)], [[f"t{lane}"] + [cell(lane, k) for k in range(lanes)] for lane in range(lanes)])


def ff32():
    return ff_rounds(lambda lane, k: f"{'low' if k <= lane else 'high'} a{k}b{(lane - k) % 4}", 4)


def ff64():
    def cell(lane, k):
        b0, b1 = (lane - k) % 8, (lane - k + 4) % 8
        outer = "c0 c1" if k <= lane else "c2 c3"
        first, second = outer.split()
        return f"{first} a{k}b{b0}, c1 a{k}b{b1}, {second} a{k + 4}b{b0}, c2 a{k + 4}b{b1}"

    return "\n".join(f"t{lane}, k = {k}:  {cell(lane, k)}" for lane in (0, 2) for k in range(4))


FIELDS = 3


def matrix(name, value):
    return table(lanes_head(name), [[f"[{j}]"] + [value(j, lane) for lane in range(LANES)] for j in range(FIELDS)])


def loaded(j, lane):
    return LANES * j + lane


def rotated(j, lane):
    return loaded((j * 2 + lane) % FIELDS, lane)


def fetched(j, lane):
    return rotated(j, (lane * 3 + j) % LANES)


def aos_load():
    return "\n\n".join([matrix("r", loaded), matrix("rotated", rotated), matrix("fetched", fetched)])


def transposed():
    n = 4
    loaded_tile = lambda j, lane: (j, lane)
    first = lambda j, lane: loaded_tile((lane - j) % n, lane)
    second = lambda j, lane: first(j, (lane + j) % n)
    third = lambda j, lane: second((j - lane) % n, lane)

    def drawn(name, at):
        return table([name] + [f"t{lane}" for lane in range(n)], [[f"[{j}]"] + ["%d%d" % at(j, lane) for lane in range(n)] for j in range(n)])

    return "\n\n".join([drawn("r", loaded_tile), drawn("rotated", first), drawn("fetched", second), drawn("written", third)])


def transpose8x4():
    return "\n".join(" ".join(f"{(lane * 4 + (lane >> 3)) & 31:2d}" for lane in range(8 * r, 8 * r + 8)) for r in range(4))


def butterfly_quads():
    held = [{lane} for lane in range(4)]
    rows = [["before"] + ["".join(map(str, sorted(h))) for h in held]]
    for step in range(2):
        held = [held[lane] | held[(lane + step + 1) % 4] for lane in range(4)]
        rows.append([f"step {step}, from (lane + {step + 1}) & 3"] + ["".join(map(str, sorted(h))) for h in held])
    return table(["sums of"] + [f"t{lane}" for lane in range(4)], rows)


def bit_reverse8():
    first = [(lane & 4) + (((lane & 3) * 2 + ((lane & 3) >> 1)) & 3) for lane in range(8)]
    second = [(lane * 4 + (lane >> 1)) & 7 for lane in range(8)]
    bits = lambda values: [f"{v:03b}" for v in values]
    return table(lanes_head("holds"), [["x"] + bits(range(8)), ["turned"] + bits(first), ["y"] + bits([first[s] for s in second])])


def bit_rounds():
    n = 4
    held = [[f"{row}{bit}" for bit in range(n)] for row in range(n)]
    parts = []

    def draw(name):
        parts.append(table([name] + [f"b{bit}" for bit in range(n)], [[f"t{lane}"] + held[lane] for lane in range(n)]))

    draw("rows")
    for s in (2, 1):
        held = [[held[t][b] if (t & s) == (b & s) else held[t ^ s][b ^ s] for b in range(n)] for t in range(n)]
        draw(f"s = {s}")
    return "\n\n".join(parts)


def packed_halves():
    a, b = {"t0": ["a0", "a1"], "t1": ["c0", "c1"]}, {"t0": ["b0", "b1"], "t1": ["d0", "d1"]}
    turned = lambda word: word[::-1]
    kept = {"t0": 0, "t1": 1}  # which half of the words stays
    merged = lambda t, own, other: [own[h] if h == kept[t] else other[h] for h in range(2)]
    sent = {t: merged(t, turned(a[t]), b[t]) for t in a}
    got = {"t0": sent["t1"], "t1": sent["t0"]}
    after = [{t: merged(t, a[t], got[t]) for t in a}, {t: merged(t, b[t], turned(got[t])) for t in a}]
    rows = [("a", a), ("b", b), ("sends", sent), ("a", after[0]), ("b", after[1])]
    return table([""] + list(a), [[name] + [" ".join(word[t]) for t in a] for name, word in rows])


PICTURES = [stencil1d, stencil2d, conv1d_stride2, ff32, ff64, aos_load, transposed, transpose8x4, butterfly_quads, bit_reverse8, bit_rounds, packed_halves]

if __name__ == "__main__":
    print({p.__name__: p for p in PICTURES}[sys.argv[1]]())
