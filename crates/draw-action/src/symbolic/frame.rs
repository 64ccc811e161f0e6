//! That a step leaves most of the state as it was, said briefly.
//!
//! A step of one machine among thousands touches a few slots. What it does not touch is said by conjunctions over whole ranges
//! of slots, which all steps from one state to another share.

use smt::{Term, Terms};

/// The facts that slots have the same value before and after a step.
pub(super) struct Frame {
    /// At level *n* the conjunctions of 2^n neighbours; the last one of a level may stand for fewer.
    levels: Vec<Vec<Term>>,
}

impl Frame {
    /// The facts about the slots of two states.
    pub(super) fn new(terms: &mut Terms, pre: &[Term], post: &[Term]) -> Frame {
        let mut levels = vec![pre.iter().zip(post).map(|(pre, post)| terms.eq(*post, *pre)).collect::<Vec<Term>>()];
        while 1 < levels[levels.len() - 1].len() {
            let next = levels[levels.len() - 1].chunks(2).map(|pair| terms.and(pair)).collect();
            levels.push(next);
        }
        Frame { levels }
    }

    /// Facts that together say that the slots from `from` up to below `to` keep their values.
    fn keep(&self, mut from: usize, to: usize, facts: &mut Vec<Term>) {
        while from < to {
            let fits = |level: &usize| from.is_multiple_of(1 << level) && from + (1 << level) <= to;
            let level = (0..self.levels.len()).take_while(fits).last().unwrap_or(0);
            facts.push(self.levels[level][from >> level]);
            from += 1 << level;
        }
    }

    /// Facts that together say that every slot but these, which are ascending, keeps its value.
    pub(super) fn keep_all_but(&self, touched: &[usize]) -> Vec<Term> {
        let mut facts = Vec::new();
        let mut next = 0;
        for &slot in touched {
            self.keep(next, slot, &mut facts);
            next = slot + 1;
        }
        self.keep(next, self.levels[0].len(), &mut facts);
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::Frame;
    use smt::{Op, Term, Terms};
    use value::Sort;

    /// The equations that a fact consists of.
    fn equations(terms: &Terms, fact: Term) -> Vec<Term> {
        if terms.op(fact) == Op::And {
            terms.args(fact).iter().flat_map(|part| equations(terms, *part)).collect()
        } else {
            vec![fact]
        }
    }

    #[test]
    fn every_slot_but_those_touched_is_kept_exactly_once() {
        for count in 1..20 {
            let mut terms = Terms::new();
            let mut symbols = |prefix: &str| -> Vec<Term> {
                (0..count).map(|slot| terms.symbol(&format!("{prefix}.{slot}"), &Sort::Int)).collect()
            };
            let (pre, post) = (symbols("pre"), symbols("post"));
            let frame = Frame::new(&mut terms, &pre, &post);
            for mask in 0..1usize << count.min(6) {
                let touched: Vec<usize> = (0..count).filter(|slot| mask >> slot & 1 == 1).collect();
                let kept = frame.keep_all_but(&touched);
                let mut found: Vec<Term> = kept.iter().flat_map(|fact| equations(&terms, *fact)).collect();
                let rest = (0..count).filter(|slot| !touched.contains(slot));
                let mut wanted: Vec<Term> = rest.map(|slot| terms.eq(post[slot], pre[slot])).collect();
                found.sort();
                wanted.sort();
                assert_eq!(found, wanted, "{count} slots but {touched:?}");
            }
        }
    }
}
