//! Detection: of all small faults in the numbers of formulas, how many does the suite drawn from the formula show?
//!
//! The faults are made here, on the text, by a generator that knows nothing of the mutation operators: every end of every window moved by
//! one in the last place in which the ends of that window are written, every threshold changed by 1 % and by 10 %. A fault that no test
//! shows is compared with the formula: it counts unless it is proved to mean the same.

use draw_stl::StlSubject;
use search::{Backend, Options, Session, SolverChoice};
use source::Source;
use stl::goals::{Criterion, GoalOptions};
use stl::interp::holds;
use stl::signal::{Trace, from_json};
use stl::{Spec, read_number, write_number};
use testcase::Inputs;
use value::RBig;

use crate::table::{Table, busy, seconds};

/// The requirements of the examples, requirements of benchmark collections, and shapes that these lack.
const FORMULAS: &[&str] = &[
    "F[0,30](G[0,20] v > 100)",
    "G[0,40](F[0,10] v > 100)",
    "(F[0,40] v > 100) -> (G[0,30] w > 3000)",
    "F[0,40](v > 80 -> G[0,30] w > 4000)",
    "G[0,40](v < 100 & w < 4000)",
    "G[0,40](gear4 -> N[1]((w < 4000) U[0,10] (v >= 100 & v <= 110)))",
    "F[0,42](G[0,11] vel > 133.7)",
    "G[1,3] velocity > 5",
    "G[0,20] speed < 120",
    "G[0,10] rpm < 4750",
    "(G[0,30] rpm < 3000) -> (G[0,4] speed < 35)",
    "G[0,100] y5 - y4 <= 40",
    "G[0,70](F[0,30] y5 - y4 >= 15)",
    "G[0,80]((G[0,20] y2 - y1 <= 20) | (F[0,20] y5 - y4 >= 40))",
    "G[0,65](F[0,30](G[0,5] y5 - y4 >= 8))",
    "G[0,72](F[0,8]((G[0,5] y2 - y1 >= 9) -> (G[5,20] y5 - y4 >= 9)))",
    "G[1,18](p - r > 0.05 -> F[0,2](G[0,1] p - r <= 0.05))",
    "F[0,1] pos > 3.2 & F[1,1.5](G[0,0.5](pos > 1.75 & pos < 2.25)) & G[2,3](pos > 1.825 & pos < 2.175)",
    "(speed < 50) U[2,8] (brake & torque >= 20)",
    "(a U[0,1] b) & (F[1,2] x > 3)",
    "G[0,10](temp > 90 -> F[0,2] fan)",
    "G[0,10](alarm -> O[0,3] pressure > 8.5)",
];

/// What kind of slip a fault is, and the text with it.
struct Fault {
    kind: usize,
    text: String,
}

const KINDS: [&str; 3] = ["windows", "thresholds 1 %", "thresholds 10 %"];

/// The faults of one kind.
#[derive(Clone, Copy, Default)]
struct Count {
    all: usize,
    inequivalent: usize,
    killed: usize,
    undecided: usize,
}

pub(crate) fn measure() -> Vec<Table> {
    let columns = ["tests", "windows", "thresholds 1 %", "thresholds 10 %", "killed", "seconds"];
    let mut table =
        Table::new("Detection: faults shown by the default suite, of those that mean something else", &columns);
    let (mut sums, mut tests) = ([Count::default(); 3], 0);
    for text in FORMULAS {
        eprintln!("{text}");
        let ((counts, size), time) = busy(|| studied(text));
        let mut cells = vec![size.to_string()];
        cells.extend(counts.iter().map(share));
        cells.push(share(&total(&counts)));
        cells.push(seconds(time));
        table.row(*text, cells);
        for (sum, count) in sums.iter_mut().zip(&counts) {
            *sum = total(&[*sum, *count]);
        }
        tests += size;
    }
    let mut cells = vec![tests.to_string()];
    cells.extend(sums.iter().map(share));
    cells.push(percent(&total(&sums)));
    cells.push("-".to_owned());
    table.row("all", cells);
    vec![table]
}

fn share(count: &Count) -> String {
    let open = if count.undecided == 0 { String::new() } else { format!(" ({} undecided)", count.undecided) };
    format!("{}/{}{open}", count.killed, count.inequivalent)
}

fn percent(count: &Count) -> String {
    format!("{} = {:.1} %", share(count), 100.0 * count.killed as f64 / count.inequivalent.max(1) as f64)
}

fn total(counts: &[Count]) -> Count {
    counts.iter().fold(Count::default(), |sum, count| Count {
        all: sum.all + count.all,
        inequivalent: sum.inequivalent + count.inequivalent,
        killed: sum.killed + count.killed,
        undecided: sum.undecided + count.undecided,
    })
}

