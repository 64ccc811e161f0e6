//! Files that are either the old or the new version, never half of one; and fingerprints of files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Writes `text` to `path` so that a reader, or a run killed at any moment, sees the old file or the new one.
///
/// # Errors
/// When the folder or the file cannot be written.
pub fn write_atomically(path: &Path, text: &str) -> io::Result<()> {
    write_bytes_atomically(path, text.as_bytes())
}

/// As [`write_atomically`], for bytes.
///
/// # Errors
/// When the folder or the file cannot be written.
pub fn write_bytes_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (scratch, mut file) = scratch_beside(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    let placed = written.and_then(|()| fs::rename(&scratch, path));
    if placed.is_err() {
        let _ = fs::remove_file(&scratch);
    }
    placed
}

/// A new file in the folder of `path`: a rename within one folder is atomic.
fn scratch_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not a file name"))?;
    for attempt in 0..100 {
        let mut scratch_name = std::ffi::OsString::from(".");
        scratch_name.push(name);
        scratch_name.push(format!(".{}-{attempt}.part", std::process::id()));
        let scratch = path.with_file_name(scratch_name);
        match OpenOptions::new().write(true).create_new(true).open(&scratch) {
            Ok(file) => return Ok((scratch, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "too many unfinished files beside it"))
}

/// The SHA-256 of bytes, in hexadecimal: the fingerprint of a source file.
pub fn fingerprint(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("suite.json");
        write_atomically(&path, "old").expect("written");
        write_atomically(&path, "new").expect("replaced");
        assert_eq!(fs::read_to_string(&path).expect("readable"), "new");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(write_atomically(&folder.path().join("no/suite.json"), "x").is_err());
    }

    #[test]
    fn the_fingerprint_is_sha_256() {
        let of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(fingerprint(b""), of_nothing);
    }
}
