"""Kernels that were completed, launched on a GPU by PyTorch and CuPy as docs/python.md says."""
import importlib.util
import sys
import unittest

from support import SKIPPED, main, pair

import swizzle_synth as sw

POINTS = 3  # of stencil1d: y[i] = x[i] + x[i + 1] + x[i + 2]


def gpu():
    """Whether PyTorch is there and has a GPU."""
    if importlib.util.find_spec("torch") is None:
        return False
    import torch
    return torch.cuda.is_available()


class OnGpu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stencil = sw.synthesize(*pair("stencil1d"))

    def inputs(self, n):
        import torch
        x = torch.randint(-8, 9, (n + POINTS - 1,), device="cuda").float()
        return x, x.unfold(0, n, 1).sum(0)

    def test_pytorch_launches_it_on_tensors(self):
        import torch
        module = self.stencil.load_inline()
        for n in (64, 4096, 1 << 20):
            x, expected = self.inputs(n)
            y = torch.full((n,), float("nan"), device="cuda")
            module.stencil1d(x, y, n)
            self.assertTrue(torch.equal(y, expected), n)

    def test_pytorch_launches_it_on_the_current_stream(self):
        import torch
        module = self.stencil.load_inline()
        n = 1 << 16
        x, expected = self.inputs(n)
        y = torch.zeros(n, device="cuda")
        torch.cuda.synchronize()
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            module.stencil1d(x, y, n)
        stream.synchronize()
        self.assertTrue(torch.equal(y, expected))

    def test_tensors_that_do_not_fit_are_refused(self):
        import torch
        module = self.stencil.load_inline()
        x, y = torch.zeros(66, device="cuda"), torch.zeros(64, device="cuda")
        for wrong in (x.cpu(), x.double(), torch.zeros(132, device="cuda")[::2]):
            with self.assertRaises(RuntimeError):
                module.stencil1d(wrong, y, 64)

    @unittest.skipIf(importlib.util.find_spec("cupy") is None, "there is no CuPy")
    def test_cupy_launches_it(self):
        import cupy
        kernel = self.stencil.raw_kernel()
        n = 4096
        x, y = cupy.arange(n + POINTS - 1, dtype="float32"), cupy.empty(n, dtype="float32")
        grid, block = self.stencil.launch(n=n)
        kernel(grid, block, (x, y, cupy.int32(n)))
        self.assertTrue((y == sum(x[k:k + n] for k in range(POINTS))).all())

    def test_the_tool_runs_it_here(self):
        ran = sw.synthesize(*pair("stencil1d"), run="gpu").report.checked.run
        self.assertEqual(ran.mismatches, 0)
        self.assertIn("gpu", ran.where)


if __name__ == "__main__":
    if not gpu():
        print("skipped: PyTorch with a GPU is needed")
        sys.exit(SKIPPED)
    main()
