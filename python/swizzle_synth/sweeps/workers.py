"""Who does the tasks: threads of this machine, each with one process of the tool, or a cluster by Ray."""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from .bundle import Bundle
from .space import Task
from .table import Row
from .task import Limits, blank_row, run_bundled, run_task

Handle = TypeVar("Handle")


class Workers(Protocol, Generic[Handle]):
    """What takes tasks and gives rows back. `window` is how many tasks may be under way or waiting."""

    window: int

    def submit(self, task: Task) -> Handle: ...

    def wait(self, handles: list[Handle]) -> list[Handle]:
        """Those that are done: at least one."""

    def row(self, handle: Handle, task: Task) -> Row: ...

    def close(self, abandon: bool) -> None:
        """Ends the workers, and with `abandon` what they do."""


def rows(workers: Workers[Handle], tasks: Iterable[Task]) -> Iterator[Row]:
    """The rows of all tasks, as they come."""
    under_way: dict[Handle, Task] = {}
    for task in tasks:
        under_way[workers.submit(task)] = task
        if len(under_way) >= workers.window:
            yield from _finished(workers, under_way)
    while under_way:
        yield from _finished(workers, under_way)


def _finished(workers: Workers[Handle], under_way: dict[Handle, Task]) -> Iterator[Row]:
    for handle in workers.wait(list(under_way)):
        yield workers.row(handle, under_way.pop(handle))


class LocalWorkers:
    """So many processes of the tool at once, on this machine."""

    def __init__(self, count: int | None, limits: Limits, tool: str) -> None:
        self._count = count or len(os.sched_getaffinity(0))
        self.window = 2 * self._count
        self._limits, self._tool = limits, tool
        self._cancelled = threading.Event()
        self._threads = ThreadPoolExecutor(self._count, thread_name_prefix="sweep")

    def submit(self, task: Task) -> Future[Row]:
        return self._threads.submit(run_task, task, self._limits, self._tool, self._cancelled.is_set)

    def wait(self, handles: list[Future[Row]]) -> list[Future[Row]]:
        return list(wait(handles, return_when=FIRST_COMPLETED).done)

    def row(self, handle: Future[Row], task: Task) -> Row:
        return handle.result()

    def close(self, abandon: bool) -> None:
        if abandon:
            self._cancelled.set()
        self._threads.shutdown(cancel_futures=abandon)


def _ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise ImportError("address= needs Ray: pip install 'swizzle-synth[ray]'") from error


def _local_cluster(count: int | None) -> dict[str, Any]:
    """Arguments of `ray.init` for a cluster on this machine, whose workers find this package where it lies."""
    package = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    return {"num_cpus": count, "include_dashboard": False, "runtime_env": {"env_vars": {"PYTHONPATH": path}}}


class RayWorkers:
    """The workers of a Ray cluster, on each of which this package and the tool are installed. Files travel with tasks.

    Parameters
    ----------
    address : str
        As of `ray.init`: ``"auto"``, ``"local"``, ``"ray://host:10001"``. Where Ray is connected already, it stays so.
    count : int or None
        How many tasks at once at most; by default as many as the cluster has cores for.
    retries : int
        How often a task is done again whose worker died.
    """

    def __init__(self, address: str, count: int | None, limits: Limits, tool: str | None, retries: int) -> None:
        ray = _ray()
        self._ray, self._limits, self._tool = ray, limits, tool
        self._was_connected = ray.is_initialized()
        if not self._was_connected:
            ray.init(address=address, log_to_driver=False, **(_local_cluster(count) if address == "local" else {}))
        self.window = count or max(64, 4 * int(ray.cluster_resources().get("CPU", 1)))
        self._remote = ray.remote(max_retries=retries)(run_bundled)
        self._under_way: set[Any] = set()

    def submit(self, task: Task) -> Any:
        cores = int(task.options.get("jobs", 1))
        bundle = Bundle.of([task.sketch, task.spec])
        handle = self._remote.options(num_cpus=cores).remote(task, bundle, self._limits, self._tool)
        self._under_way.add(handle)
        return handle

    def wait(self, handles: list[Any]) -> list[Any]:
        done, _ = self._ray.wait(handles, num_returns=1)
        return list(done)

    def row(self, handle: Any, task: Task) -> Row:
        self._under_way.discard(handle)
        try:
            row: Row = self._ray.get(handle)
        except self._ray.exceptions.RayError as error:  # the worker died too often, or its machine did
            return blank_row(task, self._limits, reason=f"Ray: {str(error).partition(chr(10))[0]}")
        return row

    def close(self, abandon: bool) -> None:
        if abandon:
            for handle in self._under_way:
                self._ray.cancel(handle, force=True)
        if not self._was_connected:
            self._ray.shutdown()
