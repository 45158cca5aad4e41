//! `explore` in a user's hands: other people's puzzles, their crashes, and how it ends.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use crate::make::{c, on, ring, scratch};
use crate::support::{Text, antipode, signal, words};

const LIGHTS_OUT: &str = "puzzles/examples/lights-out/lights_out.c";

/// The running command, which ends with the test.
struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Serving {
    /// Starts it, and waits for the address that it prints.
    fn start(command: &mut Command) -> (Self, String) {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("starts");
        let mut line = String::new();
        let out = child.stdout.as_mut().expect("a pipe");
        BufReader::new(out)
            .read_line(&mut line)
            .expect("an address");
        assert!(line.starts_with("http://127.0.0.1:"), "{line}");
        (Self(child), line.trim().to_owned())
    }

    /// The exit code and stderr, once it has ended by itself.
    fn ended(&mut self) -> (Option<i32>, String) {
        let begun = Instant::now();
        while self.0.try_wait().expect("waits").is_none() {
            assert!(begun.elapsed() < Duration::from_secs(20), "still at work");
            std::thread::sleep(Duration::from_millis(20));
        }
        let mut text = String::new();
        let err = self.0.stderr.as_mut().expect("a pipe");
        err.read_to_string(&mut text).expect("text");
        (self.0.wait().expect("ended").code(), text)
    }
}

/// The answer to a request, as far as it has arrived.
fn get(address: &str, path: &str) -> String {
    let host = address.trim_start_matches("http://").split('/').next();
    let host = host.expect("a host");
    let mut stream = TcpStream::connect(host).expect("connects");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("asks");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer
}

/// Serves a library on some port.
fn serve(library: &Path, line: &str) -> (Serving, String) {
    let mut command = antipode();
    command
        .args(words(line))
        .args(["--port", "0", "--plugin"])
        .arg(library);
    Serving::start(&mut command)
}

#[test]
fn a_library_is_explored_as_any_puzzle() {
    let library = c(LIGHTS_OUT, &["-std=c99", "-O2"], "lights_out_explored.so");
    let position = on(&library, "explore lights-out/3x3 --antipode --format json")
        .ended(0)
        .json();
    assert_eq!(position["record"], "antipode-position-1");
    // The one board of 3x3 that takes a press of every button.
    assert_eq!(position["distance"], 9);
    let svg = position["svg"].as_str().expect("a picture");
    assert!(svg.starts_with("<svg class=\"board\""), "{svg}");
    let moves = position["moves"].as_array().expect("moves");
    assert!(moves.len() == 9 && moves.iter().all(|made| made["shortest"] == true));
    let (mut serving, address) = serve(&library, "explore lights-out/3x3");
    get(&address, "/api/lights-out/3x3?go=antipode").has(["\"distance\":9"]);
    signal(&serving.0, Signal::SIGINT);
    assert_eq!(serving.ended().0, Some(0));
}

/// A crash while the page is served ends in one line, as anywhere.
#[test]
fn a_library_that_crashes_while_it_is_served_is_told() {
    let flag = scratch("explore_crash_flag");
    let _ = fs::remove_file(&flag);
    let fault = format!(
        "-DFAULT_SUCCESSORS=if (access(\"{}\", 0) == 0) _exit(0)",
        flag.display()
    );
    let library = ring(&[&fault], "fault_explored.so");
    let (mut serving, address) = serve(&library, "explore ring/24 --board 05");
    get(&address, "/api/ring/24?board=05").has(["\"board\":\"05\""]);
    fs::write(&flag, "").expect("writes");
    get(&address, "/api/ring/24?board=06");
    let (code, text) = serving.ended();
    let _ = fs::remove_file(&flag);
    assert_eq!(code, Some(2), "{text}");
    let line = text.lines().find(|line| line.starts_with("antipode: "));
    let line = line.unwrap_or_else(|| panic!("{text}"));
    line.has(["successors ended the process"]);
}

#[test]
fn ctrl_c_ends_it_at_once() {
    let mut command = antipode();
    command.args(["explore", "peg-solitaire/french-37", "--port", "0"]);
    let (mut serving, address) = Serving::start(&mut command);
    let asking = std::thread::spawn(move || get(&address, "/api/peg-solitaire/french-37"));
    std::thread::sleep(Duration::from_millis(500));
    let begun = Instant::now();
    signal(&serving.0, Signal::SIGINT);
    assert_eq!(serving.ended().0, Some(0));
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(5), "{took:?}");
    asking.join().expect("no panic");
}
