//! Reading files: whatever goes wrong is one clear line.

use std::fs;
use std::io;
use std::path::Path;

use crate::failure::Failure;

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    if path.is_dir() {
        return Err(Failure::Environment(format!("{} is a folder, not a file", path.display())));
    }
    fs::read(path).map_err(|error| cannot("read", path, &error))
}

/// The text of a file.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read(path)?).map_err(|_| Failure::Rejected(format!("{} is not UTF-8 text", path.display())))
}

/// The text of a file of a program: compilers take what is not UTF-8, in comments and strings.
pub(crate) fn read_lossy(path: &Path) -> Result<String, Failure> {
    Ok(String::from_utf8_lossy(&read(path)?).into_owned())
}

/// The failure to do something with a file.
pub(crate) fn cannot(verb: &str, path: &Path, error: &io::Error) -> Failure {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    };
    Failure::Environment(format!("cannot {verb} {}: {why}", path.display()))
}

/// The name of a file without its folder.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
