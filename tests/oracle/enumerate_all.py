"""All completions of a sketch, by trying every combination of tables."""
from dataclasses import dataclass

import numpy as np

import grammars
import simulate

CHUNK = 1 << 17    # numbers in the largest array of a step, about


@dataclass
class Completions:
    """`rows[hole]`: [solutions, points]; `base` and `evaluations[hole]`: [solutions]; `space`: all combinations."""
    points: list
    rows: list
    choices: list
    base: np.ndarray
    evaluations: list
    space: int

    def __len__(self):
        return len(self.base)

    def costs(self, prices):
        """Issue slots of each. `prices[hole]`: of one evaluation, by table."""
        total = self.base.copy()
        for choice, evaluations, price in zip(self.choices, self.evaluations, prices):
            total = total + evaluations * price[choice]
        return total

    def key(self, solution):
        return tuple(tuple(rows[solution].tolist()) for rows in self.rows)


def completions_of(sketch, random):
    points = simulate.points(sketch)
    tables = [grammars.tables(hole.kind, hole.n, p) for hole, p in zip(sketch.holes, points)]
    shape = tuple(len(t) for t in tables)
    space = int(np.prod(shape))
    x = simulate.inputs_for(sketch, random)
    chunk = max(CHUNK // (sketch.lanes * max(sketch.outputs, 8)), 64)
    found = [np.zeros(0, dtype=np.int64)]
    for start in range(0, space, chunk * 8):
        survivors = filtered(sketch, points, tables, shape, np.arange(start, min(start + chunk * 8, space)), x[:, :1])
        for part in range(0, len(survivors), chunk):
            found.append(filtered(sketch, points, tables, shape, survivors[part:part + chunk], x)[:])
    found = np.concatenate(found)
    choices = list(np.unravel_index(found, shape))
    rows = [table[choice] for table, choice in zip(tables, choices)]
    machine = simulate.simulate(sketch, points, rows, x[:, :1]) if len(found) else None
    base = simulate.spread(machine.base, len(found)) if machine else np.zeros(0, dtype=np.int64)
    evaluations = [simulate.spread(e, len(found)) for e in machine.evaluations] if machine else [base] * len(shape)
    return Completions(points, rows, choices, base, evaluations, space)


def filtered(sketch, points, tables, shape, candidates, x):
    """Those of the combinations `candidates` that are right at x."""
    if not len(candidates):
        return candidates
    rows = [table[choice] for table, choice in zip(tables, np.unravel_index(candidates, shape))]
    machine = simulate.simulate(sketch, points, rows, x)
    return candidates[simulate.spread(machine.right, len(candidates))]
