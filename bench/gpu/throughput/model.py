#!/usr/bin/env python3
"""model.py THROUGHPUT.csv OUT.csv RESULTS COUNTERS KERNELS…: does the busiest pipe tell a kernel's time?

A kernel keeps parts of the machine busy: the pipes of the multiprocessors (the instructions that ncu counted, at the cycles
that throughput.cu measured), their issue slots, the L2 cache, device memory, the launching of blocks. Its time is predicted
three times: as that of the busiest part; as the 3-norm of all, which grows a little where others are nearly as busy; and as
that of a closed queueing network, whose stations are the parts and whose customers the blocks that a multiprocessor holds at
once, by mean value analysis (Reiser and Lavenberg, 1980): with few blocks parts wait for each other. RESULTS are those of
real/run.sh, COUNTERS of real/counters.sh, KERNELS the folder of what was synthesized, whose costs are the tool's own; all
three may be repeated. OUT gets a line a kernel; what is printed: how many pairs of kernels that do the same
work and differ by more than 5 % are put in the right order, and predicted over measured."""

import csv
import re
import statistics
import sys
from collections import namedtuple
from pathlib import Path

MULTIPROCESSORS = 132
WARPS = 64  # that a multiprocessor holds at most
PIPES = {  # a pipe's instructions, and which measurement stands for each
    "alu": ("lop3", "LOP3 PRMT SEL FSEL ISETP FSETP PLOP3 IADD3 VIADD LEA SHF VIMNMX IMNMX FMNMX I2FP VOTE R2P P2R IABS SGXT"),
    "fma": ("ffma", "FFMA FADD FMUL"),
    "fma heavy": ("imad", "IMAD"),
    "half": ("hfma2", "HFMA2 HADD2 HMUL2"),
    "xu": ("popc", "POPC FLO BREV MUFU I2F F2I F2F"),
    "fp64": ("dfma", "DFMA DADD DMUL DSETP"),
}
SUMMED = {"fma heavy": "fma"}  # as measured: IMAD and FFMA in turns take the sum of both

NORM = 3

Kernel = namedtuple("Kernel", "work kernel measured busiest predicted queued limit parts cost")


