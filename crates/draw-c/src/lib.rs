//! C: symbolic execution of programs towards the goals of queries.
//!
//! A program is executed symbolically with all executions within a bound at once (`machine`); the goals of a query are
//! automata over the unrolled program (`network`). The search (`engine`) begins with cheap concrete runs and asks
//! the solver for what is left, at growing bounds. What it finds is judged by the interpreter alone (`replay`).

mod bounds;
mod build;
mod changing;
mod copies;
mod document;
mod draw;
pub mod effort;
mod engine;
mod exclude;
mod explain;
mod float;
mod greybox;
mod input;
mod layout;
mod machine;
mod monitor;
mod naming;
mod narrow;
mod network;
mod object;
mod order;
mod problem;
mod product;
mod range;
mod reach;
mod replay;
mod seen;
mod sequences;
mod settings;
mod sharpen;
mod simplify;
mod state;
mod taken;
mod tautology;
mod text;
pub mod trace;
mod undefined;
mod value;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock, PoisonError};

use c::Translation;
use c::interp::{
    Blind, Effects, Ending, InputValue, Interpreter, Limit, Prepared, RandomInputs, RecordedInputs,
    Settings as InterpreterSettings,
};
use fql::Spec;
use fql::automaton::{Automaton, Sets};
use fql::goals::Letter;
use fql::mcdc::Mcdc;
use fql::predicates::Predicates;
use fql::program::ProgramGraph;
use smt::Terms;
use source::Diagnostic;
use testcase::{Goal, Inputs, Location, ObligationId};

pub use document::values;
pub use product::{MOST_LISTED, ProductOutcome};
pub use settings::{Beyond, Encoding, Settings, Undefined};

use search::{Abilities, Encodes, ReductionBudget, Simplifies};
use search::{Backend, Options, SearchError};
use search::{Bound, Problem, Reason, Replay, Searcher, Subject};
use trace::Trace;

/// A query with more goals than this is not listed goal by goal.
pub const MOST_GOALS: u128 = 100_000;

/// The edges that a run may take.
const STEPS: u64 = 1_000_000;

/// The same, for programs of which no run comes to its end with fewer.
const LONG_STEPS: u64 = 10_000_000;

/// The same, for programs of which no run comes to its end at all.
const ENDLESS_STEPS: u64 = 200_000;

/// Runs that tell whether a program runs long.
const PROBES: u64 = 2;

/// A program that asks for so many inputs and does not come to an end reacts to inputs for ever.
const MANY_INPUTS: usize = 200;

/// The inputs that runs of such a program may ask for.
const REACTIVE_INPUTS: u64 = 60;

/// How runs of a program go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    /// Some come to an end soon.
    Ends,
    /// Some come to an end late.
    Long,
    /// None comes to an end as long as there are inputs: runs are cut where these end.
    Reactive,
    /// None comes to an end, and they need no inputs for that.
    Endless,
}

/// A program with the goals of a query or of MC/DC.
pub struct CSubject {
    translation: Translation,
    graph: ProgramGraph,
    target: Target,
    goals: Vec<Goal>,
    obligations: usize,
    settings: Settings,
    /// Static memory that earlier calls may have changed.
    changing: BTreeSet<c::program::VariableId>,
    watched: Predicates,
    /// The query once more, to make the automata of goals with.
    maker: Option<Mutex<Spec>>,
    /// How runs go on, once someone asked.
    pace: OnceLock<Pace>,
    /// The program made ready to run, once someone ran it.
    prepared: OnceLock<Prepared>,
    /// Whether goals of one edge between two quoted patterns ask for nothing but that it is taken, once someone looked.
    plain: Mutex<BTreeMap<(u32, u32), bool>>,
}

/// What is to be covered.
enum Target {
    Query(Box<Spec>),
    /// The second part is a query for the passing clause that runs must match, if there is one.
    Mcdc(Mcdc, Option<Box<Spec>>),
}

