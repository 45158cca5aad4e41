//! Engine `cluster`: real processes on this machine, in one command and in one each. Whatever
//! their number, they come to the very bytes of engine `disk`; what goes wrong with one of them
//! ends all of them, with a line that names it.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use puzzle_api::Xorshift;

use crate::support::{Ran, antipode, run_in};

/// A search that is over in a second or two.
const DONKEY: &str = "sliding-block/donkey";

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

fn ran(folder: &Path, line: &str) -> Ran {
    run_in(folder, &words(line))
}

fn done(folder: &Path, line: &str) {
    let ran = ran(folder, line);
    assert_eq!(ran.code, 0, "{line}: {}", ran.err);
}

fn tables(folder: &Path, out: &str) -> [Vec<u8>; 2] {
    ["levels.csv", "antipodes.csv"].map(|name| fs::read(folder.join(out).join(name)).expect(name))
}

/// Runs a question with engine disk, then with so many processes, and compares the tables.
fn same(question: &str, crews: &[(usize, usize)]) {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    let disk = "--engine disk --work work --memory 128MiB --threads 1 --out disk";
    done(folder, &format!("analyse {question} {disk}"));
    for (processes, threads) in crews {
        let how = format!("--processes {processes} --threads {threads} --work w --memory 128MiB");
        let line = format!("analyse {question} --engine cluster {how} --out o --force");
        done(folder, &line);
        assert_eq!(tables(folder, "o"), tables(folder, "disk"), "{line}");
        // More levels may be asked for.
        let kept = question.contains("--max-depth");
        assert_eq!(folder.join("w").exists(), kept, "{line}");
    }
}

#[test]
fn any_number_of_processes_comes_to_the_bytes_of_disk() {
    let all = [1, 2, 3, 4, 8].map(|processes| [(processes, 1), (processes, 2)]);
    same(DONKEY, &all.concat());
}

#[test]
fn so_it_does_against_the_moves_with_what_cannot_be_solved() {
    same("lights-out/4x4 --direction backward", &[(1, 1), (3, 2)]);
    same("pancake/plain-8 --direction backward", &[(2, 2)]);
}

#[test]
fn so_it_does_where_moves_cannot_be_undone_and_through_layers() {
    same("peg-solitaire/diamond-41 --max-depth 9", &[(3, 1)]);
    same(
        "sliding-block/donkey --max-depth 40 --buckets uniform",
        &[(3, 2)],
    );
}

#[test]
fn paths_are_as_short_as_those_of_disk() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    let memory = "--memory 128MiB --threads 1";
    for question in [DONKEY, "tilt/card-7"] {
        done(
            folder,
            &format!("solve {question} --engine disk {memory} --out disk --force"),
        );
        let line = format!("solve {question} --engine cluster {memory} --processes 3 --out o");
        done(folder, &format!("{line} --force"));
        let read =
            |out: &str, file: &str| fs::read_to_string(folder.join(out).join(file)).expect(file);
        assert_eq!(read("o", "levels.csv"), read("disk", "levels.csv"));
        let rows = |out: &str| read(out, "path.csv").lines().count();
        assert_eq!(rows("o"), rows("disk"));
        assert!(!folder.join("o/work").exists());
    }
}

/// Processes that are started one by one, as on machines of their own.
struct Crew<'a> {
    folder: &'a Path,
    count: usize,
}

impl<'a> Crew<'a> {
    fn new(folder: &'a Path, count: usize) -> Self {
        let free = |_| TcpListener::bind("127.0.0.1:0").expect("a port");
        let held: Vec<TcpListener> = (0..count).map(free).collect();
        let line = |held: &TcpListener| format!("{}\n", held.local_addr().expect("an address"));
        let lines: String = held.iter().map(line).collect();
        fs::write(folder.join("hosts.txt"), lines).expect("hosts");
        let secret = folder.join("secret");
        fs::write(&secret, [7; 32]).expect("secret");
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).expect("mode");
        Self { folder, count }
    }

    fn address(&self, index: usize) -> String {
        let hosts = fs::read_to_string(self.folder.join("hosts.txt")).expect("hosts");
        hosts.lines().nth(index).expect("a host").to_owned()
    }

    fn start(&self, index: usize, question: &str, more: &str) -> Child {
        let how = "--engine cluster --hosts hosts.txt --secret secret --threads 1 --memory 128MiB --quiet";
        let line = format!("analyse {question} {how} --process {index} --work w --out o {more}");
        let mut command = antipode();
        command.current_dir(self.folder).args(words(&line));
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().expect("starts")
    }

    fn start_all(&self, question: &str, more: &str) -> Vec<Child> {
        let all = 0..self.count;
        all.map(|index| self.start(index, question, more)).collect()
    }
}

