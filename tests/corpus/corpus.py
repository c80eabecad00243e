#!/usr/bin/env python3
"""Tries `swizzle-synth check` on kernels that the world runs: see README.md."""
import argparse
import collections
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
OF_INTEREST = re.compile(rb"__global__|<<<|cudaLaunchKernel")


def repositories(only):
    for r in tomllib.loads((HERE / "repositories.toml").read_text())["repository"]:
        if not only or any(word in r["name"] for word in only):
            yield r


def folder_of(root, repository):
    return root / repository["name"].replace("/", "__")


def fetch(root, repository):
    """The files of one commit, without history."""
    folder = folder_of(root, repository)
    if folder.is_dir():
        return
    git = ["git", "-C", str(folder)]
    folder.mkdir(parents=True)
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "remote", "add", "origin", f"https://github.com/{repository['name']}"], check=True)
    subprocess.run([*git, "fetch", "-q", "--depth", "1", "origin", repository["commit"]], check=True)
    subprocess.run([*git, "checkout", "-q", "FETCH_HEAD"], check=True)


def files_of(root, repository):
    """At most `most` files that hold or launch kernels, spread evenly over all in the order of their names."""
    folder = folder_of(root, repository)
    left_out = {p for glob in repository.get("exclude", []) for p in folder.glob(glob + "/*")}
    found = sorted({p for glob in repository["files"] for p in folder.glob(glob) if p.is_file()} - left_out)
    found = [p for p in found if OF_INTEREST.search(p.read_bytes())]
    most = repository.get("most", len(found))
    return found if len(found) <= most else [found[i * len(found) // most] for i in range(most)]


def limited(seconds):
    os.nice(5)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))


def check(options, folder, repository, path):
    """What `check` says of one file: its report, how it ended, the processor's seconds that it took."""
    flags = [re.sub("^-I(?!/)", f"-I{folder}/", f) for f in repository.get("flags", [])]
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        command = [options.tool, "check", str(path), "--json", str(report), *options.arguments, *flags]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=10 * options.seconds,
                                  preexec_fn=lambda: limited(options.seconds))
            code, said = done.returncode, done.stderr
        except subprocess.TimeoutExpired:
            code, said = "slow", ""
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        told = json.loads(report.read_text()) if report.exists() else None
    ended = "ok"
    if code == "slow" or code in (-24, -9):
        ended = "time-out"
    elif isinstance(code, int) and (code < 0 or code in (3, 134, 139) or told is None):
        ended = "crash"
    return {"repository": repository["name"], "file": str(path.relative_to(folder)), "ended": ended, "code": code,
            "seconds": seconds, "report": told, "said": said[-2000:] if ended != "ok" else ""}


def base(name):
    return name.split("<")[0].split("::")[-1]


def shared_sites(report):
    """Places in shared memory: those counted in full, those that are not."""
    counted, open_ = set(), set()
    for access in report["accesses"]:
        if access["space"] == "shared":
            key = (base(access["kernel"]), access["location"], access["operation"])
            (open_ if access["depends_on_data"] else counted).add(key)
    return counted - open_, open_


BY_DATA = ("this depends on data", "data decide", "requests not counted")


def line_of(location):
    return location.rsplit(":", 1)[0]


def is_no_launch(gap):
    return any(word in gap["message"] for word in ("nothing here tells", "a block of", "cannot be evaluated"))


def reason(message):
    return re.sub(r"'[^']*'|\d+", "…", message)


