//! A process that ends the groups we leave behind when we end without a chance to do so.
//!
//! It reads which groups there are from a pipe. The pipe closes when we end, however that happens, and then it ends those that are
//! left and itself. It is a shell, since every system has one, and reads nothing but signs and numbers of ours.

#[cfg(unix)]
pub(crate) use shell::{forget, watch};

#[cfg(not(unix))]
pub(crate) fn watch(_group: u32) {}

#[cfg(not(unix))]
pub(crate) fn forget(_group: u32) {}

#[cfg(unix)]
mod shell {
    use std::io::Write;
    use std::os::unix::process::CommandExt;
    use std::process::{ChildStdin, Command, Stdio};
    use std::sync::{Mutex, PoisonError};

    /// Keeps the list of groups, and ends them at the end of its input.
    const SCRIPT: &str = "groups=' '
while read -r sign group; do
  case $sign in
    +) groups=\"$groups$group \" ;;
    -) case $groups in *\" $group \"*) groups=\"${groups%%\" $group \"*} ${groups#*\" $group \"}\" ;; esac ;;
  esac
done
for group in $groups; do kill -KILL \"-$group\" 2>/dev/null; done
";

    /// The pipe to the guardian, once there is one; none where it could not be started.
    static PIPE: Mutex<Option<Option<ChildStdin>>> = Mutex::new(None);

    /// Tells the guardian of a group.
    pub(crate) fn watch(group: u32) {
        say('+', group);
    }

    /// Tells it that a group has ended.
    pub(crate) fn forget(group: u32) {
        say('-', group);
    }

    fn say(sign: char, group: u32) {
        let mut pipe = PIPE.lock().unwrap_or_else(PoisonError::into_inner);
        let pipe = pipe.get_or_insert_with(start);
        if let Some(input) = pipe
            && writeln!(input, "{sign} {group}").is_err()
        {
            // Somebody has ended it; groups are still ended when they are dropped.
            *pipe = None;
        }
    }

    fn start() -> Option<ChildStdin> {
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // Ctrl-C is for us: the guardian ends when we have.
        command.process_group(0);
        command.spawn().ok()?.stdin.take()
    }
}