/// Waits for the end of a process; none may hang.
fn ended(mut child: Child) -> Ran {
    let late = Instant::now() + Duration::from_secs(60);
    while child.try_wait().expect("a child").is_none() {
        if Instant::now() > late {
            child.kill().expect("killed");
            let ran: Ran = child.wait_with_output().expect("output").into();
            panic!("it hangs: {}", ran.err);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().expect("output").into()
}

/// One line that says all of this.
fn says(ran: &Ran, code: i32, all: &[&str]) {
    assert_eq!(ran.code, code, "{}", ran.err);
    assert_eq!(ran.err.trim_end().lines().count(), 1, "{}", ran.err);
    for part in all {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
}

/// Finished levels of a process.
fn levels(folder: &Path, index: usize, count: usize) -> usize {
    let journal = folder.join(format!("w/process-{index}-of-{count}/progress.jsonl"));
    let text = fs::read_to_string(journal).unwrap_or_default();
    text.lines().count().saturating_sub(1)
}

/// Starts all, and kills one once it has finished so many levels; gives what the others said, or
/// nothing where they had come to their end before.
fn kill_one(crew: &Crew<'_>, victim: usize, after: usize, more: &str) -> bool {
    let mut children = crew.start_all(DONKEY, more);
    let late = Instant::now() + Duration::from_secs(60);
    while levels(crew.folder, victim, crew.count) < after
        && children[victim].try_wait().expect("a child").is_none()
        && Instant::now() < late
    {
        std::thread::sleep(Duration::from_millis(2));
    }
    let in_time = children[victim].try_wait().expect("a child").is_none();
    children[victim].kill().expect("killed");
    let clock = Instant::now();
    let name = format!("process {victim}");
    for (index, child) in children.into_iter().enumerate() {
        let ran = ended(child);
        if index != victim && ran.code != 0 {
            says(&ran, 4, &[&name, "--resume"]);
        }
    }
    assert!(clock.elapsed() < Duration::from_secs(30));
    in_time
}

#[test]
fn killed_at_random_levels_any_number_of_processes_goes_on() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    done(
        folder,
        &format!("analyse {DONKEY} --engine disk --work d --threads 1 --out disk"),
    );
    let mut random = Xorshift::for_draw(20, 0);
    let mut more = "";
    let mut kills = 0;
    // The same number again, fewer, more.
    for (count, victim) in [(3, 2), (3, 0), (2, 1), (4, 3)] {
        let crew = Crew::new(folder, count);
        let after = 4 + 10 * kills + random.below(10) as usize;
        if kill_one(&crew, victim, after, more) {
            kills += 1;
        }
        more = "--resume";
    }
    assert!(kills >= 2);
    let crew = Crew::new(folder, 3);
    for child in crew.start_all(DONKEY, "--resume") {
        let ran = ended(child);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    assert_eq!(tables(folder, "o"), tables(folder, "disk"));
    assert!(!folder.join("w").exists());
}

#[test]
fn a_process_that_stands_still_is_told_and_waited_for_no_longer() {
    let folder = tempfile::tempdir().expect("folder");
    let crew = Crew::new(folder.path(), 2);
    let mut children = crew.start_all("sliding-block/climb-pro-24 --max-depth 75", "--silence 20");
    while levels(folder.path(), 1, 2) < 3 {
        assert!(children[1].try_wait().expect("a child").is_none());
        std::thread::sleep(Duration::from_millis(5));
    }
    let stopped = children.pop().expect("two");
    let number = Pid::from_raw(stopped.id() as i32);
    kill(number, Signal::SIGSTOP).expect("stopped");
    says(
        &ended(children.pop().expect("two")),
        4,
        &["process 1", "has said nothing for 2"],
    );
    kill(number, Signal::SIGKILL).expect("killed");
    let _ = ended(stopped);
}

#[test]
fn processes_that_are_not_of_one_search_do_not_begin() {
    let folder = tempfile::tempdir().expect("folder");
    let crew = Crew::new(folder.path(), 2);
    let other = "sliding-block/climb-12";
    let cases: [(&str, &str, &str, &[&str]); 4] = [
        (DONKEY, other, "", &["instance is"]),
        (DONKEY, DONKEY, "--max-depth 5", &["greatest level is"]),
        (DONKEY, DONKEY, "--buckets uniform", &["buckets is"]),
        (DONKEY, DONKEY, "--keep-every 3", &["keep every is"]),
    ];
    for (one, two, more, told) in cases {
        let first = crew.start(0, one, "");
        let second = ended(crew.start(1, two, more));
        let first = ended(first);
        for ran in [first, second] {
            says(&ran, 2, &[told, &["another search"]].concat());
        }
        fs::remove_dir_all(folder.path().join("w")).expect("work");
    }
    assert!(!folder.path().join("o/levels.csv").exists());
}

#[test]
fn a_process_with_another_secret_or_number_does_not_begin() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    let crew = Crew::new(folder, 2);
    let first = crew.start(0, DONKEY, "--silence 20");
    let other = tempfile::tempdir().expect("folder");
    let stranger = Crew::new(other.path(), 2);
    fs::write(other.path().join("secret"), [8; 32]).expect("secret");
    fs::copy(folder.join("hosts.txt"), other.path().join("hosts.txt")).expect("hosts");
    says(
        &ended(stranger.start(1, DONKEY, "")),
        2,
        &["process 0", "another secret"],
    );
    // With the secret, and another number of processes.
    fs::remove_dir_all(other.path().join("w")).expect("work");
    fs::write(other.path().join("secret"), [7; 32]).expect("secret");
    let more = format!("{}\n{}\n127.0.0.1:9\n", crew.address(0), crew.address(1));
    fs::write(other.path().join("hosts.txt"), more).expect("hosts");
    let told = "number of processes is";
    says(&ended(stranger.start(1, DONKEY, "")), 2, &[told]);
    says(&ended(first), 2, &[told]);
}

#[test]
fn who_does_not_come_is_named() {
    let folder = tempfile::tempdir().expect("folder");
    let crew = Crew::new(folder.path(), 2);
    let alone = crew.start(0, DONKEY, "--silence 1");
    says(
        &ended(alone),
        2,
        &["process 1", &crew.address(1), "did not come within 1 s"],
    );
}

#[test]
fn what_strangers_send_ends_nothing() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    done(
        folder,
        &format!("analyse {DONKEY} --engine disk --work d --threads 1 --out disk"),
    );
    let crew = Crew::new(folder, 2);
    let first = crew.start(0, DONKEY, "");
    let mut random = Xorshift::for_draw(7, 0);
    let mut kept = Vec::new();
    let late = Instant::now() + Duration::from_secs(60);
    while kept.len() < 24 && Instant::now() < late {
        let Ok(mut stranger) = TcpStream::connect(crew.address(0)) else {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        // Nothing, noise, and what looks like a greeting with a wrong proof.
        let noise: Vec<u8> = (0..random.below(300))
            .map(|_| random.below(256) as u8)
            .collect();
        if kept.len() % 3 == 1 {
            let _ = stranger.write_all(&noise);
        } else if kept.len() % 3 == 2 {
            let mut hello = b"antipode mail 1\n".to_vec();
            hello.resize(48, 5);
            hello.extend([1, 0, 0, 0, 0, 0, 0, 0]);
            let _ = stranger.write_all(&hello);
            let mut answer = [0; 80];
            let _ = stranger.set_read_timeout(Some(Duration::from_secs(20)));
            let _ = stranger.read(&mut answer);
            let _ = stranger.write_all(&[9; 32]);
        }
        kept.push(stranger);
    }
    assert_eq!(kept.len(), 24);
    let second = crew.start(1, DONKEY, "");
    for child in [first, second] {
        let ran = ended(child);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    assert_eq!(tables(folder, "o"), tables(folder, "disk"));
}

#[test]
fn a_limit_of_one_process_is_one_for_all() {
    let folder = tempfile::tempdir().expect("folder");
    let line = "analyse sliding-block/climb-pro-24 --engine cluster --processes 2 \
                --threads 1 --work w --memory 128MiB --disk 600KB --out o";
    let ran = ran(folder.path(), line);
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(
        ran.out.contains("of disk allowed"),
        "{}{}",
        ran.out,
        ran.err
    );
    let levels = fs::read_to_string(folder.path().join("o/levels.csv")).expect("levels");
    assert!(levels.lines().count() > 5);
}

#[test]
fn options_that_do_not_go_together_are_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    // Its files.
    let _ = Crew::new(folder, 2);
    let start = format!("analyse {DONKEY} --engine cluster");
    let open = folder.join("open");
    fs::write(&open, [7; 32]).expect("secret");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o644)).expect("mode");
    for (more, told) in [
        ("", "--work"),
        ("--processes 2", "--work"),
        ("--work w --processes 2 --process 1", "leave out"),
        ("--work w --hosts hosts.txt", "--process I"),
        ("--work w --process 1", "--hosts FILE"),
        ("--work w --hosts hosts.txt --process 2", "2 lines"),
        ("--work w --hosts hosts.txt --process 1", "--secret"),
        (
            "--work w --hosts hosts.txt --process 1 --secret open",
            "chmod 600",
        ),
        ("--work w --hosts none --process 1 --secret secret", "none"),
    ] {
        says(&ran(folder, &format!("{start} {more}")), 2, &[told]);
    }
    let parts = "analyse tilt/box --direction backward --engine cluster --work w";
    says(&ran(folder, parts), 2, &["--shard"]);
    says(
        &ran(folder, &format!("analyse {DONKEY} --processes 2")),
        2,
        &["engine cluster"],
    );
}

