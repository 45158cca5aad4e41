//! Drawing and reading states.

use std::collections::HashSet;

use puzzle_api::Key;

use super::Checked;
use super::subject::{Scope, Subject, passed, skipped};
use antipode_graph::rules::ANY_SETTING;
use antipode_graph::{PluginError, UNSAID};

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
        match subject.graph.parse(name) {
            Ok(_) => {}
            Err(PluginError::BadInput(line)) => {
                let text = format!("parse refuses the listed name '{}': {line}", start(name));
                return subject.fail(text, &[]);
            }
            Err(other) => return Err(other.into()),
        }
        if !listed.insert(name) {
            let text = format!("the name '{}' is listed twice", start(name));
            return subject.fail(text, &[]);
        }
    }
    Ok(passed(format!("{} names", names.len())))
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
    for &text in &texts {
        match subject.graph.parse(text) {
            Err(PluginError::BadInput(line)) => {
                // The line begins with the instance's name and a colon, from the harness.
                let own = line.split_once(": ").map_or("", |(_, own)| own);
                if own.trim().is_empty() || own.contains('\n') {
                    let text = start(text);
                    let text = format!("parse refuses '{text}' without one line that says why");
                    return subject.fail(text, &[]);
                }
            }
            Err(other) => return Err(other.into()),
            Ok(state) => {
                let again = subject.graph.parse(&subject.graph.draw(state)?);
                if again.ok() != Some(state) {
                    let text = format!("parse takes '{}' for a state that is none", start(text));
                    return subject.fail(text, &[("read as", state)]);
                }
            }
        }
    }
    Ok(passed(format!("{} texts", texts.len())))
}

/// An unknown setting is refused, with one line that says why.
pub(super) fn unknown_settings_are_refused(subject: &Subject) -> Checked {
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
            let thorough = subject.scope.exhaustive > Scope::QUICK.exhaustive;
            if thorough && line.contains(ANY_SETTING) {
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

fn start(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        format!("{short}…")
    } else {
        short
    }
}
