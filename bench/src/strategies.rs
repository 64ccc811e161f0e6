//! LTL: test strategies for the case studies of the literature, growing families of specifications, and monitors.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use draw_ltl::{Allowance, Answer, StrategySubject, realizable};
use ltl::circuit::{Circuit, Force};
use ltl::execute::{Executor, Free, Outcome, System};
use ltl::faults::{Selection, faults};
use ltl::mutate::{Operators, circuit_mutants};
use ltl::verdict::Monitor;
use ltl::{Dialect, Frequency, Judgement, Machine, Role, Spec, parse_formula, verify};
use omega::Formulas;
use omega::automaton::Limits;
use search::{Backend, Options, Session, SolverChoice};
use source::Source;
use testcase::{GoalStatus, Inputs};

use crate::table::{Table, ratio, seconds, timed};

/// How long one specification may take.
const LIMIT: Duration = Duration::from_secs(30);

/// How long one fault at the frequency that is printed, or a stronger one, may take.
const PRINTED: Duration = Duration::from_secs(60);

/// How long one fault at a weaker frequency may take.
const WEAKER: Duration = Duration::from_secs(5);

pub(crate) fn measure() -> Vec<Table> {
    let mut scores = Table::new(
        "Mutants of the implementations that strategies notice in 80 steps, those that violate the specification",
        &["mutants", "strategies", "violation", "or difference", "there"],
    );
    let mut tables = vec![monitors(), families()];
    for (name, printed, there) in [("pin-door", PIN, "-"), ("fdir", FDIR, "71.2 %"), ("amba", AMBA, "48.7 %")] {
        let mut strategies = Vec::new();
        tables.push(faults_of(name, printed, &mut strategies));
        score(&mut scores, name, &strategies, there);
    }
    tables.push(scores);
    tables
}

/// Seconds and results that Röck's thesis (2018) prints: fault, frequency, states, seconds.
type Printed = (&'static str, &'static str, &'static str, &'static str);

/// Table 4.9.
const PIN: &[Printed] = &[
    ("doorclosed/stuck-at-0", "GF", "25", "22341"),
    ("doorlocked/stuck-at-0", "FG", "29", "2425"),
    ("doorclosed/stuck-at-1", "GF", "45", "23290"),
    ("doorlocked/stuck-at-1", "FG", "52", "3100"),
];

/// Table 4.10.
const FDIR: &[Printed] = &[
    ("on1/stuck-at-0", "FG", "4", "1200"),
    ("off1/stuck-at-0", "FG", "3", "517"),
    ("safemode/stuck-at-0", "FG", "4", "934"),
    ("on1/stuck-at-1", "GF", "4", "438"),
    ("off1/stuck-at-1", "FG", "4", "753"),
    ("safemode/stuck-at-1", "GF", "3", "169"),
    ("on1/bit-flip", "GF", "4", "26000"),
    ("off1/bit-flip", "FG", "4", "98900"),
    ("safemode/bit-flip", "GF", "3", "13100"),
];

/// Table 4.8, the whole specification; bit-flips ran for more than six days without a result.
const AMBA: &[Printed] = &[
    ("hmaster/stuck-at-0", "GF", "2", "4848"),
    ("hgrant0/stuck-at-0", "F", "2", "2082"),
    ("hgrant1/stuck-at-0", "GF", "2", "4991"),
    ("hmastlock/stuck-at-0", "GF", "2", "5808"),
    ("start/stuck-at-0", "FG", "2", "9367"),
    ("locked/stuck-at-0", "GF", "2", "5236"),
    ("decide/stuck-at-0", "FG", "2", "9934"),
    ("hmaster/stuck-at-1", "F", "2", "2388"),
    ("hgrant0/stuck-at-1", "GF", "2", "5681"),
    ("hgrant1/stuck-at-1", "F", "2", "1970"),
    ("hmastlock/stuck-at-1", "F", "2", "1473"),
    ("start/stuck-at-1", "GF", "2", "5934"),
    ("locked/stuck-at-1", "GF", "2", "5423"),
    ("decide/stuck-at-1", "GF", "2", "4169"),
    ("hmaster/bit-flip", "-", "-", "> 518400"),
    ("hgrant0/bit-flip", "-", "-", "> 518400"),
    ("start/bit-flip", "-", "-", "> 518400"),
    ("decide/bit-flip", "-", "-", "> 518400"),
];

fn example(name: &str, extension: &str) -> Source {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/ltl").join(format!("{name}.{extension}"));
    Source::new(name, std::fs::read_to_string(path).expect("the example is there"))
}

