//! The nearest of some names.

/// The name nearest to a misspelled one, if any is near.
pub(super) fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let wrong: Vec<char> = wrong.chars().take(60).collect();
    let limit = 1 + wrong.len() / 4;
    let distances = names.map(|name| (distance(&wrong, name), name));
    distances.filter(|(distance, _)| *distance <= limit).min().map(|(_, name)| name.to_owned())
}

/// Insertions, deletions and replacements between two names.
fn distance(left: &[char], right: &str) -> usize {
    let mut row: Vec<usize> = (0..=left.len()).collect();
    for (line, character) in right.chars().take(60).enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for column in 0..left.len() {
            let replaced = diagonal + usize::from(left[column] != character);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[left.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        let names = ["count", "const", "last"];
        assert_eq!(nearest("cout", names.into_iter()), Some("count".into()));
        assert_eq!(nearest("zzz", names.into_iter()), None);
    }
}
