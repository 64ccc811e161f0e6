//! Prints the automaton of C files, for trying things.
#![allow(clippy::print_stdout, missing_docs)]
use c::program::FunctionId;
fn main() {
    let files: Vec<std::path::PathBuf> = std::env::args().skip(1).filter(|a| a != "-q").map(Into::into).collect();
    let quiet = std::env::args().any(|a| a == "-q");
    match c::load(&files, &c::Options::default()) {
        Ok(t) => {
            println!(
                "ok: {} functions {} edges {} warnings",
                t.program.functions.len(),
                t.program.edges.len(),
                t.warnings.len()
            );
            for w in t.warnings.iter().take(5) {
                println!("{:?} {}: {}", w.place, w.diagnostic.code.id, w.diagnostic.message);
            }
            for (i, f) in t.program.functions.iter().enumerate() {
                if f.body.is_some() && !quiet {
                    print!("{}", t.program.show_function(FunctionId(i as u32)));
                }
            }
        }
        Err(f) => {
            for f in f {
                println!("{:?} {}: {}", f.place, f.diagnostic.code.id, f.diagnostic.message);
            }
        }
    }
}
