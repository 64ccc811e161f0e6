"""The decoder and the quadratic example as constraints for Z3: one variable per stream and slot, as in G. Bergmann,
"Automatic test case generation for TeSSLa specifications via SMT solving" (Luebeck, 2019), with its errata corrected.

    python3 traces_z3.py decoder iterative N     every decision, one query each
    python3 traces_z3.py decoder simple N        one model
    python3 traces_z3.py quadratic simple N

Prints one line of JSON: seconds of processor time from the start of the encoding, tests, goals covered, variables, constraints."""
import json
import sys
import time

import z3


class Grid:
    def __init__(self, slots):
        self.slots = slots
        self.solver = z3.Solver()
        self.variables = 0
        self.constraints = 0
        self.goals = {}
        self.streams = {}
        self.times = [self.integer("t%d" % i) for i in range(slots)]
        self.add(self.times[0] == 0)
        for before, after in zip(self.times, self.times[1:]):
            self.add(before < after)

    def add(self, *facts):
        self.constraints += len(facts)
        self.solver.add(*facts)

    def boolean(self, name):
        self.variables += 1
        return z3.Bool(name)

    def integer(self, name):
        self.variables += 1
        return z3.Int(name)

    def stream(self, name, sort):
        """Declares a stream: whether it has an event at each slot, and its value."""
        valid = [self.boolean("%s.v%d" % (name, i)) for i in range(self.slots)]
        make = {"int": self.integer, "bool": self.boolean, "unit": None}[sort]
        datum = [make("%s.d%d" % (name, i)) if make else None for i in range(self.slots)]
        self.streams[name] = (valid, datum)
        return self.streams[name]

    def equation(self, name, cells):
        """Fixes a stream: `cells(i)` gives validity and value."""
        valid, datum = self.streams[name]
        for i in range(self.slots):
            v, d = cells(i)
            self.add(valid[i] == v)
            if datum[i] is not None:
                self.add(z3.Implies(valid[i], datum[i] == d))

    def last(self, name, value, trigger):
        valid, datum = self.streams[name]
        value_v, value_d = self.streams[value]
        trigger_v, _ = self.streams[trigger]
        memory = [self.boolean("%s.m%d" % (name, i)) for i in range(self.slots)]
        self.add(memory[0] == False)  # noqa: E712
        for i in range(self.slots):
            if i:
                self.add(memory[i] == z3.Or(memory[i - 1], value_v[i - 1]))
                self.add(datum[i] == z3.If(value_v[i - 1], value_d[i - 1], datum[i - 1]))
            self.add(valid[i] == z3.And(trigger_v[i], memory[i]))

    def delay(self, name, amount, resets):
        valid, _ = self.streams[name]
        reset_v, _ = self.streams[resets]
        fire = [self.integer("%s.f%d" % (name, i)) for i in range(self.slots)]
        is_set = [self.boolean("%s.r%d" % (name, i)) for i in range(self.slots)]
        self.add(fire[0] == -1)
        for i in range(self.slots):
            fires = fire[i] == self.times[i]
            self.add(valid[i] == fires, is_set[i] == z3.Or(reset_v[i], fires))
            self.add(z3.Or(fire[i] == -1, self.times[i] <= fire[i]))
            if i:
                # The amount comes with the reset itself; a timer that runs out without one is off.
                start = z3.If(reset_v[i - 1], self.times[i - 1] + amount, z3.IntVal(-1))
                self.add(fire[i] == z3.If(is_set[i - 1], start, fire[i - 1]))

    def decide(self, site, slot, parent, condition):
        """A decision: its outcomes become goals. Returns the two branch variables."""
        left = self.boolean("%s.left%d" % (site, slot))
        right = self.boolean("%s.right%d" % (site, slot))
        self.add(left == z3.And(parent, condition), right == z3.And(parent, z3.Not(condition)))
        for outcome, branch in ((True, left), (False, right)):
            once = self.boolean("%s.once%s%d" % (site, outcome, slot))
            chain = self.goals.setdefault((site, outcome), [])
            self.add(once == (z3.Or(chain[-1], branch) if chain else branch))
            chain.append(once)
        return left, right


