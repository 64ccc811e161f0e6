//! Runs main of C files, for trying things.
#![allow(clippy::print_stdout, missing_docs)]
use std::io::Write;
fn main() {
    let files: Vec<std::path::PathBuf> = std::env::args().skip(1).map(Into::into).collect();
    match c::load(&files, &c::Options::default()) {
        Ok(t) => {
            let settings = c::interp::Settings { steps: 1 << 40, assertions: true, ..Default::default() };
            let interpreter = c::interp::Interpreter::new(&t.program, settings);
            let mut inputs = c::interp::RecordedInputs::default();
            let start = std::time::Instant::now();
            let outcome =
                interpreter.run(t.program.function_named("main").expect("main"), &mut inputs, &mut c::interp::Blind);
            std::io::stdout().write_all(&outcome.output).expect("out");
            println!("{:?} steps {} {:?}", outcome.ending, outcome.steps, start.elapsed());
            if let c::interp::Ending::Undefined { edge, .. } = outcome.ending {
                println!(
                    "{} {}",
                    t.program.place_text(t.program.edge(edge).notes.location.expect("loc")),
                    t.program.show_operation(edge)
                );
            }
            for r in &outcome.inputs {
                println!("input {} = {}", r.name, r.value);
            }
        }
        Err(f) => {
            for f in f {
                println!("{:?} {}: {}", f.place, f.diagnostic.code.id, f.diagnostic.message);
            }
        }
    }
}
