"""Executes a sketch for many completions at once: lanes in lockstep, data as numbers at random inputs.

Every array is over [completions, lanes] (index values, masks) or [completions, lanes, samples] (data); the first axis
is 1 where no hole has had a say. Two 32-bit programs of +, -, *, ^, & and | that differ somewhere differ at random inputs
with overwhelming probability; for minima and maxima each input is the extreme one in a sample of its own. So what is
compared is what the docs promise, equality for all data, and no algebra of ours has to agree with the tool's.

Example, 2 lanes, `y[t] = r[?sw_part(2, t)]`, r = {x[t], x[t + 2]}: the completions 00, 01, 10, 11 give y = (x[0], x[1]),
(x[0], x[3]), (x[2], x[1]), (x[2], x[3]).

The rules are those of docs/language.md, "What rejects a completion"; costs are those of docs/how_it_works.md, "The cost".
"""
import numpy as np

import expressions
from arrays import choose, spread, take
from sketch import (Accumulate, Assign, Barrier, For, If, Int, Registers, Shared, Store, StoreShared, Variable,
                    hole_uses, operators, parsed)

LOAD, SHUFFLE, WAVEFRONT, ARITHMETIC = 8, 4, 4, 2

INDEXED = ("sw_xform", "sw_xform_extra", "sw_xor", "sw_linear")    # what they are asked for is in [0, n)

_DATA = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "^": np.bitwise_xor, "&": np.bitwise_and, "|": np.bitwise_or,
    "min": np.minimum, "max": np.maximum,
}


class BadSketch(Exception):
    """What the docs make a diagnostic: no hole is involved, or a hole cannot stand there."""


def inputs_for(sketch, random, count=4):
    """Samples of x: [elements, samples]. Small magnitudes in some, so that extremes of sums are seen as well."""
    signs = operators([sketch.body, sketch.spec])
    if len(signs) > 1 and signs - {"+", "-", "*", "^"}:
        count = 40    # laws between operators may hold for most signs of their operands
    x = random.integers(-2**31, 2**31, size=(sketch.inputs, count), dtype=np.int64)
    x[:, 1] = random.permutation(sketch.inputs) * 3 + 1
    x = x.astype(np.int32)
    if signs & {"min", "max", "|", "&"}:
        ones = np.eye(sketch.inputs, dtype=np.int32)
        x = np.concatenate([x, 1000 * ones + random.integers(0, 9, size=ones.shape, dtype=np.int32),
                            -1000 * ones - random.integers(0, 9, size=ones.shape, dtype=np.int32), ones, ~ones], axis=1)
    return x


def evaluate_spec(tree, x):
    kind, *rest = tree
    if kind == "load":
        return x[int(rest[0])]
    if kind == "constant":
        return np.full(x.shape[1], rest[0], dtype=np.int32)
    return _DATA[rest[0]](evaluate_spec(rest[1], x), evaluate_spec(rest[2], x))


_asked = {}    # by text: the generator and the enumeration ask the same


def asked(sketch):
    """Each hole's points, sorted, and how often a warp evaluates it; branches that holes decide are both entered."""
    text = sketch.text()
    if text not in _asked:
        machine = Machine(sketch, None, None, np.zeros((sketch.inputs, 1), dtype=np.int32))
        machine.run()
        if len(_asked) > 100:
            _asked.clear()
        _asked[text] = [tuple(sorted(points)) for points in machine.asked], machine.evaluations
    return _asked[text]


def points(sketch):
    return asked(sketch)[0]


def simulate(sketch, hole_points, rows, x):
    """`rows`: for each hole its table at each completion, [completions, points]. Gives a finished Machine:
    `right` [completions], `base` (issue slots without integer operations)."""
    machine = Machine(sketch, hole_points, rows, x)
    machine.run()
    machine.compare()
    return machine


