"""What a sweep goes through: pairs of sketch and spec, times sizes, times defines, times machines."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..sources import Source, is_text
from .bundle import digest, with_includes

Setting = Mapping[str, Any]
Axes = Mapping[str, Iterable[Any]] | Sequence[Setting]
"""Values by name, of which all combinations are meant; or the settings themselves, one after the other."""


def settings(axes: Axes) -> list[dict[str, Any]]:
    """The settings that axes mean.

    Examples
    --------
    >>> settings({"n": [64, 128], "w": [3]})
    [{'n': 64, 'w': 3}, {'n': 128, 'w': 3}]
    >>> settings([{"n": 64}, {"n": 128, "w": 3}])
    [{'n': 64}, {'n': 128, 'w': 3}]
    >>> settings({})
    [{}]
    """
    if isinstance(axes, Mapping):
        return [dict(zip(axes, map(_plain, values))) for values in itertools.product(*axes.values())]
    return [{name: _plain(value) for name, value in each.items()} for each in axes] or [{}]


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's, which JSON can hold."""
    return value.item() if hasattr(value, "item") else value


@dataclass(frozen=True)
class Pair:
    """A sketch and its spec, with axes of its own where they are not those of the space.

    Attributes
    ----------
    sketch, spec : str or path
        Files, or their texts.
    name : str
        What the table calls it: by default the name of the sketch's file.
    sizes, defines, machines
        As in `Space`; None takes those of the space.
    """

    sketch: Source
    spec: Source
    name: str = ""
    sizes: Axes | None = None
    defines: Axes | None = None
    machines: Sequence[str | None] | None = None

    @property
    def shown(self) -> str:
        return self.name or ("sketch" if is_text(self.sketch) else Path(self.sketch).stem)


@dataclass(frozen=True)
class Task:
    """One call of `synthesize`. `key` tells it from all others, by the content of its files."""

    key: str
    name: str
    sketch: Source
    spec: Source
    sizes: dict[str, Any]
    defines: dict[str, Any]
    machine: str | None
    options: dict[str, Any]


@dataclass(frozen=True)
class Space:
    """What a sweep goes through.

    Attributes
    ----------
    pairs : sequence of Pair, or of (sketch, spec)
    sizes, defines : mapping of str to values, or sequence of mappings
        All combinations of the values, or the settings themselves.
    machines : sequence of str or None
        None: as the sketch says.
    options : mapping
        Further arguments of `synthesize`, the same for all: ``{"first": True}``. They are kept as JSON.

    Examples
    --------
    >>> pair = ("sketches/reverse.cu", "specs/reverse.cpp")
    >>> space = Space([pair], sizes={"n": [64, 128]}, machines=["sm_90", "toy8"])
    >>> [(task.name, task.sizes, task.machine) for task in space.tasks()][:2]
    [('reverse', {'n': 64}, 'sm_90'), ('reverse', {'n': 64}, 'toy8')]
    """

    pairs: Sequence[Pair | tuple[Source, Source]]
    sizes: Axes = field(default_factory=dict)
    defines: Axes = field(default_factory=dict)
    machines: Sequence[str | None] = (None,)
    options: Mapping[str, Any] = field(default_factory=dict)

    def tasks(self, tool: str = "") -> Iterator[Task]:
        """The tasks, each once. `tool` tells versions of the tool apart."""
        seen: set[str] = set()
        for each in self.pairs:
            pair = each if isinstance(each, Pair) else Pair(*each)
            for task in self._tasks_of(pair, tool):
                if task.key not in seen:
                    seen.add(task.key)
                    yield task

    def _tasks_of(self, pair: Pair, tool: str) -> Iterator[Task]:
        folders = [os.fspath(folder) for folder in self.options.get("include", ())]
        content = [digest(with_includes(source, folders)) for source in (pair.sketch, pair.spec)]
        all_sizes = settings(self.sizes if pair.sizes is None else pair.sizes)
        all_defines = settings(self.defines if pair.defines is None else pair.defines)
        machines = self.machines if pair.machines is None else pair.machines
        for sizes, defines, machine in itertools.product(all_sizes, all_defines, machines):
            asked = json.dumps([tool, content, sizes, defines, machine, dict(self.options)], sort_keys=True)
            yield Task(hashlib.sha256(asked.encode()).hexdigest(), pair.shown, pair.sketch, pair.spec, sizes, defines,
                       machine, dict(self.options))


def tool_digest(tool: str) -> str:
    """A hash of the executable: what another build answered is asked again."""
    with open(tool, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()
