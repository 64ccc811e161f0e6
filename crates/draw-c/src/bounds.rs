//! Bounds on loops and recursion as runs see them: what the user limits is limited for tests found by running too.

use c::Program;
use c::interp::{Machine, Observer};
use c::program::{EdgeId, FunctionId, NodeId, StatementKind};

use super::settings::{Beyond, Settings};

/// Follows a run and says which bound it passes first.
pub(super) struct Rounds<'a> {
    program: &'a Program,
    settings: &'a Settings,
    /// The loops with their heads and bounds.
    loops: Vec<(NodeId, u32)>,
    activations: Vec<Activation>,
    passed: Option<String>,
}

/// An activation of a function, and how often the heads of its loops were visited since they were entered.
struct Activation {
    function: FunctionId,
    visits: Vec<(usize, u32)>,
}

impl<'a> Rounds<'a> {
    /// For the bounds that the user gave; none if there are none.
    /// A run that is cut may come to the head of a loop once more.
    pub(super) fn new(program: &'a Program, settings: &'a Settings, cut: bool) -> Option<Rounds<'a>> {
        let free = settings.unwind.is_none() && settings.loops.is_empty() && settings.run_steps.is_none();
        if free || settings.beyond == Beyond::Partial {
            return None;
        }
        let bound = |number: usize| {
            let own = settings.loops.get(&c::program::LoopId(number as u32)).copied();
            own.or(settings.unwind).map_or(u32::MAX, |bound| bound.saturating_add(u32::from(cut)))
        };
        let loops = program.loops.iter().enumerate().map(|(number, one)| (one.head, bound(number))).collect();
        Some(Rounds { program, settings, loops, activations: Vec::new(), passed: None })
    }

    /// Which bound the run that took so many steps has passed; the next run begins anew.
    pub(super) fn finish(&mut self, steps: u64) -> Option<String> {
        self.activations.clear();
        let long = self.settings.run_steps.filter(|most| *most < steps);
        let long = long.map(|most| format!("the run takes more than {most} steps"));
        self.passed.take().or(long)
    }

    fn enter(&mut self, function: FunctionId) {
        let depth = self.activations.iter().filter(|one| one.function == function).count() as u32;
        if self.settings.unwind.is_some_and(|bound| bound <= depth) {
            let name = &self.program.function(function).name;
            self.passed.get_or_insert_with(|| format!("`{name}` calls itself more than {depth} deep"));
        }
        self.activations.push(Activation { function, visits: Vec::new() });
        if let Some(body) = &self.program.function(function).body {
            self.visit(body.entry, None);
        }
    }

    fn arrive(&mut self, edge: EdgeId) {
        let edge = self.program.edge(edge);
        let closed = edge.notes.closes.map(|closed| closed.0 as usize);
        self.visit(edge.to, closed);
    }

    fn visit(&mut self, node: NodeId, closed: Option<usize>) {
        let Some(activation) = self.activations.last_mut() else { return };
        for (number, &(head, bound)) in self.loops.iter().enumerate().filter(|(_, (head, _))| *head == node) {
            let at = activation.visits.iter().position(|(known, _)| *known == number);
            let at = at.unwrap_or_else(|| {
                activation.visits.push((number, 0));
                activation.visits.len() - 1
            });
            let visits = &mut activation.visits[at].1;
            *visits = if closed == Some(number) { *visits + 1 } else { 1 };
            if bound < *visits {
                let program = self.program;
                self.passed.get_or_insert_with(|| passes(program, head, &program.loops[number].name, bound));
            }
        }
    }
}

/// What is said of a loop whose head is visited more often than this. The last visit of a loop that tests at its head may be the
/// test that ends it, so its body is entered once less.
pub(super) fn passes(program: &Program, head: NodeId, name: &str, visits: u32) -> String {
    let rounds = visits - u32::from(tests_first(program, head));
    match rounds {
        0 => format!("the loop {name} is entered"),
        1 => format!("the loop {name} is entered more than once"),
        _ => format!("the loop {name} is entered more than {rounds} times"),
    }
}

/// Whether a loop decides at its head whether there is another round.
fn tests_first(program: &Program, head: NodeId) -> bool {
    let mut node = head;
    for _ in 0..MOST_STEPS {
        let decides = |kind: StatementKind| matches!(kind, StatementKind::While | StatementKind::For);
        if program.decisions.iter().any(|one| one.entry == node && decides(one.kind)) {
            return true;
        }
        match program.node(node).out.as_slice() {
            [only] => node = program.edge(*only).to,
            _ => return false,
        }
    }
    false
}

/// So many edges may compute what the test of a loop begins with.
const MOST_STEPS: usize = 64;

impl Observer for Rounds<'_> {
    fn begun(&mut self, machine: &mut Machine<'_>) {
        if let Some(function) = machine.current_function() {
            self.enter(function);
        }
    }

    fn begun_again(&mut self, machine: &mut Machine<'_>) {
        self.begun(machine);
    }

    fn jumped(&mut self, call: EdgeId, machine: &mut Machine<'_>) {
        self.activations.truncate(machine.depth());
        self.arrive(call);
    }

    fn taken(&mut self, edge: EdgeId, machine: &mut Machine<'_>) {
        match machine.current_function().filter(|_| self.activations.len() < machine.depth()) {
            Some(entered) => self.enter(entered),
            None => self.arrive(edge),
        }
    }

    fn returned(&mut self, call: Option<EdgeId>, _machine: &mut Machine<'_>) {
        self.activations.pop();
        if let Some(call) = call {
            self.arrive(call);
        }
    }
}

/// Two observers of one run.
pub(super) struct Both<'a, First, Second>(pub(super) &'a mut First, pub(super) &'a mut Second);

impl<First: Observer, Second: Observer> Observer for Both<'_, First, Second> {
    fn begun(&mut self, machine: &mut Machine<'_>) {
        self.0.begun(machine);
        self.1.begun(machine);
    }

    fn begun_again(&mut self, machine: &mut Machine<'_>) {
        self.0.begun_again(machine);
        self.1.begun_again(machine);
    }

    fn jumped(&mut self, call: EdgeId, machine: &mut Machine<'_>) {
        self.0.jumped(call, machine);
        self.1.jumped(call, machine);
    }

    fn taken(&mut self, edge: EdgeId, machine: &mut Machine<'_>) {
        self.0.taken(edge, machine);
        self.1.taken(edge, machine);
    }

    fn returned(&mut self, call: Option<EdgeId>, machine: &mut Machine<'_>) {
        self.0.returned(call, machine);
        self.1.returned(call, machine);
    }
}
