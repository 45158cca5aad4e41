//! Pages in a real browser, if there is one: solutions are played, filters are pressed.

use crate::sample::{self, file};
use antipode_reports::html::path_page_html;
use antipode_reports::model::{Picture, PictureKind, Solution, SolutionMove};
use std::path::Path;
use std::process::Command;

/// The `RESULT …` that a script sets as the title of a page. `None` without a browser.
fn run_on(html: &str, script: &str) -> Option<String> {
    let (_folder, page) = file("page.html");
    let script = format!("<script>{script}</script></body>");
    std::fs::write(&page, html.replacen("</body>", &script, 1)).unwrap();
    told(&page)
}

/// The result of the script that a page has already, in a narrow window.
pub fn told(page: &Path) -> Option<String> {
    let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
    let version = Command::new(&browser).arg("--version").output();
    if !version.is_ok_and(|ran| ran.status.success()) {
        eprintln!("skipped: no {browser} here (CHROMIUM names another)");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(&browser);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .args(["--virtual-time-budget=8000", "--enable-logging=stderr"])
        .arg("--window-size=500,900")
        .arg(format!(
            "--user-data-dir={}",
            folder.path().join("profile").display()
        ))
        .arg(format!("file://{}", page.display()));
    let ran = command.output().unwrap();
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(!errors.contains(":CONSOLE"), "{errors}");
    let dom = String::from_utf8_lossy(&ran.stdout);
    let told = dom.split_once("<title>RESULT ");
    let (_, rest) = told.unwrap_or_else(|| panic!("no result: {errors}"));
    let (title, _) = rest.split_once("</title>").unwrap();
    Some(title.replace("&amp;", "&"))
}

#[test]
fn a_solution_is_played_by_keys_buttons_and_address() {
    let step = |(r#move, state): (&str, &str)| SolutionMove {
        r#move: r#move.to_owned(),
        state: state.to_owned(),
    };
    let solution = Solution {
        from: "g..O".to_owned(),
        length: Some(3),
        moves: [("right", ".g.O"), ("right", "..gO"), ("in", "...O")]
            .map(step)
            .to_vec(),
        ..Solution::default()
    };
    let html = path_page_html("A row", &solution, &[], &sample::tilt());
    let script = "
        const all = [];
        const tell = () => all.push(document.querySelector('.told').value + ' ' + location.hash);
        const key = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        const buttons = document.querySelectorAll('.controls button');
        tell(); key('ArrowRight'); if (document.getAnimations().length !== 1) all.push('nothing slides'); tell(); key('End'); tell(); key('ArrowLeft'); tell();
        buttons[0].click(); tell(); key('Home'); buttons[1].click(); tell();
        location.hash = '#move=2';
        setTimeout(() => { tell(); document.title = 'RESULT ' + all.join('; '); }, 3000);";
    let Some(told) = run_on(&html.unwrap(), script) else {
        return;
    };
    let [start, one, last, back, first, playing, address] =
        told.split("; ").collect::<Vec<_>>()[..]
    else {
        panic!("{told}");
    };
    assert_eq!(start, "Start, 3 moves to go ");
    assert_eq!(one, "Move 1 of 3: right #move=1");
    assert_eq!(last, "Move 3 of 3: in #move=3");
    assert_eq!(back, "Move 2 of 3: right #move=2");
    assert_eq!(
        (first, playing),
        (one, one),
        "a step at once, the others by the clock"
    );
    assert!(address.contains("of 3"), "{address}");
}

#[test]
fn verdicts_and_puzzles_filter_the_table_and_what_follows() {
    let script = "
        const all = [];
        const count = (what) => [...document.querySelectorAll(what)].filter((one) => !one.hidden).length;
        const tell = () => all.push(count('#page-table tbody tr') + ' ' + count('article.claim') + ' ' + location.search);
        tell();
        document.querySelector('.counts li.confirmed button').click(); tell();
        document.querySelector('.chips button[value=tilt]').click(); tell();
        document.querySelector('#page-filter button[type=reset]').click();
        setTimeout(() => { tell(); document.title = 'RESULT ' + all.join('; '); }, 500);";
    let page = sample::page();
    let Some(told) = run_on(&page.html(), script) else {
        return;
    };
    let all = page.found.claims.len();
    let mut confirmed = page.found.claims;
    confirmed.retain(|claim| claim.verdict.id() == "confirmed");
    let tilt = confirmed.iter().filter(|claim| claim.puzzle == "tilt");
    let (tilt, confirmed) = (tilt.count(), confirmed.len());
    assert!(tilt < confirmed || confirmed < all);
    let wanted = format!(
        "{all} {all} ; {confirmed} {confirmed} ?verdict=confirmed; \
         {tilt} {tilt} ?verdict=confirmed&puzzle=tilt; {all} {all} "
    );
    assert_eq!(told, wanted);
}

/// Keys go to the first of several visible players, and an address with a move scrolls there.
#[test]
fn of_two_players_one_takes_the_keys_and_an_address_scrolls_to_its_own() {
    let mut page = sample::page();
    let is_strip = |picture: &Picture| matches!(picture.kind, PictureKind::Strip { .. });
    page.found
        .claims
        .retain(|claim| claim.witnesses.iter().any(is_strip));
    page.found.claims.truncate(1);
    let mut witnesses = page.found.claims[0].witnesses.iter();
    let strip = witnesses.find(|one| is_strip(one));
    let strip = strip.expect("a solution").clone();
    page.found.claims[0].witnesses = vec![strip.clone(), strip];
    let script = "
        const lines = () => [...document.querySelectorAll('.told')].map((one) => one.value.split(' of ')[0]);
        const key = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        key('ArrowRight');
        const first = lines();
        location.hash = '#solution=2&move=1';
        setTimeout(() => {
            const box = document.querySelectorAll('.player')[1].getBoundingClientRect();
            const inSight = scrollY > 0 && box.top < innerHeight && box.bottom > 0;
            document.title = 'RESULT ' + [...first.map((one) => one.startsWith('Move 1')), ...lines().map((one) => one.startsWith('Move 1')), inSight].join();
        }, 1000);";
    if let Some(told) = run_on(&page.html(), script) {
        assert_eq!(told, "true,false,true,true,true");
    }
}
