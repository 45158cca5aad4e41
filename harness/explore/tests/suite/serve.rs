//! The server, as a program without a browser sees it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};

use antipode_check::ask::PathRequest;
use antipode_explore::{AnswerLimits, Instances, Server};
use antipode_search::progress::Stop;
use puzzle_api::Settings;

use crate::support::{asked, explorer, limits};

/// A running server, which ends with the test.
pub struct Serving {
    pub address: SocketAddr,
    stop: Stop,
}

impl Serving {
    pub fn one(asked: PathRequest, limits: AnswerLimits) -> Self {
        Self::of(Instances::one(explorer(asked, limits), limits))
    }

    pub fn of(instances: Instances) -> Self {
        let stop = Stop::default();
        let server = Server::bind(0, instances, "test", Vec::new(), &stop).expect("a free port");
        let address = server.address();
        let address = address.trim_start_matches("http://").trim_end_matches('/');
        let address = address.parse().expect("an address");
        std::thread::spawn(|| server.serve().expect("serves"));
        Self { address, stop }
    }

    /// The answer to a request for a path by this machine's own name.
    pub fn get(&self, path: &str) -> (u16, String) {
        self.get_as(path, &format!("Host: {}\r\n", self.address))
    }

    fn get_as(&self, path: &str, headers: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).expect("connects");
        write!(
            stream,
            "GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"
        )
        .expect("asks");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let status = answer.split(' ').nth(1).expect("a status").parse();
        (status.expect("a number"), answer)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.stop.request();
    }
}

fn tilt() -> PathRequest {
    asked(antipode_tilt::table(), "card-7", Settings::new())
}

#[test]
fn it_serves_the_page_its_script_and_positions() {
    let serving = Serving::one(tilt(), limits(1 << 20));
    let (status, answer) = serving.get("/");
    assert_eq!(status, 307);
    assert!(answer.contains("location: /tilt/card-7"), "{answer}");
    let (status, page) = serving.get("/tilt/card-7");
    assert_eq!(status, 200);
    assert!(page.contains("data-api=\"/api/tilt/card-7\""), "{page}");
    assert!(page.contains("x-content-type-options: nosniff"), "{page}");
    assert!(page.contains("frame-ancestors 'none'"), "{page}");
    assert_eq!(serving.get("/assets/explore.js").0, 200);
    let (status, answer) = serving.get("/api/tilt/card-7");
    assert_eq!(status, 200);
    assert!(answer.contains("\"distance\":15"), "{answer}");
    for nowhere in [
        "/tilt/card-8",
        "/nowhere",
        "/../etc/passwd",
        "/assets/page.css",
    ] {
        assert_eq!(serving.get(nowhere).0, 404, "{nowhere}");
    }
}

#[test]
fn bad_questions_get_a_line_that_says_why() {
    let serving = Serving::one(tilt(), limits(1 << 20));
    let long = format!("/api/tilt/card-7/picture?board={}", ".".repeat(5000));
    for wrong in [
        "/api/tilt/card-7?board=nonsense",
        "/api/tilt/card-7?go=home",
        "/api/tilt/card-7?go=random&at=x",
        "/api/tilt/card-7?go=random&at=99999999",
        "/api/tilt/card-7?go=antipode&n=-1",
        // A value that this question does not use.
        "/api/tilt/card-7?at=3",
        "/api/tilt/card-7?go=antipode&seed=3",
        "/api/tilt/card-7?bord=x",
        "/api/tilt/card-7/picture?size=3",
        "/api/tilt/card-8",
        &long,
    ] {
        let (status, answer) = serving.get(wrong);
        assert_eq!(status, 400, "{wrong}");
        assert!(answer.contains("{\"error\":\""), "{answer}");
    }
    let (status, answer) = serving.get("/api/tilt/card-7/picture?board=%3Cscript%3E");
    assert_eq!(status, 200);
    let (_, picture) = answer.split_once("\"svg\":").expect("a picture");
    let (picture, _) = picture.split_once("</svg>").expect("its end");
    assert!(!picture.contains("<script"), "{answer}");
}

#[test]
fn only_its_own_names_are_answered() {
    let serving = Serving::one(tilt(), limits(1 << 20));
    let port = serving.address.port();
    let status = |host: &str| {
        serving
            .get_as("/tilt/card-7", &format!("Host: {host}\r\n"))
            .0
    };
    assert_eq!(status(&format!("localhost:{port}")), 200);
    assert_eq!(status(&format!("evil.example:{port}")), 403);
    assert_eq!(status("evil.example"), 403);
    assert!(serving.address.ip().is_loopback());
}

#[test]
fn all_instances_can_be_chosen_where_none_was() {
    let library = tilt().library;
    let serving = Serving::of(Instances::all(vec![library], limits(1 << 20)));
    let (status, page) = serving.get("/");
    assert_eq!(status, 200);
    assert!(page.contains("href=\"/tilt/card-40\""), "{page}");
    // Each puzzle is a group, with its sentence and a board.
    assert_eq!(page.matches("<section class=\"puzzle\"").count(), 1);
    assert!(page.contains("<h2 id=\"puzzle-tilt\">tilt</h2>"));
    assert!(
        page.contains("<div class=\"small\"><svg class=\"board\""),
        "{page}"
    );
    assert_eq!(serving.get("/tilt/card-7").0, 200);
    assert_eq!(serving.get("/tilt/card-41").0, 404);
}

/// Settings are chosen on the page and travel in the address; an invalid one is reported there.
#[test]
fn an_instance_can_be_given_settings() {
    let pegs = antipode_peg_solitaire::table();
    let library = asked(pegs, "triangle-15", Settings::new()).library;
    let serving = Serving::of(Instances::all(vec![library], limits(0)));
    let (status, page) = serving.get("/peg-solitaire/triangle-15?set.from=4&set.to=");
    assert_eq!(status, 200);
    assert!(page.contains("name=\"set.from\" value=\"4\""), "{page}");
    assert!(page.contains("name=\"set.to\" value=\"\""), "{page}");
    let of = |set: &str| serving.get(&format!("/api/peg-solitaire/triangle-15?{set}"));
    let board = |answer: &str| {
        let board = answer.split("\"board\":\"").nth(1).expect("a board");
        board.split('"').next().expect("its end").to_owned()
    };
    let (usual, other) = (of(""), of("set.from=4"));
    assert_eq!((usual.0, other.0), (200, 200), "{}", other.1);
    assert_ne!(board(&usual.1), board(&other.1));
    let (status, page) = serving.get("/peg-solitaire/triangle-15?set.from=99");
    assert_eq!(status, 400);
    assert!(
        page.contains("role=\"alert\">") && page.contains("is no hole: use one of"),
        "{page}"
    );
    assert!(!page.contains("id=\"explore\""));
    assert_eq!(of("set.from=99").0, 400);
}

#[test]
fn a_port_that_is_taken_is_told() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let instances = Instances::all(Vec::new(), limits(0));
    let error = Server::bind(port, instances, "test", Vec::new(), &Stop::default());
    let error = error.err().expect("taken").to_string();
    assert!(
        error.contains("is taken; give another by --port"),
        "{error}"
    );
}
