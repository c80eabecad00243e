"""Executes a sketch with one completion, on symbols: what each output is made of, as a tree over the inputs.

Example: 2 lanes, `s = x[t]; s += x[1 - t]; y[t] = s` stores (x[0] + x[1], x[1] + x[0]).

It is the source of the specs that are planted, and an independent check of simulate.py: both execute the same sketches
(test_oracle.py compares them).
"""
from dataclasses import dataclass, field

import numpy as np

import expressions
from sketch import (Accumulate, Assign, Barrier, For, If, Int, Registers, Shared, Store, StoreShared, Variable,
                    hole_uses, parsed)


class Rejected(Exception):
    """What a completion must not do."""


@dataclass
class _Lane:
    ints: dict
    data: dict = field(default_factory=dict)     # trees; None is undefined
    arrays: dict = field(default_factory=dict)


def outputs_of(sketch, points, rows):
    """A tree for each output, or None where the completion breaks a rule or an output is undefined or missing."""
    try:
        return _Warp(sketch, points, rows).run()
    except Rejected:
        return None


class _Warp:
    def __init__(self, sketch, points, rows):
        self.sketch = sketch
        self.tables = [{point: int(value) for point, value in zip(p, row)} for p, row in zip(points, rows)]
        count = sketch.lanes
        self.lanes = [_Lane({"t": at % count, "b": at // count}) for at in range(count * sketch.blocks)]
        self.tiles, self.touched = {}, {}
        self.y = {}

    def run(self):
        self.block(self.sketch.body, list(range(len(self.lanes))))
        self.barrier()
        return [self.y[at][1] if at in self.y else None for at in range(self.sketch.outputs)]

    def index(self, text, lane):
        ints = self.lanes[lane].ints
        for hole in hole_uses(text):
            point = tuple(self.index(a, lane) for a in self.sketch.holes[hole].arguments)
            ints[f"h{hole}"] = self.tables[hole][point]
        return int(np.asarray(expressions.evaluate(parsed(text), ints)))

    def within(self, at, size):
        if not 0 <= at < size:
            raise Rejected
        return at

    def value(self, tree, lane, active):
        kind, *rest = tree
        if kind == "constant":
            return tree
        if kind == "variable":
            return self.lanes[lane].data[rest[0]]
        if kind == "load":
            return ("load", self.within(self.index(rest[0], lane), self.sketch.inputs))
        if kind == "register":
            array = self.lanes[lane].arrays[rest[0]]
            return array[self.within(self.index(rest[1], lane), len(array))]
        if kind == "shared":
            tile = self.tiles[rest[0]][lane // self.sketch.lanes]
            at = self.within(self.index(rest[1], lane), len(tile))
            self.touched.setdefault((id(tile), at), []).append((lane, False))
            return tile[at]
        if kind == "shuffle":
            own, delta = lane % self.sketch.lanes, self.index(rest[1], lane)
            source = {"": delta, "_xor": own ^ delta, "_up": own - delta, "_down": own + delta}[rest[2]]
            source = own if rest[2] == "_up" and source < 0 else source
            in_warp = 0 <= source < self.sketch.lanes
            return self.value(rest[0], lane - own + source, active) if in_warp else None
        if kind == "select":
            return self.value(rest[1] if self.index(rest[0], lane) else rest[2], lane, active)
        a, b = self.value(rest[1], lane, active), self.value(rest[2], lane, active)
        return None if a is None or b is None else ("op", rest[0], a, b)

    def block(self, statements, active):
        for s in statements:
            self.statement(s, active)

    def statement(self, s, active):
        if isinstance(s, For):
            for i in range(self.index(s.end, 0)):
                for lane in self.lanes:
                    lane.ints[s.name] = i
                self.block(s.body, active)
        elif isinstance(s, If):
            taken = {lane for lane in active if self.index(s.condition, lane)}
            self.block(s.then, [lane for lane in active if lane in taken])
            self.block(s.otherwise, [lane for lane in active if lane not in taken])
        elif isinstance(s, Barrier):
            self.barrier()
        elif isinstance(s, Shared):
            self.tiles[s.name] = [[None] * s.size for _ in range(self.sketch.blocks)]
        else:
            # All lanes read before any of them writes.
            new = {lane: self.result(s, lane, active) for lane in active}
            for lane, value in new.items():
                self.write(s, lane, value)

    def result(self, s, lane, active):
        if isinstance(s, Int):
            return self.index(s.value, lane)
        if isinstance(s, Registers):
            return [self.value(v, lane, active) for v in s.values] or [None] * self.index(s.size, lane)
        if isinstance(s, Accumulate):
            return self.value(("op", s.sign, ("variable", s.name), s.value), lane, active)
        return self.value(s.value, lane, active)

    def write(self, s, lane, value):
        state = self.lanes[lane]
        if isinstance(s, Int):
            state.ints[s.name] = value
        elif isinstance(s, Registers):
            state.arrays[s.name] = value
        elif isinstance(s, (Variable, Accumulate)) or (isinstance(s, Assign) and s.index is None):
            state.data[s.name] = value
        elif isinstance(s, Assign):
            array = state.arrays[s.name]
            array[self.within(self.index(s.index, lane), len(array))] = value
        elif isinstance(s, StoreShared):
            tile = self.tiles[s.name][lane // self.sketch.lanes]
            at = self.within(self.index(s.index, lane), len(tile))
            self.touched.setdefault((id(tile), at), []).append((lane, True))
            tile[at] = value
        elif isinstance(s, Store):
            self.store(self.within(self.index(s.index, lane), self.sketch.outputs), lane, value)

    def store(self, at, lane, value):
        if value is None:
            raise Rejected
        if at in self.y and self.y[at][0] != lane and self.y[at][1] != value:
            raise Rejected
        self.y[at] = lane, value

    def barrier(self):
        for uses in self.touched.values():
            if len({lane for lane, _ in uses}) > 1 and any(wrote for _, wrote in uses):
                raise Rejected
        self.touched = {}
