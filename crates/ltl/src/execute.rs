//! Strategies against systems: the step loop, the trace it leaves, and what is to be said about it.
//!
//! In every step the strategy sets the inputs, the system answers with its outputs, and the strategy moves on what it sees.
//! What a strategy leaves free is filled in so that no assumption is broken, as far as one step shows.

mod visits;

use visits::{Situation, Visits, automata, moved};

use crate::eval::Letter;
use crate::machine::Machine;
use crate::spec::{Role, Spec};
use crate::verdict::{Monitor, Semantics, Verdict};
use omega::bdd::Bdd;
use omega::deterministic::Deterministic;
use omega::{AtomId, Formula, Formulas};

/// A system under test.
pub trait System {
    /// Brings the system into its initial state.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    fn restart(&mut self) -> Result<(), String>;

    /// One step: the values of all outputs for these inputs.
    ///
    /// # Errors
    /// Why the answer is missing, in words.
    fn step(&mut self, inputs: &Letter) -> Result<Letter, String>;

    /// The end of a run.
    ///
    /// # Errors
    /// Why what was seen in the run may not be what the system answered, in words.
    fn finish(&mut self) -> Result<(), String> {
        Ok(())
    }
}

/// A machine as a system; what it leaves free is false.
pub struct MachineSystem<'a> {
    machine: &'a Machine,
    state: usize,
}

impl<'a> MachineSystem<'a> {
    /// The system that a machine is.
    pub fn new(machine: &'a Machine) -> MachineSystem<'a> {
        MachineSystem { machine, state: 0 }
    }
}

impl System for MachineSystem<'_> {
    fn restart(&mut self) -> Result<(), String> {
        self.state = 0;
        Ok(())
    }

    fn step(&mut self, inputs: &Letter) -> Result<Letter, String> {
        let taken = self.machine.step(self.state, inputs);
        self.state = taken.target;
        Ok(Letter::of(taken.sets.iter().filter(|(_, value)| *value).map(|(atom, _)| *atom)))
    }
}

/// How inputs are chosen that a strategy leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Free {
    /// At random.
    Random,
    /// False where possible.
    Low,
    /// True where possible.
    High,
    /// All values in turn.
    RoundRobin,
    /// What was not yet set in the same situation, or least often: a situation is a state of the strategy together with what the
    /// specification's safety properties remember.
    Coverage,
}

/// What came of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// A guarantee is violated, and no assumption was.
    Fails,
    /// A guarantee waits longer than it ever did.
    PresumablyFails,
    /// No verdict was reached.
    Inconclusive,
    /// Nothing is pending for longer than it ever was.
    PresumablyPasses,
    /// Every continuation satisfies the guarantees.
    Passes,
}

impl Outcome {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Fails => "fails",
            Outcome::PresumablyFails => "presumably fails",
            Outcome::Inconclusive => "inconclusive",
            Outcome::PresumablyPasses => "presumably passes",
            Outcome::Passes => "passes",
        }
    }
}

/// A run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Inputs and outputs of every step.
    pub steps: Vec<Letter>,
    /// What came of it.
    pub outcome: Outcome,
    /// Why: the property, and the step in which it was decided if it was.
    pub why: String,
    /// What went wrong with the system, if something did.
    pub trouble: Option<String>,
}

/// Runs strategies for a specification.
pub struct Executor<'a> {
    spec: &'a Spec,
    inputs: Vec<AtomId>,
    outputs: Vec<AtomId>,
    assumptions: Vec<Deterministic>,
    properties: Vec<(String, bool, Formula)>,
    /// At most this many steps.
    pub limit: u64,
    /// How free inputs are chosen.
    pub free: Free,
    /// Whether a run goes on when a guarantee is violated.
    pub goes_on: bool,
    unseen: Vec<String>,
    random: u64,
    /// What was visited by the last strategy, where that is asked for.
    visits: Option<Visits>,
    last: Option<Machine>,
}

/// How often random values are drawn for one step.
const DRAWS: usize = 400;

/// The most free inputs all of whose values are looked at; more are drawn at random.
const MOST_LISTED: usize = 8;

