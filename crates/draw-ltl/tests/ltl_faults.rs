//! Faults of the user's, over an output, its correct value and an input, against brute force: all systems and all strategies of
//! one and two states, and every short run of them. Nothing here is shared with the search or its judge: formulas, runs and
//! machines are written anew from the definitions (Röck 2018, theorem 4).

use draw_ltl::StrategySubject;
use ltl::faults::{Selection, faults};
use ltl::{Dialect, load};
use search::{Backend, Options, Outcome, SearchError, Session};
use serde_json::Value;
use source::Source;
use testcase::{GoalStatus, Inputs};

const I: u8 = 1;
const O: u8 = 2;
/// The correct value of the output.
const C: u8 = 4;

#[derive(Clone, Debug)]
enum Formula {
    Atom(u8),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Iff(Box<Formula>, Box<Formula>),
    Next(Box<Formula>),
    Always(Box<Formula>),
    Sometime(Box<Formula>),
}

use Formula::{Always, And, Atom, Iff, Next, Not, Or, Sometime};

impl Formula {
    fn text(&self) -> String {
        match self {
            Atom(I) => "i".to_owned(),
            Atom(O) => "o".to_owned(),
            Atom(_) => "o'".to_owned(),
            Not(a) => format!("!({})", a.text()),
            And(a, b) => format!("(({}) & ({}))", a.text(), b.text()),
            Or(a, b) => format!("(({}) | ({}))", a.text(), b.text()),
            Iff(a, b) => format!("(({}) <-> ({}))", a.text(), b.text()),
            Next(a) => format!("X ({})", a.text()),
            Always(a) => format!("G ({})", a.text()),
            Sometime(a) => format!("F ({})", a.text()),
        }
    }

    /// The values in all steps of a word that goes back from its end.
    fn values(&self, word: &[u8], back: usize) -> Vec<bool> {
        let both = |a: &Formula, b: &Formula, join: fn(bool, bool) -> bool| -> Vec<bool> {
            a.values(word, back).into_iter().zip(b.values(word, back)).map(|(a, b)| join(a, b)).collect()
        };
        let last = word.len() - 1;
        match self {
            Atom(bit) => word.iter().map(|letter| letter & bit != 0).collect(),
            Not(a) => a.values(word, back).into_iter().map(|value| !value).collect(),
            And(a, b) => both(a, b, |a, b| a && b),
            Or(a, b) => both(a, b, |a, b| a || b),
            Iff(a, b) => both(a, b, |a, b| a == b),
            Next(a) => {
                let inner = a.values(word, back);
                (0..word.len()).map(|step| inner[if step == last { back } else { step + 1 }]).collect()
            }
            Always(a) => {
                let inner = a.values(word, back);
                (0..word.len())
                    .map(|step| (step.min(back)..word.len()).all(|later| later < step && later < back || inner[later]))
                    .collect()
            }
            Sometime(a) => {
                let inner = a.values(word, back);
                (0..word.len())
                    .map(|step| {
                        (step.min(back)..word.len()).any(|later| (step <= later || back <= later) && inner[later])
                    })
                    .collect()
            }
        }
    }

    fn holds(&self, (word, back): &(Vec<u8>, usize)) -> bool {
        self.values(word, *back)[0]
    }

    /// With the correct value in the place of the output.
    fn shadow(&self) -> Formula {
        let same = |a: &Formula| Box::new(a.shadow());
        match self {
            Atom(bit) => Atom(if *bit == O { C } else { *bit }),
            Not(a) => Not(same(a)),
            And(a, b) => And(same(a), same(b)),
            Or(a, b) => Or(same(a), same(b)),
            Iff(a, b) => Iff(same(a), same(b)),
            Next(a) => Next(same(a)),
            Always(a) => Always(same(a)),
            Sometime(a) => Sometime(same(a)),
        }
    }
}

struct Draw(u64);

