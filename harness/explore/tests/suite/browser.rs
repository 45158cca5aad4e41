//! The page in a real browser: it loads, plays a solution, edits a board, and refuses a wrong one.

use puzzle_api::Settings;
use serde_json::json;

use crate::cdp::Browser;
use crate::serve::Serving;
use crate::support::{asked, limits, pegs};

const CARD_7: &str = "%23.%23%23./...../..O../g..../b....";

fn says(text: &str) -> String {
    format!("document.getElementById('distance').textContent === {text:?}")
}

fn tilt() -> Serving {
    let all = asked(antipode_tilt::table(), "box", Settings::new());
    Serving::one(all, limits(1 << 24))
}

/// Opens a page of a server, and waits until it says how far the position is.
fn open(browser: &mut Browser, serving: &Serving, page: &str, distance: &str) {
    browser.open(&format!("http://{}/{page}", serving.address));
    browser.until(&says(distance));
}

fn open_card_7(browser: &mut Browser, serving: &Serving) {
    let page = format!("tilt/box?board={CARD_7}");
    open(browser, serving, &page, "15 moves from solved");
}

#[test]
fn a_solution_is_played_undone_and_shared() {
    Browser::quietly(|browser| {
        let serving = tilt();
        open_card_7(browser, &serving);
        assert_eq!(browser.value("document.title"), "tilt/box");
        let marked = "document.querySelectorAll('#moves .shortest').length > 0 && document.querySelectorAll('#moves svg').length === document.querySelectorAll('#moves li').length";
        browser.until(marked);
        let moves = browser.value("document.querySelectorAll('#moves li').length");
        browser.until("document.querySelector('#moves h3').textContent === 'Fastest'");
        let said = |line: &str| {
            format!("document.getElementById('said').textContent.startsWith({line:?})")
        };
        browser.click("#hint");
        browser.until(&said("Hint: "));
        browser.click("#solvable");
        browser.until(&said("Yes: it can be solved"));

        browser.click("#moves .shortest");
        browser.until(&says("14 moves from solved"));
        let there = browser.value("location.href");
        browser.press("u", "u");
        browser.until(&says("15 moves from solved"));
        assert_eq!(
            browser.value("document.querySelectorAll('#moves li').length"),
            moves
        );
        browser.press("b", "b");
        browser.until(&says("14 moves from solved"));
        assert_eq!(browser.value("location.href"), there, "the same move again");

        browser.click("#play");
        browser.until(&says("Solved"));
        browser.until("document.getElementById('play').getAttribute('aria-pressed') === 'false'");
        assert_eq!(browser.value("history.state.at"), json!(15));
        browser.click("#hint");
        browser.until(&said("The position is solved."));
        browser.click("#undo");
        browser.until(&says("1 move from solved"));

        // The address of a position is enough for another tab.
        browser.open(there.as_str().expect("an address"));
        browser.until(&says("14 moves from solved"));
        browser.until("document.getElementById('undo').dataset.why !== ''");
        // Arrow keys make the moves of their name.
        browser.value("document.activeElement.blur()");
        let up = "[...document.querySelectorAll('#moves .what')].some((name) => name.textContent === 'left')";
        let (key, before) = match browser.value(up) == json!(true) {
            true => ("ArrowLeft", browser.value("location.href")),
            false => ("ArrowRight", browser.value("location.href")),
        };
        browser.press(key, "");
        browser.until(&format!("location.href !== {before}"));

        browser.click("#antipode");
        browser
            .until("document.querySelector('.depths li:last-child [aria-current=true]') !== null");
    });
}

