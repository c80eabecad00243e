"""Kernels for CuPy and PyTorch, with modules that stand for these."""
import os
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

from support import main, pair

import swizzle_synth as sw
from swizzle_synth.kernels import host_function, launch_shape, load_inline, raw_kernel, signature

KERNEL = """
// swizzle launch grid(max(n / 64, 1), min((w + 1) / 2, 7)) block(64)
__device__ int twice(int a) { return 2 * a; }
/* __global__ void not_this(int a) */
__global__ void __launch_bounds__(64) turn(const float4* __restrict__ x, int *y, double scale, const int n,
                                           unsigned w) {}
"""


# What of PyTorch's headers the source uses.
TORCH = """
#include <cstdint>
#include <cuda_runtime.h>
#define TORCH_CHECK(condition, ...) if (!(condition)) throw __VA_ARGS__
#define C10_CUDA_KERNEL_LAUNCH_CHECK() cudaGetLastError()
namespace at { struct Tensor {
  bool is_cuda() const, is_contiguous() const;
  int64_t element_size() const;
  int device() const;
  void* data_ptr() const;
}; }
namespace c10::cuda { struct CUDAGuard { explicit CUDAGuard(int); }; cudaStream_t getCurrentCUDAStream(); }
"""


def nvcc():
    """The path of nvcc, or None."""
    home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    return shutil.which("nvcc") or shutil.which("nvcc", path=f"{home}/bin")


class FakeRawModule:
    def __init__(self, **options):
        self.options = options

    def get_function(self, name):
        return name, self.options


class Signatures(unittest.TestCase):
    def test_parameters_are_read(self):
        found = signature(KERNEL)
        self.assertEqual((found.name, found.is_template), ("turn", False))
        self.assertEqual([(each.type, each.name) for each in found.parameters],
                         [("const float4*", "x"), ("int*", "y"), ("double", "scale"), ("const int", "n"),
                          ("unsigned", "w")])

    def test_arrays_and_const_pointers_are_pointers(self):
        found = signature("__global__ void k(const float x[], int y[32], float* const z) {}")
        self.assertEqual([(each.type, each.name) for each in found.parameters],
                         [("const float*", "x"), ("int*", "y"), ("float*", "z")])

    def test_one_of_several_is_named(self):
        two = "__global__ void a(int* x) {}\ntemplate <int N>\n__global__ void b(float* y) {}\n"
        with self.assertRaisesRegex(sw.NoKernelError, "say which kernel: there are a, b"):
            signature(two)
        self.assertFalse(signature(two, "a").is_template)
        self.assertTrue(signature(two, "b<3>").is_template)
        with self.assertRaisesRegex(sw.NoKernelError, "there is no kernel c"):
            signature(two, "c")

    def test_every_sketch_of_the_checkout_has_one(self):
        sketches = sorted(pair("reverse")[0].parent.glob("*.cu"))
        self.assertGreater(len(sketches), 50)
        for sketch in sketches:
            with self.subTest(sketch.name):
                text = sketch.read_text()
                self.assertGreaterEqual(len(signature(text).parameters), 2)
                names = {"n": 1024, "w": 64, "h": 64, "m": 64}
                grid, block = launch_shape(text.replace("#pragma", "//"), **names)
                self.assertTrue(all(isinstance(each, int) for each in grid + block))


class Launches(unittest.TestCase):
    def test_expressions_over_sizes(self):
        self.assertEqual(launch_shape(KERNEL, n=256, w=5), ((4, 3), (64,)))
        self.assertEqual(launch_shape(KERNEL, n=32, w=2), ((1, 1), (64,)))

    def test_what_is_missing_is_named(self):
        with self.assertRaisesRegex(ValueError, "needs n"):
            launch_shape(KERNEL, w=2)
        with self.assertRaisesRegex(sw.NoKernelError, "no launch directive"):
            launch_shape("__global__ void k() {}")
        with self.assertRaisesRegex(sw.NoKernelError, "its block"):
            launch_shape("// swizzle launch grid(1)")


