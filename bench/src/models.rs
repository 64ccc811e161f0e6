//! Action systems: all mutants of the models of the literature with their tests, beside a plain explicit-state search in
//! Python that only finds verdicts; and a family of models that grows.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use action::mutate::{Mutant, OperatorSet, mutants, second_order};
use action::{Notation, Revision, Spec, load, print};
use draw_action::{ActionSubject, Entry, Limits, Origin, Relation, Space, Way};
use search::{Backend, Options, Session};
use source::Source;
use testcase::GoalStatus;

use crate::table::{Table, ratio, seconds, timed};

/// The peer is stopped after this time.
const PATIENCE: Duration = Duration::from_secs(120);

/// Models with the thesis' best time for all mutants, without test extraction, on a laptop of 2011.
const MODELS: &[(&str, &str)] = &[
    ("car_alarm.pl", "2.44 s"),
    ("car_alarm_1000.pl", "-"),
    ("car_alarm_bool_pin.pl", "-"),
    ("car_alarm_pin.pl", "-"),
    ("triangle.pl", "0.48 s"),
    ("triangle_10.pl", "80.47 s"),
    ("rocket.pl", "-"),
];

pub(crate) fn measure() -> Vec<Table> {
    vec![literature(), rings(), many()]
}

fn literature() -> Table {
    let columns = ["states", "mutants", "killed", "tests", "ours", "Python", "ratio", "thesis"];
    let mut table = Table::new("Models: all classic mutants, tests included, beside verdicts in Python", &columns);
    for (file, thesis) in MODELS {
        eprintln!("{file}");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/action").join(file);
        let text = std::fs::read_to_string(&path).expect("the example is there");
        let spec = read(&text, file, Notation::Prolog);
        let all = mutants(&spec, &OperatorSet::classic(), Notation::Prolog);
        let peer = python(&path, &spec, &all);
        let states = Space::explore(&spec, &Limits::default()).len();
        let (drawn, time) = timed(|| draw(&spec, all, Relation::Refinement));
        let (theirs, factor) = match peer {
            Peer::Absent => ("absent".to_owned(), "-".to_owned()),
            Peer::Stopped => (format!("> {} s", PATIENCE.as_secs()), format!("> {}", ratio(PATIENCE, time))),
            Peer::Done { time: other, killed } => {
                assert_eq!(killed, drawn.killed, "the peer and we count the same mutants of {file}");
                (seconds(other), ratio(other, time))
            }
        };
        let counts = [states, drawn.mutants, drawn.killed, drawn.tests].map(|count| count.to_string());
        table.row(*file, counts.into_iter().chain([seconds(time), theirs, factor, (*thesis).to_owned()]).collect());
    }
    table
}

/// The family of rings, with all single mutants of all operators and both relations.
fn rings() -> Table {
    let columns = ["states", "bytes/state", "explored", "mutants", "refinement", "killed", "ioco", "killed"];
    let mut table = Table::new("Rings of K stations: all single mutants of all operators", &columns);
    for size in [4, 7, 10, 13] {
        eprintln!("ring of {size}");
        let spec = read(&ring(size), "ring.as", Notation::Native);
        let (space, exploring) = timed(|| Space::explore(&spec, &Limits::default()));
        let all = || mutants(&spec, &OperatorSet::all(), Notation::Native);
        let (refined, refining) = timed(|| draw(&spec, all(), Relation::Refinement));
        let (observed, observing) = timed(|| draw(&spec, all(), Relation::Ioco));
        let cells = vec![
            space.len().to_string(),
            format!("{:.1}", space.memory() as f64 / space.len() as f64),
            seconds(exploring),
            refined.mutants.to_string(),
            seconds(refining),
            refined.killed.to_string(),
            seconds(observing),
            observed.killed.to_string(),
        ];
        table.row(format!("ring of {size}"), cells);
    }
    table
}

/// All mutants with one or two changes, ten thousand at most, of a model with more than a hundred thousand states.
fn many() -> Table {
    let columns = ["states", "mutants", "killed", "conform", "open", "tests", "seconds"];
    let mut table = Table::new("All mutants with one or two changes", &columns);
    let spec = read(&ring(13), "ring.as", Notation::Native);
    let mut all = mutants(&spec, &OperatorSet::all(), Notation::Native);
    let single = all.len();
    let more = second_order(&all, 12_000);
    let revision = Revision::of(&spec);
    all.extend(more.into_iter().filter(|mutant| mutant.is_model(&revision)).take(10_000 - single));
    let states = Space::explore(&spec, &Limits::default()).len();
    let (drawn, time) = timed(|| draw(&spec, all, Relation::Refinement));
    let counts = [states, drawn.mutants, drawn.killed, drawn.conform, drawn.open, drawn.tests];
    let counts = counts.into_iter().map(|count| count.to_string());
    table.row("ring of 13", counts.chain([seconds(time)]).collect());
    table
}

