//! C programs and FQL queries for the verbs.

mod describe;
mod expected;
mod export;
mod harness;
mod load;
mod markers;
mod native;
mod run;
mod tests;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use c::Translation;
use c::program::FunctionId;
use draw_c::{Beyond, CSubject, Encoding, MOST_GOALS, Settings, Undefined};
use fql::Spec;
use fql::criterion::Criterion;
use fql::describe::show_goal;
use fql::mcdc::Mcdc;
use fql::meter::Meter;
use fql::program::{Blocks, ProgramGraph};
use fql::shell::{Action, Session};
use search::Subject;
use serde_json::Value as Json;
use source::{Code, Source};
use testcase::{Inputs, Role, Suite, TestRecord};

use super::{Asked, Description, ExportedFile, FrontEnd, Model};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::faults::Syntax;
use crate::options::recorded::written;
use crate::options::{
    BorderValues, CCriterionArguments, CReadingArguments, CheckArguments, CriterionArguments, ReadingArguments,
    RunArguments, UndefinedRule,
};
use crate::output::Output;
use crate::reader::Reader;

pub use export::{tests as suite_tests, without};
pub use harness::harness;
pub use load::{from_files, translation_of};
pub use native::counted;

/// C programs.
pub(crate) struct CFront;

/// The criterion of a suite that was drawn for a query.
const QUERY: &str = "query";

/// A program, and the function that is tested.
pub struct CModel {
    source: Source,
    /// The program.
    pub translation: Translation,
    /// The function that is tested.
    pub entry: FunctionId,
    /// Why no function can be chosen, if none was named and there are several.
    no_entry: Option<Box<source::Diagnostic>>,
    reading: CReadingArguments,
    reader: Arc<Reader>,
}

impl FrontEnd for CFront {
    fn family(&self) -> &'static str {
        "c"
    }

    fn title(&self) -> &'static str {
        "C programs"
    }

    fn criteria(&self) -> (Vec<&'static str>, &'static str) {
        (Criterion::NAMES.split(", ").collect(), "branch")
    }

    fn budgets(&self) -> &'static [search::Budget] {
        draw_c::effort::BUDGETS
    }

    fn load_changed(
        &self,
        reader: &Arc<Reader>,
        output: &Output,
        source: Source,
        reading: &ReadingArguments,
    ) -> Result<Box<dyn Model>, Failure> {
        Ok(Box::new(load::changed(reader, output, source, &reading.c)?))
    }

    fn faults(&self) -> Option<&'static Syntax> {
        Some(&Syntax::C)
    }

    fn codes(&self) -> &'static [&'static Code] {
        load::codes()
    }

    fn load(
        &self,
        reader: &Arc<Reader>,
        output: &Output,
        source: Source,
        reading: &ReadingArguments,
    ) -> Result<Box<dyn Model>, Failure> {
        Ok(Box::new(load::load(reader, output, source, &reading.c)?))
    }

    fn show(&self, test: &TestRecord) -> Option<String> {
        let inputs = test.inputs.as_object()?.iter().filter_map(|(name, value)| {
            // The elements of a string are shown where its array is.
            let array = name.strip_suffix(']').and_then(|name| name.rsplit_once('[')).map(|(array, _)| array);
            if array.is_some_and(|array| test.inputs.get(array).is_some() && test.text(&format!("{array}[]")).is_some())
            {
                return None;
            }
            Some(match (test.text(name), test.text(&format!("{name}[]")), value) {
                (Some(text), _, _) => format!("  {name} = {text}\n"),
                (None, Some(text), Json::String(object)) => format!("  {name} = {object} {text}\n"),
                (None, _, value) => format!("  {name} = {value}\n"),
            })
        });
        Some(inputs.chain(expected::shown(&test.expected)).collect())
    }

    fn formats(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("fshell", "the plain form of FShell"),
            ("fshell-xml", "the XML form of FShell"),
            ("test-comp", "a test suite in the exchange format of Test-Comp"),
            ("harness", "a C program that runs the tests, with a Makefile"),
            ("cunit", "the same with CUnit"),
            ("ctest", "the same with CTest"),
        ]
    }

    fn export_from(
        &self,
        output: &Output,
        suite: &Suite,
        format: &str,
        source: Option<(&Path, &str)>,
    ) -> Result<Vec<ExportedFile>, Failure> {
        export::export(output, suite, format, source)
    }
}

