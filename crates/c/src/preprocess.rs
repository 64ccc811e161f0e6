//! Runs the system's preprocessor.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::model::DataModel;
use crate::target;

/// How files are preprocessed.
#[derive(Clone, Debug, Default)]
pub struct Preprocessor {
    /// Folders searched for headers.
    pub includes: Vec<PathBuf>,
    /// Folders searched only for headers in quotation marks, behind that of the file.
    pub quoted: Vec<PathBuf>,
    /// Macros, `name` or `name=value`.
    pub defines: Vec<String>,
    /// Macros for single files.
    pub file_defines: Vec<(PathBuf, String)>,
    /// The program; the environment variable `CPP`, or else `cc`.
    pub program: Option<String>,
}

/// The program to call and the arguments that make it preprocess.
fn command(preprocessor: &Preprocessor) -> Command {
    let named =
        preprocessor.program.clone().or_else(|| std::env::var("CPP").ok().filter(|name| !name.trim().is_empty()));
    match named {
        // As make understands it: the variable holds a program and its arguments.
        Some(line) => {
            let mut words = line.split_whitespace();
            let mut command = Command::new(words.next().unwrap_or("cpp"));
            command.args(words);
            command
        }
        None => {
            let mut command = Command::new("cc");
            command.arg("-E");
            // Vectors are not supported: programs that can do without them are told to.
            command.args(["-U__SSE2__", "-U__SSE__", "-U__MMX__", "-U__ARM_NEON"]);
            command
        }
    }
}

/// Headers for a machine of 32 bits where only the library of this machine is installed.
///
/// Debian keeps what depends on the architecture in a folder of its own, which `-m32` does not look into, and one header lists
/// what the library of the other width lacks. Nothing in them matters to the preprocessed text.
struct Fallback {
    folder: tempfile::TempDir,
    multiarch: Option<PathBuf>,
}

impl Fallback {
    fn of(model: &DataModel, program: &Option<String>) -> Option<Fallback> {
        if model.pointer != 4 {
            return None;
        }
        let folder = tempfile::tempdir().ok()?;
        fs::create_dir(folder.path().join("gnu")).ok()?;
        fs::write(folder.path().join("gnu/stubs-32.h"), "").ok()?;
        let asked = Command::new(program.as_deref().unwrap_or("cc")).arg("-print-multiarch").output().ok();
        let name = asked.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
        let multiarch = (!name.trim().is_empty()).then(|| Path::new("/usr/include").join(name.trim()));
        Some(Fallback { folder, multiarch })
    }

    /// The folders are searched behind all others.
    fn options(&self) -> Vec<OsString> {
        let folders = self.multiarch.iter().map(PathBuf::as_path).chain([self.folder.path()]);
        folders.flat_map(|folder| ["-idirafter".into(), folder.into()]).collect()
    }
}

impl Preprocessor {
    /// The program and its version, in a line, if it says so.
    pub fn version(&self) -> Option<String> {
        let output = command(self).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout);
        text.lines().next().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())
    }

    /// The preprocessed text of a file.
    ///
    /// # Errors
    /// What the preprocessor says, or why it cannot be run.
    pub fn run(&self, file: &Path, model: &DataModel) -> Result<Vec<u8>, String> {
        let mut command = command(self);
        command.args(target::predefined(model));
        let fallback = Fallback::of(model, &self.program);
        command.args(fallback.iter().flat_map(Fallback::options));
        for include in &self.includes {
            command.arg("-I").arg(include);
        }
        for folder in &self.quoted {
            command.arg("-iquote").arg(folder);
        }
        for define in &self.defines {
            command.arg(format!("-D{define}"));
        }
        for (_, define) in self.file_defines.iter().filter(|(only, _)| only == file) {
            command.arg(format!("-D{define}"));
        }
        // Functions of the library stay calls: no checked variants, no tables behind `isdigit`.
        command.args(["-U_FORTIFY_SOURCE", "-D__NO_CTYPE"]).arg(file).stdin(Stdio::null());
        let output = command.output().map_err(|error| format!("cannot run {:?}: {error}", command.get_program()))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }
}
