"""One sketch: what the oracle says of it against what the tool says of it."""
import re
from dataclasses import dataclass

import numpy as np

import expressions
import metamorphic
import tool
from enumerate_all import completions_of
from sketch import operators

UNKNOWN = "unknown"
RULES = ({"+", "-", "*"}, {"^", "&"}, {"|"}, {"&"}, {"min"}, {"max"})    # families of operators whose laws the docs promise


@dataclass
class Difference:
    """`kind`: outcome, cost, listed cost, count, completion, distinct, fixed or variant."""
    kind: str
    told: str

    def __str__(self):
        return f"{self.kind}: {self.told}"


class Comparison:
    """`listing`: also ask for all completions; `fixing`: also write what was found into the sketch, and ask again;
    `rewording`: also ask the same in other words."""

    def __init__(self, tool_, prices, listing=True, fixing=False, rewording=False, list_limit=3000):
        self.tool, self.prices = tool_, prices
        self.listing, self.fixing, self.rewording, self.list_limit = listing, fixing, rewording, list_limit

    def __call__(self, sketch, random):
        """Differences, [] where there is none, or UNKNOWN."""
        self.sketch = sketch
        self.known = completions_of(sketch, random)
        self.total = sum(map(len, self.known))
        self.space = sum(known.space for known in self.known)
        self.differences = []
        self.answer = self.tool.ask(sketch.text(), sketch.spec_text())
        if self.answer.outcome == "unknown":
            return UNKNOWN
        self.compare_outcome("found" if self.total else "infeasible")
        if self.rewording and self.answer.code in (tool.FOUND, tool.INFEASIBLE):
            self.compare_variants()
        return UNKNOWN if self.may_be_more(self.answer) and not self.differences else self.differences

    def may_be_more(self, answer):
        """Where families of operators meet, or time ends, the tool may say that it does not know of all completions."""
        if answer.outcome != "found" or "there may be more completions" not in answer.diagnostics:
            return False
        return "the time limit of" in answer.diagnostics or self.families_meet()

    def families_meet(self):
        return not any(operators([self.sketch.body, self.sketch.spec]) <= rules for rules in RULES)

    def compare_variants(self):
        for name, text, spec in metamorphic.variants(self.sketch):
            answer = self.tool.ask(text, spec)
            if answer.outcome == UNKNOWN:
                continue
            same = answer.outcome == self.answer.outcome
            if same and (self.may_be_more(answer) or self.may_be_more(self.answer)):
                continue
            if not same or (answer.code == tool.FOUND and answer.cost != self.answer.cost):
                cost = f" at {answer.cost:g} for {self.answer.cost:g}" if same else f" for {self.answer.outcome}"
                self.differ("variant", f"{name}: {answer.outcome}{cost} {answer.diagnostics.strip()}\n{text}")

    def differ(self, kind, told):
        self.differences.append(Difference(kind, told))

    def compare_outcome(self, wanted):
        if self.answer.code == 1 and wanted == "infeasible" and self.diagnosed():
            return
        if self.answer.outcome != wanted:
            self.differ("outcome", f"{self.answer.outcome} ({self.reason()}), but {wanted} "
                                   f"({self.total} of {self.space} completions{self.example()})")
            return
        self.compare_distinct()
        if wanted == "infeasible":
            return
        self.costs = self.price_all()
        if self.costs is not None:
            self.compare_least()
        if self.listing and self.total <= self.list_limit:
            self.compare_list()
        if self.fixing:
            self.compare_fixed(self.answer.expressions, self.answer.report["cost"])

    def reason(self):
        if self.answer.outcome == "found":
            return ", ".join(self.answer.expressions)
        return (self.answer.report["reason"] if self.answer.report else self.answer.diagnostics).strip()

    def diagnosed(self):
        """A store that no hole decides to what the spec does not write is a diagnostic."""
        told = self.answer.diagnostics
        return None in self.sketch.spec and ("which the spec does not write" in told or "is outside 'y'" in told)

    def example(self):
        for known in self.known:
            if len(known):
                tables = [f"; {self.sketch.holes[hole].text()} is {dict(zip(points, rows[0].tolist()))}" for
                          hole, points, rows in zip(known.holes, known.points, known.rows)]
                return "".join(tables) + "".join(f"; hole {hole} is {value}" for hole, value in known.constants.items())
        return ""

    def compare_distinct(self):
        distinct = self.answer.report["search_space"]["distinct"]
        if distinct is None:  # too many to count, as the docs have it
            return
        distinct, counts = 10 ** distinct, {0}
        for known in self.known:
            counts = {count + more for count in counts for more in (known.space, known.least_space)}
        if all(abs(distinct - count) > 1e-6 * count for count in counts):
            self.differ("distinct", f"search_space.distinct is {distinct:.1f}, but there are {self.space} tables")

    def price_all(self):
        """Cost of each completion by its key, and how the cheapest is printed; None where a table has no price."""
        costs, self.cheapest = {}, None
        for known in self.known:
            if not len(known):
                continue
            listed = [self.prices.of(self.sketch.holes[hole], points) for hole, points in zip(known.holes, known.points)]
            if any(prices is None for prices in listed):
                return None
            total = known.costs([prices for prices, _ in listed])
            costs.update({known.key(at): float(total[at]) for at in range(len(known))})
            best = int(total.argmin())
            if self.cheapest is None or total[best] < self.cheapest[0]:
                self.cheapest = float(total[best]), self.printed(known, [p[c[best]] for (_, p), c in zip(listed, known.choices)])
        return costs

    def printed(self, known, texts):
        """Expressions over a, b, …, as price.py has them, over the arguments of the holes."""
        out = {hole: str(value) for hole, value in known.constants.items()}
        for hole, text in zip(known.holes, texts):
            names = dict(zip("abcd", self.sketch.holes[hole].arguments))
            out[hole] = re.sub(r"\b[abcd]\b", lambda m: names[m.group()], text)
        return [out[hole] for hole in sorted(out)]

    def compare_least(self):
        least, texts = self.cheapest
        if self.may_be_more(self.answer) and least <= self.answer.cost:
            return
        if least != self.answer.cost:
            self.differ("cost", f"{self.answer.cost:g} ({self.answer.report['optimality']}; "
                                f"{', '.join(self.answer.expressions)}), but {least:g} ({', '.join(texts)})")
            if self.fixing:
                self.compare_fixed(texts, None)
        elif self.answer.report["optimality"] != "proved":
            self.differ("cost", f"optimality is {self.answer.report['optimality']}")

    def compare_list(self):
        answer = self.tool.ask(self.sketch.text(), self.sketch.spec_text(), "--all=1000000")
        if answer.outcome != "found":
            self.differ("count", f"--all: {answer.outcome}, but {self.total} completions {answer.diagnostics}")
            return
        keys = {known.key(at) for known in self.known for at in range(len(known))}
        listed = {}
        for completion in answer.report["completions"]:
            key, text = self.key_of(completion["expressions"]), ", ".join(completion["expressions"])
            if key in listed:
                self.differ("completion", f"{text} is listed twice")
            elif key not in keys:
                self.differ("completion", f"{text} is listed, but no completion")
            elif self.costs is not None and completion["cost"] != self.costs[key]:
                self.differ("listed cost", f"{text} costs {completion['cost']:g}, but {self.costs[key]:g}")
            listed[key] = completion["cost"]
            if len(self.differences) > 3:
                return
        if self.may_be_more(answer):
            return
        if len(listed) != self.total:
            self.differ("count", f"{len(listed)} completions are listed, but there are {self.total}")
        if listed and min(listed.values()) != self.answer.cost:
            self.differ("cost", f"{self.answer.cost:g} is found, but {min(listed.values()):g} is listed")

    def key_of(self, texts):
        """The tables of printed expressions, in the form of Completions.key."""
        constants = {at: int(text) for at, (text, hole) in enumerate(zip(texts, self.sketch.holes))
                     if hole.kind == "sw_const"}
        known = next((known for known in self.known if known.constants == constants), None)
        tables = []
        for hole, points in zip(known.holes, known.points) if known else []:
            names = self.sketch.holes[hole].arguments
            tables.append(tuple(expressions.table(texts[hole], names, np.array(points)).tolist()) if points else ())
        return tuple(sorted(constants.items())), tuple(tables)

    def compare_fixed(self, texts, cost):
        """A completion that stands in the sketch costs what it costs when it is found, but for its integer operations."""
        answer = self.tool.ask(self.sketch.text(fill=texts), self.sketch.spec_text())
        told = ", ".join(texts)
        if answer.outcome == UNKNOWN and self.families_meet():
            return
        if answer.outcome != "found":
            self.differ("fixed", f"{told} in the sketch: {answer.outcome} {answer.diagnostics.strip()}")
        elif cost and answer.cost != cost["total"] - cost["integer_ops"]:
            self.differ("fixed", f"{told} costs {cost} when found, {answer.report['cost']} when it stands there")
