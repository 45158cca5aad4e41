//! `--boards FILE`: files of boards as other programs write them, each with its source and the
//! right lengths. Also wrong lengths, files that cannot be read, and resumed runs.

use std::fs;
use std::path::Path;
use std::time::Duration;

use antipode_reports::csv_in::read_rows;
use antipode_reports::model::{BoardRow, Boards, Record, Referee, Ruling};

use crate::support::{
    Ran, Text, arguments, fresh, json, lines_of, plays, root, rows, run, runs, started, words,
};

/// Runs a command over a file of boards.
fn over(folder: &Path, line: &str, text: &str) -> Ran {
    fs::write(folder.join("boards.txt"), format!("{text}\n")).unwrap();
    runs(folder, &format!("{line} --boards boards.txt"))
}

/// A table whose lines end with `\` where a row continues; `\t` is a tab.
fn joined(table: &str) -> String {
    let parts: Vec<&str> = table.split("\\\n").collect();
    let rest = parts[1..].iter().map(|part| part.trim_start());
    format!("{}{}", parts[0], rest.collect::<String>()).replace("\\t", "\t")
}

/// Line, instance, outcome or length, and whether the given length is right.
fn told(rows: &[BoardRow]) -> String {
    let row = |row: &BoardRow| {
        let length = row.length.map(|length| length.to_string());
        let found = length.unwrap_or_else(|| row.outcome.clone());
        let instance = row.instance.split_once('/').map_or("", |name| name.1);
        format!("{} {instance} {found} {}", row.line, row.ruling)
    };
    let rows: Vec<String> = rows.iter().map(|one| row(one).trim().to_owned()).collect();
    rows.join("; ")
}

/// A first row may begin with blanks. Every jump takes a peg, so that any solution proves its
/// length; a path that nothing proves to be shortest rules on no length.
#[test]
fn a_peg_board_comes_back_and_its_length_is_not_taken_on_trust() {
    let folder = fresh();
    let solve = |line: &str, text: &str, code: i32, said: &str| {
        let ran = over(&folder, &format!("solve {line}"), text).ended(code);
        (ran.out + &ran.err).has([said]);
    };
    let drawn = "  ooo\n  ooo\nooooooo\nooo.ooo\nooooooo\n  ooo\n  ooo";
    solve("peg-solitaire/english-33", drawn, 0, "line 1: 31 moves");
    let given = "board,length\n  ooo/  ooo/ooooooo/ooo.ooo/ooooooo/  ooo/  ooo,31";
    for to in ["to=d4", "to=any"] {
        let line = format!("peg-solitaire/english-33 --set {to}");
        solve(&line, given, 0, "31 moves, as given");
    }
    let board = "board,length\n\"2 15 1 12 8 5 6 11 4 9 10 7 3 14 13 0\",3";
    let beam = "sliding-tile/4x4 --engine=beam --max-states=1000";
    solve(beam, board, 4, "1 not decided\n");
    // An engine that fits one board only.
    let orbits = "lights-out/3x3 --engine=orbits";
    solve(orbits, "110000000\n111111111", 4, "line 2: 5 moves");
    solve(orbits, "110000000", 2, "line 1: lights-out/3x3: orbits");
    let wrong = "board,moves\n123/456/780,1";
    solve("sliding-tile/3x3", wrong, 1, "; 1 of 1 length given wrong");
    solve(
        "unit-rush-hour/4x4",
        "---|/|A||/-|.|/||--",
        0,
        "line 1: 40 steps",
    );
}

