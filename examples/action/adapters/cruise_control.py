"""A cruise control in Python with the adapter that the tests of cruise_control.as need.

The variable CRUISE_FAULT builds a mistake in:
  pedal     the brake pedal does not switch the control off
  limit     a speed above the fastest one can be set
  radar     a car that is near and comes closer is not taken for a danger
  runaway   after braking, the control accelerates to the wanted speed without looking ahead
  stale     the wanted speed is changed by two when it is raised
  mute      a fault of the radar is not acted upon
  unlocked  the control can be set while it is faulty
"limit" and "unlocked" take inputs that the model leaves open, so no test of it tries them.
The variable CRUISE_ORDER chooses when the control is faster than the tester.
"""
import os
import random

SLOWEST, FASTEST, TOP = 2, 4, 5
ORDER = random.Random(int(os.environ.get("CRUISE_ORDER", "0")))


class Adapter:
    def __init__(self):
        self.mistake = os.environ.get("CRUISE_FAULT", "")

    def reset(self):
        self.key = self.broken = False
        self.mode, self.speed, self.wanted = "idle", 0, 0
        self.seen = (0, 1)

    @property
    def engaged(self):
        return self.mode in ("keeping", "following", "braking")

    def danger(self):
        radar, trend = self.seen
        return radar == 3 or (radar == 2 and trend == 2 and self.mistake != "radar")

    def ahead(self):
        radar, trend = self.seen
        return radar == 2 or (radar == 1 and trend == 2)

    def give(self, label):
        name, _, rest = label.rstrip(")").partition("(")
        return getattr(self, name)(*(int(part) for part in rest.split(",") if part))

    def turn_key(self):
        self.key = not self.key
        self.mode = "ready" if self.key else "idle"
        if not self.key:
            self.wanted = 0
        return True

    def gas(self):
        if not self.key or self.speed == TOP:
            return False
        self.speed += 1
        return True

    def brake(self):
        if self.speed == 0:
            return False
        self.speed -= 1
        if self.engaged and self.mistake != "pedal":
            self.mode = "ready"
        return True

    def set(self):
        fastest = TOP if self.mistake == "limit" else FASTEST
        works = not self.broken or self.mistake == "unlocked"
        if self.mode != "ready" or not works or not SLOWEST <= self.speed <= fastest:
            return False
        self.mode, self.wanted = "keeping", self.speed
        return True

    def faster(self):
        if not self.engaged or self.wanted >= FASTEST:
            return False
        self.wanted = min(FASTEST, self.wanted + (2 if self.mistake == "stale" else 1))
        return True

    def slower(self):
        if not self.engaged or self.wanted <= SLOWEST:
            return False
        self.wanted -= 1
        return True

    def cancel(self):
        if not self.engaged:
            return False
        self.mode = "ready"
        return True

    def sees(self, radar, trend):
        if (radar, trend) == self.seen or (radar == 0 and trend != 1):
            return False
        self.seen = (radar, trend)
        return True

    def breaks(self):
        if not self.key or self.broken:
            return False
        self.broken = True
        return True

    def repaired(self):
        if not self.broken or self.key:
            return False
        self.broken = False
        return True

    def watch(self, seconds):
        """What the control does next. It may be faster than a tester that does not wait, or slower."""
        return None if seconds == 0 and ORDER.random() < 0.5 else self.act()

    def act(self):
        if not self.engaged:
            return None
        if self.broken:
            if self.mistake == "mute":
                return None
            self.mode = "ready"
            return "warns"
        danger, ahead = self.danger(), self.ahead()
        if self.mode == "braking":
            if not danger:
                self.mode = "following"
                return "releases"
            if self.speed:
                self.speed -= 1
                return "slows"
            return None
        if danger:
            self.mode = "braking"
            return "starts_braking"
        if self.speed > self.wanted:
            self.speed -= 1
            return "eases"
        if self.mode == "keeping" and ahead:
            self.mode = "following"
            return "follows"
        if self.mode == "following" and (not ahead or self.mistake == "runaway"):
            self.mode = "keeping"
            return "resumes"
        if self.mode == "keeping" and self.speed < self.wanted:
            self.speed += 1
            return "speeds_up"
        return None

    def state(self):
        return None
