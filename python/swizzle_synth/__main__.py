"""The command line: ``python -m swizzle_synth sweep SWEEP.toml``; all other commands are those of the tool."""

from __future__ import annotations

import argparse
import os
import sys

from .errors import SwizzleError
from .sweeps import Table, read_sweep, sweep
from .tool import find_tool

_NO_ANSWER = ("failed", "wrong")
_OUTCOMES = ("found", "infeasible", "unknown", "bad_input", "wrong", "failed")
_INTERRUPTED = 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="swizzle-synth sweep", description="Does all tasks of a sweep that have no "
                                     "result yet, and keeps each result as it comes.")
    parser.add_argument("file", metavar="SWEEP.toml", help="sketches, sizes, defines, machines and limits")
    parser.add_argument("--table", metavar="FILE", help="the SQLite file, in place of what SWEEP.toml says")
    parser.add_argument("--workers", type=int, metavar="N", help="tasks at once; otherwise as many as there are cores")
    parser.add_argument("--address", metavar="A", help="a Ray cluster: auto, ray://host:10001, or local")
    parser.add_argument("--time-limit", type=float, metavar="S", help="seconds of each search")
    parser.add_argument("--timeout", type=float, metavar="S", help="seconds until a task is ended")
    parser.add_argument("--memory-limit", metavar="SIZE", help="of each task, such as '2 GiB'")
    parser.add_argument("--again", action="append", choices=_OUTCOMES, metavar="OUTCOME",
                        help="do tasks with this outcome again, too; those that failed are in any case")
    parser.add_argument("--list", action="store_true", help="list the tasks and do none")
    return parser


def _sweep(arguments: list[str]) -> int:
    given = _parser().parse_args(arguments)
    said = read_sweep(given.file)
    if given.list:
        for task in said.space.tasks():
            settings = [f"{name}={value}" for name, value in {**task.sizes, **task.defines}.items()]
            print(" ".join([task.name, *settings, *([task.machine] if task.machine else [])]))
        return 0
    flags = ("workers", "address", "time_limit", "timeout", "memory_limit")
    overrides = {name: getattr(given, name) for name in flags if getattr(given, name) is not None}
    table = given.table or said.table
    arguments_of_sweep = {**said.arguments, **overrides, "again": ("failed", *(given.again or ()))}
    try:
        with sweep(said.space, table, **arguments_of_sweep) as done:
            return _summary(done)
    except KeyboardInterrupt:
        print(f"interrupted: the same command goes on; what was done is in {table}", file=sys.stderr)
        return _INTERRUPTED


def _summary(table: Table) -> int:
    counts = table.counts()
    said = ", ".join(f"{count} {outcome.replace('_', ' ')}" for outcome, count in counts.items())
    print(f"{table.path}: {len(table)} results: {said}")
    return 1 if any(outcome in counts for outcome in _NO_ANSWER) else 0


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; those of the tool take the place of this process."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        if given[:1] == ["sweep"]:
            return _sweep(given[1:])
        os.execv(find_tool(), ["swizzle-synth", *given])
    except (SwizzleError, ValueError, OSError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
