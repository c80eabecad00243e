"""Ends a test that has no numpy as skipped, not as passed: `import skip` stands before all that needs numpy."""
import importlib.util
import sys

SKIPPED = 77

if importlib.util.find_spec("numpy") is None:
    print(f"skipped: {sys.executable} has no numpy (Debian: python3-numpy)")
    sys.exit(SKIPPED)
