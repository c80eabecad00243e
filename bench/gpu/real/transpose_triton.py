"""A transpose in Triton, a tile a program, the fastest of a few shapes."""

import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"ROWS": rows, "COLUMNS": columns}, num_warps=warps)
                          for rows, columns in ((32, 32), (64, 32), (64, 64), (128, 64), (128, 128))
                          for warps in (4, 8)],
                 key=["h", "w", "size"])
@triton.jit
def turn(x, y, h, w, size, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    matrix = tl.program_id(2).to(tl.int64) * h * w
    rows = tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    columns = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (rows[:, None] < h) & (columns[None, :] < w)
    tile = tl.load(x + matrix + rows[:, None] * w + columns[None, :], mask=inside)
    tl.store(y + matrix + columns[:, None] * h + rows[None, :], tl.trans(tile), mask=tl.trans(inside))


def transposed(x):
    """Of shape (m, h, w), contiguous: (m, w, h)."""
    m, h, w = x.shape
    y = torch.empty((m, w, h), dtype=x.dtype, device=x.device)
    turn[lambda meta: (triton.cdiv(w, meta["COLUMNS"]), triton.cdiv(h, meta["ROWS"]), m)](x, y, h, w, x.element_size())
    return y
