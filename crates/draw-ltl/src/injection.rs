//! Systems that have a fault and hide it, made of a correct one: the fault is put into every step first, and taken out of those in
//! which it shows, until no run tells the two apart.
//!
//! What comes out is judged like every other system; it is only found faster than by a game about everything a system may do.

use ltl::faults::{Demand, Premise};
use ltl::{Judgement, Lasso, Letter, Machine, Move, State, Target, Verifier, holds_on_lasso};
use omega::automaton::Limits;
use omega::deterministic::is_now;
use omega::work::Deadline;
use omega::{AtomId, Formula, Formulas, nnf};

/// The most moves of systems that faults are put into.
const MOST_MOVES: usize = 4_000;

/// The most inputs that are remembered, one at a time.
const MOST_REMEMBERED: usize = 12;

/// A system that has the fault of a demand and hides it, made of one that satisfies the `requirement`; none if this way leads to none.
pub(crate) fn injected(
    formulas: &mut Formulas,
    system: &Machine,
    demand: &Demand,
    requirement: Formula,
    limits: Limits,
) -> Option<Machine> {
    let (&[(own, shadow)], Premise::Shadow(..), Some(kind)) = (&demand.shadows[..], &demand.premise, demand.kind)
    else {
        return None;
    };
    let moves: usize = system.states.iter().map(|state| state.moves.len()).sum();
    let now = nnf(formulas, kind, false);
    if MOST_MOVES < moves || !is_now(formulas, now) || !system.sets.contains(&own) {
        return None;
    }
    let both = formulas.all([requirement, demand.correct]);
    let hides = formulas.not(demand.search);
    let mut verifiers = [Verifier::default(), Verifier::default()];
    let inputs = system.reads.iter().copied().take(MOST_REMEMBERED);
    for remembered in std::iter::once(None).chain(inputs.map(Some)) {
        for shown in [false, true] {
            let system = unrolled(&remembered.map_or_else(|| system.clone(), |input| remembering(system, input)));
            let mut injection = Injection::new(formulas, system, (own, shadow), kind, shown);
            if let Some(machine) = injection.settle(formulas, both, &mut verifiers[0], limits)
                && verifiers[1].judge(formulas, &machine, hides, limits) == Judgement::Satisfied
            {
                return Some(machine);
            }
        }
    }
    None
}

/// A system that does the same, and knows in every step what an input is and was a step before: where the fault may be often depends
/// on that, though correct values do not.
fn remembering(system: &Machine, input: AtomId) -> Machine {
    let mut states = Vec::new();
    for state in system.states.iter().flat_map(|state| [state, state]) {
        let mut moves = Vec::new();
        for taken in &state.moves {
            for value in [false, true].into_iter().filter(|value| !taken.guard.contains(&(input, !value))) {
                let mut taken = Move { target: 2 * taken.target + usize::from(value), ..taken.clone() };
                if !taken.guard.contains(&(input, value)) {
                    taken.guard.push((input, value));
                }
                moves.push(taken);
            }
        }
        states.push(State { moves });
    }
    Machine { states, ..system.clone() }
}

/// The same system, as a Mealy machine that never returns to its initial state.
fn unrolled(system: &Machine) -> Machine {
    let mut states = vec![system.states[0].clone()];
    states.extend(system.states.iter().cloned());
    for taken in states.iter_mut().flat_map(|state| &mut state.moves) {
        taken.target += 1;
    }
    Machine { kind: Target::Mealy, states, ..system.clone() }
}

/// A system with a fault in some of its moves.
struct Injection {
    system: Machine,
    own: AtomId,
    shadow: AtomId,
    /// For every move what is shown and what is correct, where the fault can be and where it is not.
    faulty: Vec<Vec<Option<(bool, bool)>>>,
    plain: Vec<Vec<bool>>,
}

impl Injection {
    /// The fault wherever it can be; the system says what is correct if `shown` is to differ, and what is shown if not.
    fn new(
        formulas: &Formulas,
        system: Machine,
        (own, shadow): (AtomId, AtomId),
        kind: Formula,
        shown: bool,
    ) -> Injection {
        let needs = formulas.atoms_of([kind]);
        let (mut faulty, mut plain) = (Vec::new(), Vec::new());
        for state in &system.states {
            let (mut row, mut values) = (Vec::new(), Vec::new());
            for taken in &state.moves {
                let known: Vec<(AtomId, bool)> = taken.guard.iter().chain(&taken.sets).copied().collect();
                let value = known.contains(&(own, true));
                let is_known = needs.iter().all(|atom| *atom == shadow || known.iter().any(|(other, _)| other == atom));
                let pair = if shown { (!value, value) } else { (value, !value) };
                let mut letter = Letter::default();
                known.iter().for_each(|&(atom, value)| letter.set(atom, value));
                letter.set(own, pair.0);
                letter.set(shadow, pair.1);
                let lasso = Lasso { prefix: Vec::new(), cycle: vec![letter] };
                row.push((is_known && holds_on_lasso(formulas, kind, &lasso)).then_some(pair));
                values.push(value);
            }
            faulty.push(row);
            plain.push(values);
        }
        Injection { system, own, shadow, faulty, plain }
    }

