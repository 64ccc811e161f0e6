//! Commands that can write to one folder only: Landlock, where the kernel has it.
//!
//! Landlock restricts the thread that asks for it and all that this thread starts. A thread of its own therefore asks,
//! starts the command and ends, and the rest of this program stays as free as it was.

use std::io;
use std::path::Path;
use std::process::{Child, Command};

/// Whether the system keeps a command from writing elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confinement {
    /// It does.
    Enforced,
    /// It does for some ways to write; an older kernel knows fewer.
    Partial,
    /// It cannot: the command has all rights of the user.
    None,
}

/// Devices that tests write to without any effect.
#[cfg(target_os = "linux")]
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/tty"];

#[cfg(target_os = "linux")]
pub(crate) fn spawn(command: &mut Command, folder: &Path) -> io::Result<(Child, Confinement)> {
    std::thread::scope(|scope| {
        let confined = scope.spawn(|| {
            let confinement = restrict(folder).unwrap_or(Confinement::None);
            Ok((command.spawn()?, confinement))
        });
        confined.join().unwrap_or_else(|_| Err(io::Error::other("the thread that starts the command panicked")))
    })
}

#[cfg(target_os = "linux")]
fn restrict(folder: &Path) -> Result<Confinement, landlock::RulesetError> {
    use landlock::{ABI, AccessFs, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus, path_beneath_rules};
    // The newest rules this crate knows; what the kernel does not know is left out, and the status says so.
    let writes = AccessFs::from_write(ABI::V5);
    let status = Ruleset::default()
        .handle_access(writes)?
        .create()?
        .add_rules(path_beneath_rules([folder], writes))?
        .add_rules(path_beneath_rules(DEVICES, AccessFs::from_file(ABI::V5) & writes))?
        .restrict_self()?;
    Ok(match status.ruleset {
        RulesetStatus::FullyEnforced => Confinement::Enforced,
        RulesetStatus::PartiallyEnforced => Confinement::Partial,
        RulesetStatus::NotEnforced => Confinement::None,
    })
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn spawn(command: &mut Command, _folder: &Path) -> io::Result<(Child, Confinement)> {
    Ok((command.spawn()?, Confinement::None))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Ending, Group};

    fn run(folder: &Path, script: &str) -> (Option<i32>, Confinement) {
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(folder).stderr(std::process::Stdio::null());
        let (group, confinement) = Group::spawn_confined(&mut command, folder).expect("there is a shell");
        match group.finish(Duration::from_secs(20), || false) {
            Ending::Exited(status) => (status.code(), confinement),
            Ending::Late | Ending::Interrupted => (None, confinement),
        }
    }

    #[test]
    fn a_confined_command_writes_to_its_folder_only_and_we_are_as_free_as_before() {
        let (own, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let theirs = other.path().join("x");
        let (status, confinement) =
            run(own.path(), "echo a > inside && mkdir d && mv inside d/x && echo b > /dev/null");
        assert_eq!(status, Some(0));
        let (status, _) = run(own.path(), &format!("echo a > '{}'", theirs.display()));
        let (removed, _) =
            run(own.path(), &format!("(rm -r '{0}' || mv d '{0}/d') 2>/dev/null", other.path().display()));
        if confinement == Confinement::None {
            assert!(theirs.exists() || other.path().exists(), "nothing holds it");
            return;
        }
        assert!(!theirs.exists() && status != Some(0), "a file was written elsewhere");
        assert!(other.path().exists() && removed != Some(0), "a folder was removed elsewhere");
        std::fs::write(&theirs, "b").expect("we are not confined");
    }
}
