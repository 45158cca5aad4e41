//! Invalid input: exit code 2, one line on stderr that names the place and the remedy, nothing on
//! stdout, no file written, no panic. Too little memory or disk is reported in the same way, with
//! exit code 4.

use std::path::Path;
use std::sync::Arc;

use antipode_graph::builtin;

use crate::support::{Text, folder_with, fresh, plays, rows, run_in, settings, walk, words};

/// Runs the command in a folder, where it must be refused and must write nothing; returns the line.
fn refused_in(folder: &Path, args: &[&str]) -> String {
    ends_in(folder, args, 2)
}

/// Like [`refused_in`], with an exit code.
fn ends_in(folder: &Path, args: &[&str], code: i32) -> String {
    let before = walk(folder);
    let ran = run_in(folder, args).in_a_line(code);
    ran.err.lacks(["panicked"]);
    assert_eq!(walk(folder), before, "{args:?}");
    let line = ran.err.trim_end().strip_prefix("antipode: ");
    line.unwrap_or_else(|| panic!("{}", ran.err)).to_owned()
}

fn refused(args: &[&str]) -> String {
    refused_in(&fresh(), args)
}

/// The lines of a table: what is tried, and fragments of the line that refuses it: what was found
/// where, and what to do.
fn tried(table: &str, refused: impl Fn(&str) -> String) {
    for line in table.lines().filter(|line| !line.trim().is_empty()) {
        let line = format!(" {} ", line.trim_start_matches(' '));
        let mut cells = line.split(" | ");
        let told = refused(cells.next().unwrap().trim_matches(' '));
        told.has(cells.map(|cell| cell.trim_end_matches(' ')));
        told.lacks(["tip:"]);
    }
}

#[test]
fn boards_that_are_none_are_refused_with_place_and_remedy() {
    tried(
        "
        ...../...../..O../..... | 4 row(s), 5 are needed
        ..x../...../..O../...../..... | row 1, column 3 | unknown symbol 'x' | '#' grey
        ..\t../...../..O../...../..... | row 1, column 3 | unknown symbol '\\t'
         | the board is empty text | write five rows
        card-41 | 'card-41' is neither a board nor the name of one | card-1 to card-40",
        |board| refused(&["solve", "tilt/box", "--board", board]),
    );
}

