//! The specimen program: draws test cases from formal specifications.

mod args;
mod crash;
mod drawing;
mod execute;
mod folder;
mod interrupt;
mod memory;
mod present;
mod product;
mod project;
mod provenance;
mod resume;
mod review;
mod terminal;
mod verbs;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use front::exit::Exit;
use front::failure::Failure;
use front::output::Output;

use args::parse::{self, Refusal};
use args::{CommonArguments, ProjectVerb, Verb};

fn main() -> ExitCode {
    crash::install();
    let words: Vec<OsString> = std::env::args_os().collect();
    let parsed = match parse::parse(&words) {
        Ok(parsed) => parsed,
        Err(Refusal::Foreign { message, common }) => {
            let output = output_of(&common);
            let failure = Failure::Usage(message);
            output.complain(&failure.to_string());
            return failure.exit().into();
        }
        Err(Refusal::Clap(error)) => {
            // Help and version are products and go to standard output; whether anyone reads them does not matter.
            let _ = error.print();
            let helped = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            return if helped { Exit::Done } else { Exit::Usage }.into();
        }
    };
    provenance::note(&parsed.command, &parsed.matches, &words);
    let output = output_of(&parsed.arguments.common);
    parsed.notes.iter().for_each(|note| output.talk(note));
    match run(&output, parsed.arguments.verb) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            match &failure {
                Failure::Bug(what) => crash::report(what),
                Failure::WrongSolver(what, script) => {
                    output.complain(what);
                    script.iter().for_each(|script| crash::keep_script(script));
                }
                Failure::Shown | Failure::PointlessShown | Failure::Closed => {}
                Failure::Usage(_)
                | Failure::Rejected(_)
                | Failure::Refused(..)
                | Failure::Environment(_)
                | Failure::Pointless(..) => output.complain_of(&failure),
            }
            failure.exit().into()
        }
    }
}

/// The output that is asked for.
fn output_of(common: &CommonArguments) -> Output {
    terminal::output(common.format, common.color, common.quiet, common.verbose)
}

fn run(output: &Output, verb: Verb) -> Result<Exit, Failure> {
    match verb {
        Verb::Demo(arguments) => verbs::demo::run(output, &arguments),
        Verb::Check(arguments) => verbs::check::run(output, &arguments),
        Verb::Goals(arguments) => verbs::goals::run(output, &arguments),
        Verb::Mutants(arguments) => verbs::mutants::run(output, &arguments),
        Verb::Generate(arguments) => verbs::generate::run(output, &arguments),
        Verb::Run(arguments) => verbs::run::run(output, &arguments),
        Verb::Replay(arguments) => verbs::replay::run(output, &arguments),
        Verb::Assess(arguments) => verbs::assess::run(output, &arguments),
        Verb::Test(arguments) => verbs::test::run(output, &arguments),
        Verb::Measure(arguments) => verbs::measure::run(output, &arguments),
        Verb::Evaluate(arguments) => verbs::evaluate::run(output, &arguments),
        Verb::Coupling(arguments) => verbs::coupling::run(output, &arguments),
        Verb::Translate(arguments) => verbs::translate::run(output, &arguments),
        Verb::Merge(arguments) => verbs::merge::run(output, &arguments),
        Verb::Shell(arguments) => verbs::shell::run(output, &arguments),
        Verb::Export(arguments) => verbs::export::run(output, &arguments),
        Verb::Review(arguments) => verbs::review::run(output, &arguments),
        Verb::Init(arguments) => verbs::init::run(output, &arguments),
        Verb::Status(arguments) => project::status(output, &arguments),
        Verb::Plan(arguments) => project::plan(output, &arguments),
        Verb::Work(arguments) => project::work(output, &arguments),
        Verb::Farm(arguments) => project::farm(output, &arguments),
        Verb::Project(arguments) => match arguments.verb {
            ProjectVerb::Generate => project::generate(output, &arguments),
            ProjectVerb::Check => project::check(output, &arguments),
            ProjectVerb::Replay => project::replay(output, &arguments),
        },
        Verb::Solvers => verbs::solvers::run(output),
        Verb::Explain(arguments) => verbs::explain::run(output, &arguments),
        Verb::Help(arguments) => verbs::help::run(output, &arguments),
    }
}
