"""Bars by tqdm, where it is installed."""

from __future__ import annotations

import re
import warnings
from typing import Any

_PHASE = re.compile(r" *\d+\.\d+ m?s  (.*)")
_PREDICTIONS = ("predicted ", "no time is predicted: ")
PHASES = 6  # parse, pose, search, emit, re-read, prove


def tqdm_bar(total: int, **options: Any) -> Any | None:
    """A bar of tqdm for terminal or notebook, or None where there is no tqdm."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that notebooks have nicer bars with ipywidgets
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=total, **options)


class PhaseBar:
    """A bar of one synthesis, from what ``-v`` says of each phase.

    Parameters
    ----------
    name : str
        What stands before the bar.
    runs : bool
        Whether the kernel is run at the end, which is a phase more.
    """

    def __init__(self, name: str, runs: bool) -> None:
        self._bar = tqdm_bar(PHASES + runs, desc=name, unit="phase", leave=False)
        self._rest = ""

    def __call__(self, piece: str) -> None:
        """Takes a piece of the log; an empty one only moves the clock on."""
        if self._bar is None:
            return
        *lines, self._rest = (self._rest + piece).split("\n")
        for line in lines:
            phase = _PHASE.fullmatch(line)
            if phase is not None:
                self._bar.set_postfix_str(phase[1], refresh=False)
                self._bar.update()
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def without_phases(log: str) -> str:
    """The log without the lines that ``-v`` adds."""
    return "".join(line for line in log.splitlines(keepends=True)
                   if not _PHASE.fullmatch(line.rstrip("\n")) and not line.startswith(_PREDICTIONS))