impl CSubject {
    /// A program with the goals of a query on its graph. Products of more than [`MOST_GOALS`] goals are not listed: see
    /// [`CSubject::cover_product`]. The second part are warnings.
    ///
    /// # Errors
    /// When a predicate of the query cannot be evaluated.
    pub fn with_query(
        translation: &Translation,
        graph: ProgramGraph,
        spec: Spec,
        settings: Settings,
    ) -> Result<(CSubject, Vec<Diagnostic>), Box<Diagnostic>> {
        let mut translation = translation.clone();
        let (watched, warnings) = Predicates::compile(&mut translation, &spec, graph.graph.nodes.len())?;
        let changing = changing::changing(&translation.program, settings.entry);
        let mut goals = Vec::new();
        if spec.goals.count().is_some_and(|count| count <= MOST_GOALS) {
            for (number, letters) in spec.goals.iter().enumerate() {
                goals.push(goal(&graph, &spec, number as u32, &letters));
            }
        }
        let subject = CSubject {
            translation,
            maker: Some(Mutex::new(spec.clone())),
            target: Target::Query(Box::new(spec)),
            obligations: goals.len(),
            goals,
            graph,
            changing,
            settings,
            watched,
            pace: OnceLock::new(),
            prepared: OnceLock::new(),
            plain: Mutex::default(),
        };
        Ok((subject, warnings))
    }

    /// A program with the goals of modified condition/decision coverage.
    ///
    /// # Errors
    /// When a decision can be evaluated in too many ways.
    pub fn with_mcdc(
        translation: &Translation,
        graph: ProgramGraph,
        settings: Settings,
    ) -> Result<CSubject, Box<Diagnostic>> {
        let mcdc = Mcdc::new(&graph.graph)?;
        CSubject::with_decisions(translation, graph, mcdc, None, settings).map(|(subject, _)| subject)
    }

    /// A program with some goals of modified condition/decision coverage, and a query whose passing clause runs must match. The
    /// second part are warnings.
    ///
    /// # Errors
    /// When a predicate of the passing clause cannot be evaluated.
    pub fn with_decisions(
        translation: &Translation,
        graph: ProgramGraph,
        mcdc: Mcdc,
        passing: Option<Spec>,
        settings: Settings,
    ) -> Result<(CSubject, Vec<Diagnostic>), Box<Diagnostic>> {
        let mut translation = translation.clone();
        let (watched, warnings) = match &passing {
            Some(spec) => Predicates::compile(&mut translation, spec, graph.graph.nodes.len())?,
            None => (Predicates::default(), Vec::new()),
        };
        let subject = CSubject {
            goals: mcdc.goals.clone(),
            obligations: mcdc.obligations.len(),
            target: Target::Mcdc(mcdc, passing.map(Box::new)),
            graph,
            changing: changing::changing(&translation.program, settings.entry),
            translation,
            settings,
            watched,
            maker: None,
            pace: OnceLock::new(),
            prepared: OnceLock::new(),
            plain: Mutex::default(),
        };
        Ok((subject, warnings))
    }

    /// The program.
    pub fn translation(&self) -> &Translation {
        &self.translation
    }

    /// The graph that queries see.
    pub fn graph(&self) -> &ProgramGraph {
        &self.graph
    }

