//! Texts of users: files named by settings, and the form of user text in errors.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Characters of a user's text that an error shows.
const SHOWN: usize = 40;

/// A user's text in the form of errors: on one line, without control characters, and only its
/// start.
///
/// ```
/// assert_eq!(puzzle_api::shown("a\tb"), "a\\tb");
/// assert_eq!(puzzle_api::shown(&"x".repeat(50)), "x".repeat(40) + "…");
/// ```
#[must_use]
pub fn shown(text: &str) -> String {
    let mut rest = text.chars();
    let start: String = rest.by_ref().take(SHOWN).collect();
    let mut shown = start.escape_debug().to_string();
    if rest.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Whether a line of a text with boards is a remark: it begins with `# ` or `// `.
#[must_use]
pub fn is_remark(line: &str) -> bool {
    let line = line.trim();
    let behind = line.trim_start_matches('#');
    let goes_on = behind.starts_with(|c: char| !c.is_whitespace() && c != '!');
    line.starts_with("// ") || line.starts_with('#') && !goes_on
}

/// Whether a line among the rows of a board is a remark: `# ii #` is a row between walls.
///
/// ```
/// for (row, is_remark) in [("# a board", true), ("#", true), ("# ii #", false), ("#.#", false)] {
///     assert_eq!(puzzle_api::is_remark_row(row), is_remark, "{row}");
/// }
/// ```
#[must_use]
pub fn is_remark_row(row: &str) -> bool {
    let row = row.trim();
    is_remark(row) && (row == "#" || row.starts_with("//") || !row.ends_with('#'))
}

/// What people write for the `'` of a move.
pub const PRIMES: [char; 4] = ['\u{2019}', '\u{2032}', '\u{b4}', '`'];

/// Whether a terminal or a page interprets a character instead of showing it: control characters,
/// and those that begin a line or change the direction of writing.
///
/// ```
/// assert!(puzzle_api::is_obeyed('\u{202e}') && !puzzle_api::is_obeyed('\u{e9}'));
/// ```
#[must_use]
pub fn is_obeyed(c: char) -> bool {
    let turns = "\u{61c}\u{200e}\u{200f}\u{feff}".contains(c);
    c.is_control() || turns || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Name of a cell in moves: the column as a letter from the left (`a` to `z`, then `aa`), the row as
/// a number from the top. Rows and columns are from 0.
///
/// ```
/// assert_eq!(puzzle_api::cell_name(6, 4), "e7");
/// assert_eq!(puzzle_api::cell_name(0, 63), "bl1");
/// ```
#[must_use]
pub fn cell_name(row: usize, column: usize) -> String {
    let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
    let first = (column >= 26).then(|| letter(column / 26 - 1));
    let letters = first.into_iter().chain([letter(column)]);
    letters.collect::<String>() + &(row + 1).to_string()
}

/// Where a symmetry takes a cell of a rectangle, whose cells are numbered row by row: bit 0 of `way`
/// mirrors left and right, bit 1 top and bottom, and bit 2 then swaps rows and columns.
///
/// ```
/// assert_eq!([0, 1, 2, 4].map(|way| puzzle_api::turned(way, (2, 3), 2)), [2, 0, 5, 4]);
/// ```
#[must_use]
pub fn turned(way: usize, (height, width): (usize, usize), cell: usize) -> usize {
    let (mut row, mut column) = (cell / width, cell % width);
    if way & 1 != 0 {
        column = width - 1 - column;
    }
    if way & 2 != 0 {
        row = height - 1 - row;
    }
    match way & 4 {
        0 => row * width + column,
        _ => column * height + row,
    }
}

/// Returns the cells of a board, row by row, in any of the forms that people write. Rows are joined
/// by `/` or `|`, or are lists in brackets; cells are separated by commas or blanks, or a character
/// each. If rows then differ in length, but not if blanks are cells, blanks are cells.
///
/// ```
/// # use puzzle_api::cells;
/// let rows = [["1", "2"], ["3", ""]];
/// assert_eq!(cells("1,2/3,"), rows);
/// assert_eq!(cells("[[1, 2], [3, ]]"), rows);
/// assert_eq!(cells("1 10 / ab"), [["1", "10"], ["a", "b"]]);
/// assert_eq!(cells("12/3 "), [["1", "2"], ["3", " "]]);
/// ```
#[must_use]
pub fn cells(text: &str) -> Vec<Vec<String>> {
    let bare: String = text.chars().filter(|c| !"[(\"".contains(*c)).collect();
    let bare = bare.replace([']', ')', '|'], "/");
    let in_brackets = text.contains([']', ')']);
    // A row between two others counts, even if it is all blank.
    let bare = match in_brackets {
        true => &*bare,
        false => bare.strip_suffix('/').unwrap_or(&bare),
    };
    let rows = bare.split('/').map(|row| match in_brackets {
        // A comma may follow the bracket that ends a row.
        true => row.trim().trim_start_matches(',').trim(),
        false => row.trim(),
    });
    let cells = |row: &str| -> Vec<String> {
        if row.contains(',') {
            return row.split(',').map(|cell| cell.trim().to_owned()).collect();
        }
        match row.contains(char::is_whitespace) {
            true => row.split_whitespace().map(str::to_owned).collect(),
            false => row.chars().map(String::from).collect(),
        }
    };
    let rows = rows.filter(|row| !in_brackets || !row.is_empty());
    let rows: Vec<Vec<String>> = rows.map(cells).collect();
    match with_blanks(text) {
        Some(blanks) if rows.iter().any(|row| row.len() != rows[0].len()) => blanks,
        _ => rows,
    }
}

/// Returns the cells of a board whose rows, joined by `/` or `|`, have a character for each cell,
/// including blanks. `None` if it has no blank or its rows differ in length.
fn with_blanks(text: &str) -> Option<Vec<Vec<String>>> {
    let rows = text.split(['/', '|']);
    let rows = rows.map(|row| row.chars().map(String::from).collect());
    let rows: Vec<Vec<String>> = rows.collect();
    let is_one = rows.len() > 1
        && text.contains(' ')
        && !text.contains([',', '[', '(', '"'])
        && rows.iter().all(|row| row.len() == rows[0].len());
    is_one.then_some(rows)
}

/// Reads a text file that a user named, of at most `most` bytes. A pipe or a device is refused:
/// opening one can wait forever. A byte order mark at its beginning, as some editors write one, is
/// left out.
///
/// # Errors
/// A file that cannot be read, is not regular, too long, or not UTF-8; the text is half a line that
/// follows a name.
pub fn read_text(path: impl AsRef<Path>, most: u64) -> io::Result<String> {
    let bytes = read_bytes(path, most)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        io::Error::new(ErrorKind::InvalidData, format!("byte {at} is not UTF-8"))
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// Reads a file as [`read_text`] does, in any encoding.
///
/// # Errors
/// A file that cannot be read, is not regular, or is too long.
pub fn read_bytes(path: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
    let path = path.as_ref();
    if !fs::metadata(path)?.is_file() {
        let text = "is no regular file";
        return Err(io::Error::new(ErrorKind::InvalidInput, text));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let text = format!("is longer than {most} bytes");
        return Err(io::Error::new(ErrorKind::InvalidData, text));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_files_alone_are_read() {
        for special in ["/dev/null", "/dev/zero", "."] {
            let told = read_text(special, 10).unwrap_err().to_string();
            assert_eq!(told, "is no regular file", "{special}");
        }
        assert!(read_text("Cargo.toml", 1 << 20).is_ok());
        let told = read_text("Cargo.toml", 10).unwrap_err().to_string();
        assert_eq!(told, "is longer than 10 bytes");
    }

    #[test]
    fn a_byte_order_mark_is_none_of_the_text() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let read = |text: &str| {
            fs::write(&file, text).expect("a file");
            read_text(file.path(), 20).expect("a text")
        };
        assert_eq!(read("\u{feff}Set a 3\n"), "Set a 3\n");
        assert_eq!(read("a\u{feff}"), "a\u{feff}");
    }

    #[test]
    fn what_is_shown_is_short_and_on_one_line() {
        assert_eq!(shown("a\nb\u{1b}"), "a\\nb\\u{1b}");
        assert_eq!(shown(&"\u{e9}".repeat(41)), "\u{e9}".repeat(40) + "…");
    }
}
