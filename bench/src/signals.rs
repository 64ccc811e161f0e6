//! STL: the monitor on long signals, and a complete suite for the largest requirement of the literature.

use std::path::Path;

use source::Source;
use stl::Spec;
use stl::goals::{Criterion, GoalOptions};
use stl::interp::holds;
use stl::robust::{Doubles, curve};
use stl::signal::{SignalValue, Trace};
use testgen::stl::StlSubject;
use testgen::{Backend, Options, Session, SolverChoice};
use value::RBig;

use crate::table::{Table, seconds, timed};

/// The samples of a signal.
const SAMPLES: usize = 20_000;

/// Formulas whose windows differ tenfold: the time must not.
const FORMULAS: &[&str] = &[
    "G[0,1000](x > 0 -> F[0,100] y > 0)",
    "G[0,10000](x > 0 -> F[0,1000] y > 0)",
    "(x > -100) U[100,10000] (y > 3)",
    "G[0,10000]((x > -100) U[0,1000] (y > 0))",
];

pub(crate) fn measure() -> Vec<Table> {
    vec![monitor(), suites()]
}

fn monitor() -> Table {
    let mut table =
        Table::new("Monitoring 20,000 samples: microseconds per sample", &["exact verdict", "robustness over time"]);
    for text in FORMULAS {
        let spec = load(text);
        let trace = walk(spec.signals.len());
        let doubles = Doubles::new(&trace);
        let ((), exact) = timed(|| {
            std::hint::black_box(holds(&spec.store, &trace, spec.formula));
        });
        let ((), robust) = timed(|| {
            std::hint::black_box(curve(&spec.store, &doubles, spec.formula).start());
        });
        let each = |time: std::time::Duration| format!("{:.3}", time.as_secs_f64() * 1e6 / SAMPLES as f64);
        table.row(*text, vec![each(exact), each(robust)]);
    }
    table
}

fn suites() -> Table {
    let mut table = Table::new("Complete suites against all mutants", &["mutants", "tests", "seconds"]);
    for number in 1..=6 {
        let name = format!("requirement{number}.stl");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/stl").join(&name);
        let text = std::fs::read_to_string(path).expect("the example is there");
        let source = Source::new(name.as_str(), text);
        let (spec, _) = stl::load(&source).expect("the example is well formed");
        let options = Options { solver: SolverChoice::BuiltIn, ..Options::default() };
        let ((goals, tests), time) = timed(|| {
            let subject =
                StlSubject::new(&source, &spec, Criterion::Mutation, &GoalOptions::default()).expect("bounded");
            let backend = Backend::new(&options);
            let mut session = Session::new(&subject, &backend, options.clone()).expect("built in");
            while session.pull().expect("no disagreement").is_some() {}
            let outcome = session.finish().expect("no disagreement");
            (outcome.statuses.len(), outcome.tests.len())
        });
        table.row(name, vec![goals.to_string(), tests.to_string(), seconds(time)]);
    }
    table
}

fn load(text: &str) -> Spec {
    stl::load(&Source::new("bench.stl", text)).expect("the formula is well formed").0
}

/// Signals that wander, the same in every run.
fn walk(count: usize) -> Trace {
    let mut state = 1u64;
    let mut signal = || {
        let mut value = 0i64;
        let point = |time: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            value = (value + (state >> 33) as i64 % 5 - 2).clamp(-20, 20);
            (RBig::from(time), RBig::from(value))
        };
        SignalValue::Real((0..SAMPLES).map(point).collect())
    };
    Trace { signals: (0..count).map(|_| signal()).collect(), end: RBig::from(SAMPLES - 1) }
}
