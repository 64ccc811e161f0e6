//! A system as a tester sees it, by the interpreter alone: the states it may be in, given what was seen.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use crate::finding::{Seen, kind};
use crate::interp::{Interpreter, Own};
use crate::machine::OutOfFuel;
use crate::spec::{ActionKind, Spec};
use crate::trace::Label;

/// States a system may be in.
pub type States = BTreeSet<Vec<i64>>;

/// The choices that may be gone through to follow a system.
const MOST_CHOICES: u64 = 1_000_000_000;

/// What becomes of a state that refuses an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The system was not in it: so a model is followed.
    Excluded,
    /// The system stays in it: so an implementation is followed, which takes any input.
    Ignored,
}

/// Which states take an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taking {
    /// Every state the system may be in.
    All,
    /// Some of them.
    Some,
    /// None.
    None,
}

/// The states a system may be in, internal steps included.
#[derive(Clone)]
pub struct Watch<'a> {
    spec: &'a Spec,
    interpreter: Interpreter,
    states: States,
    /// When the interpreter has gone through more choices than this, the system is not followed any further.
    most: u64,
}

impl<'a> Watch<'a> {
    /// A system at its beginning.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn new(spec: &'a Spec, interpreter: Interpreter) -> Result<Watch<'a>, OutOfFuel> {
        let most = interpreter.work().saturating_add(MOST_CHOICES);
        let mut watch = Watch { spec, interpreter, states: States::new(), most };
        watch.states = watch.closed(States::from([spec.initial().to_vec()]))?;
        Ok(watch)
    }

    /// The same, which is not followed any further when it takes more than this many choices in all.
    #[must_use]
    pub fn within(self, choices: u64) -> Watch<'a> {
        Watch { most: self.interpreter.work().saturating_add(choices), ..self }
    }

    /// Nothing, as long as it has not gone through more choices than it may.
    ///
    /// # Errors
    /// When it has.
    pub fn has_more(&self) -> Result<(), OutOfFuel> {
        if self.most < self.interpreter.work() { Err(OutOfFuel) } else { Ok(()) }
    }

    /// The choices gone through so far: a measure of the work it took.
    pub fn work(&self) -> u64 {
        self.interpreter.work()
    }

    /// The states the system may be in.
    pub fn states(&self) -> &States {
        &self.states
    }

    /// Sees something happen.
    ///
    /// # Errors
    /// Why it was not followed.
    pub fn see(&mut self, seen: &Seen, refusal: Refusal) -> Result<(), Unfollowed> {
        let next = match seen {
            Seen::Silence => self.silent()?,
            Seen::Observed(label) => self.after(label, refusal)?,
            Seen::Step(step) => {
                let states = self.states.clone();
                let mut leads = false;
                for state in &states {
                    leads = leads || self.interpreter.allows(state, step)?;
                }
                if leads { States::from([step.post.clone()]) } else { States::new() }
            }
        };
        if next.is_empty() {
            return Err(Unfollowed::Impossible(seen.clone()));
        }
        self.states = self.closed(next)?;
        Ok(())
    }

    /// Sees something happen if it can; whether it can.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn can(&mut self, seen: &Seen, refusal: Refusal) -> Result<bool, OutOfFuel> {
        match self.see(seen, refusal) {
            Ok(()) => Ok(true),
            Err(Unfollowed::Impossible(_)) => Ok(false),
            Err(Unfollowed::TooMany) => Err(OutOfFuel),
        }
    }

    /// The states right after a label.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn after(&mut self, label: &Label, refusal: Refusal) -> Result<States, OutOfFuel> {
        let stays = refusal == Refusal::Ignored && kind(self.spec, label) == ActionKind::Controllable;
        let mut next = States::new();
        for state in &self.states {
            self.has_more()?;
            let after = self.interpreter.after(state, label)?;
            if after.is_empty() && stays {
                next.insert(state.clone());
            }
            next.extend(after);
        }
        Ok(next)
    }

    /// Which states take an input.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn taking(&mut self, label: &Label) -> Result<Taking, OutOfFuel> {
        let mut takers = 0;
        for state in &self.states {
            self.has_more()?;
            takers += usize::from(self.interpreter.takes(state, label)?);
        }
        Ok(match takers {
            0 => Taking::None,
            count if count == self.states.len() => Taking::All,
            _ => Taking::Some,
        })
    }

    /// The states in which nothing comes by itself, however long one waits. A system that ticks inside and says nothing
    /// cannot be told from one that waits, so a state is silent, too, if its internal steps only go round among states
    /// without outputs.
    ///
    /// # Errors
    /// When there are too many ways to go through: then nobody knows whether an output comes.
    pub fn silent(&mut self) -> Result<States, OutOfFuel> {
        let states = self.states.clone();
        let mut silent = States::new();
        for state in states {
            self.has_more()?;
            if self.is_silent(&state)? {
                silent.insert(state);
            }
        }
        Ok(silent)
    }

    fn is_silent(&mut self, state: &[i64]) -> Result<bool, OutOfFuel> {
        if !self.interpreter.own(state)?.outputs.is_empty() {
            return Ok(false);
        }
        let around = self.closed(States::from([state.to_vec()]))?;
        let mut rest: Vec<(Vec<i64>, Arc<Own>)> = Vec::new();
        for other in around {
            let own = self.interpreter.own(&other)?;
            if !own.outputs.is_empty() {
                return Ok(false);
            }
            rest.push((other, own));
        }
        // Everything it comes to must lead back to it.
        let mut back = States::from([state.to_vec()]);
        loop {
            let leads = |(_, own): &(Vec<i64>, Arc<Own>)| own.internal.iter().any(|post| back.contains(post));
            let (more, others): (Vec<_>, Vec<_>) =
                rest.into_iter().filter(|(other, _)| !back.contains(other)).partition(leads);
            if more.is_empty() {
                return Ok(others.is_empty());
            }
            back.extend(more.into_iter().map(|(other, _)| other));
            rest = others;
        }
    }

    /// The outputs that may come, each with the number of labels it stands for.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn outputs(&mut self) -> Result<BTreeMap<Label, u64>, OutOfFuel> {
        let mut outputs = BTreeMap::new();
        for state in &self.states {
            self.has_more()?;
            let own = self.interpreter.own(state)?;
            outputs.extend(own.outputs.iter().map(|(label, weight)| (label.clone(), *weight)));
        }
        Ok(outputs)
    }

    /// The outputs that may come, each with the states right after it.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn output_states(&mut self) -> Result<BTreeMap<Label, States>, OutOfFuel> {
        let mut after = BTreeMap::new();
        for state in &self.states {
            self.has_more()?;
            self.interpreter.outputs_from(state, &mut after)?;
        }
        Ok(after)
    }

    /// The inputs that every state takes. Of values that behave alike only the lowest appears.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn specified_inputs(&mut self) -> Result<BTreeSet<Label>, OutOfFuel> {
        let mut all: Option<BTreeSet<Label>> = None;
        for state in &self.states {
            self.has_more()?;
            let steps = self.interpreter.steps(state)?;
            let inputs = steps.into_iter().map(|(step, _)| step.label);
            let inputs: BTreeSet<Label> =
                inputs.filter(|label| kind(self.spec, label) == ActionKind::Controllable).collect();
            all = Some(all.map_or(inputs.clone(), |all| all.intersection(&inputs).cloned().collect()));
        }
        Ok(all.unwrap_or_default())
    }

    /// What internal steps lead to from these states, themselves included.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn closed(&mut self, mut states: States) -> Result<States, OutOfFuel> {
        if !self.interpreter.has_internal() {
            return Ok(states);
        }
        let mut open: Vec<Vec<i64>> = states.iter().cloned().collect();
        while let Some(state) = open.pop() {
            self.has_more()?;
            for post in &self.interpreter.own(&state)?.internal {
                if states.insert(post.clone()) {
                    open.push(post.clone());
                }
            }
        }
        Ok(states)
    }
}

/// Why a system was not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfollowed {
    /// It cannot do this.
    Impossible(Seen),
    /// There are too many ways to go through: whether it can is not known.
    TooMany,
}

impl From<OutOfFuel> for Unfollowed {
    fn from(_: OutOfFuel) -> Unfollowed {
        Unfollowed::TooMany
    }
}

impl fmt::Display for Unfollowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfollowed::Impossible(seen) => write!(f, "the model cannot do `{seen}`"),
            Unfollowed::TooMany => f.write_str("too many ways"),
        }
    }
}