#[test]
fn files_of_others_are_read_as_they_are() {
    const CASES: &str = r###"
    # four lines of rush.txt (fogleman.com/rush), with its lengths
    rush-hour/custom | # moves board cluster\n60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332\n\
      \n58 BBoKMxDDDKMoIAALooIoJLEEooJFFNoGGoxN 9192  # two walls\
      \n15 xooIoooooIKoGAAJKLGCCJoLooHDDLxoHoFF 12021\n10 oBBCCCDDooIJoHAAIJoHEEEKoFFGGKoooooK 304 \
      | 2 custom 60 right; 4 custom 58 right; 5 custom 15 right; 6 custom 10 right
    # named boards and boards of other cars are other instances
    rush-hour/card-1 | board\nfogleman-1\noBBCCCDDooIJoHAAIJoHEEEKoFFGGKoooooK \
      | 2 custom 60; 3 custom 10
    # boards of Tromp's Unit Rush Hour of two sizes
    unit-rush-hour/4x4 | ---|/|A||/-|.|/||--\n||||A/-||--/|--|./||--|/|---| | 1 4x4 40; 2 custom 199
    # a board of simple blocks
    simple-block/custom | AABE/CFBB/CDGH/.DI. | 1 custom 132
    # cells of a board of Fogleman's in rows, in the middle of card 1
    rush-hour/card-1 | ooDoBB/ooDooo/AADooo/CCCooE/oooooE/oooooE | 1 card-1 9
    # 8-puzzles of n-puzzle trackers (dgurkaynak/8-puzzle-solver#1, jsboige/CoursIA#3816), one of
    # Reinefeld's two hardest, and Korf's board 88
    sliding-tile/4x4 | id;moves;board\na;none;"8 1 2/0 4 3/7 6 5"\nb;16;[[1,3,4],[8,0,2],[7,5,6]]\
      \nc;;1,3,4,8,,2,7,6,5\nd;31;867254301\ne;none;1 2 3 7 12 8 15 4 13 10 11 5 9 6 14 0 \
      | 2 3x3 impossible right; 3 3x3 16 right; 4 3x3 impossible; 5 3x3 31 right; 6 4x4 impossible right
    # the example of dnomd343/klotski's common_code.h is the Donkey of 81 moves, and DAAFE0C of its
    # tests has the 2x2 piece at home
    sliding-block/custom | 1A9BF0C00\ndaafe0c | 1 custom 81; 2 custom 0
    # four levels of GNOME Klotski (src/klotski-window.vala), two of them with rows between walls
    # that begin as remarks do, and the moves of its own tables
    sliding-block/custom | # Only 18 Steps\n6 9\n######\n#a**b#\n#m**n#\n#cdef#\n#ghij#\n#k  l#\
      \n##--##\n    ..\n    ..\n\n# Pennant Puzzle\n######\n#**aa#\n#**bb#\n#de  #\n#fghh#\n#fgii#\
      \n#--###\n    ..\n    ..\n\n# Trail\n######\n#a**c#\n#a**c#\n#eddg#\n#hffj#\n# ii #\n##--##\
      \n    ..\n    ..\n\n# Ambush\n######\n#a**c#\n#d**e#\n#dffe#\n#ghhi#\n# jj #\n##--##\n    ..\
      \n    .. | 2 custom 18; 14 custom 59; 25 custom 102; 36 custom 120
    # stickers (a 2x2x2 of dwalton76/rubiks-cube-NxNxN-solver, which prints 9 moves) and scrambles
    # as they are printed; a search on stickers of a cube in space found the same
    permutation/pocket-cube | DLRRFULLDUBFDURDBFBRBLFU\nUUUURRRRFFFFDDDDLLLLBBBB\
      \nwwwwrrrrggggyyyyoooobbbb\nR2'\n(R U)2\n[R, U]\nU R' F U' F2 R F' U' F \
      | 1 pocket-cube 9; 2 pocket-cube 0; 3 pocket-cube 0; 4 pocket-cube 1; 5 pocket-cube 4; 6 pocket-cube 4; 7 pocket-cube 9
    # two scrambles of twsearch (samples/main/tperm.scr, and the test of its web page)
    permutation/pocket-cube | # T\nScrambleAlg TPERM\n   R U R' U' R' F R2 U' R' U' R U R' F'\nEnd\
      \nScramble CornerTwist\n\nCORNERS\n#01 02\n1 2 3 4 5 6 7 8\n\n1 2 0 0 0 0 0 0\nEnd\nR\
      \nScrambleAlg x\nR U\nEnd\nR \
      | 2 pocket-cube 10; 5 pocket-cube 10; 13 pocket-cube 1; 14 pocket-cube 2; 17 pocket-cube 1
    # commands of ksolve that change no length, and its names (2x2x2.txt and 3x3x3_RFU.txt of ksolve+)
    permutation/pocket-cube | Slack 2\nMaxDepth 11\n\nHTM\n#no blank\nScramble two words/2\nCORNERS\
      \n1 2 3 4 5 6 7 8\n2 0 1 0 0 0 0 0\nEnd\nSlack 0\nScrambleAlg\nR U\nEnd \
      | 6 pocket-cube 10; 12 pocket-cube 2
    # lights with remarks above their rows
    lights-out/3x3 | # 3x3 boards\n#.#\n.#.\n#.#\n\n# all on\n###\n###\n### | 2 3x3 9; 7 3x3 5
    # lengths twice, which agree, and moves that are no length
    sliding-tile/3x3 | board,length,moves\n123/456/780,0,0\n123/456/708,1,right \
      | 2 3x3 0 right; 3 3x3 1 right
    # levels of jmaler/mesa_LightsOut: 1 and 3 presses are the fewest, and of the 11 that it prints
    # for its last one 5 are enough (all 65,536 sets of presses were tried)
    lights-out/5x5 | board\tmoves\n[[0,1,0,0],[1,1,1,0],[0,1,0,0],[0,0,0,0]]\t1\
      \n0110/1101/1000/0100\t3\n1001010011101101\t11 | 2 4x4 1 right; 3 4x4 3 right; 4 4x4 5 wrong
    # blanks around a board, within quotes or outside, where they are no cells
    sliding-tile/3x3 | board,moves\n  123/456/780  ,0\n "123/456/780" , 0\n" 123/456/780 ",0 \
      | 2 3x3 0 right; 3 3x3 0 right; 4 3x3 0 right
    # lights drawn with '#' and blanks, which are no remarks
    lights-out/3x3 | # a remark\n# #/   /# #\n010/111/010 # a plus\n#.#/.../#.# \
      | 2 3x3 4; 3 3x3 1; 4 3x3 4
    # a block of lights whose rows look like remarks, and one with a dark row
    lights-out/3x3 | # rows\n\n# #\n   \n# #\n\n###\n#.#\n### | 3 3x3 4; 7 3x3 8
    # a block between boards of a line each
    lights-out/3x3 | 010111010\n\n###\n#.#\n###\n\n111111111 | 1 3x3 1; 3 3x3 8; 7 3x3 5
    # a block with remarks behind its rows
    lights-out/3x3 | o.o # a\n.o. # b\n... # c\n\n// another\n010\n111\n010 | 1 3x3 5; 6 3x3 1
    # a column of lights, whose rows are no empty remarks
    lights-out/3x1 | #\n.\n# | 1 3x1 2
    # all lights of the instance in one line, which could be a square
    lights-out/1x9 | 111111111\nooooooooo\n111/111/111 | 1 1x9 3; 2 1x9 3; 3 3x3 5
    # a blank for the empty square, and headings in capitals
    sliding-tile/4x4 | Board,Length\n123/456/78 ,0\n" 12/345/678",\n123/4 5/786,2 \
      \n1 2 3/4   6/7 5 8,2\n 1  2  3  4/ 5  6  7  8/ 9 10 11 12/13 14    15,1 \
      | 2 3x3 0 right; 3 3x3 22; 4 3x3 2 right; 5 3x3 2 right; 6 4x4 1 right
    # boards in one line each are no rows of a larger board
    lights-out/3x3 | 010111010\n111111111 | 1 3x3 1; 2 3x3 5
    # stacks and towers of other sizes
    pancake/plain-3 | -3-1-2\n[3, 1, 2]\n2 1 | 1 burnt-3 4; 2 plain-3 2; 3 plain-2 1
    # towers with their sizes: 2^n - 1 moves
    hanoi/3-4 | 321/.../...\n4321/..../.... | 1 3-3 7; 2 3-4 15
"###;
    let folder = fresh();
    let mut source = String::new();
    for line in joined(CASES).lines().map(str::trim) {
        if let Some(said) = line.strip_prefix("# ") {
            source = said.to_owned();
            continue;
        }
        for [instance, text, right] in rows::<3>(line) {
            let ran = over(&folder, &format!("solve {instance} --format=json"), text);
            let record: Boards = serde_json::from_str(&ran.out)
                .unwrap_or_else(|error| panic!("{source}: {error}: {}", ran.err));
            record.check().unwrap();
            assert_eq!(told(&record.rows), right, "{source}");
            ran.ended(right.contains("wrong").into());
        }
    }
}

