//! Drawing and reading states.

use std::collections::{BTreeSet, HashSet};

use puzzle_api::{Direction, Key, shown};

use super::Checked;
use super::subject::{Scope, Subject, counted, passed, skipped};
use antipode_graph::rules::{self, ANY_SETTING};
use antipode_graph::{Expansion, MOST_SAID, PluginError, UNSAID, is_line};

/// Most states drawn and read; each is a separate call.
const MOST: usize = 50_000;

/// Every state is read back from its drawing, with the same key.
pub(super) fn drawings_read_back(subject: &Subject) -> Checked {
    let states = &subject.states[..subject.states.len().min(MOST)];
    for &state in states {
        let drawn = subject.graph.draw(state)?;
        let read = match subject.graph.parse(&drawn) {
            Ok(read) => read,
            Err(PluginError::BadInput(line)) => {
                let text = format!("parse refuses what draw wrote: {line}");
                return subject.fail(text, &[("state", state)]);
            }
            Err(other) => return Err(other.into()),
        };
        if read != state {
            let text = format!(
                "parse reads another state from what draw wrote: key {:#x} instead of {:#x}",
                read.to_u128(),
                state.to_u128()
            );
            return subject.fail(text, &[("drawn", state), ("read", read)]);
        }
    }
    Ok(if states.len() == subject.states.len() {
        subject.passed()
    } else {
        passed(format!("the first {} of {}", states.len(), subject.what))
    })
}

/// Every name that the puzzle lists is read, and none is listed twice.
pub(super) fn names_are_states(subject: &Subject) -> Checked {
    let names = subject.graph.names()?;
    if names.is_empty() {
        return Ok(skipped("no state has a name"));
    }
    let mut listed = HashSet::new();
    for name in &names {
        if name.trim() != name || name.is_empty() || !is_line(name) {
            let text = format!(
                "the name '{}' is empty, or has blanks at an end",
                shown(name)
            );
            return subject.fail(text, &[]);
        }
        match subject.graph.parse(name) {
            Ok(_) => {}
            Err(PluginError::BadInput(line)) => {
                let text = format!("parse refuses the listed name '{}': {line}", shown(name));
                return subject.fail(text, &[]);
            }
            Err(other) => return Err(other.into()),
        }
        if !listed.insert(name) {
            let text = format!("the name '{}' is listed twice", shown(name));
            return subject.fail(text, &[]);
        }
    }
    Ok(passed(format!("{} names", names.len())))
}

/// Most states whose moves are named.
const NAMED: usize = 2000;

/// Names of parts and moves are short lines, and the moves of a state have several.
pub(super) fn names_are_lines(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    let fits = |name: &str| is_line(name) && name.chars().count() <= MOST_SAID;
    let long = |name| {
        let shown = shown(name);
        format!("writes '{shown}', which is not one line of at most {MOST_SAID} characters")
    };
    let parts = subject.parts();
    for &part in &parts {
        if let Some(name) = graph.part_text(part)?.filter(|name| !fits(name)) {
            return subject.fail(format!("part_name {}", long(&name)), &[]);
        }
    }
    let states = &subject.states[..subject.states.len().min(NAMED)];
    let (mut out, mut moves, mut alike) = (Expansion::default(), 0, None);
    let mut differ = false;
    for &state in states {
        graph.expand(Direction::Forward, &[state], &mut out)?;
        let mut names = HashSet::new();
        let to: BTreeSet<u128> = out.keys().iter().copied().collect();
        for &next in to.iter().filter(|&&next| next != state) {
            let Some(name) = graph.move_name(state, next)? else {
                continue;
            };
            let first = name.lines().next().unwrap_or_default().to_owned();
            if !fits(&first) || name.lines().any(|name| !fits(name)) {
                let fault = format!("describe_move {}", long(&name));
                return subject.fail(fault, &[("state", state), ("successor", next)]);
            }
            moves += 1;
            // The second of one name.
            if !names.insert(first) {
                alike.get_or_insert(state);
            }
        }
        differ |= names.len() > 1;
    }
    match alike.filter(|_| !differ) {
        Some(state) => {
            let fault = "describe_move gives all moves of every state one name";
            subject.fail(fault, &[("state", state)])
        }
        None => Ok(passed(format!(
            "{} and {}",
            counted(parts.len(), "part"),
            counted(moves, "move")
        ))),
    }
}

/// Whether this is more than the test on loading.
fn is_thorough(subject: &Subject) -> bool {
    subject.scope.exhaustive > Scope::QUICK.exhaustive
}

/// Text that is no board is refused with one line; accepted text reads back.
pub(super) fn nonsense_is_refused(subject: &Subject) -> Checked {
    let board = subject.states.first().map(|&key| subject.graph.draw(key));
    let board = board.transpose()?.unwrap_or_default();
    let long = "x".repeat(10_000);
    let doubled = format!("{board}{board}");
    let longer = format!("{board}/{board}");
    let shorter = board.chars().skip(1).collect::<String>();
    let short = ["", "/", "////", "\u{1F9E9}", "no such board"];
    let made = [&*long, &doubled, &longer, &shorter];
    let texts = [&short[..], &made].concat();
    let thorough = is_thorough(subject);
    for &text in &texts {
        match subject.graph.parse(text) {
            Err(PluginError::BadInput(line)) => {
                // The line begins with the instance's name and a colon, from the harness.
                let own = line.split_once(": ").map_or("", |(_, own)| own);
                if own.trim().is_empty() || own.contains('\n') {
                    let text = shown(text);
                    let text = format!("parse refuses '{text}' without one line that says why");
                    return subject.fail(text, &[]);
                }
            }
            Err(other) => return Err(other.into()),
            Ok(state) => {
                let again = subject.graph.parse(&subject.graph.draw(state)?);
                if again.ok() != Some(state) {
                    let text = format!("parse takes '{}' for a state that is none", shown(text));
                    return subject.fail(text, &[("read as", state)]);
                }
                // A program has no reader: what it answers about a text shows whether it is a
                // state. For a search without such a text it is no harm if the program ends.
                let ends = || match subject.graph.is_solved(&[state]) {
                    Err(error) if rules::broken().is_some() => Some(error),
                    _ => None,
                };
                let is_asked = thorough && subject.graph.opened.learns_predecessors();
                if let Some(error) = is_asked.then(ends).flatten() {
                    let text =
                        format!("a text that is no state is not refused by `error`: {error}");
                    return subject.fail(text, &[]);
                }
            }
        }
    }
    Ok(passed(format!("{} texts", texts.len())))
}

/// An unknown setting is refused, with one line that says why.
pub(super) fn unknown_settings(subject: &Subject) -> Checked {
    const NAME: &str = "no-such-setting";
    let opened = &subject.graph.opened;
    let mut settings = opened.settings.clone();
    settings.insert(NAME.into(), "1".into());
    let library = &opened.library;
    match library.open(&opened.instance, &opened.variant, &settings) {
        Ok(_) => subject.fail(format!("open takes the unknown setting {NAME}=1"), &[]),
        Err(PluginError::BadInput(line)) => {
            // A program that opens anything is refused by the harness, not by itself: no harm to a
            // search without settings.
            if is_thorough(subject) && line.contains(ANY_SETTING) {
                return subject.fail(ANY_SETTING.to_owned(), &[]);
            }
            let own = line.split_once(": ").map_or("", |(_, own)| own);
            if own == UNSAID || own.contains('\n') {
                let text = "open refuses an unknown setting without one line that says why";
                return subject.fail(text, &[]);
            }
            Ok(passed("one setting"))
        }
        Err(other) => Err(other.into()),
    }
}
