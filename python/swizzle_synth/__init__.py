"""Completes CUDA kernels: `synthesize` finds what is left open in a sketch, `check` counts bank conflicts, `sweep` does
many at once.

Examples
--------
>>> import swizzle_synth as sw
>>> result = sw.synthesize("sketches/stencil1d.cu", "specs/stencil1d.cpp", n=128)  # doctest: +SKIP
>>> result.completions[0].expressions  # doctest: +SKIP
('tid < k ? 1 : 0', '(tid + k) & 31')
"""

from .checking import CheckedAccess, CheckedKernel, CheckReport, Uncounted, check
from .diagnostics import Diagnostic
from .display import Picture, movement
from .errors import (InputError, NoGpuError, NoKernelError, SwizzleError, ToolKilledError, ToolNotFoundError,
                     ToolTimeoutError, UsageError, VerificationError)
from .expressions import Expression
from .report import Access, Completion, Cost, Hole, Layout, Report
from .sweeps import Pair, Row, Space, Table, sweep
from .synthesis import Result, synthesize
from .tool import find_tool, tool_version

__all__ = [
    "Access", "CheckReport", "CheckedAccess", "CheckedKernel", "Completion", "Cost", "Diagnostic", "Expression", "Hole",
    "InputError", "Layout", "NoGpuError", "NoKernelError", "Pair", "Picture", "Report", "Result", "Row", "Space",
    "SwizzleError", "Table", "ToolKilledError", "ToolNotFoundError", "ToolTimeoutError", "Uncounted", "UsageError",
    "VerificationError", "check", "find_tool", "movement", "sweep", "synthesize", "tool_version",
]
