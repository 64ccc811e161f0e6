//! An adaptive test carried out on a system: the same rules as those of exported tests.
//!
//! The test follows the trace of the model as long as the system does. What the system does and the model allows, but not here,
//! ends the test without a verdict; what the model does not allow fails it.

use testcase::TestRecord;

use crate::export::{Point, points};
use crate::trial::SILENCE;

/// A system under test, as a test sees it.
pub trait System {
    /// Why an answer is missing.
    type Trouble;

    /// Brings it into its initial state.
    ///
    /// # Errors
    /// When no answer comes.
    fn reset(&mut self) -> Result<(), Self::Trouble>;

    /// Gives an input; whether it was taken, where anybody knows.
    ///
    /// # Errors
    /// When no answer comes.
    fn give(&mut self, label: &str) -> Result<Option<bool>, Self::Trouble>;

    /// The next output; with `wait` it takes as long as it takes to be sure that none comes.
    ///
    /// # Errors
    /// When no answer comes.
    fn watch(&mut self, wait: bool) -> Result<Option<String>, Self::Trouble>;

    /// The values of the variables with spaces between them, where they can be seen.
    ///
    /// # Errors
    /// When no answer comes.
    fn state(&mut self) -> Result<Option<String>, Self::Trouble>;
}

/// What a test says of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It did what the model does.
    Pass,
    /// It did what the model does not.
    Fail(String),
    /// It went another way that the model allows.
    Inconclusive(String),
}

/// A test as it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialogue {
    /// What it says of the system.
    pub verdict: Verdict,
    /// What was given (`?close`) and seen (`!armedOn`), in order.
    pub trace: Vec<String>,
}

/// Why a test ends before its last point.
enum End<T> {
    Verdict(Verdict),
    Trouble(T),
}

impl<T> From<T> for End<T> {
    fn from(trouble: T) -> End<T> {
        End::Trouble(trouble)
    }
}

/// Carries out a test.
///
/// # Errors
/// When the system gives no answer.
pub fn carry_out<S: System>(test: &TestRecord, system: &mut S) -> Result<Dialogue, S::Trouble> {
    let points = points(test);
    if points.is_empty() {
        let verdict = Verdict::Inconclusive("the suite does not say what the model allows: draw it again".to_owned());
        return Ok(Dialogue { verdict, trace: Vec::new() });
    }
    let mut run = Run { system, trace: Vec::new() };
    let ended = run.system.reset().map_err(End::from).and_then(|()| run.follow(&points));
    let trace = run.trace;
    match ended {
        Ok(()) => Ok(Dialogue { verdict: Verdict::Pass, trace }),
        Err(End::Verdict(verdict)) => Ok(Dialogue { verdict, trace }),
        Err(End::Trouble(trouble)) => Err(trouble),
    }
}

struct Run<'a, S> {
    system: &'a mut S,
    trace: Vec<String>,
}

