//! The copies of the sources, and the part at the end of each that knows the types of the program.

use std::fmt::Write;

use super::super::{Cut, Input, InputKind, Tests};
use super::{Numbered, Sources, base, declare, literal};

/// What the ends of the copies are made from.
pub(super) struct Part<'a> {
    pub(super) suite: &'a Tests,
    pub(super) sources: &'a Sources,
    pub(super) tests: &'a [Numbered<'a>],
}

impl Part<'_> {
    /// A copy of a source file: `main` renamed, local inputs set behind their declarations, and the part behind it.
    pub(super) fn copy(&self, at: usize) -> String {
        let (name, text) = &self.sources.files[at];
        let mut copy = String::new();
        // The harness has a `main` of its own.
        let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        if words.any(|word| word == "main") {
            copy.push_str("#define main specimen_entry_main\n");
        }
        let locals = self.locals();
        let here: Vec<&&Input> = locals.iter().filter(|input| base(&input.place.file) == base(name)).collect();
        for local in &here {
            let _ = writeln!(copy, "extern {};", declare(&local.ty, &format!("{}(void)", getter(local))));
        }
        let _ = writeln!(copy, "#line 1 \"{name}\"");
        let mut insertions: Vec<(usize, String)> = Vec::new();
        for local in here {
            let before: usize =
                text.split_inclusive('\n').take(local.place.line.saturating_sub(1) as usize).map(str::len).sum();
            let at = (before + local.place.column.saturating_sub(1) as usize).min(text.len());
            if let Some(end) = declaration_end(text, at) {
                insertions.push((end, format!(" {} = {}();", local.name, getter(local))));
            }
        }
        insertions.sort_by_key(|(at, _)| *at);
        let mut from = 0;
        for (at, words) in insertions {
            copy.push_str(&text[from..at]);
            copy.push_str(&words);
            from = at;
        }
        copy.push_str(&text[from..]);
        copy.push_str("\n#line 1 \"the tests\"\nextern int specimen_test;\n");
        if at == self.home() {
            self.definitions(&mut copy);
        }
        self.globals(&mut copy, at);
        if at == self.home() {
            self.call(&mut copy);
        }
        copy
    }

    /// The file of the entry function.
    fn home(&self) -> usize {
        let place = base(&self.suite.entry.place.file);
        self.sources.files.iter().position(|(name, _)| base(name) == place).unwrap_or(0)
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
            let _ = writeln!(text, "__typeof__({name}) {name};");
        }
        for function in &self.sources.undefined {
            if function.never_returns {
                let head = declare(&function.result, &format!("{}({})", function.name, function.parameters));
                let _ = writeln!(text, "{head}\n{{\n  void specimen_stop(void);\n  specimen_stop();\n}}\n");
                continue;
            }
            self.stub(text, &function.result, &function.name, &function.parameters);
        }
        for local in self.locals() {
            let head = declare(&local.ty, &format!("{}(void)", getter(local)));
            let _ = writeln!(text, "{head}\n{{\n  switch (specimen_test) {{");
            for (number, test) in self.tests {
                let same = |input: &&Input| {
                    input.kind == InputKind::Local && input.name == local.name && input.place == local.place
                };
                if let Some(input) = test.inputs.iter().find(same) {
                    let _ = writeln!(text, "  case {number}: return {};", literal(&input.value));
                }
            }
            text.push_str("  }\n  return 0;\n}\n\n");
        }
    }

    /// A function without a body: it returns its values one after the other, the last one again and again.
    fn stub(&self, text: &mut String, result: &str, name: &str, parameters: &str) {
        let _ = writeln!(text, "{}\n{{", declare(result, &format!("{name}({parameters})")));
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
                .map(|input| literal(&input.value))
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
        let zero = if is_aggregate(result) { format!("({result}){{ 0 }}") } else { "0".to_owned() };
        let _ = writeln!(text, "  }}\n  return {zero};\n}}\n");
    }

    /// The function that sets the globals that a file knows.
    fn globals(&self, text: &mut String, at: usize) {
        let name = &self.sources.files[at].0;
        let ours = |input: &&Input| {
            let file = base(&input.place.file);
            let known = self.sources.files.iter().any(|(other, _)| base(other) == file);
            input.kind == InputKind::Global && (file == base(name) || (!known && at == self.home()))
        };
        let _ = writeln!(text, "void specimen_globals_{at}(void)\n{{\n  switch (specimen_test) {{");
        for (number, test) in self.tests {
            let mut lines = String::new();
            for input in test.inputs.iter().filter(ours) {
                let _ = writeln!(lines, "    {} = {};", input.name, literal(&input.value));
            }
            if !lines.is_empty() {
                let _ = writeln!(text, "  case {number}:\n{lines}    break;");
            }
        }
        text.push_str("  }\n}\n\n");
    }

    /// The call of the entry function, with objects built for pointers; says whether the result is the expected one.
    fn call(&self, text: &mut String) {
        let entry = &self.suite.entry;
        text.push_str("int specimen_differs(const char *expected);\n");
        for at in 0..self.sources.files.len() {
            let _ = writeln!(text, "void specimen_globals_{at}(void);");
        }
        text.push_str("int specimen_call(void)\n{\n");
        for at in 0..self.sources.files.len() {
            let _ = writeln!(text, "  specimen_globals_{at}();");
        }
        text.push_str("  switch (specimen_test) {\n");
        let names: Vec<&str> = entry.parameters.iter().map(|(_, name)| name.as_str()).collect();
        for (number, test) in self.tests {
            let _ = writeln!(text, "  case {number}: {{");
            self.arguments(text, &test.inputs);
            let call = format!("{}({})", entry.name, names.join(", "));
            match &test.expected.returns {
                // Only a function called `main` returns 0 where it just ends, and this one is called otherwise.
                Some(value) if can_be_compared(&entry.result, value) && (entry.name != "main" || value != "0") => {
                    let _ = writeln!(text, "    {} = {call};", declare(&entry.result, "specimen_result"));
                    let expected = format!("({})({})", entry.result, literal(value));
                    let _ = writeln!(
                        text,
                        "    return specimen_result == {expected} ? 0 : specimen_differs(\"{value}\");\n  }}"
                    );
                }
                Some(_) | None => {
                    let _ = writeln!(text, "    {call};\n    return 0;\n  }}");
                }
            }
        }
        text.push_str("  }\n  return 3;\n}\n");
    }

    fn arguments(&self, text: &mut String, inputs: &[Input]) {
        for (ty, name) in &self.suite.entry.parameters {
            match inputs.iter().find(|input| input.kind == InputKind::Parameter && input.name == *name) {
                Some(input) if input.value.starts_with("new[") => {
                    let count = count(&input.value);
                    let element = ty.trim_end().trim_end_matches('*').trim_end().trim_start_matches("const ");
                    let calloc = format!("__builtin_calloc({count}, sizeof *{name})");
                    let _ = writeln!(text, "    {element} *{name} = {calloc};");
                }
                Some(input) => {
                    let _ = writeln!(text, "    {} = {};", declare(ty, name), literal(&input.value));
                }
                None if is_aggregate(ty) => {
                    let _ = writeln!(text, "    {} = {{ 0 }};", declare(ty, name));
                }
                None => {
                    let _ = writeln!(text, "    {} = 0;", declare(ty, name));
                }
            }
        }
        for input in inputs.iter().filter(|input| input.kind == InputKind::Object || is_part(input)) {
            if input.value.starts_with("new[") {
                let count = count(&input.value);
                let _ = writeln!(text, "    {0} = __builtin_calloc({count}, sizeof *{0});", input.name);
            } else {
                // What a pointer to constants points to is set all the same.
                let plain = input.ty.trim_start_matches("const ");
                let place = format!("*({plain} *)&{}", input.name);
                let place = if is_plain(&input.ty) { place } else { input.name.clone() };
                let _ = writeln!(text, "    {place} = {};", literal(&input.value));
            }
        }
    }
}

