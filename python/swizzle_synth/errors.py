"""What is raised. That no completion exists, or that none was found in time, is an answer and no error."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .diagnostics import Diagnostic
    from .report import Report


class SwizzleError(Exception):
    """The base of all errors of this package.

    Attributes
    ----------
    diagnostics : tuple of Diagnostic
        What the tool said, with file, line and column; empty where it said nothing.
    """

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics


class ToolNotFoundError(SwizzleError, FileNotFoundError):
    """There is no ``swizzle-synth`` to run."""


class InputError(SwizzleError, ValueError):
    """Sketch, spec or kernel is not accepted; `diagnostics` say where and why."""


class UsageError(SwizzleError, ValueError):
    """The tool does not take these options."""


class VerificationError(SwizzleError):
    """The completed kernel failed its own verification. It is not handed out.

    Attributes
    ----------
    report : Report or None
        ``report.reason`` says at which size and output.
    """

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = (), report: Report | None = None) -> None:
        super().__init__(message, diagnostics)
        self.report = report


class NoGpuError(SwizzleError):
    """``run="gpu"`` where there is no GPU, or no compiler for it."""


class NoKernelError(SwizzleError):
    """There is no kernel to launch: nothing was found."""


class ToolTimeoutError(SwizzleError, TimeoutError):
    """The tool was ended because it ran longer than `timeout`."""


class ToolKilledError(SwizzleError):
    """The tool ended without an answer, by a signal or an exit code that it does not document.

    Attributes
    ----------
    exit_code : int
        Negative: minus the number of the signal.
    """

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code
