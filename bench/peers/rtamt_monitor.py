#!/usr/bin/env python3
"""RTAMT on a table of samples: `rtamt_monitor.py BACKEND FORMULA TABLE HORIZON`.

BACKEND is `discrete`, `dense` or `cpp` (the online monitor with the C++ library). Prints the seconds that the evaluation took, without
reading and parsing, and the robustness at time zero, which the online monitor knows when the horizon of the formula has passed. Ends with code 3 where RTAMT or the back end is missing.
"""
import csv
import sys
import time

try:
    import rtamt
except ImportError:
    sys.exit(3)

backend, formula, path = sys.argv[1:4]
horizon = int(sys.argv[4])
with open(path) as table:
    rows = list(csv.DictReader(table))
names = [name for name in rows[0] if name != "time"]
times = [float(row["time"]) for row in rows]
columns = {name: [float(row[name]) for row in rows] for name in names}

kinds = {
    "discrete": "StlDiscreteTimeOfflineSpecification",
    "dense": "StlDenseTimeOfflineSpecification",
    "cpp": "StlDiscreteTimeOnlineSpecificationCpp",
}
try:
    spec = getattr(rtamt, kinds[backend])()
    for name in names:
        spec.declare_var(name, "float")
    spec.declare_var("out", "float")
    spec.spec = "out = " + formula
    spec.parse()
    if backend == "cpp":
        spec.pastify()
except rtamt.exception.exception.RTAMTException as error:
    print(error, file=sys.stderr)
    sys.exit(3)
except (ImportError, ModuleNotFoundError, NameError, AttributeError) as error:
    print(error, file=sys.stderr)
    sys.exit(3)

begin = time.perf_counter()
if backend == "discrete":
    result = spec.evaluate({"time": [int(one) for one in times], **columns})[0][1]
elif backend == "dense":
    result = spec.evaluate(*[[name, [list(point) for point in zip(times, columns[name])]] for name in names])[0][1]
else:
    for place, now in enumerate(times):
        latest = spec.update(place, [(name, columns[name][place]) for name in names])
        if place == horizon:
            result = latest
print(time.perf_counter() - begin, result)