/// The number of elements of `new[n]`.
fn count(value: &str) -> &str {
    value.trim_start_matches("new[").trim_end_matches(']')
}

/// Whether a type is written in front of what has it, and its objects have addresses: no bit-field hides behind it.
fn is_plain(ty: &str) -> bool {
    ty.starts_with("const ") && !ty.contains(['(', '[', ':'])
}

fn is_aggregate(ty: &str) -> bool {
    let ty = ty.trim_start_matches("const ");
    (ty.starts_with("struct ") || ty.starts_with("union ")) && !ty.contains('*')
}

/// Whether an input is a part of a structure that is an argument.
fn is_part(input: &Input) -> bool {
    input.kind == InputKind::Parameter && input.name.contains(['.', '['])
}

/// Whether a result can be compared with a value that C can write.
fn can_be_compared(ty: &str, value: &str) -> bool {
    let number = value.trim_start_matches('-');
    let is_number = number.starts_with(|c: char| c.is_ascii_digit());
    is_number && ty != "void" && !ty.contains(['*', '[', '(']) && !is_aggregate(ty) && ty != "long double"
}

/// The function of the harness that gives a local input its value.
fn getter(input: &Input) -> String {
    let plain: String = input.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("specimen_local_{}_{}_{plain}", input.place.line, input.place.column)
}

/// Where the declaration that a place lies in ends: behind its semicolon.
fn declaration_end(text: &str, from: usize) -> Option<usize> {
    let mut depth = 0i32;
    for (at, byte) in text.bytes().enumerate().skip(from) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b';' if depth <= 0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}
