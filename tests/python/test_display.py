"""What notebooks show."""
import re
import unittest
import xml.etree.ElementTree as ElementTree

from support import ROOT, ScratchTest, main, pair

import swizzle_synth as sw
from swizzle_synth.report import Layout


def layout(rows, columns, expression):
    return Layout("L", "k.cu:1:1", rows, columns, expression, rows * columns, 1, 1, 1)


class Pictures(ScratchTest):
    def test_a_layout_shows_where_each_element_lies(self):
        svg = layout(3, 4, "r * 5 + c")._repr_svg_()
        ElementTree.fromstring(svg)
        self.assertEqual(re.findall(r"<title>(\[.*?)</title>", svg)[5], "[1][1]: 6")
        self.assertEqual(svg.count("<rect"), 1 + 12)

    def test_a_large_layout_is_cropped_and_says_so(self):
        svg = layout(128, 16, "r * 16 + c")._repr_svg_()
        self.assertEqual(svg.count("<rect"), 1 + 64 * 16)
        self.assertIn("64 x 16, of 128 x 16", svg)

    def test_an_expression_that_is_not_understood_has_no_picture(self):
        self.assertIsNone(layout(2, 2, "table[r] + c")._repr_svg_())

    def test_every_found_layout_has_a_picture(self):
        for name in ("tile_transpose32_exact", "tile_half64", "toy_columns4x6"):
            for each in sw.synthesize(*pair(name), draw=False).report.layouts:
                ElementTree.fromstring(each._repr_svg_())

    def test_a_movement_draws_a_line_for_each_lane_and_step(self):
        hole = sw.Hole(0, "sw_xform", "k.cu:1:1", "(tid + k) & 31")
        svg = sw.movement(hole, tid=32, k=3).svg
        ElementTree.fromstring(svg)
        self.assertEqual(svg.count("<line"), 96)
        self.assertIn("<title>31 reads from 1</title>", svg)
        self.assertEqual([svg.count(f">k = {k}<") for k in range(4)], [1, 1, 1, 0])

    def test_a_movement_needs_all_variables(self):
        with self.assertRaisesRegex(ValueError, "needs k"):
            sw.movement(sw.Hole(0, "sw_xform", "k.cu:1:1", "(tid + k) & 31"), tid=32)

    def test_pictures_can_be_kept(self):
        sw.Picture("<svg/>").save(self.folder / "p.svg")
        self.assertEqual((self.folder / "p.svg").read_text(), "<svg/>")


class Summaries(unittest.TestCase):
    def test_a_result(self):
        html = sw.synthesize(*pair("toy_transpose8"))._repr_html_()
        self.assertIn("cost 176, proved", html)
        self.assertIn("<td style='text-align:left'>i * 8 + (t ^ i)</td>", html)
        self.assertEqual(html.count("<svg"), 1)
        self.assertIn("&lt;", html)  # the kernel's text is escaped

    def test_what_is_infeasible_says_why(self):
        html = sw.synthesize(*pair("infeasible_far"))._repr_html_()
        self.assertIn("<b>infeasible</b>: y[30]", html)
        self.assertIn("there is a completion, together with", html)

    def test_a_check(self):
        html = sw.check(ROOT / "tests" / "kernels" / "toy_transpose.cu", machine="toy8")._repr_html_()
        self.assertIn("<b>bank conflicts</b>", html)
        self.assertEqual(html.count("<tr>"), 1 + 12)
        self.assertEqual(html.count("<svg"), 1)


if __name__ == "__main__":
    main()