impl CModel {
    /// The functions of the user's files that have a body, in the order in which they stand there.
    fn own_functions(&self) -> Vec<String> {
        let program = &self.translation.program;
        let numbered = (0u32..).map(FunctionId).zip(&program.functions);
        let own = numbered.filter(|(id, function)| {
            let named = !function.name.starts_with('$') && !program.is_library_function(*id);
            function.body.is_some() && named && !program.is_of_the_system(function.location)
        });
        let mut own: Vec<_> = own.map(|(_, function)| function).collect();
        own.sort_by_key(|function| (function.location.file.0, function.location.line, function.location.column));
        own.into_iter().map(|function| function.name.clone()).collect()
    }

    pub(crate) fn blocks(&self) -> Blocks {
        self.reading.blocks.unwrap_or_default().into()
    }

    /// Complains unless there is a function to test.
    fn need_entry(&self, output: &Output) -> Result<(), Failure> {
        match &self.no_entry {
            None => Ok(()),
            Some(error) => Err(output.rejected(&self.source, std::slice::from_ref(error))),
        }
    }

    fn functions(&self, names: &[String]) -> Result<Vec<FunctionId>, Failure> {
        let find = |name: &String| {
            let found = self.translation.program.function_named(name);
            found.ok_or_else(|| Failure::Rejected(format!("unknown function `{name}` in the program")))
        };
        names.iter().map(find).collect()
    }

    /// The functions that are not looked at: those the user names, and those of the C library if it is not to be modelled.
    fn abstracted(&self, names: &[String]) -> Result<Vec<FunctionId>, Failure> {
        let mut found = self.functions(names)?;
        if found.contains(&self.entry) {
            let name = &self.translation.program.function(self.entry).name;
            return Err(Failure::Rejected(format!("`{name}` is the function that is tested: it cannot be abstracted")));
        }
        if self.reading.no_library {
            let functions = self.translation.program.functions.iter().enumerate();
            let modelled = functions.filter(|(_, one)| one.body.is_none() && c::interp::may_be_abstracted(&one.name));
            found.extend(modelled.map(|(place, _)| FunctionId(place as u32)));
        }
        Ok(found)
    }

