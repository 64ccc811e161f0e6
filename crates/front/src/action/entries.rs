//! Mutants for the verbs: made by operators, or read from a folder.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use action::mutate::{Mutant as MadeMutant, OperatorSet, mutants, second_order};
use action::{Notation, Revision, Spec, codes, difference, print};
use draw_action::{Difference, Entry, Origin, Record, Report, Seen, Verdict};
use source::{Diagnostic, Source, Span};
use testcase::{Location, Role, write_atomically};

use crate::failure::Failure;
use crate::faults::Fault;
use crate::front_end::{Mutant, one_of};
use crate::input;
use crate::options::ActionArguments;
use crate::output::Output;
use crate::reader::{Opened, Reader};

/// The longest text of a place in a suite.
const LONGEST_TEXT: usize = 60;

/// The set of operators that names stand for.
pub(super) fn operators(names: &str) -> Result<OperatorSet, Failure> {
    OperatorSet::from_names(names).map_err(|wrong| {
        let known = action::mutate::Operator::ALL.iter().map(|operator| operator.name());
        one_of("operator", &wrong, ["classic", "all"].into_iter().chain(known))
    })
}

/// The mutants that operators make.
fn made(spec: &Spec, notation: Notation, asked: &ActionArguments) -> Result<Vec<MadeMutant>, Failure> {
    let names = if asked.operators.is_empty() { "classic".to_owned() } else { asked.operators.join(",") };
    let mut all = mutants(spec, &operators(&names)?, notation);
    if let Some(limit) = asked.second_order {
        let more = second_order(&all, usize::try_from(limit).unwrap_or(usize::MAX));
        let revision = Revision::of(spec);
        all.extend(more.into_iter().filter(|mutant| mutant.is_model(&revision)));
    }
    Ok(all)
}

pub(super) fn location(source: &Source, span: Span) -> Location {
    let place = source.place(span.start);
    let text: String = source.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
    let text = if text.chars().count() <= LONGEST_TEXT {
        text
    } else {
        text.chars().take(LONGEST_TEXT - 1).chain(['…']).collect()
    };
    Location { line: place.line, column: place.column, text }
}

/// The mutants as goals.
pub(super) fn entries(
    output: &Output,
    reader: &Reader,
    (source, spec): (&Source, &Spec),
    notation: Notation,
    asked: &ActionArguments,
) -> Result<Vec<Entry>, Failure> {
    if let Some(folder) = &asked.mutants {
        return from_folder(output, reader, source, spec, folder);
    }
    let entry = |mutant: MadeMutant| Entry {
        id: mutant.id.clone(),
        label: mutant.describe(),
        location: mutant.edits.first().map(|edit| location(source, edit.span)),
        action: mutant.action().to_owned(),
        origin: Origin::Made(mutant),
    };
    Ok(made(spec, notation, asked)?.into_iter().map(entry).collect())
}

/// The files of a folder of mutants, and its name in the record of sources.
pub(super) fn opened(reader: &Reader, folder: &Path) -> Result<(String, Vec<Opened>), Failure> {
    reader.read_folder(Role::Mutant, folder, |_| true)
}

/// Every model in a folder, in the order of names. What is wrong with one is said, and the run goes on with the next.
fn from_folder(
    output: &Output,
    reader: &Reader,
    source: &Source,
    spec: &Spec,
    folder: &Path,
) -> Result<Vec<Entry>, Failure> {
    let mut entries = Vec::new();
    for file in opened(reader, folder)?.1 {
        let path = &file.path;
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        let Some(notation) = extension.as_deref().and_then(Notation::from_extension) else {
            output.warn(&format!("{} is not a model and is skipped", path.display()));
            continue;
        };
        let id = input::file_name(path);
        let begin = Instant::now();
        let read = read_mutant(output, spec, &file, notation);
        let reading = begin.elapsed();
        // Where it differs is found by comparing the trees.
        let change = read.as_ref().ok().and_then(|mutant| difference(spec.model(), mutant.model()));
        entries.push(Entry {
            label: format!("the model in {id}"),
            id,
            location: change.as_ref().map(|change| location(source, change.span)),
            action: change.map(|change| change.action).unwrap_or_default(),
            origin: Origin::Read { spec: Box::new(read), reading },
        });
    }
    if entries.is_empty() {
        return Err(Failure::Environment(format!("no model was found in {}", folder.display())));
    }
    Ok(entries)
}

/// Changed texts that are models with the same state variables.
pub(super) fn of_texts(source: &Source, spec: &Spec, notation: Notation, faults: &[Fault]) -> Vec<Entry> {
    let entry = |fault: &Fault| {
        let (mutant, _) = action::load(&Source::new(source.name(), fault.text.clone()), notation).ok()?;
        has_same_variables(spec, &mutant).then(|| Entry {
            id: fault.id.clone(),
            label: fault.words.clone(),
            location: fault.location.clone(),
            action: String::new(),
            origin: Origin::Read { spec: Box::new(Ok(mutant)), reading: Duration::ZERO },
        })
    };
    faults.iter().filter_map(entry).collect()
}

fn has_same_variables(spec: &Spec, mutant: &Spec) -> bool {
    let names = |spec: &Spec| -> Vec<String> { spec.slots().iter().map(|slot| slot.name.clone()).collect() };
    names(spec) == names(mutant)
}

