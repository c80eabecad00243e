"""Sweeps on this machine, with the tool itself and with tools that fail."""
import contextlib
import importlib.util
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import types
import unittest
from unittest import mock

from support import ROOT, SKETCH, ScratchTest, main, turn_by

import swizzle_synth as sw
from swizzle_synth.__main__ import main as command
from swizzle_synth.sweeps.table import Row

TASKS = 60


def turns(count):
    """Pairs of which each has an answer of its own."""
    return [sw.Pair(SKETCH.replace("turn", f"turn{i}"), turn_by(i % 32).replace("turn", f"turn{i}"), f"turn{i}")
            for i in range(count)]


class SweepTest(ScratchTest):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "sweep.sqlite"

    def sweep(self, pairs, **options):
        table = sw.sweep(sw.Space(pairs), self.path, **options)
        self.addCleanup(table.close)
        return table

    def counting_tool(self, body=""):
        """The tool, which adds a line to the file `starts` for each start. `body` may look at $1, the sketch."""
        return self.script("tool", f'echo "$1" >> {self.folder}/starts\n{body}\nexec {sw.find_tool()} "$@"')

    def starts(self):
        path = self.folder / "starts"
        return len(path.read_text().splitlines()) if path.exists() else 0


class Sweeps(SweepTest):
    def test_sixty_sketches_lose_nothing(self):
        table = self.sweep(turns(TASKS))
        self.assertEqual(table.counts(), {"found": TASKS})
        rows = {row.name: row for row in table}
        self.assertEqual(len(rows), TASKS)
        for i, row in ((int(name[4:]), row) for name, row in rows.items()):
            lane = sw.Expression(row.read_report().holes[0].expression)
            at = {name: 7 for name in lane.names}
            self.assertEqual(lane(**at), (7 + i) % 32, row.name)
            self.assertIn(f"void turn{i}(", row.kernel)
            self.assertEqual(row.optimality, "proved")

    def test_what_is_done_is_not_done_again(self):
        tool = self.counting_tool()
        self.sweep(turns(4), tool=tool)
        self.assertEqual(self.starts(), 4)
        table = self.sweep(turns(6), tool=tool)
        self.assertEqual((self.starts(), len(table)), (6, 6))

    def test_an_interrupted_sweep_goes_on(self):
        tool = self.counting_tool()
        kept = []

        def keep(table, row, original=sw.Table.keep):
            original(table, row)
            kept.append(row)
            if len(kept) == 5:
                raise KeyboardInterrupt

        with mock.patch.object(sw.Table, "keep", keep), self.assertRaises(KeyboardInterrupt):
            self.sweep(turns(20), tool=tool, workers=2)
        self.assertEqual(len(sw.Table(self.path)), 5)
        self.assertLess(self.starts(), 20)
        before = self.starts()
        self.assertEqual(self.sweep(turns(20), tool=tool).counts(), {"found": 20})
        self.assertEqual(self.starts() - before, 15)

    def test_a_task_that_fails_costs_itself_alone(self):
        tool = self.counting_tool('grep -q turn3 "$1" && kill -KILL $$\n'
                                  'grep -q turn4 "$1" && { echo odd >&2; exit 99; }')
        table = self.sweep(turns(8), tool=tool)
        rows = {row.name: row for row in table}
        self.assertEqual(table.counts(), {"failed": 2, "found": 6})
        for name, reason in (("turn3", "SIGKILL"), ("turn4", "exit code 99: odd")):
            self.assertEqual(rows[name].outcome, "failed")
            self.assertIn(reason, rows[name].reason)

    def test_a_task_that_does_not_end_is_ended(self):
        row = next(iter(self.sweep(turns(1), tool=self.script("sleeper", "exec sleep 600"), timeout=0.5)))
        self.assertEqual((row.outcome, row.reason), ("failed", "swizzle-synth was ended after 0.5 s"))

    def test_what_failed_is_tried_again_and_other_outcomes_on_demand(self):
        tool = self.counting_tool(f'grep -q turn1 "$1" && [ ! -e {self.folder}/mended ] && exit 99')
        self.assertEqual(self.sweep(turns(2), tool=tool).counts(), {"failed": 1, "found": 1})
        (self.folder / "mended").touch()
        self.assertEqual(self.sweep(turns(2), tool=tool).counts(), {"found": 2})
        self.assertEqual(self.starts(), 3)
        self.sweep(turns(2), tool=tool, again=("found",))
        self.assertEqual(self.starts(), 5)

    def test_outcomes_that_are_answers(self):
        pairs = [(SKETCH.replace("sw_xform", "sw_rotate"), turn_by(1)),
                 (SKETCH, turn_by(1).replace("(i + 1)", "(i * (i + 1) / 2)")), (SKETCH, turn_by(1))]
        table = self.sweep(pairs)
        self.assertEqual([row.outcome for row in sorted(table, key=lambda row: row.outcome)],
                         ["bad_input", "found", "infeasible"])
        bad = next(row for row in table if row.outcome == "bad_input")
        self.assertIn("sketch.cu:5:61: error: unknown hole", bad.reason)
        self.assertIsNone(bad.kernel)

    def test_memory_is_limited_for_each_task(self):
        pair = (ROOT / "sketches" / "ff64.cu", ROOT / "specs" / "ff64.cpp")
        table = self.sweep([pair], memory_limit="30 MiB")
        row = next(iter(table))
        self.assertEqual((row.outcome, json.loads(row.limits)["memory_limit"]), ("unknown", 30 << 20))
        self.assertIn("memory", row.reason)

    def test_sizes_and_machines_reach_the_tool(self):
        pair = (ROOT / "sketches" / "reverse.cu", ROOT / "specs" / "reverse.cpp")
        space = sw.Space([pair], sizes={"n": [64, 128]}, machines=["sm_90", None])
        table = sw.sweep(space, self.path)
        self.addCleanup(table.close)
        self.assertEqual(sorted((row.read_report().checked.posed[0], row.machine or "") for row in table),
                         [("n=128", ""), ("n=128", "sm_90"), ("n=64", ""), ("n=64", "sm_90")])


