//! Engine `cluster`: real processes on this machine, in one command and in one each. Whatever their
//! number, they write the very bytes of engine `disk`. A fault in one of them ends all of them,
//! with a line that names it.

mod faults;
mod greeting;
mod pace;
mod tables;

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Ran, Text, antipode, kept_tables, lines_of, read, runs, words};

/// A search that is over in a second or two.
const DONKEY: &str = "sliding-block/donkey";

fn done(folder: &Path, line: &str) {
    runs(folder, line).ended(0);
}

fn tables(folder: &Path, out: &str) -> [String; 2] {
    kept_tables(folder.join(out))
}

/// The tables of engine disk, in the folder `disk`.
fn on_disk(folder: &Path, question: &str) {
    let how = "--engine disk --work d --memory 128MiB --threads 1 --out disk";
    done(folder, &format!("analyse {question} {how}"));
}

/// Processes that are started one by one, as on separate machines.
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
        let hosts = read(self.folder.join("hosts.txt"));
        hosts.lines().nth(index).expect("a host").to_owned()
    }

    fn start(&self, index: usize, question: &str, more: &str) -> Child {
        let how = "--engine cluster --hosts hosts.txt --secret secret --threads 1 --memory 128MiB --quiet";
        let line = format!("analyse {question} {how} --process {index} --work w --out o {more}");
        let mut command = antipode();
        // If a process of a group without a shell is stopped, the system may hang up on the whole
        // group, including this test.
        command.process_group(0);
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
    ran.err.has(all);
}

/// Finished levels of a process.
fn levels(folder: &Path, index: usize, count: usize) -> usize {
    let journal = folder.join(format!("w/process-{index}-of-{count}/progress.jsonl"));
    lines_of(&journal).saturating_sub(1)
}
