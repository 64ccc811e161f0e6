//! How far a formula looks ahead, and in what steps.

use value::RBig;

use crate::number::common_divisor;
use crate::store::{Formula, Node, Store};

/// The greatest step that divides all bounds of some formulas; 1 if there is none but zero.
pub fn step(store: &Store, roots: &[Formula]) -> RBig {
    let mut step = RBig::ZERO;
    for formula in store.below(roots) {
        match store.node(formula) {
            Node::Next(time, _) => step = common_divisor(&step, time),
            node => {
                if let Some(window) = node.window() {
                    step = common_divisor(&step, &window.lower);
                    step = window.upper.iter().fold(step, |step, upper| common_divisor(&step, upper));
                }
            }
        }
    }
    if step.is_zero() { RBig::ONE } else { step }
}

/// How far some formulas look ahead; unbounded operators count with their lower bound.
pub fn horizon(store: &Store, roots: &[Formula]) -> RBig {
    let mut lengths = vec![RBig::ZERO; store.len()];
    for formula in store.below(roots) {
        let node = store.node(formula);
        let args = node.args();
        let length = |arg: &Formula| lengths[arg.0 as usize].clone();
        let inner = args.iter().map(length).max().unwrap_or(RBig::ZERO);
        let own = match node {
            Node::Next(time, _) => time.clone(),
            // What lies back by the lower bound is the latest that counts; the first part of since counts up to now.
            Node::Once(window, _) | Node::Historically(window, _) => {
                lengths[formula.0 as usize] = (inner - &window.lower).max(RBig::ZERO);
                continue;
            }
            Node::Since(window, left, right) => {
                lengths[formula.0 as usize] = length(left).max(length(right) - &window.lower);
                continue;
            }
            other => match other.window() {
                Some(window) if window.is_empty() => RBig::ZERO,
                Some(window) => window.upper.clone().unwrap_or_else(|| window.lower.clone()),
                None => RBig::ZERO,
            },
        };
        lengths[formula.0 as usize] = inner + own;
    }
    roots.iter().map(|root| lengths[root.0 as usize].clone()).max().unwrap_or(RBig::ZERO)
}

/// How far some formulas look back; nothing if some operator looks back without an end.
pub(crate) fn hindsight(store: &Store, roots: &[Formula]) -> Option<RBig> {
    let mut lengths = vec![RBig::ZERO; store.len()];
    for formula in store.below(roots) {
        let node = store.node(formula);
        let length = |arg: Formula| lengths[arg.0 as usize].clone();
        let inner = node.args().into_iter().map(length).max().unwrap_or(RBig::ZERO);
        lengths[formula.0 as usize] = match node {
            Node::Once(window, _) | Node::Historically(window, _) | Node::Since(window, ..) => match &window.upper {
                _ if window.is_empty() => RBig::ZERO,
                Some(upper) => inner + upper,
                None => return None,
            },
            Node::Next(ahead, _) => (inner - ahead).max(RBig::ZERO),
            Node::Finally(window, _) | Node::Globally(window, _) => (inner - &window.lower).max(RBig::ZERO),
            Node::Until(..) | Node::Release(..) => inner,
            Node::Constant(_) | Node::Signal(_) | Node::Compare(_) => inner,
            Node::Not(_) | Node::And(..) | Node::Or(..) | Node::Implies(..) => inner,
        };
    }
    roots.iter().map(|root| lengths[root.0 as usize].clone()).max()
}
