"""Random sketches whose words are followed bit by bit: ?sw_mask, ?sw_bytes, and distances and shifts of ?sw_const.

Example, 2 lanes with a byte each, `a = (a & ?sw_mask()) | (__shfl_xor_sync(…, a, 1) & ~m)`: of the 256 masks that there are of
a byte, 0x0f is the only one where y has the lower half of its own element and the upper half of the other one.

Where tables are too many, what is planted stands for them. A spec is what a completion computes, lane by lane and written
out, now and then with other constants in one lane. Functions of bits are compared at every input of a single bit and at
random ones.
"""
from dataclasses import replace

import numpy as np

import expressions
from compare import Difference
from words import ALL_ONES, Hole, Words, all_tables, right_ones, run, samples, space, steps_of, wanted

MOST_TABLES = 1 << 16
MOST_LISTED = 1000


class Draft:
    def __init__(self, random):
        self.random = random
        self.width = int(self.pick([8, 8, 8, 16, 32]))
        self.lanes = int(self.pick([1, 2, 2, 4, 8]))
        self.rounds = int(self.pick([1, 1, 2]))
        self.holes = []

    def pick(self, options):
        return options[int(self.random.integers(len(options)))]

    def chance(self, p):
        return self.random.random() < p

    def hole(self, kind, low=0, high=0):
        names = (["k"] if self.rounds > 1 else []) + (["t"] if self.lanes > 1 and kind == "sw_mask" else [])
        arguments = tuple(name for name in names if self.chance(0.6 if name == "k" else 0.15))
        self.holes.append(Hole(kind, arguments, low, high))
        return ("hole", len(self.holes) - 1)

    def mask(self):
        if self.chance(0.75):
            return self.hole("sw_mask")
        return ("constant", hex(int(self.random.integers(1, 1 << self.width))) + "u")

    def shift(self):
        if self.chance(0.4):
            return self.hole("sw_const", int(self.pick([0, 1])), int(self.pick([4, self.width // 2 + 1])))
        return ("constant", int(self.pick([1, 2, self.width // 2])))

    def other(self):
        """A word of another lane, or of this one."""
        own = ("name", "a")
        if self.lanes == 1:
            return own
        if self.chance(0.3):
            return ("shuffle", own, self.hole("sw_const", int(self.pick([0, 1])), self.lanes))
        return ("shuffle", own, ("constant", int(self.pick([1, self.lanes // 2]))))

    def moved(self, tree):
        return ("op", str(self.pick(["<<", ">>"])), tree, self.shift())

    def words(self):
        b = self.other()
        steps = [("b", self.moved(b) if self.chance(0.5) or self.lanes == 1 else b)]
        a, b = ("name", "a"), ("name", "b")
        kind = self.random.random()
        if kind < 0.4:       # bits of one word and of another
            steps += [("m", self.mask())]
            m = ("name", "m")
            steps += [("a", ("op", str(self.pick(["|", "^"])), ("op", "&", a, m), ("op", "&", b, ("not", m))))]
        elif kind < 0.6:
            steps += [("a", ("op", str(self.pick(["^", "|"])), a, ("op", "&", b, self.mask())))]
        elif kind < 0.75:
            steps += [("a", ("op", "&", ("op", str(self.pick(["|", "^"])), a, b), self.mask()))]
        elif kind < 0.85:
            steps += [("a", ("op", "|", ("op", "&", a, self.mask()), ("op", "&", b, self.mask())))]
        else:
            steps += [("a", ("perm", a, b, self.hole("sw_bytes")))]
        if self.chance(0.15):
            name, tree = steps[-1]
            plain = [a, b, ("op", "^", a, b)]
            options = [tree, ("op", "&", a, self.mask()) if self.chance(0.3) else plain[int(self.random.integers(3))]]
            self.holes.append(Hole("sw_choose", ()))
            steps[-1] = name, ("choose", len(self.holes) - 1, *(options if self.chance(0.5) else options[::-1]))
        return Words(self.width, self.lanes, self.rounds, self.holes, steps, counter=self.counter())

    def counter(self):
        """Now and then how many rounds there are is open, where nothing depends on them."""
        if any("k" in hole.arguments for hole in self.holes) or not self.chance(0.15):
            return None
        self.holes.append(Hole("sw_const", (), 1, 3))
        return len(self.holes) - 1


def random_tables(words, random):
    """One table of each hole; of masks, half of the time a run of ones, which the tool prints as a formula."""
    return [[chosen(hole, words.width, random) for _ in words.points(at)] for at, hole in enumerate(words.holes)]


def chosen(hole, width, random):
    if hole.kind == "sw_mask" and width == 32:
        return int(random.integers(1 << 32))
    values = hole.values(width)
    return int(values[int(random.integers(len(values)))])


def generate(random):
    """Words with a spec, which is planted in three of four."""
    while True:
        words = Draft(random).words()
        if not words.holes or (space_of_all(words) > MOST_TABLES and random.random() < 0.8):
            continue
        words = in_source_order(words)
        choices = words.choices()
        values, chosen_words = choices[int(random.integers(len(choices)))]
        planted = random_tables(chosen_words, random)
        chosen_words.spec = [planted] * words.lanes
        if random.random() < 0.3:
            chosen_words.spec = chosen_words.spec[:-1] + [random_tables(chosen_words, random)]
        words.planted, words.spec = (values, planted), chosen_words
        return words


def space_of_all(words):
    return sum(space(chosen_words) for _, chosen_words in words.choices())


def in_source_order(words):
    """Numbers the holes as they stand in the text, those in alternatives of a ?sw_choose before it."""
    marks = [f"()<{at}>" if hole.kind == "sw_choose" else f"<{at}>" for at, hole in enumerate(words.holes)]
    text = words.with_values(marks, is_filled=False)
    order = sorted(range(len(words.holes)), key=lambda at: text.index(f"<{at}>"))

    def renamed(tree):
        if tree[0] in ("hole", "choose"):
            return (tree[0], order.index(tree[1]), *map(renamed, tree[2:]))
        return tuple(renamed(part) if isinstance(part, tuple) else part for part in tree)
    return replace(words, holes=[words.holes[at] for at in order], counter=None if words.counter is None else order.index(words.counter),
                   steps=[(name, renamed(tree)) for name, tree in words.steps])


def compare(words, tool, random, listing=True, fixing=True):
    """Differences; None where the tool does not know."""
    x = samples(words, random)
    answer = tool.ask(words.text(), words.spec.spec_text())
    if answer.outcome == "unknown":
        return None
    return Comparison(words, x, tool, answer).differences(random, listing, fixing)


def bare(text):
    """Without spaces and parentheses."""
    return text.translate(str.maketrans("", "", " ()"))


class Comparison:
    def __init__(self, words, x, tool, answer):
        self.words, self.x, self.tool, self.answer = words, x, tool, answer
        self.y, self.found, self.choices = wanted(words.spec, x), [], words.choices()
        self.all = space_of_all(words) <= MOST_TABLES

    def differ(self, kind, told):
        self.found.append(Difference(kind, told))

    def differences(self, random, listing, fixing):
        examples = self.right_examples(random)
        wanted_outcomes = ("found",) if examples else ("infeasible",) if self.all else ("found", "infeasible")
        if self.answer.outcome not in wanted_outcomes:
            self.differ("outcome", f"{self.answer.outcome} {self.answer.diagnostics}, but {examples[:1] or 'infeasible'}")
        if self.found or self.answer.outcome != "found":
            return self.found
        self.compare_found()
        if listing and self.all and sum(map(len, self.numbers)) <= MOST_LISTED:
            self.compare_list()
        if fixing and not self.found:
            self.compare_fixed(self.answer.expressions, exactly=True)
            for example in examples:
                self.compare_fixed(self.spelled_all(*example), exactly=False)
        return self.found

    def right_examples(self, random):
        """(values of what is the same everywhere, tables): one for each of these that has any; or what is planted."""
        if not self.all:
            values, tables = self.words.planted
            return [(values, tables)] if self.is_right(self.words.chosen(values), tables) else []
        self.numbers = [right_ones(words, self.x, self.y) for _, words in self.choices]
        return [(values, [table.tolist()[0] for table in all_tables(words, random.permutation(right)[:1])])
                for (values, words), right in zip(self.choices, self.numbers) if len(right)]

    def columns(self, tables):
        return [np.array([table], dtype=np.uint64) for table in tables]

    def is_right(self, words, tables):
        return bool((run(words, self.columns(tables), self.x)[0] == self.y).all())

    def tables_of(self, words, texts):
        """What is printed for each hole, at its points."""
        out = []
        for at, (hole, text) in enumerate(zip(words.holes, texts)):
            points = words.points(at)
            shaped = np.array(points, dtype=np.int64).reshape(len(points), len(hole.arguments))
            out.append((expressions.table(text, hole.arguments, shaped) & ALL_ONES).tolist() if points else [])
        return out

    def chosen_by(self, texts):
        """The words that may be meant: any alternative that comes to what is stored, and as many rounds as are told."""
        for values, words in self.choices:
            if self.words.counter in (None, *(at for at in values if texts[at] == str(values[at]))):
                if self.is_right(words, self.tables_of(words, texts)):
                    return words
        return None

    def compare_found(self):
        told = ", ".join(self.answer.expressions)
        if self.chosen_by(self.answer.expressions) is None:
            self.differ("completion", f"{told} is found, but no completion")
        if self.answer.report["optimality"] != "proved":
            self.differ("cost", f"optimality is {self.answer.report['optimality']}")
        distinct = np.log10(sum(10.0 ** sum(hole.spoken() * len(words.points(at)) for at, hole in enumerate(words.holes))
                                for _, words in self.choices))
        if abs(self.answer.report["search_space"]["distinct"] - distinct) > 1e-6:
            self.differ("distinct", f"search_space.distinct is {self.answer.report['search_space']['distinct']}, but {distinct}")

    def told_choice(self, texts):
        """The number of the choice that is listed: of an alternative and of so many rounds."""
        def is_told(values, at):
            if at == self.words.counter:
                return texts[at] == str(values[at])
            spelled = self.spelled_alternative(at, values[at], texts)
            return bare(texts[at]) in [bare(text) for text in (spelled, f"unsigned({spelled})", f"int({spelled})")]
        return next(number for number, (values, _) in enumerate(self.choices) if all(is_told(values, at) for at in values))

    def spelled_alternative(self, hole, value, texts):
        tree = next(tree for _, tree in self.words.steps if tree[:2] == ("choose", hole))
        return self.words.printed(tree[2 + value], [f"({text})" for text in texts], True)

    def compare_list(self):
        """Bits of a mask and digits of a selector that no output asks for are 0, and such constants the least: of completions
        that differ in these, one is listed. So what is listed is right, once, and every right one is as one that is listed
        but for them, for each choice of what is the same everywhere."""
        answer = self.tool.ask(self.words.text(), self.words.spec.spec_text(), "--all=1000000")
        if answer.outcome != "found":
            return self.differ("count", f"--all: {answer.outcome}, but {sum(map(len, self.numbers))} completions {answer.diagnostics}")
        keys = [set() for _ in self.choices]
        for completion in answer.report["completions"]:
            choice = self.told_choice(completion["expressions"])
            words = self.choices[choice][1]
            tables = self.tables_of(words, completion["expressions"])
            if self.key(tables) in keys[choice]:
                self.differ("completion", f"{completion['expressions']} is listed twice")
            keys[choice].add(self.key(tables))
            if not self.is_right(words, tables):
                return self.differ("completion", f"{completion['expressions']} is listed, but no completion")
            if completion["cost"] < self.answer.cost:
                self.differ("cost", f"{self.answer.cost:g} is found, but {completion['expressions']} costs {completion['cost']:g}")
        if "there may be more completions" not in answer.diagnostics:
            for (values, words), right, listed in zip(self.choices, self.numbers, keys):
                self.compare_complete(values, all_tables(words, right), listed)

    def compare_complete(self, values, tables, listed):
        for at in range(len(tables[0])):
            mine = [table[at].tolist() for table in tables]
            if self.key(mine) not in listed and not any(self.is_less(other, mine) for other in listed):
                return self.differ("count", f"{values} {mine} is not listed, nor what it is without bits that make no difference")

    def key(self, tables):
        return tuple(map(tuple, tables))

    def is_less(self, less, more):
        """Whether `less` is `more` but for bits of masks and digits of selectors, which it has not, and least constants."""
        for hole, a, b in zip(self.words.holes, less, more):
            if hole.kind == "sw_const":
                if any(p not in (hole.low, q) for p, q in zip(a, b)):
                    return False
            elif any(p & ~q if hole.kind == "sw_mask" else self.adds_digits(p, q) for p, q in zip(a, b)):
                return False
        return True

    def adds_digits(self, less, more):
        return any(less >> 4 * at & 15 not in (0, more >> 4 * at & 15) for at in range(4))

    def spelled_all(self, values, tables):
        words = self.words.chosen(values)
        texts = [self.spelled(words, at, table) if words.points(at) else str(values.get(at, 0)) for at, table in enumerate(tables)]
        for _, tree in self.words.steps:
            if tree[0] == "choose":
                texts[tree[1]] = self.spelled_alternative(tree[1], values[tree[1]], texts)
        return texts

    def spelled(self, words, hole, table):
        """A table as an expression: `k == 0 ? 0x3u : 0xcu`."""
        names, points = words.holes[hole].arguments, words.points(hole)
        shown = [hex(value) + "u" if self.words.holes[hole].kind != "sw_const" else str(value) for value in table]
        conditions = [" && ".join(f"{name} == {value}" for name, value in zip(names, point)) for point in points[:-1]]
        return "".join(f"{condition} ? {value} : " for condition, value in zip(conditions, shown)) + shown[-1]

    def compare_fixed(self, texts, exactly):
        """What is found costs the same when it stands in the sketch, and nothing that could stand there costs less, unless a
        constant makes an operation needless."""
        words = self.chosen_by(texts)
        needless = words is None or self.makes_needless(words, self.tables_of(words, texts))
        answer = self.tool.ask(self.words.text(fill=list(map(expressions.without_lists, texts))), self.words.spec.spec_text())
        told = ", ".join(texts)
        if answer.outcome != "found":
            self.differ("fixed", f"{told} in the sketch: {answer.outcome} {answer.diagnostics.strip()}")
        elif answer.cost > self.answer.cost and exactly or (answer.cost < self.answer.cost and not needless):
            self.differ("fixed", f"{told} costs {answer.cost:g} in the sketch, but {', '.join(self.answer.expressions)} "
                                 f"{self.answer.cost:g} when found")

    def makes_needless(self, words, tables):
        """A mask of no or all bits, a shift or distance of 0, a selector; or what is computed is always the same."""
        own = (1 << self.words.width) - 1
        if any(np.ptp(value, axis=2).max() == 0 for value in steps_of(words, self.columns(tables), self.x)):
            return True
        trivial = {"sw_mask": {0, own}, "sw_const": {0}}
        return any((value & own if hole.kind == "sw_mask" else value) in trivial.get(hole.kind, {value})
                   for hole, table in zip(words.holes, tables) for value in table)