impl Draw {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }

    fn literal(&mut self, bits: &[u8]) -> Formula {
        let atom = Atom(bits[self.below(bits.len() as u64) as usize]);
        if self.below(2) == 0 { atom } else { Not(Box::new(atom)) }
    }

    fn step(&mut self, bits: &[u8], depth: u64) -> Formula {
        if depth == 0 || self.below(4) == 0 {
            return self.literal(bits);
        }
        let (a, b) = (Box::new(self.step(bits, depth - 1)), Box::new(self.step(bits, depth - 1)));
        match self.below(3) {
            0 => And(a, b),
            1 => Or(a, b),
            _ => Iff(a, b),
        }
    }

    fn guarantee(&mut self) -> Formula {
        let now = Box::new(self.step(&[I, O], 1));
        let later = Box::new(self.literal(&[O]));
        match self.below(6) {
            0 => Always(Box::new(Iff(Box::new(Atom(O)), Box::new(self.literal(&[I]))))),
            1 => Always(Box::new(Iff(Box::new(Next(Box::new(Atom(O)))), Box::new(self.literal(&[I]))))),
            2 => Always(Box::new(Or(now, Box::new(Next(later))))),
            3 => Always(Box::new(Or(now, Box::new(Sometime(later))))),
            4 => Always(Box::new(Or(Box::new(self.literal(&[I])), later))),
            _ => And(
                now,
                Box::new(Always(Box::new(Iff(Box::new(Next(Box::new(Atom(O)))), Box::new(self.literal(&[I])))))),
            ),
        }
    }
}

/// A run: in every step a choice, which a machine turns into a letter and its next state; then back into the cycle of choices,
/// round and round until the machine repeats itself.
fn run(choices: &[u8], back: usize, mut step: impl FnMut(usize, u8) -> (u8, usize)) -> (Vec<u8>, usize) {
    let (mut word, mut seen): (Vec<u8>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    let (mut at, mut state) = (0, 0);
    loop {
        if let Some(known) = seen.iter().position(|place| *place == (at, state)) {
            return (word, known);
        }
        seen.push((at, state));
        let (letter, next) = step(state, choices[at]);
        word.push(letter);
        state = next;
        at = if at + 1 == choices.len() { back } else { at + 1 };
    }
}

/// All choices of some steps, with where they go back to.
fn lassos(count: u32, longest: u32) -> Vec<(Vec<u8>, usize)> {
    let mut found = Vec::new();
    for length in 1..=longest {
        for number in 0..u64::from(count).pow(length) {
            let choices: Vec<u8> =
                (0..length).map(|place| (number / u64::from(count).pow(place) % u64::from(count)) as u8).collect();
            found.extend((0..length as usize).map(|back| (choices.clone(), back)));
        }
    }
    found
}

/// Systems that set the correct value: for every state and input what they set and where they go.
fn systems() -> Vec<[(bool, usize); 4]> {
    (0..256_u32)
        .map(|number| {
            std::array::from_fn(|place| (number >> (2 * place) & 1 == 1, (number >> (2 * place + 1) & 1) as usize))
        })
        .collect()
}

/// Strategies: for every state the input, and where they go without and with the output.
fn strategies() -> Vec<[(bool, [usize; 2]); 2]> {
    (0..64_u32)
        .map(|number| {
            std::array::from_fn(|state| {
                let bits = number >> (3 * state);
                (bits & 1 == 1, [(bits >> 1 & 1) as usize, (bits >> 2 & 1) as usize])
            })
        })
        .collect()
}

/// What a machine in JSON does in a state for what it reads: what it sets, and its next state.
fn taken(machine: &Value, state: usize, reads: &[(&str, bool)]) -> (Vec<(String, bool)>, usize) {
    let moves = machine["states"][state]["moves"].as_array().expect("moves");
    let fits = |taken: &&Value| {
        taken["when"]
            .as_object()
            .expect("guards")
            .iter()
            .all(|(name, value)| reads.iter().any(|(own, seen)| own == name && Some(*seen) == value.as_bool()))
    };
    let taken = moves.iter().find(fits).expect("one move fits");
    let sets = taken["set"].as_object().expect("values").iter();
    let sets = sets.map(|(name, value)| (name.clone(), value.as_bool().expect("a truth value"))).collect();
    (sets, taken["next"].as_u64().expect("a number") as usize)
}

fn drawn(text: &str, count: usize) -> Result<Outcome, SearchError> {
    let source = Source::new("test.ltl", text);
    let (mut spec, _) = load(&source, Dialect::Ltl).expect("well formed");
    let faults = faults(&mut spec, Selection::Declared).expect("well formed");
    let subject = StrategySubject::several(&source, spec, faults, count);
    let options = Options { bound: search::Bound(2), ..Options::default() };
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options)?;
    while session.pull()?.is_some() {}
    session.finish()
}

