#!/usr/bin/env python3
"""Holds what `check` counts of kernels of the corpus to what a GPU counts: see README.md.

  counters.py prepare --root CORPUS --survey corpus.json --into FOLDER    chooses kernels, and predicts
  FOLDER/counters.sh RESULTS                                              on a machine with nvcc, a GPU and ncu
  counters.py compare FOLDER RESULTS                                      the table
"""
import argparse
import csv
import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from corpus import HERE, folder_of, repositories

MOST_BLOCKS = (3, 2, 1)   # of a grid, which is the same in prediction and launch
NEW_HEADERS = "NVIDIA/cuda-samples", "Common"  # in place of the older copies that other repositories carry
OLD_NAMES = "#define cudaThreadSynchronize cudaDeviceSynchronize\n#define cudaThreadExit cudaDeviceReset\n"
OLD_FLAGS = [f"-D{line.split()[1]}={line.split()[2]}" for line in OLD_NAMES.splitlines()]
SOURCE_SUFFIXES = {".cu", ".cuh", ".h", ".hpp", ".hxx", ".inl", ".inc", ".c"}
MOST_SOURCE_BYTES = 400_000
STORES = {"store", "stmatrix", "cp.async"}


def shared_of(report, number):
    return [a for a in report["accesses"] if a["kernel_number"] == number and a["space"] == "shared"]


def is_all_counted(report, number):
    """Whether nothing of a kernel's launch depends on data, or was left out."""
    kernel, shared = report["kernels"][number], shared_of(report, number)
    gaps = {g["kernel"] for g in report["uncounted"]}
    return (shared and kernel["complete"] and not {kernel["name"], kernel["name"].split("<")[0]} & gaps
            and not any(a["depends_on_data"] or a["conditional"] for a in shared))


def candidates(rows, most_of_repository, most_instances):
    """Kernels of a survey that are counted in full: few instances of a template, and of each repository the same number."""
    of_repository, seen = {}, {}
    for row in rows:
        report = row["report"]
        for number, kernel in enumerate(report["kernels"] if report else []):
            base = (row["repository"], row["file"], kernel["name"].split("<")[0])
            once = (*base[:2], kernel["name"])
            if once in seen or seen.get(base, 0) >= most_instances or not is_all_counted(report, number):
                continue
            of_it = of_repository.setdefault(row["repository"], [])
            if len(of_it) < most_of_repository:
                seen[once] = 1
                seen[base] = seen.get(base, 0) + 1
                of_it.append((row["repository"], row["file"], kernel))
    return [one for of_it in of_repository.values() for one in of_it]


def without_comments(text):
    blank = lambda m: re.sub(r"[^\n]", " ", m.group())
    return re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.S)


def split_outside(text):
    parts, depth, last = [], 0, 0
    for at, c in enumerate(text):
        depth += (c in "(<[{") - (c in ")>]}")
        if c == "," and depth == 0:
            parts.append(text[last:at])
            last = at + 1
    return [p.strip() for p in [*parts, text[last:]] if p.strip()]


def parameter_names(location):
    """Of the kernel whose name stands at "path:line:column"; None: its text does not tell."""
    path, line, column = location.rsplit(":", 2)
    text = without_comments(Path(path).read_text(errors="replace"))
    at = sum(len(l) + 1 for l in text.split("\n")[:int(line) - 1]) + int(column) - 1
    opening = re.match(r"\w+\s*(<[^()]*>)?\s*\(", text[at:])
    if not opening:
        return None
    begin = end = at + opening.end()
    depth = 1
    while depth and end < len(text):
        depth += (text[end] == "(") - (text[end] == ")")
        end += 1
    names = []
    for parameter in split_outside(text[begin:end - 1]):
        name = re.search(r"(\w+)\s*(\[[^]]*\]\s*)*$", parameter.split("=")[0])
        if not name:
            return None
        names.append(name.group(1))
    return names