class FakeBar:
    """What stands for tqdm's bars."""

    made = []

    def __init__(self, **options):
        self.options, self.updates, self.said, self.closed = options, 0, [], False
        FakeBar.made.append(self)

    def update(self):
        self.updates += 1

    def set_postfix(self, counts, refresh):
        self.said.append(dict(counts))

    def set_postfix_str(self, text, refresh):
        self.said.append(text)

    def refresh(self):
        pass

    def close(self):
        self.closed = True


class Bars(SweepTest):
    def setUp(self):
        super().setUp()
        FakeBar.made = []
        fakes = {"tqdm": types.ModuleType("tqdm"), "tqdm.auto": types.SimpleNamespace(tqdm=FakeBar)}
        patch = mock.patch.dict(sys.modules, fakes)
        patch.start()
        self.addCleanup(patch.stop)

    def test_a_sweep_counts_tasks_and_starts_with_those_that_are_done(self):
        self.sweep(turns(2), progress=True)
        self.sweep(turns(5), progress=True)
        self.assertEqual([(bar.options["total"], bar.options["initial"], bar.updates, bar.closed)
                          for bar in FakeBar.made], [(2, 0, 2, True), (5, 2, 3, True)])
        self.assertEqual(FakeBar.made[1].said[-1], {"found": 3})

    def test_none_is_shown_where_nobody_looks(self):
        self.sweep(turns(1), progress=False)
        self.assertEqual(FakeBar.made, [])

    def test_a_synthesis_counts_phases(self):
        sw.synthesize(SKETCH, turn_by(1), progress=True)
        bar, = FakeBar.made
        self.assertEqual((bar.options["desc"], bar.updates, bar.closed), ("sketch.cu", bar.options["total"], True))
        self.assertRegex(bar.said[0], "^parsed turn")


