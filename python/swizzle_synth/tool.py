"""Finds the tool and runs it as a child process, whose time and memory are limited and which an interrupt ends."""

from __future__ import annotations

import functools
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import ToolKilledError, ToolNotFoundError, ToolTimeoutError

_NAME = "swizzle-synth"
_PACKAGE = Path(__file__).parent
_TICK_SECONDS = 0.1
_GRACE_SECONDS = 2.0  # between SIGTERM and SIGKILL


def find_tool(tool: str | os.PathLike[str] | None = None) -> str:
    """The path of the executable.

    Parameters
    ----------
    tool : path, optional
        Taken as it is. Otherwise the executable that was installed with this package, then ``$SWIZZLE_SYNTH``, then
        ``swizzle-synth`` in ``$PATH``, then what was built in the checkout that this package lies in.

    Raises
    ------
    ToolNotFoundError
    """
    if tool is not None:
        return _executable(tool, "tool")
    installed = _PACKAGE / "bin" / _NAME
    if os.access(installed, os.X_OK):
        return str(installed)
    if os.environ.get("SWIZZLE_SYNTH"):
        return _executable(os.environ["SWIZZLE_SYNTH"], "$SWIZZLE_SYNTH")
    on_path = shutil.which(_NAME)
    if on_path is not None and not _is_own_script(on_path):
        return on_path
    built = _PACKAGE.parents[1] / "build" / "release" / _NAME
    if os.access(built, os.X_OK):
        return str(built)
    raise ToolNotFoundError(f"there is no {_NAME}: install the wheel, set $SWIZZLE_SYNTH, or put it into $PATH")


def _executable(path: str | os.PathLike[str], origin: str) -> str:
    if os.path.isfile(path) and os.access(path, os.X_OK):
        return os.path.abspath(path)
    raise ToolNotFoundError(f"{origin}: '{os.fspath(path)}' is no executable")


def _is_own_script(path: str) -> bool:
    """Whether this is the script that pip writes, which would run this package again."""
    with open(path, "rb") as file:
        head = file.read(1024)
    return head.startswith(b"#!") and b"swizzle_synth" in head


@functools.lru_cache(maxsize=None)
def _printed(tool: str, *arguments: str) -> str:
    return subprocess.run([tool, *arguments], capture_output=True, text=True, check=False).stdout


def tool_version(tool: str | os.PathLike[str] | None = None) -> str:
    """What ``swizzle-synth --version`` prints."""
    return _printed(find_tool(tool), "--version").strip()


def takes_defines(tool: str) -> bool:
    """Whether this version of the tool has ``-D``."""
    return any(line.lstrip().startswith("-D") for line in _printed(tool, "--help").splitlines())


@dataclass(frozen=True)
class Finished:
    """A command that came to its end. `seconds` are those of the wall clock."""

    exit_code: int
    output: str
    log: str
    seconds: float


@functools.lru_cache(maxsize=None)
def _dies_with_parent() -> tuple[str, ...]:
    """A prefix that ends the command when this process is killed, where the system has one."""
    prefix = ("setpriv", "--pdeathsig", "KILL")
    if shutil.which(prefix[0]) is None:
        return ()
    return prefix if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0 else ()


def _limited(command: Sequence[str], memory: int | None) -> list[str]:
    """The command under its limits. They are set between fork and exec by programs, since Python code that runs there
    may deadlock where there are threads."""
    limit: list[str] = []
    if memory is not None:
        limit = ["/bin/sh", "-c", 'ulimit -d "$0" && exec "$@"', str(max(1, memory // 1024))]
    return [*limit, *_dies_with_parent(), *command]


def run_tool(
    command: Sequence[str],
    *,
    timeout: float | None = None,
    memory: int | None = None,
    on_tick: Callable[[str], None] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Finished:
    """Runs a command to its end.

    Parameters
    ----------
    command : sequence of str
    timeout : float, optional
        Seconds of the wall clock after which it is ended.
    memory : int, optional
        Bytes of data that it may have (``RLIMIT_DATA``).
    on_tick : callable, optional
        Called with each piece of standard error as it comes, and with ``""`` some ten times a second.
    cancelled : callable, optional
        Asked as often; where it says yes, the command is ended and `KeyboardInterrupt` raised.

    Raises
    ------
    ToolTimeoutError
    ToolKilledError
        The command was ended by a signal.
    """
    start = time.monotonic()
    with subprocess.Popen(_limited(command, memory), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, start_new_session=True) as child:
        try:
            output, log = _collect(child, start, timeout, on_tick, cancelled)
            exit_code = child.wait()
        except BaseException:
            _end_session(child)
            raise
    if exit_code < 0:
        raise ToolKilledError(f"{_NAME} was ended by {signal.Signals(-exit_code).name}", exit_code)
    return Finished(exit_code, output, log, time.monotonic() - start)


def _collect(child: subprocess.Popen[bytes], start: float, timeout: float | None,
             on_tick: Callable[[str], None] | None, cancelled: Callable[[], bool]) -> tuple[str, str]:
    """Standard output and standard error, once both are closed."""
    assert child.stdout is not None and child.stderr is not None
    pieces: dict[int, list[bytes]] = {child.stdout.fileno(): [], child.stderr.fileno(): []}
    log_fd = child.stderr.fileno()
    with selectors.DefaultSelector() as selector:
        for fd in pieces:
            selector.register(fd, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select(_TICK_SECONDS):
                piece = os.read(key.fd, 1 << 16)
                if not piece:
                    selector.unregister(key.fd)
                pieces[key.fd].append(piece)
                if on_tick is not None and key.fd == log_fd:
                    on_tick(piece.decode(errors="replace"))
            if on_tick is not None:
                on_tick("")
            if cancelled():
                raise KeyboardInterrupt
            if timeout is not None and time.monotonic() - start > timeout:
                raise ToolTimeoutError(f"{_NAME} was ended after {timeout:g} s")
    output, log = (b"".join(parts).decode(errors="replace") for parts in pieces.values())
    return output, log


def _end_session(child: subprocess.Popen[bytes]) -> None:
    """Ends the child and what it started: compilers have process groups of their own, but the session is one."""
    _signal_session(child.pid, signal.SIGTERM)
    try:
        child.wait(_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        pass
    _signal_session(child.pid, signal.SIGKILL)
    child.wait()


def _signal_session(session: int, number: signal.Signals) -> None:
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            if os.getsid(int(entry)) == session:
                os.kill(int(entry), number)
        except (ProcessLookupError, PermissionError):
            continue
