//! Child processes that do not outlive us: compilers, solvers, adapters and tests of the user's programs.
//!
//! Each gets a process group of its own, which is ended as a whole: when the [`Group`] is dropped, and by a guardian
//! when this program ends in a way that drops nothing, `kill -9` included.

mod confine;
mod guardian;

pub use confine::Confinement;

use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// How often a process is looked at.
const GLANCE: Duration = Duration::from_millis(2);

/// A child process with everything it starts.
#[derive(Debug)]
pub struct Group {
    child: Child,
    ended: bool,
}

/// How the wait for a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The process ended by itself.
    Exited(ExitStatus),
    /// It took too long, and was ended.
    Late,
    /// Somebody asked us to stop, and it was ended.
    Interrupted,
}

impl Group {
    /// Starts a command in a process group of its own.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn spawn(command: &mut Command) -> io::Result<Group> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let child = command.spawn()?;
        guardian::watch(child.id());
        Ok(Group { child, ended: false })
    }

    /// Starts a command that may write below one folder only, where the system can hold it to that; says whether it can.
    /// Devices that swallow or make bytes may be written, too. Reading is not confined.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn spawn_confined(command: &mut Command, folder: &Path) -> io::Result<(Group, Confinement)> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let (child, confinement) = confine::spawn(command, folder)?;
        guardian::watch(child.id());
        Ok((Group { child, ended: false }, confinement))
    }

    /// The process that was started, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// How the process ended, if it has.
    pub fn status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Waits for the end, for so long at most; a process that has not ended then goes on.
    pub fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < end => std::thread::sleep(GLANCE),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Waits for the end, and ends the process where it takes too long or somebody asks us to stop.
    pub fn finish(mut self, patience: Duration, interrupted: impl Fn() -> bool) -> Ending {
        let end = Instant::now() + patience;
        loop {
            match self.status() {
                Some(status) => return Ending::Exited(status),
                None if interrupted() => return Ending::Interrupted,
                None if end <= Instant::now() => return Ending::Late,
                None => std::thread::sleep(GLANCE),
            }
        }
    }

    /// Asks the process to end, with what it has; it may take its time.
    pub fn ask_to_end(&self) {
        ask(self.child.id());
    }

    /// Ends the process and everything it started.
    pub fn end(&mut self) {
        if self.ended {
            return;
        }
        self.ended = true;
        // The group first: as long as nobody has waited for its leader, nobody else has its number. What the leader left behind when it
        // ended by itself keeps the number, too; where it left nothing, there is nothing to end.
        kill_group(self.child.id());
        // It may have ended already; then there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
        guardian::forget(self.child.id());
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(unix)]
fn ask(process: u32) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(process) = i32::try_from(process).ok().and_then(Pid::from_raw) {
        // A process that is gone need not be asked.
        let _ = kill_process(process, Signal::TERM);
    }
}

#[cfg(not(unix))]
fn ask(_process: u32) {}

#[cfg(unix)]
fn kill_group(leader: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        // A group that is gone needs no end.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_leader: u32) {}
