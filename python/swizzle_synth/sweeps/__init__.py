"""Sweeps: many calls of `synthesize`, on this machine or on a cluster, into one table."""

from .space import Pair, Space, Task
from .sweep import sweep
from .sweep_file import SweepFile, read_sweep
from .table import Row, Table

__all__ = ["Pair", "Row", "Space", "SweepFile", "Table", "Task", "read_sweep", "sweep"]
