"""How the tool is found, limited, interrupted."""
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from support import ROOT, ScratchTest, main

from swizzle_synth import ToolKilledError, ToolNotFoundError, ToolTimeoutError, find_tool, tool_version
from swizzle_synth import tool as tool_module
from swizzle_synth.tool import run_tool, takes_defines

# As the tool does with compilers: a child in a process group of its own.
SLEEP_UNTIL_ENDED = "echo $$ > {pid}; set -m; sleep 600 & echo $! > {grandchild}; wait"


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_for(condition):
    end = time.monotonic() + 30
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("this did not come to pass within 30 s")
        time.sleep(0.01)


class Finding(ScratchTest):
    def setUp(self):
        super().setUp()
        self.tool = self.script("swizzle-synth", "echo from the script")
        self.with_environment(SWIZZLE_SYNTH=None, PATH="/usr/bin:/bin")

    def test_what_is_named_comes_first(self):
        self.with_environment(SWIZZLE_SYNTH="/no/such")
        self.assertEqual(find_tool(self.tool), str(self.tool))

    def test_the_variable_comes_before_the_path(self):
        other = self.script("other", "")
        self.with_environment(SWIZZLE_SYNTH=other, PATH=self.folder)
        self.assertEqual(find_tool(), str(other))

    def test_the_path_is_searched(self):
        self.with_environment(PATH=self.folder)
        self.assertEqual(find_tool(), str(self.tool))
        self.assertEqual(tool_version(), "from the script")

    def test_a_variable_that_names_no_executable_is_an_error(self):
        self.with_environment(SWIZZLE_SYNTH=self.folder / "absent")
        with self.assertRaisesRegex(ToolNotFoundError, r"\$SWIZZLE_SYNTH: .*absent' is no executable"):
            find_tool()

    def test_the_own_script_is_not_taken_for_the_tool(self):
        self.tool.write_text("#!/usr/bin/python3\nfrom swizzle_synth.__main__ import main\n")
        self.with_environment(PATH=self.folder)
        try:
            self.assertNotEqual(find_tool(), str(self.tool))
        except ToolNotFoundError:
            pass  # where nothing is built in the checkout's usual folder

    def test_the_installed_one_comes_before_all_that_is_not_named(self):
        installed = self.folder / "bin" / "swizzle-synth"
        installed.parent.mkdir()
        self.tool.rename(installed)
        before, tool_module._PACKAGE = tool_module._PACKAGE, self.folder
        self.addCleanup(lambda: setattr(tool_module, "_PACKAGE", before))
        self.with_environment(SWIZZLE_SYNTH=self.script("other", ""))
        self.assertEqual(find_tool(), str(installed))

    def test_defines_are_taken_where_the_help_lists_them(self):
        self.assertFalse(takes_defines(str(self.script("older", "echo '  --set TEXT'"))))
        self.assertTrue(takes_defines(str(self.script("newer", "echo '  -D TEXT ...  a macro'"))))


class Running(ScratchTest):
    def test_output_log_and_exit_code_are_kept_apart(self):
        done = run_tool(["/bin/sh", "-c", "echo out; echo log >&2; exit 10"])
        self.assertEqual((done.exit_code, done.output, done.log), (10, "out\n", "log\n"))

    def test_the_log_is_told_as_it_comes(self):
        pieces = []
        run_tool(["/bin/sh", "-c", "echo first >&2; echo unseen; echo second >&2"], on_tick=pieces.append)
        self.assertEqual("".join(pieces), "first\nsecond\n")

    def test_a_timeout_ends_the_command(self):
        with self.assertRaisesRegex(ToolTimeoutError, "after 0.5 s"):
            run_tool(["/bin/sleep", "600"], timeout=0.5)

    def test_a_command_that_does_not_listen_is_killed(self):
        command = ["/bin/sh", "-c", "trap '' TERM; while :; do sleep 0.05; done"]
        with self.assertRaises(ToolTimeoutError):
            run_tool(command, timeout=0.2)

    def test_a_cancelled_command_is_ended_and_what_it_started(self):
        with self.assertRaises(KeyboardInterrupt):
            run_tool(self.sleeper(), cancelled=self.has_started)
        self.assertFalse(is_running(self.pid_in("pid")))
        wait_for(lambda: not is_running(self.pid_in("grandchild")))

    def test_a_signal_is_named(self):
        with self.assertRaisesRegex(ToolKilledError, "SIGSEGV") as raised:
            run_tool(["/bin/sh", "-c", "kill -SEGV $$"])
        self.assertEqual(raised.exception.exit_code, -signal.SIGSEGV)

    def test_memory_is_limited(self):
        code = "bytearray(400 << 20); print('has it')"
        self.assertEqual(run_tool([sys.executable, "-c", code]).output, "has it\n")
        self.assertIn("MemoryError", run_tool([sys.executable, "-c", code], memory=200 << 20).log)

    def test_an_interrupt_ends_the_command(self):
        self.ended_by(signal.SIGINT)

    @unittest.skipUnless(tool_module._dies_with_parent(), "there is no setpriv that ends a child with its parent")
    def test_the_command_does_not_outlive_a_killed_python(self):
        self.ended_by(signal.SIGKILL)

    def ended_by(self, number):
        code = f"import sys; sys.path.insert(0, {str(ROOT / 'python')!r})\n" \
               f"from swizzle_synth.tool import run_tool\nrun_tool({self.sleeper()!r})"
        python = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
        wait_for(self.has_started)
        self.assertTrue(is_running(self.pid_in("pid")))
        os.kill(python.pid, number)
        python.wait()
        wait_for(lambda: not is_running(self.pid_in("pid")))

    def sleeper(self):
        files = {name: self.folder / name for name in ("pid", "grandchild")}
        return ["/bin/sh", "-c", SLEEP_UNTIL_ENDED.format(**files)]

    def has_started(self):
        path = self.folder / "grandchild"
        return path.exists() and path.read_text().endswith("\n")

    def pid_in(self, name):
        return int((self.folder / name).read_text())


if __name__ == "__main__":
    main()
