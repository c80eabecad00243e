"""The example notebook, executed as Jupyter does."""
import os
import unittest

from support import ROOT, main

NOTEBOOK = ROOT / "examples" / "notebook" / "transpose.ipynb"


class Notebook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import nbclient
        import nbformat
        os.environ["PYTHONPATH"] = str(ROOT / "python")
        cls.notebook = nbformat.read(NOTEBOOK, as_version=4)
        nbformat.validate(cls.notebook)
        cls.kept_outputs = [cell for cell in cls.notebook.cells if cell.get("outputs")]
        nbclient.NotebookClient(cls.notebook, timeout=120, resources={"metadata": {"path": NOTEBOOK.parent}}).execute()

    def shown(self, start):
        """What the cell that begins so displays, by type."""
        cell = next(cell for cell in self.notebook.cells if cell.cell_type == "code" and start in cell.source)
        return cell.outputs[0].get("data") or {"stream": cell.outputs[0].text}

    def test_the_check_is_a_table_with_a_picture(self):
        html = self.shown("sw.check(f")["text/html"]
        self.assertIn("<b>bank conflicts</b>", html)
        self.assertIn("<svg", html)

    def test_the_result_shows_the_layout_and_the_tile(self):
        html = self.shown("transpose_sketch.cu")["text/html"]
        self.assertIn("found</b>, cost 80, proved", html)
        self.assertIn("after, L(r, c)", html)

    def test_layouts_and_movements_are_pictures(self):
        for start in ("layouts[0]", "sw.movement"):
            self.assertTrue(self.shown(start)["image/svg+xml"].startswith("<svg"))

    def test_the_conflicts_are_gone(self):
        self.assertEqual(self.shown("worst = {")["text/plain"], "{'before': 32, 'after': 1}")

    def test_the_kernel_ran_or_there_is_no_cupy(self):
        self.assertRegex(self.shown("import cupy")["stream"], "^True$|^no CuPy here")

    def test_no_outputs_are_kept_in_the_file(self):
        self.assertEqual(self.kept_outputs, [])


if __name__ == "__main__":
    main("nbclient", "nbformat", "ipykernel")
