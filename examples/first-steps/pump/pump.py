"""The monitor of pump.tessla as it runs in the pump, with the adapter that `specimen test` talks to."""
import json
import sys

LOW = 10


class Monitor:
    def __init__(self):
        self.running = self.level = self.dry = self.begin = None

    def event(self, time, changes):
        """What the monitor says at a time at which something changes."""
        self.running = changes.get("running", self.running)
        self.level = changes.get("level", self.level)
        if self.running is None or self.level is None:
            return {}
        before, self.dry = self.dry, self.running and self.level <= LOW
        said = {"dry": self.dry}
        if self.begin is not None:
            said["alarm"] = time - self.begin > 5
        if self.dry and before is False:
            self.begin = time
        return said


def outputs(inputs):
    times = {}
    for name, events in inputs["events"].items():
        for time, value in events:
            times.setdefault(time, {})[name] = value
    monitor, said = Monitor(), {"dry": [], "alarm": []}
    for time in sorted(times):
        for name, value in monitor.event(time, times[time]).items():
            said[name].append([time, value])
    return said


for line in sys.stdin:
    print(json.dumps(outputs(json.loads(line)["inputs"])), flush=True)
