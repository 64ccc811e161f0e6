//! Implementations: circuits and machines, and commands that behave like one.

use std::path::Path;
use std::time::Duration;

use ltl::circuit::Circuit;
use ltl::execute::{Free, MachineSystem, System};
use ltl::{Letter, Machine, Role, Spec};
use omega::{AtomId, Formulas};
use serde_json::{Map, Value as Json, json};
use source::Source;

use crate::adapter::{Adapter, Silence};
use crate::failure::Failure;
use crate::input;
use crate::options::FreeInputs;
use crate::output::Output;

/// An implementation that is run in this process.
#[derive(Clone)]
pub(super) enum Implementation {
    Circuit(Circuit),
    Machine(Machine),
}

impl Implementation {
    /// Reads one; its signals are those of the specification.
    pub(super) fn read(output: &Output, path: &Path, spec: &mut Spec) -> Result<Implementation, Failure> {
        Implementation::of_bytes(output, path, &input::read(path)?, spec)
    }

    /// The same of a file that was read already.
    pub(super) fn of_bytes(
        output: &Output,
        path: &Path,
        bytes: &[u8],
        spec: &mut Spec,
    ) -> Result<Implementation, Failure> {
        let name = path.display().to_string();
        let wrong = |error: String| Failure::Rejected(format!("{name}: {error}"));
        let text = || {
            Source::from_bytes(&name, bytes.to_vec())
                .map_err(|rejection| output.rejected(&rejection.source, &[rejection.diagnostic]))
        };
        let found = match path.extension().and_then(|extension| extension.to_str()) {
            Some("aag" | "aig") => {
                Implementation::Circuit(Circuit::from_aiger(bytes, &mut spec.formulas).map_err(wrong)?)
            }
            Some("json") => {
                let json: Json = serde_json::from_str(text()?.text()).map_err(|error| wrong(error.to_string()))?;
                Implementation::Machine(Machine::from_json(&json, &mut spec.formulas).map_err(wrong)?)
            }
            Some(_) | None => {
                let source = text()?;
                let circuit = Circuit::parse(&source, &mut spec.formulas);
                Implementation::Circuit(circuit.map_err(|error| output.rejected(&source, &[error]))?)
            }
        };
        let (inputs, outputs) = (found.inputs().to_vec(), found.outputs().to_vec());
        let known = spec.atoms_with(Role::Input);
        if let Some(atom) = inputs.iter().find(|atom| !known.contains(atom)) {
            let atom = spec.formulas.atom_name(*atom);
            return Err(Failure::Rejected(format!("{name}: `{atom}` is not an input of the specification")));
        }
        for atom in spec.atoms_with(Role::Output) {
            if !outputs.contains(&atom) {
                let atom = spec.formulas.atom_name(atom);
                return Err(Failure::Rejected(format!("{name}: the output `{atom}` is missing")));
            }
        }
        Ok(found)
    }

    pub(super) fn inputs(&self) -> &[AtomId] {
        match self {
            Implementation::Circuit(circuit) => &circuit.inputs,
            Implementation::Machine(machine) => &machine.reads,
        }
    }

    pub(super) fn outputs(&self) -> &[AtomId] {
        match self {
            Implementation::Circuit(circuit) => &circuit.outputs,
            Implementation::Machine(machine) => &machine.sets,
        }
    }

    /// The system that it is.
    pub(super) fn system<'a>(&'a self, formulas: &Formulas) -> Box<dyn System + 'a> {
        match self {
            Implementation::Circuit(circuit) => Box::new(circuit.start(formulas)),
            Implementation::Machine(machine) => Box::new(MachineSystem::new(machine)),
        }
    }

    /// As a machine for the model checker, if it is small enough.
    pub(super) fn machine(&self, formulas: &Formulas) -> Option<Machine> {
        match self {
            Implementation::Circuit(circuit) => circuit.to_machine(formulas),
            Implementation::Machine(machine) => Some(machine.clone()),
        }
    }
}