def survey(rows):
    """The table: each repository's figures, and those of all."""
    groups = collections.OrderedDict()
    for row in rows:
        groups.setdefault(row["repository"], []).append(row)
    head = ("repository", "files", "kernels", "launch known", "assumed", "shared", "counted", "data", "crash", "time-out", "s beyond parsing")
    lines, reasons, all_ = [head], collections.defaultdict(set), collections.Counter()
    beyond_all, where = [], {}
    for name, of_it in groups.items():
        figures, beyond = collections.Counter(), []
        known, told, unknown, places, misread = set(), set(), set(), {True: set(), False: set()}, set()
        for row in of_it:
            figures[row["ended"]] += 1
            report = row["report"]
            if report is None:
                continue
            # of the processor's seconds, the part that is not parsing
            spent = report["seconds"]["parse"] + report["seconds"]["check"]
            beyond.append(row["seconds"] * report["seconds"]["check"] / spent if spent else 0)
            known |= {base(k["name"]) for k in report["kernels"]}
            told |= {base(k["name"]) for k in report["kernels"] if "(block '" not in k["launch"]}
            counted, open_ = shared_sites(report)
            told_lines = {(kernel, line_of(location)) for kernel, location, _ in open_}
            for gap in report["uncounted"]:
                key = reason(gap["message"])
                place = (base(gap["kernel"]), gap["location"])
                reasons[key].add((row["file"], *place))
                where.setdefault(key, f"{name}/{row['file']}: {gap['kernel']} {gap['location']}: {gap['message'][:150]}")
                if is_no_launch(gap):
                    unknown.add(base(gap["kernel"]))
                    continue
                if "step limit" in gap["message"]:
                    continue
                by_data = any(word in gap["message"] for word in BY_DATA)
                if not by_data:
                    misread.add(place[0])
                # What stands there is perhaps told by its access already.
                if not by_data or (place[0], line_of(place[1])) not in told_lines:
                    open_.add((*place, ""))
            places[True] |= counted
            places[False] |= open_
        figures["counted"] = len(places[True] - places[False])
        figures["open"] = len({place[:2] for place in places[False]})
        figures["data"] = len({place[:2] for place in places[False] if place[0] not in misread})
        figures["kernels"] = len(known | unknown)
        figures["known"] = len(known)
        figures["assumed"] = len(known - told)
        figures["files"] = len(of_it)
        beyond_all += beyond
        all_.update(figures)
        lines.append(line(name, figures, beyond))
    lines.append(line("all", all_, beyond_all))
    widths = [max(len(str(l[i])) for l in lines) for i in range(len(head))]
    for l in lines:
        print("  ".join(str(cell).ljust(w) if i == 0 else str(cell).rjust(w) for i, (cell, w) in enumerate(zip(l, widths))))
    return reasons, where


def line(name, f, beyond):
    shared = f["counted"] + f["open"]
    share = lambda part, whole: f"{part} ({100 * part / whole:.0f} %)" if whole else "0"
    median = f"{statistics.median(beyond):.3f}" if beyond else "-"
    return (name, f["files"], f["kernels"], share(f["known"], f["kernels"]), f["assumed"], shared, share(f["counted"], shared),
            share(f["data"], shared), f["crash"], f["time-out"], median)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="where the repositories are, or are fetched to")
    parser.add_argument("--fetch", action="store_true", help="fetch what is absent")
    parser.add_argument("--tool", default="swizzle-synth")
    parser.add_argument("--results", type=Path, default=Path("corpus.json"), help="what was found of each file")
    parser.add_argument("--only", nargs="*", default=[], help="repositories, or PATH parts of files, that hold these words")
    parser.add_argument("--files", nargs="*", default=[], help="files whose paths hold one of these words")
    parser.add_argument("--again", choices=("all", "ended", "open", "none"), default="all",
                        help="which files to try again: all, those that did not end well, those with something uncounted")
    parser.add_argument("--seconds", type=int, default=60, help="of the processor, for one file")
    parser.add_argument("--reasons", type=int, default=25)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("arguments", nargs="*", help="for check, behind --")
    options = parser.parse_args()
    rows = {}
    if options.results.exists() and options.again != "all" or options.only or options.files:
        if options.results.exists():
            rows = {(r["repository"], r["file"]): r for r in json.loads(options.results.read_text())}
    for repository in repositories(options.only):
        folder = folder_of(options.root, repository)
        if options.fetch:
            fetch(options.root, repository)
        for path in files_of(options.root, repository):
            key = (repository["name"], str(path.relative_to(folder)))
            if options.files and not any(word in key[1] for word in options.files):
                continue
            if options.list:
                print(*key)
                continue
            old = rows.get(key)
            if old and (options.again == "none" or options.again == "ended" and old["ended"] == "ok" or
                        options.again == "open" and old["report"] and not old["report"]["uncounted"]):
                continue
            rows[key] = check(options, folder, repository, path)
            print(key, rows[key]["ended"], f"{rows[key]['seconds']:.2f}", file=sys.stderr)
            if len(rows) % 50 == 0:
                options.results.write_text(json.dumps(list(rows.values())))
    if options.list:
        return
    options.results.write_text(json.dumps(list(rows.values())))
    reasons, where = survey(list(rows.values()))
    for text, at in sorted(reasons.items(), key=lambda item: -len(item[1]))[: options.reasons]:
        print(f"{len(at):5}  {text[:110]}\n       {where[text]}")
    for row in rows.values():
        if row["ended"] != "ok":
            print(row["ended"], row["repository"], row["file"], row["said"][-300:].replace("\n", " | "))


if __name__ == "__main__":
    main()
