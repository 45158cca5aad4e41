//! The page in a real browser: it loads, plays a solution, edits a board, refuses a wrong one.

use puzzle_api::Settings;
use serde_json::json;

use crate::cdp::Browser;
use crate::serve::Serving;
use crate::support::{asked, limits};

const CARD_7: &str = "%23.%23%23./...../..O../g..../b....";

fn says(text: &str) -> String {
    format!("document.getElementById('distance').textContent === {text:?}")
}

fn tilt() -> Serving {
    let all = asked(antipode_tilt::table(), "box", Settings::new());
    Serving::one(all, limits(1 << 24))
}

#[test]
fn a_solution_is_played_undone_and_shared() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let serving = tilt();
    let page = format!("http://{}/tilt/box?board={CARD_7}", serving.address);
    browser.open(&page);
    browser.until(&says("15 moves from solved"));
    assert_eq!(browser.value("document.title"), "tilt/box");
    let marked = "document.querySelectorAll('#moves .shortest').length > 0 && document.querySelectorAll('#moves svg').length === document.querySelectorAll('#moves li').length";
    browser.until(marked);
    let moves = browser.value("document.querySelectorAll('#moves li').length");

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
    browser.click("#undo");
    browser.until(&says("1 move from solved"));

    // The address of a position is all that another tab needs.
    browser.open(there.as_str().expect("an address"));
    browser.until(&says("14 moves from solved"));
    browser.until("document.getElementById('undo').dataset.why !== ''");
    // Arrow keys are moves of that name.
    browser.value("document.activeElement.blur()");
    let up = "[...document.querySelectorAll('#moves .what')].some((name) => name.textContent === 'left')";
    let (key, before) = match browser.value(up) == json!(true) {
        true => ("ArrowLeft", browser.value("location.href")),
        false => ("ArrowRight", browser.value("location.href")),
    };
    browser.press(key, "");
    browser.until(&format!("location.href !== {before}"));

    browser.click("#antipode");
    browser.until("document.querySelector('.depths li:last-child [aria-current=true]') !== null");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn a_board_is_played_by_dragging_and_keys() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let serving = tilt();
    browser.width(1280);
    let page = format!("http://{}/tilt/box?board={CARD_7}", serving.address);
    browser.open(&page);
    browser.until(&says("15 moves from solved"));
    let board =
        |text: &str| format!("new URL(location.href).searchParams.get('board') === {text:?}");
    browser.press("ArrowRight", "");
    browser.until(&board("#.##./...../..O../....g/....b"));
    // Upward over an empty cell: on this board a drag tilts.
    browser.drag("[data-cell='2,1']", "[data-cell='0,1']");
    browser.until(&board("#.##g/....b/..O../...../....."));
    browser.until("document.querySelectorAll('#trail li').length === 3");
    browser.press("u", "u");
    browser.until(&board("#.##./...../..O../....g/....b"));
    browser.click("#restart");
    browser.until(&board("#.##./...../..O../g..../b...."));
    // Down is a wall's: nothing moves.
    browser.drag("[data-cell='0,1']", "[data-cell='3,1']");
    browser.until(&board("#.##./...../..O../g..../b...."));
    browser.click("#distances");
    browser.until("location.href.includes('distances=hidden') && document.querySelector('#moves h3') === null");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn a_board_is_edited_by_mouse_and_keys_and_a_wrong_one_refused() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let serving = tilt();
    browser.width(1280);
    browser.open(&format!(
        "http://{}/tilt/box?board={CARD_7}",
        serving.address
    ));
    browser.until(&says("15 moves from solved"));
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

    // By keys: to the hole, which is painted over. There must be one.
    browser.press("e", "e");
    browser.until("document.querySelectorAll('.cells.typing button').length === 25");
    browser.value("document.querySelector('[data-cell=\"1,2\"]').focus()");
    browser.press("ArrowDown", "");
    browser.until("document.activeElement.dataset.cell === '2,2'");
    browser.press(".", ".");
    browser.until(
        "document.getElementById('wrong').textContent !== '' && document.getElementById('done').disabled",
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

    // An address that somebody mistyped.
    browser.open(&format!(
        "http://{}/tilt/box?board=nonsense",
        serving.address
    ));
    browser.until("!document.getElementById('error').hidden");
    browser.until("document.getElementById('error').textContent.includes('nonsense')");
}

#[test]
#[ignore = "every size of the page; CI_FULL=1 .ci/run"]
fn it_fits_narrow_and_wide_light_and_dark() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let serving = tilt();
    let peg = asked(
        antipode_peg_solitaire::table(),
        "english-33",
        Settings::new(),
    );
    let mut room = limits(20_000);
    room.search = std::time::Duration::from_millis(200);
    let pegs = Serving::one(peg, room);
    let pages = [
        (
            "tilt",
            format!("http://{}/tilt/box?board={CARD_7}", serving.address),
        ),
        ("peg", format!("http://{}/", pegs.address)),
    ];
    for (name, page) in pages {
        for width in [400, 1280] {
            browser.width(width);
            for dark in [false, true] {
                browser.dark(dark);
                browser.open(&page);
                browser.until("document.querySelectorAll('#moves li').length > 0");
                let overflow =
                    "document.documentElement.scrollWidth > document.documentElement.clientWidth";
                assert_eq!(browser.value(overflow), json!(false), "{name} at {width}");
                let ground = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).every((part) => Number(part) < 64)";
                assert_eq!(browser.value(ground), json!(dark), "{name}");
                let shade = if dark { "dark" } else { "light" };
                browser.picture(&format!("{name}-{width}-{shade}.png"));
            }
        }
    }
    assert_eq!(browser.complaints, Vec::<String>::new());
}
