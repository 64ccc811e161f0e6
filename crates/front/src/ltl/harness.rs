//! `specimen mutants … --implementation`: strategies against the mutants of an implementation, and the score.

use std::path::Path;

use ltl::circuit::Force;
use ltl::execute::{Executor, Outcome, Run};
use ltl::mutate::{Operators, circuit_mutants, machine_mutants};
use ltl::{Judgement, Letter, Machine, Role, Spec, verify};
use omega::automaton::Limits;
use search::{Backend, Options, Session, SolverChoice, Subject};
use serde_json::{Value as Json, json};
use testcase::Inputs;

use super::LtlModel;
use super::drive::{Named, read_strategies, strategy};
use super::implementation::{Implementation, free};
use crate::columns::Table;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::front_end::{Model, one_of};
use crate::options::{CriterionArguments, HarnessArguments};
use crate::output::{Form, Output};
use crate::words::counted;

/// What the model checker may cost for one mutant.
const JUDGE: Limits = Limits { states: 50_000, nodes: 4_000_000, deadline: None };

/// The most mutants of a machine.
const MOST_MUTANTS: usize = 200;

/// The operators by name.
const OPERATORS: [&str; 4] = ["forced-0", "forced-1", "negated", "source"];

/// A mutant and what is known about it.
struct Examined {
    operator: &'static str,
    words: String,
    implementation: Implementation,
    /// Whether some environment makes it violate the specification; none if nobody knows.
    violating: Option<bool>,
}

/// What a run shows about a mutant.
#[derive(Clone, Copy, Default)]
struct Notice {
    violates: bool,
    suspicious: bool,
    differs: bool,
}

pub(super) fn harness(
    model: &LtlModel,
    output: &Output,
    criterion: &CriterionArguments,
    arguments: &HarnessArguments,
) -> Result<Exit, Failure> {
    let mut spec = model.spec.clone();
    let Some(path) = &arguments.steps.implementation else {
        return Err(Failure::Usage("no --implementation".to_owned()));
    };
    let reference = Implementation::read(output, path, &mut spec)?;
    let mutants = mutants(&mut spec, &reference, arguments)?;
    let correct = judged(&mut spec, &reference);
    if correct == Some(true) {
        output.warn(&format!("{} itself does not satisfy the specification", path.display()));
    }
    let mut strategies = Vec::new();
    for path in &arguments.suite {
        strategies.extend(read_strategies(path, &mut spec)?);
    }
    if arguments.suite.is_empty() {
        let known = if correct == Some(false) { reference.machine(&spec.formulas) } else { None };
        strategies = drawn(model, output, criterion, arguments, &mut spec, known)?;
    }
    let mut examined = Vec::new();
    for (operator, words, implementation) in mutants {
        let violating = judged(&mut spec, &implementation);
        examined.push(Examined { operator, words, implementation, violating });
    }
    let runs = notices(&spec, &reference, &strategies, &examined, arguments);
    let report = Report { path, correct, strategies: &strategies, examined: &examined, runs: &runs, arguments };
    match output.form {
        Form::Human => output.product(&report.text())?,
        Form::Json => output.product(&format!("{:#}\n", report.json()))?,
    }
    Ok(Exit::Done)
}

/// Whether an implementation can be made to violate the specification.
fn judged(spec: &mut Spec, implementation: &Implementation) -> Option<bool> {
    let whole: Vec<_> = spec.formulas.atoms_of([spec.requirement]);
    let known = |atom| implementation.inputs().contains(atom) || implementation.outputs().contains(atom);
    let inputs = spec.atoms_with(Role::Input);
    if !whole.iter().all(|atom| known(atom) || inputs.contains(atom)) {
        return None;
    }
    let machine = implementation.machine(&spec.formulas)?;
    match verify(&mut spec.formulas, &machine, spec.requirement, JUDGE) {
        Judgement::Satisfied => Some(false),
        Judgement::Violated(_) => Some(true),
        Judgement::Unknown => None,
    }
}

