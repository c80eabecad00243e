#!/usr/bin/env python3
"""Tests of the oracle itself: cases worked by hand, and mutations that it must notice.

    python3 tests/oracle/test_oracle.py [--tool build/release/swizzle-synth]

Without --tool the mutations are skipped.
"""
import pathlib
import re
import sys
import unittest
from collections import Counter
from unittest import mock

import skip  # noqa: F401, first

import numpy as np

import bits
import expressions
import generate
import grammars
import metamorphic
import oracle
import price
import provenance
import simulate
import words
from compare import Comparison
from enumerate_all import completions_of
from smallest import Smallest
from sketch import Accumulate, Barrier, For, Hole, If, Registers, Shared, Sketch, Store, StoreShared, Variable
from tool import Tool

TOOL = None


def along(*axes):
    """Points of all combinations."""
    return tuple(map(tuple, np.array(np.meshgrid(*map(range, axes), indexing="ij")).reshape(len(axes), -1).T.tolist()))


def texts(rows):
    return {"".join(map(str, row)) for row in rows.tolist()}


def found(sketch, seed=1):
    """Tables of the first hole in each completion."""
    every = completions_of(sketch, np.random.default_rng(seed))
    return {"".join(map(str, row)) for known in every for row in known.rows[0].tolist()}


class Expressions(unittest.TestCase):
    def test_precedence_is_that_of_c(self):
        self.assertEqual(int(expressions.evaluate(expressions.parse("1 + 2 * 3 & 5 ^ 1 << 1"), {})), 7)

    def test_division_truncates(self):
        values = expressions.evaluate(expressions.parse("a / 2 * 10 + a % 2"), {"a": np.array([-3, 3])})
        self.assertEqual(values.tolist(), [-11, 11])

    def test_constants_fold_before_operations_are_counted(self):
        self.assertEqual(expressions.slots(expressions.parse("t & ~3")), 1)
        self.assertEqual(expressions.slots(expressions.parse("lane < k ? 1 : 0")), 2)
        self.assertEqual(expressions.slots(expressions.parse("t % 6 + t % 4")), 6)

    def test_what_is_no_expression_is_an_error(self):
        for text in ("t +", "(t", "t ? 1", "t @ 1"):
            self.assertRaises(expressions.ParseError, expressions.parse, text)


class Grammars(unittest.TestCase):
    def test_conditions_of_one_argument(self):
        self.assertEqual(texts(grammars.tables("sw_cond", 0, along(4))), {
            "0000", "1111", "1000", "0100", "0010", "0001", "0111", "1011", "1101", "1110", "1100", "0011"})

    def test_conditions_compare_differences_and_sums(self):
        rows = texts(grammars.tables("sw_cond", 0, along(3, 3)))
        self.assertIn("100010001", rows)        # a == b
        self.assertIn("001010100", rows)        # a == 2 - b
        self.assertNotIn("101010101", rows)     # (a + b) % 2 == 0

    def test_partition_of_two_is_a_condition(self):
        self.assertEqual(texts(grammars.tables("sw_part", 2, along(4))), texts(grammars.tables("sw_cond", 0, along(4))))

    def test_xor_of_three_bits(self):
        rows = texts(grammars.tables("sw_xor", 8, along(8)))
        self.assertEqual(len(rows), 40)         # i ^ (i >> d & m): 5 of them, with 8 constants each
        self.assertIn("01326754", rows)         # i ^ (i >> 1)
        self.assertNotIn("01234576", rows)

    def test_xor_keeps_an_odd_index(self):
        self.assertEqual(texts(grammars.tables("sw_xor", 33, along(33))), {"".join(map(str, range(33)))})

    def test_linear_maps_of_two_bits(self):
        rows = texts(grammars.tables("sw_linear", 4, along(4)))
        self.assertEqual(len(rows), 64)         # two bits, each a sum of two bits and a constant
        self.assertIn("0213", rows)             # the bits change places
        self.assertIn("3210", rows)
        self.assertNotIn("0001", rows)          # an AND
        self.assertTrue(texts(grammars.tables("sw_xor", 4, along(4))) < rows)

    def test_linear_maps_stay_below_their_size(self):
        every = {f"{a}{b}{c}" for a in range(3) for b in range(3) for c in range(3)}
        self.assertEqual(texts(grammars.tables("sw_linear", 3, along(3))), every)   # 0, 1 and 2 decide no other

    def test_too_many_are_not_listed(self):
        for kind, n in ("sw_part", 4), ("sw_linear", 8):
            with self.subTest(kind=kind), self.assertRaises(grammars.TooMany):
                grammars.tables(kind, n, along(8, 8))

    def test_as_many_as_are_allowed_are_listed(self):
        for n, count in (8, 16 ** 3), (5, 313):    # each bit is one of 16 sums of three bits and 1
            with self.subTest(n=n), mock.patch("grammars.MOST_TABLES", count):
                self.assertEqual(len(grammars.all_tables("sw_linear", n, along(8))), count)
            with self.subTest(n=n), mock.patch("grammars.MOST_TABLES", count - 1):
                self.assertRaises(grammars.TooMany, grammars.all_tables, "sw_linear", n, along(8))

    def test_that_there_are_too_many_is_found_once(self):
        with mock.patch("grammars.all_tables", side_effect=grammars.TooMany) as listing:
            for _ in range(2):
                self.assertRaises(grammars.TooMany, grammars.tables, "sw_linear", 1 << 20, along(2))
        listing.assert_called_once()

    def test_transformations_of_two(self):
        self.assertEqual(texts(grammars.tables("sw_xform", 2, along(2))), {"00", "01", "10", "11"})

    def test_transformations_rotate_and_fan_in_groups(self):
        rows = texts(grammars.tables("sw_xform", 6, along(6)))
        self.assertIn("123450", rows)           # rotation
        self.assertIn("120453", rows)           # in groups of three
        self.assertIn("024135", rows)           # a fan of two with its carry
        self.assertNotIn("102345", rows)

    def test_swapped_digits_are_extra(self):
        extra, plain = (texts(grammars.tables(kind, 12, along(12))) for kind in ("sw_xform_extra", "sw_xform"))
        self.assertTrue(plain < extra)

    def test_periods_divide_the_range_of_the_iteration(self):
        self.assertEqual(grammars.periods(np.arange(6)), [1, 2, 3, 6])
        self.assertEqual(grammars.periods(np.array([-1, 0, 1])), [1])


