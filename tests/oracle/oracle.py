#!/usr/bin/env python3
"""Compares swizzle-synth with an oracle that was written from its documentation: see README.md."""
import argparse
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor

import skip  # noqa: F401, first

import numpy as np

import bits
import causes
import generate
import layouts
import price
import shrink
from compare import UNKNOWN, Comparison
from tool import Server, Tool

_state = {}


def start(options):
    """Once in each process: a tool with a folder of its own, and prices that its sketches share."""
    _state["tool"] = (Server if options.server else Tool)(options.server or options.tool, options.seconds)
    _state["prices"] = price.Prices(_state["tool"])
    _state["options"] = options


def check(number):
    """One sketch, by its number: (number, kind, differences, text). The same number and seed give the same sketch."""
    try:
        options = _state["options"]
        name, sketch, random = made(number, options)
        return {"layout": check_layout, "bits": check_bits, "lanes": check_lanes}[name](number, sketch, random)
    except price.Mismatch as mismatch:
        return number, "differ", ["grammar: " + str(mismatch)], ""
    except Exception:
        return number, "differ", ["oracle: " + traceback.format_exc()], ""


def made(number, options):
    """What it is, the sketch of this number, and dice for what is done with it."""
    random = np.random.default_rng([options.seed, number])
    if number % options.layout_every == options.layout_every - 1:
        return "layout", layouts.generate(random), random
    if number % options.bits_every == options.bits_every - 1:
        return "bits", bits.generate(random), random
    return "lanes", generate.generate(random, wider=number % options.wider_every == options.wider_every - 1), random


def check_lanes(number, sketch, random):
    options = _state["options"]
    compare = Comparison(_state["tool"], _state["prices"], listing=number % options.list_every == 0,
                         fixing=number % options.fix_every == 0, rewording=number % options.reword_every == 0)
    differences = compare(sketch, random)
    if differences == UNKNOWN:
        return number, "unknown", [], sketch.text() + sketch.spec_text()
    new = [d for d in differences if causes.cause(d) not in options.known]
    if differences and not new:
        return number, "known", sorted({causes.cause(d) for d in differences}), ""
    differences = new
    if not differences:
        return number, "agreed", [compare.answer.outcome], ""
    if options.shrink:
        sketch, differences = shrink.smallest(sketch, differences, compare, random)
    return number, "differ", [str(d) for d in differences], sketch.text() + "// spec\n" + sketch.spec_text()


def check_layout(number, tile, random):
    """One tile of shared memory with an unknown layout."""
    return judged(number, "layout", layouts.compare(tile, _state["tool"], random), tile, tile.spec_text())


def check_bits(number, words, random):
    """Words that are followed bit by bit."""
    listing, fixing = random.random() < 0.5, random.random() < 0.5
    return judged(number, "bits", bits.compare(words, _state["tool"], random, listing, fixing), words, words.spec.spec_text())


def judged(number, name, differences, sketch, spec_text):
    if differences is None:
        return number, "unknown", [], ""
    new = [d for d in differences if causes.cause(d) not in _state["options"].known]
    if not new:
        return number, *(("known", [name]) if differences else ("agreed", [name])), ""
    return number, "differ", [str(d) for d in differences], sketch.text() + "// spec\n" + spec_text


def arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__)
    runs = parser.add_mutually_exclusive_group(required=True)
    runs.add_argument("--tool", help="the executable of swizzle-synth")
    runs.add_argument("--server", help="… or of oracle_server, which runs it many times in one process")
    parser.add_argument("--count", type=int, default=1000, help="how many random sketches")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=20, help="the tool's time limit for a sketch")
    parser.add_argument("--list-every", type=int, default=4, help="of how many sketches one has all completions listed")
    parser.add_argument("--fix-every", type=int, default=6, help="… one has what was found written into it")
    parser.add_argument("--reword-every", type=int, default=50, help="… one is asked in other words as well")
    parser.add_argument("--layout-every", type=int, default=40, help="… one is a tile with an unknown layout")
    parser.add_argument("--wider-every", type=int, default=4, help="… one has holes that no grammar lists, choices and free sizes")
    parser.add_argument("--bits-every", type=int, default=10, help="… one is of words that are followed bit by bit")
    parser.add_argument("--shrink", action="store_true", help="make what differs as small as it gets")
    parser.add_argument("--known", nargs="*", default=causes.KNOWN, metavar="CAUSE",
                        help="causes of differences that pass, instead of all in causes.py")
    parser.add_argument("--most", type=int, default=10, help="end after so many differences")
    parser.add_argument("--stop-after", type=float, default=float("inf"), help="… or after so many seconds")
    return parser.parse_args(words)


def listed(counts):
    return " (" + ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) + ")" if counts else ""


def main():
    options = arguments()
    begin = time.time()
    counts = {"agreed": 0, "known": 0, "unknown": 0, "differ": 0}
    outcomes = {"agreed": {}, "known": {}}
    with ProcessPoolExecutor(options.jobs, initializer=start, initargs=(options,)) as pool:
        numbers = range(options.first, options.first + options.count)
        for number, kind, told, text in pool.map(check, numbers, chunksize=min(25, max(1, options.count // 20))):
            counts[kind] += 1
            for name in told if kind in ("agreed", "known") else []:
                outcomes[kind][name] = outcomes[kind].get(name, 0) + 1
            if kind == "differ":
                print(f"sketch {number} of seed {options.seed} differs\n  " + "\n  ".join(told))
                print(text, flush=True)
            if counts["differ"] >= options.most or time.time() - begin > options.stop_after:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    print(f"{counts['agreed']} agreed{listed(outcomes['agreed'])}, {counts['unknown']} unknown, {counts['known']} known"
          f"{listed(outcomes['known'])}, {counts['differ']} differ; {time.time() - begin:.1f} s")
    return 1 if counts["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
