//! Words for people that every language uses.

/// A number with its noun: `1 test`, `2 tests`.
pub fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