struct Drawn {
    mutants: usize,
    killed: usize,
    conform: usize,
    open: usize,
    tests: usize,
}

/// A whole suite: every mutant examined, every finding confirmed, tests selected.
fn draw(spec: &Spec, all: Vec<Mutant>, relation: Relation) -> Drawn {
    let entry = |mutant: Mutant| Entry {
        id: mutant.id.clone(),
        label: mutant.describe(),
        location: None,
        action: mutant.action().to_owned(),
        origin: Origin::Made(mutant),
    };
    let entries: Vec<Entry> = all.into_iter().map(entry).collect();
    let subject = ActionSubject::new(spec, entries, relation, Way::Explicit, Limits::default());
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let options = Options { jobs, ..Options::default() };
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("built in");
    while session.pull().expect("no disagreement").is_some() {}
    let outcome = session.finish().expect("no disagreement");
    let count = |wanted: fn(&GoalStatus) -> bool| outcome.statuses.iter().filter(|status| wanted(status)).count();
    Drawn {
        mutants: outcome.statuses.len(),
        killed: count(|status| *status == GoalStatus::Covered),
        conform: count(|status| matches!(status, GoalStatus::Infeasible(_))),
        open: count(|status| matches!(status, GoalStatus::InfeasibleUpTo(_) | GoalStatus::Unknown(_))),
        tests: outcome.tests.len(),
    }
}

enum Peer {
    Absent,
    Stopped,
    Done { time: Duration, killed: usize },
}

fn python(model: &Path, spec: &Spec, all: &[Mutant]) -> Peer {
    let folder = std::env::temp_dir().join(format!("specimen-bench-models-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for mutants");
    let file = |(index, mutant): (usize, &Mutant)| -> PathBuf {
        let path = folder.join(format!("{index}.pl"));
        std::fs::write(&path, print(&mutant.model(spec.model()), Notation::Prolog)).expect("written");
        path
    };
    // The model is printed too: the peer compares texts to find what a mutant changes.
    let original = folder.join("model.pl");
    std::fs::write(&original, print(spec.model(), Notation::Prolog)).expect("written");
    assert!(model.exists(), "the example is there");
    let files: Vec<PathBuf> = all.iter().enumerate().map(file).collect();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/explicit_states.py");
    let begin = Instant::now();
    let output = folder.join("verdicts");
    let log = std::fs::File::create(&output).expect("written");
    let started =
        Command::new("python3").arg(script).arg(original).args(files).stdout(log).stderr(Stdio::null()).spawn();
    let peer = match started {
        Err(_) => Peer::Absent,
        Ok(mut child) => loop {
            match child.try_wait().expect("the peer is ours") {
                Some(_) => {
                    let time = begin.elapsed();
                    let text = std::fs::read_to_string(&output).expect("the peer's verdicts");
                    assert!(text.ends_with("states\n"), "the peer came to its end: {text}");
                    break Peer::Done { time, killed: text.lines().filter(|line| line.starts_with("killed")).count() };
                }
                None if PATIENCE < begin.elapsed() => {
                    child.kill().expect("the peer can be stopped");
                    child.wait().expect("the peer ends");
                    break Peer::Stopped;
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        },
    };
    std::fs::remove_dir_all(&folder).expect("our own folder");
    peer
}

fn read(text: &str, name: &str, notation: Notation) -> Spec {
    load(&Source::new(name, text), notation).expect("the model is well formed").0
}

/// The ring of `examples/action/ring.py`: stations that pass a token, in 3 K 2^(K-1) states.
fn ring(size: usize) -> String {
    let last = size - 1;
    format!(
        "depth 1000;
type Station = 0..{last};
type Mode = {{ idle, wanting, talking }};
type Modes = array 0..{last} of Mode;
var mode: Modes = idle;
var token: Station = 0;
input want, hang_up;
action want(s) when mode[s] = idle {{ mode[s] := wanting }}
action talk(s) when mode[s] = wanting and token = s {{ mode[s] := talking }}
action hang_up(s) when mode[s] = talking {{ mode[s] := idle; token := (token + 1) mod {size} }}
action pass(s) when token = s and mode[s] = idle {{ token := (token + 1) mod {size} }}
do
  want(S) for S: Station [] talk(S) for S: Station [] hang_up(S) for S: Station [] pass(S) for S: Station
od
"
    )
}
