//! The parts of a harness: a file of the program, and behind it what knows its types.

use std::fmt::Write;

use super::super::after::Built;
use super::super::{Cut, Input, InputKind, Test, Tests};
use super::after::DECLARATIONS;
use super::names::quoted;
use super::position::{Setting, offset, setting};
use super::world::World;
use super::{Numbered, Sources, Undefined, Unit, base, declare, include, is_anonymous, literal, number_literal};

/// What the ends of the copies are made from.
pub(super) struct Part<'a> {
    pub(super) suite: &'a Tests,
    pub(super) sources: &'a Sources,
    pub(super) tests: &'a [Numbered<'a>],
    pub(super) world: &'a World,
}

impl Part<'_> {
    /// The part for a file of the program: the file as it is now, or a copy in which local inputs are set, and what follows it.
    pub(super) fn copy(&self, at: usize) -> String {
        let unit = &self.sources.files[at];
        // The harness has a `main` of its own.
        let mut copy = "#define main specimen_entry_main\n".to_owned();
        let locals = self.locals();
        let here: Vec<&Input> =
            locals.into_iter().filter(|input| base(&input.place.file) == base(&unit.name)).collect();
        match self.included(at).filter(|_| here.is_empty()) {
            Some(line) => copy.push_str(&line),
            None => copied(&mut copy, unit, &here),
        }
        copy.push_str("\n#line 1 \"the tests\"\nextern int specimen_test;\n");
        copy.push_str(DECLARATIONS);
        if at == self.home() {
            self.definitions(&mut copy);
        }
        self.globals(&mut copy, at);
        self.statics(&mut copy, at);
        if at == self.home() {
            self.calls_missing(&mut copy);
            self.call(&mut copy);
        }
        copy
    }

    /// The line that includes a file: by its name alone where no other file has that name.
    fn included(&self, at: usize) -> Option<String> {
        let unit = &self.sources.files[at];
        let folder = unit.folder.as_ref()?;
        let name = base(&unit.name);
        let alone = self.sources.files.iter().filter(|other| base(&other.name) == name).count() == 1;
        include(&if alone { name.to_owned() } else { format!("{folder}/{name}") })
    }

    /// The file of the entry function.
    pub(super) fn home(&self) -> usize {
        let place = base(&self.suite.entry.place.file);
        self.sources.files.iter().position(|unit| base(&unit.name) == place).unwrap_or(0)
    }

    /// The local inputs of all tests, each as its first test has it.
    fn locals(&self) -> Vec<&Input> {
        let mut found: Vec<&Input> = Vec::new();
        for (_, test) in self.tests {
            for input in test.inputs.iter().filter(|input| input.kind == InputKind::Local) {
                if !found.iter().any(|known| known.name == input.name && known.place == input.place) {
                    found.push(input);
                }
            }
        }
        found
    }

    /// What the program leaves undefined, and what gives local inputs their values.
    fn definitions(&self, text: &mut String) {
        for name in &self.sources.undefined_variables {
            if self.world.changes(name) {
                // The handler of accesses must not touch these pages itself.
                let _ = writeln!(
                    text,
                    "__attribute__((aligned(4096))) char specimen_page_{name}[(sizeof {name} + 4095) / 4096 * 4096];\n\
                     extern __typeof__({name}) {name} __attribute__((alias(\"specimen_page_{name}\")));"
                );
                continue;
            }
            let _ = writeln!(text, "__typeof__({name}) {name};");
        }
        for declaration in &self.sources.declarations {
            let _ = writeln!(text, "{declaration};");
        }
        for function in &self.sources.undefined {
            if function.never_returns {
                let head = declare(&function.result, &format!("{}({})", function.name, function.parameters));
                let _ = writeln!(text, "{head}\n{{\n  void specimen_stop(void);\n  specimen_stop();\n}}\n");
                continue;
            }
            self.stub(text, function);
        }
        for local in self.locals() {
            let head = declare(&local.ty, &format!("{}(void)", getter(local)));
            let _ = writeln!(
                text,
                "static int {0}_set;\n{head}\n{{\n  {0}_set = 1;\n  switch (specimen_test) {{",
                getter(local)
            );
            for (number, test) in self.tests {
                let same = |input: &&Input| {
                    input.kind == InputKind::Local && input.name == local.name && input.place == local.place
                };
                if let Some(input) = test.inputs.iter().find(same) {
                    let _ = writeln!(text, "  case {number}: return {};", literal(input));
                }
            }
            text.push_str("  }\n  return 0;\n}\n\n");
        }
    }

    /// A function without a body: it returns its values one after the other, the last one again and again.
    fn stub(&self, text: &mut String, function: &Undefined) {
        let Undefined { result, name, parameters, watched, .. } = function;
        let _ = writeln!(text, "{}\n{{", declare(result, &format!("{name}({parameters})")));
        if *watched {
            self.called(text, function);
        }
        if result == "void" {
            text.push_str("}\n\n");
            return;
        }
        let called = format!("{name}()");
        text.push_str(
            "  static int next;\n  int turn = next++;\n  void specimen_stop(void);\n  switch (specimen_test) {\n",
        );
        for (number, test) in self.tests {
            let values: Vec<String> = test
                .inputs
                .iter()
                .filter(|input| input.kind == InputKind::Result && input.name == called)
                .map(literal)
                .collect();
            let cut = test.expected.cut == Some(Cut::Inputs);
            if values.is_empty() {
                if cut {
                    let _ = writeln!(text, "  case {number}: specimen_stop();");
                }
                continue;
            }
            let table = declare(result, "values[]");
            let _ = writeln!(text, "  case {number}: {{\n    static {table} = {{ {} }};", values.join(", "));
            if cut {
                let _ = writeln!(text, "    if (turn >= {}) specimen_stop();", values.len());
            }
            let _ = writeln!(text, "    return values[turn < {0} ? turn : {0} - 1];\n  }}", values.len());
        }
        let _ = writeln!(text, "  }}\n  return {};\n}}\n", zero(result));
    }

    /// The function that sets the globals that a file knows.
    fn globals(&self, text: &mut String, at: usize) {
        let name = &self.sources.files[at].name;
        let ours = |input: &&Input| {
            let file = base(&input.place.file);
            let known = self.sources.files.iter().any(|other| base(&other.name) == file);
            let set = input.kind == InputKind::Global && !self.world.feeds(input);
            set && (file == base(name) || (!known && at == self.home()))
        };
        let _ = writeln!(text, "void specimen_globals_{at}(void)\n{{\n  switch (specimen_test) {{");
        for (number, test) in self.tests {
            let mut lines = String::new();
            for input in test.inputs.iter().filter(ours) {
                let (root, _) = root(&input.name);
                let _ = writeln!(lines, "    {} = {};", place(input, root), literal(input));
            }
            if !lines.is_empty() {
                let _ = writeln!(text, "  case {number}:\n{lines}    break;");
            }
        }
        text.push_str("  }\n}\n\n");
    }

    /// The call of the entry function, with objects built for pointers; says whether all is as expected.
    fn call(&self, text: &mut String) {
        text.push_str("int specimen_differs(const char *expected);\nint specimen_passed_by(const char *name);\n");
        for at in 0..self.sources.files.len() {
            let _ = writeln!(
                text,
                "void specimen_globals_{at}(void);\nvoid specimen_before_{at}(void);\nint specimen_after_{at}(void);"
            );
        }
        if self.world.is_needed() {
            self.feeding(text);
        }
        text.push_str("int specimen_call(void)\n{\n");
        for at in 0..self.sources.files.len() {
            let _ = writeln!(text, "  specimen_globals_{at}();\n  specimen_before_{at}();");
        }
        if self.world.is_needed() {
            text.push_str("  specimen_world();\n");
        }
        text.push_str("  switch (specimen_test) {\n");
        for (number, test) in self.tests {
            let _ = writeln!(text, "  case {number}: {{\n    int specimen_wrong = 0;");
            self.calls_of(text, test);
            text.push_str("    return specimen_wrong ? 4 : 0;\n  }\n");
        }
        text.push_str("  }\n  return 3;\n}\n");
    }

    /// The calls of one test, and what is compared behind the last.
    fn calls_of(&self, text: &mut String, test: &Test) {
        let entry = &self.suite.entry;
        for earlier in 0..test.more_calls {
            text.push_str("    {\n");
            let (arguments, _) = self.arguments(text, &of_call(&test.inputs, earlier));
            let _ = writeln!(text, "    (void){}({});\n    }}", entry.name, arguments.join(", "));
        }
        let (arguments, objects) = self.arguments(text, &of_call(&test.inputs, test.more_calls));
        let named = |at: &Built| in_call(&at.name, test.more_calls);
        let objects: Vec<(String, String)> = test
            .objects
            .iter()
            .filter_map(|object| {
                Some((object.name.clone(), objects.iter().find(|(name, _)| *name == named(object))?.1.clone()))
            })
            .collect();
        self.keep(text, test, &objects);
        let call = format!("{}({})", entry.name, arguments.join(", "));
        match self.result_condition(test) {
            None => {
                let _ = writeln!(text, "    {call};");
            }
            Some(condition) => {
                let head = match is_anonymous(&entry.result) {
                    true => format!("__typeof__({call}) specimen_result"),
                    false => declare(&entry.result, "specimen_result"),
                };
                let _ = writeln!(text, "    {head} = {call};");
                text.push_str(&condition);
            }
        }
        for input in test.inputs.iter().filter(|input| input.kind == InputKind::Local) {
            let _ = writeln!(
                text,
                "    if (!{}_set)\n      return specimen_passed_by({});",
                getter(input),
                quoted(&input.name)
            );
        }
        self.compare_objects(text, test);
        for at in 0..self.sources.files.len() {
            let _ = writeln!(text, "    specimen_wrong |= specimen_after_{at}();");
        }
    }

    /// What compares the result of a test; none where it is not looked at.
    fn result_condition(&self, test: &Test) -> Option<String> {
        let entry = &self.suite.entry;
        let differs = |holds: String, value: &str| {
            format!("    if (!({holds}))\n      specimen_wrong |= specimen_differs({});\n", quoted(value))
        };
        match (&test.expected.returns, &test.expected.pointer) {
            // Only a function called `main` returns 0 where it just ends, and this one is called otherwise.
            (Some(value), _) if can_be_compared(&entry.result, value) && (entry.name != "main" || value != "0") => {
                let expected = format!("({})({})", entry.result, number_literal(value));
                Some(differs(format!("specimen_result == {expected}"), value))
            }
            (_, Some(wanted)) if entry.result.contains('*') => {
                let value = test.expected.returns.as_deref().unwrap_or("an object");
                self.passed("specimen_result", wanted).map(|holds| differs(holds, value))
            }
            _ => test.expected.looks_at_result().then(String::new),
        }
    }

    /// Declares what a test calls the entry function with; the arguments, and the objects that pointers point to, by name.
    fn arguments(&self, text: &mut String, inputs: &[Input]) -> (Vec<String>, Vec<(String, String)>) {
        let parameters = &self.suite.entry.parameters;
        let (mut arguments, mut objects) = (Vec::new(), Vec::new());
        for (at, (ty, name)) in parameters.iter().enumerate() {
            let own = argument(at, name);
            let given = inputs.iter().find(|input| input.kind == InputKind::Parameter && input.name == *name);
            match given {
                Some(input) if input.value.starts_with("new[") => {
                    let count = count(&input.value);
                    let _ = writeln!(text, "    {} = specimen_filled({count}, sizeof *{own});", pointer(ty, &own));
                    objects.push((name.clone(), own.clone()));
                    arguments.push(format!("(void *){own}"));
                    continue;
                }
                Some(input) => {
                    let _ = writeln!(text, "    {} = {};", declare(ty, &own), literal(input));
                }
                None => {
                    let _ = writeln!(text, "    {} = {{ 0 }};", declare(ty, &own));
                }
            }
            arguments.push(own);
        }
        for input in inputs.iter().filter(|input| input.kind == InputKind::Object || is_part(input)) {
            let (root, _) = root(&input.name);
            let own = parameters.iter().position(|(_, name)| name == root).map(|at| argument(at, root));
            let target = place(input, own.as_deref().unwrap_or(root));
            if input.value.starts_with("new[") {
                let size = if is_void_pointer(&input.ty) { "1".to_owned() } else { format!("sizeof *{target}") };
                let _ = writeln!(text, "    {target} = specimen_filled({}, {size});", count(&input.value));
                objects.push((input.name.clone(), target));
            } else {
                let _ = writeln!(text, "    {target} = {};", literal(input));
            }
        }
        (arguments, objects)
    }
}

