"""`sweep`: all tasks of a space, of which those that have a row already are left out."""

from __future__ import annotations

import math
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from ..progress import tqdm_bar
from ..sources import bytes_of
from ..tool import find_tool
from .space import Space, Task, tool_digest
from .table import Row, Table
from .task import Limits
from .workers import LocalWorkers, RayWorkers, Workers, rows

_DEFAULT_SECONDS = 60.0  # the tool's own time limit


def sweep(
    space: Space,
    table: str | os.PathLike[str] = "sweep.sqlite",
    *,
    workers: int | None = None,
    address: str | None = None,
    time_limit: float | None = None,
    timeout: float | None = None,
    memory_limit: int | str | None = None,
    again: Iterable[str] = ("failed",),
    retries: int = 2,
    progress: bool | None = None,
    tool: str | os.PathLike[str] | None = None,
) -> Table:
    """Does all tasks of a space and keeps each result as it comes.

    A sweep that was interrupted goes on where it ended when it is called again: what has a row in the table is not done
    again. A task is told by the content of its files, its sizes, defines, machine and options, and the tool.

    Parameters
    ----------
    space : Space
    table : path
        A file of SQLite, which is made if it is not there.
    workers : int, optional
        How many tasks at once; by default as many as there are cores.
    address : str, optional
        A Ray cluster: ``"auto"``, ``"ray://host:10001"``, or ``"local"`` for one on this machine.
    time_limit : float, optional
        Seconds of each search; 60 by default.
    timeout : float, optional
        Seconds until a task is ended; by default twice the time limit and half a minute.
    memory_limit : int or str, optional
        Of each task: bytes, or ``"2 GiB"``.
    again : iterable of str
        Outcomes that are asked again: ``("failed", "unknown")`` with a longer time limit, for instance.
    retries : int
        How often Ray does a task again whose worker died.
    progress : bool, optional
        Whether a bar is shown, if there is tqdm; by default in terminals and notebooks.
    tool : path, optional
        The executable: see `find_tool`. On a cluster, each machine finds its own unless it is given.

    Returns
    -------
    Table
        With all rows that it has, also those of earlier sweeps.

    Raises
    ------
    KeyboardInterrupt
        The tools that ran were ended; what was done stays in the table.
    """
    seconds = _DEFAULT_SECONDS if time_limit is None else time_limit
    limits = Limits(time_limit, _timeout(seconds) if timeout is None else timeout, bytes_of(memory_limit))
    executable = find_tool(tool)
    results = Table(table)
    tasks = list(space.tasks(tool_digest(executable)))
    done = results.keys(but=again)
    open_tasks = [task for task in tasks if task.key not in done]
    if not open_tasks:
        return results
    crew: Workers[Any] = (LocalWorkers(workers, limits, executable) if address is None else
                          RayWorkers(address, workers, limits, None if tool is None else executable, retries))
    _keep(results, crew, open_tasks, _bar(progress, len(tasks), len(tasks) - len(open_tasks)))
    return results


def _timeout(seconds: float) -> float | None:
    return None if math.isinf(seconds) else 2 * seconds + 30


def _keep(results: Table, crew: Workers[Any], tasks: list[Task], bar: Any | None) -> None:
    """Each row into the table; whatever ends this ends the workers first."""
    finished = False
    try:
        for row in _counted(rows(crew, tasks), bar):
            results.keep(row)
        finished = True
    finally:
        crew.close(abandon=not finished)
        if bar is not None:
            bar.close()


def _counted(found: Iterator[Row], bar: Any | None) -> Iterator[Row]:
    counts: Counter[str] = Counter()
    for row in found:
        yield row
        counts[row.outcome] += 1
        if bar is not None:
            bar.set_postfix(counts, refresh=False)
            bar.update()


def _bar(progress: bool | None, total: int, done: int) -> Any | None:
    shown = (sys.stderr.isatty() or "ipykernel" in sys.modules) if progress is None else progress
    return tqdm_bar(total, initial=done, desc="sweep", unit="task") if shown else None
