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

#[test]
fn faults_of_the_users_are_answered_as_by_brute_force() {
    let mut draw = Draw(23);
    let (inputs, words) = (lassos(2, 5), lassos(4, 3));
    let (longer, systems, strategies) = (lassos(4, 5), systems(), strategies());
    let mut seen = [0; 4];
    for _ in 0..24 {
        let whole = draw.guarantee();
        let shadow = whole.shadow();
        let correct: Vec<_> = systems
            .iter()
            .filter(|system| {
                let step = |state: usize, input: u8| {
                    let (set, next) = system[2 * state + usize::from(input)];
                    ((input * I) | (u8::from(set) * C), next)
                };
                inputs.iter().all(|(choices, back)| shadow.holds(&run(choices, *back, step)))
            })
            .collect();
        for _ in 0..3 {
            let kappa = draw.step(&[I, O, C], 2);
            let symbol = ["F", "GF", "FG", "G"][draw.below(4) as usize];
            let model = match symbol {
                "F" => Sometime(Box::new(kappa.clone())),
                "GF" => Always(Box::new(Sometime(Box::new(kappa.clone())))),
                "FG" => Sometime(Box::new(Always(Box::new(kappa.clone())))),
                _ => Always(Box::new(kappa.clone())),
            };
            let text = format!("input i; output o; {}; fault f: ({}) on o at {symbol};", whole.text(), kappa.text());
            let fault = And(Box::new(shadow.clone()), Box::new(model.clone()));
            let hidden = And(Box::new(fault.clone()), Box::new(whole.clone()));
            let outcome = match drawn(&text, 1) {
                Ok(outcome) => outcome,
                Err(SearchError::Pointless { .. }) => {
                    assert!(correct.is_empty(), "{text}: a system of two states satisfies it");
                    continue;
                }
                Err(error) => panic!("{text}: {error}"),
            };
            // The fault's own output is free: it shows wherever some value of it makes it show.
            let shows = correct.iter().any(|system| {
                longer.iter().filter(|(choices, _)| choices.len() <= 4).any(|(choices, back)| {
                    let step = |state: usize, choice: u8| {
                        let input = choice & 1;
                        let (set, next) = system[2 * state + usize::from(input)];
                        ((input * I) | ((choice >> 1) * O) | (u8::from(set) * C), next)
                    };
                    model.holds(&run(choices, *back, step))
                })
            });
            let against = |strategy: &[(bool, [usize; 2]); 2], choices: &[u8], back: usize| {
                run(choices, back, |state, choice| {
                    let (input, targets) = strategy[state];
                    let shown = choice & 1;
                    ((u8::from(input) * I) | (shown * O) | ((choice >> 1) * C), targets[usize::from(shown)])
                })
            };
            match &outcome.statuses[0] {
                GoalStatus::Covered => {
                    let Inputs::Document(machine) = &outcome.tests[0].test().inputs else { panic!("a machine") };
                    let runs = words.iter().map(|(choices, back)| {
                        run(choices, *back, |state, choice| {
                            let shown = choice & 1;
                            let (sets, next) = taken(machine, state, &[("o", shown == 1)]);
                            let input = sets.iter().any(|(name, value)| name == "i" && *value);
                            ((u8::from(input) * I) | (shown * O) | ((choice >> 1) * C), next)
                        })
                    });
                    let runs: Vec<_> = runs.collect();
                    assert!(!runs.iter().any(|word| hidden.holds(word)), "{text}: {machine} misses it");
                    let marked = outcome.tests[0].test().notes.contains_key("degenerate");
                    let provoked = runs.iter().any(|word| fault.holds(word));
                    assert!(!(provoked && marked), "{text}: {machine} lets it show");
                    seen[usize::from(marked)] += 1;
                }
                GoalStatus::Infeasible(reason) if reason == "no system can have this fault" => {
                    assert!(!shows, "{text}: some system of two states has it");
                    seen[2] += 1;
                }
                GoalStatus::Infeasible(_) | GoalStatus::InfeasibleUpTo(_) => {
                    for strategy in &strategies {
                        let missed =
                            longer.iter().any(|(choices, back)| hidden.holds(&against(strategy, choices, *back)));
                        assert!(missed, "{text}: {:?}, but {strategy:?} exposes it", outcome.statuses);
                    }
                    for evidence in &outcome.evidence[0] {
                        for (choices, back) in &inputs {
                            let word = run(choices, *back, |state, input| {
                                let (sets, next) = taken(&evidence["system"], state, &[("i", input == 1)]);
                                let set = |name: &str| u8::from(sets.iter().any(|(own, value)| own == name && *value));
                                ((input * I) | (set("o") * O) | (set("o'") * C), next)
                            });
                            let right = if kappa.text().contains('\'') {
                                hidden.holds(&word)
                            } else {
                                And(Box::new(model.clone()), Box::new(whole.clone())).holds(&word)
                            };
                            assert!(right, "{text}: {evidence} does not hide it");
                        }
                    }
                    seen[3] += 1;
                }
                GoalStatus::Unknown(reason) | GoalStatus::OnlyUndefined { reason, .. } => panic!("{text}: {reason}"),
            }
        }
    }
    assert!(5 < seen[0] && 0 < seen[2] && 5 < seen[3], "{seen:?}");
}

/// A further strategy is one besides all that count so far, whoever they were found for; and reducing a suite keeps them apart.
#[test]
fn several_strategies_are_told_apart() {
    let mut draw = Draw(7);
    for round in 0..12 {
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