class Machine:
    def __init__(self, sketch, hole_points, rows, x):
        self.sketch, self.x, self.rows = sketch, x, rows
        self.lanes, self.samples = sketch.lanes * sketch.blocks, x.shape[1]    # of all blocks, one warp each
        self.own = np.arange(self.lanes)[None, :] % sketch.lanes
        self.block_of = np.arange(self.lanes)[None, :] // sketch.lanes
        self.place = [Places(p) for p in hole_points] if rows is not None else None
        self.asked = [set() for _ in sketch.holes]
        self.rejected = np.zeros(1, dtype=bool)
        self.faulty = False    # breaks a rule in which no hole has a say; of more than one completion
        self.base = np.zeros(1)
        self.evaluations = [0.0] * len(sketch.holes)
        self.ints = {"t": self.own, "b": self.block_of}
        self.data, self.arrays, self.tiles = {}, {}, {}
        self.y = np.zeros((1, sketch.outputs, self.samples), dtype=np.int32)
        self.y_defined = np.zeros((1, sketch.outputs), dtype=bool)
        self.writer = np.full((1, sketch.outputs), -1)
        self.wanted = np.array([tree is not None for tree in sketch.spec])

    def run(self):
        self.block(self.sketch.body, np.ones((1, self.lanes), dtype=bool))

    # ---- indices ----

    def index(self, text, mask):
        """Values of an index expression, [completions or 1, lanes]; holes in it are asked where `mask` holds."""
        for hole in hole_uses(text):
            self.ints[f"h{hole}"] = self.ask(hole, mask)
        value = expressions.evaluate(parsed(text), self.ints)
        if value.ndim == 2 and value.shape[1] == self.lanes:
            return value
        return np.broadcast_to(value, np.broadcast_shapes(np.shape(value), (1, self.lanes)))

    def ask(self, hole, mask):
        arguments = [self.index(argument, mask) for argument in self.sketch.holes[hole].arguments]
        shape = np.broadcast_shapes(*(a.shape for a in arguments))
        arguments = [np.broadcast_to(a, shape) for a in arguments]
        if self.rows is None:
            active = np.broadcast_to(mask, (len(mask) if shape[0] == 1 else shape[0], self.lanes))
            self.evaluations[hole] += self.warps(active.any(axis=0, keepdims=True))[0]
            for lane in range(self.lanes):
                if active[:, lane].any():
                    self.asked[hole] |= set(zip(*(a[:, lane].tolist() for a in arguments)))
            self.check_arguments(self.sketch.holes[hole], self.asked[hole])
            return np.zeros((1, self.lanes), dtype=np.int64)
        if not self.place[hole].count:    # never reached
            return np.zeros((1, self.lanes), dtype=np.int64)
        at = self.place[hole].of(arguments)
        rows = np.arange(len(self.rows[hole]))[:, None]
        return self.rows[hole][rows, spread(at, len(self.rows[hole]))]

    def check_arguments(self, hole, points):    # what is permuted is one of n
        if hole.kind in INDEXED and any(not 0 <= point[0] < hole.n for point in points):
            raise BadSketch

    def warps(self, mask):
        """How many warps have an active lane, of one: with more blocks, the mean."""
        return mask.reshape(len(mask), self.sketch.blocks, -1).any(axis=2).mean(axis=1)

    def guard(self, condition, mask):
        value = self.index(condition, mask) != 0
        if self.rows is None and hole_uses(condition):
            return mask, mask
        return mask & value, mask & ~value

    def issue(self, slots, mask):
        self.base = self.base + slots * self.warps(mask)

    def reject(self, where):
        where = where.any(axis=1) if where.ndim == 2 else where
        self.faulty = self.faulty or bool(len(where) == 1 and where.any())
        self.rejected = self.rejected | where

    def clamp(self, index, size, mask):
        """Rejects completions whose active lanes leave [0, size)."""
        self.reject(mask & ((index < 0) | (index >= size)))
        return np.clip(index, 0, size - 1)

    # ---- data: (values [·, lanes, samples], undefined [·, lanes]) ----

    def value(self, tree, mask):
        kind, *rest = tree
        if kind == "constant":
            return np.full((1, self.lanes, self.samples), rest[0], dtype=np.int32), np.zeros((1, self.lanes), dtype=bool)
        if kind == "variable":
            return self.data[rest[0]]
        if kind == "load":
            at = self.clamp(self.index(rest[0], mask), self.sketch.inputs, mask)
            self.issue(LOAD, mask)
            return self.x[at], np.zeros(at.shape, dtype=bool)
        if kind == "register":
            values, undefined = self.arrays[rest[0]]
            at = self.clamp(self.index(rest[1], mask), values.shape[1], mask)
            return take(values, undefined, at, np.arange(self.lanes)[None, :])
        if kind == "shared":
            return self.load_shared(rest[0], self.index(rest[1], mask), mask)
        if kind == "shuffle":
            return self.shuffle(*rest, mask)
        if kind == "select":
            yes, no = self.guard(rest[0], mask)
            return choose(yes, self.value(rest[1], yes), self.value(rest[2], no))
        (a, a_undefined), (b, b_undefined) = self.value(rest[1], mask), self.value(rest[2], mask)
        self.issue(ARITHMETIC, mask)
        return _DATA[rest[0]](a, b), a_undefined | b_undefined

    def shuffle(self, tree, lane, kind, mask):
        values, undefined = self.value(tree, mask)
        lane, lanes = self.index(lane, mask), self.sketch.lanes
        if kind:
            lane = {"_xor": self.own ^ lane, "_up": self.own - lane, "_down": self.own + lane}[kind]
        if kind == "_up":    # past the first lane each keeps its own value
            lane = np.where(lane < 0, self.own, lane)
        self.issue(SHUFFLE, mask)
        missing = (lane < 0) | (lane >= lanes)
        lane = np.clip(lane, 0, lanes - 1) + self.block_of * lanes
        values, undefined = take(values[:, None], undefined[:, None], np.zeros_like(lane), lane)
        return values, undefined | missing

    # ---- shared memory ----

    def load_shared(self, name, index, mask):
        tile = self.tiles[name]
        at = self.clamp(index, tile.size, mask) + self.block_of * tile.size
        tile.touch(at, mask, wrote=False)
        self.wavefronts(at, mask, tile.size)
        values, undefined = tile.words
        count = max(len(values), len(at))
        rows = np.arange(count)[:, None]
        values, undefined = spread(values, count), spread(undefined, count)
        at = spread(at, count)
        return values[rows, at], undefined[rows, at]

    def store_shared(self, name, index, value, mask):
        tile = self.tiles[name]
        at = self.clamp(index, tile.size, mask) + self.block_of * tile.size
        tile.touch(at, mask, wrote=True)
        self.wavefronts(at, mask, tile.size)
        tile.store(at, mask, *value)

    def wavefronts(self, at, mask, size):
        """Words of 32 bits: as many wavefronts as the busiest bank has different words; of more blocks, the mean."""
        banks = 8 if self.sketch.toy else 32
        for block in range(self.sketch.blocks):
            words = np.arange(block * size, (block + 1) * size)
            used = ((at[:, :, None] == words) & mask[:, :, None]).any(axis=1)
            busiest = np.stack([used[:, bank::banks].sum(axis=1) for bank in range(min(banks, size))]).max(axis=0)
            self.base = self.base + WAVEFRONT * busiest / self.sketch.blocks

    def barrier(self):
        for tile in self.tiles.values():
            self.reject(tile.races())

    # ---- statements ----

    def block(self, statements, mask):
        for statement in statements:
            self.statement(statement, mask)

    def statement(self, s, mask):
        if isinstance(s, For):
            for i in range(int(self.index(s.end, mask).max())):
                self.ints[s.name] = np.full((1, self.lanes), i)
                self.block(s.body, mask)
        elif isinstance(s, If):
            yes, no = self.guard(s.condition, mask)
            self.block(s.then, yes)
            self.block(s.otherwise, no)
        elif isinstance(s, Int):
            self.ints[s.name] = self.index(s.value, mask)
            if self.rows is None and hole_uses(s.value):    # every value it may have, as completions of their own
                hole = self.sketch.holes[hole_uses(s.value)[0]]
                self.ints[s.name] = np.arange(hole.low, hole.n)[:, None] + np.zeros((1, self.lanes), dtype=np.int64)
        elif isinstance(s, Registers):
            self.declare(s, mask)
        elif isinstance(s, Variable):
            self.data[s.name] = self.value(s.value, mask)
        elif isinstance(s, Assign):
            self.assign(s, mask)
        elif isinstance(s, Accumulate):
            new = self.value(("op", s.sign, ("variable", s.name), s.value), mask)
            self.data[s.name] = choose(mask, new, self.data[s.name])
        elif isinstance(s, Shared):
            self.tiles[s.name] = Tile(s.size, self.lanes, self.samples, self.sketch.blocks)
        elif isinstance(s, StoreShared):
            value = self.value(s.value, mask)
            self.store_shared(s.name, self.index(s.index, mask), value, mask)
        elif isinstance(s, Barrier):
            self.barrier()
        elif isinstance(s, Store):
            self.store(self.index(s.index, mask), self.value(s.value, mask), mask)

    def declare(self, s, mask):
        size = int(self.index(s.size, mask).max())
        values = np.zeros((1, size, self.lanes, self.samples), dtype=np.int32)
        undefined = np.ones((1, size, self.lanes), dtype=bool)
        if s.values:
            every = [self.value(v, mask) for v in s.values]
            count = max(len(v[0]) for v in every)
            values = np.stack([spread(v[0], count) for v in every], axis=1)
            undefined = np.stack([spread(v[1], count) for v in every], axis=1)
        self.arrays[s.name] = values, undefined

    def assign(self, s, mask):
        new = self.value(s.value, mask)
        if s.index is None:
            self.data[s.name] = choose(mask, new, self.data[s.name])
            return
        values, undefined = self.arrays[s.name]
        at = self.clamp(self.index(s.index, mask), values.shape[1], mask)
        here = mask[:, None, :] & (at[:, None, :] == np.arange(values.shape[1])[None, :, None])
        self.arrays[s.name] = (np.where(here[..., None], new[0][:, None], values),
                               np.where(here, new[1][:, None], undefined))

    def store(self, index, value, mask):
        at = self.clamp(index, self.sketch.outputs, mask)
        self.reject(mask & ~self.wanted[at])
        count = max(len(a) for a in (at, mask, value[0], self.y))
        values, undefined = spread(value[0], count), spread(value[1], count)
        self.y, self.writer = spread(self.y, count).copy(), spread(self.writer, count).copy()
        self.y_defined = spread(self.y_defined, count).copy()
        if len(at) == len(mask) == 1:
            self.store_at_known(at[0], values, undefined, mask[0])
        else:
            self.store_at_chosen(spread(at, count), values, undefined, spread(mask, count))

    def store_at_known(self, at, values, undefined, mask):
        """Each lane to the same word, whatever the holes are."""
        clash = np.zeros(len(values), dtype=bool)
        for lane in np.flatnonzero(mask):
            word = at[lane]
            writer = self.writer[:, word]
            other = (writer >= 0) & (writer != lane)
            if other.any():
                same = (self.y[:, word] == values[:, lane]).all(axis=1) & self.y_defined[:, word] & ~undefined[:, lane]
                clash |= other & ~same
            self.y[:, word] = values[:, lane]
            self.y_defined[:, word] = ~undefined[:, lane]
            self.writer[:, word] = lane
        self.reject(clash)

    def store_at_chosen(self, at, values, undefined, mask):
        rows, clash = np.arange(len(values)), np.zeros(len(values), dtype=bool)
        for lane in range(self.lanes):
            on, word = mask[:, lane], at[:, lane]
            other = (self.writer[rows, word] >= 0) & (self.writer[rows, word] != lane)
            same = (self.y[rows, word] == values[:, lane]).all(axis=1) & self.y_defined[rows, word] & ~undefined[:, lane]
            clash |= on & other & ~same
            self.y[rows[on], word[on]] = values[on, lane]
            self.y_defined[rows[on], word[on]] = ~undefined[on, lane]
            self.writer[rows[on], word[on]] = lane
        self.reject(clash)

    def compare(self):
        self.barrier()
        wanted = self.wanted
        right = ((self.writer >= 0) == wanted).all(axis=1) & self.y_defined[:, wanted].all(axis=1)
        for at, tree in enumerate(self.sketch.spec):
            if tree is not None:
                right = right & (self.y[:, at] == evaluate_spec(tree, self.x)).all(axis=1)
        self.right = right & ~self.rejected