def one(hole, body, spec, lanes=4, inputs=8):
    return Sketch(lanes, [hole], body, inputs, len(spec), spec)


class SmallestExpressions(unittest.TestCase):
    def of(self, low, n, axes, wanted):
        points = along(*axes)
        small = Smallest(low, n, points, ["a", "b"][:len(axes)])
        at = grammars.tables("sw_expr", n, points, low).tolist().index(wanted)
        return small.slots[at], small.texts[at]

    def test_cost_their_operations(self):
        self.assertEqual(self.of(0, 4, (4,), [3, 2, 1, 0])[0], 1)       # 3 - a
        self.assertEqual(self.of(0, 4, (4,), [3, 1, 0, 2])[0], 2)       # (19 >> a) & 3
        self.assertEqual(self.of(0, 2, (2, 3), [0, 1, 1, 1, 1, 1])[0], 2)    # 0 < (a | b)
        self.assertEqual(self.of(0, 2, (4,), [0, 1, 1, 1])[0], 1)          # 0 < a

    def test_have_the_values_of_their_tables(self):
        points = along(3, 2)
        small, rows = Smallest(-1, 2, points, ["a", "b"]), grammars.tables("sw_expr", 2, points, -1)
        for row, text in zip(rows, small.texts):
            if text:
                self.assertEqual(expressions.table(text, ["a", "b"], np.array(points)).tolist(), row.tolist(), text)


class Bits(unittest.TestCase):
    def sketch(self, tree, holes, spec, lanes=2):
        out = words.Words(8, lanes, 1, holes, [("a", tree)])
        out.spec = [spec] * lanes
        return out

    def right(self, sketch):
        x = words.samples(sketch, np.random.default_rng(1))
        return [[table[0].tolist() for table in words.all_tables(sketch, np.array([number]))]
                for number in words.right_ones(sketch, x, words.wanted(sketch, x))]

    def test_a_mask_chooses_bits_of_two_words(self):
        a, m = ("name", "a"), ("hole", 0)
        other = ("shuffle", a, ("constant", 1))
        tree = ("op", "|", ("op", "&", a, m), ("op", "&", other, ("not", m)))
        self.assertEqual(self.right(self.sketch(tree, [words.Hole("sw_mask", ())], [[0x0f]])), [[[0x0f]]])

    def test_bits_that_are_shifted_out_do_not_matter(self):
        tree = ("op", "&", ("op", "<<", ("name", "a"), ("constant", 6)), ("hole", 0))
        self.assertEqual(len(self.right(self.sketch(tree, [words.Hole("sw_mask", ())], [[0xff]]))), 64)

    def test_a_selector_takes_bytes_of_either_word(self):
        tree = ("perm", ("op", "<<", ("name", "a"), ("constant", 8)), ("name", "a"), ("hole", 0))
        self.assertEqual(self.right(self.sketch(tree, [words.Hole("sw_bytes", ())], [[1]])), [[[1]], [[4]]])


