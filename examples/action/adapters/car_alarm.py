"""A car alarm in Python with the adapter that the tests of car_alarm.as need.

The variable CAR_FAULT builds a mistake in: "slow" arms after 30 seconds, "loud" never switches the horn off,
"doors" forgets that the doors are open when the alarm is unlocked.
"""
import os

FLAGS = ("arming", "disarming", "lamps", "horn", "hush")

MOVES = {
    ("close", 0): (1,), ("close", 2): (3,), ("close", 7): (4, "arming"),
    ("open", 1): (0,), ("open", 3): (2,), ("open", 4): (5, "disarming", "lamps", "horn"),
    ("lock", 0): (2,), ("lock", 1): (3,),
    ("unlock", 2): (0,), ("unlock", 3): (1,), ("unlock", 4): (1, "disarming"),
    ("unlock", 5): (0, "lamps", "horn"), ("unlock", 6): (0, "lamps", "horn"), ("unlock", 7): (0,),
    ("after(20)", 3): (4, "arming"), ("after(30)", 5): (6, "hush"), ("after(270)", 6): (7, "lamps", "horn"),
}


class Adapter:
    def __init__(self):
        self.fault = os.environ.get("CAR_FAULT", "")
        self.moves = dict(MOVES)
        if self.fault == "slow":
            self.moves["after(30)", 3] = self.moves.pop(("after(20)", 3))
        if self.fault == "doors":
            self.moves["unlock", 5] = (1, "lamps", "horn")

    def reset(self):
        self.place = 0
        self.pending = set()

    def give(self, label):
        move = self.moves.get((label, self.place))
        if self.pending or move is None:
            return False
        self.place, self.pending = move[0], set(move[1:])
        return True

    def watch(self, seconds):
        for flags, output in self.outputs():
            if self.pending & flags:
                self.pending -= flags
                return output
        return None

    def outputs(self):
        yield {"arming"}, "armedOn"
        yield {"disarming"}, "armedOff"
        if self.place == 5:
            yield {"lamps"}, "flashOn"
            yield {"horn"}, "soundOn"
        else:
            yield {"lamps"}, "flashOff"
            if self.fault == "loud":
                self.pending -= {"horn", "hush"}
            yield {"horn", "hush"}, "soundOff"

    def state(self):
        return [self.place] + [int(flag in self.pending) for flag in FLAGS]
