//! The terminal: products on standard output, talk on standard error, colours where they are wanted.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use clap::ValueEnum;
use front::output::{Channel, Form, Output, Styles};
use source::Style;

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Standard output and standard error.
#[derive(Debug)]
struct Terminal;

impl Channel for Terminal {
    fn product(&self) -> Box<dyn Write + '_> {
        Box::new(io::stdout().lock())
    }

    fn say(&self, line: &str) {
        say(line);
    }

    fn redraws(&self) -> bool {
        io::stderr().is_terminal()
    }
}

/// An output on the terminal.
pub(crate) fn output(form: Form, colour: Colour, quiet: bool, verbose: bool) -> Output {
    let style = |terminal: bool| match colour {
        Colour::Always => Style::Coloured,
        Colour::Never => Style::Plain,
        Colour::Auto
            if terminal && !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb") =>
        {
            Style::Coloured
        }
        Colour::Auto => Style::Plain,
    };
    let styles = Styles { product: style(io::stdout().is_terminal()), talk: style(io::stderr().is_terminal()) };
    Output::new(form, quiet, verbose, styles, Arc::new(Terminal))
}

/// A line on standard error. If nobody listens there, there is nobody to tell.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}