class Kernel:
    """One that is to be launched: as it was found, with a small grid."""

    def __init__(self, options, flags, number, repository, file, kernel):
        self.options, self.flags, self.id = options, flags, f"k{number:03}"
        self.repository, self.file, self.name = repository, file, kernel["name"]
        self.path = folder_of(options.root, {"name": repository}) / file
        self.grid = [min(n, most) for n, most in zip(kernel["grid"], MOST_BLOCKS)]
        self.block, self.sizes = kernel["block"], kernel["sizes"]
        self.location, self.why_not, self.predicted = kernel["location"], None, {}

    def check(self, *how):
        launch = "grid({}, {}, {}) block({}, {}, {})".format(*self.grid, *self.block)
        given = [w for name, value in self.sizes.items() for w in ("--set", f"{name}={value}")]
        done = subprocess.run([self.options.tool, "check", str(self.path), "--kernel", self.name, "--launch", launch,
                               "--all-blocks", "--format=json", "--step-limit", "30000000", *given, *how[:2],
                               *self.flags, *how[2:]], capture_output=True, text=True, errors="replace", timeout=120)
        try:
            report = json.loads(done.stdout)
        except ValueError:
            return None
        named = [i for i, k in enumerate(report["kernels"]) if k["name"].split("<")[0].split("::")[-1] == self.name.split("<")[0]]
        if len(named) != 1 or not is_all_counted(report, named[0]):
            return None
        of_it = shared_of(report, named[0])
        total = lambda is_store: sum(a["wavefronts"]["total"] for a in of_it if (a["operation"] in STORES) == is_store)
        requests = lambda is_store: sum(a["requests"] for a in of_it if (a["operation"] in STORES) == is_store)
        return {"loads": total(False), "stores": total(True), "load_requests": requests(False), "store_requests": requests(True),
                "operations": sorted({a["operation"] for a in of_it}),
                "lines": [[a["location"].rsplit("/", 1)[-1], a["operation"], a["array"], a["bits"], a["requests"],
                           a["wavefronts"]["total"]] for a in of_it]}

    def source(self):
        names = parameter_names(self.location)
        known = {n.split(".")[0] for n in self.sizes}
        if names is None or not known <= set(names) or any("." in n for n in self.sizes):
            return None
        numbers = ", ".join(str(self.sizes.get(n, 1)) for n in names) or "0"
        return (f"#define main main_of_the_file\n{OLD_NAMES}#include \"{packed(self.repository)}/{self.file}\"\n#undef main\n{self.namespaces()}"
                f"#include \"launch_once.h\"\n"
                f"extern \"C\" __attribute__((visibility(\"default\"))) void launch_kernel() {{\n"
                f"  const double numbers[] = {{{numbers}}};\n"
                f"  launch_once::launch({self.name}, dim3{tuple(self.grid)}, dim3{tuple(self.block)}, numbers);\n}}\n")

    def namespaces(self):
        """Kernels have their names alone: what they stand in is opened."""
        found = re.findall(r"^\s*namespace\s+([\w:]+)\s*\{", without_comments(self.path.read_text(errors="replace")), flags=re.M)
        return "".join(f"using namespace {name};\n" for name in dict.fromkeys(found))

    def prepare(self):
        try:
            self.why_not = self.tried()
        except subprocess.TimeoutExpired:
            self.why_not = "it takes too long"
        print(self.id, self.repository, self.file, self.name, self.why_not or "ready", flush=True)
        return self

    def tried(self):
        """Nothing, or why it is left out."""
        source = self.source()
        if source is None:
            return "its parameters cannot be made up"
        self.predicted["text"] = self.check("--no-ptx")
        if self.predicted["text"] is None:
            return "not all of it is counted at this grid"
        flags = [f.replace(str(self.options.root), "sources") for f in self.flags]
        units = self.options.into / "units"
        (units / f"{self.id}.cu").write_text(source)
        (units / f"{self.id}.flags").write_text(" ".join([f"-I{packed(*NEW_HEADERS)}", *flags,
                                                          f"-I{packed(self.repository, str(Path(self.file).parent))}"]))
        return None

    def count_in_ptx(self):
        """What nvcc makes of the text may be fewer accesses, or wider ones."""
        try:
            new_headers = folder_of(self.options.root, {"name": NEW_HEADERS[0]}) / NEW_HEADERS[1]
            self.predicted["ptx"] = self.check("--ptx", f"-I{new_headers}", "--", f"-arch={self.options.arch}", *OLD_FLAGS)
        except subprocess.TimeoutExpired:
            self.predicted["ptx"] = None
        print(self.id, "PTX", self.predicted["ptx"] is not None, flush=True)


def packed(repository, *below):
    return "/".join(["sources", repository.replace("/", "__"), *below])


def pack_sources(options, names):
    for name in names:
        folder = folder_of(options.root, {"name": name})
        for path in folder.rglob("*"):
            if path.suffix in SOURCE_SUFFIXES and path.is_file() and path.stat().st_size < MOST_SOURCE_BYTES:
                to = options.into / packed(name, str(path.relative_to(folder)))
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, to)


