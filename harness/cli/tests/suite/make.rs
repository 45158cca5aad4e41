//! `make`: every board takes the ordered number of moves, each board of a level is made once, and
//! the same seed makes the same boards with any engine.

use std::collections::BTreeSet;
use std::fs;

use antipode_graph::{Expansion, Graph};
use antipode_reports::csv_in::read_rows;
use antipode_reports::json_out::read_record;
use antipode_reports::model::{MadeBoard, MadeBoards};
use antipode_search::forward::ForwardSolver;
use puzzle_api::Direction;

use crate::support::{
    Ran, Text, analysed, fresh, graph, plays, read, request, rows, run, runs, words,
};

/// More than any level has here.
const ALL: &str = "100000";

fn json(ran: &Ran) -> MadeBoards {
    let folder = fresh();
    let file = folder.join("made.json");
    fs::write(&file, &ran.out).unwrap();
    read_record(file).unwrap()
}

/// The boards that a command line makes; fewer than requested if there are no more.
fn made(line: &str) -> MadeBoards {
    let ran = run(&words(&format!("make {line} --format json")));
    let made = json(&ran);
    let all = made.boards.len() as u64 == made.count;
    ran.ended(if all { 0 } else { 4 });
    made
}

fn texts(made: &MadeBoards) -> Vec<&str> {
    made.boards.iter().map(|made| made.board.as_str()).collect()
}