#[test]
fn a_board_is_played_by_dragging_and_keys() {
    Browser::quietly(|browser| {
        let serving = tilt();
        browser.size((1280, 900));
        open_card_7(browser, &serving);
        browser.press("ArrowRight", "");
        browser.until(&at("#.##./...../..O../....g/....b"));
        // Upward over an empty cell: on this board a drag tilts.
        browser.drag("[data-cell='2,1']", "[data-cell='0,1']");
        browser.until(&at("#.##g/....b/..O../...../....."));
        browser.until("document.querySelectorAll('#trail li').length === 3");
        browser.press("u", "u");
        browser.until(&at("#.##./...../..O../....g/....b"));
        // Any position of the list can be chosen.
        browser.click("#trail li:last-child button");
        browser.until(&at("#.##g/....b/..O../...../....."));
        browser.click("#restart");
        browser.until(&at("#.##./...../..O../g..../b...."));
        // A wall is below: nothing moves.
        browser.drag("[data-cell='0,1']", "[data-cell='3,1']");
        browser.until(&at("#.##./...../..O../g..../b...."));
        browser.click("#distances");
        browser.until("location.href.includes('distances=hidden') && document.querySelector('#moves h3') === null");
    });
}

#[test]
fn a_board_is_edited_by_mouse_and_keys_and_a_wrong_one_refused() {
    Browser::browsed(|browser| {
        let serving = tilt();
        browser.size(LAPTOP);
        open_card_7(browser, &serving);
        browser.click("#edit");
        browser.until("document.querySelectorAll('.cells.typing button').length === 25");
        browser.click(".brush[data-symbol='.']");
        browser.click("[data-cell='0,0']");
        browser.until("document.getElementById('typed').value.startsWith('..##.')");
        browser.until("document.querySelector('[data-cell=\"0,0\"]')?.getAttribute('aria-label').includes('empty') ?? false");
        browser.click("#done");
        browser.until(
            "new URL(location.href).searchParams.get('board') === '..##./...../..O../g..../b....'",
        );
        // Without that block there is no solution.
        browser.until(&says("Cannot be solved"));

        // By keyboard: moves to the hole, which is painted over. A board needs a hole.
        browser.press("e", "e");
        browser.until("document.querySelectorAll('.cells.typing button').length === 25");
        browser.value("document.querySelector('[data-cell=\"1,2\"]').focus()");
        browser.press("ArrowDown", "");
        browser.until("document.activeElement.dataset.cell === '2,2'");
        browser.press(".", ".");
        browser.until(
            "document.getElementById('wrong').textContent !== '' && document.getElementById('done').disabled",
        );
        browser.until(
            "document.getElementById('wrong').getBoundingClientRect().bottom <= innerHeight",
        );
        let line = browser.value("document.getElementById('wrong').textContent");
        assert!(
            line.as_str()
                .is_some_and(|line| line.starts_with("tilt/box: ")),
            "{line}"
        );
        browser.picture("edit-wrong.png");
        browser.press("Escape", "");
        browser.until(
            "document.getElementById('wrong').textContent === '' && document.getElementById('editor').hidden",
        );
        assert_eq!(browser.complaints, Vec::<String>::new());

        // A mistyped address.
        browser.open(&format!(
            "http://{}/tilt/box?board=nonsense",
            serving.address
        ));
        browser.until("!document.getElementById('error').hidden");
        browser.until("document.getElementById('error').textContent.includes('nonsense')");
        // Without a position, only the editor works.
        let off = "['hint', 'undo', 'antipode', 'copy-board', 'edit'].map((id) => document.getElementById(id).getAttribute('aria-disabled'))";
        let off = browser.value(off);
        assert_eq!(off, json!(["true", "true", "true", "true", null]));
    });
}

/// Discs lie on each other, the first of a row at the bottom.
#[test]
fn towers_stand() {
    Browser::quietly(|browser| {
        browser.size(LAPTOP);
        let towers = antipode_classics::hanoi::table();
        let towers = Serving::one(asked(towers, "3-3", Settings::new()), limits(1 << 20));
        open(browser, &towers, "", "7 moves from solved");
        browser.click("[data-cell='0,0']");
        browser.picture("towers.png");
        browser.click("[data-cell='2,2']");
        browser.until(&at("32./.../1.."));
        browser.press("e", "e");
        browser.until("document.querySelectorAll('.cells.typing button').length === 9");
        browser.click(".brush[data-symbol='1']");
        browser.click("[data-cell='2,1']");
        browser.until("document.getElementById('typed').value === '32./1../1..'");
    });
}

