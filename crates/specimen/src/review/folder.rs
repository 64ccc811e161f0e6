//! The folder of a workbench belongs to one program at a time, and keeps its address.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use front::failure::Failure;
use front::input::cannot;

/// The file that is locked while a workbench serves the folder. It remembers the address, so that open pages find the next one.
const NAME: &str = ".specimen-workbench";

/// The lock of a folder; it ends with the program.
pub(super) struct Held {
    file: File,
}

/// Where the last workbench of the folder was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) token: String,
    pub(super) port: u16,
}

impl Held {
    /// Takes the folder, if no other program has it; and what the last one left.
    pub(super) fn take(folder: &Path) -> Result<(Held, Option<Address>), Failure> {
        let path = folder.join(NAME);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).map_err(|error| cannot("open", &path, &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let words = format!("another workbench has {} open; end it first", folder.display());
                return Err(Failure::Environment(words));
            }
            Err(TryLockError::Error(error)) => return Err(cannot("lock", &path, &error)),
        }
        let mut text = String::new();
        // What cannot be read is an address nobody knows.
        let _ = Read::take(&mut file, 200).read_to_string(&mut text);
        Ok((Held { file }, address(&text)))
    }

    /// Remembers the address.
    pub(super) fn remember(&mut self, address: &Address) {
        // Without it only the next start has another address.
        let text = format!("{} {}\n", address.token, address.port);
        let written = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.set_len(0));
        let _ = written.and_then(|()| self.file.write_all(text.as_bytes())).and_then(|()| self.file.sync_all());
    }
}

fn address(text: &str) -> Option<Address> {
    let (token, port) = text.trim_end().split_once(' ')?;
    let plain = token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    Some(Address { token: token.to_owned(), port: port.parse().ok()? }).filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_held_once_and_remembers_its_address() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut held, before) = Held::take(folder.path()).expect("free");
        assert_eq!(before, None);
        let address = Address { token: "0123456789abcdef0123456789abcdef".to_owned(), port: 4711 };
        held.remember(&address);
        assert!(Held::take(folder.path()).is_err(), "a second workbench is refused");
        drop(held);
        assert_eq!(Held::take(folder.path()).expect("free again").1, Some(address));
    }
}
