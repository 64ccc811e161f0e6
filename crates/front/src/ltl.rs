//! Linear temporal logic for the verbs: realizability, test strategies against faults, and verdicts on traces.

mod chart;
mod describe;
mod drive;
mod harness;
mod implementation;
mod run;
mod show;
mod tables;
mod traces;
mod verdicts;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use draw_ltl::{StrategySubject, USUAL_BOUND};
use ltl::code::{Language, program};
use ltl::faults::{Selection, faults};
use ltl::{Dialect, Machine, Spec, Target};
use search::Subject;
use serde_json::Value as Json;
use source::{Code, Diagnostic, Source, Span};
use testcase::export::Viewer;
use testcase::{Inputs, Role, Suite, TestRecord};

use super::{Asked, Description, ExportedFile, FrontEnd, Model, one_of};
use crate::adapter::Told;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::recorded::{Recorded, written};
use crate::options::{
    CheckArguments, CriterionArguments, HarnessArguments, PartitionArguments, ReadingArguments, RunArguments,
    StrategyArguments,
};
use crate::output::Output;
use crate::reader::Reader;
use crate::words::counted;
use implementation::Implementation;

/// Linear temporal logic in one of its written forms.
pub(crate) struct LtlFront(pub(crate) Dialect);

/// Environments with more moves are not shown in a message.
const SHOWN_MOVES: usize = 12;

struct LtlModel {
    source: Source,
    spec: Spec,
    reader: Arc<Reader>,
    /// How it was read, as a suite writes it down.
    reading: Recorded,
}

impl FrontEnd for LtlFront {
    fn family(&self) -> &'static str {
        "ltl"
    }

    fn title(&self) -> &'static str {
        "linear temporal logic"
    }

    fn criteria(&self) -> (Vec<&'static str>, &'static str) {
        (Selection::NAMES.iter().map(|(name, _)| *name).collect(), "declared")
    }

    fn budgets(&self) -> &'static [search::Budget] {
        draw_ltl::effort::SCALED
    }

    fn codes(&self) -> &'static [&'static Code] {
        ltl::CODES
    }

    fn is_driven(&self) -> bool {
        true
    }

    fn load(
        &self,
        reader: &Arc<Reader>,
        output: &Output,
        source: Source,
        reading: &ReadingArguments,
    ) -> Result<Box<dyn Model>, Failure> {
        let mut shape = written(&reading.tlsf);
        let loaded = match (&reading.ltl.partition, self.0) {
            (Some(path), Dialect::Ltl) => {
                let name = path.display().to_string();
                let opened = reader.read(Role::Partition, path)?;
                shape.extend(written(&PartitionArguments { partition: Some(opened.file.name.clone().into()) }));
                let partition = Source::from_bytes(&name, opened.bytes.to_vec())
                    .map_err(|rejection| output.rejected(&rejection.source, &[rejection.diagnostic]))?;
                ltl::load_with_partition(&source, &partition)
            }
            (None, Dialect::Ltl) => ltl::load(&source, self.0),
            (_, Dialect::Tlsf) => ltl::load_with_parameters(&source, &reading.tlsf.parameter),
        };
        let spec = output.checked(&source, loaded)?;
        Ok(Box::new(LtlModel { source, spec, reader: reader.clone(), reading: shape }))
    }

    fn show(&self, test: &TestRecord) -> Option<String> {
        show::strategy(test)
    }

    fn viewer(&self) -> Option<Viewer> {
        Some(chart::as_svg)
    }

    fn formats(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("csv", "a row for each move of each strategy"),
            ("pytest", "tests for pytest that drive a system of yours with the strategies"),
            ("dot", "the strategies as graphs for Graphviz"),
            ("hoa", "the strategies as automata in the Hanoi format"),
            ("aiger", "the strategies as circuits in the AIGER format"),
            ("c", "the strategies as C programs"),
            ("rust", "the strategies as Rust programs"),
            ("python", "the strategies as Python programs"),
            ("verilog", "the strategies as Verilog modules"),
        ]
    }

    fn export(&self, suite: &Suite, format: &str, _source: Option<&str>) -> Result<Vec<ExportedFile>, Failure> {
        let stem = suite.source.file.rsplit_once('.').map_or(suite.source.file.as_str(), |(stem, _)| stem);
        let single = |name: String, text: String| Ok(vec![ExportedFile { name, text }]);
        match format {
            "csv" => return single(format!("{stem}.csv"), tables::as_csv(suite)?),
            "pytest" => return single(format!("test_{}.py", stem.replace(['-', '.'], "_")), tables::as_pytest(suite)?),
            _ => {}
        }
        let mut files = Vec::new();
        for test in &suite.tests {
            let mut formulas = omega::Formulas::new();
            let machine = Machine::from_json(&test.inputs, &mut formulas)
                .map_err(|error| Failure::Rejected(format!("{}: {error}", test.id)))?;
            let language = Language::ALL.iter().find(|(name, ..)| *name == format);
            if language.is_some() && machine.kind == Target::Mealy {
                let what = "is a system, which answers what it reads; programs are written of strategies only";
                return Err(Failure::Rejected(format!("{} {what}", test.id)));
            }
            let (text, extension) = match (format, language) {
                ("dot", _) => (machine.to_dot(&formulas), "dot"),
                ("hoa", _) => (machine.to_hoa(&formulas), "hoa"),
                ("aiger", _) => (machine.to_aiger(&formulas), "aag"),
                (_, Some(&(_, language, extension))) => (program(&machine, &formulas, &test.id, language), extension),
                (_, None) => {
                    return Err(Failure::Usage(format!("unknown format `{format}` for this language")));
                }
            };
            files.push(ExportedFile { name: format!("{}.{extension}", test.id), text });
        }
        Ok(files)
    }

    fn files(&self, suite: &Suite) -> Vec<ExportedFile> {
        let file = |test: &TestRecord| {
            let mut formulas = omega::Formulas::new();
            let machine = Machine::from_json(&test.inputs, &mut formulas).ok()?;
            Some(ExportedFile { name: format!("{}.dot", test.id), text: machine.to_dot(&formulas) })
        };
        suite.tests.iter().filter_map(file).collect()
    }
}