type Made = (&'static str, String, Implementation);

fn mutants(spec: &mut Spec, reference: &Implementation, arguments: &HarnessArguments) -> Result<Vec<Made>, Failure> {
    let circuit = match reference {
        Implementation::Machine(machine) => {
            if !arguments.operators.is_empty() || !arguments.faulty_steps.is_empty() {
                return Err(Failure::Usage("--operators and --faulty-steps are for circuits".to_owned()));
            }
            let made = machine_mutants(&spec.formulas, machine, MOST_MUTANTS);
            return Ok(made
                .into_iter()
                .map(|mutant| (mutant.operator, mutant.words, Implementation::Machine(mutant.implementation)))
                .collect());
        }
        Implementation::Circuit(circuit) => circuit,
    };
    let names: Vec<&str> = match arguments.operators.is_empty() {
        true if arguments.faulty_steps.is_empty() => OPERATORS.to_vec(),
        true => OPERATORS[..3].to_vec(),
        false => arguments.operators.iter().map(String::as_str).collect(),
    };
    let mut found = Vec::new();
    for name in names {
        let operators = match name {
            "forced-0" => Operators::Forced(vec![Force::Low], arguments.faulty_steps.clone()),
            "forced-1" => Operators::Forced(vec![Force::High], arguments.faulty_steps.clone()),
            "negated" => Operators::Forced(vec![Force::Negated], arguments.faulty_steps.clone()),
            "source" => Operators::Source,
            _ => return Err(one_of("operator", name, OPERATORS.into_iter())),
        };
        for mutant in circuit_mutants(&mut spec.formulas, circuit, &operators) {
            found.push((mutant.operator, mutant.words, Implementation::Circuit(mutant.implementation)));
        }
    }
    Ok(found)
}

/// Strategies drawn from the specification.
fn drawn(
    model: &LtlModel,
    output: &Output,
    criterion: &CriterionArguments,
    arguments: &HarnessArguments,
    spec: &mut Spec,
    known: Option<Machine>,
) -> Result<Vec<Named>, Failure> {
    let asked = model.asked(criterion)?;
    let mut subject = model.strategies(output, &asked)?;
    if let Some(system) = known {
        subject = subject.knowing(system.to_json(&spec.formulas));
    }
    let options = Options {
        solver: SolverChoice::BuiltIn,
        goal_timeout: arguments.goal_timeout,
        minimize: false,
        ..Options::default()
    };
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options.clone())?;
    while session.pull()?.is_some() {}
    let outcome = session.finish()?;
    let mut found = Vec::new();
    for (number, test) in outcome.tests.iter().enumerate() {
        let Inputs::Document(json) = &test.test().inputs else { continue };
        let machine = strategy(json, spec).map_err(Failure::Bug)?;
        let covers = outcome.covers[number].iter().map(|goal| subject.goals()[goal.0 as usize].key.clone()).collect();
        found.push(Named { name: format!("t{}", number + 1), machine, covers });
    }
    Ok(found)
}

/// Every strategy, then every random run, on every mutant.
fn notices(
    spec: &Spec,
    reference: &Implementation,
    strategies: &[Named],
    examined: &[Examined],
    arguments: &HarnessArguments,
) -> Vec<(String, Vec<Notice>)> {
    let steps = &arguments.steps;
    let random = (1..=steps.random).map(|number| (format!("random {number}"), None, u64::from(number)));
    let own = strategies.iter().map(|strategy| (strategy.name.clone(), Some(&strategy.machine), 0));
    let mut executor = Executor::new(spec, reference.outputs(), steps.steps, free(steps.free), 0);
    executor.goes_on = true;
    let mut rows = Vec::new();
    for (name, machine, seed) in own.chain(random) {
        let mut row = Vec::new();
        for mutant in examined {
            // The same inputs for every mutant, as far as its outputs allow.
            executor.reseed(steps.input_seed.wrapping_add(seed));
            let mut system = mutant.implementation.system(&spec.formulas);
            let run = executor.run(machine, &mut *system);
            row.push(Notice {
                violates: run.outcome == Outcome::Fails,
                suspicious: run.outcome == Outcome::PresumablyFails,
                differs: differs(spec, reference, &run),
            });
        }
        rows.push((name, row));
    }
    rows
}

/// Whether the reference answers the same inputs otherwise.
fn differs(spec: &Spec, reference: &Implementation, run: &Run) -> bool {
    let mut system = reference.system(&spec.formulas);
    let visible = spec.atoms_with(Role::Output);
    if system.restart().is_err() {
        return false;
    }
    run.steps.iter().any(|letter: &Letter| {
        system
            .step(letter)
            .is_ok_and(|answer| visible.iter().any(|output| answer.holds(*output) != letter.holds(*output)))
    })
}

struct Report<'a> {
    path: &'a Path,
    correct: Option<bool>,
    strategies: &'a [Named],
    examined: &'a [Examined],
    runs: &'a [(String, Vec<Notice>)],
    arguments: &'a HarnessArguments,
}

