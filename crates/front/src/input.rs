//! Reading files: every failure is one clear line.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use crate::failure::Failure;

/// Files of more bytes are refused: nobody writes one of them, and memory is not without end.
const LARGEST: u64 = 1 << 30;

/// The bytes of a file. What is not a file, or has no end, is refused before it is read.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let refused = |why: &str| Failure::Environment(format!("{} {why}", path.display()));
    let metadata = path.metadata().map_err(|error| cannot("read", path, &error))?;
    let kind = metadata.file_type();
    // What a shell hands over as a file, such as `<(command)`, is a pipe below /dev.
    let handed_over = path.starts_with("/dev") || path.starts_with("/proc");
    if kind.is_dir() {
        return Err(refused("is a folder, not a file"));
    }
    if kind.is_char_device() || kind.is_block_device() || kind.is_socket() || (kind.is_fifo() && !handed_over) {
        return Err(refused("is a device or a pipe, not a file"));
    }
    let too_large = || refused("holds more than 1 GiB");
    if LARGEST < metadata.len() {
        return Err(too_large());
    }
    let file = File::open(path).map_err(|error| cannot("read", path, &error))?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| cannot("read", path, &error))?;
    if LARGEST < bytes.len() as u64 { Err(too_large()) } else { Ok(bytes) }
}

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read(path)?).map_err(|_| Failure::Rejected(format!("{} is not UTF-8 text", path.display())))
}

/// The text of a file of a program: compilers take what is not UTF-8, in comments and strings.
pub fn read_lossy(path: &Path) -> Result<String, Failure> {
    Ok(String::from_utf8_lossy(&read(path)?).into_owned())
}

/// The failure to do something with a file.
pub fn cannot(verb: &str, path: &Path, error: &io::Error) -> Failure {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    };
    Failure::Environment(format!("cannot {verb} {}: {why}", path.display()))
}

/// The name of a file without its folder.
pub fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &Path) -> String {
        read(path).map_or_else(|failure| failure.to_string(), |bytes| format!("{} bytes", bytes.len()))
    }

    #[test]
    fn what_is_not_a_file_is_refused_before_it_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let [pipe, huge, plain] = ["pipe", "huge", "plain"].map(|name| folder.path().join(name));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()));
        // A file with a hole takes no room.
        File::create(&huge).and_then(|file| file.set_len(LARGEST + 1)).expect("a file");
        std::fs::write(&plain, "text").expect("a file");
        assert_eq!(said(Path::new("/dev/zero")), "/dev/zero is a device or a pipe, not a file");
        assert_eq!(said(&pipe), format!("{} is a device or a pipe, not a file", pipe.display()));
        assert_eq!(said(&huge), format!("{} holds more than 1 GiB", huge.display()));
        assert_eq!(said(folder.path()), format!("{} is a folder, not a file", folder.path().display()));
        assert_eq!(said(&plain), "4 bytes");
    }
}