fn selection(name: &str) -> Result<Selection, Failure> {
    let found = Selection::NAMES.iter().find(|(other, _)| *other == name);
    found
        .map(|(_, selection)| *selection)
        .ok_or_else(|| one_of("criterion", name, Selection::NAMES.iter().map(|(name, _)| *name)))
}

impl LtlModel {
    /// The faults that are asked for, as a subject.
    fn strategies(&self, output: &Output, asked: &Asked) -> Result<StrategySubject, Failure> {
        let own: StrategyArguments = asked.read()?;
        let mut spec = self.spec.clone();
        if !own.guarantees.is_empty() {
            let names: Vec<&str> = own.guarantees.iter().map(String::as_str).collect();
            spec.restrict(&names).map_err(|error| Failure::Usage(format!("--guarantees: {error}")))?;
        }
        for text in &own.symmetric {
            let source = Source::new("--symmetric", text.as_str());
            ltl::symmetry::add_symmetry(&mut spec, &source)
                .map_err(|error| output.rejected(&source, std::slice::from_ref(&error)))?;
        }
        let mut faults =
            faults(&mut spec, selection(&asked.criterion)?).map_err(|errors| output.rejected(&self.source, &errors))?;
        if let Some(keep) = &own.keep {
            let source = Source::new("--keep", keep.as_str());
            let keep = ltl::parse_formula(&source, &mut spec.formulas)
                .map_err(|error| output.rejected(&source, std::slice::from_ref(&error)))?;
            for atom in spec.formulas.atoms_of([keep]) {
                let name = spec.formulas.atom_name(atom);
                if spec.signal_named(name).is_none() {
                    return Err(Failure::Usage(format!("--keep: unknown signal `{name}`")));
                }
            }
            for demand in faults.iter_mut().flat_map(|fault| &mut fault.demands) {
                demand.keep(&mut spec.formulas, keep);
            }
        }
        let count = usize::from(own.strategies).clamp(1, 64);
        let known = own.reference.as_deref().map(|path| self.reference(output, path)).transpose()?;
        let mut subject = StrategySubject::several(&self.source, spec, faults, count);
        if let Some(system) = known {
            subject = subject.knowing(system);
        }
        let subject = match own.memory {
            Some(memory) => subject.within(memory),
            None => subject,
        };
        Ok(if own.generalize { subject.generalised() } else { subject })
    }

