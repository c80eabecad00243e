"""The tool's messages, as values."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEADER = re.compile(
    r"(?:(?P<file>\S.*?)(?::(?P<line>\d+):(?P<column>\d+))?: )?(?P<severity>error|warning|note): (?P<message>.*)"
)


@dataclass(frozen=True)
class Diagnostic:
    """A message and the place that it is about.

    Attributes
    ----------
    severity : str
        ``"error"``, ``"warning"`` or ``"note"``.
    message : str
    file : str or None
        Of a source that was handed over as text, ``sketch.cu``, ``spec.cpp`` or ``kernel.cu``.
    line, column : int or None
        From 1; None where the message is about no place.
    excerpt : str
        The indented lines below the message: the source with a caret, or what a compiler said.
    """

    severity: str
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    excerpt: str = ""

    def __str__(self) -> str:
        place = "" if self.file is None else f"{self.file}: "
        if self.line is not None:
            place = f"{self.file}:{self.line}:{self.column}: "
        text = f"{place}{self.severity}: {self.message}"
        return f"{text}\n{self.excerpt}" if self.excerpt else text


def parse_diagnostics(log: str) -> tuple[Diagnostic, ...]:
    """The diagnostics of what the tool wrote to standard error; its other lines are left out."""
    found: list[Diagnostic] = []
    lines = log.splitlines()
    at = 0
    while at < len(lines):
        header = _HEADER.fullmatch(lines[at])
        at += 1
        if header is None:
            continue
        first = at
        while at < len(lines) and lines[at].startswith("  "):
            at += 1
        number = {name: int(header[name]) if header[name] else None for name in ("line", "column")}
        found.append(Diagnostic(header["severity"], header["message"], header["file"], number["line"],
                                number["column"], "\n".join(lines[first:at])))
    return tuple(found)
