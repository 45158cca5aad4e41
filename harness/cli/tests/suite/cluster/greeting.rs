//! Which peers a process accepts, and which it refuses.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use puzzle_api::Xorshift;

use super::{Crew, DONKEY, ended, on_disk, says, tables};
use crate::support::{fresh, rows, runs};

#[test]
fn processes_that_are_not_of_one_search_do_not_begin() {
    let folder = fresh();
    let crew = Crew::new(&folder, 2);
    for [question, more, told] in rows(&format!(
        "sliding-block/climb-12 |  | instance is
         {DONKEY} | --max-depth 5 | greatest level is
         {DONKEY} | --buckets uniform | buckets is
         {DONKEY} | --keep-every 3 | keep every is"
    )) {
        let first = crew.start(0, DONKEY, "");
        let second = ended(crew.start(1, question, more));
        for ran in [ended(first), second] {
            says(&ran, 2, &[told, "another search"]);
        }
        fs::remove_dir_all(folder.join("w")).expect("work");
    }
    assert!(!folder.join("o/levels.csv").exists());
}

#[test]
fn a_process_with_another_secret_or_number_does_not_begin() {
    let folder = &fresh();
    let crew = Crew::new(folder, 2);
    let first = crew.start(0, DONKEY, "--silence 20");
    let other = fresh();
    let stranger = Crew::new(&other, 2);
    fs::write(other.join("secret"), [8; 32]).expect("secret");
    fs::copy(folder.join("hosts.txt"), other.join("hosts.txt")).expect("hosts");
    let refused = ended(stranger.start(1, DONKEY, ""));
    says(&refused, 2, &["process 0", "another secret"]);
    // With the secret, and another number of processes.
    fs::remove_dir_all(other.join("w")).expect("work");
    fs::write(other.join("secret"), [7; 32]).expect("secret");
    let more = format!("{}\n{}\n127.0.0.1:9\n", crew.address(0), crew.address(1));
    fs::write(other.join("hosts.txt"), more).expect("hosts");
    let told = "number of processes is";
    says(&ended(stranger.start(1, DONKEY, "")), 2, &[told]);
    says(&ended(first), 2, &[told]);
}

#[test]
fn who_does_not_come_is_named() {
    let folder = fresh();
    let crew = Crew::new(&folder, 2);
    let alone = ended(crew.start(0, DONKEY, "--silence 1"));
    let said = ["process 1", &crew.address(1), "did not come within 1 s"];
    says(&alone, 4, &said);
}

#[test]
fn what_strangers_send_ends_nothing() {
    let folder = &fresh();
    on_disk(folder, DONKEY);
    let crew = Crew::new(folder, 2);
    let first = crew.start(0, DONKEY, "");
    let mut random = Xorshift::for_draw(7, 0);
    let mut kept = Vec::new();
    let late = Instant::now() + Duration::from_secs(60);
    while kept.len() < 12 && Instant::now() < late {
        let Ok(mut stranger) = TcpStream::connect(crew.address(0)) else {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        // Nothing, noise, and what looks like a greeting with a wrong proof.
        let length = random.below(300);
        let noise: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        if kept.len() % 3 == 1 {
            let _ = stranger.write_all(&noise);
        } else if kept.len() % 3 == 2 {
            let mut hello = b"antipode peer 1\n".to_vec();
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
    assert_eq!(kept.len(), 12);
    let second = crew.start(1, DONKEY, "");
    for child in [first, second] {
        ended(child).ended(0);
    }
    assert_eq!(tables(folder, "o"), tables(folder, "disk"));
}

#[test]
fn options_that_do_not_go_together_are_refused_in_one_line() {
    let folder = &fresh();
    // Its files.
    let _ = Crew::new(folder, 2);
    let start = format!("analyse {DONKEY} --engine cluster");
    let open = folder.join("open");
    fs::write(&open, [7; 32]).expect("secret");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o644)).expect("mode");
    for [more, told] in rows(
        " | --work
         --processes 2 | --work
         --work w --processes 2 --process 1 | leave out
         --work w --hosts hosts.txt | --process I
         --work w --process 1 | --hosts FILE
         --work w --secret nosuch | --hosts FILE
         --work w --silence 5 | --processes N
         --work w --hosts hosts.txt --process 2 | 2 lines
         --work w --hosts hosts.txt --process 1 | --secret
         --work w --hosts hosts.txt --process 1 --secret open | chmod 600
         --work w --hosts none --process 1 --secret secret | none",
    ) {
        says(&runs(folder, &format!("{start} {more}")), 2, &[told]);
    }
    let alone = runs(folder, &format!("analyse {DONKEY} --processes 2"));
    says(&alone, 2, &["engine cluster"]);
}