/// How long a command may take to end after its last answer.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A command that answers one step a line.
pub(super) struct CommandSystem<'a> {
    command: &'a str,
    patience: Duration,
    formulas: &'a Formulas,
    inputs: Vec<AtomId>,
    outputs: Vec<AtomId>,
    running: Option<Adapter>,
    step: u64,
}

impl<'a> CommandSystem<'a> {
    pub(super) fn new(command: &'a str, patience: Duration, spec: &'a Spec) -> CommandSystem<'a> {
        CommandSystem {
            command,
            patience,
            formulas: &spec.formulas,
            inputs: spec.atoms_with(Role::Input),
            outputs: spec.atoms_with(Role::Output),
            running: None,
            step: 0,
        }
    }

    fn read(&self, answer: &str) -> Result<Letter, String> {
        let garbage = |what: String| format!("the answer to step {} {what}", self.step);
        let json: Json = serde_json::from_str(answer.trim())
            .map_err(|_| garbage(format!("is not understood: {}", shortened(answer))))?;
        let mut letter = Letter::default();
        for &output in &self.outputs {
            let name = self.formulas.atom_name(output);
            let value = match &json[name] {
                Json::Bool(value) => *value,
                Json::Number(number) if number.as_u64() == Some(0) => false,
                Json::Number(number) if number.as_u64() == Some(1) => true,
                Json::Null => return Err(garbage(format!("has no `{name}`: {}", shortened(answer)))),
                other => return Err(garbage(format!("gives `{name}` the value {}", shortened(&other.to_string())))),
            };
            letter.set(output, value);
        }
        Ok(letter)
    }
}

fn shortened(text: &str) -> String {
    let short: String = text.trim().chars().take(60).flat_map(char::escape_debug).collect();
    format!("`{short}`")
}

impl System for CommandSystem<'_> {
    fn restart(&mut self) -> Result<(), String> {
        self.step = 0;
        self.running = None;
        self.running = Some(Adapter::start(self.command).map_err(|failure| failure.to_string())?);
        Ok(())
    }

    fn step(&mut self, inputs: &Letter) -> Result<Letter, String> {
        self.step += 1;
        let values: Map<String, Json> = self
            .inputs
            .iter()
            .map(|input| (self.formulas.atom_name(*input).to_owned(), json!(inputs.holds(*input))))
            .collect();
        let question = json!({ "step": self.step, "inputs": values }).to_string();
        let Some(adapter) = &mut self.running else { return Err("the command does not run".to_owned()) };
        let step = self.step;
        if adapter.has_spoken() {
            self.running = None;
            return Err(format!("the command wrote a line before step {step} that nobody asked for"));
        }
        let answer = adapter.ask(question, self.patience).map_err(|silence| match silence {
            Silence::Ended(how) => format!("the command ended in step {step} ({how})"),
            Silence::NotFound => format!("the shell cannot run `{}`", self.command),
            Silence::Late(patience) => format!("no answer to step {step} within {} s", patience.as_secs_f64()),
            Silence::Garbage(what) => format!("the answer to step {step} is {what}"),
        });
        match answer {
            Ok(answer) => self.read(&answer),
            Err(words) => {
                self.running = None;
                Err(words)
            }
        }
    }

    fn finish(&mut self) -> Result<(), String> {
        let Some(adapter) = self.running.take() else { return Ok(()) };
        match adapter.finish(self.patience.min(LAST_WORDS)) {
            0 => Ok(()),
            1 => Err("the command wrote a line that nobody asked for".to_owned()),
            count => Err(format!("the command wrote {count} lines that nobody asked for")),
        }
    }
}

pub(super) fn free(choice: FreeInputs) -> Free {
    match choice {
        FreeInputs::Random => Free::Random,
        FreeInputs::Low => Free::Low,
        FreeInputs::High => Free::High,
        FreeInputs::RoundRobin => Free::RoundRobin,
        FreeInputs::Coverage => Free::Coverage,
    }
}
