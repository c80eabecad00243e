"""All completions of a sketch, by trying every combination of tables, under every choice of constants."""
from dataclasses import dataclass

import numpy as np

import grammars
import simulate
from rename import variants

CHUNK = 1 << 17    # numbers in the largest array of a step, about


@dataclass
class Completions:
    """Of a sketch whose ?sw_const are fixed, `constants` by the number of the hole; the other arrays are by solution.

    `holes[j]` is the number, in the sketch as it was, of the hole that has the table `rows[j][solution]`.
    """
    constants: dict
    holes: list
    points: list
    rows: list
    choices: list
    base: np.ndarray
    evaluations: list
    space: int            # combinations of tables, 1 where the sketch cannot be executed
    least_space: int      # 1 also where it cannot be, whatever the tables are: whether that is seen depends on how values are kept
    faulty: bool = False  # breaks a rule in which no hole has a say
    bad: bool = False     # asks a hole for what it cannot be asked for
    numbers: dict = None

    def __len__(self):
        return len(self.base)

    def at_key(self):
        """Solutions by their keys."""
        if self.numbers is None:
            self.numbers = {self.key(at): at for at in range(len(self))}
        return self.numbers

    def costs(self, prices):
        """Issue slots of each. `prices[j]`: of one evaluation of hole j, by table."""
        total = self.base.copy()
        for choice, evaluations, price in zip(self.choices, self.evaluations, prices):
            total = total + evaluations * price[choice]
        return total

    def key(self, solution):
        """What tells completions apart: the constants, and the tables of the other holes."""
        tables = tuple(tuple(rows[solution].tolist()) for rows in self.rows)
        return tuple(sorted(self.constants.items())), tables


def completions_of(sketch, random):
    """One Completions for each choice of constants that is a sketch at all."""
    x = simulate.inputs_for(sketch, random)
    every = []
    for constants, fixed in variants(sketch):
        try:
            every.append(of_fixed(constants, [at for at in range(len(sketch.holes)) if at not in constants], fixed, x))
        except simulate.BadSketch:
            every.append(nothing_of(constants))
    return every


def nothing_of(constants):
    """Constants under which the sketch cannot be executed: no completion, and counted once."""
    return Completions(constants, [], [], [], [], np.zeros(0), [], 1, 1, bad=True)


def of_fixed(constants, holes, sketch, x):
    points, evaluations = simulate.asked(sketch)
    tables = [grammars.tables(hole.kind, hole.n, p, hole.low) if p else np.zeros((1, 0), dtype=np.int64)
              for hole, p in zip(sketch.holes, points)]
    shape = tuple(len(t) for t in tables)
    space = int(np.prod(shape))
    chunk = max(CHUNK // (sketch.lanes * sketch.blocks * max(sketch.outputs, 8)), 64)
    found = [np.zeros(0, dtype=np.int64)]
    for start in range(0, space, chunk * 8):
        some = np.arange(start, min(start + chunk * 8, space))
        some = filtered(sketch, points, tables, shape, some, x[:, :1])
        found += [filtered(sketch, points, tables, shape, some[at:at + chunk], x) for at in range(0, len(some), chunk)]
    found = np.concatenate(found)
    choices = chosen(found, shape)
    rows = [table[choice] for table, choice in zip(tables, choices)]
    empty = np.zeros(0)
    if not len(found):
        faulty = is_faulty(sketch, points, tables, shape, x[:, :1])
        counted = 1 if faulty else space
        least = 1 if breaks_always(sketch, points, tables, shape, x[:, :1], chunk) else counted
        return Completions(constants, holes, points, rows, choices, empty, evaluations, counted, least, faulty)
    machine = simulate.simulate(sketch, points, rows, x[:, :1])
    return Completions(constants, holes, points, rows, choices, simulate.spread(machine.base, len(found)), evaluations,
                       space, space)


def breaks_always(sketch, points, tables, shape, x, chunk):
    """Whether every combination breaks a rule."""
    space = int(np.prod(shape))
    for start in range(0, space, chunk):
        some = chosen(np.arange(start, min(start + chunk, space)), shape)
        if not simulate.simulate(sketch, points, [table[choice] for table, choice in zip(tables, some)], x).rejected.all():
            return False
    return True


def is_faulty(sketch, points, tables, shape, x):
    """Whether the sketch breaks a rule in which no hole has a say: then there is nothing to choose."""
    two = np.arange(min(2, int(np.prod(shape))))
    rows = [table[choice] for table, choice in zip(tables, chosen(two, shape))]
    return simulate.simulate(sketch, points, rows, x).faulty


def chosen(numbers, shape):
    """Which table of each hole the combinations have."""
    return list(np.unravel_index(numbers, shape)) if shape else []


def filtered(sketch, points, tables, shape, candidates, x):
    """Those of the combinations `candidates` that are right at x."""
    if not len(candidates):
        return candidates
    rows = [table[choice] for table, choice in zip(tables, chosen(candidates, shape))]
    machine = simulate.simulate(sketch, points, rows, x)
    return candidates[simulate.spread(machine.right, len(candidates))]
