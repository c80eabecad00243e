"""One task: from what is asked to a row of the table, whatever happens."""

from __future__ import annotations

import datetime
import json
import os
import socket
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from ..errors import InputError, SwizzleError, UsageError, VerificationError
from ..report import Report
from ..synthesis import Result, synthesize
from .bundle import Bundle
from .space import Task
from .table import Row


@dataclass(frozen=True)
class Limits:
    """What a task may take: seconds of the search, seconds of all, bytes."""

    time_limit: float | None = None
    timeout: float | None = None
    memory_limit: int | None = None


def run_task(task: Task, limits: Limits, tool: str | None = None,
             cancelled: Callable[[], bool] = lambda: False) -> Row:
    """Does a task. Only what interrupts the whole sweep is raised."""
    start = time.monotonic()
    try:
        values = _answer(task, limits, tool, cancelled)
    except Exception as error:  # of this task alone
        values = {"outcome": "failed", "reason": _reason(error)}
    return replace(blank_row(task, limits), seconds=time.monotonic() - start, **values)


def _answer(task: Task, limits: Limits, tool: str | None, cancelled: Callable[[], bool]) -> dict[str, Any]:
    options = {"jobs": 1, "draw": False, **task.options}
    try:
        result = synthesize(task.sketch, task.spec, sizes=task.sizes, defines=task.defines, machine=task.machine,
                            tool=tool, cancelled=cancelled, **asdict(limits), **options)
    except (InputError, UsageError) as error:
        return {"outcome": "bad_input", "reason": _reason(error), "diagnostics": str(error)}
    except VerificationError as error:
        return {"outcome": "wrong", "reason": _reason(error), "report": _json_of(error.report)}
    return _columns(result)


def _columns(result: Result) -> dict[str, Any]:
    return {"outcome": result.outcome, "reason": result.reason, "cost": result.cost.total if result.cost else None,
            "optimality": result.report.optimality, "kernel": result.kernel, "report": _json_of(result.report),
            "diagnostics": "\n".join(map(str, result.diagnostics)) or None}


def _json_of(report: Report | None) -> str | None:
    return None if report is None else json.dumps(report.json)


def _reason(error: Exception) -> str:
    text = str(error) if isinstance(error, (SwizzleError, OSError)) else repr(error)
    return (text or repr(error)).partition("\n")[0]


def blank_row(task: Task, limits: Limits, outcome: str = "failed", reason: str = "") -> Row:
    """A row that says what was asked, by whom it was done, and when."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return Row(key=task.key, name=task.name, sketch=os.fspath(task.sketch), spec=os.fspath(task.spec),
               sizes=json.dumps(task.sizes), defines=json.dumps(task.defines), machine=task.machine,
               options=json.dumps(task.options), limits=json.dumps(asdict(limits)), outcome=outcome, reason=reason,
               worker=f"{socket.gethostname()}:{os.getpid()}", finished=now.isoformat(sep=" ", timespec="milliseconds"))


def run_bundled(task: Task, bundle: Bundle, limits: Limits, tool: str | None) -> Row:
    """Does a task where its files are not: they are unpacked first. The row has the paths of where they came from."""
    with tempfile.TemporaryDirectory(prefix="swizzle-sweep-") as folder:
        bundle.unpack(folder)
        moved = replace(task, sketch=bundle.moved(task.sketch, folder), spec=bundle.moved(task.spec, folder))
        row = run_task(moved, limits, tool)
    texts: dict[str, Any] = {name: value.replace(folder, bundle.root) for name, value in asdict(row).items()
                             if isinstance(value, str)}
    return Row(**{**asdict(row), **texts, "sketch": os.fspath(task.sketch), "spec": os.fspath(task.spec)})