class CuPy(unittest.TestCase):
    def test_the_kernel_is_compiled_under_its_name(self):
        with mock.patch.dict(sys.modules, cupy=types.SimpleNamespace(RawModule=FakeRawModule)):
            name, options = raw_kernel(KERNEL, options=("-lineinfo",), backend="nvcc")
        self.assertEqual(name, "turn")
        self.assertEqual(options, {"code": KERNEL, "options": ("--std=c++17", "-lineinfo"),
                                   "name_expressions": ("turn",), "backend": "nvcc"})

    def test_of_a_template_an_instance_is_named(self):
        template = "template <int N>\n__global__ void k(int* x) {}\n"
        with mock.patch.dict(sys.modules, cupy=types.SimpleNamespace(RawModule=FakeRawModule)):
            self.assertEqual(raw_kernel(template, "k<32>")[0], "k<32>")
            with self.assertRaisesRegex(sw.NoKernelError, "'k<32>'"):
                raw_kernel(template)

    def test_without_cupy_the_error_says_what_to_install(self):
        with mock.patch.dict(sys.modules, cupy=None), self.assertRaisesRegex(ImportError, "pip install cupy"):
            raw_kernel(KERNEL)

    def test_a_result_hands_its_kernel_over(self):
        result = sw.synthesize(*pair("reverse"))
        with mock.patch.dict(sys.modules, cupy=types.SimpleNamespace(RawModule=FakeRawModule)):
            name, options = result.raw_kernel()
        self.assertEqual((name, options["code"]), ("reverse", result.kernel))
        self.assertEqual(result.launch(n=256), ((4,), (64,)))


class PyTorch(unittest.TestCase):
    def build(self, text, **options):
        extension = types.SimpleNamespace(load_inline=lambda **given: given)
        fakes = {"torch": types.ModuleType("torch"), "torch.utils": types.ModuleType("utils"),
                 "torch.utils.cpp_extension": extension}
        with mock.patch.dict(sys.modules, fakes):
            return load_inline(text, **options)

    def test_a_function_that_launches_is_added(self):
        given = self.build(KERNEL, verbose=True)
        self.assertEqual((given["functions"], given["verbose"]), (["turn"], True))
        self.assertEqual(given["cpp_sources"], ["void turn(const at::Tensor& x, const at::Tensor& y, double scale_, "
                                                "int64_t n_, int64_t w_);\n"])
        source = given["cuda_sources"][0]
        self.assertTrue(source.startswith(KERNEL))
        self.assertIn("turn<<<dim3(static_cast<unsigned>(max(n / 64, 1)), static_cast<unsigned>(min((w + 1) / 2, 7))), "
                      "dim3(static_cast<unsigned>(64)), 0, c10::cuda::getCurrentCUDAStream()>>>"
                      "(static_cast<const float4*>(x.data_ptr()), static_cast<int*>(y.data_ptr()), scale, n, w);", source)
        self.assertIn("const unsigned w = static_cast<unsigned>(w_);", source)
        self.assertIn("sizeof(const float4) % x.element_size() == 0", source)

    @unittest.skipUnless(nvcc(), "there is no nvcc")
    def test_nvcc_accepts_the_source(self):
        with tempfile.TemporaryDirectory() as folder:
            headers = Path(folder) / "c10" / "cuda"
            headers.mkdir(parents=True)
            for name in ("CUDAException.h", "CUDAGuard.h"):
                (headers / name).write_text("")
            for text in (KERNEL, sw.synthesize(*pair("stencil1d")).kernel):
                source = Path(folder) / "extension.cu"
                source.write_text(TORCH + self.build(text)["cuda_sources"][0])
                command = [nvcc(), "-std=c++17", "-c", source, "-I", folder, "-o", Path(folder) / "extension.o"]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_other_kernels_have_other_names(self):
        names = {self.build(text)["name"] for text in (KERNEL, KERNEL + "// changed\n")}
        self.assertEqual(len(names), 2)
        for name in names:
            self.assertRegex(name, r"^swizzle_synth_turn_[0-9a-f]{12}$")

    def test_a_kernel_without_tensors_has_no_device_to_choose(self):
        text = "// swizzle launch grid(1) block(32)\n__global__ void k(int n) {}\n"
        self.assertNotIn("CUDAGuard guard", host_function(text, signature(text)))

    def test_templates_are_refused(self):
        with self.assertRaisesRegex(sw.NoKernelError, "template"):
            self.build("template <int N>\n__global__ void k(int* x) {}\n")

    def test_without_torch_the_error_says_what_to_install(self):
        with mock.patch.dict(sys.modules, {"torch": None, "torch.utils.cpp_extension": None}), \
             self.assertRaisesRegex(ImportError, "pip install torch"):
            load_inline(KERNEL)


if __name__ == "__main__":
    main()
