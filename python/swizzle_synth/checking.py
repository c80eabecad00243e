"""`check`: the shared-memory wavefronts and global-memory sectors of a CUDA file's kernels, counted."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, SupportsIndex

from . import display
from .decoding import decode
from .diagnostics import Diagnostic, parse_diagnostics
from .errors import InputError, ToolKilledError, UsageError
from .report import Count
from .sources import Scratch, Source, bytes_of, define_flags, size_flags, text_of
from .tool import Finished, find_tool, run_tool, takes_defines


@dataclass(frozen=True)
class Request:
    """A warp's request: the address of each lane, and the bank that has several words to give, if one has."""

    block: tuple[int, ...]
    warp: int
    addresses: tuple[int | None, ...]
    bank: int | None = None
    lanes: tuple[int, ...] = ()
    word_addresses: tuple[int, ...] = ()


@dataclass(frozen=True)
class CheckedAccess:
    """An access of a kernel. Shared memory has `wavefronts`, global memory `sectors`; neither, where nothing of it
    could be counted. `ideal` is of the worst request, `ideal_total` of all. `launch` says for which launch of the
    kernel, and `called_from` where the file calls the header's function in which the access stands."""

    kernel: str
    location: str
    space: str
    operation: str
    array: str
    bits: int
    requests: int
    depends_on_data: int = 0
    conditional: bool = False
    wavefronts: Count | None = None
    sectors: Count | None = None
    ideal: float | None = None
    ideal_total: float | None = None
    witness: Request | None = None
    launch: str = ""
    called_from: str | None = None

    @property
    def excess(self) -> float:
        """Wavefronts or sectors beyond the ideal."""
        count = self.wavefronts or self.sectors
        return 0 if count is None else count.total - (self.ideal_total or 0)


@dataclass(frozen=True)
class CheckedKernel:
    """A kernel, its launch, and what its sizes were taken to be."""

    name: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    launch: str
    sizes: dict[str, int]
    assumed: tuple[str, ...] = ()
    complete: bool = True


@dataclass(frozen=True)
class Uncounted:
    """What was not counted, where, and why."""

    location: str
    message: str
    kernel: str


@dataclass(frozen=True)
class CheckReport:
    """What ``swizzle-synth check`` counted.

    Attributes
    ----------
    conflicts : bool or None
        Whether there are bank conflicts; None where none were seen and something was not counted.
    text : str
        The table as a terminal shows it.
    picture : Picture or None
        The worst access and its tile, where there is shared memory.
    json : dict
        The whole report as it was read.
    """

    file: str
    conflicts: bool | None
    kernels: tuple[CheckedKernel, ...]
    accesses: tuple[CheckedAccess, ...]
    uncounted: tuple[Uncounted, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    text: str = field(default="", repr=False)
    picture: display.Picture | None = field(default=None, repr=False)
    json: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return display.check_html(self)


def check(
    source: Source,
    *,
    sizes: Mapping[str, SupportsIndex] | None = None,
    defines: Mapping[str, object] | None = None,
    kernel: str | None = None,
    launch: str | None = None,
    include: Iterable[str | os.PathLike[str]] = (),
    machine: str | None = None,
    step_limit: int | None = None,
    all_blocks: bool = False,
    timeout: float | None = None,
    memory_limit: int | str | None = None,
    draw: bool | None = None,
    tool: str | os.PathLike[str] | None = None,
    **more_sizes: SupportsIndex,
) -> CheckReport:
    """Counts what the accesses of a CUDA file's kernels cost, without running it.

    Parameters
    ----------
    source : str or path
        A file, or its text: a string with a line break or a brace is a text.
    sizes : mapping of str to int, optional
        Integer parameters; also as keywords: ``n=256``.
    defines : mapping, optional
        Macros, where the tool has ``-D``.
    kernel : str, optional
        One kernel: its name, or ``name<32>`` of a template.
    launch : str, optional
        ``"grid(4, 4) block(32, 8)"``, or the block alone.
    include : iterable of paths
        Folders of headers.
    machine : str, optional
        As the flag of the tool.
    step_limit : int, optional
        Of evaluated statements and expressions.
    all_blocks : bool
        Count in every block, not in three alone.
    timeout, memory_limit, tool, **more_sizes
        As in `synthesize`.
    draw : bool, optional
        Whether to draw the worst access; by default if the source has shared memory.

    Returns
    -------
    CheckReport

    Raises
    ------
    InputError
        There is no kernel that can be counted: ``diagnostics`` say why.
    UsageError, ToolNotFoundError, ToolTimeoutError, ToolKilledError
    """
    executable = find_tool(tool)
    given = {"--kernel": kernel, "--launch": launch, "--machine": machine, "--step-limit": step_limit}
    flags = [*size_flags(sizes, more_sizes), *define_flags(defines, not defines or takes_defines(executable)),
             *(f"{flag}={value}" for flag, value in given.items() if value is not None),
             *(f"-I{os.fspath(folder)}" for folder in include), *(["--all-blocks"] if all_blocks else [])]
    is_drawn = "__shared__" in text_of(source) if draw is None else draw
    with Scratch() as scratch:
        command = [executable, "check", scratch.file_of(source, "kernel.cu"), "--json", scratch.path("check.json"),
                   *flags]
        drawing = ["--draw", scratch.path("picture.svg")] if is_drawn else []
        done = run_tool(command + drawing, timeout=timeout, memory=bytes_of(memory_limit))
        if draw is None and done.exit_code == 1 and "shared memory to draw" in done.log:
            done = run_tool(command, timeout=timeout, memory=bytes_of(memory_limit))
        return _report(done, scratch)


def _report(done: Finished, scratch: Scratch) -> CheckReport:
    log = scratch.shown(done.log)
    diagnostics = parse_diagnostics(log)
    if done.exit_code in (1, 2):
        raise (InputError if done.exit_code == 1 else UsageError)(log.strip(), diagnostics)
    written = scratch.read("check.json")
    if done.exit_code != 0 or written is None:
        raise ToolKilledError(f"exit code {done.exit_code}: {log.strip()}", done.exit_code)
    whole = json.loads(scratch.shown(written))
    picture = scratch.read("picture.svg")
    report = decode(CheckReport, {**whole, "json": whole, "text": scratch.shown(done.output)})
    return replace(report, diagnostics=diagnostics, picture=display.Picture(picture) if picture else None)