/// The inputs of one call of the entry function, under the names they have in it.
fn of_call(inputs: &[Input], call: u32) -> Vec<Input> {
    let own = inputs.iter().filter(|input| input.call == call);
    own.map(|input| Input { name: in_call(&input.name, call), ..input.clone() }).collect()
}

/// The name that a part has in a call: names of later calls have the number of the call behind the parameter.
fn in_call(name: &str, call: u32) -> String {
    let (root, rest) = root(name);
    let rest = if call == 0 { rest } else { rest.strip_prefix(&format!("@{}", call + 1)).unwrap_or(rest) };
    format!("{root}{rest}")
}

/// A copy of a file in which local inputs are set.
fn copied(copy: &mut String, unit: &Unit, locals: &[&Input]) {
    for local in locals {
        let _ = writeln!(copy, "extern {};", declare(&local.ty, &format!("{}(void)", getter(local))));
    }
    let _ = writeln!(copy, "#line 1 {}", quoted(&unit.name));
    let mut insertions: Vec<(usize, String)> = Vec::new();
    for local in locals {
        let whole = root(&local.name).1.is_empty();
        match setting(&unit.text, offset(&unit.text, local.place.line, local.place.column), whole) {
            Some(Setting::Behind(at)) => {
                let (root, _) = root(&local.name);
                insertions.push((at, format!(" {} = {}();", place(local, root), getter(local))));
            }
            Some(Setting::Initialiser(at)) => insertions.push((at, format!(" = {}()", getter(local)))),
            None => {}
        }
    }
    insertions.sort_by_key(|(at, _)| *at);
    let mut from = 0;
    for (at, words) in insertions {
        copy.push_str(&unit.text[from..at]);
        copy.push_str(&words);
        from = at;
    }
    copy.push_str(&unit.text[from..]);
}

