//! The interpreter against the definitions of the operators, and no panic on any text.

use proptest::prelude::*;
use source::Source;
use tessla::core::{FunctionId, NodeId, Spec};
use tessla::interp::{Monitor, Observer, Program};
use tessla::record::{Run, record};
use tessla::run::{RunOptions, run_plain};
use tessla::sample::random_trace;
use tessla::show::Literal;
use tessla::trace::{Event, TraceReader};
use tessla::value::Value;
use tessla::{Options, load_alone};

/// A stream over two inputs of integers.
#[derive(Clone, Debug)]
enum Stream {
    Input(usize),
    Last(Box<Stream>, Box<Stream>),
    Merge(Box<Stream>, Box<Stream>),
    Add(Box<Stream>, Box<Stream>),
    Time(Box<Stream>),
    Delayed(i64, Box<Stream>),
    Default(Box<Stream>, i64),
    Positive(Box<Stream>),
    Count(Box<Stream>),
}

impl Stream {
    fn text(&self) -> String {
        match self {
            Stream::Input(0) => "a".into(),
            Stream::Input(_) => "b".into(),
            Stream::Last(value, trigger) => format!("last({}, {})", value.text(), trigger.text()),
            Stream::Merge(left, right) => format!("merge({}, {})", left.text(), right.text()),
            Stream::Add(left, right) => format!("({} + {})", left.text(), right.text()),
            Stream::Time(of) => format!("time({})", of.text()),
            Stream::Delayed(by, of) => {
                let of = of.text();
                format!("const({by}, delay(const({by}, {of}), {of}))")
            }
            Stream::Default(of, value) => format!("default({}, {value})", of.text()),
            Stream::Positive(of) => {
                format!("lift1({}, (v: Option[Int]) => if getSome(v) > 0 then v else None[Int])", of.text())
            }
            Stream::Count(of) => format!("count({})", of.text()),
        }
    }

    /// The event at a time, by the definition of the operators.
    fn at(&self, time: i64, inputs: &[Vec<Option<i64>>; 2]) -> Option<i64> {
        let latest = |of: &Stream, before: i64| (0..before).rev().find_map(|time| of.at(time, inputs));
        match self {
            Stream::Input(index) => inputs[*index][time as usize],
            Stream::Last(value, trigger) => trigger.at(time, inputs).and_then(|_| latest(value, time)),
            Stream::Merge(left, right) => left.at(time, inputs).or_else(|| right.at(time, inputs)),
            Stream::Add(left, right) => {
                let (one, other) = (left.at(time, inputs), right.at(time, inputs));
                if one.is_none() && other.is_none() {
                    return None;
                }
                let one = one.or_else(|| latest(left, time))?;
                Some(one + other.or_else(|| latest(right, time))?)
            }
            Stream::Time(of) => of.at(time, inputs).map(|_| time),
            Stream::Delayed(by, of) => {
                let set = time - by;
                let fires = set >= 0
                    && of.at(set, inputs).is_some()
                    && (set + 1..time).all(|between| of.at(between, inputs).is_none());
                fires.then_some(*by)
            }
            Stream::Default(of, value) => of.at(time, inputs).or_else(|| (time == 0).then_some(*value)),
            Stream::Positive(of) => of.at(time, inputs).filter(|value| *value > 0),
            Stream::Count(of) => {
                let number = (0..=time).filter(|moment| of.at(*moment, inputs).is_some()).count() as i64;
                (time == 0 || of.at(time, inputs).is_some()).then_some(number)
            }
        }
    }
}

fn stream() -> impl Strategy<Value = Stream> {
    let leaf = (0_usize..2).prop_map(Stream::Input);
    leaf.prop_recursive(3, 8, 2, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            (boxed.clone(), boxed.clone()).prop_map(|(value, trigger)| Stream::Last(value, trigger)),
            (boxed.clone(), boxed.clone()).prop_map(|(left, right)| Stream::Merge(left, right)),
            (boxed.clone(), boxed.clone()).prop_map(|(left, right)| Stream::Add(left, right)),
            boxed.clone().prop_map(Stream::Time),
            (1_i64..4, boxed.clone()).prop_map(|(by, of)| Stream::Delayed(by, of)),
            (boxed.clone(), -3_i64..3).prop_map(|(of, value)| Stream::Default(of, value)),
            boxed.clone().prop_map(Stream::Positive),
            boxed.prop_map(Stream::Count),
        ]
    })
}

fn spec(text: &str) -> Spec {
    let loaded = load_alone(Source::new("random.tessla", text), Options::default());
    loaded.spec.unwrap_or_else(|| panic!("{text} is rejected: {:?}", loaded.reports))
}

const MOMENTS: usize = 9;

/// Looks at everything and does nothing: functions are then evaluated in the general way.
struct Looks;

impl Observer for Looks {
    const ACTIVE: bool = true;

    fn enter(&mut self, _function: FunctionId) {}

    fn node(&mut self, _node: NodeId, _value: &Value) {}

    fn decide(&mut self, _node: NodeId, _outcome: bool) {}

    fn leave(&mut self) {}
}