/// No board of an unreadable file is solved, and the line gives place and remedy.
#[test]
fn a_file_that_cannot_be_read_is_refused_before_a_board_is_solved() {
    const CASES: &str = r###"
    rush-hour/custom | 60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332\nIBBxoo \
      | boards.txt: line 2: rush-hour:  | square | rows joined by '/'
    rush-hour/custom | 60 moves IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM | line 1:  | '60 moves IBB \
      | (moves, board, number of boards)
    sliding-tile/3x3 | 12345678 | line 1:  | 1 2 3/4 5 6/7 8 0
    sliding-tile/3x3 | 1 2 3/4 5 6/7 8 9 | line 1:  | no tile '9'
    sliding-tile/3x3 | 1 2 3/4 5 6/7 8 8 | line 1:  | twice
    sliding-tile/3x3 --columns=board | 1,2,3\n4,5,6\n7,8,0 | line 1:  | grids of numbers are not read: write one board a line
    sliding-block/custom | 1A9BF0CX0 | line 1:  | 1A9BF0C00
    sliding-block/custom | FA9BF0C00 | line 1:  | 1A9BF0C00
    permutation/pocket-cube | R U\nR Q | line 2:  | 'Q' is no move
    permutation/pocket-cube | Scramble Superflip\nEDGE\n1 2\n1 1\nEnd | line 1:  \
      | its line 2: 'EDGE' is no set
    permutation/pocket-cube | UUUURRRRFFFFDDDDLLLLBBBU | line 1:  | reads as 24 stickers, but 
    permutation/pocket-cube | DRLUUBFBRBLURRLRUBLRDDFDLFUFUFFDBRDUBRUFLLFDDBFLUBLRBD | line 1:  \
      | 43,252,003,274,489,856,000 states | --board 
    permutation/pocket-cube | DRLUUBFBRBLURRLRUBLRDDFDLFUFUFFDBRDUBRUFLLFDDBFLUBLRBB | line 1:  \
      | reads as 54 stickers | nine of each
    permutation/pocket-cube | Scramble\nEnd\n\nQTM | line 4: 'QTM' is a command of ksolve | metric=quarter
    permutation/pocket-cube --set metric=quarter | HTM\nScramble\nEnd | line 1: 'HTM' is a command
    permutation/pocket-cube | MoveLimits\nR* 0\nEnd\nScramble\nEnd | line 1: 'MoveLimits' is a command
    permutation/pocket-cube | Scramble\nEnd\nRandomScramble x\nEnd | line 3: 'RandomScramble' is a
    rush-hour/card-1 | board,length,moves\ncard-1,8,8\ncard-2,8,9 | line 3: length is 8 and moves is 9 \
      | --columns board,length
    lights-out/3x3 | ooo/o?o/ooo | line 1:  | '?' is no light
    lights-out/3x3 | 010/111/010\nXOX/OOO/XOX | line 2:  | 'X' and 'O' would both be lights \
      | o x * # 1
    lights-out/3x3 | # #\n# # | line 1:  | blanks may be lights that are out
    permutation/tower | R2 U | line 1:  | 'R2' turns nothing | write R
    tilt/box | nonsense | line 1: 
    rush-hour/card-1 | board,moves\ncard-1,8\ncard-2,many | line 3:  | 'many' is no length
    rush-hour/card-1 --columns=start,length | start,moves\ncard-1,8 | line 1:  \
      | no column 'length' | start, moves
    rush-hour/card-1 | board,moves,board\ncard-1,8,card-2 | line 1:  | two columns 'board'
    rush-hour/card-1 | # nothing\n | boards.txt: holds no board
    pancake/plain-3 | board,moves\n3,1,2,2 | line 2: 4 cells below 2 columns | in quotes
    rush-hour/card-1 | board,moves,moves\ncard-1,8,8 | line 1:  | two columns 'moves'
    pancake/plain-3 | 3 1 3 | '3 1 3' has 3 pancakes: 
    permutation/custom --set define=no-such-file | R | boards.txt: permutation:  | no-such-file
    sliding-tile/3x3 --max-states=5 | 123456780\n867254301 | line 2: --max-states belongs to \
      | add --engine 
    sliding-block/custom | ######\n#a**b#\n#m**n#\n#cdef#\n#ghij#\n#k  l#\n##--##\n   ...\n   ... \
      | lines 1 to 9 as one board:  | piece '*' | goal: * 7,3
    hanoi/3-3 | 32/1/ | line 1:  | the start is 321/.../...
    hanoi/3-3 | 1/2/3 | line 1:  | the start is 321/.../...
    rush-hour/card-1 --board=card-2 | card-1 | --boards goes without
    rush-hour/card-1 --resume | card-1 | name it with --out
"###;
    let folder = fresh();
    for line in joined(CASES).lines().filter(|line| !line.is_empty()) {
        let line = line.replace("\\n", "\n");
        let mut cells = line.split(" | ").map(|cell| cell.trim_matches(' '));
        let [instance, text] = [cells.next().unwrap(), cells.next().unwrap()];
        let ran = over(&folder, &format!("solve {instance}"), text).ended(2);
        assert_eq!(ran.out, "", "{line}");
        let errors = ran
            .err
            .lines()
            .filter(|line| line.starts_with("antipode: "));
        assert_eq!(errors.count(), 1, "{line}: {}", ran.err);
        ran.err.has(cells);
    }
    let absent = "2 solve tilt/box --boards absent.txt | --boards absent.txt: cannot be read";
    plays(folder, absent);
}

