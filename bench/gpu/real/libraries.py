#!/usr/bin/env python3
"""libraries.py RESULTS.csv: times what libraries for Python have for the works of that file, and adds their lines to it.

Torch (whose convolutions are cuDNN's) and a transpose in Triton run on the same sizes as the races; every output is compared
with a reference made of slices. Medians of 31 after 5, over the copy that the races timed. What is not installed gets one
line without figures. Results are random data in [1, 2), as the races' are."""

import csv
import re
import sys

ROUNDS, WARM_UP = 31, 5
FLOATS = 1 << 27
IMAGE = (8189, 16380)  # rows, columns


class Libraries:
    """What is there: None for what is not."""

    def __init__(self):
        try:
            import torch
            self.torch = torch if torch.cuda.is_available() else None
        except ImportError:
            self.torch = None
        self.cudnn = self.torch is not None and self.torch.backends.cudnn.is_available()
        try:
            import transpose_triton
            self.triton = transpose_triton
        except ImportError:
            self.triton = None


class Peer:
    """run() computes; is_right(output) compares all of it; bytes: as the races count them."""

    def __init__(self, name, bytes_, run, is_right):
        self.name, self.bytes, self.run, self.is_right = name, bytes_, run, is_right


def random(torch, *shape, dtype=None):
    if dtype is None or dtype.is_floating_point:
        return torch.rand(shape, device="cuda", dtype=dtype or torch.float32) + 1
    return torch.randint(0, 100, shape, device="cuda", dtype=dtype)


def close(torch, output, parts):
    """Is output the sum of parts() but for rounding? Parts are made one at a time: they are large."""
    should = None
    for part in parts():
        should = part.clone() if should is None else should.add_(part)
    return torch.allclose(output, should, rtol=1e-5, atol=0)


def stencil(there, points, dtype=None, border=None):
    torch = there.torch
    size = torch.finfo(dtype).bits // 8 if dtype else 4
    reach = points - 1 if border is None else 0
    n = 4 * FLOATS // size - 5
    x = random(torch, n + reach, dtype=dtype)
    weights = torch.ones(1, 1, points, device="cuda", dtype=x.dtype)
    pad = points // 2

    def padded():
        return x if border is None else torch.nn.functional.pad(x.view(1, 1, -1), (pad, pad), mode=border).view(-1)

    def parts():
        wide = padded()
        return (wide[k:k + n] for k in range(points))

    yield Peer("torch (cuDNN)" if there.cudnn else "torch", n * size,
               lambda: torch.nn.functional.conv1d(padded().view(1, 1, -1), weights).view(-1),
               lambda output: close(torch, output, parts))


def convolution(there, size, separable=False):
    torch, (h, w) = there.torch, IMAGE
    x, across, down = random(torch, h, w), random(torch, size), random(torch, size)
    weights = down[:, None] * across if separable else random(torch, size, size)
    reach = size // 2
    conv2d = torch.nn.functional.conv2d

    def run():
        image = x.view(1, 1, h, w)
        if separable:
            rows = conv2d(image, across.view(1, 1, 1, size), padding=(0, reach))
            return conv2d(rows, down.view(1, 1, size, 1), padding=(reach, 0)).view(h, w)
        return conv2d(image, weights.view(1, 1, size, size), padding=reach).view(h, w)

    def parts():
        wide = torch.nn.functional.pad(x, (reach, reach, reach, reach))
        return (weights[i, j] * wide[i:i + h, j:j + w] for i in range(size) for j in range(size))

    yield Peer("torch (cuDNN)" if there.cudnn else "torch", 4 * h * w, run, lambda output: close(torch, output, parts))


def depthwise(there, channels=64, h=1459, w=1436):
    torch = there.torch
    x, weights = random(torch, h, w, channels), random(torch, 3, 3, channels)
    kernel = weights.permute(2, 0, 1)[:, None].contiguous()

    def run():
        image = x.permute(2, 0, 1)[None]  # NCHW in words, NHWC in memory
        return torch.nn.functional.conv2d(image, kernel, padding=1, groups=channels)

    def parts():
        wide = torch.nn.functional.pad(x, (0, 0, 1, 1, 1, 1))
        return (weights[i, j] * wide[i:i + h, j:j + w] for i in range(3) for j in range(3))

    yield Peer("torch (cuDNN)" if there.cudnn else "torch", 4 * x.numel(), run,
               lambda output: close(torch, output[0].permute(1, 2, 0), parts))


def structs(there, fields, loads, dtype=None):
    torch = there.torch
    n = FLOATS // fields // 32 * 32 - 160 if dtype is None else 2 * (FLOATS // fields // 32 * 32 - 160)
    x = random(torch, n, fields, dtype=dtype) if loads else random(torch, fields, n, dtype=dtype)
    yield Peer("torch", x.numel() * x.element_size(), lambda: x.t().contiguous(), lambda output: torch.equal(output.t(), x))


def transpose(there, w, h, dtype, batch=1):
    torch = there.torch
    x = random(torch, batch, h, w, dtype=dtype)
    peers = [("torch", lambda: x.transpose(1, 2).contiguous())]
    if there.triton:
        peers.append(("Triton", lambda: there.triton.transposed(x)))
    for name, run in peers:
        yield Peer(name, x.numel() * x.element_size(), run, lambda output: torch.equal(output.transpose(1, 2), x))