    /// The choices for its execution.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    fn edge_count(&self) -> usize {
        self.graph.graph.edges.len()
    }

    /// An interpreter of the program, as it runs what the search finds.
    fn interpreter(&self) -> Interpreter<'_> {
        let (steps, inputs) = self.limits();
        self.interpreter_of(steps, inputs)
    }

    /// The steps and inputs after which runs are given up.
    fn limits(&self) -> (u64, u64) {
        match self.pace() {
            Pace::Ends => (STEPS, u64::MAX),
            Pace::Long => (LONG_STEPS, u64::MAX),
            Pace::Reactive => (STEPS, REACTIVE_INPUTS),
            Pace::Endless => (ENDLESS_STEPS, u64::MAX),
        }
    }

    /// An interpreter that gives up after so many steps and inputs; the program is made ready once.
    fn interpreter_of(&self, steps: u64, inputs: u64) -> Interpreter<'_> {
        let program = &self.translation.program;
        let settings = InterpreterSettings { steps, inputs, ..self.usual_settings() };
        let prepared = self.prepared.get_or_init(|| Interpreter::new(program, settings.clone()).prepared());
        Interpreter::again(program, settings, prepared)
    }

    fn pace(&self) -> Pace {
        *self.pace.get_or_init(|| self.observed_pace())
    }

    /// Whether runs are cut where the inputs end that a test names.
    fn is_reactive(&self) -> bool {
        self.pace() == Pace::Reactive
    }

    /// What watches over the bounds that the user gave, for runs that are not the solver's.
    fn rounds(&self) -> Option<bounds::Rounds<'_>> {
        bounds::Rounds::new(&self.translation.program, &self.settings, self.is_reactive())
    }

    /// How a few runs at random go on.
    fn observed_pace(&self) -> Pace {
        let run = |seed: u64, steps: u64| {
            let mut inputs = RandomInputs::new(seed);
            let outcome = self.interpreter_of(steps, u64::MAX).run(self.settings.entry, &mut inputs, &mut Blind);
            (outcome.ending == Ending::GivenUp(Limit::Steps)).then_some(outcome.inputs.len())
        };
        let Some(asked) = (1..=PROBES).map(|seed| run(seed, STEPS)).collect::<Option<Vec<usize>>>() else {
            return Pace::Ends;
        };
        match asked.iter().all(|asked| MANY_INPUTS <= *asked) {
            true => Pace::Reactive,
            false if run(1, LONG_STEPS).is_some() => Pace::Endless,
            false => Pace::Long,
        }
    }

    /// The values of a test for the interpreter. What has no value is zero or null, unless the program reacts for ever.
    fn recorded(&self, values: &[(String, InputValue)]) -> RecordedInputs {
        let mut recorded = document::recorded(values);
        recorded.strict = self.is_reactive();
        recorded
    }

    /// What a caller sees of a run with these inputs.
    fn effects(&self, inputs: &mut RecordedInputs) -> Effects {
        self.interpreter().watch(self.settings.entry, inputs, &mut Blind).1
    }

    /// An interpreter that goes on behind undefined arithmetic.
    fn tolerant_interpreter(&self) -> Interpreter<'_> {
        let (steps, inputs) = self.limits();
        let program = &self.translation.program;
        let settings = InterpreterSettings { steps, inputs, go_on: true, ..self.usual_settings() };
        let prepared = self.prepared.get_or_init(|| Interpreter::new(program, settings.clone()).prepared());
        Interpreter::again(program, settings, prepared)
    }

    fn usual_settings(&self) -> InterpreterSettings {
        InterpreterSettings {
            steps: STEPS,
            memory: 64 << 20,
            assertions: self.settings.assertions,
            assumptions: self.settings.assumptions,
            rounds: self.settings.calls,
            wrap: self.settings.wrap,
            go_on: self.settings.undefined == Undefined::GoOn,
            zero_globals: !self.settings.free_globals,
            abstracted: self.settings.abstracted.iter().copied().collect(),
            pointer_depth: self.settings.depth + 1,
            ..InterpreterSettings::default()
        }
    }

    /// The automaton of an obligation, with the sets it speaks of.
    fn with_automaton<T>(&self, obligation: ObligationId, work: impl FnOnce(&Automaton, &Sets) -> T) -> Option<T> {
        match (&self.target, &self.maker) {
            (Target::Query(spec), Some(maker)) => {
                let letters = spec.goals.get(u128::from(obligation.0))?;
                let mut maker = maker.lock().expect("no thread panics while it makes an automaton");
                let automaton = maker.goal_automaton(&letters).ok()?;
                Some(work(&automaton, &maker.sets))
            }
            (Target::Mcdc(mcdc, _), _) => {
                let text = mcdc.query(&self.graph.graph, obligation);
                let query = fql::parse(&text).ok()?;
                let (mut spec, _) = fql::evaluate(&query, &self.graph.graph).ok()?;
                let letters = spec.goals.get(0)?;
                let automaton = spec.goal_automaton(&letters).ok()?;
                Some(work(&automaton, &spec.sets))
            }
            (Target::Query(_), None) => None,
        }
    }

    /// What an execution must satisfy that meets one of the open obligations of a query, or more: those that are not open do
    /// not count. None where that cannot be said.
    fn any_but(
        &self,
        problem: &mut problem::CProblem<'_>,
        terms: &mut Terms,
        open: &[ObligationId],
    ) -> Option<Vec<smt::Term>> {
        let (Target::Query(spec), Some(maker)) = (&self.target, &self.maker) else { return None };
        let alphabet = spec.goals.alphabet();
        let mut closed = vec![true; self.obligations];
        open.iter().for_each(|obligation| closed[obligation.0 as usize] = false);
        let mut words: Vec<Vec<u32>> = Vec::new();
        for number in (0..self.obligations).filter(|number| closed[*number]) {
            let letters = spec.goals.get(number as u128)?;
            words.push(letters.into_iter().map(|letter| alphabet.symbol(letter)).collect());
        }
        let mut maker = maker.lock().expect("no thread panics while it makes an automaton");
        let automaton = maker.uncovered(words).ok()?;
        Some(problem.parts(terms, &maker.sets, &automaton))
    }

    /// The passing clause, unless every run passes.
    fn passing(&self) -> Option<(&Automaton, &Sets)> {
        match &self.target {
            Target::Query(spec) | Target::Mcdc(_, Some(spec)) if !spec.passes_everything() => {
                Some((&spec.passing, &spec.sets))
            }
            Target::Query(_) | Target::Mcdc(..) => None,
        }
    }

    /// The edge that an obligation asks for, if it asks for one edge and nothing else.
    fn only_edge(&self, obligation: ObligationId) -> Option<u32> {
        let Target::Query(spec) = &self.target else { return None };
        let letters = spec.goals.get(u128::from(obligation.0))?;
        let mut found = None;
        for letter in &letters {
            match letter {
                Letter::Edge(edge) if found.is_none() => found = Some(edge.0),
                Letter::Quote(quote) if spec.quotes[*quote as usize] == "EDGES(ID)*" => {}
                Letter::Edge(_) | Letter::Quote(_) | Letter::Node(_) | Letter::Predicate(_) => return None,
            }
        }
        found
    }

    /// The edge of an obligation that is met by taking that edge.
    fn plain_edge(&self, obligation: ObligationId) -> Option<u32> {
        let letter = self.only_edge(obligation)?;
        let Target::Query(spec) = &self.target else { return None };
        let letters = spec.goals.get(u128::from(obligation.0))?;
        let &[Letter::Quote(before), Letter::Edge(_), Letter::Quote(behind)] = letters.as_slice() else { return None };
        // Goals between the same patterns are made in one way: the first tells.
        let mut known = self.plain.lock().unwrap_or_else(PoisonError::into_inner);
        let plain = *known.entry((before, behind)).or_insert_with(|| {
            let edges = self.edge_count();
            let asks = |automaton: &Automaton, sets: &Sets| taken::asks_for(automaton, sets, edges, letter);
            self.with_automaton(obligation, asks).unwrap_or(false)
        });
        plain.then_some(letter)
    }

    /// Numbers the steps of an unrolled program as queries do.
    fn number_steps(&self, trace: &mut Trace) {
        for step in trace.points.iter_mut().flat_map(|point| &mut point.steps) {
            if let Some(edge) = step.edge {
                step.letter = self.graph.edge(edge, step.callee).0;
            }
            // What the C library does is not a step of the program.
            step.edge = step.edge.filter(|&edge| !self.translation.program.is_library(edge));
        }
    }
}