/// The script for Slurm, with stand-ins for its commands: a job of two nodes on this machine.
#[cfg(target_os = "linux")]
#[test]
fn the_slurm_script_starts_a_process_a_node() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    done(
        folder,
        &format!("analyse {DONKEY} --engine disk --work d --threads 1 --out disk"),
    );
    let bin = folder.join("bin");
    fs::create_dir(&bin).expect("folder");
    let port = TcpListener::bind("127.0.0.2:0").and_then(|held| held.local_addr());
    let port = port.expect("a port").port();
    for (name, script) in [
        ("scontrol", "printf '127.0.0.1\n127.0.0.2\n'"),
        (
            "srun",
            "SLURM_PROCID=1 \"$@\" & SLURM_PROCID=0 \"$@\" && wait $!",
        ),
    ] {
        let file = bin.join(name);
        fs::write(&file, format!("#!/bin/bash\n{script}\n")).expect(name);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect(name);
    }
    let path = std::env::var("PATH").expect("a path");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci/cluster.slurm");
    let ran: Ran = std::process::Command::new("bash")
        .arg(&script)
        .arg(DONKEY)
        .args(["--memory", "128MiB"])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", bin.display()))
        .env("ANTIPODE", env!("CARGO_BIN_EXE_antipode"))
        .env("ANTIPODE_PORT", port.to_string())
        .env("SLURM_JOB_ID", "7")
        .env("SLURM_JOB_NODELIST", "node[1-2]")
        .env("SLURM_CPUS_PER_TASK", "1")
        .output()
        .expect("bash")
        .into();
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(tables(folder, "out"), tables(folder, "disk"));
    assert!(!folder.join("levels").exists() && !folder.join("secret-7").exists());
}
