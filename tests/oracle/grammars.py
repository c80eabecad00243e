"""What each kind of hole may become, as tables: one value for each of the hole's points.

A *point* is one combination of arguments that a hole is asked with; a table is a row of values over all of a hole's
points, sorted. Two settings of the parameters with the same table are one completion of the hole.

Example: `?sw_cond(t)` at t = 0, 1, 2, 3 has 12 tables: 0000, 1111, the four with a single 1 and the four with a single 0
(`t == 2`, `t != 2`), and 1100, 0011 (`t < 2`, `t >= 2`); `t < 1` is `t == 0` again.

Source: docs/language.md, "Holes". What it leaves open is answered in README.md, "Readings".
"""
from functools import lru_cache
from itertools import product
from math import gcd

import numpy as np


MOST_TABLES = 60000


class TooMany(Exception):
    """There are more than MOST_TABLES; of partitions and linear maps it is known before all are listed."""


def tables(kind, n, points, low=0):
    """All distinct tables of a hole: an int array [tables, points]. `points`: a sorted tuple of argument tuples."""
    listed = tables_or_none(kind, n, points, low)
    if listed is None:
        raise TooMany
    return listed


@lru_cache(maxsize=512)
def tables_or_none(kind, n, points, low=0):
    """None where there are too many, which a cache remembers as well."""
    try:
        return all_tables(kind, n, points, low)
    except TooMany:
        return None


def all_tables(kind, n, points, low=0):
    if kind in ("sw_const", "sw_expr", "sw_pred"):
        return functions(low, n, len(points))
    columns = list(np.array(points, dtype=np.int64).reshape(len(points), -1).T)
    rows = {
        "sw_cond": lambda: conditions(columns),
        "sw_part": lambda: partitions(n, columns),
        "sw_xor": lambda: xor_swizzles(n, columns[0], columns[1:]),
        "sw_linear": lambda: linear_maps(n, columns),
        "sw_xform": lambda: transformations(n, columns[0], columns[1:]),
        "sw_xform_extra": lambda: swapped_transformations(n, columns[0], columns[1:]),
    }[kind]()
    return few(distinct(rows))


def functions(low, n, points):
    """Any value at each point, as numbers count: of what a list may hold, and of expressions that no grammar lists."""
    if (n - low) ** points > MOST_TABLES:
        raise TooMany
    return low + np.indices((n - low,) * points).reshape(points, -1).T


def few(rows):
    if len(rows) > MOST_TABLES:
        raise TooMany
    return rows


def distinct(rows):
    """The different rows; as bytes, which sort faster than numbers (values are below 2^15)."""
    return short_distinct(rows).astype(np.int64)


def short_distinct(rows):
    """The same in 16 bits, for many rows on the way."""
    rows = np.ascontiguousarray(rows, dtype=np.int16)
    if len(rows) < 2:
        return rows
    whole = rows.view(np.dtype((np.void, rows.shape[1] * rows.itemsize))).ravel()
    return rows[np.unique(whole, return_index=True)[1]]


def divisors(n):
    return [d for d in range(1, n + 1) if n % d == 0]


def conditions(columns):
    """true, false, and a ⊙ I, a ⊙ I + b, a ⊙ I - b for every integer I: comparisons of a, a - b and a + b with I."""
    count = len(columns[0])
    forms = list(columns)
    forms += [a - b for a, b in product(columns, columns) if a is not b]
    forms += [a + b for a, b in product(columns, columns)]
    rows = [np.zeros(count, dtype=bool), np.ones(count, dtype=bool)]
    for form in forms:
        for i in range(int(form.min()), int(form.max()) + 2):
            rows += [form == i, form != i, form < i, form >= i]
    return np.array(rows).astype(np.int64)


def partitions(n, columns):
    """condition ? 0 : condition ? 1 : … : n - 1. As a condition may be false, each step has all rows of the one before."""
    choices = distinct(conditions(columns)).astype(bool)
    rows = np.full((1, len(columns[0])), n - 1, dtype=np.int16)
    for part in range(n - 2, -1, -1):
        rows = np.where(choices[:, None, :], np.int16(part), rows[None, :, :]).reshape(-1, rows.shape[1])
        rows = few(short_distinct(rows))
    return rows


