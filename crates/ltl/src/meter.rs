//! The judge of strategies: which faults a machine exposes, at which frequency, and whether it does anything that others do not.
//!
//! It knows no game, no solver and no clock: machines are judged by [`crate::verify`], within limits that count work.

use indexmap::IndexMap;
use serde_json::{Value as Json, json};

use crate::faults::Demand;
use crate::grounds::Grounds;
use crate::machine::Machine;
use crate::spec::{Role, Spec, Target};
use crate::symmetric_faults::SymmetricFaults;
use crate::symmetry::Renaming;
use crate::vacuity::{VacuityClaims, judge_impossible, judge_unrealizable, provokes};
use crate::verify::Judgement;
use omega::automaton::Limits;

/// What an obligation asks for: a strategy for a demand that is inside none of the earlier strategies of its fault.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The fault, for people.
    pub label: String,
    /// Its number.
    pub fault: usize,
    /// How many strategies of the fault come before it.
    pub rank: usize,
    /// What every run must satisfy.
    pub demand: Demand,
}

/// What the judge may cost for one strategy and one formula.
pub const JUDGE: Limits = Limits { states: 200_000, nodes: 10_000_000, deadline: None };

/// What one strategy does.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The obligations that it is the first to meet, alone or together with earlier strategies.
    pub met: Vec<usize>,
    /// What a reader wants to know about it.
    pub notes: IndexMap<String, Json>,
}

/// The judge of the strategies of a suite, one after the other.
pub struct Meter<'a> {
    spec: Spec,
    wanted: &'a [Wanted],
    claims: &'a dyn VacuityClaims,
    symmetric: &'a SymmetricFaults,
    /// What was found out about claims of vacuity: whether the specification cannot be implemented, and for every obligation
    /// whether no system can have its fault.
    unrealizable: Option<bool>,
    impossible: Vec<Option<bool>>,
    /// For every obligation the tests that meet it, alone or together with the strategies that come before.
    met: Vec<Vec<Vec<u32>>>,
    /// Whether faults have several strategies: then each obligation has one test, since others would change their order.
    several: bool,
    grounds: Grounds,
    /// For every fault the guarantees that it was judged with.
    chosen: Vec<Vec<usize>>,
    /// For every fault the strategies that count for it, in order.
    held: Vec<Vec<Machine>>,
    /// For each of these the number of its test.
    numbers: Vec<Vec<u32>>,
    run: u32,
}

/// The demand of an earlier fault that a demand is the same as, up to a symmetry.
pub fn twin(wanted: &[Wanted], symmetric: &SymmetricFaults, place: usize) -> Option<usize> {
    let Wanted { fault, rank, .. } = wanted[place];
    let image = symmetric.get(fault).filter(|_| rank == 0)?;
    let first = |fault: usize| wanted.iter().position(|wanted| wanted.fault == fault);
    Some(first(image.fault)? + place - first(fault)?)
}

