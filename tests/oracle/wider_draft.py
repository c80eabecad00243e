"""Recipes with the holes that are no grammars: choices, expressions, free sizes, and constants of a round."""
from draft import Draft
from sketch import Hole


class WiderDraft(Draft):
    """The same recipes, with the other kinds of holes wherever they may stand."""

    def __init__(self, random):
        super().__init__(random)
        self.budget = int(self.pick([1, 2, 2, 3]))

    def wants_hole(self):
        return len(self.holes) < self.budget

    def expression(self, low, n):
        """Any function of few arguments: with more, there are too many to try each."""
        self.holes.append(Hole("sw_expr", n, tuple(self.variables()[:2]), low))
        return "{h%d}" % (len(self.holes) - 1)

    def one_of(self, plain, holed):
        """?sw_choose among expressions, now and then with a hole in one of them."""
        count = int(self.pick([2, 2, 3]))
        options = [str(plain[int(at)]) for at in self.random.permutation(len(plain))[:count]]
        if len(options) < count or self.chance(0.4):
            options.insert(int(self.random.integers(len(options) + 1)), holed())
        return self.hole("sw_choose", 0, options)

    def rounds(self, low, high):
        """?sw_const for each value of a loop's variable."""
        self.holes.append(Hole("sw_const", high, ("k",), low))
        return "{h%d}" % (len(self.holes) - 1)

    def condition(self):
        kind = self.random.random()
        if len(self.holes) >= self.budget or kind < 0.15:
            return super().condition()
        if kind < 0.6:
            return self.hole("sw_pred", 2, self.variables())
        plain = ["true", "t < 2", "t % 2 == 0", "t > 0"] + (["k < t", "k == 0"] if self.loop > 1 else [])
        return self.one_of(plain, lambda: self.hole(str(self.pick(["sw_cond", "sw_pred"])), 2, self.variables()))

    def constant(self, low, high, otherwise):
        if len(self.holes) >= self.budget or high - low < 2 or self.chance(0.6):
            return str(otherwise)
        if self.chance(0.4):
            return super().constant(low, high, otherwise)
        numbers = low + self.random.permutation(high - low)[:int(self.pick([2, 2, 3]))]
        return self.hole("sw_tune", 0, [str(number) for number in sorted(numbers)])

    def lane(self):
        kind, lanes = self.random.random(), self.lanes
        if not self.wants_hole() or kind < 0.25:
            return super().lane()
        if kind < 0.5:
            return self.expression(0, lanes)
        if kind < 0.65 and self.loop > 1:
            return f"(t + {self.rounds(0, lanes)}) % {lanes}" if self.chance(0.6) else self.rounds(0, lanes)
        plain = [f"{lanes - 1} - t", f"(t + 1) % {lanes}", "t", "t / 2", f"(t + {lanes - 1}) % {lanes}"]
        plain += [f"(t + k) % {lanes}"] if self.loop > 1 else []
        return self.one_of(plain, lambda: self.hole(str(self.pick(["sw_xform", "sw_xor", "sw_linear"])), lanes, ["t"]))

    def register(self):
        kind, count = self.random.random(), self.registers
        if count == 1 or not self.wants_hole() or kind < 0.2:
            return super().register()
        if kind < 0.6:
            return self.expression(0, count)
        if kind < 0.75 and self.loop > 1:
            return self.rounds(0, count)
        plain = ["0", "1", f"t % {count}"] + ([f"k % {count}"] if self.loop > 1 else [])
        return self.one_of(plain, lambda: self.hole("sw_part", count, self.variables()))

    def fetch(self):
        if len(self.holes) < self.budget and self.chance(0.2):
            return self.chosen_data()
        return super().fetch()

    def chosen_data(self):
        """?sw_choose among data."""
        hole = self.hole("sw_choose", 0, ())
        plain = [("register", "r", str(at)) for at in range(self.registers)] + [("load", f"{self.lanes - 1} - t"), ("load", "t")]
        options = [plain[int(at)] for at in self.random.permutation(len(plain))[:int(self.pick([2, 3]))]]
        if self.registers > 1 and self.chance(0.3):
            options.append(("op", self.sign, plain[0], plain[1]))
        if self.registers > 1 and self.chance(0.3):
            options[-1] = ("register", "r", self.register())
        return ("choose", hole, *options)