/// How often a fault shows, weakest first.
const FREQUENCIES: [&str; 4] = ["F", "GF", "FG", "G"];

/// What a fault does over all time.
fn model_of(kappa: &Formula, symbol: &str) -> Formula {
    let kappa = Box::new(kappa.clone());
    match symbol {
        "F" => Sometime(kappa),
        "GF" => Always(Box::new(Sometime(kappa))),
        "FG" => Sometime(Box::new(Always(kappa))),
        _ => Always(kappa),
    }
}

/// All machines of one and two states and all their short runs, each made once.
struct BruteForce {
    inputs: Vec<(Vec<u8>, usize)>,
    words: Vec<(Vec<u8>, usize)>,
    longer: Vec<(Vec<u8>, usize)>,
    systems: Vec<[(bool, usize); 4]>,
    strategies: Vec<[(bool, [usize; 2]); 2]>,
}

/// A specification and a fault of it.
struct Case {
    text: String,
    whole: Formula,
    kappa: Formula,
    /// The systems of two states whose correct values satisfy the specification.
    correct: Vec<[(bool, usize); 4]>,
}

/// How often each answer was given: a strategy, one that keeps the fault from showing, no system has it, it can be hidden.
type Seen = [usize; 4];

impl BruteForce {
    fn new() -> BruteForce {
        BruteForce {
            inputs: lassos(2, 5),
            words: lassos(4, 3),
            longer: lassos(4, 5),
            systems: systems(),
            strategies: strategies(),
        }
    }

    /// The systems of two states whose correct values satisfy a specification.
    fn correct(&self, whole: &Formula) -> Vec<[(bool, usize); 4]> {
        let shadow = whole.shadow();
        let is_correct = |system: &&[(bool, usize); 4]| {
            let step = |state: usize, input: u8| {
                let (set, next) = system[2 * state + usize::from(input)];
                ((input * I) | (u8::from(set) * C), next)
            };
            self.inputs.iter().all(|(choices, back)| shadow.holds(&run(choices, *back, step)))
        };
        self.systems.iter().filter(is_correct).copied().collect()
    }

    /// Whether a run of a system of two states has a fault. What the faulty output shows is free: the fault is there wherever
    /// some value of it makes it so.
    fn shows(&self, case: &Case, model: &Formula) -> bool {
        case.correct.iter().any(|system| {
            self.longer.iter().filter(|(choices, _)| choices.len() <= 4).any(|(choices, back)| {
                let step = |state: usize, choice: u8| {
                    let input = choice & 1;
                    let (set, next) = system[2 * state + usize::from(input)];
                    ((input * I) | ((choice >> 1) * O) | (u8::from(set) * C), next)
                };
                model.holds(&run(choices, *back, step))
            })
        })
    }

