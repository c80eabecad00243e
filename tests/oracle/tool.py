"""Runs the tool under test, as a user would: files in, exit code and report out."""
import json
import os
import subprocess
import tempfile

FOUND, BAD_INPUT, FAILED, INFEASIBLE, UNKNOWN = 0, 1, 3, 10, 20
OUTCOMES = {FOUND: "found", INFEASIBLE: "infeasible", UNKNOWN: "unknown"}


class Answer:
    def __init__(self, code, report, diagnostics):
        self.code, self.report, self.diagnostics = code, report, diagnostics

    @property
    def outcome(self):
        return OUTCOMES.get(self.code, f"exit {self.code}")

    @property
    def cost(self):
        return self.report["cost"]["total"]

    @property
    def expressions(self):
        return [hole["expression"] for hole in self.report["holes"]]


class Tool:
    """`path`: the tool's executable. Each process needs a Tool of its own: its files are in a folder of its own."""

    def __init__(self, path, seconds=20):
        self.path, self.seconds, self.starts = os.path.abspath(path), seconds, 0
        self.folder = tempfile.TemporaryDirectory(prefix="oracle")

    def ask(self, sketch_text, spec_text, *flags):
        self.starts += 1
        names = [os.path.join(self.folder.name, name) for name in ("sketch.cu", "spec.cpp", "report.json")]
        for name, text in zip(names, (sketch_text, spec_text)):
            with open(name, "w") as file:
                file.write(text)
        if os.path.exists(names[2]):
            os.remove(names[2])
        command = [self.path, names[0], "--spec", names[1], "--run=none", "-o", os.devnull, "--report", names[2],
                   "--time-limit", str(self.seconds), "--jobs", "1", *flags]
        done = subprocess.run(command, capture_output=True, text=True, timeout=10 * self.seconds + 60)
        report = None
        if done.returncode in (FOUND, FAILED, INFEASIBLE, UNKNOWN) and os.path.exists(names[2]):
            with open(names[2]) as file:
                report = json.load(file)
        return Answer(done.returncode, report, done.stderr.replace(self.folder.name + "/", ""))