def measured_cycles(path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    cycles = {row["first"]: float(row["cycles"]) for row in rows if row["kind"] == "alone"}
    cycles["block"] = next(float(row["cycles"]) for row in rows if row["kind"] == "blocks" and row["first"] == "256")
    cycles["hertz"] = next(float(row["cycles"]) for row in rows if row["kind"] == "clock") * 1e6
    return cycles


def counted(folder):
    """(work, kernel) and what ncu counted, a dictionary of its columns."""
    with open(f"{folder}/launches.csv", encoding="utf-8") as file:
        launches = list(csv.DictReader(file))
    header, rows = None, []
    with open(f"{folder}/counters.csv", encoding="utf-8") as file:
        for row in csv.reader(file):
            if row[0] == "ID":
                header = row
            elif row[0]:
                rows.append(dict(zip(header, row)))
    if len(launches) != len(rows):
        sys.exit(f"{folder}: {len(launches)} launches, {len(rows)} of them counted")
    return [((launch["work"], launch["kernel"]), row) for launch, row in zip(launches, rows)]


def number(text):
    return float(text.split("(")[0].replace(",", "") or 0)


def busy(row, cycles, copied):
    """Seconds that each part is busy for."""
    opcodes = {name: number(count) for name, count in re.findall(r"(\w+): ([\d,]+)", row["sass__inst_executed_per_opcode"])}
    second = cycles["hertz"] * MULTIPROCESSORS  # multiprocessors' cycles
    parts = {}
    for pipe, (like, names) in PIPES.items():
        whole = SUMMED.get(pipe, pipe)
        parts[whole] = parts.get(whole, 0) + sum(opcodes.get(name, 0) for name in names.split()) * cycles[like] / second
    parts["lsu"] = number(row["l1tex__data_pipe_lsu_wavefronts.sum"]) / second
    parts["issue"] = number(row["smsp__inst_executed.sum"]) / 4 / second
    reads, writes = (32 * number(row[f"lts__t_sectors_op_{op}.sum"]) for op in ("read", "write"))
    parts["L2"] = max(reads * cycles["ldg_128_l2"], writes * cycles["stg_128"]) / 512 / second
    parts["memory"] = (number(row["dram__bytes_read.sum"]) + number(row["dram__bytes_write.sum"])) / copied
    parts["launch"] = number(row["launch__grid_size"]) * cycles["block"] / second
    return parts


def threads_of(row):
    x, y, z = map(int, re.findall(r"\d+", row["Block Size"]))
    return x * y * z


def throughput(demands, customers):
    """Customers that a closed network serves per second: of each station, the seconds that it serves a customer for."""
    waiting, rate = [0.0] * len(demands), 0.0
    for among in range(1, customers + 1):
        stays = [demand * (1 + queue) for demand, queue in zip(demands, waiting)]
        rate = among / sum(stays)
        waiting = [rate * stay for stay in stays]
    return rate


def queued(row, parts):
    """Seconds of a launch whose blocks, as many as were seen to be resident, are served by the parts in turns."""
    blocks = number(row["launch__grid_size"]) / MULTIPROCESSORS
    resident = max(1.0, WARPS * number(row["sm__warps_active.avg.pct_of_peak_sustained_active"]) / 100 / (threads_of(row) / 32))
    demands = [seconds / blocks for seconds in parts.values() if seconds > 0]
    fewer, more = throughput(demands, int(resident)), throughput(demands, int(resident) + 1)
    return blocks / (fewer + (resident - int(resident)) * (more - fewer))


def cost_of(folder, work, kernel, row):
    """What the tool says that all warps cost, or None."""
    path = Path(folder) / f"{work}.cu"
    if kernel != "synthesized" or not path.exists():
        return None
    cost = re.search(r"cost of a warp: ([\d.]+)", path.read_text(encoding="utf-8"))
    return float(cost.group(1)) * number(row["launch__grid_size"]) * threads_of(row) / 32


def kernels(cycles, results, counters, folder):
    with open(f"{results}/results.csv", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["work"] != "absent"]
    times = {(row["work"], row["kernel"]): float(row["median_ms"]) * 1e-3 for row in rows}
    # What a copy of as many bytes takes, at the bytes that ncu counts for such kernels.
    copied = statistics.median(1e9 * float(row["gb_per_s"]) for row in rows if row["kernel"] == "copy")
    for (work, kernel), row in counted(counters):
        parts = busy(row, cycles, copied)
        limit = max(parts, key=parts.get)
        norm = sum(seconds ** NORM for seconds in parts.values()) ** (1 / NORM)
        yield Kernel(work, kernel, times[work, kernel], parts[limit], norm, queued(row, parts), limit, parts,
                     cost_of(folder, work, kernel, row))


def family(work):
    """Other settings of one piece of work, conv5x5__8x4, and other sketches of it, conv5x5_wide__6x4, have one family."""
    return re.sub(r"(_wide|_tile)?(__\w+)?$", "", work)


def ordered(found, predicted):
    right = wrong = tied = 0
    for i, a in enumerate(found):
        for b in found[i + 1:]:
            if family(a.work) != family(b.work) or max(a.measured, b.measured) < 1.05 * min(a.measured, b.measured):
                continue
            if abs(predicted(a) - predicted(b)) < 0.01 * predicted(a):
                tied += 1
            elif (predicted(a) < predicted(b)) == (a.measured < b.measured):
                right += 1
            else:
                wrong += 1
    return right, wrong, tied


def row_of(k, names):
    return [k.work, k.kernel, f"{k.measured * 1e6:.1f}", f"{k.busiest * 1e6:.1f}", f"{k.predicted * 1e6:.1f}",
            f"{k.queued * 1e6:.1f}", f"{k.predicted / k.measured:.3f}", k.limit, "" if k.cost is None else f"{k.cost:.0f}", *(f"{k.parts[n] * 1e6:.1f}" for n in names)]


def summary(found):
    lines = [f"{len(found)} kernels. Of pairs that do the same work and differ by more than 5 %:", "",
             "| predicted by | pairs | in the right order | wrong | alike within 1 % |", "|---|---|---|---|---|"]
    costed = [k for k in found if k.cost is not None]
    for name, among, predicted in (("the busiest part", found, lambda k: k.busiest),
                                   (f"the {NORM}-norm of all parts", found, lambda k: k.predicted),
                                   ("queues of resident blocks", found, lambda k: k.queued),
                                   ("the busiest part, of synthesized ones", costed, lambda k: k.busiest),
                                   (f"the {NORM}-norm, of synthesized ones", costed, lambda k: k.predicted),
                                   ("queues of resident blocks, of synthesized ones", costed, lambda k: k.queued),
                                   ("the tool's cost, of synthesized ones", costed, lambda k: k.cost)):
        right, wrong, tied = ordered(among, predicted)
        pairs = right + wrong + tied
        lines.append(f"| {name} | {pairs} | {right} ({100 * right / pairs:.1f} %) | {wrong} | {tied} |")
    lines += ["", f"| busiest part | kernels | {NORM}-norm ÷ measured: least | median | most | within 0.7 … 1.4 |", "|---|---|---|---|---|---|"]
    for limit in sorted({k.limit for k in found}, key=str.lower):
        ratios = sorted(k.predicted / k.measured for k in found if k.limit == limit)
        lines.append(f"| {limit} | {len(ratios)} | {ratios[0]:.2f} | {statistics.median(ratios):.2f} | {ratios[-1]:.2f} | "
                     f"{sum(0.7 <= r <= 1.4 for r in ratios)} |")
    return "\n".join(lines)


def main():
    cycles = measured_cycles(sys.argv[1])
    found = [k for run in zip(sys.argv[3::3], sys.argv[4::3], sys.argv[5::3]) for k in kernels(cycles, *run)]
    names = list(found[0].parts)
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["work", "kernel", "measured_us", "busiest_us", "predicted_us", "queued_us", "predicted_over_measured", "limit", "cost",
                         *(f"{n}_us" for n in names)])
        writer.writerows(row_of(k, names) for k in found)
    print(summary(found))


if __name__ == "__main__":
    main()
