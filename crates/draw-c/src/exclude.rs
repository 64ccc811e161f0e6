//! Edges that no way through the unrolled program takes together.

use testcase::ObligationId;

use super::trace::Trace;

/// A set of edges that are wanted, as bits.
type Bits = Vec<u64>;

/// Pairs of obligations, the smaller first, that no execution followed to its end meets both of: no way through the unrolled program
/// takes both edges. Each obligation is given with the edge it asks for.
pub(super) fn exclusive(trace: &Trace, wanted: &[(ObligationId, u32)]) -> Vec<(ObligationId, ObligationId)> {
    let words = wanted.len().div_ceil(64);
    let letters = wanted.iter().map(|(_, letter)| *letter as usize + 1).max().unwrap_or(0);
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); letters];
    for (place, (_, letter)) in wanted.iter().enumerate() {
        places[*letter as usize].push(place);
    }
    // What may have been taken on the way to each point, and together with each edge.
    let mut before: Vec<Bits> = Vec::with_capacity(trace.points.len());
    let mut together: Vec<Bits> = vec![vec![0; words]; wanted.len()];
    for point in &trace.points {
        let mut here: Bits = vec![0; words];
        for step in &point.steps {
            let earlier = &before[step.from.0 as usize];
            unite(&mut here, earlier);
            for &place in step.edge.and_then(|_| places.get(step.letter as usize)).into_iter().flatten() {
                here[place / 64] |= 1 << (place % 64);
                unite(&mut together[place], earlier);
            }
        }
        before.push(here);
    }
    let has = |bits: &Bits, place: usize| bits[place / 64] >> (place % 64) & 1 == 1;
    let mut pairs = Vec::new();
    for left in 0..wanted.len() {
        for right in left + 1..wanted.len() {
            let same = wanted[left].1 == wanted[right].1;
            if !same && !has(&together[left], right) && !has(&together[right], left) {
                let (one, other) = (wanted[left].0, wanted[right].0);
                pairs.push((one.min(other), one.max(other)));
            }
        }
    }
    pairs
}

fn unite(into: &mut [u64], other: &[u64]) {
    into.iter_mut().zip(other).for_each(|(into, other)| *into |= other);
}
