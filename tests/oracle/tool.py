"""Runs the tool under test, as a user would: files in, exit code and report out."""
import json
import os
import select
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
        in_memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
        self.folder = tempfile.TemporaryDirectory(prefix="oracle", dir=in_memory)

    def ask(self, sketch_text, spec_text, *flags):
        """With suggestions, which take a second, for one of ten: nothing of an answer but its notes depends on them."""
        self.starts += 1
        quick = ["--no-suggestions"] if self.starts % 10 else []
        names = [self.place(name) for name in ("sketch.cu", "spec.cpp", "report.json")]
        for name, text in zip(names, (sketch_text, spec_text)):
            with open(name, "w") as file:
                file.write(text)
        if os.path.exists(names[2]):
            os.remove(names[2])
        code, said = self.run([names[0], "--spec", names[1], "--run=none", "-o", os.devnull, "--report", names[2],
                               "--time-limit", str(self.seconds), "--jobs", "1", *quick, *flags])
        report = None
        if code in (FOUND, FAILED, INFEASIBLE, UNKNOWN) and os.path.exists(names[2]):
            with open(names[2]) as file:
                report = json.load(file)
        return Answer(code, report, said.replace(self.folder.name + "/", ""))

    def place(self, name):
        return os.path.join(self.folder.name, name)

    @property
    def patience(self):
        return 10 * self.seconds + 60

    def run(self, arguments):
        """The exit code, and what was said."""
        done = subprocess.run([self.path, *arguments], capture_output=True, text=True, timeout=self.patience)
        return done.returncode, done.stderr


class Server(Tool):
    """The tool of server.cpp: many runs in one process, each as long as it computes and no longer."""
    RUNS = 500    # of one process, whatever they leave behind

    def __init__(self, path, seconds=20):
        super().__init__(path, seconds)
        self.process = None

    def run(self, arguments):
        if self.process is None or self.starts % self.RUNS == 0:
            self.stop()
            self.process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        said = self.place("said")
        self.process.stdin.write("\t".join([said, *arguments]) + "\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], self.patience)
        answer = self.process.stdout.readline() if ready else ""
        code = int(answer) if answer else self.stop()
        with open(said) as file:
            return code, file.read()

    def stop(self):
        """Ends the process; how it ended, which is a signal where it did not survive a run."""
        if self.process is None:
            return None
        self.process.stdin.close()
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self.process.stdout.close()
        self.process = None
        return code