fn goal(graph: &ProgramGraph, spec: &Spec, number: u32, letters: &[Letter]) -> Goal {
    let edge = Spec::edges_of(letters).into_iter().next().map(|edge| graph.graph.edge(edge));
    let place = edge.map(|edge| match spec.decision_of(&graph.graph, edge) {
        Some(decision) => (decision.line, decision.column, &decision.text),
        None => (edge.line, edge.column, &edge.text),
    });
    let location = place.filter(|(line, _, _)| *line != 0).map(|(line, column, text)| Location {
        line,
        column: column.max(1),
        text: text.chars().take(60).collect(),
    });
    let label = fql::describe::describe_goal(&graph.graph, spec, letters);
    Goal::new(format!("g{}", number + 1), label, location, vec![vec![ObligationId(number)]])
}

/// Programs with more points than this are not unrolled once more to reduce their suites.
const MOST_POINTS: usize = 5_000;

/// Programs with fewer points are unrolled further, until they are unrolled completely, up to a bound.
const FEW_POINTS: usize = 1_500;
const COMPLETE_BOUND: u32 = 16;

/// Problems of more weight are not made once more to reduce suites: few questions about them could be paid for.
const MOST_WEIGHT: u64 = 40_000;

/// Suites for more obligations than this are only selected from what was found.
const MOST_REDUCED: usize = 150;

