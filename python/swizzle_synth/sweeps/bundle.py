"""The files of a task: a source and what it includes, to be told apart by content and to be sent to another machine."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..sources import Source, is_text, text_of

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def with_includes(source: Source, folders: Iterable[str | os.PathLike[str]] = ()) -> dict[str, str]:
    """The texts of a file and of all that it includes with quotes, by absolute path.

    An include is looked for beside the file that includes it and in `folders`, and left out where it is in neither. The
    key of a text is the empty string.
    """
    found: dict[str, str] = {}
    waiting: list[str] = []
    given = [os.fspath(folder) for folder in folders]

    def add(path: str, text: str) -> None:
        found[path] = text
        places = [os.path.dirname(path), *given] if path else given
        waiting.extend(os.path.join(place, name) for name in _INCLUDE.findall(text) for place in places)

    if is_text(source):
        add("", str(source))
    else:
        waiting.append(os.fspath(source))
    while waiting:
        path = os.path.abspath(waiting.pop())
        if path not in found and os.path.isfile(path):
            add(path, text_of(Path(path)))
    return found


def _common_folder(paths: Iterable[str]) -> str:
    folders = [os.path.dirname(path) for path in paths if path]
    return os.path.commonpath(folders) if folders else ""


def digest(files: dict[str, str]) -> str:
    """A hash of names and texts, whatever folder the files lie in."""
    base = _common_folder(files)
    named = sorted((os.path.relpath(path, base) if path else "", text) for path, text in files.items())
    return hashlib.sha256(repr(named).encode()).hexdigest()


@dataclass(frozen=True)
class Bundle:
    """Files below one folder, by their path relative to it."""

    root: str
    files: dict[str, str]

    @classmethod
    def of(cls, sources: Iterable[Source]) -> Bundle:
        """The files that these sources are made of; a text has none."""
        files = {path: text for source in sources for path, text in with_includes(source).items() if path}
        root = _common_folder(files)
        return cls(root, {os.path.relpath(path, root): text for path, text in files.items()})

    def unpack(self, folder: str) -> None:
        """Writes the files below `folder`."""
        for name, text in self.files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

    def moved(self, source: Source, folder: str) -> Source:
        """Where a source lies once the files are below `folder`."""
        if is_text(source):
            return source
        name = os.path.relpath(os.path.abspath(os.fspath(source)), self.root or "/")
        return os.path.join(folder, name) if name in self.files else source
