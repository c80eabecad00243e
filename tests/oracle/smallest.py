"""The cheapest small expressions for tables that no grammar lists: those of ?sw_expr and ?sw_pred.

Example, t = 0 … 3 in [0, 2): the table 0011 is `t >> 1` and `t > 1`, one operation each; 0110 is `(t + 1 & 2) >> 1`, three.

Every expression of up to two operations and some of three are gone through, of the constants that docs/language.md names
under "Expressions that no grammar lists": of three operations, those that go no further than the arguments. What is found
for a table is what it costs at most.
"""
import numpy as np

CONSTANTS = sorted(set(range(65)) | {1 << bit for bit in range(11)} | {(1 << bit) - 1 for bit in range(11)})
COMPARISONS = {"<": np.less, "<=": np.less_equal, "==": np.equal, "!=": np.not_equal}    # > and >= with operands swapped
LARGEST = 1 << 30


def shifted(shift):
    return lambda a, b: np.where((b >= 0) & (b < 31), shift(a, np.clip(b, 0, 31)), LARGEST)


ARITHMETIC = {"+": np.add, "-": np.subtract, "*": np.multiply, "&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor,
              "<<": shifted(np.left_shift), ">>": shifted(np.right_shift)}


def near_constants(columns):
    """Up to one more than the largest argument, powers of two up to twice that, and one less."""
    reach = int(np.abs(columns).max()) + 1
    return [c for c in CONSTANTS if c <= min(reach, 64) or (c <= 2 * reach and c & c - 1 == 0) or
            (c + 1 <= 2 * reach and c & c + 1 == 0)]


def leaves_of(columns, names, constants):
    numbers = np.array(constants)[:, None] + np.zeros((1, columns.shape[1]), dtype=np.int64)
    words = list(names) + list(map(str, constants))
    return Terms(np.concatenate([columns, numbers]), lambda at: words[at])


class Terms:
    """Expressions with different values: `values` [terms, points], `texts`, each in parentheses where it has an operation."""

    def __init__(self, values, texts):
        whole = (np.abs(values) < LARGEST).all(axis=1)
        at = np.flatnonzero(whole)
        rows = np.ascontiguousarray(values[at])
        _, first = np.unique(rows.view(np.dtype((np.void, rows.shape[1] * 8))).ravel(), return_index=True)
        self.at = at[np.sort(first)]
        self.values, self.texts = values[self.at], [texts(int(i)) for i in self.at]

    def __len__(self):
        return len(self.values)


class Smallest:
    """`slots` by table in the order of grammars.functions, infinite where no expression is known, and `texts`."""

    def __init__(self, low, n, points, names):
        self.low, self.base = low, n - low
        columns = np.array(points, dtype=np.int64).reshape(len(points), -1).T
        self.weights = self.base ** np.arange(len(points))[::-1]
        self.slots = np.full(self.base ** len(points), np.inf)
        self.texts = [None] * len(self.slots)
        self.search(columns, names)

    def search(self, columns, names):
        leaves, near = (leaves_of(columns, names, constants) for constants in (CONSTANTS, near_constants(columns)))
        arguments = Terms(columns, lambda at: names[at])
        self.take(leaves, 0)
        first = self.combined(arguments, leaves, ARITHMETIC)
        self.take(first, 1)
        single = self.combined(arguments, leaves, COMPARISONS)
        self.take(single, 1)
        self.take_combined(first, leaves, ARITHMETIC, 2)
        self.take(self.combined(first, leaves, COMPARISONS), 2)
        results = self.inside(leaves)
        self.take_selects(single, results, results, 2)
        first = self.combined(arguments, near, ARITHMETIC)
        self.take_selects(self.combined(first, near, COMPARISONS), results, results, 3)
        some = self.inside(first)
        self.take_selects(single, some, results, 3)
        self.take_selects(single, results, some, 3)
        self.take_combined(single, single, {"&": np.bitwise_and, "|": np.bitwise_or}, 3)

    def inside(self, terms):
        keep = ((terms.values >= self.low) & (terms.values < self.low + self.base)).all(axis=1)
        return Terms(terms.values[keep], [terms.texts[i] for i in np.flatnonzero(keep)].__getitem__)

    def combined(self, left, right, operations):
        """All a ⊙ b and b ⊙ a."""
        values, texts = [], []
        for a, b in ((left, right), (right, left)):
            for sign, operation in operations.items():
                values.append(operation(a.values[:, None], b.values[None]).astype(np.int64).reshape(-1, a.values.shape[1]))
                texts.append((a, sign, b))

        def text(at):
            a, sign, b = texts[at // (len(left) * len(right))]
            i, j = divmod(at % (len(left) * len(right)), len(b))
            return f"({a.texts[i]} {sign} {b.texts[j]})"
        return Terms(np.concatenate(values), text)

    def take(self, terms, slots):
        self.take_values(terms.values, slots, terms.texts.__getitem__)

    def take_combined(self, left, right, operations, slots):
        for a, b in ((left, right), (right, left)):
            for sign, operation in operations.items():
                values = operation(a.values[:, None], b.values[None]).astype(np.int64).reshape(-1, a.values.shape[1])
                self.take_values(values, slots, lambda at: f"({a.texts[at // len(b)]} {sign} {b.texts[at % len(b)]})")

    def take_selects(self, conditions, yes, no, slots):
        if not len(yes) or not len(no):
            return
        for c, condition in enumerate(conditions.values):
            values = np.where(condition != 0, yes.values[:, None], no.values[None]).reshape(-1, len(condition))
            self.take_values(values, slots, lambda at: f"({conditions.texts[c]} ? {yes.texts[at // len(no)]} : "
                                                       f"{no.texts[at % len(no)]})")

    def take_values(self, values, slots, text):
        inside = np.flatnonzero(((values >= self.low) & (values < self.low + self.base)).all(axis=1))
        codes, first = np.unique((values[inside] - self.low) @ self.weights, return_index=True)
        better = self.slots[codes] > slots
        for code, at in zip(codes[better], inside[first[better]]):
            self.slots[code], self.texts[code] = slots, text(int(at))
