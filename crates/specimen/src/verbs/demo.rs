//! `specimen demo`: a short tour over bundled examples.

use boolean::goals::Criterion;
use testgen::Options;

use crate::args::{Conditions, CriterionArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::Language;
use crate::output::Output;
use crate::search::{self, Start};
use crate::specification::Specification;
use crate::{interrupt, present};

/// A stop of the tour.
struct Stop {
    words: &'static str,
    file: &'static str,
    text: &'static str,
    criterion: Criterion,
    conditions: Conditions,
}

const STOPS: &[Stop] = &[];

pub(crate) fn run(output: &Output) -> Result<Exit, Failure> {
    let interrupt = interrupt::on_ctrl_c();
    let mut exit = Exit::Done;
    for (number, stop) in (1..).zip(STOPS) {
        output.talk(&format!("{number}. {}\n", stop.words));
        output.talk(&format!(
            "   $ specimen generate examples/boolean/{} --criterion {}\n",
            stop.file,
            stop.criterion.name()
        ));
        let bytes = stop.text.as_bytes().to_vec();
        let specification = Specification::from_bytes(output, stop.file, bytes, Language::Bool, None)?;
        let criterion = CriterionArguments { criterion: stop.criterion, conditions: stop.conditions, boundary: false };
        let start = Start {
            specification: &specification,
            criterion: &criterion,
            options: Options { interrupt: interrupt.clone(), ..Options::default() },
            tests: Vec::new(),
            known: Vec::new(),
            folder: None,
            search: true,
        };
        let drawn = search::draw(output, start)?;
        present::suite(output, &drawn.suite)?;
        output.talk("");
        if present::exit(&drawn.suite) != Exit::Done {
            exit = Exit::Open;
        }
    }
    Ok(exit)
}
