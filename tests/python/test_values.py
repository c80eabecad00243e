"""Reports, diagnostics, expressions, sizes of memory: texts to values, without the tool."""
import itertools
import unittest

from support import main

import swizzle_synth as sw
from swizzle_synth.diagnostics import parse_diagnostics
from swizzle_synth.report import Report
from swizzle_synth.sources import bytes_of, is_text


class Reports(unittest.TestCase):
    def test_what_is_unknown_is_kept_aside_and_what_is_missing_has_a_default(self):
        json = {"schema": 1, "outcome": "infeasible", "reason": "why", "cost": None, "tool": "0.2",
                "seconds": {"total": 1}}
        report = Report.from_json(json)
        self.assertEqual((report.outcome, report.cost, report.holes, report.arch), ("infeasible", None, (), None))
        self.assertEqual(report.seconds.total, 1)
        self.assertEqual(report.json["tool"], "0.2")

    def test_counterexamples_have_sizes_by_name(self):
        example = {"n": 96, "w": 3, "block": 2, "thread": [7, 1], "output": "y[5]"}
        sizes = {"outcome": "refuted", "holds_for": None, "reason": "r", "counterexample": example}
        found = Report.from_json({"checked": {"all_sizes": sizes}}).checked.all_sizes.counterexample
        self.assertEqual((found.sizes, found.block, found.thread, found.output),
                         ({"n": 96, "w": 3}, (2,), (7, 1), "y[5]"))

    def test_inner_lists_become_tuples_of_values(self):
        access = {"location": "k.cu:1:2", "wavefronts": {"worst": 8, "total": 64},
                  "witness": {"bank": 3, "lanes": [0, 1], "addresses": [12, 140]}}
        found = Report.from_json({"accesses": [access]}).accesses[0]
        self.assertEqual((found.wavefronts.worst, found.witness.lanes, found.ideal), (8, (0, 1), None))


class Diagnostics(unittest.TestCase):
    def test_places_excerpts_and_other_lines(self):
        log = ("a b/k.cu:4:41: error: unknown hole\n    y[i] = ?sw_foo(3);\n           ^~~~~~~\n"
               "completion 1, cost 46\n  tid < k ? 1 : 0\n"
               "k.cu: note: there may be more: a limit\nerror: no C++ compiler\nk.cu: found, cost 13\n")
        placed, without_line, without_file = parse_diagnostics(log)
        self.assertEqual((placed.file, placed.line, placed.column), ("a b/k.cu", 4, 41))
        self.assertEqual(placed.excerpt, "    y[i] = ?sw_foo(3);\n           ^~~~~~~")
        self.assertEqual((without_line.file, without_line.line, without_line.message),
                         ("k.cu", None, "there may be more: a limit"))
        self.assertEqual((without_file.file, without_file.severity), (None, "error"))
        self.assertEqual("\n".join(map(str, (without_line, without_file))),
                         "k.cu: note: there may be more: a limit\nerror: no C++ compiler")


def c_quotient(a, b):
    return int(a / b)


class Expressions(unittest.TestCase):
    def test_they_mean_what_they_mean_in_c(self):
        cases = {
            "(a + b * 3 - 7) & 31": lambda a, b: (a + b * 3 - 7) & 31,
            "a / 3 % 4": lambda a, b: c_quotient(a, 3) - 4 * c_quotient(c_quotient(a, 3), 4),
            "(a - 9) / 4": lambda a, b: c_quotient(a - 9, 4),
            "(a - 9) % 4": lambda a, b: a - 9 - 4 * c_quotient(a - 9, 4),
            "a ^ (a >> 2 & 0x3u) << 1": lambda a, b: a ^ (((a >> 2) & 3) << 1),
            "a < b ? 0 : a == b ? 1 : 2": lambda a, b: 0 if a < b else 1 if a == b else 2,
            "!(a >= 3 && b != 2 || a <= b)": lambda a, b: int(not ((a >= 3 and b != 2) or a <= b)),
            "-a + ~b - -1": lambda a, b: -a + ~b + 1,
            "min(a, b) * 10 + max(a, int(b + 1))": lambda a, b: min(a, b) * 10 + max(a, b + 1),
            "a - b - 1 | a & b": lambda a, b: (a - b - 1) | (a & b),
            "true": lambda a, b: 1,
        }
        for text, meant in cases.items():
            expression = sw.Expression(text)
            for a, b in itertools.product(range(-2, 16), range(8)):
                self.assertEqual(expression(a=a, b=b), meant(a, b), (text, a, b))

    def test_names_are_those_of_variables(self):
        self.assertEqual(sw.Expression("max(tid, k) + tid + threadIdx.x").names, ("tid", "k", "threadIdx.x"))

    def test_what_is_no_expression_is_refused(self):
        for text in ("", "a +", "(a", "a b", "a ? b", "1 = 2", "f[2]", "min(a b)", "min(a,", "*", "3x"):
            with self.assertRaises(ValueError, msg=text):
                sw.Expression(text)

    def test_a_missing_variable_is_named(self):
        with self.assertRaisesRegex(ValueError, "needs k"):
            sw.Expression("tid + k")(tid=3)


class Sources(unittest.TestCase):
    def test_sizes_of_memory(self):
        for text, size in (("2 GiB", 2 << 30), ("1.5 kB", 1500), ("500MB", 500_000_000), ("64", 64),
                           ("3 M", 3_000_000)):
            self.assertEqual(bytes_of(text), size)
        self.assertEqual((bytes_of(7), bytes_of(None)), (7, None))
        for text in ("much", "2 XB", "GiB", ""):
            with self.assertRaises(ValueError, msg=text):
                bytes_of(text)

    def test_texts_and_paths(self):
        self.assertTrue(is_text("a\nb") and is_text("void f() {}"))
        self.assertFalse(is_text("sketches/reverse.cu"))


if __name__ == "__main__":
    main()