def keep(options, kernels):
    told = [{k: getattr(one, k) for k in ("id", "repository", "file", "name", "grid", "block", "sizes", "why_not", "predicted")}
            for one in kernels]
    (options.into / "kernels.json").write_text(json.dumps(told, indent=1))


def prepare(options):
    options.root, options.into = options.root.resolve(), options.into.resolve()
    (options.into / "units").mkdir(parents=True, exist_ok=True)
    chosen = candidates(json.loads(options.survey.read_text()), options.most, options.instances)
    flags = {}
    for r in repositories(options.only):
        own = [re.sub("^-I(?!/)", f"-I{folder_of(options.root, r)}/", f) for f in r.get("flags", [])]
        flags.setdefault(r["name"], [])
        flags[r["name"]] += [f for f in own if f not in flags[r["name"]]]
    kernels = [Kernel(options, flags[one[0]], i, *one) for i, one in enumerate(c for c in chosen if c[0] in flags)]
    with ThreadPoolExecutor(options.jobs) as pool:
        kernels = list(pool.map(Kernel.prepare, kernels))
    keep(options, kernels)
    pack_sources(options, {NEW_HEADERS[0]} | {one.repository for one in kernels if not one.why_not})
    for file in ("counters.sh", "launch_once.h", "launch_all.cpp"):
        shutil.copy(HERE / file, options.into)
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(Kernel.count_in_ptx, [one for one in kernels if not one.why_not]))
    keep(options, kernels)


def counted(results, kind):
    """By kernel, what ncu counted."""
    out = {}
    for batch in sorted(results.glob(f"{kind}.*.csv")):
        launched = batch.with_suffix(".txt").read_text().split()
        rows = [r for r in csv.DictReader(batch.open()) if r["ID"]]  # below the head, a row has the units
        for library, row in zip(launched, rows):
            loads, stores = (row[f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum"].replace(",", "") for op in ("ld", "st"))
            if loads != "nan":  # the launch failed
                out[Path(library).stem] = {"loads": int(float(loads)), "stores": int(float(stores))}
    return out


def verdict(predicted, read):
    if predicted is None or read is None:
        return "–"
    return "=" if all(predicted[k] == read[k] for k in ("loads", "stores")) else f"{predicted['loads']} + {predicted['stores']}"


def compare(options):
    kernels = json.loads((options.folder / "kernels.json").read_text())
    optimized, as_written = counted(options.results, "optimized"), counted(options.results, "as_written")
    print("| file | kernel | grid x block | nvcc -G | text | nvcc -O3 | PTX |\n|---|---|---|---|---|---|---|")
    show = lambda r: f"{r['loads']} + {r['stores']}" if r else "–"
    shape = lambda d: "(" + ", ".join(str(n) for n in (d[:1] if d[1:] == [1, 1] else d[:2] if d[2] == 1 else d)) + ")"
    same = {"-G": [], "-O3": []}
    for one in kernels:
        w, o = as_written.get(one["id"]), optimized.get(one["id"])
        if one["why_not"] or not (w or o):
            continue
        p = one["predicted"]
        by_ptx = verdict(p["ptx"], o) if p.get("ptx") else f"text: {verdict(p['text'], o)}" if o else "–"
        print("|", " | ".join([f"{one['repository']}/{one['file']}", f"`{one['name']}`", f"{shape(one['grid'])} x {shape(one['block'])}",
                               show(w), verdict(p["text"], w), show(o), by_ptx]), "|")
        for how, told in (("-G", verdict(p["text"], w)), ("-O3", by_ptx.removeprefix("text: "))):
            if told != "–":
                same[how].append(told == "=")
    for how, equal in same.items():
        print(f"{how}: {sum(equal)} of {len(equal)} kernels equal", file=sys.stderr)
    print(Path(options.results / "gpu.txt").read_text(), file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("prepare")
    one.set_defaults(run=prepare)
    one.add_argument("--root", type=Path, required=True, help="where corpus.py fetched the repositories to")
    one.add_argument("--survey", type=Path, required=True, help="the results of corpus.py")
    one.add_argument("--into", type=Path, required=True)
    one.add_argument("--tool", default="swizzle-synth")
    one.add_argument("--arch", default="sm_90")
    one.add_argument("--most", type=int, default=12, help="kernels of one repository")
    one.add_argument("--instances", type=int, default=2, help="of one template")
    one.add_argument("--only", nargs="*", default=[], help="repositories whose names hold one of these words")
    one.add_argument("--jobs", type=int, default=2)
    two = commands.add_parser("compare")
    two.set_defaults(run=compare)
    two.add_argument("folder", type=Path)
    two.add_argument("results", type=Path)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
