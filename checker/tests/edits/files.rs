//! The output of `certify`, as files in memory.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use antipode_checker::blake3;
use antipode_checker::checker::Checker;
use antipode_checker::folder::{Files, read};
use antipode_checker::shown::Shown;
use serde_json::Value;

/// Quick published claims of every kind.
const PUBLISHED: &str = "\
    tilt-configurations tilt-symmetry-share tilt-final-states tilt-keep tilt-row-predecessors \
    tilt-thesis-board-length tilt-cards-solvable tilt-solvable-to-unsolvable \
    tilt-row-configurations tilt-a1-transpose tilt-a1-asserts tilt-grey-fixed coin-puzzles \
    coin-memory-list-5x7 coin-positions-5x9 coin-piece-ranks peg-two-boards peg-start-moves \
    peg-game-over peg-solution-jumps peg-centre-impossible peg-bergholt-legal \
    peg-hash-not-injective peg-english-orbits sliding-types sliding-growth-table \
    sliding-one-bucket sliding-doubling sliding-donkey-length sliding-donkey-steps \
    sliding-top-levels permute-mask19 permute-theorem-3-1-2 bitboard-masks \
    permute-rotation-naive-operations permute-tool-operations bitboard-life-rule \
    bitboard-life-operations rush-fogleman-1 rush-layouts-4x4 tile-levels-2x3 tile-korf-55 \
    pancake-levels-5 hanoi-four-4 lights-one-light lights-solvable-4";

/// The command: the one in `ANTIPODE_COMMAND`, or built from the present sources.
pub fn antipode() -> PathBuf {
    if let Some(built) = std::env::var_os("ANTIPODE_COMMAND") {
        return built.into();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let built = Command::new(env!("CARGO"))
        // A test that needs it: so it is made of what all tests are made of.
        .args(["test", "--quiet", "--workspace", "--no-run"])
        .args(["--test", "plugins"])
        .current_dir(root)
        .status()
        .unwrap();
    assert!(built.success());
    let mut path = std::env::current_exe().unwrap();
    while !path.pop() || !path.join("antipode").is_file() {
        assert!(path.parent().is_some(), "no command is next to the tests");
    }
    path.join("antipode")
}

/// The files of folders from `certify`, one claim each.
pub fn folders() -> &'static [Files] {
    static MADE: OnceLock<Vec<Files>> = OnceLock::new();
    MADE.get_or_init(certified)
}

/// The files that `certify` leaves in a folder.
pub fn certified_in(out: &Path, arguments: &[&str]) -> Files {
    static COMMAND: OnceLock<PathBuf> = OnceLock::new();
    let ran = Command::new(COMMAND.get_or_init(antipode))
        .arg("certify")
        .args(arguments)
        .args(["--threads", "1", "--out"])
        .arg(out)
        .output()
        .unwrap();
    let why = String::from_utf8_lossy(&ran.stderr);
    read(out).unwrap_or_else(|_| panic!("{why}"))
}

/// The files of a folder with the claims of a file.
pub fn certify(claims: &str) -> Files {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("claims.toml");
    std::fs::write(&file, claims).unwrap();
    let arguments = ["--claims", file.to_str().unwrap()];
    certified_in(&scratch.path().join("out"), &arguments)
}

