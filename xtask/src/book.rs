//! The book as pages for the browser, with a search: built by mdBook.

use std::path::PathBuf;
use std::process::Command;

use crate::{Outcome, root, run};

/// The version that is installed where none is found; newer ones of the same line do as well.
const VERSION: &str = "0.5.4";

/// Builds the book into `target/book`.
pub(crate) fn build() -> Outcome {
    let program = mdbook()?;
    run(Command::new(program).arg("build").arg(root().join("docs")))?;
    println!("the book is in target/book: open target/book/index.html");
    Ok(())
}

/// The program: one that is there, or one that is installed into `target/tools`.
fn mdbook() -> Result<PathBuf, String> {
    let own = root().join("target/tools/bin/mdbook");
    for candidate in [PathBuf::from("mdbook"), own.clone()] {
        if Command::new(&candidate).arg("--version").output().is_ok_and(|output| output.status.success()) {
            return Ok(candidate);
        }
    }
    let tools = root().join("target/tools");
    let mut install = Command::new("cargo");
    install.args(["install", "mdbook", "--locked", "--no-default-features", "--features", "search"]);
    install.args(["--version", VERSION, "--root"]).arg(tools);
    run(&mut install)?;
    Ok(own)
}
