//! Permutation puzzles: formats of other programs, what is read and refused, and symmetries. That
//! the fast variant agrees with the rulebook is tested by the suite of `antipode-check`.

mod formats;
mod variants;

use antipode_permutation::boards;
use puzzle_api::{BadInput, Puzzle, Request, settings};

/// Opens a definition from a separate file.
fn defined<P: Puzzle>(text: impl AsRef<[u8]>) -> Result<P, BadInput> {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(&file, text).expect("writes");
    P::opened("custom", &[("define", file.path().to_str().expect("text"))])
}

fn open<P: Puzzle>(instance: &str, given: &[(&str, &str)]) -> P {
    P::opened(instance, given).unwrap_or_else(|why| panic!("{why}"))
}

/// Reads a board in the form of another program.
fn placed(instance: &str, text: &str) -> Result<Option<String>, BadInput> {
    let settings = &settings(&[]);
    let read = boards::placed(&Request { instance, settings }, text);
    read.map(|read| read.from)
}

/// Lines `TEXT | WORD`; a text has `\\n` for the end of a line.
fn rows(table: &str) -> impl Iterator<Item = (String, &str)> {
    let rows = table.lines().filter_map(|line| line.split_once(" | "));
    rows.map(|(text, word)| {
        let text = text.trim().replace("\\n", "\n").replace("\\0", "\0");
        (text, word)
    })
}

/// Checks that each text of a table is refused with a word.
fn refuses<T>(table: &str, read: impl Fn(&str) -> Result<T, BadInput>) {
    for (text, word) in rows(table) {
        let refused = read(&text).err().expect(&text).0;
        assert!(refused.contains(word), "{text}: {refused}");
    }
}
