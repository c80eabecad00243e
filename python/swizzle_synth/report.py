"""The tool's report as typed values. What each field says stands in docs/report.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .decoding import decode


@dataclass(frozen=True)
class Arch:
    """The target, and the architecture whose figures the cost model takes."""

    target: str
    costs_of: str


@dataclass(frozen=True)
class Hole:
    """A hole and what it became.

    Attributes
    ----------
    kind : str
        ``sw_xform``, ``sw_part``, …
    location : str
        ``file:line:column``.
    expression : str
        C, as it is printed into the kernel.
    """

    id: int
    kind: str
    location: str
    expression: str


@dataclass(frozen=True)
class Layout:
    """A layout of shared memory. Of element (r, c), `expression` is the index in an array of `elements`."""

    name: str
    location: str
    rows: int
    columns: int
    expression: str
    elements: int
    wavefronts: float
    ideal: float
    members: float
    cute: str | None = None
    triton: str | None = None
    tma: str | None = None

    def _repr_svg_(self) -> str | None:
        from .display import layout_svg

        try:
            return layout_svg(self)
        except ValueError:  # an expression that only C understands has no picture
            return None


@dataclass(frozen=True)
class Count:
    """Wavefronts or sectors: of the worst execution, and of all together."""

    worst: float
    total: float


@dataclass(frozen=True)
class Witness:
    """A bank that has several words to give: the lanes that ask for them, and where they lie in the array, in bytes."""

    bank: int
    lanes: tuple[int, ...]
    addresses: tuple[int, ...]


@dataclass(frozen=True)
class Access:
    """An access to shared memory. `bits` are those of a lane, `executions` those of a warp."""

    location: str
    space: str
    operation: str
    bits: int
    executions: float
    wavefronts: Count
    ideal: Count
    witness: Witness | None = None


@dataclass(frozen=True)
class Completion:
    """A completion, with its total cost and the expressions of the holes in their order.

    Attributes
    ----------
    mirror_of : int or None
        The number, from 1, of the listed completion that this is a mirror image of.
    """

    cost: float
    expressions: tuple[str, ...]
    mirror_of: int | None = None


@dataclass(frozen=True)
class Cost:
    """Instructions of a warp, and their total in issue slots."""

    shuffles: float
    accumulates: float
    multiplies: float
    shared_wavefronts: float
    loads: float
    integer_ops: float
    total: float


@dataclass(frozen=True)
class SearchSpace:
    """The decimal logarithm of the number of completions: of the grammar's parameters, and of different tables."""

    raw: float
    distinct: float | None


@dataclass(frozen=True)
class Counterexample:
    """Sizes, block, thread and output at which the kernel is wrong; None where no thread is to blame alone."""

    sizes: dict[str, int]
    block: tuple[int, ...] | None
    thread: tuple[int, ...] | None
    output: str | None

    @classmethod
    def from_json(cls, json: dict[str, Any]) -> Counterexample:
        def place(json: Any) -> tuple[int, ...] | None:
            if json is None:
                return None
            return tuple(json) if isinstance(json, list) else (json,)

        own = ("block", "thread", "output")
        sizes = {name: value for name, value in json.items() if name not in own}
        return cls(sizes, place(json.get("block")), place(json.get("thread")), json.get("output"))


@dataclass(frozen=True)
class AllSizes:
    """What is known of sizes that nobody gave: ``proved``, ``refuted`` or ``not_proved``."""

    outcome: str
    holds_for: str | None
    reason: str
    counterexample: Counterexample | None = None
    tried: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Run:
    """Where the kernel ran, on how many random inputs, and how many elements differed."""

    where: str
    inputs: int
    mismatches: int
    first_mismatch: str | None = None


@dataclass(frozen=True)
class Certified:
    """What Z3 confirmed: ``cost``, ``feasibility`` or ``nothing``; `reason` says why no more."""

    claim: str
    reason: str = ""
    queries: int = 0


@dataclass(frozen=True)
class Checked:
    """The sizes that were posed and re-read, and what is known of others; `run` is None where nothing ran."""

    posed: tuple[str, ...] = ()
    reread: tuple[str, ...] = ()
    all_sizes: AllSizes | None = None
    run: Run | None = None


@dataclass(frozen=True)
class Seconds:
    """Wall-clock time of the phases; None for one that did not come to its end."""

    total: float
    parse: float | None = None
    pose: float | None = None
    search: float | None = None
    emit: float | None = None
    reread: float | None = None
    prove: float | None = None
    run: float | None = None


@dataclass(frozen=True)
class Report:
    """The report of ``swizzle-synth --report``.

    Attributes
    ----------
    outcome : str
        ``"found"``, ``"infeasible"`` or ``"unknown"``; `reason` says why nothing was found.
    optimality : str or None
        ``"proved"``, ``"best_found"`` or ``"not_asked"``; None without a completion.
    at_least : float or None
        Where a limit ended the search: no completion costs less than this.
    completions : tuple of Completion
        Those that ``all=`` listed.
    certified : Certified or None
        What Z3 said, if ``certify=True`` asked it.
    json : dict
        The whole report as it was read, with what this version of the package has no field for.
    """

    schema: int
    outcome: str
    reason: str
    arch: Arch
    seconds: Seconds
    checked: Checked = Checked()
    holes: tuple[Hole, ...] = ()
    layouts: tuple[Layout, ...] = ()
    accesses: tuple[Access, ...] = ()
    completions: tuple[Completion, ...] = ()
    cost: Cost | None = None
    optimality: str | None = None
    at_least: float | None = None
    search_space: SearchSpace | None = None
    certified: Certified | None = None
    json: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_json(cls, json: dict[str, Any]) -> Report:
        """The report of a JSON object, which is kept as `json`."""
        return decode(cls, {**json, "json": json})