/// Every end of a path and of levels is read in the forms of a start.
#[test]
fn a_goal_is_read_as_a_start_is() {
    plays(
        fresh(),
        "0 solve sliding-tile/3x3 --from goal --to 123456708 | 1 move to 123/456/7.8
         0 solve pancake/plain-3 --board 3,1,2 --to 2,1,3 | 1 move to 213
         0 solve lights-out/3x3 --board 010111010 --to 111111111 | to ooo/ooo/ooo
         2 solve sliding-tile/3x3 --from goal --to nonsense | 'nonsense'
         0 referee sliding-tile/3x3 --board '1 2 3/4 5 6/7 0 8' --command 'echo 1' | right on 1 of 1
         0 analyse sliding-tile/3x3 --from 123456708 --max-depth 2 | at the last level walked",
    );
}

/// Rows may be lines of one argument, too.
#[test]
fn a_board_may_have_line_feeds() {
    for [instance, board, said, noted] in rows(
        r"sliding-block/custom | 6 9\n######\n#a**b#\n#m**n#\n#cdef#\n#ghij#\n#k  l#\n##--##\n    ..\n    .. | solved in 18 |
          sliding-tile/3x3 | 123\n456\n7.8 | solved in 1 |
          sliding-tile/3x3 | 1234567 8 | solved in 1 |
          permutation/pocket-cube | ScrambleAlg T\nR U\nEnd | solved in 2 |
          rush-hour/custom | 10 oBBCCCDDooIJoHAAIJoHEEEKoFFGGKoooooK 304 | solved in 10 | 10, is not compared",
    ) {
        let ended = board.replace('\n', "\r\n") + "\r\n";
        for board in [board, &ended] {
            let ran = run(&["solve", instance, "--board", board]).ended(0);
            ran.out.has([said]);
            ran.err.has([noted]);
        }
    }
}

