"""A group of elevators in Python with the adapter that the tests of elevator_group.as need.

The variable ELEVATOR_FAULT builds a mistake in:
  double   a call is given to a cabin although another one has it
  ajar     a cabin is sent and moves although its door is open
  blind    the light of a call stays on when a cabin has opened there
  early    a cabin opens one level below the one it is sent to
  stuck    the door of the last cabin does not shut
  skipping a cabin that goes down passes a level
The variable ELEVATOR_ORDER chooses the order in which the cabins act.
"""
import os
import random

TOP, CABINS = 3, 2
ORDER = random.Random(int(os.environ.get("ELEVATOR_ORDER", "0")))


class Adapter:
    def __init__(self):
        self.fault = os.environ.get("ELEVATOR_FAULT", "")

    def reset(self):
        self.calls = set()
        self.levels = [0] * CABINS
        self.goals = [None] * CABINS
        self.doors = [False] * CABINS

    def give(self, label):
        level = int(label[len("press("):-1])
        if level in self.calls:
            return False
        self.calls.add(level)
        return True

    def watch(self, seconds):
        """What a cabin does next. A tester that does not wait is mostly faster than the cabins."""
        able = [act for cabin in range(CABINS) for act in self.acts(cabin)]
        if not able or (seconds == 0 and ORDER.random() < 0.8):
            return None
        label, change = ORDER.choice(able)
        change()
        return label

    def acts(self, cabin):
        level, goal, is_open = self.levels[cabin], self.goals[cabin], self.doors[cabin]
        may_move = not is_open or self.fault == "ajar"
        if goal is None and may_move:
            for call in sorted(self.calls):
                if call not in self.goals or self.fault == "double":
                    yield f"sent({cabin},{call})", lambda call=call: self.send(cabin, call)
        elif goal is not None and may_move:
            target = max(goal - 1, 0) if self.fault == "early" and goal > level else goal
            if level < target:
                yield f"up({cabin})", lambda: self.move(cabin, 1)
            elif target < level:
                yield f"down({cabin})", lambda: self.move(cabin, -1)
            elif not is_open:
                yield f"opens({cabin})", lambda: self.open(cabin)
        if is_open and not (self.fault == "stuck" and cabin == CABINS - 1):
            yield f"shuts({cabin})", lambda: self.shut(cabin)

    def send(self, cabin, call):
        self.goals[cabin] = call

    def move(self, cabin, by):
        self.levels[cabin] += by
        if self.fault == "skipping" and by < 0 and self.levels[cabin] > (self.goals[cabin] or 0):
            self.levels[cabin] += by

    def open(self, cabin):
        self.doors[cabin] = True
        if self.fault != "blind":
            self.calls.discard(self.goals[cabin])
        self.goals[cabin] = None

    def shut(self, cabin):
        self.doors[cabin] = False

    def state(self):
        return None
