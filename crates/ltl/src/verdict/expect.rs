//! Which wait is still expected, given those that were seen to end. The thesis takes the longest; others are less impressed by one
//! long wait, or forget the waits of a mode that the system has left.

use super::count::Pair;
use super::monitor::{Longest, Monitor};

/// How the waits that were seen to end say how long the next may take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Expectation {
    /// As long as the longest.
    #[default]
    Longest,
    /// As long as this part of them took at most: between 0 and 1.
    Quantile(f64),
    /// As long as their mean and so many standard deviations.
    Spread(f64),
    /// As long as the longest of the last few.
    Recent(usize),
}

impl std::str::FromStr for Expectation {
    type Err = String;

    fn from_str(text: &str) -> Result<Expectation, String> {
        let wrong = || format!("`{text}` is none of longest, quantile:0.9, spread:2 and recent:10");
        match text.split_once(':') {
            None if text == "longest" => Ok(Expectation::Longest),
            Some(("quantile", part)) => match part.parse() {
                Ok(part) if (0.0..=1.0).contains(&part) => Ok(Expectation::Quantile(part)),
                _ => Err(wrong()),
            },
            Some(("spread", count)) => match count.parse::<f64>() {
                Ok(count) if count.is_finite() && 0.0 <= count => Ok(Expectation::Spread(count)),
                _ => Err(wrong()),
            },
            Some(("recent", count)) => match count.parse() {
                Ok(count) if 0 < count => Ok(Expectation::Recent(count)),
                _ => Err(wrong()),
            },
            _ => Err(wrong()),
        }
    }
}

/// The waits of one cell that were seen to end in the same way. What needs no wait, as an implication whose left side is false, says
/// that it ends, but not how long it takes.
#[derive(Clone, Debug, Default)]
struct Waits {
    /// Whether any ended.
    ended: bool,
    /// Those of a step and more, in the order of the steps in which they began.
    all: Vec<u64>,
    sorted: Vec<u64>,
}

impl Waits {
    fn add(&mut self, wait: u64) {
        self.ended = true;
        if wait == 0 {
            return;
        }
        self.all.push(wait);
        let place = self.sorted.partition_point(|other| *other <= wait);
        self.sorted.insert(place, wait);
    }

    /// One more than the wait that is still expected, zero if nothing is.
    fn expected(&self, expectation: Expectation) -> u64 {
        let Some(longest) = self.sorted.last() else { return u64::from(self.ended) };
        let count = self.all.len();
        1 + match expectation {
            Expectation::Longest => *longest,
            Expectation::Quantile(part) => self.sorted[((part * count as f64).ceil() as usize).clamp(1, count) - 1],
            Expectation::Spread(deviations) => {
                let mean = self.all.iter().sum::<u64>() as f64 / count as f64;
                let variance = self.all.iter().map(|wait| (*wait as f64 - mean).powi(2)).sum::<f64>() / count as f64;
                (mean + deviations * variance.sqrt()).floor() as u64
            }
            Expectation::Recent(last) => self.all[count.saturating_sub(last)..].iter().copied().max().unwrap_or(0),
        }
    }
}

impl Monitor {
    /// Replaces the experience of every column by what is expected there. Every step must be kept.
    pub(super) fn expect(&mut self) {
        let width = self.cells.len();
        let pairs = self.exact_pairs();
        let mut seen = vec![(Waits::default(), Waits::default()); width];
        let expectation = self.expectation;
        let expected = |seen: &[(Waits, Waits)]| -> Vec<Longest> {
            let one = |(held, failed): &(Waits, Waits)| Longest {
                satisfied: held.expected(expectation),
                violated: failed.expected(expectation),
            };
            seen.iter().map(one).collect()
        };
        self.experiences.clear();
        for (column, pairs) in pairs.chunks(width).take(self.columns.len()).enumerate() {
            self.experiences.push(expected(&seen).into());
            self.columns[column].experience = column as u32;
            let position = self.columns[column].position;
            for (pair, (held, failed)) in pairs.iter().zip(&mut seen) {
                match decided(*pair) {
                    Some((true, step)) => held.add(step - position),
                    Some((false, step)) => failed.add(step - position),
                    None => {}
                }
            }
        }
        self.total = expected(&seen);
        self.experiences.push(self.total.clone().into());
    }
}

/// How a pair is decided, and in which step that is seen.
fn decided(pair: Pair) -> Option<(bool, u64)> {
    let value = pair.decided()?;
    let seen = if value { pair.satisfied } else { pair.violated };
    Some((value, seen.number()?))
}
