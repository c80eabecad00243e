"""What the tests of the Python package share: the checkout's files, and tools that are not the tool."""
import os
import stat
import sys
import tempfile
import unittest
from pathlib import Path

# Another Python, which has the packages that tests use besides the module: test.sh makes one.
OTHER = os.environ.pop("SWIZZLE_TEST_PYTHON", "")
if OTHER:
    os.execv(OTHER, [OTHER, *sys.argv])

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

SKIPPED = 77

SKETCH = """
#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 32
__global__ void turn(const int* x, int* y, int n) {
  y[threadIdx.x] = __shfl_sync(0xffffffffu, x[threadIdx.x], ?sw_xform(threadIdx.x, 32));
}
"""


def pair(name):
    """Sketch and spec of the checkout."""
    return ROOT / "sketches" / f"{name}.cu", ROOT / "specs" / f"{name}.cpp"


def turn_by(shift):
    """A spec for SKETCH: one lane's value goes `shift` lanes down."""
    return f"void turn(const int* x, int* y, int n) {{ for (int i = 0; i < 32; i++) y[i] = x[(i + {shift}) % 32]; }}\n"


class ScratchTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def script(self, name, body):
        """An executable shell script."""
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def with_environment(self, **values):
        """Variables for the length of the test; None takes one away."""
        for name, value in values.items():
            before = os.environ.get(name)
            self.addCleanup(lambda name=name, before=before: _set(name, before))
            _set(name, value)


def _set(name, value):
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = str(value)


def main(*needed):
    """Runs the tests of the calling module; ends with 77, skipped, where one of the modules `needed` is absent."""
    for module in needed:
        try:
            __import__(module)
        except ImportError as error:
            print(f"skipped: {sys.executable} has no {module} ({error})")
            sys.exit(SKIPPED)
    unittest.main(module="__main__")