impl<'a> Executor<'a> {
    /// An executor for systems that show the signals `seen`; `seed` fixes random choices.
    pub fn new(spec: &'a Spec, seen: &[AtomId], limit: u64, free: Free, seed: u64) -> Executor<'a> {
        let all: Vec<AtomId> = spec.signals.iter().map(|signal| signal.atom).collect();
        let assumed: Vec<Formula> = spec.assumptions.iter().map(|property| property.formula).collect();
        let assumptions = automata(spec, &assumed, &all);
        let mut properties: Vec<(String, bool, Formula)> = Vec::new();
        for (list, is_assumption) in [(&spec.assumptions, true), (&spec.guarantees, false)] {
            for property in list {
                for conjunct in spec.formulas.conjuncts(property.formula) {
                    properties.push((property.name.clone(), is_assumption, conjunct));
                }
            }
        }
        if spec.guarantees.is_empty() {
            properties.push(("whole".to_owned(), false, spec.requirement));
        }
        // What is about signals that nobody sees cannot be judged.
        let inputs = spec.atoms_with(Role::Input);
        let mut unseen: Vec<String> = Vec::new();
        properties.retain(|(name, _, formula)| {
            let atoms = spec.formulas.atoms_of([*formula]);
            let is_seen = atoms.iter().all(|atom| inputs.contains(atom) || seen.contains(atom));
            if !is_seen && !unseen.contains(name) {
                unseen.push(name.clone());
            }
            is_seen
        });
        let outputs = seen.to_vec();
        let mut executor = Executor {
            spec,
            inputs,
            outputs,
            assumptions,
            properties,
            limit,
            free,
            goes_on: false,
            unseen,
            random: 0,
            visits: None,
            last: None,
        };
        executor.reseed(seed);
        if free == Free::Coverage {
            executor.watch();
        }
        executor
    }

    /// Notes from now on which inputs are set in which situation.
    pub fn watch(&mut self) {
        let seen: Vec<AtomId> = self.inputs.iter().chain(&self.outputs).copied().collect();
        let guaranteed: Vec<Formula> = self.spec.guarantees.iter().map(|property| property.formula).collect();
        let guarantees = automata(self.spec, &guaranteed, &seen);
        self.visits = Some(Visits::with(guarantees));
    }

    /// How many different inputs the last strategy, in all runs of it, set in different situations; see [`Executor::watch`].
    pub fn visited(&self) -> usize {
        self.visits.as_ref().map_or(0, Visits::pairs)
    }

    /// Random choices begin anew, and visits are forgotten.
    pub fn reseed(&mut self, seed: u64) {
        self.random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1;
        self.last = None;
        if let Some(visits) = &mut self.visits {
            visits.clear();
        }
    }

    /// The properties that cannot be judged.
    pub fn unseen(&self) -> &[String] {
        &self.unseen
    }

    fn draw(&mut self) -> u64 {
        // xorshift64*
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        self.random.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Runs a strategy, or chooses every input freely where there is none.
    pub fn run(&mut self, strategy: Option<&Machine>, system: &mut dyn System) -> Run {
        let formulas: Vec<Formula> = self.properties.iter().map(|(_, _, formula)| *formula).collect();
        let mut monitor = Monitor::new(&self.spec.formulas, &formulas);
        let atoms = monitor.atoms().to_vec();
        let mut steps: Vec<Letter> = Vec::new();
        let mut state = 0;
        let mut places = vec![0; self.assumptions.len()];
        let mut phases = vec![0; self.visits.as_ref().map_or(0, |visits| visits.guarantees.len())];
        if let Some(visits) = self.visits.as_mut().filter(|_| self.last.as_ref() != strategy) {
            visits.clear();
            self.last = strategy.cloned();
        }
        // Runs without a strategy are random, whatever becomes of inputs that a strategy leaves free.
        let how = if strategy.is_some() { self.free } else { Free::Random };
        let mut trouble = system.restart().err();
        let mut violated = None;
        while trouble.is_none() && (steps.len() as u64) < self.limit {
            let mut letter = Letter::default();
            let fixed: &[(AtomId, bool)] = strategy.map_or(&[], |strategy| strategy.sets_in(state));
            for &(atom, value) in fixed {
                letter.set(atom, value);
            }
            let free: Vec<AtomId> =
                self.inputs.iter().copied().filter(|input| !fixed.iter().any(|(atom, _)| atom == input)).collect();
            let situation: Situation =
                [state].iter().chain(&places).chain(&phases).map(|&number| number as u32).collect();
            match how {
                Free::Coverage => self.explore(&mut letter, &free, &places, &situation),
                Free::Random | Free::Low | Free::High | Free::RoundRobin => {
                    self.fill(how, &mut letter, &free, &places, steps.len() as u64);
                }
            }
            if let Some(visits) = &mut self.visits {
                visits.note(situation, self.inputs.iter().map(|input| letter.holds(*input)).collect());
            }
            match system.step(&letter) {
                Ok(answer) => {
                    for &output in &self.outputs {
                        letter.set(output, answer.holds(output));
                    }
                }
                Err(words) => {
                    trouble = Some(words);
                    break;
                }
            }
            if let Some(strategy) = strategy {
                state = strategy.step(state, &letter).target;
            }
            for (automaton, place) in self.assumptions.iter().zip(&mut places) {
                *place = moved(automaton, *place, &letter);
            }
            let guarantees = self.visits.iter().flat_map(|visits| &visits.guarantees);
            for (automaton, phase) in guarantees.zip(&mut phases) {
                *phase = moved(automaton, *phase, &letter);
            }
            let row: Vec<bool> = atoms.iter().map(|atom| letter.holds(*atom)).collect();
            monitor.push(&row);
            steps.push(letter);
            // Looking at every step would cost much on long runs.
            if violated.is_none() && (steps.len() < 256 || steps.len().is_multiple_of(64)) {
                violated = self.violated(&mut monitor).map(|place| (place, steps.len()));
                if violated.is_some() && !self.goes_on {
                    break;
                }
            }
        }
        if violated.is_none() {
            violated = self.violated(&mut monitor).map(|place| (place, steps.len()));
        }
        // Whoever says more than was asked may have answered another question: nobody is convicted by that.
        let doubt = if trouble.is_none() { system.finish().err() } else { None };
        if let Some(words) = doubt {
            return Run { steps, outcome: Outcome::Inconclusive, why: words.clone(), trouble: Some(words) };
        }
        let (outcome, why) = match (&trouble, violated) {
            (Some(words), None) => (Outcome::Inconclusive, words.clone()),
            (_, Some((place, step))) => self.said(place, step),
            (None, None) => self.presumed(&mut monitor),
        };
        Run { steps, outcome, why, trouble }
    }

    /// The first property that is violated for good, an assumption if there is one.
    fn violated(&self, monitor: &mut Monitor) -> Option<usize> {
        let verdicts = monitor.judge(Semantics::Mu);
        verdicts.iter().position(|verdict| *verdict == Some(Verdict::False))
    }

    fn said(&self, place: usize, step: usize) -> (Outcome, String) {
        let (name, is_assumption, _) = &self.properties[place];
        if *is_assumption {
            (Outcome::Inconclusive, format!("the assumption {name} is broken in step {step}"))
        } else {
            (Outcome::Fails, format!("{name} is violated in step {step}"))
        }
    }

    fn presumed(&self, monitor: &mut Monitor) -> (Outcome, String) {
        let verdicts = monitor.judge(Semantics::Counting);
        let worst = |assumption: bool| {
            let own = (0..verdicts.len()).filter(|place| self.properties[*place].1 == assumption);
            own.min_by_key(|place| verdicts[*place].unwrap_or(Verdict::Inconclusive))
        };
        if let Some(place) = worst(true)
            && verdicts[place] == Some(Verdict::PresumablyFalse)
        {
            return (Outcome::Inconclusive, format!("the assumption {} looks broken", self.properties[place].0));
        }
        let Some(place) = worst(false) else { return (Outcome::Inconclusive, "nothing is guaranteed".to_owned()) };
        let name = &self.properties[place].0;
        match verdicts[place].unwrap_or(Verdict::Inconclusive) {
            Verdict::False => (Outcome::Fails, format!("{name} is violated")),
            Verdict::PresumablyFalse => (Outcome::PresumablyFails, format!("{name} waits longer than it ever did")),
            Verdict::Inconclusive => (Outcome::Inconclusive, format!("{name} was never seen to come true")),
            Verdict::PresumablyTrue => {
                (Outcome::PresumablyPasses, "no guarantee waits longer than it ever did".to_owned())
            }
            Verdict::True => (Outcome::Passes, "every guarantee is satisfied for good".to_owned()),
        }
    }

    /// Gives values to free inputs so that no assumption is broken, whatever the system answers, if that can be.
    fn fill(&mut self, how: Free, letter: &mut Letter, free: &[AtomId], places: &[usize], step: u64) {
        if free.is_empty() {
            return;
        }
        let mut best: Option<(usize, Letter)> = None;
        for draw in 0..DRAWS {
            let mut candidate = letter.clone();
            for (place, &atom) in free.iter().enumerate() {
                let value = match how {
                    Free::Low if draw == 0 => false,
                    Free::High if draw == 0 => true,
                    Free::RoundRobin if draw == 0 => step >> (place % 60) & 1 == 1,
                    Free::Random | Free::Low | Free::High | Free::RoundRobin | Free::Coverage => {
                        self.draw() >> 40 & 1 == 1
                    }
                };
                candidate.set(atom, value);
            }
            let broken = self.breakable(&candidate, places);
            let better = best.as_ref().is_none_or(|(least, _)| broken < *least);
            if better {
                best = Some((broken, candidate));
            }
            if broken == 0 {
                break;
            }
        }
        if let Some((_, candidate)) = best {
            *letter = candidate;
        }
    }

    /// Gives values to free inputs that were set least often in this situation, among those that break the fewest assumptions.
    fn explore(&mut self, letter: &mut Letter, free: &[AtomId], places: &[usize], situation: &Situation) {
        let listed = free.len() <= MOST_LISTED;
        let number = if listed { 1 << free.len() } else { DRAWS };
        let mut candidates: Vec<(u32, Letter)> = Vec::with_capacity(number);
        for code in 0..number as u64 {
            let bits = if listed { code } else { self.draw() };
            let mut candidate = letter.clone();
            for (place, &atom) in free.iter().enumerate() {
                let bit = if listed || place < 64 { bits >> place & 1 == 1 } else { self.draw() >> 40 & 1 == 1 };
                candidate.set(atom, bit);
            }
            let inputs = self.inputs.iter().map(|input| candidate.holds(*input)).collect();
            let count = self.visits.as_ref().map_or(0, |visits| visits.count(situation, inputs));
            candidates.push((count, candidate));
        }
        // Inputs that say the same are visited together, so the order among equals is that of the list.
        candidates.sort_by_key(|(count, _)| *count);
        let mut best: Option<(usize, Letter)> = None;
        for (_, candidate) in candidates {
            let broken = self.breakable(&candidate, places);
            if best.as_ref().is_none_or(|(least, _)| broken < *least) {
                best = Some((broken, candidate));
            }
            if broken == 0 {
                break;
            }
        }
        if let Some((_, candidate)) = best {
            *letter = candidate;
        }
    }

    /// How many assumptions some answer of the system would break with these inputs.
    fn breakable(&mut self, letter: &Letter, places: &[usize]) -> usize {
        let inputs = &self.inputs;
        let mut count = 0;
        for (automaton, &place) in self.assumptions.iter_mut().zip(places) {
            let literals: Vec<(u32, bool)> = (0..automaton.atoms.len() as u32)
                .filter(|variable| inputs.contains(&automaton.atoms[*variable as usize]))
                .map(|variable| (variable, letter.holds(automaton.atoms[variable as usize])))
                .collect();
            let cube = automaton.bdds.cube(&literals);
            let row = automaton.edges[place].clone();
            let breaks = row.iter().any(|&(guard, marked, _)| marked && automaton.bdds.and(guard, cube) != Bdd::FALSE);
            count += usize::from(breaks);
        }
        count
    }
}

/// A run as a table, in which every line is a step.
pub fn to_csv(formulas: &Formulas, signals: &[AtomId], steps: &[Letter]) -> String {
    let quote = |name: &str| match name.contains([',', '"', ' ']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    };
    let names: Vec<String> = signals.iter().map(|atom| quote(formulas.atom_name(*atom))).collect();
    let mut text = names.join(",") + "\n";
    for letter in steps {
        let row: Vec<&str> = signals.iter().map(|atom| if letter.holds(*atom) { "1" } else { "0" }).collect();
        text += &row.join(",");
        text.push('\n');
    }
    text
}