    /// A strategy of two states that exposes a fault and, if that is asked for, lets it show.
    fn exposing(&self, hidden: &Formula, fault: Option<&Formula>) -> Option<&[(bool, [usize; 2]); 2]> {
        let against = |strategy: &[(bool, [usize; 2]); 2], choices: &[u8], back: usize| {
            run(choices, back, |state, choice| {
                let (input, targets) = strategy[state];
                let shown = choice & 1;
                ((u8::from(input) * I) | (shown * O) | ((choice >> 1) * C), targets[usize::from(shown)])
            })
        };
        self.strategies.iter().find(|strategy| {
            !self.longer.iter().any(|(choices, back)| hidden.holds(&against(strategy, choices, *back)))
                && fault.is_none_or(|fault| {
                    self.words.iter().any(|(choices, back)| fault.holds(&against(strategy, choices, *back)))
                })
        })
    }

    /// Compares the answer to one fault at one frequency, or at all of them.
    fn compare(&self, case: &Case, frequencies: &[&str], outcome: &Outcome, seen: &mut Seen) {
        let Case { text, whole, kappa, .. } = case;
        let fault_at = |symbol: &str| And(Box::new(whole.shadow()), Box::new(model_of(kappa, symbol)));
        let hidden_at = |symbol: &str| And(Box::new(fault_at(symbol)), Box::new(whole.clone()));
        match &outcome.statuses[0] {
            GoalStatus::Covered => {
                // Why no weaker frequency does follows after it.
                let manner = outcome.manners[0].as_deref().expect("it is exposed at a frequency");
                let manner = manner.split([';', ',']).next().unwrap_or(manner);
                let (symbol, avoided) = match manner.strip_suffix(" kept from showing") {
                    Some(symbol) => (symbol, true),
                    None => (manner, false),
                };
                let Inputs::Document(machine) = &outcome.tests[0].test().inputs else { panic!("a machine") };
                let runs = self.words.iter().map(|(choices, back)| {
                    run(choices, *back, |state, choice| {
                        let shown = choice & 1;
                        let (sets, next) = taken(machine, state, &[("o", shown == 1)]);
                        let input = sets.iter().any(|(name, value)| name == "i" && *value);
                        ((u8::from(input) * I) | (shown * O) | ((choice >> 1) * C), next)
                    })
                });
                let runs: Vec<_> = runs.collect();
                assert!(!runs.iter().any(|word| hidden_at(symbol).holds(word)), "{text}: {machine} misses it");
                let marked = outcome.tests[0].test().notes.contains_key("degenerate");
                assert_eq!(marked, avoided, "{text}: {machine}");
                let provoked = runs.iter().any(|word| fault_at(symbol).holds(word));
                assert!(!(provoked && marked), "{text}: {machine} lets it show");
                // Nothing of two states is better: a weaker frequency, or a strategy that lets the fault show.
                let better = if avoided { frequencies } else { &frequencies[..place(frequencies, symbol)] };
                for symbol in better {
                    let found = self.exposing(&hidden_at(symbol), Some(&fault_at(symbol)));
                    let possible = self.shows(case, &model_of(kappa, symbol));
                    assert!(found.is_none() || !possible, "{text}: {manner}, but {found:?} exposes it at {symbol}");
                }
                seen[usize::from(marked)] += 1;
            }
            GoalStatus::Infeasible(reason) if reason == "no system can have this fault" => {
                for symbol in frequencies {
                    assert!(!self.shows(case, &model_of(kappa, symbol)), "{text}: some system has it at {symbol}");
                }
                seen[2] += 1;
            }
            GoalStatus::Infeasible(_) | GoalStatus::InfeasibleUpTo(_) => {
                for symbol in frequencies {
                    let found = self.exposing(&hidden_at(symbol), None);
                    let possible = self.shows(case, &model_of(kappa, symbol));
                    assert!(
                        found.is_none() || !possible,
                        "{text}: {:?}, but {found:?} exposes it at {symbol}",
                        outcome.statuses
                    );
                }
                for evidence in &outcome.evidence[0] {
                    self.judge(case, evidence);
                }
                seen[3] += 1;
            }
            GoalStatus::Unknown(reason) | GoalStatus::OnlyUndefined { reason, .. } => panic!("{text}: {reason}"),
        }
    }

