"""A traffic light behind the line protocol of `specimen run --against`: one step a line in, one answer a line out.

With --dark-camera the camera never takes a picture; with --dies the program ends in step 5.
"""
import json
import sys

green, before, rose = False, True, False
for line in sys.stdin:
    question = json.loads(line)
    if "--dies" in sys.argv and question["step"] == 5:
        sys.exit(3)
    c = question["inputs"]["c"]
    farm = green
    picture = rose and not c and "--dark-camera" not in sys.argv
    green, before, rose = c, farm, not before and c and farm
    print(json.dumps({"h": not farm, "f": farm, "p": picture}), flush=True)
