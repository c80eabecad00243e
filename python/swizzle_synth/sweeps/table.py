"""Where results are kept: one table of SQLite, a row for each task."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from types import TracebackType
from typing import Any

from ..report import Report

_SCHEMA = 1


@dataclass(frozen=True)
class Row:
    """What came of a task.

    Attributes
    ----------
    key : str
        A hash of what was asked: files, sizes, defines, machine, options and tool.
    name, machine : str
    sketch, spec : str
        Paths, or texts.
    sizes, defines, options, limits : str
        JSON objects.
    outcome : str
        ``found``, ``infeasible`` or ``unknown``; ``bad_input`` where the tool did not accept it, ``wrong`` where the
        kernel failed its verification, ``failed`` where there was no answer.
    reason : str
        Why there is no kernel.
    cost : float or None
        The total of the kernel; `optimality` says whether it is proved to be the least.
    seconds : float
        Of the whole call, by the wall clock.
    worker : str
        ``host:process``.
    finished : str
        Date and time, UTC.
    kernel, report, diagnostics : str or None
        Texts; the report is JSON.
    """

    key: str
    name: str
    sketch: str
    spec: str
    sizes: str
    defines: str
    machine: str | None
    options: str
    limits: str
    outcome: str
    reason: str = ""
    cost: float | None = None
    optimality: str | None = None
    seconds: float = 0.0
    worker: str = ""
    finished: str = ""
    kernel: str | None = None
    report: str | None = None
    diagnostics: str | None = None

    def read_report(self) -> Report | None:
        """The report as typed values."""
        return None if self.report is None else Report.from_json(json.loads(self.report))


_COLUMNS = [column.name for column in fields(Row)]
_TYPES = {"cost": "REAL", "seconds": "REAL", "key": "TEXT PRIMARY KEY"}


class Table:
    """The table ``results`` of a file of SQLite.

    Parameters
    ----------
    path : path
        Made, if it is not there.

    Raises
    ------
    ValueError
        The file is a table of another version of this package, or no file of SQLite.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._connection = sqlite3.connect(self.path, timeout=60)
        columns = ", ".join(f"{name} {_TYPES.get(name, 'TEXT')}" for name in _COLUMNS)
        try:
            with self._connection:
                version = self._connection.execute("PRAGMA user_version").fetchone()[0]
                if version not in (0, _SCHEMA):
                    raise ValueError(f"{self.path}: version {version} of the table, and this package writes {_SCHEMA}")
                self._connection.execute(f"CREATE TABLE IF NOT EXISTS results ({columns})")
                self._connection.execute(f"PRAGMA user_version = {_SCHEMA}")
        except sqlite3.DatabaseError as error:
            raise ValueError(f"{self.path}: {error}") from error

    def keep(self, row: Row) -> None:
        """Writes a row, in place of an earlier one of the same task; once this returns, it stays."""
        with self._connection:
            marks = ", ".join("?" * len(_COLUMNS))
            self._connection.execute(f"INSERT OR REPLACE INTO results VALUES ({marks})", astuple(row))

    def keys(self, but: Iterable[str] = ()) -> set[str]:
        """The keys of the tasks that have a row, but for these outcomes."""
        left_out = list(but)
        marks = ", ".join("?" * len(left_out))
        return {key for key, in self._connection.execute(
            f"SELECT key FROM results WHERE outcome NOT IN ({marks})", left_out)}

    def counts(self) -> dict[str, int]:
        """How many rows have which outcome."""
        return dict(self._connection.execute("SELECT outcome, count(*) FROM results GROUP BY outcome ORDER BY outcome"))

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM results").fetchone()[0])

    def __iter__(self) -> Iterator[Row]:
        """The rows, in the order in which they came."""
        for values in self._connection.execute(f"SELECT {', '.join(_COLUMNS)} FROM results ORDER BY rowid"):
            yield Row(*values)

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` with a column for each size (``size_n``) and define (``define_TILE``) besides.

        Raises
        ------
        ImportError
            There is no pandas.
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas() needs pandas: pip install pandas") from error
        return pandas.DataFrame([_flat(row) for row in self])

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()


def _flat(row: Row) -> dict[str, Any]:
    values = {name: getattr(row, name) for name in _COLUMNS}
    for column, prefix in (("sizes", "size_"), ("defines", "define_")):
        values.update({prefix + name: value for name, value in json.loads(values[column]).items()})
    return values
