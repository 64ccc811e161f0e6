"""The shop's implementation of refund.bool, with the adapter that `specimen test` talks to."""
import json
import sys


def refund(days, fare, cancelled, delay):
    return cancelled or delay > 60 or (fare == "flex" and days >= 1)


for line in sys.stdin:
    print(json.dumps(refund(**json.loads(line)["inputs"])), flush=True)
