//! The nearest name to a misspelt one.

/// The longest name for which a near one is looked for.
const LONGEST: usize = 64;

/// The first of the names at the least edit distance, where that is small against the length of the name.
pub fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = name.chars().collect();
    if LONGEST < wanted.len() {
        return None;
    }
    let limit = 1 + wanted.len() / 4;
    let mut best: Option<(usize, &str)> = None;
    for candidate in names {
        let length = candidate.chars().count();
        if candidate == name || limit < length.abs_diff(wanted.len()) || (wanted.len() == 1 && length == 1) {
            continue;
        }
        let distance = distance(&wanted, candidate);
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions and replacements between two names; case counts for nothing.
fn distance(left: &[char], right: &str) -> usize {
    let mut row: Vec<usize> = (0..=left.len()).collect();
    for (line, character) in right.chars().enumerate() {
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

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_the_nearest_name() {
        let check =
            |name, expected| assert_eq!(nearest(name, ["age", "skills", "expiry", "Exp"].into_iter()), expected);
        check("agee", Some("age"));
        check("skils", Some("skills"));
        check("exp", Some("Exp"));
        check("zebra", None);
    }
}