impl<S: System> Run<'_, S> {
    fn follow(&mut self, points: &[Point]) -> Result<(), End<S::Trouble>> {
        for point in points {
            match point.kind.as_str() {
                "input" => {
                    self.nothing_early(point)?;
                    self.give(point)?;
                    self.compare_state(point, &point.label, &point.state)?;
                }
                "output" => {
                    let seen = self.watch(true)?;
                    if seen.as_deref() != Some(point.label.as_str()) {
                        return Err(unexpected(&point.allowed, seen, &point.label));
                    }
                    self.compare_state(point, &point.label, &point.state)?;
                }
                "silence" => {
                    let seen = self.watch(true)?;
                    if seen.is_some() {
                        return Err(unexpected(&point.allowed, seen, "silence"));
                    }
                }
                "watch" => {
                    let seen = self.watch(true)?;
                    let label = seen.as_deref().unwrap_or(SILENCE);
                    if !allowed(&point.allowed, label) {
                        return fail(format!(
                            "{} at the end; the model allows {}",
                            shown(&seen),
                            listed(&point.allowed)
                        ));
                    }
                    self.compare_state(point, label, "")?;
                }
                "try" => self.try_last(point)?,
                "open" => {
                    let words = "the model may be in more states than were followed".to_owned();
                    return Err(End::Verdict(Verdict::Inconclusive(words)));
                }
                // Steps that nobody sees.
                _ => {}
            }
        }
        Ok(())
    }

    /// The input at the end of a test, and what comes after it.
    fn try_last(&mut self, point: &Point) -> Result<(), End<S::Trouble>> {
        self.nothing_early(point)?;
        let takes = point.steps.iter().any(|(label, states)| *label == point.label && !states.is_empty());
        if !takes {
            self.trace.push(format!("?{}", point.label));
            return match self.system.give(&point.label)? {
                Some(true) => fail(format!("the system takes {}, which the model refuses", point.label)),
                Some(false) | None => Ok(()),
            };
        }
        self.give(point)?;
        self.compare_state(point, &point.label, "")?;
        let seen = self.watch(true)?;
        if allowed(&point.after, seen.as_deref().unwrap_or(SILENCE)) {
            return Ok(());
        }
        fail(format!("{} after {}; the model allows {}", shown(&seen), point.label, listed(&point.after)))
    }

    /// Before an input is given nothing may be due.
    fn nothing_early(&mut self, point: &Point) -> Result<(), End<S::Trouble>> {
        match self.watch(point.waits)? {
            None => Ok(()),
            early => Err(unexpected(&point.allowed, early, &format!("waiting for {}", point.label))),
        }
    }

    /// Gives an input that the model takes in some state it may be in. Where it refuses it in another, a refusal says nothing.
    fn give(&mut self, point: &Point) -> Result<(), End<S::Trouble>> {
        let label = &point.label;
        self.trace.push(format!("?{label}"));
        match self.system.give(label)? {
            Some(true) => Ok(()),
            Some(false) | None if point.refusable => {
                let words = format!("the system does not take {label}, which the model allows");
                Err(End::Verdict(Verdict::Inconclusive(words)))
            }
            Some(false) => fail(format!("the system refuses {label}")),
            None => Ok(()),
        }
    }

    fn watch(&mut self, wait: bool) -> Result<Option<String>, End<S::Trouble>> {
        let seen = self.system.watch(wait)?;
        if let Some(label) = &seen {
            self.trace.push(format!("!{label}"));
        } else if wait {
            self.trace.push(SILENCE.to_owned());
        }
        Ok(seen)
    }

    /// Where the state can be seen it is one that the model may be in, and `wanted` if the trace goes on from there.
    fn compare_state(&mut self, point: &Point, label: &str, wanted: &str) -> Result<(), End<S::Trouble>> {
        let Some((_, states)) = point.steps.iter().find(|(known, _)| known == label) else { return Ok(()) };
        let Some(state) = self.system.state()? else { return Ok(()) };
        if !states.contains(&state) {
            let models = if states.is_empty() { "none".to_owned() } else { states.join(" | ") };
            return fail(format!("after {label} the state is {state}; the model allows {models}"));
        }
        if !wanted.is_empty() && state != wanted {
            let words = format!("after {label} the state is {state}, which the model allows, instead of {wanted}");
            return Err(End::Verdict(Verdict::Inconclusive(words)));
        }
        Ok(())
    }
}

fn fail<T, U>(words: String) -> Result<U, End<T>> {
    Err(End::Verdict(Verdict::Fail(words)))
}

/// The system did something else than the test wants to see.
fn unexpected<T>(patterns: &[String], seen: Option<String>, wanted: &str) -> End<T> {
    let what = shown(&seen);
    End::Verdict(if allowed(patterns, seen.as_deref().unwrap_or(SILENCE)) {
        Verdict::Inconclusive(format!("{what} instead of {wanted}, which the model allows"))
    } else {
        Verdict::Fail(format!("{what} instead of {wanted}; the model allows {}", listed(patterns)))
    })
}

fn shown(seen: &Option<String>) -> &str {
    seen.as_deref().unwrap_or("nothing")
}

fn listed(patterns: &[String]) -> String {
    let words: Vec<&str> =
        patterns.iter().map(|pattern| if pattern == SILENCE { "silence" } else { pattern.as_str() }).collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
}

fn allowed(patterns: &[String], label: &str) -> bool {
    patterns.iter().any(|pattern| covers(pattern, label))
}

