#!/usr/bin/env python3
"""Signals drawn from a formula of signal temporal logic, and a check that the formula judges them as the suite says.

    python3 FILE              every signal is judged by the evaluator in this file, exactly, over dense time
    python3 FILE --rtamt      the temporal operators are judged by RTAMT besides (pip install rtamt)
    pytest FILE               the same as tests

Another program may judge the signals too: `cases()` gives each one with its name, its signals and the expected verdict.
"""
import sys
from bisect import bisect_right
from fractions import Fraction
from math import gcd

# What the formula is made of, operands before what uses them; the last one is the whole.
NODES = @NODES@

# Signals: points of a real one are (time, value), and two at one time are a jump; steps of a Boolean one (time, value at it, value after
# it). Last values are held.
TESTS = @TESTS@

RELATIONS = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
}
# With more samples than this, RTAMT is not asked.
MOST_SAMPLES = 20000


def value_of(points, time):
    """A real signal at a time: straight between points; of two points at one time the second counts."""
    place = bisect_right([point[0] for point in points], time) - 1
    before = points[place]
    if place + 1 == len(points):
        return before[1]
    after = points[place + 1]
    return before[1] + (after[1] - before[1]) * (time - before[0]) / (after[0] - before[0])


class Truth:
    """When something holds: a value at each of some times, and one after it up to the next."""

    def __init__(self, times, holds):
        """From the times at which it may change, and what tells whether it holds at a time."""
        self.times = sorted({Fraction(0)} | {time for time in times if time > 0})
        self.at = [holds(time) for time in self.times]
        middles = [(first + second) / 2 for first, second in zip(self.times, self.times[1:])]
        self.after = [holds(time) for time in middles + [self.times[-1] + 1]]

    def __call__(self, time):
        place = bisect_right(self.times, time) - 1
        return self.at[place] if self.times[place] == time else self.after[place]


def moments(first, last, truths):
    """The times from `first` to `last` at which something may change, with the stretches between: (time, is a stretch)."""
    if last < first:
        return
    inside = {time for truth in truths for time in truth.times if first < time < last}
    times = sorted({first, last} | inside)
    for place, time in enumerate(times):
        yield time, False
        if place + 1 < len(times):
            yield (time + times[place + 1]) / 2, True


def until(first, second, lower, upper, now):
    """Whether the second holds at some time in the window, and the first at all times before that one, from now on."""
    if upper < lower:
        return False
    so_far = True
    steps = [(now, now + lower), (now + lower, now + upper)] if 0 < lower else [(now, now + upper)]
    seen = set()
    for start, end in steps:
        for time, stretch in moments(start, end, (first, second)):
            if time in seen:
                continue
            seen.add(time)
            # Inside a stretch the first must hold on the part that has passed.
            enough = so_far and (not stretch or first(time))
            if now + lower <= time and enough and second(time):
                return True
            so_far = so_far and first(time)
            if not so_far and now + lower < time:
                return False
    return False


def since(first, second, lower, upper, now):
    """Whether the second held at some time that lies so far back, and the first at all times since that one, now included."""
    for time, stretch in moments(max(now - upper, Fraction(0)), now - lower, (first, second)):
        # Inside a stretch the first must hold on the part that is left of it.
        begin = all(first(other) for other, _ in moments(time, now, (first,)) if time < other)
        if second(time) and begin and (not stretch or time == now or first(time)):
            return True
    return False


def proposition(node, signals):
    kind = node[0]
    if kind == "signal":
        steps = signals[node[1]]
        times = [step[0] for step in steps]

        def holds(time):
            place = bisect_right(times, time) - 1
            return steps[place][1] if times[place] == time else steps[place][2]

        return Truth(times, holds)
    _, form, relation, bound = node
    bound = Fraction(bound)
    parts = [(Fraction(factor), signals[name]) for name, factor in form.items()]

    def difference(time):
        return sum(factor * value_of(points, time) for factor, points in parts) - bound

    def coming(time):
        """What the difference comes near to just before a time: of two points at it the first counts."""
        total = -bound
        for factor, points in parts:
            here = [value for at, value in points if at == time]
            total += factor * (here[0] if here else value_of(points, time))
        return total

    times = sorted({point[0] for _, points in parts for point in points})
    crossings = []
    for before, after in zip(times, times[1:]):
        first, second = difference(before), coming(after)
        if first * second < 0:
            crossings.append(before + (after - before) * first / (first - second))
    return Truth(times + crossings, lambda time: RELATIONS[relation](difference(time), 0))


