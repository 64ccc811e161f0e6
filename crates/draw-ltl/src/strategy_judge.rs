//! The judge of strategies: which faults a machine exposes, at which frequency, and whether it does anything that others do not.

use indexmap::IndexMap;
use ltl::symmetry::Renaming;
use ltl::{Grounds, Judgement, Machine, Role, Spec, Target};
use serde_json::json;
use testcase::{Inputs, ObligationId, TestCase};

use super::hollow::provokes;
use super::strategies::{JUDGE, StrategySubject};
use search::{Replay, Replayed, Witness};

/// A judge of strategies, with what it has seen so far.
pub(super) struct Judge<'a> {
    subject: &'a StrategySubject,
    spec: Spec,
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

impl<'a> Judge<'a> {
    /// A judge who has seen nothing.
    pub(super) fn new(subject: &'a StrategySubject) -> Judge<'a> {
        let faults = subject.faults();
        Judge {
            subject,
            spec: subject.spec.clone(),
            met: vec![Vec::new(); subject.demands.len()],
            several: subject.demands.iter().any(|wanted| 0 < wanted.rank),
            grounds: Grounds::of(&subject.spec.formulas, subject.spec.requirement),
            chosen: vec![Vec::new(); faults],
            held: vec![Vec::new(); faults],
            numbers: vec![Vec::new(); faults],
            run: 0,
        }
    }
}

impl Judge<'_> {
    /// For every obligation whether every run of a strategy satisfies its demand. A fault that shows more often is
    /// exposed more easily: if it is not exposed always, it is not exposed at times either.
    ///
    /// `search` is judged in place of `claim`: they are equivalent for a machine that does not see the correct values.
    /// Where a fault does not mention them, a run that refutes `search` refutes `claim` with the correct values equal to
    /// those that are shown; where a permanent fault determines them, they are what is put in their place.
    fn satisfied(&mut self, machine: &Machine) -> Vec<bool> {
        let demands = &self.subject.demands;
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
                let claimed = self.grounds.judge(formulas, machine, demand, chosen, JUDGE) == Judgement::Satisfied;
                if ordered && !claimed {
                    break;
                }
                // That no system can have a fault always does not mean that none can have it at times.
                met[place] = claimed
                    && self.subject.evident(&mut self.spec, place)
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
    fn by_symmetry(&self, machine: &Machine, new: &[bool]) -> serde_json::Map<String, serde_json::Value> {
        let plain = Renaming::default().machine(machine);
        let label = |fault: usize| self.subject.demands.iter().find(|wanted| wanted.fault == fault).map(|w| &w.label);
        let mut found = serde_json::Map::new();
        for fault in (0..new.len()).filter(|fault| new[*fault]) {
            let Some(mirror) = self.subject.mirrors.get(fault) else { continue };
            let is_same = self.held[mirror.fault]
                .iter()
                .any(|other| Renaming::default().machine(other) != plain && mirror.renaming.machine(other) == plain);
            if let (true, Some(own), Some(other)) = (is_same, label(fault), label(mirror.fault)) {
                found.insert(own.clone(), json!(other));
            }
        }
        found
    }

    fn machine(&mut self, inputs: &Inputs) -> Result<Machine, String> {
        let Inputs::Document(document) = inputs else { return Err("a strategy is a machine".to_owned()) };
        let machine = Machine::from_json(document, &mut self.spec.formulas)?;
        if machine.kind != Target::Moore {
            return Err("a strategy is a Moore machine: it sets inputs before it sees outputs".to_owned());
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

impl Replay for Judge<'_> {
    fn run(&mut self, inputs: &Inputs) -> Replayed {
        let number = self.run;
        self.run += 1;
        let mut met = Vec::new();
        let mut notes = IndexMap::new();
        let objection = match self.machine(inputs) {
            Err(objection) => Some(objection),
            Ok(machine) => {
                notes.insert("states".to_owned(), json!(machine.states.len()));
                let mut exposes = serde_json::Map::new();
                let mut avoided = serde_json::Map::new();
                let mut new = vec![false; self.held.len()];
                let satisfied = self.satisfied(&machine);
                for (place, wanted) in self.subject.demands.iter().enumerate() {
                    let (label, demand) = (&wanted.label, &wanted.demand);
                    // How many strategies of the fault came before this one, which is inside none of them.
                    let held = &self.held[wanted.fault];
                    let rank = held.len() - usize::from(new[wanted.fault]);
                    let counts = new[wanted.fault] || !held.iter().any(|other| machine.is_inside(other));
                    if rank != wanted.rank && wanted.rank != 0 {
                        continue;
                    }
                    if !satisfied[place] {
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
                            met.push(ObligationId(place as u32));
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
                None
            }
        };
        Replayed { test: TestCase { inputs: inputs.clone(), expected: IndexMap::new(), notes }, met, objection }
    }

    fn witnesses(&self) -> Vec<Witness> {
        let witness =
            |place: usize, tests: &[u32]| Witness { obligation: ObligationId(place as u32), tests: tests.to_vec() };
        let each = self.met.iter().enumerate();
        each.flat_map(|(place, ways)| ways.iter().map(move |tests| witness(place, tests))).collect()
    }
}