impl Report<'_> {
    fn counted_mutants(&self) -> Vec<usize> {
        (0..self.examined.len()).filter(|place| self.examined[*place].violating != Some(false)).collect()
    }

    /// How many mutants that can violate the specification some of the runs notice.
    fn score(&self, rows: &[usize], noticed: impl Fn(Notice) -> bool) -> usize {
        let noticed = &noticed;
        self.counted_mutants()
            .into_iter()
            .filter(|mutant| rows.iter().any(|row| noticed(self.runs[*row].1[*mutant])))
            .count()
    }

    fn text(&self) -> String {
        let counted_mutants = self.counted_mutants();
        let equivalent = self.examined.len() - counted_mutants.len();
        let unknown = counted_mutants.iter().filter(|place| self.examined[**place].violating.is_none()).count();
        let mut text = format!(
            "{}: {}, {}; {equivalent} of them satisfy the specification and do not count\n",
            self.path.display(),
            match self.correct {
                Some(false) => "satisfies the specification (model-checked)",
                Some(true) => "violates the specification",
                None => "not model-checked",
            },
            counted(self.examined.len(), "mutant"),
        );
        if 0 < unknown {
            text += &format!("{} count although nobody knows whether they violate it\n", unknown);
        }
        text.push('\n');
        let mut table = Table::new(&["run", "violation", "or suspicion", "or difference", "alone", "for"]);
        let all: Vec<usize> = (0..self.runs.len()).collect();
        let own: Vec<usize> = (0..self.strategies.len()).collect();
        let random: Vec<usize> = (self.strategies.len()..self.runs.len()).collect();
        let line = |table: &mut Table, name: String, rows: &[usize], covers: String| {
            let count = counted_mutants.len();
            let share = |number: usize| match count {
                0 => "-".to_owned(),
                _ if rows.len() == 1 => number.to_string(),
                _ => format!("{number} ({:.1} %)", number as f64 * 100.0 / count as f64),
            };
            let violates = self.score(rows, |notice| notice.violates);
            let suspicious = self.score(rows, |notice| notice.violates || notice.suspicious);
            let differs = self.score(rows, |notice| notice.violates || notice.suspicious || notice.differs);
            let others: Vec<usize> = all.iter().copied().filter(|row| !rows.contains(row)).collect();
            let noticed = |notice: Notice| notice.violates || notice.suspicious || notice.differs;
            let alone = self.score(&all, noticed) - self.score(&others, noticed);
            table.row(vec![name, share(violates), share(suspicious), share(differs), alone.to_string(), covers]);
        };
        for (row, (name, _)) in self.runs.iter().enumerate() {
            let covers = self.strategies.get(row).map_or_else(String::new, |strategy| strategy.covers.join(" "));
            line(&mut table, name.clone(), &[row], covers);
        }
        if !own.is_empty() {
            line(
                &mut table,
                format!("all {}", counted(own.len(), "strategy").replace("strategys", "strategies")),
                &own,
                String::new(),
            );
        }
        if !random.is_empty() {
            line(&mut table, format!("all {}", counted(random.len(), "random run")), &random, String::new());
        }
        text += &table.to_text(0);
        if self.arguments.matrix {
            text.push('\n');
            text += &self.matrix();
        }
        text
    }

    /// Which run notices which mutant: `V` by a violation, `S` by a suspicion, `D` by a difference.
    fn matrix(&self) -> String {
        let mut head = vec!["mutant", "operator"];
        head.extend(self.runs.iter().map(|(name, _)| name.as_str()));
        let mut table = Table::new(&head);
        for (place, mutant) in self.examined.iter().enumerate() {
            let mut words: String = mutant.words.chars().take(60).collect();
            if mutant.violating == Some(false) {
                words += " (equivalent)";
            }
            let mut row = vec![words, mutant.operator.to_owned()];
            row.extend(self.runs.iter().map(|(_, notices)| {
                match notices[place] {
                    Notice { violates: true, .. } => "V",
                    Notice { suspicious: true, .. } => "S",
                    Notice { differs: true, .. } => "D",
                    Notice { .. } => ".",
                }
                .to_owned()
            }));
            table.row(row);
        }
        table.to_text(0)
    }

    fn json(&self) -> Json {
        let mutants: Vec<Json> = self
            .examined
            .iter()
            .map(|mutant| json!({ "operator": mutant.operator, "words": mutant.words, "violating": mutant.violating }))
            .collect();
        let runs: Vec<Json> = self
            .runs
            .iter()
            .enumerate()
            .map(|(row, (name, notices))| {
                let list = |wanted: fn(&Notice) -> bool| -> Vec<usize> {
                    (0..notices.len()).filter(|place| wanted(&notices[*place])).collect()
                };
                json!({
                    "run": name,
                    "for": self.strategies.get(row).map(|strategy| &strategy.covers),
                    "violations": list(|notice| notice.violates),
                    "suspicions": list(|notice| notice.suspicious),
                    "differences": list(|notice| notice.differs),
                })
            })
            .collect();
        let own: Vec<usize> = (0..self.strategies.len()).collect();
        json!({
            "implementation": self.path.display().to_string(),
            "correct": self.correct.map(|violating| !violating),
            "mutants": mutants,
            "runs": runs,
            "counted": self.counted_mutants().len(),
            "killed": {
                "violation": self.score(&own, |notice| notice.violates),
                "suspicion": self.score(&own, |notice| notice.violates || notice.suspicious),
                "difference": self.score(&own, |notice| notice.violates || notice.suspicious || notice.differs),
            },
        })
    }
}
