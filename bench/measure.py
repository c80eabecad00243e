"""Runs the tool and the benchmark, and reads what they say."""

import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("SWIZZLE_BUILD_DIR", ROOT / "build" / "release"))
PHASES = ("parse", "pose", "search")


class Run:
    """One run of a command: exit code, seconds, peak memory of it and its children, JSON report."""

    def __init__(self, exit_code, seconds, peak_mb, report, message):
        self.exit_code = exit_code
        self.seconds = seconds
        self.peak_mb = peak_mb
        self.report = report
        self.message = message


def run_tool(sketch, spec, *arguments, report=True):
    with tempfile.TemporaryDirectory() as scratch:
        report_path = Path(scratch) / "report.json"
        command = [str(BUILD / "swizzle-synth"), str(sketch), "--spec", str(spec), "-o", str(Path(scratch) / "out.cu"),
                   *(["--report", str(report_path)] if report else []), *arguments]
        with tempfile.TemporaryFile() as output:
            start = time.perf_counter()
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
            # wait4 counts this child alone; getrusage(RUSAGE_CHILDREN) would keep the maximum of all so far.
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            message = output.read().decode(errors="replace").strip()
        report = json.loads(report_path.read_text()) if report_path.exists() else None
        return Run(process.returncode, seconds, usage.ru_maxrss / 1024, report, message)


def check_run(file):
    """The JSON report of `swizzle-synth check`."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        subprocess.run([str(BUILD / "swizzle-synth"), "check", str(file), "--json", str(report)], stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        return json.loads(report.read_text())


def median_run(count, *arguments):
    """The run of median time; its memory is the largest seen. Reports, which count the search space, come from one more run."""
    runs = sorted((run_tool(*arguments, report=False) for _ in range(count)), key=lambda run: run.seconds)
    middle = runs[len(runs) // 2]
    middle.peak_mb = max(run.peak_mb for run in runs)
    middle.report = run_tool(*arguments).report
    return middle


def benchmark_ms(root, phases=PHASES, names=()):
    """{(phase, sketch): median milliseconds, or the reason why there are none}"""
    done = subprocess.run([str(BUILD / "swizzle_bench"), f"--root={root}", "--benchmark_format=json",
                           f"--benchmark_filter=^({'|'.join(phases)})/({'|'.join(names) or '[^/]*'})(/|$)"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    result = {}
    for entry in json.loads(done.stdout)["benchmarks"]:
        phase, sketch = entry["run_name"].split("/")[:2]
        if entry.get("error_occurred"):
            result[phase, sketch] = entry["error_message"].strip().splitlines()[0]
        elif entry.get("aggregate_name") == "median":
            result[phase, sketch] = entry["real_time"]
    return result


def machine():
    model = "unknown CPU"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{model}, {os.cpu_count()} cores"


def has_nvcc():
    home = os.environ.get("CUDA_HOME")
    places = [f"{home}/bin/nvcc"] if home else []
    return any(shutil.which(place) for place in [*places, "nvcc", "/usr/local/cuda/bin/nvcc"])


def sketches(root=ROOT):
    for sketch in sorted(Path(root).glob("sketches/*.cu")):
        yield sketch.stem, sketch, Path(root) / "specs" / f"{sketch.stem}.cpp"
