"""What the integer operations of each table cost: the tool is asked to list all tables of one hole, free of all else.

The sketch for that has one thread for each point of the hole and registers that all hold the same element, so that every
table is a completion and `--all` lists each with its cheapest expression. Three things are compared on the way: the tables
are those of grammars.py, each expression has the values of its table, and its cost is that of its operations.
"""
import numpy as np

import expressions
import grammars
from smallest import Smallest

_NAMES = ["a", "b", "c", "d"]


class Mismatch(Exception):
    """What the tool lists is not what the grammar has."""


class Prices:
    def __init__(self, tool, largest=2500):
        self.tool, self.largest, self.known = tool, largest, {}

    def of(self, hole, points):
        """Issue slots of one evaluation for each row of grammars.tables(…), and the expressions; None: not listed.
        Of ?sw_expr and ?sw_pred, at most so many; infinite where no small expression is known."""
        key = (hole.kind, hole.low, hole.n, points)
        if key not in self.known:
            self.known[key] = self.listed(hole, points)
        return self.known[key]

    def listed(self, hole, points):
        if len(points) > 32:
            return None
        if not points:
            return np.zeros(1, dtype=np.int64), ["0"]
        rows = grammars.tables(hole.kind, hole.n, points, hole.low)
        if hole.kind == "sw_const":    # parts of instructions
            return np.zeros(len(rows), dtype=np.int64), [as_selects(row, points) for row in rows.tolist()]
        if hole.unbounded:
            small = Smallest(hole.low, hole.n, points, _NAMES[:len(points[0])])
            return small.slots, small.texts
        if len(rows) > self.largest:
            return None
        answer = self.tool.ask(*isolated(hole, points), "--all=1000000")
        if answer.outcome == "unknown":    # a machine with much else to do
            return None
        if answer.code != 0:
            raise Mismatch(f"{hole.text()} at {points}: {answer.outcome}\n{answer.diagnostics}")
        return compare(hole, points, rows, answer.report["completions"])


def as_selects(row, points):
    """A list of constants, as an expression."""
    conditions = [" && ".join(f"{name} == {value}" for name, value in zip(_NAMES, point)) for point in points[:-1]]
    return "".join(f"{condition} ? {value} : " for condition, value in zip(conditions, row)) + str(row[-1])


def compare(hole, points, rows, completions):
    """Prices by row; a Mismatch where the list and the grammar differ."""
    names = _NAMES[:len(points[0])]
    at = {tuple(row): number for number, row in enumerate(rows.tolist())}
    prices, printed = np.full(len(rows), -1, dtype=np.int64), [None] * len(rows)
    base = None
    for completion in completions:
        text = completion["expressions"][0]
        row = at.get(tuple(expressions.table(text, names, np.array(points)).tolist()))
        if row is None or prices[row] >= 0:
            why = "is not in the grammar" if row is None else "is listed twice"
            raise Mismatch(f"{hole.text()} at {points}: {text} {why}")
        prices[row], printed[row] = expressions.slots(expressions.parse(text)), text
        base = completion["cost"] - prices[row] if base is None else base
        if completion["cost"] - prices[row] != base:
            raise Mismatch(f"{hole.text()} at {points}: {text} costs {completion['cost'] - base}, not {prices[row]}")
    if (prices < 0).any():
        missing = rows[prices < 0]
        raise Mismatch(f"{hole.text()} at {points}: {len(missing)} of {len(rows)} tables are not listed, "
                       f"such as {missing[0].tolist()}")
    return prices, printed


def isolated(hole, points):
    """A sketch of this hole alone, and its spec."""
    names = _NAMES[:len(points[0])]
    count = len(points)
    lines = [f"#pragma swizzle launch grid(1) block({count})", "__global__ void kernel(const int* x, int* y) {"]
    for column, name in enumerate(names):
        values = ", ".join(str(point[column]) for point in points)
        lines.append(f"  static const int {name}_of[{count}] = {{{values}}};")
        lines.append(f"  const int {name} = {name}_of[threadIdx.x];")
    use = type(hole)(hole.kind, hole.n, tuple(names)).text()
    lines.append("  const int q = x[0];")
    if hole.kind == "sw_cond":
        lines.append(f"  int p = q; if ({use}) p = q;")
        lines.append("  y[threadIdx.x] = p;")
    else:
        lines.append(f"  int r[{hole.n}] = {{{', '.join(['q'] * hole.n)}}};")
        lines.append(f"  y[threadIdx.x] = r[{use}];")
    spec = f"void kernel(const int* x, int* y) {{ for (int t = 0; t < {count}; t++) y[t] = x[0]; }}\n"
    return "\n".join(lines + ["}", ""]), spec
