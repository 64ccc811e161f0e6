//! TeSSLa for the verbs.

mod export;
mod grid;
mod run;
mod show;
mod timeline;

use std::path::Path;
use std::sync::Arc;

use draw_tessla::document::Trace;
use draw_tessla::{Room, TesslaSubject, unsupported};
use search::{Backend, Strategy, Subject};
use serde_json::{Map, Value as Json, json};
use source::{Code, Diagnostic, Source};
use tessla::codes::UNSUPPORTED;
use tessla::core::Spec;
use tessla::goals::{Criterion, GoalOptions};
use tessla::time::TimeUnit;
use tessla::trace::TraceReader;
use tessla::{Options, load};
use testcase::export::Viewer;
use testcase::{Inputs, Role, Suite, TestRecord};

use super::{Asked, Description, ExportedFile, FrontEnd, Model, one_of};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::faults::Syntax;
use crate::options::recorded::written;
use crate::options::{
    BorderValues, CheckArguments, CriterionArguments, ReadingArguments, RunArguments, TesslaCriterionArguments,
    TesslaReadingArguments,
};
use crate::output::Output;
use crate::reader::Reader;
use crate::words::counted;

/// How many moments a trace has at most, if the user does not say.
const BOUND: u32 = 20;

/// The greatest limit on the values that the search looks at; a suite may name another one.
const MOST_SIZE: u32 = 64;

/// How many things that are not supported are pointed at.
const SHOWN: usize = 3;

/// Stream specifications.
pub(crate) struct TesslaFront;

/// A stream specification with the files it consists of.
struct TesslaModel {
    source: Source,
    spec: Spec,
    reading: TesslaReadingArguments,
}

impl FrontEnd for TesslaFront {
    fn family(&self) -> &'static str {
        "tessla"
    }

    fn title(&self) -> &'static str {
        "TeSSLa"
    }

    fn criteria(&self) -> (Vec<&'static str>, &'static str) {
        (Criterion::ALL.iter().map(|criterion| criterion.name()).collect(), Criterion::Decision.name())
    }

    fn budgets(&self) -> &'static [search::Budget] {
        draw_tessla::effort::BUDGETS
    }

    fn faults(&self) -> Option<&'static Syntax> {
        Some(&Syntax::TESSLA)
    }

    fn codes(&self) -> &'static [&'static Code] {
        tessla::codes::CODES
    }

    fn load(
        &self,
        reader: &Arc<Reader>,
        output: &Output,
        source: Source,
        reading: &ReadingArguments,
    ) -> Result<Box<dyn Model>, Failure> {
        let mut reading = reading.tessla.clone();
        let unit = match &reading.time_unit {
            None => None,
            Some(name) => Some(
                TimeUnit::from_name(name)
                    .ok_or_else(|| one_of("time unit", name, TimeUnit::ALL.iter().map(|unit| unit.name())))?,
            ),
        };
        reading.time_unit = unit.map(|unit| unit.name().to_owned());
        let loaded = load(source.clone(), &|path| included(reader, path), Options { unit, ticks: reading.ticks });
        for report in &loaded.reports {
            output.diagnostics(loaded.files.source(report.file), std::slice::from_ref(&report.diagnostic));
        }
        match loaded.spec {
            Some(spec) => Ok(Box::new(TesslaModel { source, spec, reading })),
            None => Err(Failure::Shown),
        }
    }

    fn show(&self, test: &TestRecord) -> Option<String> {
        Some(show::show(test))
    }

    fn viewer(&self) -> Option<Viewer> {
        Some(timeline::as_svg)
    }

    fn formats(&self) -> &'static [(&'static str, &'static str)] {
        export::FORMATS
    }

    fn export(&self, suite: &Suite, format: &str, source: Option<&str>) -> Result<Vec<ExportedFile>, Failure> {
        export::export(suite, format, source.map(|text| (Path::new(&suite.source.file), text)))
    }

    fn export_from(
        &self,
        _output: &Output,
        suite: &Suite,
        format: &str,
        source: Option<(&Path, &str)>,
    ) -> Result<Vec<ExportedFile>, Failure> {
        export::export(suite, format, source)
    }

    fn comment_in(&self, format: &str) -> Option<&'static str> {
        (format == "trace").then_some("--")
    }

    fn files(&self, suite: &Suite) -> Vec<ExportedFile> {
        let file = |test: &TestRecord| ExportedFile { name: format!("{}.input", test.id), text: show::trace(test) };
        suite.tests.iter().map(file).collect()
    }
}

impl Model for TesslaModel {
    fn source(&self) -> &Source {
        &self.source
    }

    fn describe(&self, output: &Output, arguments: &CheckArguments) -> Result<Description, Failure> {
        let spec = &self.spec;
        let mut text = format!("ok, {}\n", self.size());
        if arguments.tessla.core {
            text += &tessla::listing::listing(spec);
        }
        if output.verbose {
            for id in &spec.inputs {
                let stream = spec.stream(*id);
                let name = stream.name.as_deref().unwrap_or_default();
                text += &format!("  in {name}: Events[{}]\n", stream.element);
            }
            for shown in &spec.outputs {
                let name = shown.name.as_deref().unwrap_or("print");
                text += &format!("  out {name}: Events[{}]\n", spec.stream(shown.stream).element);
            }
        }
        let named = |name: &str, of: &tessla::types::Type| json!({ "name": name, "type": of.to_string() });
        let inputs: Vec<Json> = (spec.inputs.iter())
            .map(|id| named(spec.stream(*id).name.as_deref().unwrap_or_default(), &spec.stream(*id).element))
            .collect();
        let outputs: Vec<Json> = (spec.outputs.iter())
            .map(|shown| named(shown.name.as_deref().unwrap_or("print"), &spec.stream(shown.stream).element))
            .collect();
        let mut json = Map::from_iter([
            ("inputs".to_owned(), Json::Array(inputs)),
            ("outputs".to_owned(), Json::Array(outputs)),
            ("streams".to_owned(), json!(spec.streams.len())),
        ]);
        if arguments.tessla.core {
            json.insert("core".to_owned(), json!(tessla::listing::listing(spec)));
        }
        Ok(Description { text, json, exit: Exit::Done })
    }