/// The same words over another definition, or another solver, are another run.
#[test]
fn what_a_file_held_is_what_a_run_resumes() {
    let pyraminx = root().join("puzzles/permutation/definitions/pyraminx.tws");
    let folder = fresh();
    fs::copy(pyraminx, folder.join("a.tws")).unwrap();
    fs::write(folder.join("solver.py"), "print(1)\n").unwrap();
    for [line, board, file] in rows(
        "solve permutation/custom --set define=a.tws --out solve | U | a.tws
         referee pancake/plain-4 --command 'python3 solver.py' --out referee | 2134 | solver.py",
    ) {
        let line = format!("{line} --boards boards.txt");
        plays(
            &folder,
            &format!(
                "boards.txt = | {board}\\n
                 0 {line}
                 0 {line} --resume
                 0 $ echo '# another' >>{file}
                 2 {line} --resume"
            ),
        );
    }
}

/// The next run takes from its folder what one run has decided, and asks for the rest again: the
/// very rows, times included.
#[test]
fn a_run_goes_on_where_it_was() {
    let folder = fresh();
    let solve = "solve permutation/pocket-cube --boards b.txt --out out";
    let table = || read_rows::<BoardRow>(folder.join("out/boards.csv")).unwrap();
    plays(
        &folder,
        &format!(
            r"b.txt = | solved\nR U F R U\nR
              4 {solve} --engine=reference --max-states=5
              2 {solve} --resume --engine=bidirectional | engine is reference there and bidirectional here"
        ),
    );
    let begun = table();
    assert_eq!(begun[1].outcome, "not-reached");
    let second = runs(&folder, &format!("{solve} --resume --engine=reference")).ended(0);
    let done = table();
    assert_eq!(
        told(&done),
        "1 pocket-cube 0; 2 pocket-cube 5; 3 pocket-cube 1"
    );
    assert_eq!((&done[0], &done[2]), (&begun[0], &begun[2]));
    let third = runs(&folder, &format!("{solve} --resume --engine=reference")).ended(0);
    assert_eq!((third.out, table()), (second.out, done));
}

/// Kills a command once its journal has some lines, and returns them.
fn killed(folder: &Path, line: &str) -> String {
    let mut child = started(folder, &arguments(line));
    let journal = folder.join("out/progress.jsonl");
    while lines_of(&journal) < 20 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    fs::read_to_string(&journal).expect("killed before its end")
}

