//! Instances and explorers for tests.

use std::sync::Arc;
use std::time::Duration;

use antipode_check::ask::PathRequest;
use antipode_check::distances::TableLimits;
use antipode_explore::{AnswerLimits, Explorer, Go};
use antipode_graph::{Graph, Library};
use antipode_reports::model::Position;
use antipode_search::progress::Stop;
use puzzle_api::Settings;
use puzzle_api::abi::AntipodeTable;

pub fn settings(all: &[(&str, &str)]) -> Settings {
    let all = all.iter();
    all.map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}

/// TableLimits for tables of n orbits, and ample time.
pub fn limits(orbits: usize) -> AnswerLimits {
    AnswerLimits {
        tables: TableLimits {
            orbits,
            time: Duration::from_secs(600),
            threads: 2,
        },
        search: Duration::from_secs(60),
    }
}

pub fn asked(table: &'static AntipodeTable, instance: &str, settings: Settings) -> PathRequest {
    PathRequest {
        settings,
        ..PathRequest::new(Arc::new(Library::built_in(table)), instance.to_owned())
    }
}

pub fn explorer(asked: PathRequest, limits: AnswerLimits) -> Explorer {
    Explorer::open(asked, None, limits).expect("opens")
}

/// The rulebook of an instance.
pub fn rulebook(asked: &PathRequest) -> Graph<u64> {
    let library = &asked.library;
    let reference = library.reference_variant();
    let opened = library.open(&asked.instance, reference, &asked.settings);
    Graph::new(opened.expect("opens")).expect("short keys")
}

/// Four coins on nine cells, with a goal.
pub fn coins() -> PathRequest {
    let small = [
        ("width", "3"),
        ("height", "3"),
        ("coins", "4"),
        ("to", "ooo/o../..."),
    ];
    asked(antipode_coin_sliding::table(), "custom", settings(&small))
}

/// The English board of peg solitaire.
pub fn pegs() -> PathRequest {
    let pegs = antipode_peg_solitaire::table();
    asked(pegs, "english-33", Settings::new())
}

/// A position that there is.
pub fn shown(explorer: &Explorer, board: Option<&str>, go: Go) -> Position {
    let position = explorer.position(board, go, &Stop::default());
    position.expect("shows")
}