class EveryKind(unittest.TestCase):
    """Of holes, as the tables of docs/language.md and docs/report.md list them, in the sketches that ctest asks for."""

    def test_occurs_among_the_first_thousand(self):
        docs = pathlib.Path(__file__).parents[2] / "docs"
        language, report = ((docs / name).read_text(encoding="utf-8") for name in ("language.md", "report.md"))
        kinds = {self.kind(use) for use in re.findall(r"^\| `\?(sw_\w+\([^`]*\))`", language, re.MULTILINE)}
        holes = next(line for line in report.splitlines() if line.startswith("| `holes[]`"))
        kinds |= set(re.findall(r"`(sw_\w+)`", holes))
        self.assertGreater(len(kinds), 14)
        seen, options = Counter(), oracle.arguments(["--tool", "none"])
        for number in range(1000):
            _, sketch, _ = oracle.made(number, options)
            seen.update({self.kind(use) for use in re.findall(r"\?(sw_\w+\([^()]*)", sketch.text())})
        self.assertEqual({kind for kind in kinds if seen[kind] < 3}, set(), seen)

    def kind(self, use):
        """?sw_const has two rows: with arguments it is another kind."""
        name, arguments = use.split("(", 1)
        return "sw_const of its arguments" if name == "sw_const" and arguments.count(",") > 1 else name


