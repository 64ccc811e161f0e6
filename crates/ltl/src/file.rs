//! `.ltl` files: declarations of signals, then assumptions, guarantees and faults; and Acacia's partition files.
//!
//! ```text
//! input c;  output h, f;  hidden mode;  target moore;
//! let busy = h | f;
//! assume name: G F !c;
//! guarantee G !(f & h);
//! fault stuck_at_0 on f, h at FG, G;
//! symmetric f = h, c = !c;
//! G (c -> F f)
//! ```

use source::{Diagnostic, Source, Span};

use crate::codes;
use crate::lex::Token;
use crate::parse::Reader;
use crate::spec::{FaultDeclaration, FaultKind, Frequency, Property, Role, Signal, Spec, Target, implication};
use crate::symmetry::{self, Symmetry};
use omega::{AtomId, Formula, Formulas};
use source::nearest;

/// A specification and warnings about it, or what is wrong with it.
pub type Loaded = Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>>;

/// The words that begin a statement.
const KEYWORDS: [&str; 17] = [
    "input",
    "inputs",
    "output",
    "outputs",
    "hidden",
    "assume",
    "assumption",
    "guarantee",
    "assert",
    "let",
    "fault",
    "mutant",
    "target",
    "symmetric",
    "on",
    "at",
    "model",
];

/// Whether a word begins a statement.
pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Reads an `.ltl` file; `partition` is the text of a file that says which signals are inputs and outputs.
///
/// # Errors
/// What is wrong with the text, at least one error.
pub(crate) fn load_ltl(source: &Source, partition: Option<&Source>) -> Loaded {
    let mut file = File { formulas: Formulas::new(), ..File::default() };
    let read = partition.map_or(Ok(()), |partition| file.partition(partition));
    let read = read.and_then(|()| file.statements(source));
    read.map_err(|error| vec![error])?;
    file.finish(source)
}

#[derive(Default)]
struct File {
    formulas: Formulas,
    signals: Vec<Signal>,
    definitions: Vec<(AtomId, Formula)>,
    assumptions: Vec<Property>,
    guarantees: Vec<Property>,
    faults: Vec<FaultDeclaration>,
    symmetries: Vec<Symmetry>,
    target: Option<Target>,
    errors: Vec<Diagnostic>,
}

impl File {
    fn partition(&mut self, source: &Source) -> Result<(), Diagnostic> {
        let mut reader = Reader::new(source);
        while reader.token()? != Token::End {
            let role = match (reader.token()?, reader.text().trim_start_matches('.')) {
                (Token::Directive | Token::Name, "inputs" | "input") => Role::Input,
                (Token::Directive | Token::Name, "outputs" | "output") => Role::Output,
                (Token::Directive | Token::Name, "hidden") => Role::Hidden,
                _ => return Err(reader.unexpected("`.inputs` or `.outputs`")),
            };
            reader.advance();
            reader.accept(Token::Colon);
            while matches!(reader.token()?, Token::Name | Token::Quoted) && !is_keyword(reader.text()) {
                self.declare(&mut reader, role)?;
                reader.accept(Token::Comma);
            }
            reader.accept(Token::Semicolon);
        }
        Ok(())
    }

    fn statements(&mut self, source: &Source) -> Result<(), Diagnostic> {
        let mut reader = Reader::new(source);
        while reader.token()? != Token::End {
            if reader.accept(Token::Semicolon) {
                continue;
            }
            self.statement(&mut reader)?;
            if reader.token()? != Token::End {
                reader.expect(Token::Semicolon, "an operator or `;`")?;
            }
        }
        Ok(())
    }

    fn statement(&mut self, reader: &mut Reader<'_>) -> Result<(), Diagnostic> {
        let start = reader.span();
        // Acacia names its units in brackets: `[spec_unit u1]`.
        while reader.token()? == Token::OpenBracket {
            while !reader.accept(Token::CloseBracket) {
                if reader.token()? == Token::End {
                    return Err(reader.unexpected("`]`"));
                }
                reader.advance();
            }
            if reader.token()? == Token::End {
                return Ok(());
            }
        }
        let word = if reader.token()? == Token::Name { reader.text() } else { "" };
        match word {
            "input" | "inputs" => self.declarations(reader, Role::Input),
            "output" | "outputs" => self.declarations(reader, Role::Output),
            "hidden" => self.declarations(reader, Role::Hidden),
            "target" => {
                reader.advance();
                self.target = Some(match reader.text() {
                    "mealy" | "Mealy" => Target::Mealy,
                    "moore" | "Moore" => Target::Moore,
                    _ => return Err(reader.unexpected("`mealy` or `moore`")),
                });
                reader.advance();
                Ok(())
            }
            "let" => self.definition(reader),
            "symmetric" => {
                reader.advance();
                self.symmetries.push(symmetry::read(reader, &mut self.formulas)?);
                Ok(())
            }
            "fault" => self.fault(reader, start),
            "mutant" => {
                reader.advance();
                let name = label(reader)?;
                let formula = self.formula(reader)?;
                let kind = FaultKind::Mutant(formula);
                let span = start.join(reader.last_span());
                self.faults.push(FaultDeclaration { name, kind, signals: Vec::new(), frequencies: Vec::new(), span });
                Ok(())
            }
            "assume" | "assumption" => {
                reader.advance();
                let property = self.property(reader, "assumption", self.assumptions.len(), start)?;
                self.assumptions.push(property);
                Ok(())
            }
            _ => {
                if matches!(word, "guarantee" | "assert") {
                    reader.advance();
                }
                let property = self.property(reader, "guarantee", self.guarantees.len(), start)?;
                self.guarantees.push(property);
                Ok(())
            }
        }
    }

