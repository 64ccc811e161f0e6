//! Exact linear algebra for a few forms: a basis, dependencies, and values within bounds.

use stl::levels::Levels;
use value::RBig;

/// Forms as multiples of a basis among them.
pub(super) struct Span {
    /// Each form as a combination of the basis.
    combinations: Vec<Vec<RBig>>,
    /// Each signal as a combination of the basis; signals that are free are zero.
    signals: Vec<Vec<RBig>>,
}

/// A row of a matrix, and the combination of basis forms that it is.
struct Row {
    entries: Vec<RBig>,
    made_of: Vec<RBig>,
    pivot: usize,
}

impl Span {
    /// The span of forms, each given by its coefficients.
    pub(super) fn of(forms: &[Vec<RBig>]) -> Span {
        let width = forms.first().map_or(0, Vec::len);
        let (mut rows, mut combinations): (Vec<Row>, Vec<Vec<RBig>>) = (Vec::new(), Vec::new());
        for form in forms {
            let mut entries = form.clone();
            let mut made_of = vec![RBig::ZERO; rows.len()];
            for row in &rows {
                let factor = entries[row.pivot].clone();
                subtract(&mut entries, &row.entries, &factor);
                subtract(&mut made_of, &row.made_of, &factor);
            }
            let Some(pivot) = entries.iter().position(|entry| !entry.is_zero()) else {
                // What is left is nothing: the form is what was subtracted.
                combinations.push(made_of.into_iter().map(|factor| -factor).collect());
                continue;
            };
            for row in &mut rows {
                row.made_of.push(RBig::ZERO);
            }
            let mut unit = vec![RBig::ZERO; rows.len()];
            unit.push(RBig::ONE);
            combinations.push(unit);
            made_of.push(RBig::ONE);
            let lead = entries[pivot].clone();
            entries.iter_mut().chain(&mut made_of).for_each(|entry| *entry = &*entry / &lead);
            for row in &mut rows {
                let factor = row.entries[pivot].clone();
                subtract(&mut row.entries, &entries, &factor);
                subtract(&mut row.made_of, &made_of, &factor);
            }
            rows.push(Row { entries, made_of, pivot });
        }
        let rank = rows.len();
        combinations.iter_mut().for_each(|combination| combination.resize(rank, RBig::ZERO));
        let signal = |place: usize| {
            let row = rows.iter().find(|row| row.pivot == place);
            row.map_or_else(|| vec![RBig::ZERO; rank], |row| row.made_of.clone())
        };
        Span { signals: (0..width).map(signal).collect(), combinations }
    }

    /// Whether some form is a combination of others.
    pub(super) fn is_dependent(&self) -> bool {
        self.rank() < self.combinations.len()
    }

    fn rank(&self) -> usize {
        self.combinations.first().map_or(0, Vec::len)
    }

    /// The values of the signals for values of the basis.
    pub(super) fn signals(&self, basis: &[RBig]) -> Vec<RBig> {
        self.signals.iter().map(|combination| dot(combination, basis)).collect()
    }

    /// The minimal sets of forms some multiples of which add up to nothing, with these multiples.
    pub(super) fn dependencies(&self) -> Vec<Vec<(usize, RBig)>> {
        if !self.is_dependent() {
            return Vec::new();
        }
        let count = self.combinations.len();
        let mut found: Vec<(u32, Vec<(usize, RBig)>)> = Vec::new();
        let mut sets: Vec<u32> =
            (1..1u32 << count).filter(|set| set.count_ones() as usize <= self.rank() + 1).collect();
        sets.sort_by_key(|set| set.count_ones());
        for set in sets {
            if found.iter().any(|(smaller, _)| smaller & set == *smaller) {
                continue;
            }
            let members: Vec<usize> = (0..count).filter(|place| set & (1 << place) != 0).collect();
            let rows: Vec<Vec<RBig>> = members.iter().map(|&place| self.combinations[place].clone()).collect();
            // No smaller set is dependent, so only the last form can be a combination of those before.
            let inner = Span::of(&rows);
            if inner.is_dependent() {
                let last = &inner.combinations[members.len() - 1];
                let factors = last.iter().cloned().chain([-RBig::ONE]);
                found.push((set, members.iter().copied().zip(factors).collect()));
            }
        }
        found.into_iter().map(|(_, dependency)| dependency).collect()
    }
}

fn subtract(from: &mut [RBig], row: &[RBig], factor: &RBig) {
    if !factor.is_zero() {
        from.iter_mut().zip(row).for_each(|(entry, other)| *entry -= other * factor);
    }
}

fn dot(left: &[RBig], right: &[RBig]) -> RBig {
    left.iter().zip(right).fold(RBig::ZERO, |sum, (one, other)| sum + one * other)
}