class Places:
    """Where each point is among a hole's sorted points."""

    def __init__(self, points):
        self.count = len(points)
        if not points:
            return
        columns = np.array(points).T
        self.low, self.size = columns.min(axis=1), columns.max(axis=1) - columns.min(axis=1) + 1
        self.table = np.zeros(int(np.prod(self.size)), dtype=np.int64)
        self.table[self.code(columns)] = np.arange(len(points))

    def code(self, columns):
        code = 0
        for column, low, size in zip(columns, self.low, self.size):
            code = code * size + np.clip(column - low, 0, size - 1)    # inactive lanes may be anywhere
        return code

    def of(self, columns):
        return self.table[self.code(columns)]


class Tile:
    """Shared memory: words [·, size, samples], and which lanes touched which word since the last barrier."""

    def __init__(self, size, lanes, samples, blocks):
        self.size, self.lanes, self.all = size, lanes, size * blocks
        self.words = np.zeros((1, self.all, samples), dtype=np.int32), np.ones((1, self.all), dtype=bool)
        self.forget()

    def forget(self):
        self.touched = np.zeros((1, self.all, self.lanes), dtype=bool)
        self.written = np.zeros((1, self.all), dtype=bool)

    def touch(self, at, mask, wrote):
        here = (at[:, None, :] == np.arange(self.all)[None, :, None]) & mask[:, None, :]
        self.touched = self.touched | here
        if wrote:
            self.written = self.written | here.any(axis=2)

    def store(self, at, mask, values, undefined):
        count = max(len(a) for a in (at, mask, values, self.words[0]))
        words, unknown = spread(self.words[0], count).copy(), spread(self.words[1], count).copy()
        at, mask = spread(at, count), spread(mask, count)
        values, undefined, rows = spread(values, count), spread(undefined, count), np.arange(count)
        for lane in range(self.lanes):
            on = mask[:, lane]
            words[rows[on], at[on, lane]] = values[on, lane]
            unknown[rows[on], at[on, lane]] = undefined[on, lane]
        self.words = words, unknown

    def races(self):
        race = ((self.touched.sum(axis=2) > 1) & self.written).any(axis=1)
        self.forget()
        return race
