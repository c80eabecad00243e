"""What is handed to the tool: paths, or texts that are written to a scratch folder."""

from __future__ import annotations

import operator
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import SupportsIndex

from .errors import UsageError

Source = str | os.PathLike[str]
"""A path, or a text: a string with a line break or a brace is a text."""


def is_text(source: Source) -> bool:
    return isinstance(source, str) and ("\n" in source or "{" in source)


def text_of(source: Source) -> str:
    """The text of a source; empty if its file cannot be read, which the tool will say better."""
    if is_text(source):
        return str(source)
    try:
        return Path(source).read_text(errors="replace")
    except OSError:
        return ""


class Scratch:
    """A folder for the length of one call, which is not seen in what is said of its files."""

    def __enter__(self) -> Scratch:
        self._folder = tempfile.TemporaryDirectory(prefix="swizzle-synth-")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._folder.cleanup()

    def path(self, name: str) -> str:
        return os.path.join(self._folder.name, name)

    def file_of(self, source: Source, name: str) -> str:
        """The path of a source. A text is written to the file `name`."""
        if not is_text(source):
            return os.fspath(source)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(str(source))
        return self.path(name)

    def read(self, name: str) -> str | None:
        """What was written to the file `name`, if anything was."""
        try:
            with open(self.path(name), encoding="utf-8", errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def shown(self, text: str) -> str:
        return text.replace(self.path(""), "")


def size_flags(sizes: Mapping[str, SupportsIndex] | None, more: Mapping[str, SupportsIndex]) -> list[str]:
    """The flags of sizes; a value that is no integer is a `TypeError`."""
    return [f"--set={name}={operator.index(value)}" for name, value in {**(sizes or {}), **more}.items()]


def define_flags(defines: Mapping[str, object] | None, is_taken: bool) -> list[str]:
    if defines and not is_taken:
        raise UsageError("this version of swizzle-synth has no -D: leave out `defines`")
    return [f"-D{name}" if value is None else f"-D{name}={_number(value)}" for name, value in (defines or {}).items()]


def _number(value: object) -> object:
    return int(value) if isinstance(value, bool) else value


def bytes_of(memory: int | str | None) -> int | None:
    """A size of memory: bytes, or a text such as ``"2 GiB"`` or ``"500 MB"``.

    Examples
    --------
    >>> bytes_of("2 GiB"), bytes_of("1.5 kB")
    (2147483648, 1500)
    """
    if memory is None or isinstance(memory, int):
        return memory
    number = memory.rstrip("BbiKkMGTP ")
    unit = memory[len(number):].strip()
    prefix = unit.lower().removesuffix("b")
    base = 1024 if prefix.endswith("i") else 1000
    powers = ("", "k", "m", "g", "t", "p")
    try:
        return int(float(number) * base ** powers.index(prefix.removesuffix("i")))
    except ValueError:
        raise ValueError(f"'{memory}' is no size of memory, such as '2 GiB'") from None
