"""The wheel, of the tool that is built already: made, installed into an environment of nothing else, used."""
import os
import shutil
import subprocess
import sys
import unittest
import zipfile

from support import ROOT, SKETCH, ScratchTest, main, turn_by

import swizzle_synth as sw


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


class Wheel(ScratchTest):
    def test_from_nothing(self):
        run(sys.executable, "-m", "pip", "wheel", ROOT, "--no-deps", "--no-build-isolation", "--no-index", "-w",
            self.folder, "-C", f"cmake.define.SWIZZLE_TOOL={sw.find_tool()}", "-C", f"build-dir={self.folder}/build")
        wheel, = self.folder.glob("swizzle_synth-*-py3-none-linux_*.whl")
        names = zipfile.ZipFile(wheel).namelist()
        for source in (ROOT / "python").rglob("*.py"):
            self.assertIn(str(source.relative_to(ROOT / "python")), names)
        self.assertIn("swizzle_synth/py.typed", names)
        self.assertFalse([name for name in names if "tests" in name or "__pycache__" in name])

        run(sys.executable, "-m", "venv", self.folder / "fresh")
        python = self.folder / "fresh" / "bin" / "python"
        run(python, "-m", "pip", "install", "--no-index", "--no-deps", wheel)
        self.use(python)

    def use(self, python):
        """With no compiler in the path, nor the tool."""
        (self.folder / "k.cu").write_text(SKETCH)
        (self.folder / "k.cpp").write_text(turn_by(3))
        environment = {name: value for name, value in os.environ.items() if name not in ("SWIZZLE_SYNTH", "PYTHONPATH")}
        environment["PATH"] = str(python.parent)
        inside = {"cwd": self.folder, "env": environment}
        code = "import swizzle_synth as sw\nprint(sw.find_tool(), sw.synthesize('k.cu', 'k.cpp'))"
        said = run(python, "-c", code, **inside)
        self.assertRegex(said, r"fresh/lib/.*/swizzle_synth/bin/swizzle-synth <Result found, cost")
        command = python.parent / "swizzle-synth"
        self.assertIn("__global__ void turn", run(command, "k.cu", "--spec", "k.cpp", "--run=none", **inside))
        self.assertEqual(run(command, "--version", **inside).strip(), sw.tool_version())
        self.assertIn("SWEEP.toml", run(command, "sweep", "--help", **inside))
        self.use_compiler(command, inside)

    def use_compiler(self, command, inside):
        """--run=cpu compiles against what the wheel holds, and nothing of the checkout."""
        log = self.folder / "commands"
        compiler = self.script("compiler", f'echo "$@" >> {log}\nexec {shutil.which("g++")} "$@"')
        environment = {**inside["env"], "CXX": str(compiler), "PATH": f"{inside['env']['PATH']}:/usr/bin:/bin"}
        done = subprocess.run([command, "k.cu", "--spec", "k.cpp", "--run=cpu", "-o", "ran.cu"], text=True, check=False,
                              capture_output=True, cwd=inside["cwd"], env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ran on cpu", done.stderr)
        self.assertIn("/swizzle_synth/share/swizzle-synth/emulation", log.read_text())
        self.assertNotIn(str(ROOT), log.read_text())


if __name__ == "__main__":
    main("scikit_build_core", "pip", "venv", "ensurepip")