/// An expression of integers over `x`, `y` and `p`; numbers may outgrow 64 bits, operations may be undefined.
fn number() -> impl Strategy<Value = String> {
    let large = i64::MAX.to_string();
    let leaf = prop_oneof![
        3 => Just("x".to_owned()),
        3 => Just("y".to_owned()),
        2 => (-3_i64..4).prop_map(|number| format!("({number})")),
        1 => Just(large),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        let operator = prop::sample::select(vec!["+", "-", "*", "/", "%", "&", "|", "^", "<<"]);
        let compare = prop::sample::select(vec!["<", "<=", ">", ">=", "==", "!="]);
        let join = prop::sample::select(vec!["&&", "||"]);
        prop_oneof![
            (two.clone(), operator).prop_map(|((left, right), by)| format!("({left} {by} {right})")),
            inner.clone().prop_map(|of| format!("(-{of})")),
            (two.clone(), two, compare, join).prop_map(|((a, b), (c, d), by, join)| {
                format!("(if {a} {by} {b} {join} !({c} {by} {d}) && p then {a} else {d})")
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn streams_follow_their_definitions(
        stream in stream(),
        a in proptest::collection::vec(proptest::option::of(-2_i64..3), MOMENTS),
        b in proptest::collection::vec(proptest::option::of(-2_i64..3), MOMENTS),
    ) {
        let text = format!("in a: Events[Int]\nin b: Events[Int]\nout {} as z\n", stream.text());
        let spec = spec(&text);
        let inputs = [a, b];
        let mut events = Vec::new();
        for time in 0..MOMENTS {
            for (input, values) in inputs.iter().enumerate() {
                events.extend(values[time].map(|value| Event { time: time as i64, input, value: Value::Int(value) }));
            }
        }
        let program = Program::new(&spec);
        let run: Run = record(&spec, &mut Monitor::new(&program), &events, MOMENTS as i64 - 1, |_| {});
        prop_assert!(run.fault.is_none());
        let found: Vec<(i64, Value)> =
            run.events(spec.outputs[0].stream).map(|(time, value)| (time, value.clone())).collect();
        let expected: Vec<(i64, Value)> = (0..MOMENTS as i64)
            .filter_map(|time| stream.at(time, &inputs).map(|value| (time, Value::Int(value))))
            .collect();
        prop_assert_eq!(found, expected, "{}", text);
    }

    #[test]
    fn observers_change_nothing(signal in number(), event in number(), seed in any::<u64>()) {
        let text = format!(
            "in x: Events[Int]\nin y: Events[Int]\nin p: Events[Bool]\nout {signal} as s\n\
             def f(a: Option[Int], b: Option[Int], c: Option[Bool]) = if isNone(a) then b else if isNone(b) || isNone(c) then None[Int] else {{\n\
             def x = getSome(a)\ndef y = getSome(b)\ndef p = getSome(c)\nSome({event})\n}}\n\
             out lift3(x, y, p, f) as e\n"
        );
        let spec = spec(&text);
        let program = Program::new(&spec);
        for number in 0..4 {
            let (events, end) = random_trace(&spec, seed.wrapping_add(number), 8);
            let plain = record(&spec, &mut Monitor::new(&program), &events, end, |_| {});
            let observed = record(&spec, &mut Monitor::observed(&program, Looks), &events, end, |_| {});
            prop_assert_eq!(plain, observed, "{}", text);
        }
    }

    #[test]
    fn what_is_written_is_read_again(seed in any::<u64>()) {
        let text = "in i: Events[Int]\nin b: Events[Bool]\nin s: Events[String]\nin u: Events[Unit]\n\
                    in o: Events[Option[Option[Int]]]\nin t: Events[(Int, {x: Bool, y: String})]\n\
                    in l: Events[List[Set[Int]]]\nin m: Events[Map[String, (Int, Int)]]\nin f: Events[Float]\n";
        let spec = spec(text);
        let (events, _) = random_trace(&spec, seed, 6);
        let mut written = String::new();
        for event in &events {
            let name = spec.stream(spec.inputs[event.input]).name.as_deref().expect("a name");
            written += &format!("{}: {name} = {}\n", event.time, Literal(&event.value));
        }
        let mut reader = TraceReader::new(&spec, "trace", written.as_bytes());
        let mut again = Vec::new();
        while let Some(event) = reader.next_event().expect("what is written can be read") {
            again.push(event);
        }
        prop_assert_eq!(again, events);
    }

    #[test]
    fn no_text_is_a_panic(text in "(def|in|out|if|then|else|where|module|type|[a-c]|[A-B]|Int|Events|last|merge|[0-9]|\"|\\$|\\{|\\}|\\(|\\)|\\[|\\]|:|=|:=|=>|,|\\.|\\+|-|#|\n| ){0,60}") {
        let loaded = load_alone(Source::new("junk.tessla", text.clone()), Options::default());
        if let Some(spec) = loaded.spec {
            let mut out = Vec::new();
            let options = RunOptions { abort_at: Some(20), ..RunOptions::default() };
            run_plain(&spec, "junk", text.as_bytes(), &mut out, &options).expect("memory can be written");
        } else {
            prop_assert!(!loaded.reports.is_empty());
        }
    }

    #[test]
    fn a_damaged_specification_is_no_panic(cut in 0_usize..2000, length in 0_usize..40, with in "[a-z(){}\\[\\]=+ \n\"$]{0,4}") {
        let whole = include_str!("../../../examples/tessla/decoder.tessla");
        let start = (0..=cut.min(whole.len())).rev().find(|at| whole.is_char_boundary(*at)).unwrap_or(0);
        let end = (start + length).min(whole.len());
        let end = (end..=whole.len()).find(|at| whole.is_char_boundary(*at)).unwrap_or(whole.len());
        let text = format!("{}{with}{}", &whole[..start], &whole[end..]);
        let loaded = load_alone(Source::new("damaged.tessla", text), Options::default());
        prop_assert!(loaded.spec.is_some() || !loaded.reports.is_empty());
    }
}
