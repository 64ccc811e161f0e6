//! The symbolic execution of a program: all executions within the bounds at once, merged wherever they meet.
//!
//! The machine goes through the unrolled control flow in an order in which predecessors come first. At every node the
//! states that arrive are merged into one, so the work grows with the unrolled program, not with its paths. Calls are
//! followed in place. What would be undefined behaviour becomes a fact that excludes it: such executions are not tests.

mod arithmetic;
mod bytes;
mod call;
mod expression;
mod floating;
mod library;
mod limits;
mod memory;
mod prune;
mod resolve;
mod strings;
mod variadic;

use c::interp::Fault;
use std::collections::BTreeSet;
use std::rc::Rc;

use c::Program;
use c::expr::{ExprId, ExprKind};
use c::program::{Callee, EdgeId, FunctionId, NodeId, Operation, Storage, VariableId};
use c::types::{Type, TypeId};
use fql::predicates::Predicates;
use rustc_hash::FxHashMap;
use smt::{Simplifier, Term, Terms};

use super::build::Build;
use super::input::{Input, InputKind};
use super::layout::{Cell, Partition, partition};
use super::object::{Cells, Clock, Initials, Object};
use super::order::{Item, order};
use super::range::Ranges;
use super::settings::{Beyond, Settings};
use super::state::{CHUNK, Frame, Guard, State};
use super::trace::{Point, PointId, Step, Trace};
use super::value::{ObjectId, Value};
use search::Backend;

/// The number of the first variable of static storage.
pub(super) const FIRST_GLOBAL: ObjectId = 2;

/// In so many rounds of a loop that counts to a number, executions may part without a cost for the bound.
const FREE_ROUNDS: u32 = 16;

/// Guards with more conjuncts than this are not kept in parts.
const SHORT_PATH: usize = 48;

/// Up to this many ways back to the head of a loop are looked at to see whether they are all there were.
const MOST_SIDES: usize = 16;

/// So many rounds with branches inside are free, for each one that a bound beyond the small ones allows.
const FORKED_ROUNDS: u32 = 8;
const SMALL_BOUND: u32 = 16;

/// Why executions are cut once the time is over.
const OVER: &str = "the time of the run was over";

/// What an execution showed about a program.
pub(super) struct Executed {
    /// What holds of every test, each with the edge it belongs to.
    pub(super) facts: Vec<(Term, Option<EdgeId>)>,
    /// The unrolled program.
    pub(super) trace: Trace,
    /// The inputs that are asked for on the way, in order.
    pub(super) inputs: Vec<Input>,
    /// The inputs that objects begin with.
    pub(super) initials: Initials,
    /// When initial values are read, in order: the symbol, and by which executions.
    pub(super) reads: Vec<(Term, Term)>,
    /// Every object, by number.
    pub(super) objects: Vec<ObjectInfo>,
    /// Whether executions with undefined behaviour were left out.
    pub(super) undefined: bool,
    /// How often the entry function is called, if that is not what the settings say.
    pub(super) calls: Option<u32>,
}

/// What is known about an object apart from its contents.
#[derive(Clone, Debug)]
pub(super) struct ObjectInfo {
    pub(super) home: Home,
    /// The type, where it has one.
    pub(super) ty: Option<TypeId>,
}

/// Where an object is found in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// Behind the null pointer there is none, and what was not built is not here.
    Nowhere,
    /// A variable of static storage, by its place among them.
    Global(usize, VariableId),
    /// A variable of an activation at a depth.
    Frame { depth: usize, first: ObjectId, variable: VariableId },
    /// An object on the heap, or built for a pointer.
    Heap(usize),
    /// A function.
    Function(FunctionId),
}

/// The execution ends here: under its guard something undefined happens, or it was cut.
pub(super) struct Dead;