    /// Takes the fault out of moves until no run breaks a formula; none if that cannot be, or nobody knows.
    fn settle(
        &mut self,
        formulas: &mut Formulas,
        both: Formula,
        verifier: &mut Verifier,
        limits: Limits,
    ) -> Option<Machine> {
        while self.faulty.iter().flatten().any(Option::is_some) && !limits.deadline.is_some_and(Deadline::is_over) {
            let machine = self.machine();
            match verifier.judge(formulas, &machine, both, limits) {
                Judgement::Satisfied => return Some(machine),
                Judgement::Violated(lasso) => self.take_out(formulas, both, &lasso)?,
                Judgement::Unknown => return None,
            }
        }
        None
    }

    fn machine(&self) -> Machine {
        let mut machine = self.system.clone();
        machine.sets.push(self.shadow);
        for (number, State { moves }) in machine.states.iter_mut().enumerate() {
            for (place, taken) in moves.iter_mut().enumerate() {
                let value = self.plain[number][place];
                let (shown, correct) = self.faulty[number][place].unwrap_or((value, value));
                taken.sets.retain(|(atom, _)| *atom != self.own);
                taken.sets.extend([(self.own, shown), (self.shadow, correct)]);
                taken.sets.sort_unstable();
            }
        }
        machine
    }

    /// Takes the fault out of the move of a run that breaks a formula because of it: of one that is enough, if there is one, or of the
    /// last. None if the run does without the fault.
    fn take_out(&mut self, formulas: &Formulas, both: Formula, lasso: &Lasso) -> Option<()> {
        let letters: Vec<&Letter> = lasso.prefix.iter().chain(&lasso.cycle).collect();
        let mut state = 0;
        let mut taken: Vec<(usize, usize, usize)> = Vec::new();
        for (step, letter) in letters.iter().enumerate() {
            let moves = &self.system.states[state].moves;
            let allows = |guard: &[(AtomId, bool)]| guard.iter().all(|(atom, value)| letter.holds(*atom) == *value);
            let place = moves.iter().position(|taken| allows(&taken.guard))?;
            if self.faulty[state][place].is_some() {
                taken.push((step, state, place));
            }
            state = moves[place].target;
        }
        let mends = |&(step, state, place): &(usize, usize, usize)| {
            let mut mended = Lasso { prefix: lasso.prefix.clone(), cycle: lasso.cycle.clone() };
            let letter = match step.checked_sub(mended.prefix.len()) {
                None => &mut mended.prefix[step],
                Some(step) => &mut mended.cycle[step],
            };
            letter.set(self.own, self.plain[state][place]);
            letter.set(self.shadow, self.plain[state][place]);
            holds_on_lasso(formulas, both, &mended)
        };
        let &(_, state, place) = taken.iter().find(|step| mends(step)).or(taken.last())?;
        self.faulty[state][place] = None;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use ltl::faults::{Selection, faults};
    use ltl::{Dialect, FaultKind, Frequency, Role, load, verify};
    use source::Source;

    use super::*;
    use crate::realizable::{Answer, Budget, decide};

    /// Whether a flip of `o` can be put into the system that is synthesised, so that nobody sees it at a frequency.
    fn hides(text: &str, frequency: Frequency) -> bool {
        let (mut spec, _) = load(&Source::new("test.ltl", text), Dialect::Ltl).expect("well formed");
        let chosen = faults(&mut spec, Selection::Each(FaultKind::Flip)).expect("well formed");
        let fault = chosen.iter().find(|fault| fault.key == "o/bit-flip").expect("there is an output o");
        let demand = fault.demands.iter().find(|demand| demand.frequency == Some(frequency)).expect("a frequency");
        let (inputs, outputs) = (spec.atoms_with(Role::Input), spec.atoms_with(Role::Output));
        let budget = Budget::default();
        let answer = decide(&mut spec.formulas, spec.requirement, &inputs, &outputs, Target::Mealy, budget);
        let Answer::Realizable(system) = answer else { panic!("{text}: {answer:?}") };
        let limits = Limits::default();
        let found = injected(&mut spec.formulas, &system, demand, spec.requirement, limits);
        if let Some(machine) = &found {
            let hides = spec.formulas.not(demand.search);
            assert_eq!(verify(&mut spec.formulas, machine, hides, limits), Judgement::Satisfied, "{text}");
        }
        found.is_some()
    }

    #[test]
    fn faults_hide_where_nothing_is_promised() {
        // Only what follows a request that the system accepts matters, and it does not accept two in a row.
        let text = "input r; output o, p; G (r & p -> X o); G (p -> X !p); G F p;";
        assert!(hides(text, Frequency::Once), "the first step is free");
        assert!(hides(text, Frequency::Repeatedly), "so is every step after a pause");
        // A request is answered whatever it was before: where the fault may be depends on what was not remembered.
        let text = "input r; output o, p; G (r -> X o); G (!r -> X p);";
        assert!(hides(text, Frequency::Once), "the first step is free");
        assert!(!hides(text, Frequency::Repeatedly), "there may be requests for ever");
        // Everything matters.
        let text = "input r; output o; !o; G (r <-> X o);";
        for frequency in [Frequency::Once, Frequency::Repeatedly, Frequency::Finally] {
            assert!(!hides(text, frequency), "{frequency:?}");
        }
    }
}