    fn settings(&self, asked: &Asked) -> Result<Settings, Failure> {
        let mut settings = Settings::new(self.entry);
        let own: CCriterionArguments = asked.read()?;
        settings.unwind = own.unwind;
        settings.beyond = match (own.unwinding_assertions, own.partial_loops) {
            (true, _) => Beyond::Asserted,
            (false, true) => Beyond::Partial,
            (false, false) => Beyond::Excluded,
        };
        if let Some(depth) = own.pointer_depth {
            settings.depth = depth;
        }
        if let Some(elements) = own.elements {
            settings.elements = elements.into();
        }
        if let Some(calls) = own.calls {
            settings.calls = calls;
            settings.most_calls = 1;
        }
        if own.use_instrumentation {
            settings.encoding = Encoding::Instrumented;
        }
        settings.assertions = !self.reading.no_assert;
        settings.assumptions = !own.no_assumptions;
        settings.undefined = match own.undefined {
            Some(UndefinedRule::Stop) => Undefined::Stop,
            Some(UndefinedRule::GoOn) => Undefined::GoOn,
            Some(UndefinedRule::Report) | None => Undefined::Report,
        };
        settings.wrap = own.wrap;
        settings.free_globals = own.no_zero_init;
        settings.hybrid = !own.no_random;
        settings.border = own.values == BorderValues::Border;
        settings.abstracted = self.abstracted(&own.r#abstract)?.into_iter().collect();
        if let Some(steps) = own.depth {
            settings.steps = steps as usize;
            settings.run_steps = Some(steps.into());
        }
        for text in &own.unwindset {
            let (name, bound) = text
                .rsplit_once(':')
                .and_then(|(name, bound)| Some((name, bound.parse::<u32>().ok()?)))
                .ok_or_else(|| Failure::Usage(format!("`{text}` is not LOOP:BOUND")))?;
            let loops = &self.translation.program.loops;
            let at = loops.iter().position(|one| one.name == name).ok_or_else(|| {
                let names: Vec<&str> = loops.iter().map(|one| one.name.as_str()).collect();
                Failure::Rejected(format!("unknown loop `{name}`; the loops are {}", names.join(", ")))
            })?;
            settings.loops.insert(c::program::LoopId(at as u32), bound);
        }
        Ok(settings)
    }

    /// The parameters of the function that is tested which are pointers to functions.
    fn callbacks(&self) -> Vec<String> {
        let program = &self.translation.program;
        let types = &program.types;
        let is_callback = |ty: c::types::TypeId| match types.kind(ty) {
            c::types::Type::Pointer(target) => matches!(types.kind(*target), c::types::Type::Function { .. }),
            _ => false,
        };
        let body = program.function(self.entry).body.as_ref();
        let parameters = body.iter().flat_map(|body| &body.parameters).map(|id| program.variable(*id));
        parameters.filter(|one| is_callback(one.ty)).map(|one| one.name.clone()).collect()
    }

    fn graph(&self, asked: &Asked) -> Result<ProgramGraph, Failure> {
        let abstracted = self.abstracted(&asked.read::<CCriterionArguments>()?.r#abstract)?;
        Ok(ProgramGraph::with_abstracted(&self.translation, self.entry, self.blocks(), &abstracted))
    }

    /// The query that is asked for; none for MC/DC.
    fn query(&self, output: &Output, asked: &Asked, graph: &ProgramGraph) -> Result<Option<String>, Failure> {
        if asked.criterion == QUERY {
            return Ok(asked.text("query").map(str::to_owned));
        }
        let criterion = criterion(&asked.criterion)?;
        if criterion == Criterion::Mcdc {
            return Ok(None);
        }
        let query = criterion
            .query(&graph.graph)
            .map_err(|error| output.rejected(&self.source, std::slice::from_ref(&error)))?;
        let query =
            query.ok_or_else(|| Failure::Rejected(format!("the program has nothing to cover for `{criterion}`")))?;
        let own: CCriterionArguments = asked.read()?;
        let within = own.within.map(|filter| format!("in {filter} ")).unwrap_or_default();
        let passing = own.passing.map(|pattern| format!(" passing {pattern}")).unwrap_or_default();
        Ok(Some(format!("{within}{query}{passing}")))
    }

    /// The subject of MC/DC, in a part of the program and by runs that match a pattern, where that is asked for.
    fn of_decisions(
        &self,
        output: &Output,
        asked: &Asked,
        graph: ProgramGraph,
        settings: Settings,
    ) -> Result<CSubject, Failure> {
        let own: CCriterionArguments = asked.read()?;
        let edges = match &own.within {
            None => None,
            Some(filter) => {
                let spec = self.spec(output, &format!("cover EDGES({filter})"), &graph)?;
                Some(spec.goals.iter().flat_map(|letters| Spec::edges_of(&letters)).collect())
            }
        };
        let mcdc = Mcdc::within(&graph.graph, edges.as_ref())
            .map_err(|error| output.rejected(&self.source, std::slice::from_ref(&error)))?;
        let text = own.passing.map(|pattern| format!("cover ID passing {pattern}"));
        let passing = text.as_ref().map(|text| self.spec(output, text, &graph)).transpose()?;
        let source = Source::new("query", text.unwrap_or_default());
        let (subject, warnings) = CSubject::with_decisions(&self.translation, graph, mcdc, passing, settings)
            .map_err(|error| output.rejected(&source, std::slice::from_ref(&error)))?;
        output.diagnostics(&source, &warnings);
        Ok(subject)
    }

    /// The goals of a query as FShell shows them, one a line.
    pub fn show_goals(&self, output: &Output, text: &str) -> Result<String, Failure> {
        let graph = ProgramGraph::new(&self.translation, self.entry, self.blocks());
        let spec = self.spec(output, text, &graph)?;
        let goals = (0u128..).zip(spec.goals.iter().take(MOST_GOALS as usize));
        Ok(goals.map(|(number, goal)| show_goal(&graph.graph, &spec, number, &goal) + "\n").collect())
    }

    fn of_query(
        &self,
        output: &Output,
        text: &str,
        graph: ProgramGraph,
        spec: Spec,
        settings: Settings,
    ) -> Result<CSubject, Failure> {
        let source = Source::new("query", text);
        let (subject, warnings) = CSubject::with_query(&self.translation, graph, spec, settings)
            .map_err(|error| output.rejected(&source, std::slice::from_ref(&error)))?;
        output.diagnostics(&source, &warnings);
        Ok(subject)
    }

    fn spec(&self, output: &Output, text: &str, graph: &ProgramGraph) -> Result<Spec, Failure> {
        let source = Source::new("query", text);
        let rejected = |error: Box<source::Diagnostic>| output.rejected(&source, std::slice::from_ref(&error));
        let query = fql::parse(text).map_err(rejected)?;
        let (spec, warnings) = fql::evaluate(&query, &graph.graph).map_err(rejected)?;
        output.diagnostics(&source, &warnings);
        Ok(spec)
    }
}

impl Model for CModel {
    fn source(&self) -> &Source {
        &self.source
    }

    fn describe(&self, output: &Output, _arguments: &CheckArguments) -> Result<Description, Failure> {
        Ok(describe::describe(output, self))
    }

    fn asked(&self, arguments: &CriterionArguments) -> Result<Asked, Failure> {
        let own = &arguments.c;
        let query = match (&own.query, &own.query_file, &own.property) {
            (Some(query), _, _) => Some(query.clone()),
            (None, Some(file), _) => Some(query_of_script(&self.reader.read_text(Role::Query, file)?)?),
            (None, None, Some(file)) => {
                let text = self.reader.read_text(Role::Query, file)?;
                let property = fql::read_property(&text).map_err(|error| Failure::Rejected(error.message.clone()))?;
                Some(property.query)
            }
            (None, None, None) => None,
        };
        let name = arguments.criterion.as_deref().unwrap_or("branch");
        if query.is_none() {
            criterion(name)?;
        }
        let mut linked = Vec::new();
        for file in &self.reading.link {
            linked.push(self.reader.read(Role::Link, file)?.file.name);
        }
        let mut options = self.reading.options(linked, &self.translation.program.function(self.entry).name);
        let criterion = if query.is_some() { QUERY } else { name };
        options.extend(written(&CCriterionArguments { query, ..own.clone() }));
        Ok(Asked::new(criterion, options))
    }

    fn subject<'a>(&'a self, output: &Output, asked: &Asked) -> Result<Box<dyn Subject + 'a>, Failure> {
        self.need_entry(output)?;
        let settings = self.settings(asked)?;
        let graph = self.graph(asked)?;
        for name in self.callbacks() {
            output.warn(&format!(
                "the parameter `{name}` is a pointer to a function: it gets functions of the program that fit, and `{}`, which only returns inputs",
                c::STAND_IN
            ));
        }
        let Some(text) = self.query(output, asked, &graph)? else {
            return Ok(Box::new(self.of_decisions(output, asked, graph, settings)?));
        };
        let spec = self.spec(output, &text, &graph)?;
        match spec.goals.count() {
            Some(0) => output.warn("the query asks for nothing: it has no goals"),
            Some(count) if count <= MOST_GOALS => {
                if let Some(more) = spec.goals.count_with_repetitions().filter(|more| *more != count) {
                    output.talk(&format!("{count} goals; {more} if what two parts of the query ask for counts twice"));
                }
            }
            Some(count) => {
                let message = format!("the query has {count} goals; at most {MOST_GOALS} are listed one by one");
                return Err(Failure::Rejected(message));
            }
            None => return Err(uncountable()),
        }
        Ok(Box::new(self.of_query(output, &text, graph, spec, settings)?))
    }

