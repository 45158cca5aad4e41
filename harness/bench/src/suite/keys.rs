//! The keys of a suite, with their meaning and, in brackets, their default: the text of `bench
//! --help`.

/// Keys of `[suite]`, one per line.
pub const SUITE_KEYS: &str = r#"
  name       letters, digits, '.', '_' and '-'; names its results where several suites run
  samples    of each row, 1 to 10000 [10]
  warmups    runs of each row before, not recorded, which find the answers too [1]
  seed       of the order in which samples are taken [1]
  noise      rows measured against themselves, where no row says `self` [1]
  timeout    of a sample, such as "30s" or "2m" [60s]
  memory     of a sample's whole process, such as "2GiB" [no limit]
  plugins    libraries with puzzles, a list of files from the suite's folder [none]
  limit      growth that fails in `regress`, where no row says another, such as { time = 1.2, peak = 1.3 } [the baseline's]
"#;

/// Keys of a `[[row]]`, one per line.
pub const ROW_KEYS: &str = r#"
  name       of the row, unique; without '@'
  was        its name before: a baseline knows the row by it [none]
  instance   "PUZZLE/INSTANCE" or a list of them; `antipode list` shows all; a row with a command may leave it out
  parameters values for {NAME} in texts of the row, each value a row of its own: { n = "1..8", step = "10..50:10", mode = ["a", "b"] } [none]
  set        settings of the instance, such as { grey = 2, blue = "0..1" }
  variant    implementation of the rules: one, a list or "all" [the puzzle's first]
  engine     one, a list or "all"; of a list, those that cannot stay as refused [the fastest that can]
  threads    one number or a list [1]
  direction  "forward" or "backward" [as analyse chooses]
  from       the start: a position, its rows joined by '/', or the name of one [the instance's own]
  to         with verb = "solve": the end, likewise [solved]
  max-depth  the last level that is walked [all]
  table      of engine dense: "byte", "two-bits" or "bit" [the widest that fits]
  verb       "analyse", all levels, or "solve", one shortest path [analyse]
  command    another program that answers, with its arguments: ["../peer", "--all"], a path with '/' from the suite's folder; timed as a whole process, and refused while there is no such file
  prepare    a program that runs before each run of the row, not timed, written as a command [none]
  cleanup    a program that runs when the last run of the row is over [none]
  timeout    of a sample of this row [the suite's]
  memory     of a sample of this row [the suite's]
  group      rows of one group answer the same question and are compared [by question]
  expect     the answer: digest of the level table, "length N" or "unsolvable" [what the rows of the group agree on]; with a command a text that it prints where it is right, and without one all that it prints
  limit      growth that fails in `regress`, by metric: time, states, moves, read, written, peak, instructions [the suite's; else the baseline's for time and counters, 1.5 for peak, 1.05 for instructions]
  self       true: measured against itself in the same rounds, which shows the noise [false]
"#;

/// An example of a suite, every key with its meaning.
pub fn help() -> String {
    let example = r#"A suite is a file of TOML:

  [suite]
  name = "mine"

  [[row]]
  name = "box"
  instance = "tilt/box"
  set = { grey = 1 }
  engine = ["hash", "dense"]

A row with lists, or "all", stands for every combination, each a row of its own.
"#;
    format!("{example}\nKeys of [suite]:{SUITE_KEYS}\nKeys of a [[row]]:{ROW_KEYS}")
}
