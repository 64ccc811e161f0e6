//! Zip archives of tests, as Test-Comp hands suites around.

use std::io::{Cursor, Read};

use zip::ZipArchive;

/// A file in an archive: its name and its bytes.
pub(crate) type Entry = (String, Vec<u8>);

/// The files of an archive are not unpacked beyond this size, all of them together.
const LARGEST: u64 = 64 << 20;

/// The files of an archive, in the order of its directory; folders are left out.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Entry>, String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| format!("not a zip archive: {error}"))?;
    let mut files = Vec::new();
    let mut left = LARGEST;
    for number in 0..archive.len() {
        let file =
            archive.by_index(number).map_err(|error| format!("file {} cannot be unpacked: {error}", number + 1))?;
        if file.is_dir() {
            continue;
        }
        let name = file
            .name()
            .map_err(|error| format!("the name of file {} cannot be read: {error}", number + 1))?
            .into_owned();
        let mut content = Vec::new();
        // What the directory says of the size is not believed.
        file.take(left + 1).read_to_end(&mut content).map_err(|error| format!("{name} cannot be unpacked: {error}"))?;
        let size = content.len() as u64;
        left = left
            .checked_sub(size)
            .ok_or_else(|| format!("more than {} MiB when unpacked, at {name}", LARGEST >> 20))?;
        files.push((name, content));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::CompressionMethod;
    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    fn archive(files: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in files {
            writer.start_file(*name, SimpleFileOptions::default().compression_method(method)).expect("a file begins");
            writer.write_all(content).expect("its content");
        }
        writer.finish().expect("an archive").into_inner()
    }

    #[test]
    fn files_are_read_and_broken_archives_are_refused() {
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let files = archive(&[("a/testcase-1.xml", b"<testcase/>")], method);
            assert_eq!(read(&files), Ok(vec![("a/testcase-1.xml".to_owned(), b"<testcase/>".to_vec())]));
            for cut in 1..files.len() {
                // No panic, even if parts are missing.
                let _ = read(&files[cut..]);
                assert!(read(&files[..cut]).is_err(), "cut at {cut}");
            }
        }
        assert!(read(b"PK").is_err_and(|problem| problem.starts_with("not a zip archive")));
    }

    #[test]
    fn an_archive_that_swells_is_refused() {
        let zeros = vec![0; 40 << 20];
        let bomb = archive(&[("one.xml", &zeros), ("two.xml", &zeros)], CompressionMethod::Deflated);
        assert!(bomb.len() < 1 << 20);
        assert_eq!(read(&bomb), Err("more than 64 MiB when unpacked, at two.xml".to_owned()));
    }
}