#[test]
fn words_that_cannot_be_taken_are_refused_with_a_remedy() {
    tried(
        "
        solve tilt/box | tilt/box | give a board by --board or --from
        merge shard --out out --redo 99999 | '99999' for '--redo <N>' | 0..=512
        analyse tilt/bxo --out out | no instance of tilt 'bxo' | did you mean 'box'?
        analyse tlit/box --out out | no puzzle 'tlit' | did you mean 'tilt'?
        slove tilt/box | 'slove'; did you mean 'solve'? (`antipode --help` shows all)
        grid tilt/box | unrecognized subcommand 'grid' (`antipode --help` shows all)
        solve tilt/box --format jsno | json, csv]; did you mean 'json'? (`
        solve tilt/box --format bank | json, csv] (`antipode solve --help`
        analyse tilt --out out | write tilt/INSTANCE | tilt/box
        analyse tilt/card-2 --variant fast --out out | no variant 'fast' | bitboard, reference
        analyse tilt/card-2 --engine hsah --out out | did you mean 'hash'? | `antipode analyse --help`
        solve tilt/card-2 --variant bitbord | no variant 'bitbord'; did you mean 'bitboard'?
        verify tilt/box --set gray=1 | no setting 'gray'; did you mean 'grey'? | `antipode list tilt`
        solve tilt/card-2 --bord x | --bord | `antipode solve --help` shows all
        explore tilt/card-77 | no instance of tilt 'card-77'
        explore tilt/box --board nonsense | tilt/box: 'nonsense'
        explore --at 3 | PUZZLE/INSTANCE | antipode list
        explore tilt/card-7 --at 300 --format text | is known to be at distance 300 | known distances are 0 to
        explore --from-run nowhere | --from-run nowhere | antipode analyse --out DIR
        explore tilt/box --limit 0 | '0' for '--limit | seconds above 0
        certify tilt-hardest-bord --out out | no puzzle or claim 'tilt-hardest-bord' | did you mean 'tilt-hardest-board'
        analyse tilt/card-2 --threads 0 --out out | '0' | --threads | 1..=1024
        verify tilt/card-2 --threads two --out out | 'two' | --threads
        analyse tilt/card-2 --threads -1 | '-1' | --threads
        pairs coin-sliding/5x7 --memory 900TiB | -- | less
        solve peg-solitaire/english-33 --engine dfs --table-size 900TiB | -- | less
        certify bitboard-mask-top --out out | 'bitboard-masks' | `antipode list --claims` shows all
        certify hanoi-four-3 --engine gpu --out out | --engine gpu | leave it out
        certify unit-hardest --out out | 'unit-hardest-2x2' | or ' | `antipode list --claims` shows all
        analyse | <PUZZLE/INSTANCE>
        list --plugin-limit 0 | give seconds above 0
        list --plugin-limit nan | give seconds above 0
        list --plugin-limit 1e300 | give seconds above 0
        list --format xml | 'xml' | text | json
        make tilt/card-2 --moves few --out out | 'few' for '--moves | such as 12 | 10..14
        make tilt/card-2 --moves 9..3 | '9..3' | give 3..9
        make tilt/card-2 --moves -1 | '-1' | such as 12
        make tilt/card-2 --moves 3 --count 0 | '0' | --count | 1..=100000
        make tilt/card-2 | --moves
        make pancake/plain-5 --moves 3 --minimal --out out | pancake/plain-5 | --minimal is for tilt and rush-hour
        make coin-sliding/5x7 --moves 3 --out out | coin-sliding/5x7 | --set to=GOAL
        make sliding-block/donkey --moves 3 | sliding-block/donkey | cannot list its solved boards | take another instance
        solve tilt/box --board card-2 --from card-2 | --board | --from
        analyse tilt/card-7 --set grey=1 --out out | tilt/card-7 takes no settings | tilt/box
        analyse tilt/card-2 --engine sweep --direction backward --max-depth 2 --out out | engine sweep walks whole parts | leave out --max-depth
        analyse tilt/card-2 --engine sweep --out out | sweep works backward only
        analyse tilt/card-2 --engine sweep --variant reference --direction backward --out out | variant reference has no inner loop of its own
        analyse tilt/box --direction forward --out out | tilt/box: has no start of its own | --from
        solve coin-sliding/5x7 --set from=V,T --to Y | coin-sliding/5x7 | has 2 starts | give one as its board
        rate coin-sliding/5x7 --set from=V,T --set to=Y | has 2 starts
        solve simple-block/custom --set board=AAB/C.D/EFG --engine dense | dense needs a numbering | use --engine hash
        solve simple-block/custom --set board=AAB/C.D/EFG --engine bidirectional | solved states that are listed | leave out --engine
        analyse tilt/box --resume | add --out DIR
        analyse tilt/box --out out --set grey=1.. | grey=1.. is no range | grey=A..B
        analyse tilt/box --out out --set grey | --set grey | write KEY=VALUE
        analyse tilt/box --out out --set grey=1 --set grey=2 | --set grey=2 | 'grey' is set twice
        analyse tilt/box --out out --set red=1 | no setting 'red' | grey, blue and green",
        |line| refused(&words(line)),
    );
}

// ---- folders that cannot be written ------------------------------------------------

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk() {
    let folder = fresh();
    std::os::unix::fs::symlink("/dev/full", folder.join("progress.jsonl")).unwrap();
    plays(
        folder,
        "2! analyse tilt/box --set grey=1 --out . | progress.jsonl
         no levels.csv",
    );
}

/// Too little memory or disk is a limit and no fault of the input, whichever subcommand searches.
#[test]
fn a_limit_of_memory_or_disk_is_not_reached() {
    let tiles = "sliding-tile/3x3 --from 867/254/3.1 --to 123/456/78.";
    for line in [
        "solve tilt/card-7 --engine dense --memory 100KiB --out out",
        "solve tilt/card-7 --engine disk --memory 1MiB --work work",
        "solve tilt/card-7 --engine cluster --memory 1MiB --work work --processes 1",
        "solve coin-sliding/5x7 --from A --to B --table bits --memory 1MiB",
        "solve sliding-tile/3x3 --board 867/254/3.1 --engine bidirectional --memory 10KiB",
        "analyse tilt/card-7 --engine dense --memory 100KiB --out out",
        "analyse tilt/card-7 --engine disk --memory 1MiB --work work",
        "verify tilt/card-7 --engine dense --memory 100KiB --out out",
        &format!("pairs {tiles} --memory 1MiB --out out"),
        &format!("pairs {tiles} --memory 1MiB --engine dense"),
    ] {
        let folder = fresh();
        let said = ends_in(&folder, &words(line), 4);
        let remedy = said.contains("--") || said.contains("free some");
        assert!(said.contains("iB") && remedy, "{line}: '{said}'");
    }
}

/// The user's path and the remedy, once, whatever the system and the temporary file say.
#[test]
#[cfg(target_os = "linux")]
fn results_that_cannot_be_written_or_read() {
    let folder = fresh();
    let at = &folder;
    plays(
        at,
        r#"plain = | a file
           suite.toml = | [suite]\nname = "s"\nsamples = 2\n[[row]]\nname = "r"\ninstance = "tilt/card-7"\nvariant = ["bitboard", "reference"]\nengine = "hash"
           0 bench suite.toml --out res"#,
    );
    let compare = "compare bitboard reference --results res";
    let file = "something that is no folder is where one is needed";
    for [line, out, remedy] in rows(&format!(
        "{compare} | plain/x | {file}
         {compare} | /dev/full | {file}
         {compare} | /proc/x | choose another place
         analyse tilt/card-2 | plain/below | {file}
         verify tilt/card-2 | plain/below | {file}
         certify tilt-corner-predecessors | plain/below | {file}
         analyse tilt/card-2 | /proc/x | choose another place
         report res | plain/x | {file}
         report res | /dev/full | {file}
         bench suite.toml | plain/x | {file}
         bench suite.toml | plain | {file}
         bench suite.toml | /proc/x | choose another place"
    )) {
        let line = refused_in(at, &words(&format!("{line} --out {out}")));
        line.has([&format!("cannot write {out}: "), remedy]);
        once(&line);
    }
    for [line, start] in rows(
        "compare a b --results none | --results none:
         compare res none | none:
         report none | cannot read the folder none: it does not exist; name
         merge none --out plain/x | none: it does not exist; name
         improve tilt/card-2 none | none: No such file or directory (os error 2); give
         improve tilt/card-2 . | .: is a directory; give
         bench none.toml | cannot read none.toml:
         bench suite.toml --against none | --against none:
         regress --baseline none.toml | cannot read the baseline none.toml",
    ) {
        let line = refused_in(at, &words(line));
        line.has([start]);
        once(&line);
    }
}

/// Says nothing twice, and does not mention temporary files.
fn once(line: &str) {
    assert!(line.matches("(os error").count() <= 1, "{line}");
    line.lacks([".part", ".antipode-"]);
    let parts: Vec<&str> = line.split(": ").collect();
    let mut distinct = parts.clone();
    distinct.dedup();
    assert_eq!(parts, distinct, "{line}");
}

// ---- plugins ---------------------------------------------------------------------

#[test]
fn plugins_that_are_missing_or_no_libraries() {
    let folder = folder_with("notes.so", "not a library");
    for [line, said] in rows(
        "list --plugin nowhere.so | nowhere.so: cannot be read
         list --plugin . | .: is not a file; name
         list --plugin notes.so | notes.so: is not a shared library that loads here:
         analyse tilt/card-2 --out out --plugin notes.so | notes.so: is not a shared library that loads here:
         certify --out out --plugin notes.so | notes.so: is not a shared library that loads here:",
    ) {
        let told = refused_in(&folder, &words(line));
        assert!(told.starts_with(said), "{told}");
    }
}

/// Numbers that no board has, and texts that are not numbers.
const ODD: [&str; 9] = [
    "18446744073709551615",
    "9223372036854775807,1",
    "1,9223372036854775807",
    "4294967295x4294967295",
    "-1",
    "99999999999999999999",
    "",
    "[[",
    "\u{e9}\u{202e}\u{0}",
];

/// A board without a cell is none, also of a puzzle that reads moves.
#[test]
fn every_puzzle_refuses_an_empty_board() {
    let verbs = ["solve", "explore", "rate"].into_iter().cycle();
    let boards = ["", " ", "\n", ""].into_iter().cycle();
    for (library, (verb, board)) in builtin::all().iter().zip(verbs.zip(boards)) {
        let name = format!("{}/{}", library.name, library.instances[0].name);
        refused(&[verb, &name, "--board", board]);
    }
}

#[test]
fn every_setting_refuses_odd_values_in_a_line() {
    let mut refused = 0;
    for library in builtin::all().into_iter().map(Arc::new) {
        let listed = library.instances.iter().map(|one| one.name.clone());
        for name in listed.take(2).chain(["custom".to_owned()]) {
            let sets = library
                .variants
                .iter()
                .flat_map(|variant| library.settings.iter().map(move |set| (variant, set)));
            for (variant, set) in sets {
                for value in ODD {
                    let of = format!("{}/{name} {}={value}", library.name, set.key);
                    let opened = library.open(&name, variant, &settings(&[(&*set.key, value)]));
                    let Err(why) = opened.map_err(|why| why.to_string()) else {
                        continue;
                    };
                    let is_line = !why.contains("panicked") && !why.contains('\n');
                    assert!(is_line, "{of}: {why}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 500, "{refused} refused");
}