/// The implementation that is shipped with a specification.
fn circuit(name: &str, spec: &mut Spec) -> Circuit {
    Circuit::parse(&example(name, "circuit"), &mut spec.formulas).expect("the circuit is well formed")
}

/// What became of a fault at a frequency.
struct Asked {
    status: GoalStatus,
    strategy: Option<(serde_json::Value, usize)>,
    time: Duration,
}

/// Asks as a user does, or with the shipped implementation as `--reference`.
fn ask(name: &str, key: &str, frequency: Frequency, limit: Duration, reference: bool) -> Asked {
    let source = example(name, "ltl");
    let mut spec = ltl::load(&source, Dialect::Ltl).expect("the example is well formed").0;
    let mut chosen = faults(&mut spec, Selection::All).expect("the faults are well formed");
    chosen.retain(|fault| fault.key == key);
    for fault in &mut chosen {
        fault.demands.retain(|demand| demand.frequency == Some(frequency));
    }
    let system = circuit(name, &mut spec).to_machine(&spec.formulas).expect("it is small").to_json(&spec.formulas);
    let subject = StrategySubject::new(&source, spec, chosen);
    let subject = if reference { subject.knowing(system) } else { subject };
    let options = Options { solver: SolverChoice::BuiltIn, goal_timeout: Some(limit), ..Options::default() };
    let (found, time) = timed(|| {
        let backend = Backend::new(&options);
        let mut session = Session::new(&subject, &backend, options.clone()).expect("built in");
        while session.pull().expect("no disagreement").is_some() {}
        session.finish().expect("no disagreement")
    });
    let strategy = found.tests.first().and_then(|test| {
        let Inputs::Document(machine) = &test.test().inputs else { return None };
        Some((machine.clone(), test.test().notes.get("states")?.as_u64()? as usize))
    });
    Asked { status: found.statuses[0].clone(), strategy, time }
}

/// Each fault alone, so that its time is its own; weakest frequency first, as the thesis does.
fn faults_of(name: &str, printed: &[Printed], strategies: &mut Vec<serde_json::Value>) -> Table {
    let title = format!("Strategies for {name}.ltl beside the figures of Röck's thesis (2018)");
    let columns = [
        "frequency",
        "states",
        "ours",
        "weaker",
        "with --reference",
        "weaker with it",
        "frequency there",
        "states there",
        "seconds there",
    ];
    let mut table = Table::new(&title, &columns);
    for &(key, there, states, time) in printed {
        let [own, known] = [false, true].map(|reference| best_of(name, key, there, reference));
        eprintln!("{key}: {own:?}; with a reference {known:?}");
        strategies.extend(own.machine.or(known.machine));
        let with = format!("{} {} {}", known.frequency, known.states, known.time);
        let printed = [there.into(), states.into(), time.into()];
        let cells = [own.frequency, own.states, own.time, own.weaker, with, known.weaker].into_iter().chain(printed);
        table.row(key, cells.collect());
    }
    table
}

/// The best that was found for a fault, as cells of a table.
#[derive(Debug)]
struct Best {
    machine: Option<serde_json::Value>,
    frequency: String,
    states: String,
    time: String,
    weaker: String,
}

fn best_of(name: &str, key: &str, there: &str, reference: bool) -> Best {
    let mut weaker: Vec<String> = Vec::new();
    let mut found = None;
    let place = Frequency::ALL.iter().position(|frequency| frequency.symbol() == there);
    for (number, &frequency) in Frequency::ALL.iter().enumerate() {
        let limit = if place.is_none_or(|place| number < place) { WEAKER } else { PRINTED };
        let asked = ask(name, key, frequency, limit, reference);
        match (asked.strategy, asked.status) {
            (Some((machine, size)), _) => {
                found = Some((frequency.symbol(), size, asked.time, machine));
                break;
            }
            (None, GoalStatus::Infeasible(_) | GoalStatus::InfeasibleUpTo(_)) => {
                weaker.push(format!("{} none", frequency.symbol()));
            }
            (None, _) => weaker.push(format!("{} open", frequency.symbol())),
        }
    }
    let weaker = weaker.join(", ");
    match found {
        Some((frequency, size, time, machine)) => Best {
            machine: Some(machine),
            frequency: frequency.to_owned(),
            states: size.to_string(),
            time: seconds(time),
            weaker,
        },
        None => {
            let none = || "-".to_owned();
            Best { machine: None, frequency: none(), states: none(), time: none(), weaker }
        }
    }
}

