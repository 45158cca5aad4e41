//! Every engine that keeps a folder, killed again and again at random moments. The same command
//! with `--resume` must write the very bytes of an undisturbed run.
//!
//! `ANTIPODE_KILLS=240 cargo test -p antipode --test suite kills:: -- --nocapture` kills that
//! often, and prints the number for each engine.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use puzzle_api::Xorshift;

use crate::support::{Ran, antipode, fresh, rows, run_in, walk, words};

/// Kills over all engines, unless the environment sets another number.
const KILLS: u64 = 27;
/// Most kills of one run, so that every run ends, and ends are tried, too.
const KILLS_A_RUN: u64 = 7;

/// A name, the files in `out` that must be the same bytes, and a command.
const CASES: &str = "
    disk forward | levels.csv antipodes.csv | analyse sliding-block/donkey --engine disk --memory 128MiB --work work
    disk backward over parts | levels.csv antipodes.csv | analyse tilt/box --set grey=2 --set blue=0..1 --engine disk --work work
    disk within a part of two, held at first | levels.csv antipodes.csv | analyse sliding-tile/2x5 --direction backward --engine disk --work work
    bidirectional | levels.csv path.csv | solve coin-sliding/5x7 --from A --to B --work work
    solve on disk | levels.csv path.csv | solve sliding-block/donkey --engine disk --memory 128MiB --work work
    blocks of parts | levels.csv antipodes.csv | analyse tilt/box --set grey=3 --set blue=0..1 --engine hash
    pairs | pairs.csv sides.csv | pairs coin-sliding/custom --memory 64MiB --radius 1 --from oooo/oo../..../....,o.o./oooo/..../....,oo../oo../.o../o... --to oooo/oo../..../....,o.o./oooo/..../....,oo../oo../.o../o...
    beam in rounds | path.csv | solve sliding-block/donkey --engine beam --width 300 --rounds 2 --work work
    cluster | levels.csv antipodes.csv | analyse sliding-block/donkey --engine cluster --memory 128MiB --work work
";

struct Case {
    name: &'static str,
    files: &'static str,
    command: &'static str,
}

impl Case {
    fn args(&self, resume: bool) -> Vec<&'static str> {
        let mut args = words(self.command);
        args.extend(["--threads", "2", "--out", "out"]);
        args.extend(resume.then_some("--resume"));
        args
    }

    fn results(&self, folder: &Path) -> Vec<Vec<u8>> {
        let files = words(self.files).into_iter();
        let read = |name| fs::read(folder.join("out").join(name)).unwrap();
        files.map(read).collect()
    }
}

/// Kills a run after a while; returns its output, if it had ended before.
fn killed(folder: &Path, args: &[&str], after: Duration) -> Option<Ran> {
    let mut command = antipode();
    command.current_dir(folder).args(args);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::thread::sleep(after);
    let ended = child.try_wait().unwrap().is_some();
    child.kill().unwrap();
    let ran: Ran = child.wait_with_output().unwrap().into();
    // It may have ended just before it was killed.
    (ended || ran.code != -1).then_some(ran)
}

/// Kills one run several times before its end; returns how often, and checks its result.
fn run_killed(case: &Case, whole: &[Vec<u8>], time: f64, random: &mut Xorshift, most: u64) -> u64 {
    let folder = &fresh();
    let mut kills = 0;
    let mut begun = false;
    while kills < most.min(KILLS_A_RUN) {
        // More often early: the first moments, and those after a resumption.
        let share = random.below(1000) as f64 / 1000.0;
        let after = Duration::from_secs_f64(time * share * share);
        match killed(folder, &case.args(begun), after) {
            None => kills += 1,
            Some(ran) => {
                assert_eq!(ran.code, 0, "{}: {}", case.name, ran.err);
                break;
            }
        }
        begun = true;
    }
    // To its end, and once more after it.
    for _ in 0..2 {
        run_in(folder, &case.args(true)).ended(0);
        let same = case.results(folder) == whole;
        assert!(same, "{} after {kills} kills", case.name);
    }
    let left = walk(folder).into_iter().filter(|path| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.ends_with(".part") || name == "progress.jsonl" || name == "work"
    });
    assert_eq!(left.count(), 0, "{}", case.name);
    kills
}

#[test]
fn killed_at_random_moments_every_engine_comes_to_the_same_bytes() {
    let wanted = std::env::var("ANTIPODE_KILLS").ok();
    let wanted = wanted.map_or(KILLS, |text| text.parse().expect("a number of kills"));
    let cases = rows(CASES).into_iter().map(|[name, files, command]| Case {
        name,
        files,
        command,
    });
    let cases: Vec<Case> = cases.collect();
    let each = wanted.div_ceil(cases.len() as u64);
    for (case, seed) in cases.iter().zip(1..) {
        let folder = fresh();
        let clock = Instant::now();
        run_in(&folder, &case.args(false)).ended(0);
        let time = clock.elapsed().as_secs_f64();
        let whole = case.results(&folder);
        let mut random = Xorshift::for_draw(seed, 0);
        let (mut kills, mut runs) = (0, 0);
        while kills < each {
            kills += run_killed(case, &whole, time, &mut random, each - kills);
            runs += 1;
        }
        let spent = clock.elapsed().as_secs_f64();
        println!("{}: {kills} kills, {runs} runs, {spent:.1} s", case.name);
    }
}