/// Every sticker is taken where a move takes it, by two clicks or one drag, on every net.
#[test]
fn stickers_of_a_net_are_taken_where_moves_take_them() {
    Browser::browsed(|browser| {
        for (name, size) in [
            ("pocket-cube", LAPTOP),
            ("skewb", LAPTOP),
            ("pyraminx", PHONE),
            ("tower", PHONE),
        ] {
            browser.size(size);
            let all = asked(antipode_permutation::table(), name, Settings::new());
            let serving = Serving::one(all, limits(1 << 10));
            // Nothing is asked of a server that has ended.
            browser.open(&format!(
                "http://{}/permutation/{name}?distances=hidden",
                serving.address
            ));
            browser.until("document.querySelectorAll('#moves li').length > 0");
            // Two moves that are not each other's inverse, with a sticker that only each takes there.
            let ways = browser.value(
                "fetch(`/api${location.pathname}?say=moves`).then((answer) => answer.json()).then((told) => [0, told.moves.length - 1].map((at) => { const ends = told.moves.map((move) => move.shifts.flatMap(({ from, to }) => from.flatMap((one) => to.map((other) => `${one} ${other}`)))); const own = ends[at].find((way) => ends.filter((all) => all.includes(way)).length === 1); return [...own.split(' '), told.position.moves[at].board]; }))",
            );
            for (nth, way) in ways.as_array().expect("moves").iter().enumerate() {
                let cell =
                    |at: usize| format!("g[data-cell='{}']", way[at].as_str().expect("a cell"));
                let board = way[2].as_str().expect("a board");
                browser.value(
                    "document.querySelector('#board svg').scrollIntoView({block: 'center'})",
                );
                match (nth, size) {
                    (0, LAPTOP) => {
                        browser.click(&cell(0));
                        browser.until("document.querySelector('g.held') !== null");
                        browser.picture(&format!("{name}-held.png"));
                        browser.click(&cell(1));
                    }
                    (0, _) => {
                        browser.touch(&cell(0), &cell(0));
                        browser.until("document.querySelector('g.held') !== null");
                        browser.touch(&cell(1), &cell(1));
                    }
                    (_, LAPTOP) => browser.drag(&cell(0), &cell(1)),
                    _ => browser.touch(&cell(0), &cell(1)),
                }
                browser.until(&at(board));
                browser.press("u", "u");
                browser.until(&format!(
                    "document.getElementById('typed').value !== {board:?} && !document.getElementById('moves').inert"
                ));
            }
            assert_eq!(browser.complaints, Vec::<String>::new());
        }
    });
}

/// The address of the page.
fn at(board: &str) -> String {
    format!("new URL(location.href).searchParams.get('board') === {board:?}")
}

const PHONE: (u32, u32) = (390, 844);
const LAPTOP: (u32, u32) = (1366, 768);