    fn asked(&self, arguments: &CriterionArguments) -> Result<Asked, Failure> {
        let name = arguments.criterion.as_deref().unwrap_or(Criterion::Decision.name());
        let mut options = written(&arguments.tessla);
        options.extend(written(&self.reading));
        Ok(Asked::new(criterion(name)?.name(), options))
    }

    fn subject<'a>(&'a self, _output: &Output, asked: &Asked) -> Result<Box<dyn Subject + 'a>, Failure> {
        let own: TesslaCriterionArguments = asked.read()?;
        let options = GoalOptions { library: own.library };
        let goals = tessla::goals::goals(&self.spec, criterion(&asked.criterion)?, options);
        let size = |asked: Option<u32>, default: usize| asked.map_or(default, |size| size.clamp(1, MOST_SIZE) as usize);
        let default = Room::default();
        let places = size(own.collection_size, default.places);
        let room = Room { places, depth: size(own.call_depth, default.depth) };
        let subject = TesslaSubject::new(&self.spec, goals, own.closed_delays).with_room(room);
        Ok(Box::new(match own.values {
            BorderValues::Small => subject.with_small_values(),
            BorderValues::Border => subject,
        }))
    }

    fn read_inputs(&self, json: &Json) -> Result<Inputs, String> {
        Ok(Inputs::Document(Trace::from_json(&self.spec, json)?.to_json(&self.spec)))
    }

    fn read_tests(&self, output: &Output, file: &Source) -> Result<Vec<Inputs>, Failure> {
        let mut reader = TraceReader::new(&self.spec, file.name(), file.text().as_bytes())
            .rejecting_undeclared(self.reading.reject_undeclared_inputs);
        let mut events = Vec::new();
        loop {
            match reader.next_event() {
                Ok(Some(event)) => events.push(event),
                Ok(None) => break,
                Err(error) => return Err(output.rejected(&error.source, std::slice::from_ref(&error.diagnostic))),
            }
        }
        run::warn_of_ignored(output, reader.ignored());
        let end = events.last().map_or(0, |event| event.time).max(reader.reached().unwrap_or(0));
        Ok(vec![Inputs::Document(Trace { events, end }.to_json(&self.spec))])
    }

    fn run(&self, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
        run::run(&self.spec, output, arguments, self.reading.reject_undeclared_inputs)
    }

    fn size(&self) -> String {
        let spec = &self.spec;
        format!(
            "{}, {}, {}",
            counted(spec.inputs.len(), "input"),
            counted(spec.outputs.len(), "output"),
            counted(spec.streams.len(), "stream")
        )
    }

    fn precheck(&self, output: &Output, _backend: &Backend) -> Result<(), Failure> {
        let found = unsupported(&self.spec);
        for missing in found.iter().filter(|missing| self.spec.is_user(missing.origin)).take(SHOWN) {
            let place = missing.origin.place;
            let message = format!("tests cannot be drawn for {}", missing.what);
            let diagnostic = Diagnostic::error(&UNSUPPORTED, place.span, message);
            output.diagnostics(self.spec.files.source(place.file), &[diagnostic]);
        }
        match found.first() {
            None => Ok(()),
            Some(first) if found.iter().all(|missing| !self.spec.is_user(missing.origin)) => {
                Err(Failure::Rejected(format!("tests cannot be drawn for {}, which the library uses", first.what)))
            }
            Some(_) => Err(Failure::Shown),
        }
    }

    fn strategy(&self) -> Strategy {
        Strategy::Growing
    }

    fn nothing_asked(&self, asked: &Asked) -> Option<String> {
        let what = &asked.criterion;
        if self.spec.outputs.is_empty() {
            return Some(format!("the criterion {what} asks for nothing here: the specification has no outputs"));
        }
        let others = if what == Criterion::Undefined.name() {
            "no operation of its own can be undefined"
        } else if what == Criterion::Verdict.name() {
            "no output is a truth value that is computed; `--criterion outputs` asks what outputs show"
        } else {
            "what outputs need has nothing of the kind; `--criterion outputs` asks what they show, `--library` counts the library too"
        };
        Some(format!("the criterion {what} asks for nothing here: {others}"))
    }

    fn bound(&self) -> Option<u32> {
        Some(BOUND)
    }
}

/// The text of a file that a specification includes.
fn included(reader: &Reader, path: &str) -> Result<String, String> {
    let opened = reader.read(Role::Include, Path::new(path)).map_err(|failure| failure.to_string())?;
    String::from_utf8(opened.bytes.to_vec()).map_err(|_| "it is not UTF-8 text".to_owned())
}

fn criterion(name: &str) -> Result<Criterion, Failure> {
    Criterion::from_name(name)
        .ok_or_else(|| one_of("criterion", name, Criterion::ALL.iter().map(|criterion| criterion.name())))
}