pub(super) struct Machine<'a> {
    program: &'a Program,
    settings: &'a Settings,
    watched: &'a Predicates,
    bound: u32,
    cells: Cells<'a>,
    facts: Vec<(Term, Option<EdgeId>)>,
    trace: Trace,
    inputs: Vec<Input>,
    reads: Vec<(Term, Term)>,
    objects: Vec<ObjectInfo>,
    /// Where each variable is found: among the globals, or in its function's frame.
    places: Vec<usize>,
    globals: Vec<VariableId>,
    functions: FxHashMap<FunctionId, ObjectId>,
    /// Whether some call uses what a function returns.
    results_used: Vec<bool>,
    /// The further arguments of calls, by number; the first call has none.
    extras: Vec<Vec<Value>>,
    heap_ids: Vec<ObjectId>,
    orders: FxHashMap<FunctionId, Rc<Vec<Item>>>,
    activations: Vec<Activation>,
    generation: u32,
    steps: usize,
    /// The edge being executed.
    edge: Option<EdgeId>,
    /// While a predicate is evaluated: what must hold for it to mean anything.
    quiet: Option<Vec<Term>>,
    /// What a predicate came to.
    answer: Option<Value>,
    /// The function without a body that is being called.
    called: Option<FunctionId>,
    pruner: prune::Pruner,
    /// What the guard says that was asked last.
    known: resolve::Known,
    /// The branches that inputs decided.
    forks: u64,
    /// The executions that ended because a condition did not hold, in the order in which they did.
    ended: Vec<Guard>,
    /// The call of the entry function, from 0.
    round: u32,
    /// Whether executions with undefined behaviour count: they are not followed behind it, and are not tests either.
    pub(super) tolerant: bool,
    /// Whether something is undefined in some executions.
    undefined: bool,
    /// Whether executions count that begin in any state of static memory, and in which the world changes volatile memory: they are
    /// no tests, but what they do is not impossible.
    pub(super) relaxed: Option<BTreeSet<VariableId>>,
    /// How often the entry function is called.
    pub(super) calls: u32,
}

/// A function being executed.
struct Activation {
    function: FunctionId,
    order: Rc<Vec<Item>>,
    at: usize,
    /// The first node of the function.
    first: u32,
    /// What waits at each node.
    pending: Vec<Vec<Arrival>>,
    rounds: Vec<Round>,
    /// Calls to follow before going on.
    calls: Vec<Entry>,
    /// The state at the function's end.
    finished: Option<(State, PointId)>,
    purpose: Purpose,
    /// The number of the list of its further arguments.
    extra: usize,
}

/// Why a function is executed.
#[derive(Clone, Copy)]
enum Purpose {
    /// It is what is tested.
    Entry,
    /// It is called by this edge of its caller.
    Call(EdgeId),
    /// It computes a predicate.
    Predicate,
}

/// A loop being unrolled.
struct Round {
    /// Rounds that count for the bound, and all of them.
    count: u32,
    all: u32,
    guard: Option<Guard>,
    /// The branches that inputs decided before this round, and the rounds with such branches whose sides all met again.
    forks: u64,
    forked: u32,
    /// Whether the first branch of this round is a comparison that went the same way for all executions; none before it.
    counted: Option<bool>,
    /// The rounds that do not count for that reason.
    free: u32,
    /// The executions that had ended before this round.
    ended: usize,
}

/// How many rounds with branches inside are free: where executions part, rounds are dear, and small bounds often suffice.
fn forked_rounds(bound: u32) -> u32 {
    if bound < SMALL_BOUND { 0 } else { FORKED_ROUNDS.saturating_mul(bound) }
}

impl Round {
    /// The first round, after so many branches that inputs decided.
    fn first(forks: u64) -> Round {
        Round { count: 1, all: 1, guard: None, forks, forked: 0, counted: None, free: 0, ended: 0 }
    }
}

/// Executions that come to a node.
struct Arrival {
    state: State,
    step: Option<Step>,
}