/// `factors · values <= bound`, or `<`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Constraint {
    factors: Vec<RBig>,
    bound: RBig,
    strict: bool,
}

/// Values of the basis for which every form lies at its place; none if there are none. By elimination of one value after the other.
pub(super) fn point(span: &Span, levels: &[&Levels], places: &[usize]) -> Option<Vec<RBig>> {
    let mut constraints: Vec<Constraint> = Vec::new();
    for ((combination, levels), &place) in span.combinations.iter().zip(levels).zip(places) {
        let thresholds = &levels.thresholds;
        let mut add = |sign: RBig, number: &RBig, strict: bool| {
            let factors = combination.iter().map(|factor| factor * &sign).collect();
            constraints.push(Constraint { factors, bound: number * &sign, strict });
        };
        match place % 2 == 1 {
            true => {
                add(RBig::ONE, &thresholds[place / 2], false);
                add(-RBig::ONE, &thresholds[place / 2], false);
            }
            false => {
                thresholds.get(place / 2).into_iter().for_each(|above| add(RBig::ONE, above, true));
                (place / 2).checked_sub(1).into_iter().for_each(|below| add(-RBig::ONE, &thresholds[below], true));
            }
        }
    }
    let margin = levels.iter().map(|levels| &levels.margin).max().cloned().unwrap_or(RBig::ONE);
    let mut stages: Vec<Vec<Constraint>> = vec![constraints];
    for variable in (0..span.rank()).rev() {
        let next = without(variable, stages.last().expect("the first stage is there"));
        stages.push(next);
    }
    let contradicts = |rest: &Constraint| rest.bound < RBig::ZERO || (rest.strict && rest.bound.is_zero());
    if stages.pop().is_some_and(|last| last.iter().any(contradicts)) {
        return None;
    }
    let mut values: Vec<RBig> = Vec::new();
    while let Some(stage) = stages.pop() {
        values.push(between(&stage, &values, &margin)?);
    }
    Some(values)
}

/// What constraints say about all values but the last.
fn without(variable: usize, constraints: &[Constraint]) -> Vec<Constraint> {
    let mut rest: Vec<Constraint> = Vec::new();
    let mut add = |constraint: Constraint| {
        if !rest.contains(&constraint) {
            rest.push(constraint);
        }
    };
    let scaled = |constraint: &Constraint| {
        let own = &constraint.factors[variable];
        let size = if *own < RBig::ZERO { -own.clone() } else { own.clone() };
        Constraint {
            factors: constraint.factors.iter().map(|factor| factor / &size).collect(),
            bound: &constraint.bound / &size,
            strict: constraint.strict,
        }
    };
    let side = |positive: bool| {
        let on_side = constraints.iter().filter(move |constraint| match positive {
            true => RBig::ZERO < constraint.factors[variable],
            false => constraint.factors[variable] < RBig::ZERO,
        });
        on_side.map(scaled).collect::<Vec<_>>()
    };
    for upper in side(true) {
        for lower in side(false) {
            add(Constraint {
                factors: upper.factors.iter().zip(&lower.factors).map(|(one, other)| one + other).collect(),
                bound: &upper.bound + &lower.bound,
                strict: upper.strict || lower.strict,
            });
        }
    }
    constraints.iter().filter(|constraint| constraint.factors[variable].is_zero()).cloned().for_each(add);
    rest
}

/// A value for the next variable, where those before have theirs: in the middle, or off a single bound by a margin.
fn between(constraints: &[Constraint], values: &[RBig], margin: &RBig) -> Option<RBig> {
    let mut lower: Option<(RBig, bool)> = None;
    let mut upper: Option<(RBig, bool)> = None;
    for constraint in constraints {
        let factor = &constraint.factors[values.len()];
        if factor.is_zero() {
            continue;
        }
        let bound = (&constraint.bound - dot(&constraint.factors[..values.len()], values)) / factor;
        let own = (bound, constraint.strict);
        if RBig::ZERO < *factor {
            upper = Some(match upper {
                Some(known) if known.0 < own.0 || (known.0 == own.0 && known.1) => known,
                _ => own,
            });
        } else {
            lower = Some(match lower {
                Some(known) if own.0 < known.0 || (known.0 == own.0 && known.1) => known,
                _ => own,
            });
        }
    }
    match (lower, upper) {
        (None, None) => Some(RBig::ZERO),
        (Some((lower, _)), None) => Some(lower + margin),
        (None, Some((upper, _))) => Some(upper - margin),
        (Some(lower), Some(upper)) if lower.0 == upper.0 => (!lower.1 && !upper.1).then_some(lower.0),
        (Some(lower), Some(upper)) => (lower.0 < upper.0).then(|| (lower.0 + upper.0) / RBig::from(2)),
    }
}
