"""Recipes of sketches: registers, how an element is fetched, what the fetched are combined to, where the result goes.

Each index, lane and condition on the way is either a hole of a grammar or a fixed expression.
"""
from rename import in_source_order
from sketch import (Accumulate, Assign, Barrier, For, Hole, If, Int, Registers, Shared, Sketch, Store, StoreShared,
                    Variable)


class Draft:
    def __init__(self, random):
        self.random = random
        self.lanes = int(self.pick([4, 4, 4, 8, 8, 6, 3]))
        self.toy = self.lanes == 8 and self.chance(0.3)
        self.blocks = 2 if self.lanes <= 4 and self.chance(0.2) else 1
        self.loop = int(self.pick([1, 2, 3, 4])) if self.chance(0.6) else 0
        self.registers = int(self.pick([1, 2, 2, 3, 4]))
        self.holes = []
        self.budget = int(self.pick([1, 2, 2, 3]))
        self.named = False    # whether there is a `p`, the value of a hole that others depend on
        self.inputs = self.lanes * self.registers * self.blocks
        self.shared = self.chance(0.2)
        self.sign = str(self.pick(["+", "+", "+", "^", "^", "-", "max", "min", "*", "|", "&"]))

    def pick(self, options):
        return options[int(self.random.integers(len(options)))]

    def chance(self, p):
        return self.random.random() < p

    def variables(self):
        """Some of the variables in scope, for a hole to depend on."""
        scope = ["t"] + (["k"] if self.loop > 1 else []) + (["b"] if self.blocks > 1 else [])
        scope += ["p"] if self.named else []
        chosen = [name for name in scope if self.chance(0.75)]
        return tuple(chosen or [self.pick(scope)])

    def hole(self, kind, n, arguments):
        self.holes.append(Hole(kind, n, tuple(arguments)))
        return "{h%d}" % (len(self.holes) - 1)

    def wants_hole(self):
        return len(self.holes) < self.budget and self.chance(0.7)

    def condition(self):
        if len(self.holes) < self.budget and self.chance(0.85):
            return self.hole("sw_cond", 0, self.variables())
        return str(self.pick(["true", "t < 2", "t % 2 == 0"] + (["k < t", "k == 0"] if self.loop > 1 else [])))

    def constant(self, low, high, otherwise):
        """A plain integer, now and then ?sw_const in [low, high)."""
        if self.chance(0.15) and len(self.holes) < self.budget and high - low > 1:
            self.holes.append(Hole("sw_const", high, (), low))
            return "{h%d}" % (len(self.holes) - 1)
        return str(otherwise)

    def lane(self):
        """An index of a lane, of a word or of an output: in [0, lanes)."""
        if self.wants_hole():
            kind = str(self.pick(["sw_xform", "sw_xform", "sw_xor", "sw_linear", "sw_xform_extra"]))
            index, others = "t", ["k"] if self.loop > 1 and self.chance(0.7) else []
            others += ["p"] if self.named and self.chance(0.7) else []
            others += ["b"] if self.blocks > 1 and self.chance(0.3) else []
            if kind == "sw_linear":     # each bit that an argument may have makes eight times as many tables
                others = others[:1]
            return self.hole(kind, self.lanes, [index] + others)
        step = self.constant(-1, 4, 1) if self.chance(0.4) else "1"
        if "h" in step:
            return f"(t + {step} + {self.lanes}) % {self.lanes}"
        plain = [f"{self.lanes - 1} - t", f"(t + 1) % {self.lanes}", "t", "t / 2"]
        return str(self.pick(plain + ([f"(t + k) % {self.lanes}"] if self.loop > 1 else [])))

    def register(self):
        if self.registers == 1:
            return "0"
        if self.wants_hole():
            if self.loop == self.registers and self.chance(0.4):
                return self.hole(str(self.pick(["sw_xform", "sw_xor", "sw_linear", "sw_xform_extra"])), self.registers, ["k", "t"])
            return self.hole("sw_part", self.registers, self.variables())
        return str(self.pick(["0", f"t % {self.registers}"] + ([f"k % {self.registers}"] if self.loop > 1 else [])))

    def fetch(self):
        """One element, from a register of this or another lane, from shared memory or straight from x."""
        kind = self.random.random()
        if self.shared and kind < 0.6:
            return ("shared", "tile", self.lane())
        own = ("register", "r", self.register())
        if kind < 0.07:
            return ("shuffle", ("shuffle", own, self.lane(), ""), self.lane(), "")
        if kind < 0.5:
            return ("shuffle", own, self.lane(), "")
        if kind < 0.6:
            delta = self.constant(0, 4, self.pick(["1", "2"]))
            kinds = ["_xor", "_up"] if self.toy else ["_xor", "_down", "_up"]
            return ("shuffle", own, delta, str(self.pick(kinds)))
        if kind < 0.7:
            return ("load", self.lane())
        if kind < 0.75:
            return ("select", self.condition(), own, ("register", "r", "0"))
        return own

    def sketch(self):
        body = self.name_a_hole() + self.load()
        combine = self.pick([self.direct, self.accumulate, self.accumulate, self.guarded, self.guarded, self.either, self.nested,
                             self.permuted, self.transposed, self.overwritten])
        body += combine()
        outputs = self.blocks * self.lanes * (self.loop or 1) if self.spread_out else self.blocks * self.lanes
        return in_source_order(Sketch(self.lanes, self.holes, body, self.inputs, outputs, [None] * outputs, self.blocks,
                                      self.toy))

    def name_a_hole(self):
        """Now and then a hole of its own in front, on whose value the others may depend."""
        if self.budget < 2 or not self.chance(0.12):
            return []
        value = self.hole("sw_part", 2, ("t",)) if self.chance(0.5) else self.hole("sw_xform", self.lanes, ("t",))
        self.named = True
        return [Int("p", value)]

    def load(self):
        self.spread_out = False
        lanes = self.lanes
        plain = [f"t + {lanes * i}" if i else "t" for i in range(self.registers)]
        slices = [f"t * {self.registers} + {i}" if i else f"t * {self.registers}" for i in range(self.registers)]
        if self.blocks > 1:
            plain, slices = [[f"b * {lanes * self.registers} + {index}" for index in p] for p in (plain, slices)]
        values = [("load", index) for index in (plain if self.chance(0.7) else slices)]
        if self.chance(0.15):
            values[-1] = ("load", f"t + {self.constant(-1, self.inputs, 0)}")
        if self.registers > 1 and self.chance(0.15):
            body = [Registers("r", str(self.registers), [])] + [
                Assign("r", v, index=str(i)) for i, v in enumerate(values[:-1])]
            last = self.registers - 1
            body.append(If(str(self.pick(["t < 2", "t > 0", "t != 1"])), [Assign("r", values[-1], index=str(last))]))
        else:
            body = [Registers("r", str(self.registers), values)]
        if self.shared:
            loop, self.loop = self.loop, 0
            store = StoreShared("tile", self.lane(), ("register", "r", self.register()))
            self.loop = loop
            body += [Shared("tile", self.lanes), store] + ([Barrier()] if self.chance(0.95) else [])
        return body

    def in_loop(self, body):
        if not self.loop:
            return body
        end = str(self.loop) if self.spread_out else self.constant(max(self.loop - 1, 1), self.loop + 2, self.loop)
        return [For("k", end, body)]

    def out(self):
        return self.at_block("t" if self.chance(0.8) else self.out_lane())

    def out_lane(self):
        """A lane's index that no loop's variable stands in."""
        loop, self.loop = self.loop, 0
        at = self.lane()
        self.loop = loop
        return at

    def direct(self):
        """y[…] = fetch, once or in each iteration."""
        self.spread_out = self.loop > 0
        if not self.loop:
            return [Store(self.out(), self.fetch())]
        at = f"t * {self.loop} + k" if self.chance(0.5) else f"k * {self.lanes} + t"
        at = f"b * {self.lanes * self.loop} + {at}" if self.blocks > 1 else at
        return self.in_loop([Store(at, self.fetch())])

    def accumulate(self):
        value = self.fetch()
        if self.chance(0.25):
            value = ("op", str(self.pick(["*", "&", "+", "max"])), value, self.fetch())
        return self.start() + self.in_loop([Accumulate("s", self.sign, value)]) + self.finish()

    def guarded(self):
        before, values = self.before_condition(2 if self.chance(0.3) else 1)
        then, *other = [[Accumulate("s", self.sign, value)] for value in values]
        body = before + [If(self.condition(), then, *other)]
        return self.start() + self.in_loop(body) + self.finish()

    def either(self):
        before, (then, other) = self.before_condition(2)
        body = before + [If(self.condition(), [Assign("s", then)], [Assign("s", other)])]
        return self.start() + self.in_loop(body) + self.finish()

    def nested(self):
        """A condition in a condition."""
        before, values = self.before_condition(2, named=1)    # used twice, and a hole is one place
        inner, other = [Accumulate("s", self.sign, values[0])], [Accumulate("s", self.sign, values[1])]
        within = If(self.condition(), inner, other if self.chance(0.5) else [])
        first = [] if self.chance(0.5) else [Accumulate("s", self.sign, values[1])]
        body = before + [If(self.condition(), first + [within], other if self.chance(0.3) else [])]
        return self.start() + self.in_loop(body) + self.finish()

    def permuted(self):
        """Registers are stored to, and stored from, at indices of holes."""
        self.loop = self.registers
        if self.loop < 2:
            return self.direct()
        kind = str(self.pick(["sw_xform", "sw_xor", "sw_linear", "sw_xform_extra"]))
        to = self.hole(kind, self.loop, ["k", "t"]) if self.chance(0.7) else "k"
        body = [Registers("q", str(self.loop), []), For("k", str(self.loop), [Assign("q", self.fetch(), index=to)])]
        at = self.hole(kind, self.loop, ["k", "t"]) if len(self.holes) < 2 and self.chance(0.5) else "k"
        self.spread_out = True
        y = f"t * {self.loop} + k" if self.chance(0.5) else f"k * {self.lanes} + t"
        y = f"b * {self.lanes * self.loop} + {y}" if self.blocks > 1 else y
        return body + [For("k", str(self.loop), [Store(y, ("register", "q", at))])]

    def transposed(self):
        """A tile that is stored to by rows and loaded by columns, at columns of holes."""
        self.loop = self.lanes if self.lanes <= 4 else 2
        self.budget = max(self.budget, 2)
        self.spread_out = True
        column = self.hole(str(self.pick(["sw_xor", "sw_xform", "sw_linear"])), self.lanes, ["t", "k"])
        back = self.hole(str(self.pick(["sw_xor", "sw_xform"])), self.lanes, ["t", "k"]) if self.chance(0.6) else "t"
        value = ("register", "r", f"k % {self.registers}") if self.chance(0.5) else ("load", f"(k * 2 + t) % {self.inputs}")
        store = StoreShared("board", f"k * {self.lanes} + {column}", value)
        y = f"k * {self.lanes} + t"
        y = f"b * {self.lanes * self.loop} + {y}" if self.blocks > 1 else y
        load = Store(y, ("shared", "board", f"k * {self.lanes} + {back}"))
        return [Shared("board", self.lanes * self.loop), For("k", str(self.loop), [store]), Barrier(),
                For("k", str(self.loop), [load])]

    def overwritten(self):
        """Each thread stores to y twice, or to where a hole says under a condition."""
        self.loop = 0
        first = Store(self.at_block("t"), self.fetch())
        if self.chance(0.5):
            return [first, If(self.condition(), [Store(self.at_block("t"), ("register", "r", "0"))])]
        return [first, Store(self.at_block(self.out_lane()), ("register", "r", "0"))]

    def at_block(self, at):
        return f"b * {self.lanes} + {at}" if self.blocks > 1 else at

    def before_condition(self, count, named=0.2):
        """Values that a condition chooses among. All lanes take part in a shuffle, so that it stands in front."""
        before, values = [], []
        for at in range(count):
            value = self.fetch()
            if value[0] == "shuffle" or self.chance(named):
                before.append(Variable(f"v{at}", value))
                value = ("variable", f"v{at}")
            values.append(value)
        return before, values

    def start(self):
        if self.sign in ("max", "min", "*", "|", "&") or self.chance(0.2):
            return [Variable("s", ("register", "r", "0"))]
        return [Variable("s", ("constant", 0))]

    def finish(self):
        return [Store(self.out(), ("variable", "s"))]
