"""Integer expressions of C, as the tool prints them, evaluated with C's meaning.

`/` and `%` truncate, as C's do. Numbers have no width: what would overflow in C is exact here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

Values = Mapping[str, int]
Evaluator = Callable[[Values], int]

_TOKEN = re.compile(r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|\d+)[uUlL]*|(?P<name>[A-Za-z_]\w*(?:\.[xyz])?)|"
                    r"(?P<sign><<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:(),]))")


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


# From the loosest to the tightest binding; && and || decide without effects, so that both sides may be evaluated.
_LEVELS: tuple[dict[str, Callable[[int, int], int]], ...] = (
    {"||": lambda a, b: int(a != 0 or b != 0)},
    {"&&": lambda a, b: int(a != 0 and b != 0)},
    {"|": lambda a, b: a | b},
    {"^": lambda a, b: a ^ b},
    {"&": lambda a, b: a & b},
    {"==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b)},
    {"<": lambda a, b: int(a < b), ">": lambda a, b: int(a > b), "<=": lambda a, b: int(a <= b),
     ">=": lambda a, b: int(a >= b)},
    {"<<": lambda a, b: a << b, ">>": lambda a, b: a >> b},
    {"+": lambda a, b: a + b, "-": lambda a, b: a - b},
    {"*": lambda a, b: a * b, "/": _quotient, "%": lambda a, b: a - b * _quotient(a, b)},
)
_PREFIXES: dict[str, Callable[[int], int]] = {"-": lambda a: -a, "+": lambda a: a, "~": lambda a: ~a,
                                              "!": lambda a: int(a == 0)}
_FUNCTIONS: dict[str, Callable[..., int]] = {"min": min, "max": max, "int": int, "true": lambda: 1, "false": lambda: 0}


class Expression:
    """A parsed expression.

    Parameters
    ----------
    text : str

    Attributes
    ----------
    names : tuple of str
        The variables, in the order in which they stand in the text.

    Raises
    ------
    ValueError
        The text is no such expression.

    Examples
    --------
    >>> lane = Expression("(tid + k) & 31")
    >>> lane.names
    ('tid', 'k')
    >>> lane(tid=30, k=3)
    1
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = _tokens(text)
        self._at = 0
        self._names: dict[str, None] = {}
        self._evaluate = self._choice()
        if self._at < len(self._tokens):
            raise ValueError(f"'{self._tokens[self._at]}' is not expected in '{text}'")
        self.names = tuple(self._names)

    def __call__(self, **values: int) -> int:
        missing = [name for name in self.names if name not in values]
        if missing:
            raise ValueError(f"'{self.text}' also needs {', '.join(missing)}")
        return self._evaluate(values)

    def _next(self, *expected: str) -> bool:
        if self._at < len(self._tokens) and self._tokens[self._at] in expected:
            self._at += 1
            return True
        return False

    def _need(self, sign: str) -> None:
        if not self._next(sign):
            raise ValueError(f"there is no '{sign}' where one must stand in '{self.text}'")

    def _choice(self) -> Evaluator:
        condition = self._binary(0)
        if not self._next("?"):
            return condition
        yes = self._choice()
        self._need(":")
        no = self._choice()
        return lambda values: yes(values) if condition(values) else no(values)

    def _binary(self, level: int) -> Evaluator:
        if level == len(_LEVELS):
            return self._prefixed()
        left = self._binary(level + 1)
        while self._next(*_LEVELS[level]):
            left = _applied(_LEVELS[level][self._tokens[self._at - 1]], left, self._binary(level + 1))
        return left

    def _prefixed(self) -> Evaluator:
        if self._next(*_PREFIXES):
            return _applied(_PREFIXES[self._tokens[self._at - 1]], self._prefixed())
        if self._next("("):
            inner = self._choice()
            self._need(")")
            return inner
        return self._word()

    def _word(self) -> Evaluator:
        if self._at == len(self._tokens):
            raise ValueError(f"'{self.text}' ends too early")
        word = self._tokens[self._at]
        self._at += 1
        if word[0].isdigit():
            number = int(word, 0) if word[:2].lower() == "0x" else int(word)
            return lambda _: number
        if not re.match(r"[A-Za-z_]", word):
            raise ValueError(f"'{word}' is not expected in '{self.text}'")
        if word in _FUNCTIONS:
            return _applied(_FUNCTIONS[word], *self._arguments())
        self._names[word] = None
        return lambda values: values[word]

    def _arguments(self) -> list[Evaluator]:
        found: list[Evaluator] = []
        if not self._next("("):
            return found
        while not self._next(")"):
            if found:
                self._need(",")
            found.append(self._choice())
        return found


def _applied(function: Callable[..., int], *arguments: Evaluator) -> Evaluator:
    return lambda values: function(*(argument(values) for argument in arguments))


def _tokens(text: str) -> list[str]:
    found, at, end = [], 0, len(text.rstrip())
    while at < end:
        token = _TOKEN.match(text, at)
        if token is None:
            raise ValueError(f"'{text[at:].lstrip()[:1]}' is not expected in '{text}'")
        found.append(next(each for each in token.groups() if each))
        at = token.end()
    return found