/// Claims by puzzle, from lines `PUZZLE: LINES`, with `; ` or `!` between the lines of each.
pub fn claims(text: &str) -> Vec<(&str, Vec<String>)> {
    let told = text.lines().filter(|line| !line.starts_with('#'));
    let told: Vec<(&str, &str)> = told.filter_map(|line| line.split_once(": ")).collect();
    let lines = |(_, text): &(&str, &str)| {
        let text = text.replace("; ", "\n").replace("\\r!", "\r\n");
        text.replace('!', "\n")
    };
    let alike = told.chunk_by(|a, b| a.0 == b.0);
    let of_puzzle = |own: &[(&'_ str, &str)]| own.iter().map(lines).collect();
    alike.map(|own| (own[0].0, of_puzzle(own))).collect()
}

/// The files of one claim, whose id is `own`.
pub fn alone((puzzle, lines): (&str, &str)) -> Files {
    let head = "[[claim]]\nid = 'own'\nsource = 'none'\nstatement = 's'";
    let expect = if lines.contains("expect = ") {
        ""
    } else {
        "expect = 'reported'\n"
    };
    certify(&format!("puzzle = '{puzzle}'\n{head}\n{expect}{lines}\n"))
}

fn certified() -> Vec<Files> {
    let scratch = tempfile::tempdir().unwrap();
    let ids: Vec<&str> = PUBLISHED.split_whitespace().collect();
    let published = certified_in(scratch.path(), &ids);
    let mut all: Vec<Files> = ids.iter().map(|id| taken(&published, id)).collect();
    for (puzzle, claims) in claims(include_str!("own.txt")) {
        for lines in claims {
            let mut files = alone((puzzle, &lines));
            // Pages take long to hash, and are not read here.
            files.retain(|path, _| !path.ends_with(".html"));
            listed(&mut files);
            assert!(files.keys().any(|path| is_certificate(&path)), "{lines}");
            all.push(files);
        }
    }
    all
}

/// The certificates of these folders, by their paths.
pub fn certificates() -> impl Iterator<Item = (&'static String, Value)> {
    let files = folders().iter().flat_map(Files::iter);
    let certificates = files.filter(|(path, _)| is_certificate(path));
    certificates.map(|(path, bytes)| (path, serde_json::from_slice(bytes).unwrap()))
}

/// The outcome of a certificate with renewed digests.
pub fn outcome(checker: &Checker, value: &Value) -> Shown {
    checker.certificate(&String::from_utf8(sealed(value)).unwrap(), None)
}

/// The first folder that has the levels of sliding tiles.
pub fn tiles() -> Files {
    let path = "certificates/tile-levels-2x3.json";
    let whole = folders().iter().find(|files| files.contains_key(path));
    whole.unwrap().clone()
}

/// A certificate as a file, with renewed digests of its own lines and of itself.
pub fn sealed(value: &Value) -> Vec<u8> {
    let mut value = value.clone();
    if let Some(text) = value["text"].as_str() {
        value["claim_blake3"] = blake3::hex(text.as_bytes()).into();
    }
    sealed_text(&(serde_json::to_string_pretty(&value).unwrap() + "\n"))
}

/// The text of a certificate with a renewed digest of itself.
pub fn sealed_text(text: &str) -> Vec<u8> {
    let others = |line: &&str| !line.starts_with("  \"blake3\": ");
    let text: String = text.split_inclusive('\n').filter(others).collect();
    let digest = blake3::hex(text.as_bytes());
    text.replacen('\n', &format!("\n  \"blake3\": \"{digest}\",\n"), 1)
        .into_bytes()
}

/// A certificate of a folder as if its claim had been certified alone: checking the
/// others would take too long.
fn taken(files: &Files, id: &str) -> Files {
    let own = |path: &String| {
        ["manifest.json", "certificates/manifest.json", "claims.csv"].contains(&path.as_str())
            || *path == format!("certificates/{id}.json")
            || path.starts_with(&format!("certificates/{id}.levels"))
    };
    let mut files = files.clone();
    files.retain(|path, _| own(path));
    let table = String::from_utf8(files["claims.csv"].clone()).unwrap();
    let own = format!("{id},");
    let rows = table.split_inclusive('\n');
    let rows = rows.filter(|line| line.starts_with("id,") || line.starts_with(&own));
    files.insert("claims.csv".into(), rows.collect::<String>().into_bytes());
    listed(&mut files);
    files
}

/// Manifests that fit the files, without those that are missing.
pub fn listed(files: &mut Files) {
    let manifests = files.keys().filter(|path| path.ends_with("manifest.json"));
    let mut manifests: Vec<String> = manifests.cloned().collect();
    manifests.sort_by_key(|path| std::cmp::Reverse(path.len()));
    for path in manifests {
        let mut value: Value = serde_json::from_slice(&files[&path]).unwrap();
        let below = path.trim_end_matches("manifest.json");
        value["files"].as_array_mut().unwrap().retain_mut(|entry| {
            let bytes = files.get(&format!("{below}{}", entry["path"].as_str().unwrap()));
            entry["bytes"] = bytes.map(Vec::len).into();
            entry["blake3"] = bytes.map(|bytes| blake3::hex(bytes)).into();
            bytes.is_some()
        });
        files.insert(path, serde_json::to_vec_pretty(&value).unwrap());
    }
}

/// Whether a path is that of a certificate.
pub fn is_certificate(path: &&String) -> bool {
    path.starts_with("certificates/") && path.ends_with(".json") && !path.ends_with("manifest.json")
}
