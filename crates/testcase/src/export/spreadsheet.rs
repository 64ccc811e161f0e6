//! Cells of tables that people open in spreadsheets, which take some texts for formulas.

use std::borrow::Cow;

/// A text as a cell that no spreadsheet evaluates: what would be taken for a formula begins with an apostrophe. Numbers stay as they are.
pub fn guarded(text: &str) -> Cow<'_, str> {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number(text);
    if formula { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// The text of a cell that [`guarded`] wrote.
pub fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if matches!(guarded(text), Cow::Owned(_)) => text,
        _ => cell,
    }
}

/// Whether a text is a number, possibly a fraction, and nothing else.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.chars().all(|letter| letter.is_ascii_digit() || "./eE+-".contains(letter))
        && digits.split('/').all(|part| part.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_guarded_and_numbers_are_not() {
        for text in ["=1+1", "+cmd", "-x", "@SUM(1)", "-", "-1+1", "=", "\tx"] {
            assert_eq!(guarded(text), format!("'{text}"));
            assert_eq!(unguarded(&guarded(text)), text);
        }
        for text in ["-30", "-1/3", "+2.5", "-1e-3", "1-2", "", "a=b", "'quoted'", "'"] {
            assert_eq!(guarded(text), text);
            assert_eq!(unguarded(text), text);
        }
    }
}