def xor_swizzles(n, i, ks):
    """i ^ (i >> d & m) ^ (k >> d & m) << u ^ … ^ c with d > 0 for i itself, m a run of ones, every term below 2^b."""
    bits = (n & -n).bit_length() - 1
    limit = 1 << bits
    runs = {((1 << width) - 1) << low for width in range(bits + 1) for low in range(bits)} | {0}
    rows = {tuple(i)}
    for shift in range(1, int(i.max()).bit_length() + 1):
        rows |= {tuple(i ^ (i >> shift & run)) for run in runs if run < limit}
    rows = np.array(sorted(rows))
    for k in ks:
        lengths = range(max(int(k.max()).bit_length(), 1))
        terms = {tuple((k >> shift & run) << up) for shift in lengths for run in runs for up in range(bits + 1)
                 if run << up < limit}
        rows = distinct((rows[:, None, :] ^ np.array(sorted(terms))[None, :, :]).reshape(-1, len(i)))
    constants = np.arange(limit)
    return (rows[None, :, :] ^ constants[:, None, None]).reshape(-1, len(i))


def linear_maps(n, columns):
    """Every bit of the value is a XOR of bits of the arguments, and of 0 or 1; the value is in [0, n)."""
    bits = [column >> bit & 1 for column in columns for bit in range(16)]
    sums = np.zeros((1, len(columns[0])), dtype=np.int16)
    for bit in [np.ones_like(columns[0])] + bits:
        sums = short_distinct(np.concatenate([sums, sums ^ bit.astype(np.int16)]))
    rows = np.zeros((1, len(columns[0])), dtype=np.int16)
    places = (n - 1).bit_length()
    if len(sums) ** (places if n == 1 << places else places - 1) > MOST_TABLES:    # they differ, and are below n
        raise TooMany
    for place in range(places):
        rows = (rows[:, None, :] | (sums << place)[None, :, :]).reshape(-1, rows.shape[1])
    return rows[(rows < n).all(axis=1)]


def periods(k):
    """What ⌊k / d⌋ may divide by: divisors of the number of values 0, …, max k; nothing where k is negative."""
    return divisors(int(k.max()) + 1) if k.min() >= 0 else [1]


def rotations(modulus, ks, count, only_digits=False):
    """Σ (c_j·k_j + ⌊k_j / d_j⌋) + c₀ mod `modulus`; with `only_digits`, Σ c_j·⌊k_j / d_j⌋ + c₀."""
    rows = np.arange(modulus)[:, None] + np.zeros((1, count), dtype=np.int64)
    for k in ks:
        terms = [c * (k // d) if only_digits else c * k + k // d for d in periods(k) for c in range(modulus)]
        terms = distinct(np.array(terms) % modulus)
        rows = distinct(((rows[:, None, :] + terms[None, :, :]) % modulus).reshape(-1, count))
    return distinct(rows % modulus)


def transformations(n, i, ks):
    """g·⌊i/g⌋ + (c·i' + ⌊i'/d⌋ + R) mod g and its wrapped form; d divides g and c·d is a multiple of g."""
    parts = []
    for g in divisors(n):
        group, inner = g * (i // g), i % g
        rotation = rotations(g, ks, len(i))
        for d in divisors(g):
            carry = inner // d + rotation
            for c in range(0, g, g // d):
                parts.append(group + (c * inner + carry) % g)
                parts.append(group + (c * inner + carry % (g // d)) % g)
    return np.concatenate([distinct(part) for part in parts])


def swapped_transformations(n, i, ks):
    """Those, and g·⌊i/g⌋ + (g/d)·((c·i' + P) mod d) + (e·⌊i'/d⌋ + R) mod (g/d), c prime to d, e prime to g/d."""
    parts = [transformations(n, i, ks)]
    for g in divisors(n):
        group, inner = g * (i // g), i % g
        for d in divisors(g):
            low = digit(inner, d, ks)
            high = digit(inner // d, g // d, ks)
            both = group + (g // d) * low[:, None, :] + high[None, :, :]
            parts.append(distinct(both.reshape(-1, len(i))))
    return np.concatenate(parts)


def digit(value, modulus, ks):
    """A digit that is fanned and rotated by itself: (c·value + rotation) mod modulus."""
    rotation = rotations(modulus, ks, len(value), only_digits=True)
    fans = [c for c in range(modulus) if gcd(c, modulus) == 1] or [0]
    return distinct(np.concatenate([(c * value + rotation) % modulus for c in fans]))