class Simulation(unittest.TestCase):
    def test_a_register_is_chosen(self):
        body = [Registers("r", "2", [("load", "t"), ("load", "t + 4")]), Store("t", ("register", "r", "{h0}"))]
        spec = [("load", 0), ("load", 5), ("load", 6), ("load", 7)]
        self.assertEqual(found(one(Hole("sw_part", 2, ("t",)), body, spec)), {"0111"})

    def test_the_source_lane_evaluates_the_register(self):
        body = [Registers("r", "2", [("load", "t"), ("load", "t + 4")]),
                Store("t", ("shuffle", ("register", "r", "{h0}"), "3 - t", ""))]
        spec = [("load", 7), ("load", 2), ("load", 1), ("load", 0)]
        self.assertEqual(found(one(Hole("sw_part", 2, ("t",)), body, spec)), {"0001"})

    def test_an_undefined_register_is_rejected(self):
        body = [Registers("r", "2", []), If("t < 2", [Store("t", ("constant", 0))]),
                Store("t", ("register", "r", "{h0}"))]
        self.assertEqual(found(one(Hole("sw_part", 2, ("t",)), body, [("constant", 0)] * 4)), set())

    def test_xor_cancels_and_addition_does_not(self):
        for sign, expected in (("^", {"00", "11"}), ("+", set())):
            body = [Variable("s", ("constant", 0)),
                    For("k", "2", [If("{h0}", [Accumulate("s", sign, ("load", "t"))])]), Store("t", ("variable", "s"))]
            self.assertEqual(found(one(Hole("sw_cond", 0, ("k",)), body, [("constant", 0)] * 4)), expected | (
                {"00"} if sign == "+" else set()))

    def test_maxima_are_of_sets(self):
        body = [Variable("s", ("load", "t")), If("{h0}", [Accumulate("s", "max", ("load", "0"))]),
                Store("t", ("variable", "s"))]
        spec = [("load", 0), ("load", 1), ("op", "max", ("load", 0), ("load", 2)), ("load", 3)]
        self.assertEqual(found(one(Hole("sw_cond", 0, ("t",)), body, spec)), {"0010"})    # not 1010: it is no condition

    def test_out_of_bounds_is_rejected_where_a_lane_is_active(self):
        body = [Variable("s", ("load", "t")), If("{h0}", [Accumulate("s", "*", ("load", "t + 6"))]),
                Store("t", ("variable", "s"))]
        spec = [("op", "*", ("load", t), ("load", t + 6)) if t < 2 else ("load", t) for t in range(4)]
        self.assertEqual(found(one(Hole("sw_cond", 0, ("t",)), body, spec)), {"1100"})

    def test_a_constant_that_no_hole_makes_good_counts_once(self):
        body = [Variable("s", ("load", "t + {h0}")), Store("t", ("load", "{h1}"))]
        sketch = Sketch(4, [Hole("sw_const", 7, (), 3), Hole("sw_xform", 4, ("t",))], body, 8, 4, [("load", t) for t in range(4)])
        spaces = [known.space for known in completions_of(sketch, np.random.default_rng(1))]
        self.assertEqual(spaces, [spaces[0]] * 2 + [1] * 2)    # t + 5 and t + 6 leave x for t = 3
        self.assertGreater(spaces[0], 1)

    def test_a_store_that_the_spec_has_not_counts_once(self):
        body = [Registers("r", "2", [("load", "t"), ("load", "t + {h0}")]), Store("t", ("register", "r", "{h1}"))]
        sketch = Sketch(4, [Hole("sw_const", 2, (), 0), Hole("sw_part", 2, ("t",))], body, 8, 4, [("load", 0), None, None, None])
        self.assertEqual([known.space for known in completions_of(sketch, np.random.default_rng(1))], [1, 1])

    def test_a_constant_that_asks_a_hole_out_of_its_range_counts_once(self):
        body = [Registers("r", "2", [("load", "t"), ("load", "t + 4")]), Variable("s", ("constant", 0)),
                For("k", "{h0}", [Accumulate("s", "+", ("register", "r", "{h1}"))]), Store("t", ("variable", "s"))]
        sketch = Sketch(4, [Hole("sw_const", 4, (), 1), Hole("sw_xform", 2, ("k",))], body, 8, 4,
                        [("load", t) for t in range(4)])
        spaces = {known.constants[0]: known.space for known in completions_of(sketch, np.random.default_rng(1))}
        tables = {k: len(grammars.tables("sw_xform", 2, along(k))) for k in (1, 2)}
        self.assertEqual(spaces, {**tables, 3: 1})    # k = 2 is none of two
        if TOOL:
            distinct = Tool(TOOL).ask(sketch.text(), sketch.spec_text()).report["search_space"]["distinct"]
            self.assertAlmostEqual(10 ** distinct, sum(spaces.values()), places=6)

    def test_stores_to_one_word_race(self):
        for barrier in (True, False):
            body = [Shared("tile", 4), StoreShared("tile", "{h0}", ("load", "t"))] + [Barrier()] * barrier
            body += [Store("t", ("shared", "tile", "3 - t"))]
            spec = [("load", 3 - t) for t in range(4)]
            self.assertEqual(found(one(Hole("sw_xform", 4, ("t",)), body, spec)), {"0123"} if barrier else set())

    def test_two_values_for_one_output_are_rejected(self):
        hole = Hole("sw_xform", 4, ("t",))
        spec = [("load", 0), ("load", 1), None, None]
        self.assertEqual(found(one(hole, [Store("{h0}", ("load", "t / 2"))], spec)), {"0011"})
        self.assertEqual(found(one(hole, [Store("{h0}", ("load", "t"))], spec)), set())

    def test_up_keeps_the_own_value_below_the_first_lane(self):
        body = [Registers("r", "2", [("load", "t"), ("load", "t")]),
                Store("t", ("shuffle", ("register", "r", "{h0}"), "1", "_up"))]
        spec = [("load", max(t - 1, 0)) for t in range(4)]
        self.assertEqual(len(found(one(Hole("sw_part", 2, ("t",)), body, spec))), 12)

    def test_costs_of_a_guarded_sum(self):
        body = [Variable("s", ("constant", 0)),
                For("k", "3", [Variable("v", ("shuffle", ("load", "t"), "t", "")),
                               If("{h0}", [Accumulate("s", "+", ("variable", "v"))])]),
                Store("t", ("variable", "s"))]
        known, = completions_of(one(Hole("sw_cond", 0, ("k",)), body, [("load", t) for t in range(4)]),
                                np.random.default_rng(1))
        self.assertEqual(set(texts(known.rows[0])), {"100", "010", "001"})
        self.assertEqual(known.base.tolist(), [3 * (8 + 4) + 2] * 3)
        self.assertEqual(known.evaluations, [3])