    fn property(
        &mut self,
        reader: &mut Reader<'_>,
        kind: &str,
        count: usize,
        start: Span,
    ) -> Result<Property, Diagnostic> {
        let name = label(reader)?.unwrap_or_else(|| format!("{kind} {}", count + 1));
        let formula = self.formula(reader)?;
        Ok(Property { name, formula, span: start.join(reader.last_span()) })
    }

    fn formula(&mut self, reader: &mut Reader<'_>) -> Result<Formula, Diagnostic> {
        let formula = reader.formula(&mut self.formulas)?;
        Ok(if self.definitions.is_empty() { formula } else { self.formulas.substitute(formula, &self.definitions) })
    }

    fn definition(&mut self, reader: &mut Reader<'_>) -> Result<(), Diagnostic> {
        reader.advance();
        let span = reader.span();
        let atom = self.name(reader)?;
        if !reader.accept(Token::Equals) {
            return Err(reader.unexpected("`=`"));
        }
        let known = self.signals.iter().any(|signal| signal.atom == atom);
        if known || self.definitions.iter().any(|(defined, _)| *defined == atom) {
            let message = format!("`{}` is declared twice", self.formulas.atom_name(atom));
            return Err(Diagnostic::error(&codes::DUPLICATE_NAME, span, message));
        }
        let formula = self.formula(reader)?;
        self.definitions.push((atom, formula));
        Ok(())
    }

    fn declarations(&mut self, reader: &mut Reader<'_>, role: Role) -> Result<(), Diagnostic> {
        reader.advance();
        reader.accept(Token::Colon);
        loop {
            if reader.token()? == Token::Semicolon {
                return Ok(());
            }
            self.declare(reader, role)?;
            reader.accept(Token::Comma);
            if !matches!(reader.token()?, Token::Name | Token::Quoted) {
                return Ok(());
            }
        }
    }

    fn declare(&mut self, reader: &mut Reader<'_>, role: Role) -> Result<(), Diagnostic> {
        let span = reader.span();
        let atom = self.name(reader)?;
        let name = self.formulas.atom_name(atom).to_owned();
        if let Some(first) = self.signals.iter().find(|signal| signal.atom == atom) {
            let error = Diagnostic::error(&codes::BOTH_SIDES, span, format!("`{name}` is declared twice"));
            self.errors.push(error.also(first.span, "declared here first"));
        } else {
            self.signals.push(Signal { name, atom, role, span });
        }
        Ok(())
    }

    fn name(&mut self, reader: &mut Reader<'_>) -> Result<AtomId, Diagnostic> {
        let text = reader.text();
        let name = match reader.token()? {
            Token::Name => text,
            Token::Quoted if 2 < text.len() => &text[1..text.len() - 1],
            _ => return Err(reader.unexpected("a name")),
        };
        let atom = self.formulas.atom_id(name);
        reader.advance();
        Ok(atom)
    }

    /// `fault [name:] stuck_at_0 on a, b at FG, G` or `fault [name:] formula on a` or `fault [name:] model formula on a`.
    fn fault(&mut self, reader: &mut Reader<'_>, start: Span) -> Result<(), Diagnostic> {
        reader.advance();
        let name = label(reader)?;
        let kind = match self.built_in(reader)? {
            Some(kind) => kind,
            None if reader.token()? == Token::Name && reader.text() == "model" => {
                reader.advance();
                FaultKind::Model(self.formula(reader)?)
            }
            None => FaultKind::Custom(self.formula(reader)?),
        };
        let mut signals = Vec::new();
        if reader.token()? == Token::Name && reader.text() == "on" {
            reader.advance();
            loop {
                let span = reader.span();
                signals.push((self.name(reader)?, span));
                if !reader.accept(Token::Comma) {
                    break;
                }
            }
        }
        let mut frequencies = Vec::new();
        if reader.token()? == Token::Name && reader.text() == "at" {
            reader.advance();
            loop {
                frequencies.push(frequency(reader)?);
                if !reader.accept(Token::Comma) {
                    break;
                }
            }
        }
        let span = start.join(reader.last_span());
        self.faults.push(FaultDeclaration { name, kind, signals, frequencies, span });
        Ok(())
    }

