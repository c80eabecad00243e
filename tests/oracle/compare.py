"""One sketch: what the oracle says of it against what the tool says of it."""
from dataclasses import dataclass

import numpy as np

import expressions
import price
from enumerate_all import completions_of

UNKNOWN = "unknown"


@dataclass
class Difference:
    """`kind`: outcome, cost, count, completion, distinct, fixed or grammar."""
    kind: str
    told: str

    def __str__(self):
        return f"{self.kind}: {self.told}"


class Comparison:
    """`listing`: also ask for all completions; `fixing`: also write completions into the sketch and ask what they cost."""

    def __init__(self, tool, prices, listing=True, fixing=False, list_limit=3000):
        self.tool, self.prices = tool, prices
        self.listing, self.fixing, self.list_limit = listing, fixing, list_limit

    def __call__(self, sketch, random):
        """Differences, [] where there is none, or UNKNOWN."""
        self.sketch, self.random = sketch, random
        self.known = completions_of(sketch, random)
        self.differences = []
        self.answer = self.tool.ask(sketch.text(), sketch.spec_text())
        if self.answer.outcome == "unknown":
            return UNKNOWN
        wanted = "found" if len(self.known) else "infeasible"
        if self.answer.code == 1 and wanted == "infeasible" and self.diagnosed():
            return self.differences
        if self.answer.outcome != wanted:
            reason = self.answer.report["reason"] if self.answer.report else self.answer.diagnostics
            if self.answer.outcome == "found":
                reason = ", ".join(self.answer.expressions)
            self.differ("outcome", f"{self.answer.outcome} ({reason.strip()}), but {wanted} "
                                   f"({len(self.known)} of {self.known.space} completions)" + self.example())
            return self.differences
        self.compare_distinct()
        if wanted == "found":
            self.compare_costs()
            if self.listing and len(self.known) <= self.list_limit:
                self.compare_list()
            if self.fixing:
                self.compare_fixed(self.answer.expressions, self.answer.report["cost"])
        return self.differences

    def diagnosed(self):
        """A store that no hole decides to what the spec does not write is a diagnostic."""
        told = self.answer.diagnostics
        return None in self.sketch.spec and ("which the spec does not write" in told or "is outside 'y'" in told)

    def differ(self, kind, told):
        self.differences.append(Difference(kind, told))

    def example(self):
        if not len(self.known):
            return ""
        return "".join(f"; {hole.text()} is {dict(zip(points, rows[0].tolist()))}" for hole, points, rows in
                       zip(self.sketch.holes, self.known.points, self.known.rows))

    def compare_distinct(self):
        distinct = 10 ** self.answer.report["search_space"]["distinct"]
        if abs(distinct - self.known.space) > 1e-6 * self.known.space:
            self.differ("distinct", f"search_space.distinct is {distinct:.1f}, but there are {self.known.space} tables")

    def compare_costs(self):
        listed = [self.prices.of(hole, points) for hole, points in zip(self.sketch.holes, self.known.points)]
        self.costs = None
        if any(prices is None for prices in listed):
            return
        self.costs = self.known.costs([prices for prices, _ in listed])
        best = int(self.costs.argmin())
        if self.costs[best] != self.answer.cost:
            text = [printed[choice[best]] for (_, printed), choice in zip(listed, self.known.choices)]
            self.differ("cost", f"{self.answer.cost:g} ({self.answer.report['optimality']}; "
                                f"{', '.join(self.answer.expressions)}), but {self.costs[best]} ({', '.join(text)})")
            if self.fixing:
                self.compare_fixed(self.renamed(text), None, self.costs[best])
        elif self.answer.report["optimality"] != "proved":
            self.differ("cost", f"optimality is {self.answer.report['optimality']}")

    def renamed(self, texts):
        """Expressions over a, b, …, as price.py has them, over the arguments of the holes."""
        import re
        out = []
        for text, hole in zip(texts, self.sketch.holes):
            names = dict(zip("abcd", hole.arguments))
            out.append(re.sub(r"\b[abcd]\b", lambda m: names[m.group()], text))
        return out

    def compare_list(self):
        answer = self.tool.ask(self.sketch.text(), self.sketch.spec_text(), "--all=1000000")
        if answer.outcome != "found":
            self.differ("count", f"--all: {answer.outcome}, but {len(self.known)} completions {answer.diagnostics}")
            return
        known = {self.known.key(at): at for at in range(len(self.known))}
        listed = {}
        for completion in answer.report["completions"]:
            key = self.key_of(completion["expressions"])
            text = ", ".join(completion["expressions"])
            if key in listed:
                self.differ("completion", f"{text} is listed twice")
            elif key not in known:
                self.differ("completion", f"{text} is listed, but no completion")
            elif self.costs is not None and completion["cost"] != self.costs[known[key]]:
                self.differ("completion", f"{text} costs {completion['cost']:g}, but {self.costs[known[key]]}")
            listed[key] = completion["cost"]
            if len(self.differences) > 3:
                return
        if len(listed) != len(known):
            self.differ("count", f"{len(listed)} completions are listed, but there are {len(known)}")
        if listed and min(listed.values()) != self.answer.cost:
            self.differ("cost", f"{self.answer.cost:g} is found, but {min(listed.values()):g} is listed")

    def key_of(self, texts):
        """The tables of printed expressions, in the form of Completions.key."""
        key = []
        for text, hole, points in zip(texts, self.sketch.holes, self.known.points):
            key.append(tuple(expressions.table(text, hole.arguments, np.array(points)).tolist()))
        return tuple(key)

    def compare_fixed(self, texts, cost, total=None):
        """A completion that stands in the sketch costs what it costs when it is found, but for its integer operations."""
        answer = self.tool.ask(self.sketch.text(fill=texts), self.sketch.spec_text())
        if answer.outcome != "found":
            self.differ("fixed", f"{', '.join(texts)} in the sketch: {answer.outcome} {answer.diagnostics}")
            return
        without = {key: value for key, value in answer.report["cost"].items() if key not in ("integer_ops", "total")}
        if cost is not None:
            found = {key: cost[key] for key in without}
            if found != without or answer.cost != cost["total"] - cost["integer_ops"]:
                self.differ("fixed", f"{', '.join(texts)} costs {cost} when found, {answer.report['cost']} when it stands there")