/// The variable for an argument: a parameter may have the name of its function.
fn argument(at: usize, name: &str) -> String {
    if name.is_empty() { format!("argument_{at}") } else { format!("argument_{name}") }
}

/// A pointer to what a parameter points to, which is set whatever is constant about it.
fn pointer(ty: &str, name: &str) -> String {
    if ty.contains("(*") {
        return declare(ty, name);
    }
    let own = ty.trim_end().trim_end_matches("const").trim_end_matches("volatile").trim_end();
    let element = own.trim_end_matches("const").trim_end().strip_suffix('*').unwrap_or(own).trim_end();
    let element = element.trim_start_matches("const ");
    if element == "void" { format!("unsigned char *{name}") } else { format!("{element} *{name}") }
}

/// The variable that a part belongs to, and how it goes on.
pub(super) fn root(name: &str) -> (&str, &str) {
    name.split_at(name.find(['.', '[', '@', '(']).unwrap_or(name.len()))
}

/// An input as something that can be assigned to, with the name that its variable has here.
pub(super) fn place(input: &Input, variable: &str) -> String {
    if !input.raw.is_empty() {
        return input.raw.replace('@', variable);
    }
    let name = format!("{variable}{}", root(&input.name).1);
    // What a pointer to constants points to is set all the same.
    if is_plain(&input.ty) { format!("*({} *)&{name}", input.ty.trim_start_matches("const ")) } else { name }
}

