//! Zip archives, as far as test suites use them: files stored plainly or deflated.

/// A file in an archive: its name and its bytes.
pub(crate) type Entry = (String, Vec<u8>);

/// Files are not unpacked beyond this size.
const LARGEST: u64 = 64 << 20;

/// The files of an archive, in the order of its directory; folders are left out.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Entry>, String> {
    let end = (0..bytes.len().saturating_sub(21)).rev().find(|&at| number(bytes, at, 4) == Some(0x0605_4b50));
    let end = end.ok_or("it is not a zip archive")?;
    let count = number(bytes, end + 10, 2).ok_or("it is cut off")?;
    let mut at =
        usize::try_from(number(bytes, end + 16, 4).ok_or("it is cut off")?).map_err(|error| error.to_string())?;
    let mut files = Vec::new();
    for _ in 0..count {
        if number(bytes, at, 4) != Some(0x0201_4b50) {
            return Err("its directory is broken".to_owned());
        }
        let field = |offset: usize, width: usize| number(bytes, at + offset, width).ok_or("its directory is cut off");
        let (method, packed, size) = (field(10, 2)?, field(20, 4)?, field(24, 4)?);
        let (name, extra, comment) = (field(28, 2)? as usize, field(30, 2)? as usize, field(32, 2)? as usize);
        let header = field(42, 4)? as usize;
        let title = bytes.get(at + 46..at + 46 + name).ok_or("its directory is cut off")?;
        let title = String::from_utf8_lossy(title).into_owned();
        at += 46 + name + extra + comment;
        if title.ends_with('/') {
            continue;
        }
        if LARGEST < size {
            return Err(format!("{title} is too large"));
        }
        let skip = |offset: usize| number(bytes, header + offset, 2).map(|length| length as usize);
        let start = skip(26).zip(skip(28)).map(|(name, extra)| header + 30 + name + extra).ok_or("it is cut off")?;
        let content = bytes.get(start..start + packed as usize).ok_or("it is cut off")?;
        let content = match method {
            0 => content.to_vec(),
            8 => miniz_oxide::inflate::decompress_to_vec_with_limit(content, size as usize)
                .map_err(|error| format!("{title} cannot be unpacked: {error}"))?,
            other => return Err(format!("{title} is packed in a way that is not supported ({other})")),
        };
        files.push((title, content));
    }
    Ok(files)
}

/// A number of some bytes, the lowest first.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<u64> {
    let part = bytes.get(at..at.checked_add(width)?)?;
    Some(part.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive of one stored file, made by hand from the description of the format.
    fn stored(name: &str, content: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let fields = |method: u16| {
            let mut fields = vec![20, 0, 0, 0];
            fields.extend(method.to_le_bytes());
            fields.extend([0; 8]);
            fields.extend((content.len() as u32).to_le_bytes());
            fields.extend((content.len() as u32).to_le_bytes());
            fields.extend((name.len() as u16).to_le_bytes());
            fields
        };
        bytes.extend(0x0403_4b50u32.to_le_bytes());
        bytes.extend(fields(0));
        bytes.extend([0, 0]);
        bytes.extend(name.bytes());
        bytes.extend(content);
        let directory = bytes.len() as u32;
        bytes.extend(0x0201_4b50u32.to_le_bytes());
        bytes.extend([20, 0]);
        bytes.extend(fields(0));
        bytes.extend([0; 16]);
        bytes.extend(name.bytes());
        let size = bytes.len() as u32 - directory;
        bytes.extend(0x0605_4b50u32.to_le_bytes());
        bytes.extend([0, 0, 0, 0, 1, 0, 1, 0]);
        bytes.extend(size.to_le_bytes());
        bytes.extend(directory.to_le_bytes());
        bytes.extend([0, 0]);
        bytes
    }

    #[test]
    fn stored_files_are_read_and_broken_archives_are_refused() {
        let archive = stored("a/testcase-1.xml", b"<testcase/>");
        assert_eq!(read(&archive), Ok(vec![("a/testcase-1.xml".to_owned(), b"<testcase/>".to_vec())]));
        assert_eq!(read(b"PK"), Err("it is not a zip archive".to_owned()));
        for cut in 1..archive.len() {
            // No panic, whatever is missing.
            let _ = read(&archive[cut..]);
            let _ = read(&archive[..cut]);
        }
    }
}