def in_place(there, n, dtype):
    torch = there.torch
    x = random(torch, n, n, dtype=dtype)
    yield Peer("torch", x.numel() * x.element_size(), lambda: x.t().contiguous(), lambda output: torch.equal(output.t(), x))


def rows(there, work, width):
    """Of each row: its running sums, its sum, its softmax. A sum writes next to nothing: half of the bytes."""
    torch = there.torch
    x = random(torch, FLOATS // width, width)

    def is_right(output):
        each = x.double()
        should = {"scan": lambda: each.cumsum(1), "reduce": lambda: each.sum(1), "softmax": lambda: torch.softmax(each, 1)}[work]()
        return torch.allclose(output.double(), should, rtol=1e-5, atol=0)

    run = {"scan": lambda: x.cumsum(1), "reduce": lambda: x.sum(1), "softmax": lambda: torch.softmax(x, 1)}[work]
    yield Peer("torch", 4 * x.numel() // (2 if work == "reduce" else 1), run, is_right)


def peers_of(there, work):
    torch = there.torch
    sizes = [int(digits) for digits in re.findall(r"\d+", work)]
    dtypes = {"float": torch.float32, "half": torch.int16, "bytes": torch.uint8, "double": torch.float64}
    borders = {"clamp": "replicate", "mirror": "reflect", "zero": "constant"}
    if work.rstrip("0123456789") in borders:
        return stencil(there, sizes[0], border=borders[work.rstrip("0123456789")])
    if work.endswith("_double") and work.startswith("stencil"):
        return stencil(there, sizes[0], dtype=torch.float64)
    if re.fullmatch(r"stencil\d+", work):
        return stencil(there, sizes[0])
    if work.startswith(("conv", "separable")):
        return convolution(there, sizes[0], separable=work.startswith("separable"))
    if work.startswith("depthwise"):
        return depthwise(there)
    if re.fullmatch(r"(load|store)\d+", work):
        return structs(there, sizes[0], work.startswith("load"))
    if re.fullmatch(r"(load|store)\d+_half", work):
        return structs(there, sizes[0], work.startswith("load"), dtype=torch.int16)
    if re.fullmatch(r"(scan|reduce|softmax)\d+", work):
        return rows(there, work.rstrip("0123456789"), sizes[0])
    if work.startswith("transpose_batched"):
        w, h, batch, kind = {"": (544, 480, 512, "float"), "_half": (544, 480, 1024, "half"), "_bytes": (1088, 960, 512, "bytes"),
                             "_double": (544, 480, 256, "double")}[work[17:]]
        return transpose(there, w, h, dtypes[kind], batch=batch)
    if work.startswith("transpose_in_place"):
        n, kind = {"": (11584, "float"), "_half": (16376, "half"), "_bytes": (23168, "bytes"), "_double": (8190, "double")}[work[18:]]
        return in_place(there, n, dtypes[kind])
    if work == "transpose_any":
        return transpose(there, 16253, 8317, torch.float32)
    if work.startswith("transpose_"):
        w, h = {"float": (16256, 8320), "half": (16256, 16512), "bytes": (32640, 16512), "double": (8128, 8320)}[work[10:]]
        return transpose(there, w, h, dtypes[work[10:]])
    return iter(())  # no library has it


def milliseconds(torch, run):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    taken = []
    for i in range(-WARM_UP, ROUNDS):
        begin.record()
        run()
        end.record()
        end.synchronize()
        if i >= 0:
            taken.append(begin.elapsed_time(end))
    return sorted(taken)


def add_lines(there, work, copy, write):
    for peer in peers_of(there, work):
        right = peer.is_right(peer.run())
        ms = milliseconds(there.torch, peer.run)
        median = ms[ROUNDS // 2]
        write([work, peer.name, f"{median:.4f}", f"{ms[0]:.4f}", f"{2e-6 * peer.bytes / median:.0f}", f"{median / copy:.3f}",
               0 if right else 1, there.torch.cuda.get_device_name()])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        copies = {row["work"]: float(row["median_ms"]) for row in csv.DictReader(file) if row["kernel"] == "copy"}
    there = Libraries()
    missing = [name for name, is_there in (("torch", there.torch), ("cuDNN", there.cudnn), ("Triton", there.triton)) if not is_there]
    failed = False
    with open(sys.argv[1], "a", encoding="utf-8") as file:
        for name in missing:
            print(f"absent,{name},,,,,0,", file=file)
        if there.torch:
            there.torch.backends.cudnn.allow_tf32 = False
            writer = csv.writer(file, lineterminator="\n")
            for work, copy in copies.items():
                try:
                    with there.torch.no_grad():
                        add_lines(there, work, copy, writer.writerow)
                except RuntimeError as error:
                    print(f"{work}: {error}", file=sys.stderr)
                    failed = True
                there.torch.cuda.empty_cache()
                file.flush()
    sys.exit(failed)


if __name__ == "__main__":
    main()
