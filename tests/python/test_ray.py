"""Sweeps on a cluster: Ray on this machine, with two workers of which one is killed."""
import os
import unittest
from unittest import mock

from support import ROOT, SKETCH, ScratchTest, main, turn_by

import swizzle_synth as sw

TASKS = 20
KILL_THE_WORKER = "kill -KILL $PPID; sleep 600"


class Cluster(ScratchTest):
    """One cluster that all tests use, which `sweep` did not start and does not end."""

    @classmethod
    def setUpClass(cls):
        import ray
        os.environ["PYTHONPATH"] = str(ROOT / "python")
        ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
        cls.addClassCleanup(ray.shutdown)

    def setUp(self):
        super().setUp()
        self.path = self.folder / "sweep.sqlite"
        (self.folder / "turn.h").write_text("#define FULL_MASK 0xffffffffu\n")
        for i in range(TASKS):
            text = SKETCH.replace("turn", f"turn{i}_").replace("0xffffffffu", "FULL_MASK")
            (self.folder / f"turn{i}_.cu").write_text('#include "turn.h"\n' + text)
            (self.folder / f"turn{i}_.cpp").write_text(turn_by(i).replace("turn", f"turn{i}_"))
        self.space = sw.Space([(self.folder / f"turn{i}_.cu", self.folder / f"turn{i}_.cpp") for i in range(TASKS)])

    def sweep(self, body, **options):
        tool = self.script("tool", f'{body}\nexec {sw.find_tool()} "$@"')
        table = sw.sweep(self.space, self.path, address="local", tool=tool, **options)
        self.addCleanup(table.close)
        return table

    def test_a_killed_worker_loses_nothing(self):
        mark = self.folder / "mark"
        table = self.sweep(f'grep -q turn7_ "$1" && [ ! -e {mark} ] && touch {mark} && {{ {KILL_THE_WORKER}; }}')
        self.assertTrue(mark.exists())
        self.assertEqual(table.counts(), {"found": TASKS})
        self.assertGreaterEqual(len({row.worker for row in table}), 2)
        self.assertNotIn(f":{os.getpid()}", {row.worker[row.worker.index(":"):] for row in table})
        for row in table:
            self.assertEqual(row.sketch, str(self.folder / f"{row.name}.cu"))
            self.assertEqual(row.read_report().holes[0].location, f"{row.sketch}:6:59")

    def test_a_task_that_always_kills_its_worker_costs_itself_alone(self):
        mended = self.folder / "mended"
        body = f'grep -q turn7_ "$1" && [ ! -e {mended} ] && {{ {KILL_THE_WORKER}; }}'
        table = self.sweep(body, retries=1)
        self.assertEqual(table.counts(), {"failed": 1, "found": TASKS - 1})
        failed = next(row for row in table if row.outcome == "failed")
        self.assertEqual(failed.name, "turn7_")
        self.assertIn("Ray: ", failed.reason)
        mended.touch()
        self.assertEqual(self.sweep(body).counts(), {"found": TASKS})

    def test_the_files_need_not_be_where_the_worker_is(self):
        table = self.sweep(f'case "$1" in {self.folder}/*) exit 99;; esac')
        self.assertEqual(table.counts(), {"found": TASKS})


class ClusterOfItsOwn(ScratchTest):
    def test_it_is_started_and_ended(self):
        import ray
        self.with_environment(PYTHONPATH=None)
        table = sw.sweep(sw.Space([(SKETCH, turn_by(1)), (SKETCH, turn_by(2))]), self.folder / "sweep.sqlite",
                         address="local", workers=2)
        self.addCleanup(table.close)
        self.assertEqual(table.counts(), {"found": 2})
        self.assertFalse(ray.is_initialized())


class WithoutRay(unittest.TestCase):
    def test_the_error_says_what_to_install(self):
        absent = mock.patch("importlib.import_module", side_effect=ImportError)
        with absent, self.assertRaisesRegex(ImportError, r"swizzle-synth\[ray\]"):
            sw.sweep(sw.Space([(SKETCH, turn_by(1))]), ":memory:", address="auto")


if __name__ == "__main__":
    os.environ.setdefault("RAY_AUTH_MODE", "disabled")  # which would write a token to the home folder
    main("ray")
