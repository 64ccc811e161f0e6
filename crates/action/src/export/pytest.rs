//! Adaptive tests as a Python module for pytest.

use serde_json::{Value as Json, json};
use testcase::Suite;
use testcase::export::comment;

use super::{File, points, stem};

pub(super) fn write(suite: &Suite) -> Vec<File> {
    let tests: Vec<Json> = suite
        .tests
        .iter()
        .map(|test| {
            let points: Vec<Json> = points(test)
                .into_iter()
                .map(|point| {
                    let steps: serde_json::Map<String, Json> =
                        point.steps.into_iter().map(|(label, states)| (label, json!(states))).collect();
                    // The truth values of JSON are not Python's.
                    let (refusable, waits) = (u8::from(point.refusable), u8::from(point.waits));
                    json!([point.kind, point.label, point.allowed, point.after, steps, point.state, refusable, waits])
                })
                .collect();
            json!([test.id, points])
        })
        .collect();
    let lines: Vec<String> = tests.iter().map(|test| format!("    {test},\n")).collect();
    let module = TEMPLATE.replace("@SOURCE@", &comment(&suite.source.file)).replace("@TESTS@", &lines.concat());
    vec![
        (format!("test_{}.py", stem(suite)), module),
        (format!("{}_adapter_template.py", stem(suite)), ADAPTER.replace("@SOURCE@", &comment(&suite.source.file))),
    ]
}

const TEMPLATE: &str = r#"# Adaptive tests drawn by specimen from @SOURCE@. Do not edit: draw them again.
#
# A module `adapter` beside this one offers a class `Adapter`; the template written with this file says what it does.
# A test passes, fails, or is skipped as inconclusive when the system goes another way the model allows. Then it is tried again,
# ten times in all or as often as the variable SPECIMEN_TRIES says.
import os
import re

import pytest

from adapter import Adapter

# Each test: its name and its points; each point: kind, label, outputs allowed, outputs allowed after an input,
# states a step may lead to, state the trace goes on from, whether the model may take the input or refuse it,
# whether to wait before the input to see that nothing comes.
TESTS = [
@TESTS@]


class Failed(Exception):
    pass


class Inconclusive(Exception):
    pass


def covers(pattern, label):
    """Whether an allowed output is this one: `level(3)`, `level(0..100)` or `level(*)`."""
    if pattern == label:
        return True
    name, _, rest = pattern.partition("(")
    if not label.startswith(name + "("):
        return False
    if rest == "*)":
        return True
    interval = re.fullmatch(r"(-?\d+)\.\.(-?\d+)\)", rest)
    value = re.fullmatch(r"(-?\d+)\)", label[len(name) + 1:])
    return bool(interval and value and int(interval[1]) <= int(value[1]) <= int(interval[2]))


def allowed(patterns, label):
    return any(covers(pattern, label) for pattern in patterns)


def unexpected(patterns, seen, wanted):
    """The system did something else than the test wants to see."""
    shown = "nothing" if seen is None else seen
    if allowed(patterns, "(silence)" if seen is None else seen):
        raise Inconclusive(f"{shown} instead of {wanted}, which the model allows")
    raise Failed(f"{shown} instead of {wanted}; the model allows {', '.join(patterns) or 'nothing'}")


def check_state(adapter, steps, label, wanted=""):
    state = adapter.state()
    if state is not None and label in steps:
        text = " ".join(str(int(value)) for value in state)
        if text not in steps[label]:
            raise Failed(f"after {label} the state is {text}; the model allows {' | '.join(steps[label]) or 'none'}")
        if wanted and text != wanted:
            raise Inconclusive(f"after {label} the state is {text}, which the model allows, instead of {wanted}")


def give(adapter, label, refusable):
    """Gives an input that the model takes in some state it may be in. Where it refuses it in another, a refusal says nothing."""
    taken = adapter.give(label)
    if refusable and taken is not True:
        raise Inconclusive(f"the system does not take {label}, which the model allows")
    if taken is False:
        raise Failed(f"the system refuses {label}")


def run(adapter, points):
    """Follows the points; returns when the test passes."""
    for kind, label, patterns, after, steps, wanted, refusable, waits in points:
        if kind == "internal":
            continue
        if kind == "open":
            raise Inconclusive("the model may be in more states than were followed")
        if kind == "input":
            early = adapter.watch(None if waits else 0.0)
            if early is not None:
                unexpected(patterns, early, f"waiting for {label}")
            give(adapter, label, refusable)
            check_state(adapter, steps, label, wanted)
        elif kind == "output":
            seen = adapter.watch(None)
            if seen != label:
                unexpected(patterns, seen, label)
            check_state(adapter, steps, label, wanted)
        elif kind == "silence":
            seen = adapter.watch(None)
            if seen is not None:
                unexpected(patterns, seen, "silence")
        elif kind == "watch":
            seen = adapter.watch(None)
            if not allowed(patterns, "(silence)" if seen is None else seen):
                raise Failed(f"{seen or 'nothing'} at the end; the model allows {', '.join(patterns) or 'nothing'}")
            check_state(adapter, steps, "(silence)" if seen is None else seen)
        elif kind == "try":
            early = adapter.watch(None if waits else 0.0)
            if early is not None:
                unexpected(patterns, early, f"waiting for {label}")
            if not steps.get(label):
                if adapter.give(label) is True:
                    raise Failed(f"the system takes {label}, which the model refuses")
                continue
            give(adapter, label, refusable)
            check_state(adapter, steps, label)
            seen = adapter.watch(None)
            if not allowed(after, "(silence)" if seen is None else seen):
                raise Failed(f"{seen or 'nothing'} after {label}; the model allows {', '.join(after) or 'nothing'}")


@pytest.mark.parametrize("points", [test[1] for test in TESTS], ids=[test[0] for test in TESTS])
def test_trace(points):
    for _ in range(max(1, int(os.environ.get("SPECIMEN_TRIES", "10")))):
        adapter = Adapter()
        adapter.reset()
        try:
            return run(adapter, points)
        except Inconclusive as reason:
            last = reason
        except Failed as reason:
            pytest.fail(str(reason), pytrace=False)
    pytest.skip(f"inconclusive: {last}")
"#;

const ADAPTER: &str = r#"# How the tests of @SOURCE@ reach the system: copy this file to adapter.py and fill it in.


class Adapter:
    def reset(self):
        """Brings the system into its initial state."""
        raise RuntimeError("adapter.py: reset is still to be filled in")

    def give(self, label):
        """Gives an input such as "close" or "after(20)". True if the system takes it, False if it refuses, None if nobody knows."""
        raise RuntimeError("adapter.py: give is still to be filled in")

    def watch(self, seconds):
        """The next output such as "armedOn", waiting up to so many seconds (None: as long as silence takes); None for none."""
        raise RuntimeError("adapter.py: watch is still to be filled in")

    def state(self):
        """The values of the model's variables in order, where they can be seen; None otherwise."""
        return None
"#;