@unittest.skipUnless(importlib.util.find_spec("tqdm"), "there is no tqdm")
class BarsOfTqdm(SweepTest):
    def test_they_are_drawn(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.sweep(turns(2), progress=True)
        self.assertRegex(said.getvalue(), r"sweep: +100%.* 2/2 .*found=2")


class Tables(SweepTest):
    def test_sqlite_reads_it(self):
        self.sweep(turns(2)).close()
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            query = "SELECT name, json_extract(report, '$.cost.total') = cost FROM results"
            rows = connection.execute(query).fetchall()
        self.assertEqual(sorted(rows), [("turn0", 1), ("turn1", 1)])

    def test_a_row_that_was_kept_is_there_for_others_at_once(self):
        table, other = sw.Table(self.path), sw.Table(self.path)
        for each in (table, other):
            self.addCleanup(each.close)
        row = Row("key", "name", "a.cu", "a.cpp", "{}", "{}", None, "{}", "{}", "found", cost=1.5)
        table.keep(row)
        self.assertEqual(list(other), [row])
        table.keep(Row("key", "name", "a.cu", "a.cpp", "{}", "{}", None, "{}", "{}", "failed"))
        self.assertEqual((other.counts(), other.keys(), other.keys(but=("failed",))), ({"failed": 1}, {"key"}, set()))

    def test_other_files_are_refused(self):
        self.path.write_text("no table\n" * 100)
        with self.assertRaisesRegex(ValueError, "sweep.sqlite: .*not a database"):
            sw.Table(self.path)
        self.path.unlink()
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            connection.execute("PRAGMA user_version = 7")
        with self.assertRaisesRegex(ValueError, "version 7"):
            sw.Table(self.path)


class Command(SweepTest):
    def setUp(self):
        super().setUp()
        for pair in turns(3):
            (self.folder / f"{pair.name}.cu").write_text(pair.sketch)
            (self.folder / f"{pair.name}.cpp").write_text(pair.spec)
        self.file = self.folder / "sweep.toml"
        self.file.write_text('[[pairs]]\nsketch = "turn*.cu"\nspec = "{name}.cpp"\nsizes = { n = 32 }\n')

    def run_command(self, *arguments):
        said, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(errors):
            code = command(["sweep", str(self.file), *arguments])
        return code, said.getvalue(), errors.getvalue()

    def test_a_summary_is_printed(self):
        self.assertEqual(self.run_command(), (0, f"{self.path}: 3 results: 3 found\n", ""))

    def test_the_exit_code_says_that_something_has_no_answer(self):
        with mock.patch.dict(os.environ, SWIZZLE_SYNTH=str(self.script("odd", "exit 99"))):
            self.assertEqual(self.run_command(), (1, f"{self.path}: 3 results: 3 failed\n", ""))

    def test_tasks_are_listed(self):
        self.assertEqual(self.run_command("--list")[:2], (0, "turn0 n=32\nturn1 n=32\nturn2 n=32\n"))
        self.assertFalse(self.path.exists())

    def test_what_is_wrong_is_an_error(self):
        self.file.write_text("sizes = 3\n")
        code, _, errors = self.run_command()
        self.assertEqual(code, 1)
        self.assertRegex(errors, r"^error: .*sweep.toml: there are no \[\[pairs\]\]")

    def test_an_interrupt_keeps_what_is_done_and_ends_the_tools(self):
        tool = self.counting_tool(f'grep -q turn2 "$1" && {{ echo $$ > {self.folder}/pid; exec sleep 600; }}')
        environment = {**os.environ, "SWIZZLE_SYNTH": str(tool), "PYTHONPATH": str(ROOT / "python")}
        sweep = subprocess.Popen([sys.executable, "-m", "swizzle_synth", "sweep", str(self.file), "--workers", "1"],
                                 env=environment, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 60
        while not (self.folder / "pid").exists() or not (self.folder / "pid").read_text().strip():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        sweep.send_signal(signal.SIGINT)
        self.assertIn("interrupted: the same command goes on", sweep.communicate()[1])
        self.assertEqual(sweep.returncode, 130)
        self.assertFalse(os.path.exists(f"/proc/{(self.folder / 'pid').read_text().strip()}"))
        with sw.Table(self.path) as table:
            self.assertEqual(table.counts(), {"found": 2})

    def test_other_commands_are_the_tools(self):
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        done = subprocess.run([sys.executable, "-m", "swizzle_synth", "--version"], env=environment, text=True,
                              capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout.strip()), (0, sw.tool_version()))


if __name__ == "__main__":
    main()
