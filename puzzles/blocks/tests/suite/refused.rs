//! Instances and settings that each puzzle refuses, by both variants in one line that names them.

use antipode_blocks::{rush_hour, simple_block, sliding_block, unit_rush_hour};
use puzzle_api::Puzzle;

use crate::twins::refused;

/// Instance, settings, and a part of the message.
type Refused = (
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static str,
);

fn all_refused<R: Puzzle, B: Puzzle>(all: &[Refused]) {
    for &(instance, settings, part) in all {
        let said = refused::<R, B>(instance, settings);
        assert!(said.contains(part), "{instance} {settings:?}: {said}");
    }
}

#[test]
fn rush_hour_refuses_by_name() {
    all_refused::<rush_hour::Rules, rush_hour::Bits>(&[
        ("7x7", &[], "no instance rush-hour/7x7"),
        ("card-41", &[], "no instance rush-hour/card-41"),
        ("card-07", &[], "no instance rush-hour/card-07"),
        ("card-0", &[], "no instance rush-hour/card-0"),
        ("6x6", &[("walls", "4")], "walls=4 is out of range"),
        ("6x6", &[("walls", "3")], "take fewer walls"),
        ("6x6", &[("row", "7")], "from 1 to 6"),
        ("6x6", &[("metric", "cell")], "use move"),
        ("6x6", &[("board", "AA")], "takes no setting 'board'"),
        ("card-1", &[("walls", "1")], "use metric"),
        ("custom", &[], "needs a board"),
        ("custom", &[("board", "AA?/...")], "row 1, column 3"),
    ]);
}

#[test]
fn unit_rush_hour_refuses_by_name() {
    let exits = "exit=5 is out of range: write any or a whole number from 1 to 4";
    all_refused::<unit_rush_hour::Rules, unit_rush_hour::Bits>(&[
        ("6x7", &[], "no instance unit-rush-hour/6x7"),
        ("04x4", &[], "no instance"),
        ("1x4", &[], "no instance"),
        ("tromp-3x3", &[], "tromp-4x4, tromp-5x5, tromp-6x6, custom"),
        ("9x4", &[], "take fewer rows"),
        ("4x4", &[("exit", "5")], exits),
        ("4x4", &[("empty", "16")], "from 0 to 15"),
        ("4x4", &[("empty", "3..2")], "from 3 to 15"),
        ("4x4", &[("metric", "cell")], "use step"),
        ("4x4", &[("board", "A")], "takes no setting 'board'"),
        ("tromp-4x4", &[("empty", "1")], "takes no setting 'empty'"),
        ("custom", &[], "needs a board"),
    ]);
}

#[test]
fn simple_block_refuses_by_name() {
    all_refused::<simple_block::Rules, simple_block::Bits>(&[
        ("4x4", &[], "ROWSxCOLUMNS-nPIECES"),
        ("4x4-n16", &[], "fewer pieces"),
        ("4x4-n05", &[], "no instance"),
        ("4x5-n3", &[], "at most 16 cells"),
        ("4x4-n5", &[("board", "A")], "no setting 'board': use goal"),
        ("4x4-n5", &[("goal", "left")], "corner or edges"),
        ("custom", &[], "--set board="),
        ("custom", &[("board", "AA/A.")], "goal=edges"),
    ]);
}

#[test]
fn sliding_block_refuses_by_name() {
    all_refused::<sliding_block::Rules, sliding_block::Bits>(&[
        ("donkey", &[("metric", "knight")], "metric=knight"),
        ("donkey", &[("colour", "red")], "'colour'"),
        ("donkey", &[("board", "x")], "fixed"),
        ("monkey", &[], "sliding-block/monkey"),
        ("custom", &[], "board=FILE"),
        ("custom", &[("board", "/nowhere/at/all")], "cannot be read"),
    ]);
}
