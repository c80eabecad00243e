"""`synthesize`: a sketch and a spec in, a kernel and what is known of it out."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, SupportsIndex

from . import display, kernels
from .diagnostics import Diagnostic, parse_diagnostics
from .errors import (InputError, NoGpuError, NoKernelError, SwizzleError, ToolKilledError, UsageError,
                     VerificationError)
from .progress import PhaseBar, without_phases
from .report import Completion, Cost, Report
from .sources import Scratch, Source, bytes_of, define_flags, size_flags, text_of
from .tool import Finished, find_tool, run_tool, takes_defines

_ANSWERS = (0, 10, 20)
_DRAWN = ("sw_layout", "__shfl")  # what there is something to draw of
_ERRORS: dict[int, type[SwizzleError]] = {1: InputError, 2: UsageError, 5: NoGpuError}


@dataclass(frozen=True, repr=False)
class Result:
    """The answer to a sketch and a spec.

    Attributes
    ----------
    kernel : str or None
        The text of the completed kernel; None where none was found.
    report : Report
    diagnostics : tuple of Diagnostic
        Warnings, and notes: where a sketch is infeasible, they say what would help.
    log : str
        All that the tool wrote to standard error.
    picture : Picture or None
        The tile before and after its layout, and what moves between registers, where these were drawn.
    kernel_name : str or None
        The function that was asked for, if it was.
    """

    kernel: str | None
    report: Report
    diagnostics: tuple[Diagnostic, ...] = ()
    log: str = ""
    picture: display.Picture | None = None
    kernel_name: str | None = field(default=None)

    @property
    def outcome(self) -> str:
        """``"found"``, ``"infeasible"`` (no completion exists) or ``"unknown"`` (`reason` says why)."""
        return self.report.outcome

    @property
    def found(self) -> bool:
        return self.report.outcome == "found"

    @property
    def reason(self) -> str:
        """Why nothing was found; empty otherwise."""
        return self.report.reason

    @property
    def cost(self) -> Cost | None:
        return self.report.cost

    @property
    def completions(self) -> tuple[Completion, ...]:
        """Those that `all` asked for, cheapest first; otherwise the one that was found."""
        if self.report.completions or self.report.cost is None:
            return self.report.completions
        return (Completion(self.report.cost.total, tuple(hole.expression for hole in self.report.holes)),)

    def launch(self, **sizes: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Grid and block of the kernel's launch directive at these sizes."""
        return kernels.launch_shape(self._need_kernel(), **sizes)

    def raw_kernel(self, name: str | None = None, **options: Any) -> Any:
        """The kernel as CuPy compiles it: call it as ``kernel(grid, block, arguments)``.

        Parameters
        ----------
        name : str, optional
            The function, where the file has several, or the instance of a template: ``"transpose<32>"``.
        **options
            Further arguments of `cupy.RawModule`.

        Raises
        ------
        ImportError
            There is no CuPy.
        NoKernelError
        """
        return kernels.raw_kernel(self._need_kernel(), name or self.kernel_name, **options)

    def load_inline(self, name: str | None = None, **options: Any) -> Any:
        """A module of PyTorch with a function of the kernel's name, which takes tensors where the kernel takes pointers
        and launches as the launch directive says, on the current stream.

        Parameters
        ----------
        name : str, optional
            The function, where the file has several.
        **options
            Further arguments of `torch.utils.cpp_extension.load_inline`.

        Raises
        ------
        ImportError
            There is no PyTorch.
        NoKernelError
        """
        return kernels.load_inline(self._need_kernel(), name or self.kernel_name, **options)

    def _need_kernel(self) -> str:
        if self.kernel is None:
            raise NoKernelError(f"{self.outcome}: {self.reason}", self.diagnostics)
        return self.kernel

    def __repr__(self) -> str:
        if self.cost is None:
            return f"<Result {self.outcome}: {self.reason}>"
        holes = "; ".join(hole.expression for hole in self.report.holes)
        return f"<Result found, cost {self.cost.total:g}, {self.report.optimality}: {holes}>"

    def _repr_html_(self) -> str:
        return display.result_html(self)


