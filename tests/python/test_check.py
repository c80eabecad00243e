"""`check`, with the tool itself."""
from support import ROOT, SKETCH, ScratchTest, main

import swizzle_synth as sw

TOY = ROOT / "tests" / "kernels" / "toy_transpose.cu"


class Checks(ScratchTest):
    def test_conflicts_have_witnesses(self):
        report = sw.check(TOY, machine="toy8", kernel="transpose")
        self.assertIs(report.conflicts, True)
        worst = max(report.accesses, key=lambda access: access.excess)
        self.assertEqual((worst.space, worst.operation, worst.array), ("shared", "load", "tile"))
        self.assertEqual((worst.wavefronts.worst, worst.ideal, worst.excess), (8, 1, 56))
        self.assertEqual((worst.witness.bank, worst.witness.lanes), (0, tuple(range(8))))
        self.assertIn("<svg", report.picture.svg)
        self.assertTrue(str(report).startswith("transpose: grid (1), block (8)"))

    def test_a_text_without_conflicts(self):
        report = sw.check(TOY.read_text(), machine="toy8", kernel="transpose_padded")
        self.assertIs(report.conflicts, False)
        self.assertEqual(report.file, "kernel.cu")
        self.assertEqual([kernel.block for kernel in report.kernels], [(8, 1, 1)])
        self.assertEqual({access.location.split(":")[0] for access in report.accesses}, {"kernel.cu"})

    def test_sizes_and_launch(self):
        text = "__global__ void copy(const int* x, int* y, int n) { int i = threadIdx.x; if (i < n) y[i] = x[i]; }"
        report = sw.check(text, n=8, launch="grid(1) block(64)")
        self.assertEqual((report.kernels[0].sizes, report.kernels[0].block), ({"n": 8}, (64, 1, 1)))
        self.assertEqual([access.requests for access in report.accesses], [1, 1])
        self.assertIsNone(report.picture)

    def test_where_there_is_nothing_to_draw(self):
        copy = "__global__ void copy(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }\n"
        self.assertIsNone(sw.check("// no __shared__ here\n" + copy, launch="block(32)").picture)

    def test_what_is_not_followed_is_told(self):
        report = sw.check(SKETCH)
        self.assertEqual(report.diagnostics[0].severity, "warning")
        self.assertEqual((report.diagnostics[0].file, report.diagnostics[0].line), ("kernel.cu", 5))

    def test_bad_input_has_a_place(self):
        with self.assertRaisesRegex(sw.InputError, "there is no __global__ function here") as raised:
            sw.check("void f() {}\n")
        self.assertEqual((raised.exception.diagnostics[0].line, raised.exception.diagnostics[0].column), (1, 1))

    def test_a_machine_that_there_is_not(self):
        with self.assertRaises(sw.UsageError):
            sw.check(TOY, machine="toy9")


if __name__ == "__main__":
    main()
