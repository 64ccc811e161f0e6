//! Who made the suite, from what, and how to make it again.

use std::fmt::Write as _;

use super::escape;
use crate::Suite;

pub(super) fn write(page: &mut String, suite: &Suite) {
    page.push_str("<section id=\"about\"><h2>About this report</h2>\n<dl>\n");
    if let Some(made) = &suite.provenance {
        let command: Vec<String> = made.command.iter().map(|word| quoted(word)).collect();
        entry(page, "Command", &format!("<code>{}</code>", escape(&command.join(" "))));
        let mut tools = vec![made.version.clone(), format!("solver {}", made.solver)];
        tools.extend(made.preprocessor.clone());
        entry(page, "Made by", &escape(&tools.join(", ")));
    }
    if !suite.options.is_empty() {
        let options: Vec<String> = suite
            .options
            .iter()
            .map(|(name, value)| format!("{} = {}", escape(name), escape(&super::super::table::plain(value))))
            .collect();
        entry(page, "Options", &options.join(", "));
    }
    let bound = suite.bound.map(|bound| format!(", bound {bound}")).unwrap_or_default();
    entry(page, "Search", &(escape(&suite.strategy.to_string()) + &bound));
    let files = std::iter::once((&suite.source.file, &suite.source.sha256))
        .chain(suite.others.iter().map(|other| (&other.name, &other.sha256)));
    let files: Vec<String> = files
        .map(|(name, sum)| format!("<code>{}</code> <span class=\"sum\">SHA-256 {}</span>", escape(name), escape(sum)))
        .collect();
    entry(page, if files.len() == 1 { "File" } else { "Files" }, &files.join("<br>"));
    entry(
        page,
        "Keys",
        "<kbd>/</kbd> search, <kbd>Esc</kbd> show all, <kbd>n</kbd> and <kbd>p</kbd> next and previous goal that is not covered",
    );
    page.push_str("</dl></section>\n");
}

fn entry(page: &mut String, name: &str, html: &str) {
    let _ = writeln!(page, "<dt>{name}<dd>{html}");
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+=:,@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