impl Subject for CSubject {
    fn goals(&self) -> &[Goal] {
        &self.goals
    }

    fn obligation_count(&self) -> usize {
        self.obligations
    }

    fn searcher<'s>(&'s self, backend: &'s Backend, options: &Options) -> Result<Searcher<'s>, SearchError> {
        Ok(Searcher::Engine(Box::new(engine::CEngine::new(self, backend, options))))
    }

    fn replay(&self) -> Box<dyn Replay + '_> {
        Box::new(replay::CReplay::new(self))
    }

    fn random_inputs(&self, seed: u64, count: usize, _bound: Bound) -> Vec<Inputs> {
        draw::draw(self, seed, count)
    }

    fn abilities(&self) -> Abilities<'_> {
        Abilities { encodes: Some(self), simplifies: Some(self), ..Abilities::default() }
    }
}

/// What a search leaves for the reduction of its suite.
#[derive(Clone, Copy, Debug)]
struct Unrolled {
    /// The bound it has come to.
    bound: u32,
    /// The places of the program as it was unrolled last.
    points: usize,
    /// The weight of the problem that was made of it.
    weight: u64,
}

impl Unrolled {
    /// Before anything is unrolled.
    const NOTHING: Unrolled = Unrolled { bound: 1, points: 0, weight: 0 };

    /// The bound at which the problem is posed once more; none if it is too large for that.
    fn posed(self, asked: Bound) -> Option<Bound> {
        let small = self.points <= MOST_POINTS && self.weight <= MOST_WEIGHT;
        small.then(|| Bound(asked.0.max(self.bound)))
    }
}

impl Encodes for CSubject {
    fn encode(&self, terms: &mut Terms, bound: Bound) -> Option<Box<dyn Problem + '_>> {
        // Where tests are beginnings of runs, the solver would speak of other tests.
        let endless = matches!(self.pace(), Pace::Reactive | Pace::Endless);
        if endless || MOST_REDUCED < self.obligations {
            return None;
        }
        let mut bound = Bound(bound.0.max(1));
        let mut problem = problem::CProblem::new(terms, self, bound, None);
        // What is said about the number of tests is worth more if no bound ends an execution.
        while self.settings.unwind.is_none()
            && bound.0 < COMPLETE_BOUND
            && problem.executed.trace.points.len() < FEW_POINTS
            && problem.executed.trace.cuts.iter().any(|cut| cut.bound)
        {
            bound = Bound(2 * bound.0);
            *terms = Terms::new();
            problem = problem::CProblem::new(terms, self, bound, None);
        }
        (problem.executed.trace.points.len() <= MOST_POINTS).then(|| Box::new(problem) as Box<dyn Problem + '_>)
    }

    fn is_large(&self) -> bool {
        true
    }

    fn reduction(&self) -> Option<ReductionBudget> {
        Some(ReductionBudget { once: effort::REDUCTION, all: effort::ALL_REDUCTION })
    }

    fn explain(&self, obligation: ObligationId, core: &[Reason]) -> String {
        explain::explain(&self.translation.program, &self.graph.graph, self.only_edge(obligation), core)
    }
}

impl Simplifies for CSubject {
    fn polish(&self, inputs: Inputs) -> Inputs {
        simplify::simplify(self, inputs)
    }

    fn sharpen(&self, inputs: Vec<Inputs>, stays: &[bool], late: &dyn Fn() -> bool) -> Vec<Inputs> {
        if self.settings.border { sharpen::sharpen(self, inputs, stays, late) } else { inputs }
    }
}
