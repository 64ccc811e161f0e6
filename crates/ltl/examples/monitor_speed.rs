//! How fast monitors are: a formula of 20 operators on a million steps, alone and with the reading of a table.
//! Run with `cargo run --release -p ltl --example monitor_speed`.
#![allow(clippy::print_stdout)]

use std::fmt::Write;
use std::time::Instant;

use ltl::parse_formula;
use ltl::trace::{Dump, Format, Trace, TraceError};
use ltl::verdict::{Monitor, Semantics};
use omega::Formulas;
use source::Source;

const FORMULA: &str = "G (a -> F b) & G (b -> X F c) & G F a & (G F b -> G F c) & G (c -> X X F (a & b))";
const STEPS: u64 = 1_000_000;

fn main() -> Result<(), TraceError> {
    let mut formulas = Formulas::new();
    let formula = parse_formula(&Source::new("formula", FORMULA), &mut formulas).expect("the formula is well formed");
    let operators = formulas.reachable([formula]).len() - 3;
    println!("{operators} operators, {STEPS} steps");
    for (name, stalls) in [("lively", u64::MAX), ("stalled half way", STEPS / 2), ("stalled from the start", 20)] {
        let mut state = 1_u64;
        let mut letters = Vec::new();
        for step in 0..STEPS {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let is_stalled = stalls < step;
            letters.push([
                state >> 40 & 3 == 0,
                !is_stalled && state >> 50 & 3 == 0,
                !is_stalled && state >> 60 & 3 == 0,
            ]);
        }
        let mut monitor = Monitor::new(&formulas, &[formula]);
        let start = Instant::now();
        for letter in &letters {
            monitor.push(letter);
        }
        let verdict = monitor.verdicts()[0];
        let seconds = start.elapsed().as_secs_f64();
        println!("{name}: {verdict}, {seconds:.3} s, {:.0} ns a step, {} steps kept", seconds * 1e3, monitor.kept());

        let mut table = "a,b,c\n".to_owned();
        for [a, b, c] in &letters {
            let _ = writeln!(table, "{},{},{}", u8::from(*a), u8::from(*b), u8::from(*c));
        }
        let mut monitor = Monitor::new(&formulas, &[formula]);
        let start = Instant::now();
        let mut trace = Trace::open("table", table.as_bytes(), Format::Csv, &["a", "b", "c"], Dump::default())?;
        let mut letter = [false; 3];
        while trace.next(&mut letter)? {
            monitor.push(&letter);
        }
        let verdict = monitor.judge(Semantics::Counting)[0].expect("the counting semantics always answers");
        println!("  with the table read: {verdict}, {:.3} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}