/// How many mutants of an implementation are noticed by strategies, each of which is run for 80 steps.
fn score(table: &mut Table, name: &str, strategies: &[serde_json::Value], there: &str) {
    let mut spec = ltl::load(&example(name, "ltl"), Dialect::Ltl).expect("the example is well formed").0;
    let reference = circuit(name, &mut spec);
    let steps = Operators::Forced(vec![Force::Low, Force::High, Force::Negated], Vec::new());
    let mut mutants = circuit_mutants(&mut spec.formulas, &reference, &steps);
    mutants.extend(circuit_mutants(&mut spec.formulas, &reference, &Operators::Source));
    mutants.retain(|mutant| {
        let machine = mutant.implementation.to_machine(&spec.formulas);
        let limits = Limits { states: 50_000, ..Limits::default() };
        let verdict = machine.map(|machine| verify(&mut spec.formulas, &machine, spec.requirement, limits));
        verdict != Some(Judgement::Satisfied)
    });
    let machines: Vec<Machine> = strategies
        .iter()
        .map(|json| Machine::from_json(json, &mut spec.formulas).expect("a strategy is a machine"))
        .collect();
    let visible = spec.atoms_with(Role::Output);
    let mut executor = Executor::new(&spec, &reference.outputs, 80, Free::Random, 0);
    executor.goes_on = true;
    let (mut violating, mut different) = (0, 0);
    for mutant in &mutants {
        let (mut violates, mut differs) = (false, false);
        for machine in &machines {
            executor.reseed(0);
            let run = executor.run(Some(machine), &mut mutant.implementation.start(&spec.formulas));
            violates |= run.outcome == Outcome::Fails;
            let mut correct = reference.start(&spec.formulas);
            correct.restart().expect("a circuit can be restarted");
            differs |= run.steps.iter().any(|letter| {
                let answer = correct.step(letter).expect("a circuit answers");
                visible.iter().any(|output| answer.holds(*output) != letter.holds(*output))
            });
        }
        violating += usize::from(violates);
        different += usize::from(violates || differs);
    }
    let share = |count: usize| format!("{count} ({:.1} %)", 100.0 * count as f64 / mutants.len() as f64);
    let cells = vec![mutants.len().to_string(), machines.len().to_string(), share(violating), share(different)];
    table.row(name, [cells, vec![there.into()]].concat());
}