def decoder(slots):
    g = Grid(slots)
    for name, sort in [("wire", "unit"), ("isInterval", "bool"), ("outside", "bool"), ("before", "bool"),
                       ("begins", "bool"), ("held", "bool"), ("known", "bool"), ("first", "unit"), ("timer", "unit"),
                       ("counted", "int"), ("next", "int"), ("counter", "int"), ("freq", "int"),
                       ("decoded", "int"), ("decodeErr", "unit")]:
        g.stream(name, sort)
    s = g.streams
    v = lambda name, i: s[name][0][i]
    d = lambda name, i: s[name][1][i]
    start = lambda i: z3.BoolVal(i == 0)
    g.equation("isInterval", lambda i: (z3.Or(v("wire", i), v("timer", i), start(i)), v("wire", i)))
    g.equation("outside", lambda i: (v("isInterval", i), z3.Not(d("isInterval", i))))
    g.last("before", "outside", "wire")
    g.equation("begins", lambda i: (z3.Or(start(i), v("before", i)), z3.If(start(i), True, d("before", i))))
    g.last("held", "begins", "wire")
    g.equation("known", lambda i: (z3.Or(v("begins", i), v("held", i)), z3.If(v("begins", i), d("begins", i), d("held", i))))

    def keep(i):
        trigger = z3.Or(v("wire", i), v("known", i))
        _, there = g.decide("F1", i, trigger, z3.Not(v("known", i)))
        holds, _ = g.decide("F2", i, there, d("known", i))
        return z3.And(holds, v("wire", i)), None
    g.equation("first", keep)
    g.delay("timer", 10, "first")
    g.last("counted", "counter", "wire")

    def count(i):
        trigger = z3.Or(v("counted", i), v("timer", i))
        _, cleared = g.decide("R1", i, trigger, z3.Not(v("timer", i)))
        g.decide("R2", i, cleared, z3.Not(v("counted", i)))
        zero = z3.If(v("counted", i), z3.IntVal(1), z3.IntVal(0))
        return trigger, z3.If(v("timer", i), zero, d("counted", i) + 1)
    g.equation("next", count)
    g.equation("counter", lambda i: (z3.Or(v("next", i), start(i)), z3.If(v("next", i), d("next", i), z3.IntVal(0))))
    g.last("freq", "counter", "timer")

    def decode(i):
        x = d("freq", i)
        one, other = g.decide("D1", i, v("freq", i), x >= 8)
        zero, _ = g.decide("D2", i, other, z3.And(x >= 3, x <= 5))
        return z3.Or(one, zero), z3.If(one, z3.IntVal(1), z3.IntVal(0))
    g.equation("decoded", decode)

    def error(i):
        x = d("freq", i)
        many, other = g.decide("E1", i, v("freq", i), z3.And(x < 8, x > 5))
        few, _ = g.decide("E2", i, other, x < 3)
        return z3.Or(many, few), None
    g.equation("decodeErr", error)
    return g


def quadratic(slots):
    g = Grid(slots)
    for name in ["x", "y", "y0", "x0"]:
        g.stream(name, "int")
    v = lambda name, i: g.streams[name][0][i]
    d = lambda name, i: g.streams[name][1][i]
    g.equation("y", lambda i: (v("x", i), (d("x", i) - 4) * (d("x", i) + 9)))
    g.last("y0", "y", "y")
    g.last("x0", "x", "x")
    for i in range(slots):
        g.add(z3.Implies(v("y", i), d("y", i) == 0), z3.Implies(v("x0", i), d("x", i) != d("x0", i)))
    g.add(z3.Or([v("y", i) for i in range(slots)]), z3.Or([v("y0", i) for i in range(slots)]))
    return g


def iterative(g):
    todo, covered, tests = list(g.goals), set(), 0
    while todo:
        goal = todo[0]
        g.solver.push()
        g.solver.add(g.goals[goal][-1])
        answer = g.solver.check()
        met = set()
        if answer == z3.sat:
            model = g.solver.model()
            met = {other for other in todo if z3.is_true(model.eval(g.goals[other][-1], model_completion=True))}
            tests += 1
        g.solver.pop()
        covered |= met
        todo = [other for other in todo if other not in met and other != goal]
    return tests, len(covered)


def main():
    which, strategy, slots = sys.argv[1], sys.argv[2], int(sys.argv[3])
    began = time.process_time()
    g = {"decoder": decoder, "quadratic": quadratic}[which](slots)
    if strategy == "iterative":
        tests, covered = iterative(g)
    else:
        tests, covered = int(g.solver.check() == z3.sat), 0
    seconds = time.process_time() - began
    print(json.dumps({"seconds": seconds, "tests": tests, "covered": covered, "variables": g.variables,
                      "constraints": g.constraints, "version": z3.get_version_string()}))


main()