    fn product(&self, output: &Output, asked: &Asked) -> Result<Option<CSubject>, Failure> {
        self.need_entry(output)?;
        let graph = self.graph(asked)?;
        let silent = output.silent();
        let Some(text) = self.query(&silent, asked, &graph)? else { return Ok(None) };
        // What is wrong with the query, and warnings, are said once: here if it is a product, by `subject` otherwise.
        let Ok(spec) = self.spec(&silent, &text, &graph) else { return Ok(None) };
        let count = spec.goals.count().ok_or_else(uncountable)?;
        if count <= MOST_GOALS {
            return Ok(None);
        }
        let spec = self.spec(output, &text, &graph)?;
        self.of_query(output, &text, graph, spec, self.settings(asked)?).map(Some)
    }

    /// The functions that the tested one calls, and itself.
    fn lines(&self, asked: &Asked) -> Result<Option<Vec<RangeInclusive<u32>>>, Failure> {
        let graph = self.graph(asked)?;
        let entered = graph.graph.entered();
        let main = crate::input::file_name(Path::new(self.source.name()));
        let is_main = |file: &u32| graph.graph.file_name(*file) == main;
        let mut lines: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        for edge in &graph.graph.edges {
            let Some(function) = edge.function.filter(|function| entered[function.0 as usize]) else { continue };
            if edge.line != 0 && edge.file.as_ref().is_some_and(is_main) {
                let (first, last) = lines.entry(function.0).or_insert((edge.line, edge.line));
                (*first, *last) = (edge.line.min(*first), edge.line.max(*last));
            }
        }
        Ok(Some(lines.into_values().map(|(first, last)| first..=last).collect()))
    }

