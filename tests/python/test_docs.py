"""What the pages on Python show is what happens."""
import ast
import doctest
import os
import re
import unittest

from support import ROOT, main

PAGES = ("docs/python.md", "docs/sweeps.md")


def blocks(page, language):
    """(line, text) of each block of the page in that language."""
    text = (ROOT / page).read_text()
    for block in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        yield text[:block.start(1)].count("\n"), block[1]


class Pages(unittest.TestCase):
    def setUp(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(ROOT)

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

    def test_code_that_needs_a_gpu_is_python_and_uses_what_there_is(self):
        import swizzle_synth as sw
        shown = [text for page in PAGES if (ROOT / page).exists() for _, text in blocks(page, "python")]
        self.assertGreaterEqual(len(shown), 2)
        for text in shown:
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    owner = {"sw": sw, "result": sw.Result}.get(node.value.id)
                    self.assertTrue(owner is None or hasattr(owner, node.attr), ast.unparse(node))

    def test_every_exception_is_listed(self):
        import swizzle_synth as sw
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
        import swizzle_synth as sw
        for name in sw.__all__:
            self.assertTrue(getattr(sw, name).__doc__, name)


if __name__ == "__main__":
    main()
