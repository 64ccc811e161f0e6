//! What would have been: a second grid of the same inputs at the same times, in which one conditional takes the other branch at one
//! slot. The solver chooses which and when.

use smt::{Op, Term, Terms};
use tessla::core::{Spec, StreamId};
use tessla::goals::Goals;
use tessla::obligation::{Obligation, Site};
use value::Sort;

use super::datum::Datum;
use super::gate;
use super::grid::{Grid, SlotTurns};

/// The second grid, where some goal asks for one.
pub(super) struct Visible {
    /// The conditionals that may be turned; the solver chooses by position.
    sites: Vec<Site>,
    site: Term,
    slot: Term,
    /// Whether outputs differ at some slot, nothing undefined being evaluated in the second grid up to it.
    shown: Term,
    /// What holds of the second grid and of the choices.
    pub(super) facts: Vec<Term>,
}

impl Visible {
    /// Nothing if no goal asks for it.
    pub(super) fn new(terms: &mut Terms, spec: &Spec, goals: &Goals, grid: &Grid) -> Option<Visible> {
        let mut sites: Vec<Site> = Vec::new();
        for obligation in &goals.obligations {
            if let Obligation::Visible { site, .. } = obligation
                && !sites.contains(site)
            {
                sites.push(*site);
            }
        }
        if sites.is_empty() {
            return None;
        }
        let (site, slot) = (terms.symbol("turned decision", &Sort::Int), terms.symbol("turned slot", &Sort::Int));
        let mut facts = Vec::new();
        for (chosen, count) in [(site, sites.len()), (slot, grid.slots())] {
            let (zero, end) = (terms.int(0), terms.int(count as i64));
            facts.push(terms.app(Op::Le, &[zero, chosen]));
            facts.push(terms.app(Op::Lt, &[chosen, end]));
        }
        let turns = (0..grid.slots()).map(|at| turns(terms, spec, &sites, site, slot, at)).collect();
        let other = Grid::turned(terms, spec, grid.size(), &shown(spec), turns);
        facts.extend(other.facts.iter().copied());
        facts.extend(other.has_room(terms));
        let broken = super::encode::broken(terms, &other);
        let mut shown = Vec::with_capacity(grid.slots());
        for (at, &broken) in broken.iter().enumerate() {
            let differ = differ(terms, spec, grid, &other, at);
            let defined = gate::not(terms, broken);
            shown.push(gate::and(terms, &[differ, defined]));
        }
        let shown = gate::or(terms, &shown);
        Some(Visible { sites, site, slot, shown, facts })
    }

    /// That a conditional is turned at a slot, and that an output shows it.
    pub(super) fn at(&self, terms: &mut Terms, site: Site, slot: usize) -> Term {
        let position = self.sites.iter().position(|known| *known == site).expect("every such goal has its site here");
        let turned = chosen(terms, self.site, position, self.slot, slot);
        gate::and(terms, &[turned, self.shown])
    }
}

fn chosen(terms: &mut Terms, site: Term, position: usize, slot: Term, at: usize) -> Term {
    let (position, at) = (terms.int(position as i64), terms.int(at as i64));
    let (this, now) = (terms.eq(site, position), terms.eq(slot, at));
    gate::and(terms, &[this, now])
}

fn turns(terms: &mut Terms, spec: &Spec, sites: &[Site], site: Term, slot: Term, at: usize) -> SlotTurns {
    let mut turns = vec![Vec::new(); spec.functions.len()];
    for (position, known) in sites.iter().enumerate() {
        let turned = chosen(terms, site, position, slot, at);
        turns[known.function.0 as usize].push((known.node, turned));
    }
    turns
}

/// The streams whose values are compared between the two grids.
pub(super) fn shown(spec: &Spec) -> Vec<StreamId> {
    spec.outputs.iter().map(|output| output.stream).collect()
}

/// Whether some output differs at a slot.
fn differ(terms: &mut Terms, spec: &Spec, grid: &Grid, other: &Grid, at: usize) -> Term {
    let mut ways = Vec::with_capacity(spec.outputs.len());
    for output in &spec.outputs {
        let (one, two) = (grid.cell(output.stream, at), other.cell(output.stream, at));
        let equal = Datum::equal(terms, &one.datum, &two.datum);
        let both = gate::and(terms, &[one.event, two.event]);
        let neither = gate::or(terms, &[one.event, two.event]);
        let neither = gate::not(terms, neither);
        let same = gate::and(terms, &[both, equal]);
        let same = gate::or(terms, &[same, neither]);
        ways.push(gate::not(terms, same));
    }
    gate::or(terms, &ways)
}