/// The faults of a formula that its suite shows, and the size of the suite.
fn studied(text: &str) -> ([Count; 3], usize) {
    let source = Source::new("formula.stl", text);
    let (spec, _) = stl::load(&source).expect("the formula is well formed");
    let tests = drawn(&source, &spec, Criterion::Mutation);
    let verdicts: Vec<bool> = tests.iter().map(|test| holds(&spec.store, test, spec.formula)).collect();
    let mut counts = [Count::default(); 3];
    for fault in faults(text) {
        let count = &mut counts[fault.kind];
        count.all += 1;
        let wrong = load(&fault.text);
        assert_eq!(wrong.signals, spec.signals, "a fault in a number changes no signal");
        let shown =
            tests.iter().zip(&verdicts).any(|(test, verdict)| holds(&wrong.store, test, wrong.formula) != *verdict);
        count.killed += usize::from(shown);
        match shown {
            true => count.inequivalent += 1,
            false => match differs(text, &fault.text) {
                Some(false) => {}
                answer => {
                    eprintln!("  survives{}: {}", if answer.is_none() { " (undecided)" } else { "" }, fault.text);
                    count.inequivalent += 1;
                    count.undecided += usize::from(answer.is_none());
                }
            },
        }
    }
    (counts, tests.len())
}

/// Whether two formulas differ on some signal, where that can be told.
fn differs(left: &str, right: &str) -> Option<bool> {
    let source = Source::new("difference.stl", format!("({left}) xor ({right})"));
    let (spec, _) = stl::load(&source).expect("both sides are well formed");
    let options = options();
    let subject = StlSubject::new(&source, &spec, Criterion::Outcome, &GoalOptions::default()).expect("bounded");
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("built in");
    while session.pull().expect("no disagreement").is_some() {}
    let outcome = session.finish().expect("no disagreement");
    // The first goal is a signal that satisfies the formula.
    match outcome.statuses[0].name() {
        "covered" => Some(true),
        "infeasible" => Some(false),
        _ => None,
    }
}

fn options() -> Options {
    Options { solver: SolverChoice::BuiltIn, ..Options::default() }
}

fn drawn(source: &Source, spec: &Spec, criterion: Criterion) -> Vec<Trace> {
    let subject = StlSubject::new(source, spec, criterion, &GoalOptions::default()).expect("bounded");
    let backend = Backend::new(&options());
    let mut session = Session::new(&subject, &backend, options()).expect("built in");
    while session.pull().expect("no disagreement").is_some() {}
    let outcome = session.finish().expect("no disagreement");
    let trace = |test: &search::Confirmed| {
        let Inputs::Document(document) = &test.test().inputs else {
            unreachable!("the tests of a formula are signals")
        };
        from_json(spec, document).expect("a test of this formula")
    };
    outcome.tests.iter().map(trace).collect()
}

fn load(text: &str) -> Spec {
    stl::load(&Source::new("fault.stl", text)).expect("a fault in a number leaves the formula well formed").0
}

/// All faults of a text.
fn faults(text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (start, letter) in text.char_indices() {
        match letter {
            '[' => {
                let end = start + text[start..].find(']').expect("brackets are closed");
                let inner = &text[start + 1..end];
                let moved = windows(inner).into_iter();
                faults.extend(moved.map(|window| Fault { kind: 0, text: replaced(text, start + 1, end, &window) }));
            }
            '<' | '>' => {
                let behind = text[start + 1..].trim_start_matches(['=', ' ']);
                let begin = text.len() - behind.len();
                let length =
                    behind.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(behind.len());
                // `->` has no number behind it.
                let Some(number) = read_number(&behind[..length]) else { continue };
                for (kind, percent) in [(1, 1), (1, -1), (2, 10), (2, -10)] {
                    let changed = &number * RBig::from_parts((100 + percent).into(), 100u8.into());
                    let changed = write_number(&changed);
                    faults.push(Fault { kind, text: replaced(text, begin, begin + length, &changed) });
                }
            }
            _ => {}
        }
    }
    faults
}

/// The windows next to one, or the times next to that of `N[…]`.
fn windows(inner: &str) -> Vec<String> {
    let ends: Vec<RBig> = inner.split(',').map(|end| read_number(end).expect("a number")).collect();
    let places = inner.split(',').map(|end| end.split_once('.').map_or(0, |(_, places)| places.len()));
    let unit = RBig::ONE / RBig::from(10u64.pow(places.max().unwrap_or(0) as u32));
    let mut moved = Vec::new();
    for place in 0..ends.len() {
        for by in [-unit.clone(), unit.clone()] {
            let mut ends = ends.clone();
            ends[place] += by;
            if ends[0] >= RBig::ZERO && ends.is_sorted() {
                moved.push(ends.iter().map(write_number).collect::<Vec<_>>().join(","));
            }
        }
    }
    moved
}

fn replaced(text: &str, start: usize, end: usize, with: &str) -> String {
    format!("{}{with}{}", &text[..start], &text[end..])
}

#[cfg(test)]
mod tests {
    use super::faults;

    #[test]
    fn every_number_is_changed_up_and_down() {
        let texts: Vec<String> = faults("G[0,0.5](x >= 2 -> N[1] p)").into_iter().map(|fault| fault.text).collect();
        let expected = [
            "G[0.1,0.5](x >= 2 -> N[1] p)",
            "G[0,0.4](x >= 2 -> N[1] p)",
            "G[0,0.6](x >= 2 -> N[1] p)",
            "G[0,0.5](x >= 2.02 -> N[1] p)",
            "G[0,0.5](x >= 1.98 -> N[1] p)",
            "G[0,0.5](x >= 2.2 -> N[1] p)",
            "G[0,0.5](x >= 1.8 -> N[1] p)",
            "G[0,0.5](x >= 2 -> N[0] p)",
            "G[0,0.5](x >= 2 -> N[2] p)",
        ];
        assert_eq!(texts, expected);
    }
}
