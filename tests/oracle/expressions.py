"""C integer expressions as the tool prints them: parse, evaluate over many points at once, count operations.

Example: `lane < k ? 1 : 0` parses to ('?:', ('<', lane, k), 1, 0); at lane = (0, 1, 2), k = (1, 1, 1) it is (1, 0, 0),
and it has two operations, a comparison and a select.

Semantics are C's: `/` and `%` truncate towards zero, `>>` of a negative number is arithmetic, comparisons are 0 or 1.
"""
import re
from functools import lru_cache

import numpy as np

_TOKEN = re.compile(r"\s*(?:(0x[0-9a-fA-F]+|\d+)[uUlL]*|([A-Za-z_][\w.]*)|(<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:(),{}[\]]))")
_LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>"], ["+", "-"],
           ["*", "/", "%"]]
_LEVEL_OF = {sign: level for level, signs in enumerate(_LEVELS) for sign in signs}


class ParseError(ValueError):
    pass


def tokens(text):
    out, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match:
            raise ParseError(f"cannot read '{text[at:]}'")
        number, name, sign = match.groups()
        out.append(("number", int(number, 0)) if number else ("name", name) if name else ("sign", sign))
        at = match.end()
    return out + [("end", None)]


@lru_cache(maxsize=1 << 14)
def parse(text):
    """Nested tuples: ('number', 3), ('name', 'lane'), ('call', 'min', …) or (operator, operand, …)."""
    return _Parser(tokens(text)).whole()


class _Parser:
    def __init__(self, stream):
        self.stream, self.at = stream, 0

    def accept(self, *signs):
        kind, value = self.stream[self.at]
        if kind == "sign" and value in signs:
            self.at += 1
            return value
        return None

    def expect(self, sign):
        if not self.accept(sign):
            raise ParseError(f"'{sign}' is missing before token {self.at}")

    def whole(self):
        tree = self.select()
        if self.stream[self.at][0] != "end":
            raise ParseError(f"does not end at token {self.at}")
        return tree

    def select(self):
        condition = self.binary(0)
        if not self.accept("?"):
            return condition
        then = self.select()
        self.expect(":")
        return ("?:", condition, then, self.select())

    def binary(self, least):
        """Operators of level `least` and of those that bind closer; all group to the left."""
        left = self.unary()
        while True:
            kind, sign = self.stream[self.at]
            level = _LEVEL_OF.get(sign, -1) if kind == "sign" else -1
            if level < least:
                return left
            self.at += 1
            left = (sign, left, self.binary(level + 1))

    def unary(self):
        sign = self.accept("-", "~", "!", "+")
        if sign:
            return ("unary" + sign, self.unary())
        return self.primary()

    def primary(self):
        if self.accept("("):
            tree = self.select()
            self.expect(")")
            return tree
        if self.accept("{"):
            return self.element()
        kind, value = self.stream[self.at]
        self.at += 1
        if kind == "number":
            return (kind, value)
        if kind != "name":
            raise ParseError(f"an operand is missing at token {self.at}")
        if value in ("true", "false"):
            return ("number", int(value == "true"))
        if not self.accept("("):
            return (kind, value)
        return self.call(value)

    def element(self):
        """One of a list of constants: {3, 0, 1}[k]."""
        values = [self.select()]
        while self.accept(","):
            values.append(self.select())
        self.expect("}")
        self.expect("[")
        index = self.select()
        self.expect("]")
        return ("list", index, *values)

    def call(self, name):
        operands = [self.select()]
        while self.accept(","):
            operands.append(self.select())
        self.expect(")")
        return operands[0] if name in ("int", "bool") else ("call", name, *operands)


def truncated_quotient(a, b):
    quotient = np.abs(a) // np.abs(b)
    return np.where((a < 0) != (b < 0), -quotient, quotient)


_BINARY = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor,
    "<<": np.left_shift, ">>": np.right_shift, "<": np.less, "<=": np.less_equal, ">": np.greater,
    ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal, "/": truncated_quotient,
    "%": lambda a, b: a - truncated_quotient(a, b) * b,
    "&&": np.logical_and, "||": np.logical_or, "min": np.minimum, "max": np.maximum,
}


def evaluate(tree, variables):
    """`variables`: name -> int array over points. Gives an int64 array (or scalar) over the same points."""
    kind, *rest = tree
    if kind == "number":
        return np.int64(rest[0])
    if kind == "name":
        return np.asarray(variables[rest[0]], dtype=np.int64)
    if kind == "call" and rest[0] == "__brev":
        word = evaluate(rest[1], variables)
        return sum((word >> bit & 1) << 31 - bit for bit in range(32))
    if kind == "call":
        return _BINARY[rest[0]](*(evaluate(operand, variables) for operand in rest[1:]))
    operands = [evaluate(operand, variables) for operand in rest]
    if kind == "list":
        return np.array(operands[1:])[operands[0]]
    if kind == "?:":
        return np.where(operands[0] != 0, operands[1], operands[2])
    if kind.startswith("unary"):
        operand = operands[0]
        return {"-": -operand, "~": ~operand, "!": np.int64(operand == 0), "+": operand}[kind[5:]]
    return np.asarray(_BINARY[kind](*operands)).astype(np.int64)


def operations(tree):
    """Operators that are left when those of constants are folded: `t & ~3` has one."""
    kind, *rest = tree
    if kind in ("number", "name") or is_constant(tree):
        return 0
    operands = rest[1:] if kind == "call" else rest
    return 1 + sum(operations(operand) for operand in operands)


def slots(tree):
    """Issue slots: 1 an operation, 4 for a quotient or remainder by what is no power of two."""
    kind, *rest = tree
    if kind in ("number", "name") or is_constant(tree):
        return 0
    operands = rest[1:] if kind == "call" else rest
    own = 4 if kind in ("/", "%") and not is_power_of_two(operands[1]) else 1
    return own + sum(slots(operand) for operand in operands)


def is_power_of_two(tree):
    return tree[0] == "number" and tree[1] > 0 and tree[1] & (tree[1] - 1) == 0


def is_constant(tree):
    kind, *rest = tree
    if kind in ("number", "name"):
        return kind == "number"
    return all(is_constant(operand) for operand in (rest[1:] if kind == "call" else rest))


def table(text, names, points):
    """Values of an expression at `points`, an array of one row a point with a column for each name."""
    columns = {name: points[:, column] for column, name in enumerate(names)}
    return np.broadcast_to(evaluate(parse(text), columns), (len(points),)).astype(np.int64)


def without_lists(text):
    """`{3, 0, 1}[k]`, which is no C, as `k == 0 ? 3 : k == 1 ? 0 : 1`."""
    def selects(match):
        values, index = match.group(1).split(","), match.group(2)
        return "(" + "".join(f"({index}) == {at} ?{value} : " for at, value in enumerate(values[:-1])) + values[-1] + ")"
    return re.sub(r"\{([^}]*)\}\[([^\]]*)\]", selects, text)
