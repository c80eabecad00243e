"""The package is typed: mypy has nothing to say of it."""
import os
import subprocess
import sys
import unittest

from support import ROOT, ScratchTest, main


class Types(ScratchTest):
    def test_all_is_annotated(self):
        command = [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.10", "--cache-dir", os.devnull,
                   "--ignore-missing-imports", "--disable-error-code=import-untyped", "-p", "swizzle_synth"]
        done = subprocess.run(command, cwd=ROOT / "python", capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_users_see_the_types(self):
        use = self.folder / "use.py"
        use.write_text("import swizzle_synth as sw\nresult = sw.synthesize('a', 'b', n=3)\nresult.kernel.upper()\n"
                       "cost: str = result.cost\n")
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, str(use)]
        environment = {**os.environ, "MYPYPATH": str(ROOT / "python")}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        self.assertIn('use.py:3: error: Item "None" of "str | None" has no attribute "upper"', done.stdout)
        self.assertIn("use.py:4: error: Incompatible types in assignment", done.stdout)


if __name__ == "__main__":
    main("mypy")
