#!/usr/bin/env python3
"""Signals that tell a formula from its mutants, with Z3: what our search does, done plainly.

    signals_z3.py < PROBLEM

PROBLEM is JSON: `nodes`, the parts of all formulas, operands before what uses them; `formula` and `mutants`, places in it; `step`, the
width of a cell. Time is cut into points and open cells; sample k is the point k/2 steps in where k is even, a cell where it is odd. For each
mutant that no signal has killed yet Z3 is asked for one that satisfies the formula and not the mutant, and if there is none for the
opposite. The signal found is completed, and every other mutant is judged on it. Prints the seconds, the killed mutants, the
mutants left, and the number of signals. Ends with code 3 where Z3 is missing.
"""
import json
import sys
import time
from fractions import Fraction

try:
    import z3
except ImportError:
    sys.exit(3)

sys.setrecursionlimit(100000)
problem = json.load(sys.stdin)
begin = time.process_time()
nodes, step = problem["nodes"], Fraction(problem["step"])
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
samples, memo = {}, {}


def sample(name, place, sort):
    if (name, place) not in samples:
        samples[name, place] = sort("{}@{}".format(name, place))
    return samples[name, place]


def related(form, relation, bound, place):
    terms = [z3.RealVal(factor) * sample(name, place, z3.Real) for name, factor in form.items()]
    total, bound = z3.Sum(terms), z3.RealVal(bound)
    return {"<": total < bound, "<=": total <= bound, ">": total > bound, ">=": total >= bound,
            "==": total == bound, "!=": total != bound}[relation]


def proposition(node, place, wanted):
    if node[0] == "signal":
        value = sample(node[1], place, z3.Bool)
        return value if wanted else z3.Not(value)
    _, form, relation, bound = node
    relation = relation if wanted else OPPOSITE[relation]
    here = related(form, relation, bound, place)
    if place % 2 == 0:
        return here

    def around(loose, strict):
        return z3.And(related(form, loose, bound, place - 1), related(form, strict, bound, place),
                      related(form, loose, bound, place + 1))

    # Throughout a cell: the line between its ends does not leave the half-plane.
    return {"<": lambda: around("<=", "<"), "<=": lambda: around("<=", "<="), ">": lambda: around(">=", ">"),
            ">=": lambda: around(">=", ">="), "==": lambda: around("==", "=="),
            "!=": lambda: z3.Or(around("<=", "<"), around(">=", ">"))}[relation]()


def until(first, second, lower, upper, place, wanted):
    """First until second, from a sample on; the negation where it is not wanted."""
    key = (first, second, lower, upper, place, wanted)
    if key in memo:
        return memo[key]
    both, either = (z3.And, z3.Or) if wanted else (z3.Or, z3.And)
    one = lambda ahead: encoded(first, place + ahead, wanted)
    two = lambda ahead: encoded(second, place + ahead, wanted)
    if upper < lower:
        result = z3.BoolVal(not wanted)
    elif upper == 0:
        result = two(0)
    else:
        later = lambda: until(first, second, max(lower - 1, 0), upper - 1, place + 2, wanted)
        if lower == 0 and place % 2 == 0:
            result = either(two(0), both(one(0), one(1), either(two(1), later())))
        elif lower == 0:
            result = either(two(0), both(one(0), either(two(1), both(one(1), one(2), later()))))
        elif place % 2 == 0:
            result = both(one(0), one(1), later())
        else:
            result = both(one(0), one(1), one(2), later())
    memo[key] = result
    return result


def window(node):
    return [int(Fraction(bound) / step) for bound in node[1]]


def anywhere(part, lower, upper, place, wanted):
    spots = [encoded(part, place + ahead, wanted) for ahead in range(2 * lower, 2 * upper + 1)]
    return z3.Or(spots) if wanted else z3.And(spots)


def encoded(part, place, wanted):
    """That a part holds at a sample, or that it does not."""
    key = (part, place, wanted)
    if key in memo:
        return memo[key]
    node = nodes[part]
    kind = node[0]
    parts = node[-1]
    if kind == "constant":
        result = z3.BoolVal(node[1] == wanted)
    elif kind in ("signal", "compare"):
        result = proposition(node, place, wanted)
    elif kind == "not":
        result = encoded(parts[0], place, not wanted)
    elif kind in ("and", "or", "implies"):
        left = encoded(parts[0], place, wanted != (kind == "implies"))
        right = encoded(parts[1], place, wanted)
        result = z3.And(left, right) if (kind == "and") == wanted else z3.Or(left, right)
    elif kind == "next":
        result = encoded(parts[0], place + 2 * window(node)[0], wanted)
    elif kind == "finally":
        result = anywhere(parts[0], *window(node), place, wanted)
    elif kind == "globally":
        lower, upper = window(node)
        spots = [encoded(parts[0], place + ahead, wanted) for ahead in range(2 * lower, 2 * upper + 1)]
        result = z3.And(spots) if wanted else z3.Or(spots)
    elif kind == "until":
        result = until(parts[0], parts[1], *window(node), place, wanted)
    else:
        # A release: the second may not fail before the first has held.
        result = released(parts, window(node), place, wanted)
    memo[key] = result
    return result


def released(parts, bounds, place, wanted):
    negated = []
    for part in parts:
        nodes.append(["not", [part]])
        negated.append(len(nodes) - 1)
    return until(negated[0], negated[1], *bounds, place, not wanted)


formula, mutants = problem["formula"], problem["mutants"]
killed, left, found = set(), 0, 0
for number, mutant in enumerate(mutants):
    if number in killed:
        continue
    for kind in (True, False):
        solver = z3.Solver()
        solver.add(encoded(formula, 0, kind), encoded(mutant, 0, not kind))
        if solver.check() != z3.sat:
            continue
        model = solver.model()
        found += 1
        for other, candidate in enumerate(mutants):
            if other not in killed and z3.is_true(model.eval(encoded(candidate, 0, not kind), model_completion=True)):
                killed.add(other)
        break
    else:
        left += 1
print(time.process_time() - begin, len(killed), left, found)