impl<'a> Meter<'a> {
    /// A judge who has seen nothing.
    pub fn new(
        spec: &Spec,
        wanted: &'a [Wanted],
        claims: &'a dyn VacuityClaims,
        symmetric: &'a SymmetricFaults,
    ) -> Meter<'a> {
        let faults = wanted.iter().map(|wanted| wanted.fault + 1).max().unwrap_or(0);
        Meter {
            spec: spec.clone(),
            wanted,
            claims,
            symmetric,
            unrealizable: None,
            impossible: vec![None; wanted.len()],
            met: vec![Vec::new(); wanted.len()],
            several: wanted.iter().any(|wanted| 0 < wanted.rank),
            grounds: Grounds::of(&spec.formulas, spec.requirement),
            chosen: vec![Vec::new(); faults],
            held: vec![Vec::new(); faults],
            numbers: vec![Vec::new(); faults],
            run: 0,
        }
    }

    /// Every set of strategies that meets an obligation, by numbers in the order they were judged.
    pub fn met(&self) -> &[Vec<Vec<u32>>] {
        &self.met
    }

    /// Whether a strategy that satisfies a demand is evidence of anything: every machine satisfies a vacuous one. Claims of
    /// vacuity count if their machines show them.
    fn is_evident(&mut self, place: usize) -> bool {
        let place = twin(self.wanted, self.symmetric, place).unwrap_or(place);
        let unrealizable = match self.unrealizable {
            Some(known) => known,
            None => {
                let claim = self.claims.unrealizable();
                claim.is_some_and(|environment| judge_unrealizable(&mut self.spec, &environment).is_ok())
            }
        };
        self.unrealizable = Some(unrealizable);
        let impossible = match self.impossible[place] {
            Some(known) => known,
            None => {
                let claim = self.claims.impossible(place);
                let demand = &self.wanted[place].demand;
                claim.is_some_and(|shown| judge_impossible(&mut self.spec, demand, &shown).is_ok())
            }
        };
        self.impossible[place] = Some(impossible);
        !unrealizable && !impossible
    }

    /// Judges one more strategy, a machine in JSON.
    ///
    /// # Errors
    /// Why it is not a strategy.
    pub fn judge(&mut self, document: &Json) -> Result<Measured, String> {
        let number = self.run;
        self.run += 1;
        let machine = self.machine(document)?;
        let mut met = Vec::new();
        let mut notes = IndexMap::new();
        notes.insert("states".to_owned(), json!(machine.states.len()));
        let mut exposes = serde_json::Map::new();
        let mut avoided = serde_json::Map::new();
        let mut new = vec![false; self.held.len()];
        let satisfied = self.satisfied(&machine);
        for (place, wanted) in self.wanted.iter().enumerate() {
            let (label, demand) = (&wanted.label, &wanted.demand);
            // How many strategies of the fault came before this one, which is inside none of them.
            let held = &self.held[wanted.fault];
            let rank = held.len() - usize::from(new[wanted.fault]);
            let counts = new[wanted.fault] || !held.iter().any(|other| machine.is_inside(other));
            if rank != wanted.rank && wanted.rank != 0 || !satisfied[place] {
                continue;
            }
            // Frequencies come weakest first: the first one that is met is the best.
            let symbol = demand.frequency.map_or("model", |frequency| frequency.symbol());
            if !demand.provoked && !demand.certain && !exposes.contains_key(label) {
                avoided.insert(label.clone(), json!("no run with this strategy has the fault"));
            }
            exposes.entry(label.clone()).or_insert_with(|| json!(symbol));
            if counts && !new[wanted.fault] {
                new[wanted.fault] = true;
                self.held[wanted.fault].push(machine.clone());
                self.numbers[wanted.fault].push(number);
            }
            if wanted.rank == 0 || counts && rank == wanted.rank {
                if self.met[place].is_empty() {
                    met.push(place);
                }
                if self.met[place].is_empty() || !self.several {
                    let mut tests = self.numbers[wanted.fault][..wanted.rank].to_vec();
                    tests.push(number);
                    self.met[place].push(tests);
                }
            }
        }
        notes.insert("exposes".to_owned(), exposes.into());
        if !avoided.is_empty() {
            notes.insert("degenerate".to_owned(), avoided.into());
        }
        let symmetric = self.by_symmetry(&machine, &new);
        if !symmetric.is_empty() {
            notes.insert("by_symmetry".to_owned(), symmetric.into());
        }
        Ok(Measured { met, notes })
    }

    /// For every obligation whether every run of a strategy satisfies its demand. A fault that shows more often is
    /// exposed more easily: if it is not exposed always, it is not exposed at times either.
    ///
    /// `search` is judged in place of `claim`: they are equivalent for a machine that does not see the correct values.
    /// Where a fault does not mention them, a run that refutes `search` refutes `claim` with the correct values equal to
    /// those that are shown; where a permanent fault determines them, they are what is put in their place.
    fn satisfied(&mut self, machine: &Machine) -> Vec<bool> {
        let demands = self.wanted;
        let mut met = vec![false; demands.len()];
        let mut of_fault: Vec<Vec<usize>> = vec![Vec::new(); self.held.len()];
        for (place, wanted) in demands.iter().enumerate().filter(|(_, wanted)| wanted.rank == 0) {
            of_fault[wanted.fault].push(place);
        }
        for places in &of_fault {
            let strength = |place: &usize| demands[*place].demand.frequency;
            let ordered = places.iter().all(|place| strength(place).is_some()) && places.is_sorted_by_key(strength);
            for &place in places.iter().rev() {
                let (formulas, demand) = (&mut self.spec.formulas, &demands[place].demand);
                let chosen = &mut self.chosen[demands[place].fault];
                let mut judged = self.grounds.judge(formulas, machine, demand, chosen, JUDGE);
                if judged == Judgement::Unknown && !chosen.is_empty() {
                    // Guarantees that other strategies needed may be too many for this one.
                    chosen.clear();
                    judged = self.grounds.judge(formulas, machine, demand, chosen, JUDGE);
                }
                let claimed = judged == Judgement::Satisfied;
                if ordered && !claimed {
                    break;
                }
                // That no system can have a fault always does not mean that none can have it at times.
                met[place] = claimed
                    && self.is_evident(place)
                    && (!demand.provoked || provokes(&mut self.spec, machine, demand));
            }
        }
        // Further strategies of a fault have the same demands.
        let mut number = 0;
        for place in 0..demands.len() {
            let same = place.checked_sub(1).is_some_and(|before| {
                demands[before].fault == demands[place].fault && demands[before].rank == demands[place].rank
            });
            number = if same { number + 1 } else { 0 };
            met[place] = met[of_fault[demands[place].fault][number]];
        }
        met
    }

    /// Which of the faults that a strategy is the first for it exposes as another strategy does an earlier fault.
    fn by_symmetry(&self, machine: &Machine, new: &[bool]) -> serde_json::Map<String, Json> {
        let plain = Renaming::default().machine(machine);
        let label = |fault: usize| self.wanted.iter().find(|wanted| wanted.fault == fault).map(|w| &w.label);
        let mut found = serde_json::Map::new();
        for fault in (0..new.len()).filter(|fault| new[*fault]) {
            let Some(image) = self.symmetric.get(fault) else { continue };
            let is_same = self.held[image.fault]
                .iter()
                .any(|other| Renaming::default().machine(other) != plain && image.renaming.machine(other) == plain);
            if let (true, Some(own), Some(other)) = (is_same, label(fault), label(image.fault)) {
                found.insert(own.clone(), json!(other));
            }
        }
        found
    }

    fn machine(&mut self, document: &Json) -> Result<Machine, String> {
        let machine = Machine::from_json(document, &mut self.spec.formulas)?;
        if machine.kind != Target::Moore {
            return Err(
                "it is a Mealy machine, and a strategy is a Moore machine: it sets inputs before it sees outputs"
                    .to_owned(),
            );
        }
        let seen = self.spec.atoms_with(Role::Output);
        let set = self.spec.atoms_with(Role::Input);
        if let Some(atom) = machine.reads.iter().find(|atom| !seen.contains(atom)) {
            return Err(format!("a strategy cannot see `{}`", self.spec.formulas.atom_name(*atom)));
        }
        if let Some(atom) = machine.sets.iter().find(|atom| !set.contains(atom)) {
            return Err(format!("a strategy cannot set `{}`", self.spec.formulas.atom_name(*atom)));
        }
        Ok(machine)
    }
}
