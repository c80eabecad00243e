"""`synthesize`, with the tool itself."""
import unittest

from support import SKETCH, ScratchTest, main, pair, turn_by

import swizzle_synth as sw
from swizzle_synth.progress import without_phases
from swizzle_synth.tool import takes_defines


class Synthesis(ScratchTest):
    def test_a_pair_of_files(self):
        result = sw.synthesize(*pair("stencil1d"), n=128)
        self.assertTrue(result.found)
        self.assertEqual(result.cost.total, 46)
        self.assertEqual(result.report.optimality, "proved")
        self.assertEqual(result.report.checked.posed, ("n=128",))
        self.assertEqual([hole.kind for hole in result.report.holes], ["sw_part", "sw_xform"])
        self.assertIn("__shfl_sync", result.kernel)
        self.assertNotIn("?sw_", result.kernel)
        self.assertEqual(len(result.completions), 1)
        self.assertEqual(result.completions[0].expressions, tuple(hole.expression for hole in result.report.holes))

    def test_texts(self):
        result = sw.synthesize(SKETCH, turn_by(5))
        self.assertTrue(result.found)
        self.assertEqual(result.report.holes[0].location, "sketch.cu:5:61")
        lane = sw.Expression(result.report.holes[0].expression)
        for t in range(32):
            self.assertEqual(lane(**{name: t for name in lane.names} | {"threadIdx.x": t}), (t + 5) % 32)

    def test_a_path_may_be_a_string(self):
        self.assertTrue(sw.synthesize(*map(str, pair("reverse"))).found)

    def test_listed_completions(self):
        result = sw.synthesize(*pair("stencil1d"), all=10)
        self.assertEqual([each.mirror_of for each in result.completions], [None, 1])
        self.assertEqual(result.completions[0].cost, result.cost.total)

    def test_a_second_opinion(self):
        self.assertEqual(sw.synthesize(*pair("toy_transpose8_xor"), draw=False).report.certified, None)
        certified = sw.synthesize(*pair("reverse"), certify=True).report.certified
        self.assertEqual((certified.claim, certified.reason), ("cost", ""))

    @unittest.skipUnless(takes_defines(sw.find_tool()), "this tool has no -D")
    def test_macros_reach_sketch_and_spec(self):
        result = sw.synthesize(SKETCH.replace("x, 32)", "x, WIDTH)"), turn_by("BY"), defines={"BY": 3, "WIDTH": 32})
        self.assertTrue(result.found)

    def test_infeasible_is_an_answer_with_notes(self):
        result = sw.synthesize(*pair("infeasible_far"))
        self.assertEqual((result.outcome, result.found, result.kernel, result.cost), ("infeasible", False, None, None))
        self.assertIn("y[30]", result.reason)
        self.assertEqual(result.completions, ())
        self.assertEqual({note.severity for note in result.diagnostics}, {"note"})
        self.assertIn("infeasible", repr(result))
        with self.assertRaisesRegex(sw.NoKernelError, "infeasible: y"):
            result.raw_kernel()

    def test_unknown_is_an_answer(self):
        result = sw.synthesize(*pair("ff64"), memory_limit="30 MiB")
        self.assertEqual(result.outcome, "unknown")
        self.assertIn("memory", result.reason)

    def test_bad_input_has_file_line_and_column(self):
        with self.assertRaises(sw.InputError) as raised:
            sw.synthesize(SKETCH.replace("sw_xform", "sw_rotate"), turn_by(1))
        error = raised.exception.diagnostics[0]
        self.assertEqual((error.severity, error.file, error.line, error.column), ("error", "sketch.cu", 5, 61))
        self.assertIn("unknown hole '?sw_rotate'", error.message)
        self.assertIn("^", error.excerpt)
        self.assertTrue(str(raised.exception).startswith(str(error)))

    def test_a_missing_file_is_bad_input(self):
        with self.assertRaisesRegex(sw.InputError, "absent.cu"):
            sw.synthesize(self.folder / "absent.cu", turn_by(1))

    def test_options_that_the_tool_does_not_take(self):
        with self.assertRaisesRegex(sw.UsageError, "--run"):
            sw.synthesize(SKETCH, turn_by(1), run="somewhere")
        with self.assertRaises(TypeError):
            sw.synthesize(SKETCH, turn_by(1), n=32.5)

    def test_a_size_may_have_the_name_of_an_option(self):
        sketch = SKETCH.replace("int n)", "int run)").replace("instance n", "instance run")
        spec = turn_by(1).replace("int n)", "int run)")
        self.assertEqual(sw.synthesize(sketch, spec, sizes={"run": 64}).report.checked.posed, ("run=64",))

    def test_tiles_are_drawn_where_a_layout_is_found(self):
        result = sw.synthesize(*pair("toy_transpose8"))
        self.assertIn("<svg", result.picture.svg)
        self.assertIn("after, L(r, c)", result.picture.svg)
        self.assertIsNone(sw.synthesize(*pair("toy_transpose8"), draw=False).picture)

    def test_moves_are_drawn_where_lanes_shuffle(self):
        result = sw.synthesize(SKETCH, turn_by(1))
        self.assertEqual(result.picture.svg.count("<line class='m'"), 32)

    def test_where_nothing_can_be_drawn_the_kernel_comes_all_the_same(self):
        copy = SKETCH.replace("__shfl_sync(0xffffffffu, x[threadIdx.x], ?sw_xform(threadIdx.x, 32))",
                              "x[?sw_xform(threadIdx.x, 32)]")
        result = sw.synthesize(copy + "// no ?sw_layout, no __shfl_sync here\n", turn_by(1))
        self.assertTrue(result.found)
        self.assertIsNone(result.picture)

    def test_the_sketch_is_given_to_a_run(self):
        checked = sw.synthesize(SKETCH, turn_by(1), run="cpu").report.checked
        self.assertEqual(checked.run.mismatches, 0)
        self.assertGreater(checked.run.inputs, 0)

    def test_progress_leaves_the_log_as_it_is(self):
        quiet, told = (sw.synthesize(*pair("reverse"), progress=each).log for each in (False, True))
        self.assertEqual(told.rpartition(";")[0], quiet.rpartition(";")[0])
        self.assertEqual(without_phases("    49.0 ms  parsed\nk.cu: found\n"), "k.cu: found\n")


