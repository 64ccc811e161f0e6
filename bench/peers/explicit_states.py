#!/usr/bin/env python3
"""Refinement of action systems over explicit states, in plain Python: `explicit_states.py MODEL.pl MUTANTS...`.

Reads the Prolog notation, explores the reachable states of the model breadth first, and looks for each mutant for a
shortest trace to a state from which the mutant can make a step that the model cannot. Prints one line for each
mutant (`killed DEPTH` or `conforms`) and the number of states at the end. Written for measuring: only what the shipped
models need.
"""
import itertools
import re
import sys

TOKEN = re.compile(r"\s+|%[^\n]*|('[^']*'|[A-Za-z_]\w*|\d+|\.\.|#=<|#>=|#\\=|#/\\|#\\/|#\\|#=|#<|#>|=>|::|:=|:-|.)")
OPERATORS = {"#=": "==", "#\\=": "!=", "#=<": "<=", "#>=": ">=", "#<": "<", "#>": ">", "#/\\": " and ",
             "#\\/": " or ", "#\\": " not ", "/": "//", "true": "True", "false": "False", "fail": "False"}


def clauses(text):
    words = [match.group(1) for match in TOKEN.finditer(text) if match.group(1)]
    clause = []
    for word in words:
        if word == ".":
            yield clause
            clause = []
        else:
            clause.append(word)


def name(word):
    return word.strip("'")


def items(words):
    """Splits at commas outside of brackets."""
    part, depth = [], 0
    for word in words:
        depth += word in ("(", "[")
        depth -= word in (")", "]")
        if word == "," and depth == 0:
            yield part
            part = []
        else:
            part.append(word)
    if part:
        yield part


def inside(words, opening):
    """What stands between a bracket and its partner, and the place behind it."""
    depth = 0
    for place in range(opening, len(words)):
        depth += words[place] in ("(", "[")
        depth -= words[place] in (")", "]")
        if depth == 0:
            return words[opening + 1:place], place + 1
    raise SyntaxError("a bracket is left open")


class Body:
    """Statements, as functions from the values of variables and parameters to all values they may lead to."""

    def __init__(self, model, words):
        self.model, self.words, self.place = model, words, 0

    def expression(self, words):
        text = " ".join(OPERATORS.get(word, f"v[{word!r}]" if re.match("[A-Za-z_]", word) and word not in OPERATORS
                                      else word) for word in words)
        return eval(f"lambda v: {text}")

    def peek(self):
        return self.words[self.place] if self.place < len(self.words) else None

    def choice(self):
        parts = [self.sequence()]
        while self.peek() == ";":
            self.place += 1
            parts.append(self.sequence())
        return parts[0] if len(parts) == 1 else lambda v: [after for part in parts for after in part(v)]

    def sequence(self):
        parts = [self.unit()]
        while self.peek() == ",":
            self.place += 1
            parts.append(self.unit())

        def run(v):
            values = [v]
            for part in parts:
                values = [after for one in values for after in part(one)]
            return values
        return run

    def unit(self):
        depth = 0
        for place in range(self.place, len(self.words)):
            word = self.words[place]
            depth += word in ("(", "[")
            depth -= word in (")", "]")
            if depth < 0 or (depth == 0 and word in (",", ";")):
                break
            if depth == 0 and word == "=>":
                guard = self.expression(self.words[self.place:place])
                self.place = place + 1
                body = self.unit()
                return lambda v: body(v) if guard(v) else []
        if self.peek() == "(":
            self.place += 1
            group = self.choice()
            self.place += 1
            return group
        if self.peek() == "skip":
            self.place += 1
            return lambda v: [v]
        variable, end, depth = name(self.words[self.place]), self.place + 2, 0
        while end < len(self.words) and not (depth == 0 and self.words[end] in (",", ";", ")")):
            depth += self.words[end] == "("
            depth -= self.words[end] == ")"
            end += 1
        value = self.expression(self.words[self.place + 2:end])
        self.place = end
        return lambda v: [{**v, variable: value(v)}]


class Model:
    def __init__(self, text):
        self.types, self.variables, self.actions, self.calls = {}, {}, {}, []
        for words in clauses(text):
            head = words[0]
            if head == "var":
                listed, behind = inside(words, 2)
                self.variables.update({name(part[0]): name(words[behind + 1]) for part in items(listed)})
            elif head == "state_def":
                self.order = [name(part[0]) for part in items(inside(words, 2)[0])]
            elif head == "init":
                self.initial = tuple(int("".join(part)) for part in items(inside(words, 2)[0]))
            elif head == "type":
                dots = words.index("..")
                self.types[name(words[2])] = (int(words[dots - 1]), int(words[dots + 1]))
            elif head == "as":
                self.system(words)
        self.bounds = [self.types[self.variables[one]] for one in self.order]

    def system(self, words):
        for action in items(inside(words, words.index("actions") + 1)[0]):
            colons = action.index("::") if "::" in action else [*zip(action, action[1:])].index((":", ":"))
            body = action[colons + (1 if "::" in action else 2):]
            parameters = [name(part[0]) for part in items(action[2:colons - 1])] if colons > 1 else []
            self.actions[name(action[0])] = (parameters, Body(self, body).choice(), " ".join(action))
        call, depth, block = [], 0, inside(words, words.index("dood") + 1)[0]
        for word in block + [";"]:
            depth += word in ("(", "[")
            depth -= word in (")", "]")
            if word == ";" and depth == 0:
                self.calls.append(self.call(call))
                call = []
            else:
                call.append(word)

    def call(self, words):
        binders, place = {}, 0
        if words[0] == "[":
            listed, place = inside(words, 0)
            binders = {part[0]: name(part[2]) for part in items(listed)}
            place += 1
        arguments = ["".join(part) for part in items(inside(words, place + 1)[0])] if place + 1 < len(words) else []
        return name(words[place]), [binders.get(one, one) for one in arguments], " ".join(words)

    def steps(self, state, calls):
        found = set()
        values = dict(zip(self.order, state))
        for action, arguments, _ in calls:
            parameters, body, _ = self.actions[action]
            ranges = [range(self.types[one][0], self.types[one][1] + 1) if one in self.types else (int(one),)
                      for one in arguments]
            for given in itertools.product(*ranges):
                for after in body({**values, **dict(zip(parameters, given))}):
                    post = tuple(after[one] for one in self.order)
                    if all(low <= one <= high for one, (low, high) in zip(post, self.bounds)):
                        found.add((action, given, post))
        return found


def main():
    model = Model(open(sys.argv[1]).read())
    depths, queue, known = {model.initial: 0}, [model.initial], {}
    for state in queue:
        known[state] = model.steps(state, model.calls)
        for _, _, post in sorted(known[state]):
            if post not in depths:
                depths[post] = depths[state] + 1
                queue.append(post)
    for path in sys.argv[2:]:
        mutant = Model(open(path).read())
        ours = {(text, model.actions[action][2]) for action, _, text in model.calls}
        changed = [call for call in mutant.calls if (call[2], mutant.actions[call[0]][2]) not in ours]
        depth = next((depths[state] for state in queue if not mutant.steps(state, changed) <= known[state]), None)
        print("conforms" if depth is None else f"killed {depth}")
    print(len(queue), "states")


main()
