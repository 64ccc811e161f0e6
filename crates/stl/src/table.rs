//! Sampled signals as tables: `time,x,y` and one line for each sample.
//!
//! Real signals are straight between samples unless they are declared to have steps; all others keep the value of a sample up to the
//! next one. Two lines with one time are a jump. A field may be empty: the signal has no sample at that time.

mod gather;
mod rows;

use source::{Diagnostic, Source, Span};
use value::RBig;

use crate::codes;
use crate::number::write_number;
use crate::signal::{SignalValue, Trace, value_before};
use crate::spec::{Shape, Spec};

pub use gather::{Gatherer, Recording};
pub use rows::{Columns, Flaw, Row, Rows, read_text, time_unit};

/// The number of errors after which reading stops.
const ERROR_LIMIT: usize = 20;

/// The trace that a table holds, with times that count from its first line.
///
/// # Errors
/// What is wrong with the table.
pub fn read_table(table: &Source, spec: &Spec) -> Result<Trace, Vec<Diagnostic>> {
    read_recording(table, spec, &Columns::default()).map(|recording| recording.trace)
}

/// What a table holds, given which columns are which.
///
/// # Errors
/// What is wrong with the table.
pub fn read_recording(table: &Source, spec: &Spec, columns: &Columns) -> Result<Recording, Vec<Diagnostic>> {
    let mut lines = lines(table.text()).filter(|line| !table.slice(*line).trim().is_empty());
    let Some(header) = lines.next() else {
        let error = Diagnostic::error(&codes::SIGNAL_SYNTAX, Span::default(), "the table is empty");
        return Err(vec![error.help("The first line names the columns: `time,x,y`.")]);
    };
    let shown = |flaws: Vec<Flaw>, line: Span, before: Option<Span>| -> Vec<Diagnostic> {
        flaws.into_iter().map(|flaw| flaw.diagnostic(line.start as usize, before)).collect()
    };
    let mut rows = Rows::new(table.slice(header), spec, columns).map_err(|flaws| shown(flaws, header, None))?;
    let mut gatherer = Gatherer::new(spec);
    let mut before = None;
    let mut errors: Vec<Diagnostic> = Vec::new();
    for line in lines {
        match rows.row(table.slice(line)) {
            Ok(row) => {
                for (signal, value) in row.values.into_iter().enumerate() {
                    if let Some(value) = value {
                        gatherer.sample(signal, row.time.clone(), value);
                    }
                }
                gatherer.reach(row.time);
                before = Some(moved(row.place, line.start as usize));
            }
            Err(flaws) => errors.extend(shown(flaws, line, before)),
        }
        if ERROR_LIMIT <= errors.len() {
            break;
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    gatherer
        .finish()
        .map_err(|message| vec![Diagnostic::error(&codes::SIGNAL_SYNTAX, header, message).label("only the columns")])
}

fn moved(span: Span, by: usize) -> Span {
    Span::new(span.start as usize + by, span.end as usize + by)
}

/// The trace as a table with a line for every point, and two where a real signal jumps; Boolean values are those from that time on.
pub fn write_table(spec: &Spec, trace: &Trace) -> String {
    let mut times: Vec<&RBig> = trace.signals.iter().flat_map(SignalValue::times).chain([&trace.end]).collect();
    times.sort();
    times.dedup();
    let names: Vec<&str> = spec.signals.iter().map(|signal| signal.name.as_str()).collect();
    let mut text = format!("time,{}\n", names.join(","));
    for time in times {
        let jumps = |signal: &SignalValue| match signal {
            SignalValue::Real(points) => value_before(points, time) != crate::signal::value_at(points, time),
            SignalValue::Bool(_) | SignalValue::Named(_) => false,
        };
        // A signal that is declared to have steps needs no second line.
        let jump = spec
            .signals
            .iter()
            .zip(&trace.signals)
            .any(|(signal, value)| signal.shape == Shape::Straight && jumps(value));
        for before in if jump { &[true, false][..] } else { &[false] } {
            text += &write_number(time);
            for (signal, value) in spec.signals.iter().zip(&trace.signals) {
                text.push(',');
                text += &field(&signal.shape, value, time, *before);
            }
            text.push('\n');
        }
    }
    text
}

fn field(shape: &Shape, value: &SignalValue, time: &RBig, before: bool) -> String {
    match (value, shape) {
        (SignalValue::Real(points), Shape::Straight) if before => write_number(&value_before(points, time)),
        (SignalValue::Real(points), _) => write_number(&crate::signal::value_at(points, time)),
        (SignalValue::Bool(steps), _) => crate::signal::truth_at(steps, time).1.to_string(),
        (SignalValue::Named(values), Shape::Named(names)) => {
            let place = values.partition_point(|value| value.0 <= *time).saturating_sub(1);
            let name = usize::try_from(values[place].1.numerator()).ok().and_then(|number| names.get(number));
            name.expect("values are those of the enumeration").clone()
        }
        (SignalValue::Named(_), _) => unreachable!("a trace has the shapes of its signals"),
    }
}

fn lines(text: &str) -> impl Iterator<Item = Span> + '_ {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let span = Span::new(start, start + line.trim_end_matches(['\n', '\r']).len());
        start += line.len();
        span
    })
}