class FlagsOfOptions(ScratchTest):
    """What a script that stands for the tool is called with."""

    def flags(self, help_text="", **options):
        tool = self.script("tool", f'[ "$1" = --help ] && {{ echo "{help_text}"; exit; }}\n'
                                   f'for a in "$@"; do echo "$a"; done > {self.folder}/flags\n'
                                   'echo "error: enough" >&2; exit 1')
        with self.assertRaisesRegex(sw.InputError, "enough"):
            sw.synthesize("a.cu", "a.cpp", tool=tool, **options)
        return (self.folder / "flags").read_text().splitlines()

    def test_each_is_passed_on(self):
        flags = self.flags(n=64, first=True, include=[self.folder], arch="sm_80", time_limit=float("inf"), jobs=2,
                           proof="posed")
        self.assertEqual(flags[:3], ["a.cu", "--spec", "a.cpp"])
        self.assertEqual(set(flags[7:]), {"--set=n=64", f"-I{self.folder}", "--run=none", "--first", "--arch=sm_80",
                                          "--time-limit=inf", "--jobs=2", "--proof=posed"})

    def test_defines_are_passed_on_where_the_tool_has_them(self):
        flags = self.flags("  -D TEXT ...", defines={"TILE": 32, "FAST": None, "WIDE": True})
        self.assertEqual([each for each in flags if each.startswith("-D")], ["-DTILE=32", "-DFAST", "-DWIDE=1"])

    def test_defines_are_refused_where_it_has_none(self):
        tool = self.script("older", "echo none")
        with self.assertRaisesRegex(sw.UsageError, "no -D"):
            sw.synthesize("a.cu", "a.cpp", tool=tool, defines={"TILE": 32})

    def test_undocumented_exit_codes_are_no_answers(self):
        with self.assertRaisesRegex(sw.ToolKilledError, "exit code 77: odd"):
            sw.synthesize("a.cu", "a.cpp", tool=self.script("odd", "echo odd >&2; exit 77"))
        with self.assertRaisesRegex(sw.ToolKilledError, "exit code 0"):
            sw.synthesize("a.cu", "a.cpp", tool=self.script("silent", "exit 0"))

    def test_a_kernel_that_failed_its_verification_is_not_handed_out(self):
        report = '{"schema": 1, "outcome": "found", "reason": "y[3] differs"}'
        tool = self.script("failing", f"echo '{report}' > \"$7\"; exit 3")
        with self.assertRaisesRegex(sw.VerificationError, r"y\[3\] differs") as raised:
            sw.synthesize("a.cu", "a.cpp", tool=tool)
        self.assertEqual(raised.exception.report.reason, "y[3] differs")

    def test_no_gpu(self):
        with self.assertRaises(sw.NoGpuError):
            sw.synthesize("a.cu", "a.cpp", run="gpu", tool=self.script("gpuless", "exit 5"))


if __name__ == "__main__":
    main()