/// Whether an allowed output is this one: `level(3)`, `level(0..100)` or `level(*)`.
fn covers(pattern: &str, label: &str) -> bool {
    if pattern == label {
        return true;
    }
    let (Some((name, rest)), Some((same, value))) = (pattern.split_once('('), label.split_once('(')) else {
        return false;
    };
    if name != same {
        return false;
    }
    if rest == "*)" {
        return true;
    }
    let number = |text: &str| text.parse::<i64>().ok();
    let interval = rest.strip_suffix(')').and_then(|rest| rest.split_once(".."));
    let Some((low, high)) = interval.and_then(|(low, high)| Some((number(low)?, number(high)?))) else { return false };
    value.strip_suffix(')').and_then(number).is_some_and(|value| (low..=high).contains(&value))
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;
    use serde_json::json;

    use super::*;

    /// A lamp: `on` lights it, and says so. It can be broken.
    struct Lamp {
        lit: bool,
        due: Option<&'static str>,
        broken: bool,
    }

    impl System for Lamp {
        type Trouble = ();

        fn reset(&mut self) -> Result<(), ()> {
            (self.lit, self.due) = (false, None);
            Ok(())
        }

        fn give(&mut self, label: &str) -> Result<Option<bool>, ()> {
            let takes = label == "on" && !self.lit;
            if takes {
                self.lit = true;
                self.due = (!self.broken).then_some("light(7)");
            }
            Ok(Some(takes))
        }

        fn watch(&mut self, _wait: bool) -> Result<Option<String>, ()> {
            Ok(self.due.take().map(str::to_owned))
        }

        fn state(&mut self) -> Result<Option<String>, ()> {
            Ok(Some(u8::from(self.lit).to_string()))
        }
    }

    fn test(points: serde_json::Value) -> TestRecord {
        let notes = IndexMap::from([("points".to_owned(), points)]);
        TestRecord { id: "t1".into(), inputs: json!({}), expected: IndexMap::new(), notes, covers: Vec::new() }
    }

    fn tried(points: serde_json::Value, broken: bool) -> Dialogue {
        carry_out(&test(points), &mut Lamp { lit: false, due: None, broken }).expect("the lamp answers")
    }

    #[test]
    fn a_test_passes_fails_or_ends_without_a_verdict() {
        let on =
            json!({ "kind": "input", "label": "on", "allowed": ["(silence)"], "steps": { "on": ["1"] }, "state": "1" });
        let light = json!({ "kind": "output", "label": "light(7)", "allowed": ["light(0..9)"], "steps": {} });
        let again =
            json!({ "kind": "try", "label": "on", "allowed": ["(silence)"], "after": [], "steps": { "on": [] } });
        let whole = json!([on, light, again]);
        assert_eq!(tried(whole.clone(), false).verdict, Verdict::Pass);
        let broken = tried(whole, true);
        assert_eq!(broken.verdict, Verdict::Fail("nothing instead of light(7); the model allows light(0..9)".into()));
        assert_eq!(broken.trace, ["?on", "(silence)"]);
        let other = json!({ "kind": "output", "label": "light(8)", "allowed": ["light(0..9)"], "steps": {} });
        assert!(matches!(tried(json!([on, other]), false).verdict, Verdict::Inconclusive(_)));
        let wrong = json!({ "kind": "input", "label": "on", "allowed": [], "steps": { "on": ["0"] } });
        assert!(matches!(tried(json!([wrong]), false).verdict, Verdict::Fail(_)));
        let refused = json!({ "kind": "input", "label": "off", "allowed": [], "steps": {}, "refusable": true });
        assert!(matches!(tried(json!([refused]), false).verdict, Verdict::Inconclusive(_)));
        assert!(matches!(tried(json!([]), false).verdict, Verdict::Inconclusive(_)), "nothing is known to be allowed");
    }

    /// A lamp that lights up by itself, but takes its time.
    struct Ghost;

    impl System for Ghost {
        type Trouble = ();

        fn reset(&mut self) -> Result<(), ()> {
            Ok(())
        }

        fn give(&mut self, _label: &str) -> Result<Option<bool>, ()> {
            Ok(Some(true))
        }

        fn watch(&mut self, wait: bool) -> Result<Option<String>, ()> {
            Ok(wait.then(|| "light(7)".to_owned()))
        }

        fn state(&mut self) -> Result<Option<String>, ()> {
            Ok(None)
        }
    }

    #[test]
    fn a_test_waits_before_an_input_where_the_model_can_only_be_silent() {
        let run = |waits: bool| {
            let on = json!({ "kind": "input", "label": "on", "allowed": ["(silence)"], "steps": {}, "waits": waits });
            carry_out(&test(json!([on])), &mut Ghost).expect("the lamp answers").verdict
        };
        assert!(matches!(run(true), Verdict::Fail(_)));
        assert_eq!(run(false), Verdict::Pass, "who does not wait does not see it");
    }

    #[test]
    fn a_test_that_cannot_be_followed_to_its_end_has_no_verdict() {
        let open = json!({ "kind": "open", "label": "", "allowed": [], "steps": {} });
        assert!(matches!(tried(json!([open]), false).verdict, Verdict::Inconclusive(_)));
    }

    #[test]
    fn outputs_are_allowed_by_value_interval_or_name() {
        let cases = [
            ("level(3)", "level(3)", true),
            ("level(0..9)", "level(9)", true),
            ("level(0..9)", "level(10)", false),
            ("level(*)", "level(-4)", true),
            ("level(*)", "levels(1)", false),
            ("level(-5..-1)", "level(-3)", true),
            ("beep", "beep(1)", false),
            ("level(0..9)", "level(x)", false),
        ];
        for (pattern, label, expected) in cases {
            assert_eq!(covers(pattern, label), expected, "{pattern} {label}");
        }
    }
}
