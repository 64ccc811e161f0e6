//! Times the built-in solver on the benchmark families, or writes them as SMT-LIB: `families [name [size]] [--write DIR]`.

use std::time::Instant;

use smt::{Answer, Query, Solver, Terms};
use smt_sat::SatSolver;
use testkit::problems::FAMILIES;

#[allow(clippy::print_stdout)]
fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let directory = args.iter().position(|arg| arg == "--write").map(|place| args.drain(place..).nth(1));
    for &(name, build, sizes) in FAMILIES {
        if args.first().is_some_and(|wanted| wanted != name) {
            continue;
        }
        let chosen: Option<u32> = args.get(1).and_then(|size| size.parse().ok());
        for &size in chosen.as_ref().map_or(sizes, std::slice::from_ref) {
            let mut terms = Terms::new();
            let problem = build(&mut terms, size);
            if let Some(Some(directory)) = &directory {
                let script = smt::print_script(&terms, &problem.facts);
                std::fs::write(format!("{directory}/{name}-{size}.smt2"), script).expect("the directory is writable");
                continue;
            }
            let start = Instant::now();
            let mut solver = SatSolver::new();
            for &fact in &problem.facts {
                solver.assert(&terms, fact).expect("the families are supported");
            }
            let built = start.elapsed();
            let answer = solver.check(&terms, Query::default()).expect("the built-in solver does not fail");
            let right = matches!(answer, Answer::Sat(_)) == problem.satisfiable;
            println!(
                "{name} {size}: {:.3} s (first pass {built:?}) {}",
                start.elapsed().as_secs_f64(),
                if right { "ok" } else { "WRONG" }
            );
        }
    }
}