fn read_mutant(output: &Output, spec: &Spec, file: &Opened, notation: Notation) -> Result<Spec, String> {
    let source = match Source::from_bytes(&file.path.display().to_string(), file.bytes.to_vec()) {
        Ok(source) => source,
        Err(rejection) => {
            output.diagnostics(&rejection.source, std::slice::from_ref(&rejection.diagnostic));
            return Err("the file is not text".to_owned());
        }
    };
    match action::load(&source, notation) {
        Err(errors) => {
            output.diagnostics(&source, &errors);
            Err(format!("the file is not a model: {}", errors[0].message))
        }
        Ok((mutant, _)) => {
            if has_same_variables(spec, &mutant) {
                return Ok(mutant);
            }
            let other = mutant
                .model()
                .variables
                .iter()
                .find(|variable| !spec.variables().iter().any(|known| known.name == variable.name.text));
            let span = other.map_or(Span::default(), |variable| variable.name.span());
            let message = "the mutant has other state variables than the model";
            let error = Diagnostic::error(&codes::OTHER_VARIABLES, span, message);
            output.diagnostics(&source, &[error]);
            Err(message.to_owned())
        }
    }
}

/// What `specimen mutants` lists.
pub(super) fn listed(
    source: &Source,
    spec: &Spec,
    notation: Notation,
    asked: &ActionArguments,
) -> Result<Vec<Mutant>, Failure> {
    let one = |mutant: &MadeMutant| Mutant {
        name: mutant.id.clone(),
        operator: mutant.operators.iter().map(|operator| operator.name()).collect::<Vec<_>>().join("+"),
        location: mutant.edits.first().map(|edit| location(source, edit.span)),
        words: mutant.describe(),
        text: print(&mutant.model(spec.model()), notation),
    };
    Ok(made(spec, notation, asked)?.iter().map(one).collect())
}

/// What the table of results says about a mutant in addition to what the search found.
pub(super) struct Row {
    name: String,
    action: String,
    reading: Duration,
}

/// The rows of the table of results.
pub(super) fn rows(entries: &[Entry]) -> Vec<Row> {
    let reading = |entry: &Entry| match entry.origin {
        Origin::Made(_) => Duration::ZERO,
        Origin::Read { reading, .. } => reading,
    };
    let row = |entry: &Entry| Row { name: entry.id.clone(), action: entry.action.clone(), reading: reading(entry) };
    entries.iter().map(row).collect()
}

/// Writes the table of results, with times, at the end of a search.
pub(super) fn report(output: Output, path: PathBuf, rows: Vec<Row>, spec: &Spec) -> Report {
    let spec = spec.clone();
    Box::new(move |records: &[Record]| {
        let text = table(&rows, records, &spec);
        if let Err(error) = write_atomically(&path, &text) {
            output.warn(&format!("cannot write {}: {error}", path.display()));
        }
    })
}

fn table(rows: &[Row], records: &[Record], spec: &Spec) -> String {
    let mut text = String::from(
        "mutant,action,verdict,unsafe state,trace,difference,depth,io ms,translate ms,solve ms,total ms,assertions\n",
    );
    let milliseconds = |time: Duration| format!("{:.3}", time.as_secs_f64() * 1e3);
    let (mut reading, mut translating, mut solving, mut longest, mut assertions) =
        (Duration::ZERO, Duration::ZERO, Duration::ZERO, Duration::ZERO, 0);
    for record in records {
        let row = &rows[record.index];
        let kill = record.verdict.kill();
        let trace = kill.map(|kill| kill.trace.iter().map(Seen::to_string).collect::<Vec<_>>().join(" "));
        let state = kill.and_then(|kill| kill.state.as_ref()).map(|state| spec.show_state(state));
        let difference = kill.map(|kill| match &kill.difference {
            Difference::Initial(state) => format!("begins in {}", spec.show_state(state)),
            Difference::Step(step) => format!("{} -> {}", step.label, spec.show_state(&step.post)),
            Difference::Observed(label) => label.to_string(),
            Difference::Silence => "silence".to_owned(),
        });
        let depth = match &record.verdict {
            Verdict::Killed(kill) => kill.trace.len().to_string(),
            Verdict::Conforms(conformance) => conformance.depth().map(|depth| depth.to_string()).unwrap_or_default(),
            Verdict::Unknown(_) | Verdict::Unsupported(_) => String::new(),
        };
        let total = row.reading + record.translating + record.solving;
        reading += row.reading;
        translating += record.translating;
        solving += record.solving;
        longest = longest.max(total);
        assertions += record.assertions;
        let cells = [
            row.name.as_str(),
            &row.action,
            record.verdict.name(),
            &state.unwrap_or_default(),
            &trace.unwrap_or_default(),
            &difference.unwrap_or_default(),
            &depth,
            &milliseconds(row.reading),
            &milliseconds(record.translating),
            &milliseconds(record.solving),
            &milliseconds(total),
            &record.assertions.to_string(),
        ];
        text.push_str(&cells.map(cell).join(","));
        text.push('\n');
    }
    let killed = records.iter().filter(|record| record.verdict.kill().is_some()).count();
    let total = reading + translating + solving;
    let average = total / (records.len().max(1) as u32);
    text.push_str(&format!(
        "sum,,{killed} killed of {} examined,average {} ms,maximum {} ms,,,{},{},{},{},{assertions}\n",
        records.len(),
        milliseconds(average),
        milliseconds(longest),
        milliseconds(reading),
        milliseconds(translating),
        milliseconds(solving),
        milliseconds(total),
    ));
    text
}

fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
