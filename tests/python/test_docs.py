"""What the pages on Python show is what happens."""
import ast
import doctest
import os
import re
import subprocess
import unittest

from support import ROOT, ScratchTest, main

import swizzle_synth as sw
from swizzle_synth.sweeps import read_sweep

PAGES = ("docs/python.md", "docs/sweeps.md")


def blocks(page, language):
    """(line, text) of each block of the page in that language."""
    text = (ROOT / page).read_text()
    for block in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        yield text[:block.start(1)].count("\n"), block[1]


class Pages(ScratchTest):
    def setUp(self):
        """In a folder that looks like the checkout and may be written to."""
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        for name in ("docs", "examples", "sketches", "specs"):
            (self.folder / name).symlink_to(ROOT / name)

    def run_page(self, page):
        """Runs the page's sessions one after the other, as one; returns how many examples there were."""
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        said, names = [], {}
        for line, text in blocks(page, "pycon"):
            test = doctest.DocTestParser().get_doctest(text, names, page, str(ROOT / page), line)
            runner.run(test, out=said.append, clear_globs=False)
            names = test.globs
        self.assertEqual(runner.failures, 0, "".join(said))
        return runner.tries

    def test_sessions_go_as_they_are_shown(self):
        self.assertGreaterEqual(self.run_page("docs/python.md"), 15)

    def test_sweeps_go_as_they_are_shown(self):
        self.assertGreaterEqual(self.run_page("docs/sweeps.md"), 8)

    def test_shown_files_are_the_files(self):
        shown = list(blocks("docs/sweeps.md", r"toml in \S+"))
        self.assertEqual(len(shown), 1)
        name = re.search(r"^```toml in (\S+)$", (ROOT / "docs/sweeps.md").read_text(), re.MULTILINE)[1]
        self.assertTrue((ROOT / name).read_text().endswith(shown[0][1]))

    def test_the_example_finds_all_that_it_asks_for(self):
        said = read_sweep("examples/sweeps/shuffles.toml")
        with sw.sweep(said.space, "shuffles.sqlite", **said.arguments) as table:
            self.assertEqual(table.counts(), {"found": 14})

    def test_commands_print_what_is_shown(self):
        for _, text in blocks("docs/sweeps.md", "console sweep"):
            command, _, shown = text.partition("\n")
            arguments = command.removeprefix("$ swizzle-synth ").split()
            done = subprocess.run([sw.find_tool(), *arguments], text=True, capture_output=True, check=True)
            self.assertTrue(shown.endswith("\n...\n"))
            self.assertTrue(done.stdout.startswith(shown.removesuffix("...\n")), done.stdout)

    def test_code_that_needs_a_gpu_is_python_and_uses_what_there_is(self):
        shown = [text for page in PAGES if (ROOT / page).exists() for _, text in blocks(page, "python")]
        self.assertGreaterEqual(len(shown), 2)
        for text in shown:
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    owner = {"sw": sw, "result": sw.Result}.get(node.value.id)
                    self.assertTrue(owner is None or hasattr(owner, node.attr), ast.unparse(node))

    def test_every_exception_is_listed(self):
        text = (ROOT / "docs/python.md").read_text()
        for name in sw.__all__:
            each = getattr(sw, name)
            if isinstance(each, type) and issubclass(each, Exception):
                self.assertIn(f"`{name}", text)


class Docstrings(unittest.TestCase):
    def test_examples_in_docstrings(self):
        from swizzle_synth import decoding, expressions, kernels, sources
        for module in (decoding, expressions, kernels, sources):
            found = doctest.testmod(module)
            self.assertEqual(found.failed, 0)
            self.assertGreater(found.attempted, 0, module.__name__)

    def test_what_is_public_has_one(self):
        for name in sw.__all__:
            self.assertTrue(getattr(sw, name).__doc__, name)


if __name__ == "__main__":
    main()
