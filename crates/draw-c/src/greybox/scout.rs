//! What is observed of a run: which edges, how often, which branch after which, and what was compared.

use std::hash::Hasher;

use c::Program;
use c::expr::ExprKind;
use c::interp::{Machine, Observer};
use c::program::{Callee, EdgeId, Operation};
use rustc_hash::FxHasher;

/// Ways through a program are told apart by this many marks.
const MARKS: usize = 1 << 16;

/// At most this many comparisons of a run are kept.
const MOST_COMPARISONS: usize = 4_000;

/// What a branch compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    /// It is not a branch.
    None,
    /// Integers are compared.
    Integers,
    /// Floating numbers are compared.
    Floats,
    /// Whether something differs from zero.
    Truth,
    /// Bytes of memory are compared by a function of the library.
    Bytes,
}

/// A comparison that a run made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Comparison {
    /// The side taken.
    pub(super) edge: EdgeId,
    /// The operands.
    pub(super) left: i128,
    pub(super) right: i128,
    pub(super) floating: bool,
}

pub(super) struct Scout {
    tests: Vec<Test>,
    /// The other side of a branch.
    siblings: Vec<Option<EdgeId>>,
    /// How often each edge was taken by this run.
    counts: Vec<u32>,
    touched: Vec<u32>,
    /// The run that set a mark last.
    stamps: Vec<u32>,
    marks: Vec<u32>,
    run: u32,
    before: u32,
    path: FxHasher,
    /// Marks of tests, and of all runs.
    known: Vec<bool>,
    known_at_all: Vec<bool>,
    /// Edges taken by tests.
    taken: Vec<bool>,
    /// Comparisons, while they are asked for.
    pub(super) log: Option<Vec<Comparison>>,
}

impl Scout {
    pub(super) fn new(program: &Program) -> Scout {
        let mut siblings = vec![None; program.edges.len()];
        for node in &program.nodes {
            if let [yes, no] = node.out.as_slice() {
                siblings[yes.0 as usize] = Some(*no);
                siblings[no.0 as usize] = Some(*yes);
            }
        }
        Scout {
            tests: program.edges.iter().map(|edge| test(program, &edge.operation)).collect(),
            siblings,
            counts: vec![0; program.edges.len()],
            touched: Vec::new(),
            stamps: vec![0; MARKS],
            marks: Vec::new(),
            run: 0,
            before: 0,
            path: FxHasher::default(),
            known: vec![false; MARKS],
            known_at_all: vec![false; MARKS],
            taken: vec![false; program.edges.len()],
            log: None,
        }
    }

    /// Whether no test took the other side of a branch; so for comparisons of memory.
    pub(super) fn is_frontier(&self, edge: EdgeId) -> bool {
        self.siblings[edge.0 as usize].is_none_or(|other| !self.taken[other.0 as usize])
    }

    /// Whether a side of a branch was taken by no test.
    pub(super) fn is_missing_beside(&self, edge: EdgeId) -> bool {
        self.siblings[edge.0 as usize].is_some_and(|other| !self.taken[other.0 as usize])
    }

    /// A number for the way the run took.
    pub(super) fn path(&self) -> u64 {
        self.path.finish()
    }

    /// Whether the last run did anything that was not seen before, in a test if it is one.
    pub(super) fn is_new(&mut self, valid: bool) -> bool {
        for at in 0..self.touched.len() {
            let edge = self.touched[at];
            let count = self.counts[edge as usize];
            self.mark(edge, 0x8000_0000 | bucket(count));
            if valid {
                self.taken[edge as usize] = true;
            }
        }
        let mut new = false;
        for &mark in &self.marks {
            let known_at_all = std::mem::replace(&mut self.known_at_all[mark as usize], true);
            let known = if valid { std::mem::replace(&mut self.known[mark as usize], true) } else { known_at_all };
            new |= !known;
        }
        new
    }

    fn mark(&mut self, one: u32, other: u32) {
        let mixed = (u64::from(one) << 32 | u64::from(other)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = (mixed >> 48) as usize;
        if self.stamps[place] != self.run {
            self.stamps[place] = self.run;
            self.marks.push(place as u32);
        }
    }
}

impl Observer for Scout {
    fn begun(&mut self, _: &mut Machine<'_>) {
        for edge in self.touched.drain(..) {
            self.counts[edge as usize] = 0;
        }
        self.marks.clear();
        self.run += 1;
        self.before = 0;
        self.path = FxHasher::default();
    }

    fn taken(&mut self, edge: EdgeId, machine: &mut Machine<'_>) {
        let count = &mut self.counts[edge.0 as usize];
        *count += 1;
        if *count == 1 {
            self.touched.push(edge.0);
        }
        let test = self.tests[edge.0 as usize];
        if test == Test::None {
            return;
        }
        self.path.write_u32(edge.0);
        self.mark(self.before, edge.0);
        self.before = edge.0;
        if test == Test::Integers && self.is_frontier(edge) {
            // How far the operands are apart: nearer is something new.
            let (left, right) = machine.compared();
            let distance = left.abs_diff(right);
            self.mark(edge.0, 0x4000_0000 | distance.checked_ilog2().map_or(0, |bits| bits + 1));
        }
        if let Some(log) = &mut self.log
            && log.len() < MOST_COMPARISONS
        {
            let (left, right) = match test {
                Test::Truth => (machine.tested(), i128::from(machine.tested() == 0)),
                Test::None | Test::Integers | Test::Floats | Test::Bytes => machine.compared(),
            };
            log.push(Comparison { edge, left, right, floating: test == Test::Floats });
        }
    }
}

/// Counts that are not told apart have one number.
fn bucket(count: u32) -> u32 {
    match count {
        0..=8 => count,
        9..=16 => 9,
        17..=32 => 10,
        33..=128 => 11,
        _ => 12,
    }
}

/// Functions of the library that compare bytes with others or with a class.
const COMPARING: &[&str] = &[
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "memcmp",
    "bcmp",
    "isalpha",
    "isdigit",
    "isalnum",
    "isspace",
    "isupper",
    "islower",
    "isxdigit",
    "ispunct",
    "isprint",
    "isgraph",
    "iscntrl",
    "isblank",
];

fn test(program: &Program, operation: &Operation) -> Test {
    match operation {
        Operation::Assume { condition, .. } => match &program.expr(*condition).kind {
            ExprKind::Binary(operator, left, _) if operator.compares() => {
                let ty = program.expr(*left).ty;
                if program.types.is_floating(ty) {
                    Test::Floats
                } else if program.types.is_pointer(ty) {
                    Test::Truth
                } else {
                    Test::Integers
                }
            }
            _ => Test::Truth,
        },
        Operation::Call { callee: Callee::Function(function), .. } => {
            let called = program.function(*function);
            match called.body.is_none() && COMPARING.contains(&called.name.as_str()) {
                true => Test::Bytes,
                false => Test::None,
            }
        }
        Operation::Skip
        | Operation::Assign { .. }
        | Operation::Initialise { .. }
        | Operation::Call { .. }
        | Operation::Return { .. }
        | Operation::Assert { .. }
        | Operation::Restrict { .. } => Test::None,
    }
}
