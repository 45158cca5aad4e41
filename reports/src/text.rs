//! Texts: files named on the command line, of bounded length, places in them, digits,
//! and names that may be meant. (A slip
//! such as `/dev/zero` would otherwise be read until the memory ends.)

use crate::read_error::ReadError;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Longest text that is read, in bytes: far more than any suite, baseline, table of figures or
/// README has.
pub const LONGEST: u64 = 16 << 20;

/// The known name that may be meant by another one: at most a third of the longer name differs.
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (best, far) = known
        .into_iter()
        .map(|other| (other, distance(name, other)))
        .min_by_key(|(_, far)| *far)?;
    let long = name.chars().count().max(best.chars().count());
    (3 * far <= long).then_some(best)
}

/// Letters to insert, delete, replace or exchange with their neighbour; capitals do not matter.
#[must_use]
pub fn distance(one: &str, other: &str) -> usize {
    strsim::osa_distance(&one.to_lowercase(), &other.to_lowercase())
}

/// `did you mean 'NAME'? `, if a known name may be meant.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map_or_else(String::new, |near| format!("did you mean '{near}'? "))
}

/// A path, if a file can be opened there without waiting: that of a regular file, or of nothing. A
/// pipe or a device can be waited for or read for ever. Every file that a user names, or that is in
/// a user's folder, is opened through this.
pub fn regular<P: AsRef<Path>>(path: P) -> io::Result<P> {
    match fs::metadata(path.as_ref()) {
        Ok(data) if data.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(data) if !data.is_file() => Err(io::Error::new(
            ErrorKind::InvalidInput,
            "it is a device or a pipe; name a plain file",
        )),
        _ => Ok(path),
    }
}

pub(crate) fn read_file(path: &Path) -> Result<String, ReadError> {
    let text = regular(path).and_then(fs::read_to_string);
    text.map_err(|source| ReadError::io(path, source))
}

/// A text without a last line that has no end.
pub(crate) fn whole_lines(text: &str) -> &str {
    &text[..text.rfind('\n').map_or(0, |end| end + 1)]
}

/// If the standard input can be named as a file.
const STDIN: &str = "/dev/stdin";

/// Reads a text of at most [`LONGEST`] bytes from a regular file, or from the user's redirection of
/// standard input.
///
/// # Errors
/// A file that cannot be opened or read, is too long, or is not UTF-8.
pub fn read_text(path: impl AsRef<Path>) -> io::Result<String> {
    let path = path.as_ref();
    if path != Path::new(STDIN) {
        regular(path)?;
    }
    let mut bytes = Vec::new();
    let most = LONGEST + 1;
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == most {
        let text = format!(
            "it is longer than {} MiB, which no such file is; name another",
            LONGEST >> 20
        );
        return Err(io::Error::new(ErrorKind::InvalidData, text));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let text = format!("byte {} is not UTF-8; name a text file", at + 1);
        io::Error::new(ErrorKind::InvalidData, text)
    })
}

/// A text in one line, with single blanks.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Digits in groups of three, parted by a mark.
pub(crate) fn group_digits(digits: &str, mark: char) -> String {
    let mut out = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(mark);
        }
        out.push(digit);
    }
    out
}

/// Line and column, both from 1, of byte `at` of a text; past its end, those of the end.
pub fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at.min(text.len())).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (line, before[start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_near_name_may_be_meant() {
        let known = ["box", "board", "backward", "card-1", "a"];
        for (name, meant) in [
            ("bx", Some("box")),
            ("bo", Some("box")),
            ("Baord", Some("board")),
            ("bord", Some("board")),
            ("b", None),
            ("bank", None),
            ("barber", None),
            ("nowhere", None),
        ] {
            assert_eq!(nearest(name, known), meant, "{name}");
        }
    }

    #[test]
    fn up_to_the_longest_and_no_further() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(LONGEST).unwrap();
        assert_eq!(read_text(file.path()).unwrap().len() as u64, LONGEST);
        file.as_file().set_len(LONGEST + 1).unwrap();
        let error = read_text(file.path()).unwrap_err().to_string();
        assert!(error.contains("longer than 16 MiB"), "{error}");
        let error = read_text("/dev/zero").unwrap_err().to_string();
        assert!(error.contains("it is a device or a pipe"), "{error}");
        std::fs::write(file.path(), b"ab\xff").unwrap();
        let error = read_text(file.path()).unwrap_err().to_string();
        assert!(error.contains("byte 3 is not UTF-8"), "{error}");
    }
}