/// A family: its name and the text of each member.
type Family = (&'static str, fn(usize) -> String);

const FAMILIES: &[Family] = &[
    ("simple arbiter", simple_arbiter),
    ("full arbiter", full_arbiter),
    ("prioritised arbiter", prioritised_arbiter),
    ("load balancer", load_balancer),
    ("lift", lift),
];

fn families() -> Table {
    let columns = ["answer", "states", "ours", "ltlsynt", "ratio"];
    let mut table = Table::new("Realizability of growing families", &columns);
    for (name, text) in FAMILIES {
        for size in 2..=8 {
            let text = text(size);
            let mut spec = ltl::load(&Source::new("family.ltl", text), Dialect::Ltl).expect("well formed").0;
            let (answer, time) = timed(|| realizable(&mut spec, Allowance { time: Some(LIMIT), megabytes: None }));
            let (words, states) = match &answer {
                Answer::Realizable(machine) => ("realizable", machine.states.len().to_string()),
                Answer::Unrealizable(machine) => ("unrealizable", machine.states.len().to_string()),
                Answer::Unkept { realizable: true, .. } => ("realizable", "-".to_owned()),
                Answer::Unkept { realizable: false, .. } => ("unrealizable", "-".to_owned()),
                Answer::Unknown(_) => ("unknown", "-".to_owned()),
                Answer::Disagreement(_) => ("a bug", "-".to_owned()),
            };
            let peer = ltlsynt(&spec);
            let (peer_time, quotient) =
                peer.map_or(("absent".to_owned(), "-".to_owned()), |peer| (seconds(peer), ratio(peer, time)));
            eprintln!("{name} {size}: {words}, {}", seconds(time));
            table.row(format!("{name} {size}"), vec![words.into(), states, seconds(time), peer_time, quotient]);
            // Larger members would only take longer.
            if matches!(answer, Answer::Unknown(_)) {
                break;
            }
        }
    }
    table
}

/// The time of Spot's synthesis tool on the same question, if it is installed.
fn ltlsynt(spec: &Spec) -> Option<Duration> {
    Command::new("ltlsynt").arg("--version").output().ok()?;
    let names = |role| -> String {
        let atoms = spec.atoms_with(role);
        atoms.iter().map(|atom| spec.formulas.atom_name(*atom)).collect::<Vec<_>>().join(",")
    };
    let (result, time) = timed(|| {
        Command::new("timeout")
            .args(["60", "ltlsynt", "--realizability", "-f", &ltl::print(&spec.formulas, spec.requirement)])
            .arg(format!("--ins={}", names(Role::Input)))
            .arg(format!("--outs={}", names(Role::Output)))
            .output()
    });
    result.ok().map(|_| time)
}

fn each(size: usize, text: impl Fn(usize) -> String) -> String {
    (0..size).map(text).collect()
}

fn names(size: usize, letter: char) -> String {
    (0..size).map(|place| format!("{letter}{place}")).collect::<Vec<_>>().join(", ")
}

fn exclusion(size: usize, letter: char) -> String {
    let mut text = String::new();
    for left in 0..size {
        for right in 0..left {
            text += &format!("G !({letter}{left} & {letter}{right});\n");
        }
    }
    text
}

fn head(size: usize) -> String {
    format!("input {}; output {};\n{}", names(size, 'r'), names(size, 'g'), exclusion(size, 'g'))
}

fn simple_arbiter(size: usize) -> String {
    head(size) + &each(size, |place| format!("G (r{place} -> F g{place});\n"))
}

/// No grant without a request, and none is kept for ever.
fn full_arbiter(size: usize) -> String {
    simple_arbiter(size)
        + &each(size, |place| {
            format!(
                "r{place} R !g{place};\nG (g{place} & G !r{place} -> F !g{place});\nG (g{place} & X (!r{place} & !g{place}) -> X (r{place} R !g{place}));\n"
            )
        })
}

/// The master is served before anyone else is.
fn prioritised_arbiter(size: usize) -> String {
    let others = (0..size).map(|place| format!("!g{place}")).collect::<Vec<_>>().join(" & ");
    format!("input m; output h; assume G F !m;\n{}", simple_arbiter(size))
        + &each(size, |place| format!("G !(h & g{place});\n"))
        + &format!("G (m -> X (({others}) U h));\n")
}

/// Work goes to a server only while the system is idle, and only if it is asked for; the first server may starve the system.
fn load_balancer(size: usize) -> String {
    let none = (0..size).map(|place| format!("!g{place}")).collect::<Vec<_>>().join(" & ");
    format!("input i, {}; output {};\n", names(size, 'r'), names(size, 'g'))
        + &exclusion(size, 'g')
        + &format!("assume G F i;\nassume G (i & {none} -> X i);\nassume G (!g0 | X ((!r0 & !i) U (!r0 & i)));\n")
        + &format!("G (!i -> {none});\n")
        + &each(size, |place| format!("G (g{place} -> r{place});\n"))
        + &each(size, |place| format!("!(F G (r{place} & !g{place}));\n"))
}

/// One floor at a time, neighbouring floors one after the other, and every button is answered.
fn lift(size: usize) -> String {
    let floors = (0..size).map(|place| format!("g{place}")).collect::<Vec<_>>().join(" | ");
    let near = |place: usize| {
        let others = [place.checked_sub(1), Some(place), Some(place + 1).filter(|next| *next < size)];
        others.into_iter().flatten().map(|place| format!("g{place}")).collect::<Vec<_>>().join(" | ")
    };
    simple_arbiter(size)
        + &format!("g0;\nG ({floors});\n")
        + &each(size, |place| format!("G (g{place} -> X ({}));\n", near(place)))
}

/// Formulas of about twenty operators, on a million steps.
fn monitors() -> Table {
    const STEPS: u64 = 1_000_000;
    const FORMULA: &str = "G (a -> F b) & G (b -> X F c) & G F a & (G F b -> G F c) & G (c -> X X F (a & b))";
    let mut table = Table::new("Monitoring a million steps (wanted: one second)", &["operators", "time", "steps kept"]);
    let mut formulas = Formulas::new();
    let formula = parse_formula(&Source::new("formula", FORMULA), &mut formulas).expect("well formed");
    let operators = formulas.reachable([formula]).len() - 3;
    for (name, stalls) in [("lively", u64::MAX), ("stalled half way", STEPS / 2), ("stalled from the start", 20)] {
        let mut state = 1_u64;
        let mut monitor = Monitor::new(&formulas, &[formula]);
        let ((), time) = timed(|| {
            for step in 0..STEPS {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let lives = step <= stalls;
                monitor.push(&[state >> 40 & 3 == 0, lives && state >> 50 & 3 == 0, lives && state >> 60 & 3 == 0]);
            }
            std::hint::black_box(monitor.verdicts());
        });
        table.row(name, vec![operators.to_string(), seconds(time), monitor.kept().to_string()]);
    }
    table
}
