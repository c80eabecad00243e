"""What notebooks show: pictures in SVG, summaries in HTML."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .expressions import Expression

if TYPE_CHECKING:
    from .checking import CheckReport
    from .report import Hole, Layout
    from .synthesis import Result

_CELL = 22
_MOST_CELLS = 64  # in a row or column of a picture
_BANKS = 32


@dataclass(frozen=True)
class Picture:
    """A picture in SVG, which notebooks show."""

    svg: str = field(repr=False)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the SVG to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg


def _svg(width: int, height: int, title: str, body: list[str]) -> str:
    heading = f"<text x='4' y='15' text-anchor='start' font-size='13'>{html.escape(title)}</text>"
    return (f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' "
            f"height='{height}' font-family='sans-serif' font-size='9' text-anchor='middle'>"
            f"<rect width='{width}' height='{height}' fill='#fff'/>{heading}{''.join(body)}</svg>")


def layout_svg(layout: Layout) -> str:
    """Where the elements of a tile lie: a cell shows its index in the array, coloured by the index modulo 32."""
    address = Expression(layout.expression)
    rows, columns = min(layout.rows, _MOST_CELLS), min(layout.columns, _MOST_CELLS)
    cells = []
    for r in range(rows):
        for c in range(columns):
            index, x, y = address(r=r, c=c), c * _CELL, 24 + r * _CELL
            hue = index % _BANKS * 360 // _BANKS
            cells.append(f"<g><title>[{r}][{c}]: {index}</title><rect x='{x}' y='{y}' width='{_CELL}' height='{_CELL}' "
                         f"fill='hsl({hue},65%,82%)' stroke='#fff'/><text x='{x + _CELL // 2}' y='{y + 15}'>{index}"
                         "</text></g>")
    cropped = "" if (rows, columns) == (layout.rows, layout.columns) else f", of {layout.rows} x {layout.columns}"
    title = f"{layout.name}(r, c) = {layout.expression}: {rows} x {columns}{cropped}"
    return _svg(max(columns * _CELL, 8 * len(title)), 28 + rows * _CELL, title, cells)


def movement(hole: Hole, **ranges: int) -> Picture:
    """What moves where: for each step, a line from each source to where it goes.

    Parameters
    ----------
    hole : Hole
        A hole that became the expression of a lane or an index.
    **ranges : int
        The variables of the expression. The first are the receivers, side by side; each of its values reads from where
        the expression says. The others are steps, one picture below the other.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        The expression needs another variable, or is no integer expression.
    """
    source = Expression(hole.expression)
    receiver, *steps = ranges
    settings: list[dict[str, int]] = [{}]
    for name in steps:
        settings = [{**setting, name: value} for setting in settings for value in range(ranges[name])]
    reads = [[source(**setting, **{receiver: to}) for to in range(ranges[receiver])] for setting in settings]
    lowest, highest = min(0, *map(min, reads)), max(ranges[receiver] - 1, *map(max, reads))
    body = []
    for number, (setting, row) in enumerate(zip(settings, reads)):
        caption = ", ".join(f"{name} = {value}" for name, value in setting.items())
        body += _arrows(row, lowest, 34 + number * 90, caption)
    title = f"{receiver} reads from {hole.expression}"
    return Picture(_svg(max((highest - lowest + 2) * _CELL, 8 * len(title)), 34 + len(settings) * 90, title, body))


def _arrows(reads: list[int], lowest: int, top: int, caption: str) -> list[str]:
    """One step: sources above, receivers below."""
    def x(index: int) -> int:
        return (index - lowest) * _CELL + _CELL // 2

    parts = [f"<text x='4' y='{top + 4}' text-anchor='start' fill='#666'>{html.escape(caption)}</text>"]
    for to, source in enumerate(reads):
        hue = source % _BANKS * 360 // _BANKS
        parts.append(f"<text x='{x(source)}' y='{top + 18}'>{source}</text><text x='{x(to)}' y='{top + 76}'>{to}</text>"
                     f"<line x1='{x(source)}' y1='{top + 22}' x2='{x(to)}' y2='{top + 66}' "
                     f"stroke='hsl({hue},65%,45%)'><title>{to} reads from {source}</title></line>")
    return parts


def _table(header: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    def cells(tag: str, row: tuple[object, ...]) -> str:
        return "".join(f"<{tag} style='text-align:left'>{html.escape(str(each))}</{tag}>" for each in row)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><tr>{cells('th', header)}</tr>{body}</table>"


def result_html(result: Result) -> str:
    """The holes and what they became, the picture, and the kernel behind a fold."""
    report = result.report
    if result.cost is None:
        notes = "".join(f"<pre>{html.escape(str(each))}</pre>" for each in result.diagnostics)
        return f"<p><b>{report.outcome}</b>: {html.escape(report.reason)}</p>{notes}"
    parts = [f"<p><b>found</b>, cost {result.cost.total:g}, {(report.optimality or '').replace('_', ' ')}</p>",
             _table(("hole", "at", "became"), [(each.kind, each.location, each.expression) for each in report.holes])]
    if result.picture is not None:
        parts.append(result.picture.svg)
    if result.kernel is not None:
        parts.append(f"<details><summary>kernel</summary><pre>{html.escape(result.kernel)}</pre></details>")
    return "".join(parts)


def check_html(report: CheckReport) -> str:
    """The table of accesses, and the worst one's picture."""
    header = ("location", "access", "array", "bits", "requests", "worst", "ideal", "total", "ideal")
    rows: list[tuple[object, ...]] = []
    for each in report.accesses:
        count = each.wavefronts or each.sectors
        counted = ("-",) * 4 if count is None else (count.worst, each.ideal, count.total, each.ideal_total)
        rows.append((each.location, f"{each.space} {each.operation}", each.array or "several", each.bits, each.requests,
                     *counted))
    verdict = {True: "bank conflicts", False: "no bank conflicts", None: "not all could be counted"}[report.conflicts]
    return f"<p><b>{verdict}</b></p>{_table(header, rows)}{report.picture.svg if report.picture else ''}"