#[test]
fn boards_take_the_moves_that_the_plain_queue_finds() {
    for [instance, moves] in rows(
        "tilt/box grey=2 blue=1 | 6..9
         rush-hour/4x4 metric=step | 9
         rush-hour/4x4 walls=1 | 4..6
         sliding-tile/2x3 | 19..21
         lights-out/4x4 | 0..2
         pancake/plain-6 | 5
         peg-solitaire/triangle-15 | 5",
    ) {
        let set = instance.replace(' ', " --set ");
        let line = format!("{set} --moves {moves} --count 12");
        let made = made(&line);
        assert!(!made.boards.is_empty(), "{line}");
        let graph = graph::<u64>(instance, "reference");
        let mut orbits = BTreeSet::new();
        for board in &made.boards {
            let key = graph.parse(&board.board).unwrap();
            let distance = ForwardSolver::new(graph.clone()).distance(key).unwrap();
            assert_eq!(u32::from(distance), board.length, "{line}: {}", board.board);
            assert!((made.least..=made.most).contains(&board.length));
            let images = graph.images(key).unwrap();
            assert!(orbits.insert(images.iter().min().copied()), "{line}: twice");
            let different: BTreeSet<u64> = images.into_iter().collect();
            assert_eq!(different.len() as u32, board.orbit_size, "{line}");
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_boards_with_every_engine() {
    let line = "make tilt/box --set grey=1 --set blue=1 --moves 3..5 --count 9 --format csv --seed";
    let first = run(&words(&format!("{line} 5 --threads 1"))).ended(0);
    assert_eq!(first.out.lines().count(), 10, "{}", first.out);
    for more in [
        "--threads 3",
        "--engine hash --threads 1",
        "--engine hash --threads 2 --variant reference",
        "--engine dense --threads 2",
        "--engine reference",
        "--engine sweep",
    ] {
        let ran = run(&words(&format!("{line} 5 {more}"))).ended(0);
        assert_eq!(ran.out, first.out, "{more}");
    }
    assert_ne!(run(&words(&format!("{line} 6"))).out, first.out);
    run(&words(&format!("{line} 5 --engine disk"))).ended(2);
}

/// The draw is of equal chances: its order ends with each board of each level once.
#[test]
fn more_boards_than_there_are_is_each_of_them_once() {
    let levels = analysed(&request("tilt/box grey=1 blue=0")).levels.levels;
    let deepest = levels.last().unwrap().depth;
    let line =
        format!("tilt/box --set grey=1 --set blue=0 --moves 0..{deepest} --count {ALL} --seed");
    let [one, other] = [1, 2].map(|seed| made(&format!("{line} {seed}")));
    let orbits: u128 = levels.iter().map(|level| level.orbits).sum();
    let boards: BTreeSet<&str> = texts(&one).into_iter().collect();
    assert_eq!((one.drawn_from, boards.len() as u128), (orbits, orbits));
    assert_eq!(boards.len(), one.boards.len());
    assert_eq!(boards, texts(&other).into_iter().collect());
    assert_ne!(texts(&one), texts(&other));
}

/// Shortest lines of states from a state to a solved one, counted by trying all.
fn lines(graph: &Graph<u64>, key: u64, moves: u32) -> u32 {
    if graph.is_solved(&[key]).unwrap()[0] {
        return 1;
    }
    let mut out = Expansion::default();
    graph.expand(Direction::Forward, &[key], &mut out).unwrap();
    let next = out.others(0, key);
    match moves {
        0 => 0,
        _ => next
            .into_iter()
            .map(|key| lines(graph, key, moves - 1))
            .sum(),
    }
}

#[test]
fn minimal_and_unique_boards_are_all_that_are_so_and_no_others() {
    let set = "tilt/box --set grey=2 --set blue=0 --set green=0..1 --moves 4..5";
    let graph = graph::<u64>("tilt/box", "reference");
    let solver = ForwardSolver::new(graph.clone());
    let whole = made(&format!("{set} --count {ALL}"));
    let is_minimal = |board: &str, moves: u32| {
        board.match_indices('#').all(|(at, _)| {
            let mut without = board.to_owned();
            without.replace_range(at..=at, ".");
            let distance = solver.distance(graph.parse(&without).unwrap()).unwrap();
            u32::from(distance) < moves || distance == u16::MAX
        })
    };
    let kinds = whole.boards.iter().map(|made| {
        let (board, moves) = (made.board.as_str(), made.length);
        let lines = lines(&graph, graph.parse(board).unwrap(), moves);
        (board, [is_minimal(board, moves), lines == 1])
    });
    let kinds: Vec<(&str, [bool; 2])> = kinds.collect();
    let different: BTreeSet<_> = kinds.iter().map(|(_, kind)| *kind).collect();
    assert_eq!(different.len(), 4, "{kinds:?}");
    let folder = fresh();
    // Each takes a search of the whole box: every eighth.
    let filed: Vec<&str> = kinds.iter().step_by(8).map(|(board, _)| *board).collect();
    fs::write(folder.join("boards.txt"), filed.join("\n")).unwrap();
    for (flags, wanted) in [
        ("--minimal", [true, false]),
        ("--unique", [false, true]),
        ("--minimal --unique", [true, true]),
    ] {
        let as_asked = |kind: &[bool; 2]| (0..2).all(|at| kind[at] || !wanted[at]);
        let right = kinds.iter().filter(|(_, kind)| as_asked(kind));
        let right: Vec<&str> = right.map(|(board, _)| *board).collect();
        let all = made(&format!("{set} {flags} --count {ALL}"));
        assert_eq!(texts(&all), right, "{flags}");
        // The same boards from a file.
        let line = format!("make tilt/box --boards boards.txt --format json {flags}");
        let from_file = runs(&folder, &line).ended(0);
        let lengths = |made: &MadeBoards| {
            let figures = |made: &MadeBoard| (made.board.clone(), made.length, made.orbit_size);
            let boards = made
                .boards
                .iter()
                .filter(|made| filed.contains(&&*made.board));
            boards.map(figures).collect::<Vec<_>>()
        };
        assert_eq!(lengths(&json(&from_file)), lengths(&all), "{flags}");
        assert_eq!(u128::from(all.looked_at), all.drawn_from);
        let some = made(&format!("{set} {flags} --count 2"));
        assert_eq!(texts(&some), right[..2], "{flags}");
    }
}

/// Rush Hour counts cars and keeps the red one.
#[test]
fn a_car_of_a_minimal_board_cannot_be_left_out() {
    let boards = made("rush-hour/4x4 --moves 5..7 --minimal --count 3");
    assert_eq!(boards.boards.len(), 3);
    for MadeBoard { board, length, .. } in &boards.boards {
        let cars: BTreeSet<char> = board.chars().filter(char::is_ascii_alphabetic).collect();
        assert!(cars.len() > 2 && cars.contains(&'A'), "{board}");
        for car in cars.into_iter().filter(|&car| car != 'A') {
            let without = board.replace(car, ".");
            let line = format!("solve rush-hour/custom --set board={without} --format json");
            let found = run(&words(&line)).json()["length"].as_u64();
            assert!(found < Some(u64::from(*length)), "{board} {car}");
        }
    }
}

#[test]
fn files_of_boards_are_solved_as_they_say() {
    let folder = fresh();
    let here = |line: &str| runs(&folder, line);
    let line = "make tilt/box --set grey=2 --set blue=1 --moves 7 --count 5 --out out";
    here(line).ended(0);
    let out = folder.join("out");
    let rows: Vec<MadeBoard> = read_rows(out.join("boards.csv")).unwrap();
    let record: MadeBoards = read_record(out.join("boards.json")).unwrap();
    assert_eq!(rows, record.boards);
    assert!(out.join("manifest.json").is_file());
    let ran = here("solve tilt/box --boards out/boards.csv --format csv").ended(0);
    assert_eq!(ran.out.matches(",7,right,").count(), 5, "{}", ran.out);
    // What others wrote stays.
    fs::write(out.join("boards.csv"), "mine").unwrap();
    fs::remove_file(out.join("manifest.json")).unwrap();
    here(line).ended(2).err.has(["boards.csv", "--force"]);
    assert_eq!(read(out.join("boards.csv")), "mine");
}

/// Fogleman's lines: those with the requested moves, as cards; a wrong length is exit code 1.
#[test]
fn boards_of_a_file_are_chosen_and_compared_with_their_lengths() {
    let folder = fresh();
    let file = folder.join("rush.txt");
    let text = "# moves board cluster\n60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332\n\
                15 xooIoooooIKoGAAJKLGCCJoLooHDDLxoHoFF 12021\n\
                10 oBBCCCDDooIJoHAAIJoHEEEKoFFGGKoooooK 304\n";
    let make = |text: &str, more: &str| {
        fs::write(&file, text).unwrap();
        let line = format!("make rush-hour/custom --boards rush.txt {more}");
        runs(&folder, &line)
    };
    let ran = make(text, "--moves 10..20 --out out --format json");
    let record = json(&ran);
    let lengths: Vec<u32> = record.boards.iter().map(|made| made.length).collect();
    assert_eq!((ran.code, lengths), (0, vec![15, 10]), "{}", ran.err);
    assert_eq!((record.looked_at, record.drawn_from), (3, 3));
    let page = read(folder.join("out/cards.html"));
    page.has(["<title>rush-hour/custom: 2 boards"]);
    assert!(page.contains(&record.boards[1].moves.join(", ")));
    let ran = make(text, "--moves 11..14 --format json").ended(4);
    assert_eq!(json(&ran).looked_at, 3);
    ran.err.has(["no board of 3 is as asked"]);
    let ran = make(&text.replace("10 oBB", "11 oBB"), "--format csv");
    assert_eq!((ran.code, ran.out.lines().count()), (1, 4), "{}", ran.err);
    make(text, "--moves 10..20 --out out --resume").ended(0);
    let ran = make(text, "--moves 10 --out out --resume").ended(2);
    ran.err.has(["moves is 10..20 there"]);
}

/// Boards are next to each other within 80 columns; below, each has a line.
#[test]
fn the_text_shows_every_board_twice() {
    let ran = run(&words("make tilt/box --set grey=2 --moves 4 --count 12")).ended(0);
    let mut widths = ran.out.lines().take(14).map(|line| line.chars().count());
    assert!(widths.all(|width| width <= 80), "{}", ran.out);
    let lines = ran.out.lines().filter(|line| line.contains(" 4 moves  "));
    let copied: Vec<&str> = lines.map(|line| line.rsplit(' ').next().unwrap()).collect();
    assert_eq!(copied.len(), 12, "{}", ran.out);
    let flat = ran.out.replace('\n', " ");
    flat.has(
        copied
            .iter()
            .flat_map(|board| board.split('/'))
            .map(|row| format!("{row} ")),
    );
}

/// Impossible boards are said in a line, and nothing is written.
#[test]
fn what_cannot_be_had_is_said_with_the_nearest_that_can() {
    let levels = analysed(&request("tilt/box grey=1 blue=1")).levels;
    let deepest = levels.levels.last().unwrap().depth;
    let line = "make tilt/box --set grey=1 --set blue=1 --moves 500..600 --out out --quiet";
    let said = format!(
        "antipode: tilt/box: no board takes 500 to 600 moves; the nearest that there are take {deepest}"
    );
    plays(
        fresh(),
        &format!(
            "4! {line} --engine sweep | {said}
             4! {line} --engine hash | {said}
             4! make tilt/box --moves 40 --max-time 0.01 --out out --quiet | give more --max-time
             4! make sliding-tile/3x3 --moves 25 --engine hash --memory 64KiB --out out --quiet | memory
             no out"
        ),
    );
}

fn rated(line: &str) -> serde_json::Value {
    let ran = run(&words(&format!("rate {line} --format json"))).ended(0);
    ran.json()
}

/// Figures by others: Hanoi has one solution of 2^n - 1 moves. The triangle of 15 holes with a
/// corner empty has 29,760 (source in `puzzles/peg-solitaire/tests/variants.rs`). Card 1 of Rush
/// Hour takes 9 moves of one car, by Fogleman's counting.
#[test]
fn a_rating_has_the_figures_that_are_known() {
    let hanoi = rated("hanoi/3-6");
    for (key, figure) in [
        ("length", 63),
        ("solutions", 1),
        ("forced", 63),
        ("dead_ends", 0),
    ] {
        assert_eq!(hanoi[key], figure, "{key}");
    }
    // Three moves from each position on the path except the start, a corner.
    assert_eq!(hanoi["choices"], 63 * 3 - 1);
    // 2^6 positions are as far as the start.
    assert_eq!(
        (&hanoi["solvable"], &hanoi["easier"]),
        (&729.into(), &665.into())
    );
    let triangle = rated("peg-solitaire/triangle-15");
    assert_eq!(triangle["length"], 13);
    assert_eq!(triangle["solutions"], 29_760);
    assert!(triangle["dead_ends"].as_u64() > Some(0));
    assert_eq!(rated("rush-hour/card-1")["length"], 9);
}

#[test]
fn what_has_no_rating_is_told() {
    plays(
        ".",
        "0 rate sliding-tile/2x3 --board 213/45. | unsolvable, so there is no solution to rate
         2 rate coin-sliding/5x7 | until there is a goal",
    );
    let short = run(&words("rate tilt/thesis-b --max-time 0.001")).ended(4);
    assert_eq!(short.out, "", "{}", short.err);
}

/// Each board is on a card, and its solution on the card after it.
#[test]
fn cards_have_solutions_on_their_backs() {
    let line = "make rush-hour/4x4 --moves 6 --count 10";
    let page = run(&words(&format!("{line} --format html"))).ended(0);
    let made = made(line.strip_prefix("make ").unwrap());
    let sheets: Vec<&str> = page.out.split("<section class=\"sheet").skip(1).collect();
    assert_eq!(sheets.len(), 4, "{}", page.out);
    let cards = |sheet: &str| sheet.matches("<article").count();
    let counts: Vec<usize> = sheets.iter().map(|sheet| cards(sheet)).collect();
    assert_eq!(counts, [8, 8, 2, 2]);
    for (number, made) in (1..).zip(&made.boards) {
        let (front, back) = if number <= 8 { (0, 1) } else { (2, 3) };
        sheets[front].has([format!("id=\"board-{number}\"")]);
        let moves = made.moves.join(", ");
        let solution = format!("Solution {number}</h2><p class=\"moves\">{moves}</p>");
        assert!(sheets[back].contains(&solution), "{solution}");
    }
    page.out.lacks(["<script"]);
}

/// The first board of Fogleman's list in steps: a search in Python, whose integers have no end,
/// counted as many.
#[test]
fn more_solutions_than_64_bits_hold_are_counted() {
    let board = "rate rush-hour/custom --board IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM";
    let ran = run(&words(&format!("{board} --set metric=step"))).ended(0);
    ran.out
        .has(["1,453,038,047,336,734,236,210 shortest solutions"]);
    // Both presses of this board lead to the same position.
    let ran = run(&words("rate lights-out/1x2 --board oo")).ended(0);
    let one = "1 shortest solution; moves to the same position count once";
    ran.out.has([one]);
}
