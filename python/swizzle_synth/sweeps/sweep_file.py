"""Sweeps that are written down: SWEEP.toml."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .space import Axes, Pair, Space

_LIMITS = ("time_limit", "timeout", "memory_limit", "workers", "retries", "address")
_AXES = ("sizes", "defines", "machines")
_KEYS = {"": ("table", "pairs", "options", *_AXES, *_LIMITS), "pairs": ("sketch", "spec", "name", *_AXES),
         "range": ("from", "to", "step", "times")}


@dataclass(frozen=True)
class SweepFile:
    """What a file says: a space, a table, and arguments of `sweep`."""

    space: Space
    table: str
    arguments: dict[str, Any]


def read_sweep(path: str | os.PathLike[str]) -> SweepFile:
    """Reads a sweep. Its paths are meant from the folder that it lies in.

    Raises
    ------
    ValueError
        It is no such file; the message says what is wrong.
    OSError
    """
    with open(path, "rb") as file:
        text = file.read()
    try:
        return _sweep(_toml(text.decode()), Path(path).parent, Path(path).stem)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{os.fspath(path)}: {error}") from error


def _toml(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        try:
            import tomli as tomllib
        except ImportError as error:
            raise ImportError("sweeps in files need Python 3.11, or tomli: pip install tomli") from error
    said: dict[str, Any] = tomllib.loads(text)
    return said


def _sweep(said: dict[str, Any], folder: Path, stem: str) -> SweepFile:
    _check_keys(said, "")
    if not said.get("pairs"):
        raise ValueError("there are no [[pairs]] of sketch and spec")
    pairs = [pair for each in said["pairs"] for pair in _pairs(each, folder)]
    space = Space(pairs, options=said.get("options", {}), **_axes(said))
    arguments = {name: said[name] for name in _LIMITS if name in said}
    return SweepFile(space, str(folder / said.get("table", f"{stem}.sqlite")), arguments)


def _check_keys(said: Mapping[str, Any], where: str) -> None:
    unknown = [name for name in said if name not in _KEYS[where]]
    if unknown:
        place = f" in {where}" if where else ""
        raise ValueError(f"'{unknown[0]}'{place} is not known; there are {', '.join(_KEYS[where])}")


def _pairs(said: dict[str, Any], folder: Path) -> list[Pair]:
    """The pairs of one entry: a sketch with * or ? stands for each file of that name."""
    _check_keys(said, "pairs")
    if "sketch" not in said or "spec" not in said:
        raise ValueError("a pair needs sketch and spec")
    pattern = os.path.normpath(folder / said["sketch"])
    sketches = sorted(glob.glob(pattern, recursive=True)) if glob.has_magic(said["sketch"]) else [pattern]
    if not sketches:
        raise ValueError(f"no file is named {said['sketch']}")
    specs = [os.path.normpath(folder / said["spec"].replace("{name}", Path(sketch).stem)) for sketch in sketches]
    return [Pair(sketch, spec, said.get("name", ""), **_axes(said)) for sketch, spec in zip(sketches, specs)]


def _axes(said: Mapping[str, Any]) -> dict[str, Any]:
    axes: dict[str, Any] = {name: _axis(said[name]) for name in ("sizes", "defines") if name in said}
    if "machines" in said:
        axes["machines"] = said["machines"]
    return axes


def _axis(said: Any) -> Axes:
    if isinstance(said, list):
        return said
    return {name: _values(values) for name, values in said.items()}


def _values(said: Any) -> list[Any]:
    """A list, a single value, or ``{from = 64, to = 1024, step = 64}`` (or ``times = 2``), both ends included."""
    if not isinstance(said, dict):
        return said if isinstance(said, list) else [said]
    _check_keys(said, "range")
    step, times = said.get("step", 0 if "times" in said else 1), said.get("times", 1)
    value, values = said["from"], []
    if value + step <= value and value * times <= value:
        raise ValueError("a range must grow")
    while value <= said["to"]:
        values.append(value)
        value = value * times + step
    return values
