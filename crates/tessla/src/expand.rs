//! From the checked tree to the flat core: macros and closures are applied, lifted functions become graphs.
//!
//! Expansion evaluates the specification before any event is known. Values come out as values, streams as equations, and what
//! depends on the values of events as nodes of the value function under construction. Definitions, arguments and members are
//! evaluated on demand and once.

mod apply;
mod build;
mod builtin;
mod evaluate;
mod finish;
mod frame;
mod lifted;
mod recursive;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::core::{CallResult, Definition, Function, FunctionId, Output, Spec, Stream, StreamId};
use crate::files::Files;
use crate::place::{Origin, PathId, Place, Step};
use crate::report::Report;
use crate::typed::{Checked, OwnerId, Typed, VariableId, VariableKind};
use crate::types::Type;
use crate::value::Value;

use build::Builder;
use frame::{Frame, Val};

/// Expands a checked specification.
pub(crate) fn expand(files: &Files, checked: &Checked) -> Result<Spec, Vec<Report>> {
    let mut expander = Expander::new(files, checked);
    expander.run();
    let done = expander.finish();
    done.map_err(|()| expander.reports)
}

/// Expansion cannot go on; the report is made.
#[derive(Debug)]
struct Stop;

type Expanded<T> = Result<T, Stop>;

struct Expander<'a> {
    files: &'a Files,
    checked: &'a Checked,
    top: Rc<Frame>,
    /// Every frame, so that references in a circle can be cut in the end.
    frames: Vec<Rc<Frame>>,
    streams: Vec<Stream>,
    inputs: Vec<StreamId>,
    outputs: Vec<Output>,
    assertions: Vec<crate::core::Assertion>,
    functions: Vec<Option<Function>>,
    builders: Vec<Builder>,
    steps: Vec<Step>,
    results: Vec<CallResult>,
    constants: FxHashMap<(Value, Type), StreamId>,
    nils: FxHashMap<Type, StreamId>,
    unit: Option<StreamId>,
    /// Streams that were needed while they were being expanded.
    placeholders: FxHashMap<StreamId, Placeholder>,
    /// What is being evaluated, outermost first.
    references: Vec<Reference>,
    recursive: recursive::Recursive,
    depth: u32,
    reports: Vec<Report>,
}

struct Placeholder {
    target: Option<StreamId>,
    /// The expression that needs itself.
    body: Place,
    /// The names through which it does, innermost first.
    references: Vec<Place>,
}

struct Reference {
    frame: *const Frame,
    variable: VariableId,
    place: Place,
}

/// Where evaluation stands: the calls so far and the function under construction.
#[derive(Clone, Copy)]
struct Context {
    path: PathId,
    builder: Option<usize>,
}

impl<'a> Expander<'a> {
    fn new(files: &'a Files, checked: &'a Checked) -> Expander<'a> {
        let top = Frame::new(OwnerId::TOP, None, Vec::new(), Context { path: PathId::ROOT, builder: None });
        let root = Step { parent: PathId::ROOT, call: Place::default(), name: String::new() };
        Expander {
            files,
            checked,
            top: top.clone(),
            frames: vec![top],
            streams: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            assertions: Vec::new(),
            functions: Vec::new(),
            builders: Vec::new(),
            steps: vec![root],
            results: Vec::new(),
            constants: FxHashMap::default(),
            nils: FxHashMap::default(),
            unit: None,
            placeholders: FxHashMap::default(),
            references: Vec::new(),
            recursive: recursive::Recursive::default(),
            depth: 0,
            reports: Vec::new(),
        }
    }

    /// Expands inputs, definitions, outputs and assertions. What stops is reported; the rest goes on.
    fn run(&mut self) {
        let (top, checked) = (self.top.clone(), self.checked);
        for (position, id) in checked.inputs.iter().enumerate() {
            let variable = &checked.variables[id.0 as usize];
            let VariableKind::Input(element, place) = &variable.kind else { continue };
            let origin = Origin { place: *place, path: PathId::ROOT };
            let element = self.resolve(element, &top);
            let stream = self.stream(Definition::Input(position as u32), element, origin);
            self.streams[stream.0 as usize].name = Some(variable.name.to_string());
            self.inputs.push(stream);
            top.set(*id, Val::Stream(stream));
        }
        for id in &checked.definitions {
            let is_plain =
                checked.definition(*id).is_some_and(|def| def.parameters.is_none() && def.generics.is_empty());
            if is_plain {
                let place = self.body_place(*id);
                self.force(&top, *id, place).ok();
            }
        }
        for output in &checked.outputs {
            let Ok(stream) = self.stream_of(&output.value, &top) else { continue };
            let origin = Origin { place: output.place, path: PathId::ROOT };
            self.outputs.push(Output { stream, name: output.name.clone(), origin });
        }
        for (quantor, value, place) in &checked.assertions {
            let Ok(stream) = self.stream_of(value, &top) else { continue };
            let origin = Origin { place: *place, path: PathId::ROOT };
            self.assertions.push(crate::core::Assertion { quantor: *quantor, stream, origin });
        }
    }

    fn stream_of(&mut self, expr: &Rc<Typed>, env: &Rc<Frame>) -> Expanded<StreamId> {
        match self.evaluate(expr, env)? {
            Val::Stream(stream) => Ok(stream),
            Val::Value(_) | Val::Node(_) | Val::Object(_) | Val::Closure(_) | Val::Lifted(_) => {
                self.stop(&crate::codes::UNSUPPORTED, expr.place, "this expression does not expand to a stream")
            }
        }
    }

    fn stop<T>(&mut self, code: &'static source::Code, place: Place, message: impl Into<String>) -> Expanded<T> {
        self.reports.push(Report::error(code, place, message));
        Err(Stop)
    }

    fn stream(&mut self, definition: Definition, element: Type, origin: Origin) -> StreamId {
        self.streams.push(Stream { definition, element, name: None, origin });
        StreamId(self.streams.len() as u32 - 1)
    }

    fn nil(&mut self, element: Type, origin: Origin) -> StreamId {
        if let Some(known) = self.nils.get(&element) {
            return *known;
        }
        let stream = self.stream(Definition::Nil, element.clone(), origin);
        self.nils.insert(element, stream);
        stream
    }

    /// The stream with one event at time 0.
    fn constant(&mut self, value: Value, element: Type, origin: Origin) -> StreamId {
        if let Some(known) = self.constants.get(&(value.clone(), element.clone())) {
            return *known;
        }
        let unit = match self.unit {
            Some(unit) => unit,
            None => {
                let unit = self.stream(Definition::Unit, Type::unit(), origin);
                *self.unit.insert(unit)
            }
        };
        let stream = if matches!(value, Value::Unit) {
            unit
        } else {
            let builder = self.new_builder(vec![Type::unit()]);
            let root = self.constant_node(builder, value.clone(), element.clone(), origin);
            let function = self.finish_function(builder, root, None);
            self.stream(Definition::SignalLift { arguments: vec![unit], function }, element.clone(), origin)
        };
        self.constants.insert((value, element), stream);
        stream
    }

    fn new_function(&mut self) -> FunctionId {
        self.functions.push(None);
        FunctionId(self.functions.len() as u32 - 1)
    }

    fn step(&mut self, parent: PathId, call: Place, name: &str) -> PathId {
        self.steps.push(Step { parent, call, name: name.to_owned() });
        PathId(self.steps.len() as u32 - 1)
    }
}
