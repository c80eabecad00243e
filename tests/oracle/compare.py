"""One sketch: what the oracle says of it against what the tool says of it."""
import re
from dataclasses import dataclass

import numpy as np

import expressions
import metamorphic
import tool
from enumerate_all import completions_of
from rename import alternative, tuned
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
        if any(hole.kind == "sw_tune" for hole in sketch.holes):
            return self.compare_tuned(sketch, random)
        self.sketch = sketch
        self.unbounded = any(hole.unbounded for hole in sketch.holes)
        self.known = completions_of(sketch, random)
        self.total = sum(map(len, self.known))
        self.space = sum(known.space for known in self.known)
        self.differences = []
        self.answer = self.tool.ask(sketch.text(), sketch.spec_text())
        if self.answer.outcome == "unknown":
            self.compare_unknown()
            return self.differences or UNKNOWN
        self.compare_outcome("found" if self.total else "infeasible")
        if self.rewording and self.answer.code in (tool.FOUND, tool.INFEASIBLE):
            self.compare_variants()
        return UNKNOWN if self.may_be_more(self.answer) and not self.differences else self.differences

    def may_be_more(self, answer):
        """Where families of operators meet, or time ends, the tool may say that it does not know of all completions."""
        if answer.outcome != "found" or "there may be more completions" not in answer.diagnostics:
            return False
        return "the time limit of" in answer.diagnostics or self.families_meet() or self.unbounded

    def compare_unknown(self):
        """Of what no grammar lists, every expression of up to three operations is tried."""
        if not self.unbounded or self.families_meet() or "time limit" in self.reason():
            return
        if self.price_all() is not None and self.cheapest and self.cheapest[0] < np.inf:
            self.differ("outcome", f"unknown ({self.reason()}), but {', '.join(self.cheapest[1])}")

    def compare_tuned(self, sketch, random):
        """Each choice of ?sw_tune is a sketch like any other, and the report's is one of those that are found."""
        whole = self.tool.ask(sketch.text(), sketch.spec_text())
        listed = {tuple(variant["choice"]): variant for variant in (whole.report or {}).get("variants") or []}
        outcomes, differences = set(), []
        for choice, fixed in tuned(sketch):
            found = self(fixed, random)
            differences += found if found != UNKNOWN else []
            outcomes.add(self.answer.outcome)
            differences += self.differing_variant(choice, listed.get(tuple(choice.values())))
        best = next((outcome for outcome in ("found", UNKNOWN, "infeasible", "exit 1") if outcome in outcomes))
        if whole.outcome != best and not whole.outcome == UNKNOWN:
            differences.append(Difference("variants", f"{whole.outcome}, but the best of the variants is {best} {whole.diagnostics}"))
        elif whole.outcome == "found":
            differences += self.differing_choice(whole, listed.values())
        self.answer = whole
        return UNKNOWN if whole.outcome == UNKNOWN and not differences else differences

    def differing_variant(self, choice, variant):
        """Where a variant differs from the sketch that has its numbers, self.answer."""
        mine, told = self.answer, ", ".join(map(str, choice.values()))
        if variant is None or UNKNOWN in (variant["outcome"], mine.outcome):
            return [] if variant or mine.code == tool.BAD_INPUT else [Difference("variants", f"{told} is not listed")]
        if variant["outcome"] != ("error" if mine.code == tool.BAD_INPUT else mine.outcome):
            return [Difference("variants", f"{told}: {variant['outcome']}, but by itself {mine.outcome}")]
        if mine.outcome == "found" and variant["cost"] != mine.cost and not self.may_be_more(mine):
            return [Difference("variants", f"{told}: cost {variant['cost']:g}, but by itself {mine.cost:g}")]
        return []

    def differing_choice(self, whole, variants):
        chosen = [variant for variant in variants if variant["chosen"]]
        cycles = [variant["cycles_per_kilobyte"] for variant in variants if variant["outcome"] == "found"]
        fastest = None if None in cycles else min(cycles)    # of some kernels nothing is predicted
        slower = [variant for variant in chosen if fastest is not None and variant["cycles_per_kilobyte"] != fastest]
        if len(chosen) != 1 or slower or chosen[0]["cost"] != whole.cost:
            return [Difference("variants", f"{chosen} is chosen of {list(variants)}, at cost {whole.cost:g}")]
        return []

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
        self.compare_found()
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
        """A store that no hole decides to what the spec does not write is a diagnostic, and so is what else breaks a rule."""
        told = self.answer.diagnostics
        if all(known.faulty for known in self.known) and "is outside" in told:
            return True
        if all(known.bad for known in self.known) and "the index must be in" in told:
            return True
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
        if distinct is None or self.unbounded:  # too many to count, as the docs have it
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
        out = {}
        for hole, text in zip(known.holes, texts):
            names = dict(zip("abcd", self.sketch.holes[hole].arguments))
            out[hole] = re.sub(r"\b[abcd]\b", lambda m: names[m.group()], text or "too large")
        filled = {f"h{hole}": f"({out.get(hole, known.constants.get(hole))})" for hole in range(len(self.sketch.holes))}
        out.update({hole: alternative(self.sketch, hole, value).format(**filled) for hole, value in known.constants.items()})
        return [out[hole] for hole in sorted(out)]

    def compare_found(self):
        """What is printed is a completion, at its cost."""
        matches = self.matches(self.answer.expressions)
        told = ", ".join(self.answer.expressions)
        if not matches:
            self.differ("completion", f"{told} is found, but no completion")
        elif all(cost != self.answer.cost for _, cost in matches):
            self.differ("cost", f"{told} costs {self.answer.cost:g}, but {matches[0][1]:g}")

    def compare_least(self):
        least, texts = self.cheapest
        if self.may_be_more(self.answer) and least <= self.answer.cost:
            return
        if self.unbounded and least >= self.answer.cost:    # a larger expression may cost less elsewhere
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
        listed = {}
        for completion in answer.report["completions"]:
            texts = completion["expressions"]
            matches, told = self.matches(texts), ", ".join(texts)
            at_its_cost = [key for key, cost in matches if cost == completion["cost"]]
            new = [key for key in at_its_cost if key not in listed]
            if not matches:
                self.differ("completion", f"{told} is listed, but no completion")
            elif not at_its_cost:
                self.differ("listed cost", f"{told} costs {completion['cost']:g}, but {matches[0][1]:g}")
            elif not new:
                self.differ("completion", f"{told} is listed twice")
            else:
                listed[new[0]] = completion["cost"]
            if len(self.differences) > 3:
                return
        if self.may_be_more(answer):
            return
        if len(listed) != self.total:
            self.differ("count", f"{len(listed)} completions are listed, but there are {self.total}")
        if listed and min(listed.values()) != self.answer.cost:
            self.differ("cost", f"{self.answer.cost:g} is found, but {min(listed.values()):g} is listed")

    def matches(self, texts):
        """(key, cost) of the completions that are printed so: several where alternatives of a ?sw_choose come to the same.
        Where a hole is asked for nothing, any text is as good: such completions come last."""
        out = []
        for known in sorted(self.known, key=lambda known: -sum(map(len, known.points))):
            if len(known) and all(self.says(hole, value, texts) for hole, value in known.constants.items()):
                at = known.at_key().get(self.key_of(known, texts))
                out += [] if at is None else [(known.key(at), self.cost_of(known, at, texts))]
        return out

    def says(self, hole, value, texts):
        """Whether this is how the value of a ?sw_const, or an alternative of a ?sw_choose, is printed."""
        told = alternative(self.sketch, hole, value)
        if told.replace(" ", "") == texts[hole].replace(" ", ""):
            return True
        if "{h" not in told or not self.sketch.holes[hole].arguments:    # of data: in what words is left to the tool
            return "{h" in told
        told = told.format(**{f"h{at}": f"({text})" for at, text in enumerate(texts)})
        names = ("t", "k", "b", "p")
        grid = np.indices((self.sketch.lanes, 4, 2, 4)).reshape(4, -1).T
        return (expressions.table(told, names, grid) == expressions.table(texts[hole], names, grid)).all()

    def key_of(self, known, texts):
        """The tables of printed expressions, in the form of Completions.key."""
        tables = []
        for hole, points in zip(known.holes, known.points):
            names = self.sketch.holes[hole].arguments
            tables.append(tuple(expressions.table(texts[hole], names, np.array(points)).tolist()) if points else ())
        return tuple(sorted(known.constants.items())), tuple(tables)

    def cost_of(self, known, at, texts):
        free = [self.sketch.holes[hole].kind == "sw_const" or not points for hole, points in zip(known.holes, known.points)]
        slots = [0 if free_ else expressions.slots(expressions.parse(texts[hole])) for hole, free_ in zip(known.holes, free)]
        return float(known.base[at] + sum(count * price for count, price in zip(known.evaluations, slots)))

    def compare_fixed(self, texts, cost):
        """A completion that stands in the sketch costs what it costs when it is found, but for its integer operations."""
        fill = [expressions.without_lists(text) for text in texts]
        answer = self.tool.ask(self.sketch.text(fill=fill), self.sketch.spec_text())
        told = ", ".join(texts)
        if answer.outcome == UNKNOWN and self.families_meet():
            return
        if answer.outcome != "found":
            self.differ("fixed", f"{told} in the sketch: {answer.outcome} {answer.diagnostics.strip()}")
        elif cost and answer.cost != cost["total"] - cost["integer_ops"]:
            self.differ("fixed", f"{told} costs {cost} when found, {answer.report['cost']} when it stands there")