def synthesize(
    sketch: Source,
    spec: Source,
    *,
    sizes: Mapping[str, SupportsIndex] | None = None,
    defines: Mapping[str, object] | None = None,
    include: Iterable[str | os.PathLike[str]] = (),
    kernel: str | None = None,
    run: str = "none",
    first: bool = False,
    all: int | None = None,
    widen: bool = False,
    certify: bool = False,
    arch: str | None = None,
    machine: str | None = None,
    proof: str | None = None,
    time_limit: float | None = None,
    timeout: float | None = None,
    memory_limit: int | str | None = None,
    jobs: int | None = None,
    draw: bool | None = None,
    progress: bool = False,
    tool: str | os.PathLike[str] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    **more_sizes: SupportsIndex,
) -> Result:
    """Completes a sketch so that it equals a spec, at the least cost.

    Parameters
    ----------
    sketch, spec : str or path
        Files, or their texts: a string with a line break or a brace is a text.
    sizes : mapping of str to int, optional
        Sizes to pose, in place of what the sketch's ``instance`` lines say; also as keywords: ``n=256``.
    defines : mapping, optional
        Macros, where the tool has ``-D``; None defines one without a value.
    include : iterable of paths
        Folders of headers, where the tool has ``-I`` for sketches.
    kernel : str, optional
        Which ``__global__`` function, if there are several.
    run : {"none", "auto", "cpu", "gpu"}
        Where the kernel is compiled and run besides. Without it, it is parsed again and executed all the same.
    first : bool
        Stop at the first completion.
    all : int, optional
        List up to so many completions, cheapest first.
    widen : bool
        Where no completion exists, let a hole be any expression of its arguments.
    certify : bool
        Ask Z3 for a second opinion: ``report.certified``.
    arch, machine, proof : str, optional
        As the flags of the tool.
    time_limit : float, optional
        Seconds until the search ends with what it has; 60 by default, ``math.inf`` for none.
    timeout : float, optional
        Seconds until the tool is ended, without an answer.
    memory_limit : int or str, optional
        Bytes, or ``"2 GiB"``: what needs more is unknown.
    jobs : int, optional
        Threads.
    draw : bool, optional
        Whether to draw the tiles in shared memory and what moves between registers; by default if the sketch has a
        layout to find, or shuffles.
    progress : bool
        Shows a bar of the phases, if there is tqdm.
    tool : path, optional
        The executable: see `find_tool`.
    cancelled : callable, optional
        Asked some ten times a second: where it says yes, the tool is ended and `KeyboardInterrupt` raised.
    **more_sizes : int
        Sizes by name; those that have the name of a parameter stand in `sizes`.

    Returns
    -------
    Result
        Also where no completion exists (``"infeasible"``), or none was found within the limits (``"unknown"``).

    Raises
    ------
    InputError
        Sketch or spec are not accepted: ``diagnostics`` say where.
    VerificationError
        The kernel failed its own verification.
    UsageError, NoGpuError, ToolNotFoundError, ToolTimeoutError, ToolKilledError

    Examples
    --------
    >>> result = synthesize("sketches/reverse.cu", "specs/reverse.cpp", n=128)  # doctest: +SKIP
    >>> result.cost.total, result.report.holes[0].expression  # doctest: +SKIP
    (13.0, '31 - lane')
    """
    executable = find_tool(tool)
    flags = [*size_flags(sizes, more_sizes), *define_flags(defines, not defines or takes_defines(executable)),
             *(f"-I{os.fspath(folder)}" for folder in include), f"--run={run}",
             *_switches(first=first, widen=widen, certify=certify, v=progress),
             *_values(all=all, kernel=kernel, arch=arch, machine=machine, proof=proof, time_limit=time_limit,
                      jobs=jobs)]
    is_drawn = any(word in text_of(sketch) for word in _DRAWN) if draw is None else draw
    with Scratch() as scratch:
        command = [executable, scratch.file_of(sketch, "sketch.cu"), "--spec", scratch.file_of(spec, "spec.cpp"), "-o",
                   scratch.path("kernel.out.cu"), "--report", scratch.path("report.json"), *flags]
        drawing = ["--draw", scratch.path("picture.svg")] if is_drawn else []
        bar = PhaseBar(os.path.basename(command[1]), run != "none") if progress else None
        try:
            done = run_tool(command + drawing, timeout=timeout, memory=bytes_of(memory_limit), on_tick=bar,
                            cancelled=cancelled)
            if draw is None and done.exit_code == 1 and "there is nothing to draw" in done.log:
                done = run_tool(command, timeout=timeout, memory=bytes_of(memory_limit), on_tick=bar,
                                cancelled=cancelled)
        finally:
            if bar is not None:
                bar.close()
        return _result(done, scratch, kernel)


def _switches(**given: bool) -> list[str]:
    return [f"-{name}" if len(name) == 1 else f"--{name}" for name, is_on in given.items() if is_on]


def _values(**given: object) -> list[str]:
    return [f"--{name.replace('_', '-')}={value}" for name, value in given.items() if value is not None]


def _result(done: Finished, scratch: Scratch, kernel_name: str | None) -> Result:
    log = without_phases(scratch.shown(done.log))
    diagnostics = parse_diagnostics(log)
    written = scratch.read("report.json")
    report = Report.from_json(json.loads(scratch.shown(written))) if written else None
    if done.exit_code == 3:
        raise VerificationError(report.reason if report else log.strip(), diagnostics, report)
    if done.exit_code in _ERRORS:
        raise _ERRORS[done.exit_code](log.strip(), diagnostics)
    if done.exit_code not in _ANSWERS or report is None:
        raise ToolKilledError(f"exit code {done.exit_code}: {log.strip()}", done.exit_code)
    picture = scratch.read("picture.svg")
    return Result(scratch.read("kernel.out.cu"), report, diagnostics, log,
                  display.Picture(picture) if picture else None, kernel_name)