/// A killed run loses none of its recorded work, and resumes only over the same boards.
#[test]
fn a_killed_run_goes_on_where_it_was() {
    const LINE: &str = "10 oBBCCCDDooIJoHAAIJoHEEEKoFFGGKoooooK 304\n";
    for (verb, file, count, more) in [
        ("solve", "boards.json", 120, ""),
        ("make", "boards.json", 50, "--minimal"),
        ("referee", "referee.json", 60, "--command 'ten=echo 10'"),
    ] {
        let here = &fresh();
        let boards = |text: String| fs::write(here.join("boards.txt"), text).unwrap();
        boards(LINE.repeat(count));
        let line = format!("{verb} rush-hour/custom --boards=boards.txt --out=out {more}");
        let kept = killed(here, &line);
        let resumed = format!("{line} --resume --quiet");
        boards(LINE.repeat(count) + "# more\n" + LINE);
        let other = runs(here, &resumed).ended(2);
        other.err.has(["(boards: not the same"]);
        assert_eq!(other.err.lines().count(), 1, "{}", other.err);
        boards(LINE.repeat(count));
        let ran = runs(here, &resumed).ended(0);
        let record = json(here.join("out").join(file));
        let rows = record.get("file").unwrap_or(&record)["rows"].as_array();
        let rows = rows.unwrap();
        assert_eq!(rows.len(), count, "{verb}: {}", ran.err);
        // A row that was computed again would have another time; the last one may be torn.
        let known = |row: &&serde_json::Value| {
            let time = format!("\"wall_s\":{}", row["wall_s"]);
            kept.contains(&(time.clone() + ",")) || kept.contains(&(time + "}"))
        };
        let (again, lines) = (rows.iter().filter(known).count(), kept.lines().count());
        assert!(again + 2 >= lines, "{verb}: {again} of {lines}");
        // Finished results are printed again.
        assert_eq!(runs(here, &resumed).ended(0).out, ran.out, "{verb}");
    }
}

#[test]
fn solvers_and_pairs_take_files_too() {
    let folder = fresh();
    let text =
        "10 oBBCCCDDooIJoHAAIJoHEEEKoFFGGKoooooK 304\n59 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM";
    let referee = "referee rush-hour/card-1 --command 'ten=echo 10' --format=json";
    let ran = over(&folder, referee, text).ended(1);
    ran.err.has(["line 2: 59 is given, 60 is right"]);
    let record: Referee = serde_json::from_str(&ran.out).unwrap();
    let ruled: Vec<Ruling> = record.rows.iter().map(|row| row.ruling).collect();
    assert_eq!(ruled, [Ruling::Right, Ruling::Wrong]);

    // A pair without a path is counted apart from one that is not known. The target itself takes no
    // move. The same board again, with another length; a finished run says so again.
    for [line, text, code, said] in rows(
        r#"sliding-tile/3x3 --to=123/456/87. | 867/254/3.1 | 0 |
           plain-3 --to=sorted | board,moves\n"[2,1,3]",1\n132,3\n123,0 | 0 |
           plain-3 --to=sorted --out=out | board,moves\n"[2,1,3]",1\n132,3\n123,0\n132,2\n123,1 | 1 | line 5: 2 is given, 3 is right; line 6: 1 is given, 0 is right
           plain-3 --to=sorted --out=out --resume | board,moves\n"[2,1,3]",1\n132,3\n123,0\n132,2\n123,1 | 1 | line 5: 2 is given, 3 is right; line 6: 1 is given, 0 is right
           plain-3 --to=sorted | 123 | 0 |
           plain-3 --to=sorted,132 | board,moves\n132,3 | 2 | needs one target
           plain-3 --to=sorted | 21 | 2 | line 1: the board belongs to pancake/plain-2, and
           rush-hour/custom | IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM | 2 | rush-hour/custom --set board=…, and pairs"#,
    ) {
        let line = format!("pairs {line}").replace("plain-3", "pancake/plain-3");
        let ran = over(&folder, &line, text).ended(code.parse().unwrap());
        ran.err.says(said);
        ran.out.lacks(["not known"]);
    }
    let ran = over(&folder, "pairs pancake/plain-3 --to=sorted", "321\n123").ended(0);
    assert!(
        ran.out.lines().any(|line| words(line) == ["123", "0"]),
        "{}",
        ran.out
    );
}
