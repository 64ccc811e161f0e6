//! A full disk: a small one in memory, filled up to different heights before the run.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Bench, Row, SEARCHES, bad_end, waited};

/// The size of the disk, in kilobytes, and how much of it is free when a run begins.
const SIZE: usize = 256;
const FREE: &[usize] = &[0, 4, 12, 40, 120];

pub(super) fn run(bench: &Bench<'_>) -> Result<Vec<Row>, String> {
    let place = bench.scratch.join("disk");
    fs::create_dir_all(&place).map_err(|error| error.to_string())?;
    let size = format!("size={SIZE}k");
    let mounted =
        Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&place).stderr(Stdio::null()).status();
    if !mounted.is_ok_and(|status| status.success()) {
        let what = "not tried: no small disk can be mounted here".to_owned();
        return Ok(vec![Row { part: "disk", what, tried: 0, wrong: Vec::new() }]);
    }
    let rows = SEARCHES.iter().map(|search| one(bench, &place, *search)).collect();
    let _ = Command::new("umount").arg(&place).status();
    rows
}

fn one(bench: &Bench<'_>, place: &Path, (language, file, more): (&str, &str, &[&str])) -> Result<Row, String> {
    let mut wrong = Vec::new();
    for free in FREE {
        for entry in fs::read_dir(place).map_err(|error| error.to_string())?.flatten() {
            let _ = fs::remove_dir_all(entry.path()).or_else(|_| fs::remove_file(entry.path()));
        }
        fs::write(place.join("ballast"), vec![0; (SIZE - free) * 1024]).map_err(|error| error.to_string())?;
        let out = place.join("out");
        let mut child = bench.generate(file, more, &out).spawn().map_err(|error| error.to_string())?;
        let status = waited(&mut child, Duration::from_secs(120));
        if let Some(bad) = bad_end(status) {
            wrong.push(format!("{free} kB free: {bad}"));
        }
        let suite = out.join("suite.json");
        if suite.is_file() {
            let replay =
                Command::new(bench.program).arg("replay").arg(&suite).output().map_err(|error| error.to_string())?;
            if !matches!(replay.status.code(), Some(0 | 1)) {
                wrong.push(format!("{free} kB free: the suite cannot be read"));
            }
        }
    }
    Ok(Row { part: "disk", what: format!("{language}: {SIZE} kB, nearly full"), tried: FREE.len(), wrong })
}