fn is_void_pointer(ty: &str) -> bool {
    ty.split(['*', ' ']).all(|word| matches!(word, "" | "void" | "const" | "volatile")) && ty.matches('*').count() == 1
}

/// A value of a type with nothing in it.
fn zero(ty: &str) -> String {
    if ty.contains(['(', '[']) { "0".to_owned() } else { format!("({ty}){{ 0 }}") }
}

/// The number of elements of `new[n]`.
fn count(value: &str) -> &str {
    value.trim_start_matches("new[").trim_end_matches(']')
}

/// Whether a type is written in front of what has it, and its objects have addresses: no bit-field hides behind it.
fn is_plain(ty: &str) -> bool {
    ty.starts_with("const ") && !ty.contains(['(', '[', ':'])
}

/// Whether an input is a part of a structure that is an argument.
fn is_part(input: &Input) -> bool {
    input.kind == InputKind::Parameter && input.name.contains(['.', '[', '@'])
}

/// Whether a result can be compared with a value that C can write.
fn can_be_compared(ty: &str, value: &str) -> bool {
    let number = value.trim_start_matches('-');
    let is_number = number.starts_with(|c: char| c.is_ascii_digit());
    is_number && ty != "void" && !ty.contains(['*', '[', '(']) && ty != "long double"
}

/// The function of the harness that gives a local input its value.
fn getter(input: &Input) -> String {
    let plain: String = input.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("specimen_local_{}_{}_{plain}", input.place.line, input.place.column)
}
