//! The nearest name to a misspelt one.

/// The longest name for which a near one is looked for.
const LONGEST: usize = 64;

/// The first of the names at the least edit distance, where that is small against the length of the name.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = name.chars().collect();
    if LONGEST < wanted.len() {
        return None;
    }
    let limit = 1 + wanted.len() / 4;
    let near = names.filter_map(|candidate| {
        let distance = distance(&wanted, candidate);
        (distance <= limit && candidate != name).then_some((distance, candidate))
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions and replacements between two names; case counts for nothing.
fn distance(left: &[char], right: &str) -> usize {
    let mut row: Vec<usize> = (0..=left.len()).collect();
    for (line, character) in right.chars().take(2 * LONGEST).enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, other) in left.iter().enumerate() {
            let replace = diagonal + usize::from(!character.eq_ignore_ascii_case(other));
            diagonal = row[column + 1];
            row[column + 1] = replace.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[left.len()]
}