    /// A system that is said to satisfy the specification, as a machine. The subject judges it before it believes it.
    fn reference(&self, output: &Output, path: &Path) -> Result<Json, Failure> {
        let mut spec = self.spec.clone();
        let opened = self.reader.read(Role::Reference, path)?;
        let read = Implementation::of_bytes(output, path, &opened.bytes, &mut spec)?;
        let machine = read.machine(&spec.formulas).ok_or_else(|| {
            Failure::Rejected(format!("{} has too many states to be taken as a reference", path.display()))
        })?;
        Ok(machine.to_json(&spec.formulas))
    }
}

impl Model for LtlModel {
    fn source(&self) -> &Source {
        &self.source
    }

    fn describe(&self, output: &Output, arguments: &CheckArguments) -> Result<Description, Failure> {
        describe::describe(&self.spec, arguments, output.verbose)
    }

    fn asked(&self, arguments: &CriterionArguments) -> Result<Asked, Failure> {
        let name = arguments.criterion.as_deref().unwrap_or("declared");
        selection(name)?;
        let mut own = arguments.ltl.clone();
        if let Some(path) = &mut own.reference {
            *path = self.reader.read(Role::Reference, path)?.file.name.into();
        }
        let mut options = self.reading.clone();
        options.extend(written(&own));
        Ok(Asked::new(name, options))
    }

    fn subject<'a>(&'a self, output: &Output, asked: &Asked) -> Result<Box<dyn Subject + 'a>, Failure> {
        Ok(Box::new(self.strategies(output, asked)?))
    }

    fn read_inputs(&self, json: &Json) -> Result<Inputs, String> {
        let mut formulas = self.spec.formulas.clone();
        Machine::from_json(json, &mut formulas)?;
        Ok(Inputs::Document(json.clone()))
    }

    fn read_tests(&self, _output: &Output, file: &Source) -> Result<Vec<Inputs>, Failure> {
        let rejected = |error: String| Failure::Rejected(format!("{}: {error}", file.name()));
        let json: Json = serde_json::from_str(file.text()).map_err(|error| rejected(error.to_string()))?;
        Ok(vec![self.read_inputs(&json).map_err(rejected)?])
    }

    fn run(&self, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
        if arguments.drive.against.is_some() || arguments.drive.steps.implementation.is_some() {
            return drive::drive(self, output, arguments);
        }
        run::run(self, output, arguments)
    }

    fn drive(&self, suite: &Suite, command: &str, patience: Duration) -> Result<Vec<Told>, Failure> {
        drive::against(self, suite, command, patience)
    }

    fn harness(
        &self,
        output: &Output,
        criterion: &CriterionArguments,
        arguments: &HarnessArguments,
    ) -> Result<Exit, Failure> {
        harness::harness(self, output, criterion, arguments)
    }

    fn mutants(&self, _arguments: &CriterionArguments) -> Result<Vec<crate::front_end::Mutant>, Failure> {
        Err(Failure::Usage("mutants are made of an implementation: name one with --implementation".to_owned()))
    }

    fn pointless(&self, output: &Output, reason: &str, proof: &Json) -> Vec<ExportedFile> {
        let mut formulas = self.spec.formulas.clone();
        let span = self.spec.guarantees.first().map_or(Span::new(0, 0), |guarantee| guarantee.span);
        let error = Diagnostic::error(&ltl::codes::UNREALIZABLE, span, reason);
        let help = "Every strategy would pass as a test. Weaken a guarantee, or assume more of the inputs.";
        let Ok(environment) = Machine::from_json(proof, &mut formulas) else {
            output.diagnostics(&self.source, &[error.help(help)]);
            return Vec::new();
        };
        let words = format!("an environment of {} makes every system fail", counted(environment.states.len(), "state"));
        let whole = match environment.states.iter().map(|state| state.moves.len()).sum::<usize>() {
            0..=SHOWN_MOVES => format!("{words}: {}", environment.to_words(&formulas)),
            _ => format!("{words}; --out FOLDER writes it to machine.json"),
        };
        output.diagnostics(&self.source, &[error.help(whole).help(help)]);
        vec![
            ExportedFile { name: "machine.json".to_owned(), text: format!("{proof:#}\n") },
            ExportedFile { name: "machine.dot".to_owned(), text: environment.to_dot(&formulas) },
        ]
    }

    fn size(&self) -> String {
        let formulas = self.spec.formulas.reachable([self.spec.requirement]).len();
        format!("{}, {}", counted(self.spec.signals.len(), "signal"), counted(formulas, "subformula"))
    }

    fn bound(&self) -> Option<u32> {
        Some(USUAL_BOUND)
    }
}