    fn read_inputs(&self, json: &Json) -> Result<Inputs, String> {
        let inputs = Inputs::Document(json.clone());
        draw_c::values(&inputs)?;
        Ok(inputs)
    }

    fn read_tests(&self, _output: &Output, file: &Source) -> Result<Vec<Inputs>, Failure> {
        tests::read(self, file)
    }

    fn run(&self, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
        self.need_entry(output)?;
        run::run(self, output, arguments)
    }

    fn retraces(&self) -> bool {
        true
    }

    fn functions(&self) -> Vec<String> {
        self.own_functions()
    }

    fn indifferent(&self, suite: &Suite) -> Option<String> {
        let count = suite.tests.iter().filter(|test| test.expected.is_empty()).count();
        let tests = crate::words::counted(suite.tests.len(), "test");
        (0 < count).then(|| {
            format!(
                "{count} of {tests} expect nothing: their runs return and print nothing, and nothing else can be seen"
            )
        })
    }

    fn size(&self) -> String {
        let program = &self.translation.program;
        format!("{} edges, {} decisions", program.edges.len(), program.decisions.len())
    }

    fn missing(&self, output: &Output, asked: &Asked, open: &[usize]) -> Result<Option<String>, Failure> {
        self.need_entry(output)?;
        let graph = self.graph(asked)?;
        let Some(text) = self.query(output, asked, &graph)? else { return Ok(None) };
        let spec = self.spec(&output.silent(), &text, &graph)?;
        let goals: Vec<u128> = open.iter().map(|goal| *goal as u128).collect();
        Ok(fql::missing::query_for(&graph.graph, &Meter::new(&spec), &goals))
    }
}

fn uncountable() -> Failure {
    Failure::Rejected("the query has more goals than can be counted".to_owned())
}

fn criterion(name: &str) -> Result<Criterion, Failure> {
    Criterion::from_name(name)
        .ok_or_else(|| Failure::Usage(format!("unknown criterion `{name}`; it is one of {}", Criterion::NAMES)))
}

/// The one query of a script, with its macros replaced.
fn query_of_script(text: &str) -> Result<String, Failure> {
    let mut session = Session::default();
    let mut queries = Vec::new();
    for line in text.lines() {
        match session.interpret(line) {
            Ok(Action::Query { text, .. }) => queries.push(text),
            Ok(_) => {}
            Err(error) => return Err(Failure::Rejected(format!("{}: {}", error.code.id, error.message))),
        }
    }
    match <[String; 1]>::try_from(queries) {
        Ok([query]) => Ok(query),
        Err(queries) => Err(Failure::Rejected(format!(
            "the file holds {} queries where one is needed; `specimen shell` answers several",
            queries.len()
        ))),
    }
}