def judged(signals):
    """When each part of the formula holds."""
    truths = []
    for node in NODES:
        kind = node[0]
        if kind in ("signal", "compare"):
            truths.append(proposition(node, signals))
            continue
        if kind == "constant":
            truths.append(Truth([], lambda _, truth=node[1]: truth))
            continue
        operands = [truths[place] for place in node[-1]]
        changes = [time for truth in operands for time in truth.times]
        longest = max(changes, default=Fraction(0)) + 1
        window = [longest if bound == "inf" else Fraction(bound) for bound in node[1]] if 2 < len(node) else []
        past = kind in ("once", "historically", "since")
        if past and node[1][1] == "inf":
            window[1] += window[0]
        times = changes + [time + bound if past else time - bound for time in changes for bound in window]
        first, second = operands[0], operands[-1]
        rules = {
            "not": lambda now: not first(now),
            "and": lambda now: first(now) and second(now),
            "or": lambda now: first(now) or second(now),
            "implies": lambda now: not first(now) or second(now),
            "next": lambda now: first(now + window[0]),
            "finally": lambda now: any(first(time) for time, _ in moments(now + window[0], now + window[1], (first,))),
            "globally": lambda now: all(first(time) for time, _ in moments(now + window[0], now + window[1], (first,))),
            "until": lambda now: until(first, second, window[0], window[1], now),
            "once": lambda now: any(first(time) for time, _ in moments(max(now - window[1], Fraction(0)), now - window[0], (first,))),
            "historically": lambda now: all(first(time) for time, _ in moments(max(now - window[1], Fraction(0)), now - window[0], (first,))),
            "since": lambda now: since(first, second, window[0], window[1], now),
        }
        if kind == "release":
            refused = [Truth(one.times, lambda time, one=one: not one(time)) for one in operands]
            truths.append(Truth(times, lambda now: not until(refused[0], refused[1], window[0], window[1], now)))
        else:
            truths.append(Truth(times, rules[kind]))
    return truths


def cases():
    """The tests: name, signals with exact fractions, expected verdict."""
    def exact(point):
        return tuple(one if isinstance(one, bool) else Fraction(one) for one in point)

    for name, signals, expected in TESTS:
        yield name, {signal: [exact(point) for point in points] for signal, points in signals.items()}, expected


def in_rtamt(node, parts, step):
    """A node in RTAMT's words, over samples at points and, in between, for stretches."""
    kind, operands = node[0], [parts[place] for place in node[-1]]
    window = "[{}:{}]".format(*[int(Fraction(bound) / step) for bound in (node[1] * 2)[:2]]) if 2 < len(node) else ""
    first, second = operands[0], operands[-1]
    if kind == "until":
        # Within a stretch the first must hold on the part that has passed; RTAMT knows samples only.
        whole = "(({0}) until{2} (({1}) and (({0}) or (is_point > 0))))".format(first, second, window)
        return "(({}) or {})".format(second, whole) if Fraction(node[1][0]) == 0 else whole
    return {
        "not": "(not({}))",
        "and": "(({}) and ({}))",
        "or": "(({}) or ({}))",
        "implies": "(({}) implies ({}))",
        "next": "(eventually{1} ({0}))",
        "finally": "(eventually{1} ({0}))",
        "globally": "(always{1} ({0}))",
    }[kind].format(*([first, window] if window else operands))


def rtamt_says(signals):
    """RTAMT's verdict; none where the signals would need too many samples or the formula has a release, an empty window or
    looks back."""
    import rtamt

    if any(node[0] in ("once", "historically", "since") for node in NODES):
        return None
    truths = judged(signals)
    windows = [bound for node in NODES if node[0] not in ("signal", "compare", "constant") and 2 < len(node) for bound in node[1]]
    inverted = [node for node in NODES if node[0] in ("finally", "globally", "until") and Fraction(node[1][1]) < Fraction(node[1][0])]
    if inverted or any(node[0] in ("release", "constant") for node in NODES):
        return None
    atoms = [place for place, node in enumerate(NODES) if node[0] in ("signal", "compare")]
    times = [time for place in atoms for time in truths[place].times] + [Fraction(bound) for bound in windows]
    unit = 1
    for time in times:
        unit = unit * time.denominator // gcd(unit, time.denominator)
    # Two samples for each step: one at the point, one for the stretch after it.
    step = Fraction(gcd(*[int(time * unit) for time in times]) or unit, unit) / 2
    end = max(times) + sum(Fraction(bound) for bound in windows) + 2 * step
    count = int(end / step) + 1
    if MOST_SAMPLES < count:
        return None
    spec = rtamt.StlDiscreteTimeOfflineSpecification()
    data = {"time": list(range(count)), "is_point": [1.0 if sample % 2 == 0 else -1.0 for sample in range(count)]}
    parts = []
    for place, node in enumerate(NODES):
        if place in atoms:
            name = "p{}".format(place)
            data[name] = [1.0 if truths[place](sample * step) else -1.0 for sample in range(count)]
            parts.append("({} > 0)".format(name))
        else:
            parts.append(in_rtamt(node, parts, step))
    for name in data:
        if name != "time":
            spec.declare_var(name, "float")
    spec.declare_var("out", "float")
    spec.spec = "out = " + parts[-1]
    spec.parse()
    return spec.evaluate(data)[0][1] > 0


def test_signals():
    for name, signals, expected in cases():
        assert judged(signals)[-1](Fraction(0)) == expected, name


def main():
    ask_rtamt = "--rtamt" in sys.argv[1:]
    wrong = 0
    for name, signals, expected in cases():
        verdicts = {"this file": judged(signals)[-1](Fraction(0))}
        if ask_rtamt:
            verdicts["RTAMT"] = rtamt_says(signals)
        for judge, verdict in verdicts.items():
            if verdict is not None and verdict != expected:
                wrong += 1
                print("{}: expected {}, {} says {}".format(name, expected, judge, verdict))
        asked = "" if verdicts.get("RTAMT") is None else " (RTAMT too)"
        print("{}: {}{}".format(name, "satisfies the formula" if expected else "violates the formula", asked))
    print("{} signals, {} disagreements".format(len(TESTS), wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