#[test]
fn fingers_tilt_tap_and_drag_and_what_may_not_be_snaps_back() {
    Browser::quietly(|browser| {
        browser.size(PHONE);
        let serving = tilt();
        open_card_7(browser, &serving);
        browser.touch("[data-cell='3,2']", "[data-cell='3,4']");
        browser.until(&at("#.##./...../..O../....g/....b"));
        browser.until(&says("14 moves from solved"));
        // A move far down the list is tapped with the board still in sight.
        browser.value(
            "document.querySelector('#moves li:last-child button').scrollIntoView({block: 'end'})",
        );
        let before = browser.value("location.href");
        browser.touch("#moves li:last-child button", "#moves li:last-child button");
        browser.until(&format!("location.href !== {before}"));
        let in_sight = "(() => { const box = document.querySelector('#board svg').getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; })()";
        browser.until(in_sight);

        let cars = antipode_blocks::rush_hour::table();
        let cars = asked(cars, "card-1", Settings::new());
        let cars = Serving::one(cars, limits(1 << 20));
        browser.open(&format!("http://{}/", cars.address));
        browser.until("document.querySelectorAll('#moves li').length > 0 && document.querySelector('#distance').textContent.includes('from solved')");
        // Drags a car along its lane and against a wall, by finger and by mouse, with the effects that
        // the list of moves states.
        let cells = browser.value(
            "(() => { const text = document.getElementById('typed').value; const rows = text.split('/'); for (let row = 0; row < rows.length; row++) { const found = /([A-Za-z])\\1+/.exec(rows[row]); if (found) return [row, found.index, found[0].length, text]; } return null; })()",
        );
        let (row, column, board) = (&cells[0], &cells[1], cells[3].as_str().expect("a board"));
        let car = format!("[data-cell='{row},{column}']");
        // A car does not move across its lane.
        let across = match row.as_u64() {
            Some(0) => format!("[data-cell='2,{column}']"),
            _ => format!("[data-cell='0,{column}']"),
        };
        browser.touch(&car, &across);
        browser.drag(&car, &across);
        browser.until("document.querySelectorAll('#board .piece[transform]').length === 0");
        browser.until(&at(board));
        // The cells from and to which the first move of the list takes a piece.
        let way = browser.value(
            "fetch(`/api${location.pathname}?board=${encodeURIComponent(document.getElementById('typed').value)}&say=moves`).then((answer) => answer.json()).then((told) => { const at = told.moves.findIndex((move) => move.shifts.length === 1); const [shift] = told.moves[at].shifts; return [shift.from[0].join(), shift.to[0].join(), told.position.moves[at].board]; })",
        );
        let cell = |at: usize| format!("[data-cell='{}']", way[at].as_str().expect("a cell"));
        browser.touch(&cell(0), &cell(1));
        browser.until(&at(way[2].as_str().expect("a board")));

        let lights = antipode_classics::lights_out::table();
        let lights = asked(lights, "3x3", Settings::new());
        let lights = Serving::one(lights, limits(1 << 20));
        let page = "lights-out/3x3?board=oo./o../...";
        open(browser, &lights, page, "1 move from solved");
        browser.touch("[data-cell='0,0']", "[data-cell='0,0']");
        browser.until(&at(".../.../..."));
    });
}

#[test]
fn it_fits_every_window_in_light_and_dark_and_axe_finds_nothing() {
    Browser::quietly(|browser| {
        let serving = tilt();
        let mut room = limits(20_000);
        room.search = std::time::Duration::from_millis(200);
        let pegs = Serving::one(pegs(), room);
        let cube = antipode_permutation::table();
        let cube = Serving::one(asked(cube, "pyraminx", Settings::new()), limits(1 << 22));
        let pages = [
            (
                "tilt",
                format!("{}/tilt/box?board={CARD_7}", serving.address),
            ),
            ("peg", format!("{}/", pegs.address)),
            ("pyraminx", format!("{}/", cube.address)),
        ];
        for (name, page) in pages {
            for size in [PHONE, LAPTOP, (1920, 1080)] {
                browser.size(size);
                for dark in [false, true] {
                    browser.dark(dark);
                    browser.open(&format!("http://{page}"));
                    browser.until("document.querySelectorAll('#moves li').length > 0 && document.querySelector('#goal:not([hidden]) svg') !== null");
                    browser.until("document.querySelectorAll('#moves .after').length > 0 && !document.getElementById('moves').inert");
                    let overflow = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
                    assert_eq!(browser.value(overflow), json!(false), "{name} at {size:?}");
                    let ground = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).every((part) => Number(part) < 64)";
                    assert_eq!(browser.value(ground), json!(dark), "{name}");
                    if size != PHONE {
                        let below = "[...document.querySelectorAll('.tools button')].filter((button) => button.checkVisibility() && button.getBoundingClientRect().bottom > innerHeight).map((button) => button.textContent)";
                        assert_eq!(browser.value(below), json!([]), "{name} at {size:?}");
                    }
                    let shade = if dark { "dark" } else { "light" };
                    browser.picture(&format!("{name}-{}-{shade}.png", size.0));
                    assert_eq!(
                        browser.axe(),
                        Vec::<String>::new(),
                        "{name} at {size:?}, {shade}"
                    );
                }
            }
        }
    });
}