    fn built_in(&mut self, reader: &mut Reader<'_>) -> Result<Option<FaultKind>, Diagnostic> {
        if reader.token()? != Token::Name {
            return Ok(None);
        }
        let kind = match reader.text() {
            "stuck_at_0" => FaultKind::StuckAt0,
            "stuck_at_1" => FaultKind::StuckAt1,
            "flip" => FaultKind::Flip,
            "delay" => FaultKind::Delay,
            _ => return Ok(None),
        };
        reader.advance();
        Ok(Some(kind))
    }

    fn finish(mut self, source: &Source) -> Loaded {
        if self.guarantees.is_empty() && self.errors.is_empty() {
            let end = source.text().len();
            let error = Diagnostic::error(&codes::EMPTY, Span::new(0, end.min(1)), "this file holds no formula");
            return Err(vec![error.help("Write `guarantee G (request -> F grant);`.")]);
        }
        self.sides();
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let requirement = implication(&mut self.formulas, &self.assumptions, &self.guarantees);
        let mut spec = Spec {
            formulas: self.formulas,
            signals: self.signals,
            assumptions: self.assumptions,
            guarantees: self.guarantees,
            requirement,
            target: self.target.unwrap_or(Target::Mealy),
            faults: self.faults,
            symmetries: Vec::new(),
        };
        let wrong: Vec<Diagnostic> = (self.symmetries.iter())
            .filter_map(|symmetry| symmetry::check(&mut spec, symmetry).err())
            .map(|(error, part)| match part {
                Some(part) => error.also(part, "this part"),
                None => error,
            })
            .collect();
        if !wrong.is_empty() {
            return Err(wrong);
        }
        spec.symmetries = self.symmetries;
        Ok((spec, Vec::new()))
    }

    /// Every proposition of a formula has a side, or none has.
    fn sides(&mut self) {
        let open = self.signals.is_empty();
        let properties: Vec<(Formula, Span)> =
            self.assumptions.iter().chain(&self.guarantees).map(|property| (property.formula, property.span)).collect();
        for (formula, span) in properties {
            for atom in self.formulas.atoms_of([formula]) {
                if self.signals.iter().any(|signal| signal.atom == atom) {
                    continue;
                }
                let name = self.formulas.atom_name(atom).to_owned();
                if open {
                    self.signals.push(Signal { name, atom, role: Role::Open, span });
                    continue;
                }
                let mut error =
                    Diagnostic::error(&codes::NO_SIDE, span, format!("`{name}` is neither an input nor an output"));
                let split = name.trim_start_matches(['G', 'F', 'X']);
                error = match nearest(&name, self.signals.iter().map(|signal| signal.name.as_str())) {
                    _ if split != name && self.signals.iter().any(|signal| signal.name == split) => {
                        let operators = &name[..name.len() - split.len()];
                        let spaced: Vec<String> = operators.chars().map(|letter| letter.to_string()).collect();
                        error.help(format!("Write `{} {split}` with spaces.", spaced.join(" ")))
                    }
                    Some(near) => error.help(format!("Is `{near}` meant?")),
                    None => error.help(format!(
                        "Declare it: `input {name};` if the environment sets it, `output {name};` if the system does."
                    )),
                };
                self.errors.push(error);
            }
        }
    }
}

/// `name:` in front of a formula.
fn label(reader: &mut Reader<'_>) -> Result<Option<String>, Diagnostic> {
    if !matches!(reader.token()?, Token::Name | Token::Quoted) || reader.following() != Some(Token::Colon) {
        return Ok(None);
    }
    let name = reader.text().trim_matches('"').to_owned();
    reader.advance();
    reader.advance();
    Ok(Some(name))
}

/// `F`, `GF` or `G F`, `FG` or `F G`, `G`.
fn frequency(reader: &mut Reader<'_>) -> Result<Frequency, Diagnostic> {
    let mut symbol = String::new();
    while matches!(reader.token()?, Token::Finally | Token::Globally | Token::Name) {
        symbol += match reader.token()? {
            Token::Finally => "F",
            Token::Globally => "G",
            _ => reader.text(),
        };
        reader.advance();
    }
    Frequency::from_symbol(&symbol).ok_or_else(|| {
        let message = format!("a frequency is F, GF, FG or G, `{symbol}` is found");
        Diagnostic::error(&codes::SYNTAX, reader.last_span(), message)
    })
}