class Agreement(unittest.TestCase):
    def test_both_executions_of_random_sketches_agree(self):
        """provenance.py plants specs by symbols, simulate.py finds by numbers: what is planted must be found."""
        random, planted = np.random.default_rng(7), 0
        with mock.patch.object(generate, "perturb", lambda spec, sketch, random: spec):
            for _ in range(40):
                sketch = generate.generate(random)
                self.assertGreater(sum(map(len, completions_of(sketch, random))), 0, sketch.text())
                planted += 1
        self.assertEqual(planted, 40)

    def test_variants_keep_the_holes(self):
        random = np.random.default_rng(3)
        for _ in range(10):
            sketch = generate.generate(random)
            for name, text, _ in metamorphic.variants(sketch):
                self.assertGreaterEqual(text.count("?sw_"), len(sketch.holes), f"{name}\n{text}")


    def test_a_hole_stands_in_one_place(self):
        random = np.random.default_rng(5)
        for _ in range(60):
            sketch = generate.generate(random)
            self.assertEqual(sketch.text().count("?sw_"), len(sketch.holes), sketch.text())


class Mutations(unittest.TestCase):
    """An oracle with a mistake must disagree with the tool within a few sketches."""

    def differences(self, numbers):
        tool = Tool(TOOL)
        compare, out = Comparison(tool, price.Prices(tool)), []
        for number in numbers:
            random = np.random.default_rng([1, number])
            sketch = generate.generate(random)
            try:
                found = compare(sketch, random)
            except price.Mismatch as mismatch:
                found = [str(mismatch)]
            out += [d for d in found if found != "unknown"]
        return out

    def setUp(self):
        if TOOL is None:
            self.skipTest("no --tool")
        grammars.tables_or_none.cache_clear()
        self.addCleanup(grammars.tables_or_none.cache_clear)

    def test_a_condition_without_sums(self):
        whole = grammars.conditions
        with mock.patch.object(grammars, "conditions", lambda columns: whole(columns[:1])):
            self.assertTrue(self.differences(range(12)))

    def test_a_shuffle_in_which_the_receiver_chooses(self):
        def own(machine, tree, lane, kind, mask):
            machine.index(lane, mask)
            return machine.value(tree, mask)
        with mock.patch.object(simulate.Machine, "shuffle", own):
            self.assertTrue(self.differences(range(12)))

    def test_bytes_in_another_order(self):
        whole = words.permuted
        with mock.patch.object(words, "permuted", lambda a, b, selector: whole(b, a, selector)):
            self.assertTrue(self.differing_words(range(60)))

    def test_a_mask_that_keeps_a_bit_more(self):
        whole = bits.wanted
        with mock.patch.object(bits, "wanted", lambda sketch, x: whole(sketch, x) ^ (x & np.uint64(1))):
            self.assertTrue(self.differing_words(range(10)))

    def test_a_choice_of_which_nothing_is_listed(self):
        tool, lost = Tool(TOOL), []
        ask = tool.ask

        def listing_one(*asked):
            answer = ask(*asked)
            if "--all=1000000" in asked and answer.outcome == "found":
                lost.extend(answer.report["completions"][1:])
                del answer.report["completions"][1:]
            return answer
        for number in range(400):
            sketch = bits.generate(np.random.default_rng([1, number]))
            if len(sketch.choices()) == 1 or bits.space_of_all(sketch) > 4096:
                continue
            lost.clear()
            with mock.patch.object(tool, "ask", listing_one):
                found = bits.compare(sketch, tool, np.random.default_rng(1), listing=True, fixing=False)
            if lost:
                return self.assertTrue(found)
        self.fail("no choice has two completions")

    def differing_words(self, numbers):
        tool, out = Tool(TOOL), []
        for number in numbers:
            random = np.random.default_rng([1, number])
            sketch = bits.generate(random)
            if "sw_bytes" in sketch.text() or len(numbers) < 20:
                out += bits.compare(sketch, tool, random, listing=False, fixing=False) or []
        return out

    def test_a_cheaper_load(self):
        with mock.patch.object(simulate, "LOAD", 7):
            self.assertTrue(self.differences(range(4)))


if __name__ == "__main__":
    if "--tool" in sys.argv:
        at = sys.argv.index("--tool")
        TOOL = sys.argv[at + 1]
        del sys.argv[at:at + 2]
    unittest.main()