/// A call about to be followed.
struct Entry {
    function: FunctionId,
    state: State,
    arguments: Vec<Value>,
    edge: EdgeId,
    step: Step,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        terms: &'a mut Terms,
        (simplifier, ranges): (&'a mut Simplifier, &'a mut Ranges),
        program: &'a Program,
        settings: &'a Settings,
        watched: &'a Predicates,
        bound: u32,
        clock: Option<&'a Backend>,
    ) -> Machine<'a> {
        let model = program.types.model();
        let cells = Cells {
            build: Build { terms, simplifier, ranges },
            initials: Initials::default(),
            big_endian: model.big_endian,
            pointer_bits: 8 * u32::from(model.pointer),
            clock: Clock::new(clock),
        };
        let mut places = vec![0; program.variables.len()];
        let mut globals = Vec::new();
        for (at, variable) in program.variables.iter().enumerate() {
            if variable.storage.is_static() {
                places[at] = globals.len();
                globals.push(VariableId(at as u32));
            }
        }
        for function in &program.functions {
            let frame = function.body.iter().flat_map(|body| body.frame.iter().enumerate());
            for (at, variable) in frame {
                places[variable.0 as usize] = at;
            }
        }
        Machine {
            program,
            settings,
            watched,
            bound,
            cells,
            facts: Vec::new(),
            trace: Trace::default(),
            inputs: Vec::new(),
            reads: Vec::new(),
            objects: vec![ObjectInfo { home: Home::Nowhere, ty: None }; FIRST_GLOBAL as usize],
            places,
            globals,
            functions: FxHashMap::default(),
            results_used: program.results_used(),
            extras: vec![Vec::new()],
            heap_ids: Vec::new(),
            orders: FxHashMap::default(),
            activations: Vec::new(),
            generation: 0,
            steps: 0,
            edge: None,
            quiet: None,
            answer: None,
            called: None,
            pruner: prune::Pruner::new(),
            known: resolve::Known::default(),
            forks: 0,
            ended: Vec::new(),
            round: 0,
            tolerant: false,
            undefined: false,
            relaxed: None,
            calls: settings.calls,
        }
    }

    /// Executes the entry function from the start.
    pub(super) fn run(mut self) -> Executed {
        let state = self.start();
        if let Some((state, arguments)) = self.entry_arguments(state) {
            self.enter(self.settings.entry, state, arguments, Purpose::Entry, None);
        }
        self.advance_to(0);
        self.facts.extend(self.cells.initials.facts.iter().map(|&fact| (fact, None)));
        Executed {
            facts: self.facts,
            trace: self.trace,
            inputs: self.inputs,
            initials: self.cells.initials,
            reads: self.reads,
            objects: self.objects,
            undefined: self.undefined,
            calls: Some(self.calls).filter(|calls| *calls != self.settings.calls),
        }
    }

    /// Executes until at most this many functions are left.
    fn advance_to(&mut self, depth: usize) {
        while depth < self.activations.len() {
            let activation = self.activations.last_mut().expect("a function is being executed");
            if let Some(call) = activation.calls.pop() {
                let purpose = Purpose::Call(call.edge);
                self.enter(call.function, call.state, call.arguments, purpose, Some(call.step));
                continue;
            }
            let item = activation.order.get(activation.at).copied();
            activation.at += 1;
            match item {
                None => self.leave(),
                Some(Item::Open { .. }) => {
                    activation.rounds.push(Round::first(self.forks));
                }
                Some(Item::Visit(node)) => self.visit(node),
                Some(Item::Close { open }) => self.close(open),
            }
        }
    }

    /// Whether a predicate holds in a state; false where it means nothing.
    fn predicate(&mut self, state: &State, predicate: &c::Predicate) -> Term {
        let depth = self.activations.len();
        let edge = self.edge;
        self.quiet = Some(Vec::new());
        self.answer = None;
        let mut arguments = Vec::new();
        for &variable in &predicate.arguments {
            match self.passed(state, variable) {
                Ok(value) => arguments.push(value),
                Err(Dead) => break,
            }
        }
        if arguments.len() == predicate.arguments.len() {
            self.enter(predicate.function, state.clone(), arguments, Purpose::Predicate, None);
            self.advance_to(depth);
        }
        self.edge = edge;
        let mut parts = self.quiet.take().unwrap_or_default();
        parts.push(match self.answer.take() {
            Some(Value::Bits(bits)) => self.cells.build.non_zero(bits),
            _ => self.cells.build.truth(false),
        });
        self.cells.build.all(&parts)
    }

    /// The state before the entry function is called: everything of static storage.
    fn start(&mut self) -> State {
        let program = self.program;
        for (place, &variable) in self.globals.clone().iter().enumerate() {
            let info = ObjectInfo { home: Home::Global(place, variable), ty: Some(program.variable(variable).ty) };
            self.objects.push(info);
        }
        for at in 0..program.functions.len() {
            let function = FunctionId(at as u32);
            self.functions.insert(function, self.objects.len() as ObjectId);
            self.objects.push(ObjectInfo { home: Home::Function(function), ty: None });
        }
        let mut objects = Vec::new();
        for &variable in &self.globals.clone() {
            let declared = program.variable(variable);
            let defined = !matches!(declared.storage, Storage::Global { defined: false });
            let changes = self.relaxed.as_ref().is_some_and(|changing| changing.contains(&variable));
            let zeroed = !changes && (declared.initial.is_some() || (defined && !self.settings.free_globals));
            let mut object = self.fresh_object(declared.ty, zeroed);
            if 0 < declared.behind {
                object = self.lengthened(declared, object, zeroed);
            }
            objects.push(Rc::new(object));
        }
        let chunks = objects.chunks(CHUNK).map(|chunk| Rc::new(chunk.to_vec())).collect();
        let guard = Guard::always(&self.cells);
        let mut state = State { guard, globals: chunks, frames: Vec::new(), heap: Rc::default() };
        for &variable in &self.globals.clone() {
            let changes = self.relaxed.as_ref().is_some_and(|changing| changing.contains(&variable));
            if let Some(initial) = program.variable(variable).initial.as_ref().filter(|_| !changes) {
                // Initial values of static storage are constants and addresses: nothing can go wrong.
                let _ = self.initialise(&mut state, variable, initial);
            }
        }
        state
    }

    fn fresh_object(&mut self, ty: TypeId, zeroed: bool) -> Object {
        let types = &self.program.types;
        let size = types.size(ty).unwrap_or(0);
        let mut object = Object::new(&mut self.cells, size, partition(types, ty, 1), zeroed);
        object.generation = self.generation;
        object
    }

    /// An object with room behind it, in which an initialiser puts the elements of a flexible member.
    fn lengthened(&mut self, declared: &c::program::Variable, object: Object, zeroed: bool) -> Object {
        let items = declared.initial.iter().flat_map(|initial| &initial.items);
        let size = object.capacity;
        let behind = items.filter(|item| size <= item.offset);
        let behind =
            behind.filter_map(|item| Some(Cell { offset: item.offset, size: self.program.types.size(item.ty)? }));
        let own = object.partition.iter().flat_map(|partition| partition.cells.iter().copied());
        let partition = Rc::new(Partition::new(own.chain(behind).collect()));
        Object::new(&mut self.cells, size + declared.behind, Some(partition), zeroed)
    }

    fn order_of(&mut self, function: FunctionId) -> Rc<Vec<Item>> {
        let program = self.program;
        let body = program.function(function).body.as_ref().expect("only functions with a body are followed");
        self.orders.entry(function).or_insert_with(|| Rc::new(order(program, body))).clone()
    }

    /// Begins a function.
    fn enter(
        &mut self,
        function: FunctionId,
        mut state: State,
        arguments: Vec<Value>,
        purpose: Purpose,
        step: Option<Step>,
    ) {
        if let Purpose::Call(edge) = purpose {
            self.edge = Some(edge);
        }
        let depth = self.activations.iter().filter(|activation| activation.function == function).count() as u32;
        if 0 < depth && !self.may_happen(state.guard.term()) {
            return;
        }
        if self.settings.unwind.unwrap_or(self.bound) <= depth {
            let name = &self.program.function(function).name;
            // The edge of the call: from there the function is entered, and what is behind the call is reached.
            let at = self.edge.map(|edge| self.program.edge(edge).from);
            self.cut(state.guard.term(), format!("`{name}` calls itself more than {depth} deep"), true, at);
            return;
        }
        let body = self.program.function(function).body.as_ref().expect("only functions with a body are followed");
        self.generation += 1;
        let first = self.objects.len() as ObjectId;
        let mut objects = Vec::new();
        for &variable in &body.frame {
            let ty = self.program.variable(variable).ty;
            let home = Home::Frame { depth: state.frames.len(), first, variable };
            self.objects.push(ObjectInfo { home, ty: Some(ty) });
            objects.push(Rc::new(self.fresh_object(ty, false)));
        }
        let returned = self.cells.build.truth(false);
        state.frames.push(Rc::new(Frame { first, objects, result: None, returned }));
        let mut arguments = arguments;
        let more = arguments.split_off(arguments.len().min(body.parameters.len()));
        let extra = if more.is_empty() { 0 } else { self.extras.len() };
        if !more.is_empty() {
            self.extras.push(more);
        }
        for (&variable, value) in body.parameters.iter().zip(arguments) {
            if self.store_variable(&mut state, variable, value).is_err() {
                return;
            }
        }
        let order = self.order_of(function);
        let mut activation = Activation {
            function,
            order,
            at: 0,
            first: body.nodes.start,
            pending: body.nodes.clone().map(|_| Vec::new()).collect(),
            rounds: Vec::new(),
            calls: Vec::new(),
            finished: None,
            purpose,
            extra,
        };
        activation.pending[(body.entry.0 - body.nodes.start) as usize].push(Arrival { state, step });
        self.activations.push(activation);
    }

    /// Ends a function and goes on in its caller.
    fn leave(&mut self) {
        let activation = self.activations.pop().expect("a function is being executed");
        let Some((mut state, point)) = activation.finished else { return };
        let frame = state.frames.pop().expect("the function's frame");
        let edge = match activation.purpose {
            Purpose::Entry => return self.end_call(state, point),
            Purpose::Predicate => {
                self.answer = frame.result.clone();
                return;
            }
            Purpose::Call(edge) => edge,
        };
        self.edge = Some(edge);
        if self.program.function(activation.function).noreturn {
            let never = self.cells.build.truth(false);
            let _ = self.defined(&state, never, Fault::Unreachable);
            return;
        }
        let Operation::Call { result, .. } = &self.program.edge(edge).operation else { return };
        if let Some(place) = result {
            // Who uses the value of a function that returned none is wrong.
            let Some(value) = frame.result.clone() else {
                let never = self.cells.build.truth(false);
                let _ = self.defined(&state, never, Fault::MissingReturn);
                return;
            };
            if self.defined(&state, frame.returned, Fault::MissingReturn).is_err()
                || self.assign(&mut state, *place, value).is_err()
            {
                return;
            }
        }
        let condition = self.cells.build.truth(true);
        let step = Step { from: point, edge: None, letter: 0, callee: None, condition };
        self.bear(&mut state, edge);
        self.arrive(self.program.edge(edge).to, Arrival { state, step: Some(step) });
    }

    /// The end of a call of the entry function: the next call, or the end.
    fn end_call(&mut self, state: State, point: PointId) {
        if self.calls <= self.round + 1 {
            return self.trace.ends.push(point);
        }
        self.round += 1;
        let condition = self.cells.build.truth(true);
        let step = Step { from: point, edge: None, letter: 0, callee: None, condition };
        if let Some((state, arguments)) = self.entry_arguments(state) {
            self.enter(self.settings.entry, state, arguments, Purpose::Entry, Some(step));
        }
    }

    fn arrive(&mut self, node: NodeId, arrival: Arrival) {
        let activation = self.activations.last_mut().expect("a function is being executed");
        let at = (node.0 - activation.first) as usize;
        activation.pending[at].push(arrival);
    }

    /// The end of a round through a loop.
    fn close(&mut self, open: usize) {
        let bound = self.settings.unwind.unwrap_or(self.bound);
        let activation = self.activations.last_mut().expect("a function is being executed");
        let Item::Open { head, .. } = activation.order[open] else { unreachable!("a loop begins at its opening") };
        let program = self.program;
        let number = program.loops.iter().position(|known| known.head == head);
        // Loops that begin at one place are one loop here.
        let here = (0u32..).zip(&program.loops).filter(|(_, known)| known.head == head);
        let own = here.filter_map(|(at, _)| self.settings.loops.get(&c::program::LoopId(at)).copied()).max();
        let given = self.settings.unwind.is_some() || own.is_some();
        let bound = own.unwrap_or(bound);
        let place = (head.0 - activation.first) as usize;
        let mut waiting = std::mem::take(&mut activation.pending[place]);
        if activation.rounds.last().is_some_and(|round| 1 < round.count) {
            waiting.retain(|arrival| self.may_happen(arrival.state.guard.term()));
        }
        let activation = self.activations.last_mut().expect("a function is being executed");
        let round = activation.rounds.last_mut().expect("the loop is open");
        if waiting.is_empty() {
            activation.rounds.pop();
            return;
        }
        // A round costs nothing of the bound if inputs do not decide whether there is a next one. That branches in it meet again
        // is not free, though.
        // Who ended on the way did not decide either: those that are left all go on.
        let mut guards: Vec<Guard> = waiting.iter().map(|arrival| arrival.state.guard.clone()).collect();
        guards.extend_from_slice(self.ended.get(round.ended..).unwrap_or_default());
        round.forked += u32::from(round.forks != self.forks);
        round.forks = self.forks;
        let decided = match &round.guard {
            Some(guard) if guards.len() <= MOST_SIDES && round.forked <= forked_rounds(bound) => {
                Guard::together(&mut self.cells, guards, guard)
            }
            Some(_) | None => false,
        };
        // Nor does one of a loop that counts to a number, as long as there are few of them.
        let counted = round.counted == Some(true) && round.free < FREE_ROUNDS;
        if round.count < bound || ((decided || counted) && !given) {
            let free = !given && !decided && counted;
            round.free += u32::from(free);
            round.count += u32::from(!decided && !free);
            round.all += 1;
            activation.at = open + 1;
            activation.pending[place] = waiting;
            return;
        }
        let count = round.all;
        activation.rounds.pop();
        let name = number.map_or_else(
            || program.function(program.node(head).function).name.clone(),
            |at| program.loops[at].name.clone(),
        );
        let reason = super::bounds::passes(program, head, &name, count);
        let behind = self.behind(open);
        if let (Beyond::Partial, Some(node)) = (self.settings.beyond, behind) {
            self.trace.left.push(reason);
            for arrival in waiting {
                self.arrive(node, arrival);
            }
            return;
        }
        for arrival in waiting {
            self.cut(arrival.state.guard.term(), reason.clone(), true, Some(head));
            if self.quiet.is_none() {
                let point = self.point(head, &arrival.state, arrival.step.into_iter().collect());
                self.trace.stops.push(point);
            }
        }
    }

    /// The node behind a loop: where an edge leads that leaves it, from its head if there is one.
    fn behind(&self, open: usize) -> Option<NodeId> {
        let order = &self.activations.last()?.order;
        let Item::Open { close, .. } = order[open] else { return None };
        let inside: BTreeSet<NodeId> = order[open..close]
            .iter()
            .filter_map(|item| match item {
                Item::Visit(node) => Some(*node),
                Item::Open { .. } | Item::Close { .. } => None,
            })
            .collect();
        let nodes = order[open..close].iter().filter_map(|item| match item {
            Item::Visit(node) => Some(*node),
            Item::Open { .. } | Item::Close { .. } => None,
        });
        let targets = nodes.flat_map(|node| &self.program.node(node).out).map(|edge| self.program.edge(*edge).to);
        targets.into_iter().find(|target| !inside.contains(target))
    }

    /// Merges what waits at a node and takes the edges that leave it.
    fn visit(&mut self, node: NodeId) {
        let activation = self.activations.last_mut().expect("a function is being executed");
        let arrivals = std::mem::take(&mut activation.pending[(node.0 - activation.first) as usize]);
        if arrivals.is_empty() {
            return;
        }
        let steps: Vec<Step> = arrivals.iter().filter_map(|arrival| arrival.step).collect();
        let states = arrivals.into_iter().map(|arrival| arrival.state).collect();
        let Some(state) = State::merged(&mut self.cells, &self.heap_ids, states) else { return };
        self.reads.append(&mut self.cells.initials.met);
        let activation = self.activations.last_mut().expect("a function is being executed");
        let item = activation.order.get(activation.at.wrapping_sub(2)).copied();
        if matches!(item, Some(Item::Open { head, .. }) if head == node)
            && let Some(round) = activation.rounds.last_mut()
        {
            round.guard = Some(state.guard.clone());
            round.counted = None;
            round.ended = self.ended.len();
        }
        self.steps += 1;
        if self.steps & 31 == 0 {
            self.cells.clock.look();
        }
        if self.cells.clock.is_late() {
            return self.cut(state.guard.term(), OVER.into(), false, Some(node));
        }
        if self.settings.steps < self.steps {
            self.trace.exhausted = true;
            let reason = format!("more than {} steps of the unrolled program", self.settings.steps);
            self.cut(state.guard.term(), reason, false, Some(node));
            return;
        }
        let point = self.point(node, &state, steps);
        let out = &self.program.node(node).out;
        match out.as_slice() {
            [] => {
                let activation = self.activations.last_mut().expect("a function is being executed");
                activation.finished = Some((state, point));
            }
            [only] => self.take(*only, state, point),
            sides => {
                let counted = self.branch(sides, &state, point);
                let activation = self.activations.last_mut().expect("a function is being executed");
                if let Some(round) = activation.rounds.last_mut() {
                    round.counted.get_or_insert(counted);
                }
            }
        }
    }

    fn point(&mut self, node: NodeId, state: &State, steps: Vec<Step>) -> PointId {
        if self.quiet.is_some() {
            return PointId(0);
        }
        let watched = self.watched;
        let mut predicates = Vec::with_capacity(watched.len());
        for number in 0..watched.len() as u32 {
            let holds = match watched.at(number, fql::graph::NodeId(node.0)) {
                Some(predicate) => self.predicate(state, predicate),
                // Where its names mean nothing it may be taken to hold; nobody looks while the C library runs.
                None => self.cells.build.truth(self.program.own.is_none_or(|(nodes, _)| node.0 < nodes)),
            };
            predicates.push(holds);
        }
        let path = if state.guard.len() <= SHORT_PATH { state.guard.conjuncts().collect() } else { Vec::new() };
        self.trace.points.push(Point { node, guard: state.guard.term(), path, steps, predicates });
        PointId(self.trace.points.len() as u32 - 1)
    }

    /// Takes both sides of a branch; says whether it is a comparison that goes one way for all executions.
    fn branch(&mut self, sides: &[EdgeId], state: &State, point: PointId) -> bool {
        let mut known: Option<(ExprId, Term)> = None;
        let mut alive = 0;
        for &side in sides {
            self.edge = Some(side);
            let edge = self.program.edge(side);
            let Operation::Assume { condition, holds } = edge.operation else {
                self.take(side, state.clone(), point);
                continue;
            };
            let truth = match known {
                Some((expression, truth)) if expression == condition => truth,
                _ => match self.truth(state, condition) {
                    Ok(truth) => truth,
                    Err(Dead) => return false,
                },
            };
            known = Some((condition, truth));
            let taken = if holds { truth } else { self.cells.build.not(truth) };
            let Some(guard) = state.guard.with(&mut self.cells, taken, Some(side)) else { continue };
            let mut state = State { guard, ..state.clone() };
            self.bear(&mut state, side);
            let step = Step { from: point, edge: Some(side), letter: 0, callee: None, condition: taken };
            self.arrive(edge.to, Arrival { state, step: Some(step) });
            alive += 1;
        }
        self.forks += u64::from(1 < alive);
        known.is_some_and(|(condition, truth)| {
            let compares =
                matches!(&self.program.expr(condition).kind, ExprKind::Binary(operator, ..) if operator.compares());
            compares && (self.cells.build.is_true(truth) || self.cells.build.is_false(truth))
        })
    }

    /// Takes the only edge that leaves a node.
    fn take(&mut self, id: EdgeId, mut state: State, point: PointId) {
        self.edge = Some(id);
        let edge = self.program.edge(id);
        let condition = self.cells.build.truth(true);
        let mut step = Step { from: point, edge: Some(id), letter: 0, callee: None, condition };
        let done = match &edge.operation {
            Operation::Skip => Ok(()),
            Operation::Assign { place, value } => {
                self.evaluate(&state, *value).and_then(|value| self.assign(&mut state, *place, value))
            }
            Operation::Initialise { variable, initial } => self.initialise(&mut state, *variable, initial),
            Operation::Assume { condition, holds } => self.truth(&state, *condition).and_then(|truth| {
                let taken = if *holds { truth } else { self.cells.build.not(truth) };
                self.demand(&state, taken)
            }),
            Operation::Return { value } => match value {
                None => Ok(()),
                Some(value) => self.evaluate(&state, *value).map(|value| {
                    let frame = Rc::make_mut(state.frames.last_mut().expect("a function is being executed"));
                    frame.result = Some(value);
                    frame.returned = self.cells.build.truth(true);
                }),
            },
            Operation::Assert { condition } => match self.settings.assertions {
                true => self.truth(&state, *condition).and_then(|truth| self.pass(&mut state, &mut step, truth)),
                false => Ok(()),
            },
            Operation::Restrict { condition } => match self.settings.assumptions {
                true => self.truth(&state, *condition).and_then(|truth| self.pass(&mut state, &mut step, truth)),
                false => Ok(()),
            },
            Operation::Call { callee, arguments, result } => {
                return self.call(id, callee, arguments, *result, state, step);
            }
        };
        if done.is_ok() {
            self.bear(&mut state, id);
            self.arrive(edge.to, Arrival { state, step: Some(step) });
        }
    }

    /// Goes on where a condition holds. Where it does not, executions end before the step.
    fn pass(&mut self, state: &mut State, step: &mut Step, holds: Term) -> Result<(), Dead> {
        let edge = step.edge.expect("a condition belongs to an edge");
        if self.quiet.is_some() || self.cells.build.is_true(holds) {
            return self.demand(state, holds);
        }
        let fails = self.cells.build.not(holds);
        if let Some(guard) = state.guard.with(&mut self.cells, fails, Some(edge)) {
            self.ended.push(guard.clone());
            let ended = State { guard, ..state.clone() };
            let stays = Step { edge: None, condition: fails, ..*step };
            let point = self.point(self.program.edge(edge).from, &ended, vec![stays]);
            self.trace.ends.push(point);
        }
        state.guard = state.guard.with(&mut self.cells, holds, Some(edge)).ok_or(Dead)?;
        step.condition = holds;
        Ok(())
    }

    /// Local variables that begin to live with an edge hold new initial values.
    fn bear(&mut self, state: &mut State, edge: EdgeId) {
        for &variable in &self.program.edge(edge).births {
            self.generation += 1;
            let object = Rc::new(self.fresh_object(self.program.variable(variable).ty, false));
            let frame = Rc::make_mut(state.frames.last_mut().expect("a function is being executed"));
            frame.objects[self.places[variable.0 as usize]] = object;
        }
    }

    /// The arguments of the entry function: inputs.
    fn entry_arguments(&mut self, mut state: State) -> Option<(State, Vec<Value>)> {
        let body = self.program.function(self.settings.entry).body.as_ref()?;
        let mut arguments = Vec::new();
        for (at, &variable) in body.parameters.iter().enumerate() {
            let ty = self.program.variable(variable).ty;
            let value = self.input(&mut state, InputKind::Argument(at, self.round), ty, self.settings.depth);
            arguments.push(value);
        }
        Some((state, arguments))
    }

    fn is_followed(&self, function: FunctionId) -> bool {
        self.program.function(function).body.is_some() && !self.settings.abstracted.contains(&function)
    }

    fn is_floating(&self, ty: TypeId) -> bool {
        matches!(self.program.types.kind(ty), Type::Float | Type::Double | Type::LongDouble)
    }

    /// The functions a call may reach.
    fn targets(&self, callee: &Callee) -> Vec<FunctionId> {
        match callee {
            Callee::Function(function) => vec![*function],
            Callee::Pointer { targets, .. } => targets.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
