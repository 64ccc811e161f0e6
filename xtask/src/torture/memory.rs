//! Little memory: `--memory` where a language has it, and a limit by the system for all.

use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Bench, Row, SEARCHES, waited};
use crate::root;

/// What the system allows, in kilobytes of address space: from hopeless to comfortable.
const LIMITS: &[u32] = &[30_000, 60_000, 120_000, 250_000, 500_000, 1_000_000];

pub(super) fn run(bench: &Bench<'_>) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for (language, file, more) in SEARCHES {
        let mut wrong = Vec::new();
        for limit in LIMITS {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("ulimit -v {limit}; ulimit -c 0; exec \"$@\""), "sh"]).arg(bench.program);
            command.arg("generate").arg(root().join(file)).args(*more);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().map_err(|error| error.to_string())?;
            let status = waited(&mut child, Duration::from_secs(120));
            if let Some(bad) = super::bad_end(status) {
                wrong.push(format!("{limit} kB: {bad}"));
            }
        }
        rows.push(Row {
            part: "memory",
            what: format!("{language}: address space limited by the system"),
            tried: LIMITS.len(),
            wrong,
        });
    }
    Ok(rows)
}