    /// A system that is shown as evidence has the fault at the frequency it is shown for, and hides it, whatever it reads.
    fn judge(&self, case: &Case, evidence: &Value) {
        if evidence["system"].is_null() {
            return;
        }
        let manner = evidence["manner"].as_str().expect("a frequency");
        let model = model_of(&case.kappa, manner.strip_suffix(" kept from showing").unwrap_or(manner));
        for (choices, back) in &self.inputs {
            let word = run(choices, *back, |state, input| {
                let (sets, next) = taken(&evidence["system"], state, &[("i", input == 1)]);
                let set = |name: &str| u8::from(sets.iter().any(|(own, value)| own == name && *value));
                ((input * I) | (set("o") * O) | (set("o'") * C), next)
            });
            assert!(model.holds(&word) && case.whole.holds(&word), "{}: {evidence} does not hide it", case.text);
            if case.kappa.text().contains('\'') {
                assert!(case.whole.shadow().holds(&word), "{}: {evidence} is not correct", case.text);
            }
        }
    }
}

fn place(frequencies: &[&str], symbol: &str) -> usize {
    frequencies.iter().position(|other| *other == symbol).expect("it was asked for")
}

/// How much a random test does: as much as `SPECIMEN_ROUNDS` says, or little.
fn rounds(usual: u64) -> u64 {
    std::env::var("SPECIMEN_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(usual)
}

#[test]
fn faults_of_the_users_are_answered_as_by_brute_force() {
    let brute_force = BruteForce::new();
    let mut seen = Seen::default();
    for seed in 0..rounds(24) {
        let mut draw = Draw(23 + seed * 7_919);
        let whole = if draw.below(3) == 0 {
            And(Box::new(draw.guarantee()), Box::new(draw.guarantee()))
        } else {
            draw.guarantee()
        };
        let correct = brute_force.correct(&whole);
        for _ in 0..3 {
            let kappa = match draw.below(4) {
                0 => Or(Box::new(draw.step(&[I, O, C], 1)), Box::new(Next(Box::new(draw.literal(&[I, O, C]))))),
                _ => draw.step(&[I, O, C], 2),
            };
            let chosen = draw.below(5) as usize;
            let (frequencies, at) = match FREQUENCIES.get(chosen) {
                Some(symbol) => (&FREQUENCIES[chosen..=chosen], format!(" at {symbol}")),
                None => (&FREQUENCIES[..], String::new()),
            };
            let text = format!("input i; output o; {}; fault f: ({}) on o{at};", whole.text(), kappa.text());
            let case = Case { text, whole: whole.clone(), kappa, correct: correct.clone() };
            match drawn(&case.text, 1) {
                Ok(outcome) => brute_force.compare(&case, frequencies, &outcome, &mut seen),
                Err(SearchError::Pointless { .. }) => {
                    assert!(correct.is_empty(), "{}: a system of two states satisfies it", case.text);
                }
                Err(error) => panic!("{}: {error}", case.text),
            }
        }
    }
    assert!(5 < seen[0] && 0 < seen[2] && 5 < seen[3], "{seen:?}");
}

/// A further strategy is one besides all that count so far, whoever they were found for; and reducing a suite keeps them apart.
#[test]
fn several_strategies_are_told_apart() {
    let mut draw = Draw(7);
    for round in 0..rounds(12) as usize {
        let whole = draw.guarantee().text();
        let kappa = draw.step(&[I, O, C], 1).text();
        let kinds = ["stuck_at_0 on o; fault flip on o", "flip on o; fault stuck_at_1 on o"][round % 2];
        let text = format!("input i; output o; {whole}; fault {kinds}; fault f: ({kappa}) on o;");
        for count in [2, 3] {
            match drawn(&text, count) {
                Ok(outcome) => assert_eq!(outcome.statuses.len(), 3 * count),
                Err(SearchError::Pointless { .. }) => {}
                Err(error) => panic!("{text}, {count} strategies: {error}"),
            }
        }
    }
}
