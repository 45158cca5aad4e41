//! The page, positions and pictures.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use antipode_reports::html::{EXPLORE_SCRIPT, ExplorePage, ExploreSetting, explore_html, picture};
use antipode_reports::model::PositionMove;
use antipode_reports::svg::shifts;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Redirect, Response};
use puzzle_api::{SettingInfo, Settings, shown};
use serde_json::{Value, json};

use super::App;
use crate::error::{ExploreError, on_page};
use crate::explorer::Explorer;
use crate::question::{Go, Say};

/// Pixels of the longer side of the boards next to moves.
const SMALL: u32 = 72;

/// Pixels of a goal.
const MIDDLE: u32 = 144;

/// Longest text of a board that is drawn: more than any key can hold.
const MOST_TEXT: usize = 4096;

type OfApp = State<Arc<App>>;
type Named = Path<(String, String)>;
type Words = Query<HashMap<String, String>>;

fn told(status: StatusCode, value: &Value) -> Response {
    let kind = [(CONTENT_TYPE, "application/json")];
    (status, kind, value.to_string()).into_response()
}

fn fault(status: StatusCode, error: &str) -> Response {
    told(status, &json!({ "error": error }))
}

/// Does work that may take long outside the server's own thread.
async fn beside(work: impl FnOnce() -> Response + Send + 'static) -> Response {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| {
        let error = "a fault of Antipode's own; stderr says more";
        fault(StatusCode::INTERNAL_SERVER_ERROR, error)
    })
}

/// A question about an instance: the instance, the parameters of the address, and the rest.
struct Asked {
    explorer: Arc<Explorer>,
    words: HashMap<String, String>,
    app: Arc<App>,
}

impl Asked {
    fn word(&self, name: &str) -> Option<&str> {
        self.words.get(name).map(String::as_str)
    }
}

/// Answers a question about an instance that takes some parameters.
async fn answered(
    State(app): OfApp,
    Path((puzzle, instance)): Named,
    Query(words): Words,
    known: &'static [&'static str],
    answer: fn(&Asked) -> Result<Value, ExploreError>,
) -> Response {
    beside(move || {
        let name = format!("{puzzle}/{instance}");
        let explorer = app.instances.get(&name, &settings(&words));
        let answer = explorer.and_then(|explorer| {
            only(&words, known)?;
            answer(&Asked {
                explorer,
                words,
                app: Arc::clone(&app),
            })
        });
        match answer {
            Ok(answer) => told(StatusCode::OK, &answer),
            Err(error) => {
                let line = on_page(&error.to_string());
                if matches!(error, ExploreError::Disagree(_)) {
                    app.disagreed.store(true, Relaxed);
                    return fault(StatusCode::INTERNAL_SERVER_ERROR, &line);
                }
                fault(StatusCode::BAD_REQUEST, &line)
            }
        }
    })
    .await
}

/// Refuses invalid parameters.
fn only(words: &HashMap<String, String>, known: &[&str]) -> Result<(), ExploreError> {
    let words = words.keys().filter(|word| !word.starts_with(SET));
    let other = words.filter(|word| !known.contains(&word.as_str()));
    other.min().map_or(Ok(()), |other| {
        Err(ExploreError::Refused(format!(
            "{} is no parameter: give {}",
            shown(other),
            known.join(", ")
        )))
    })
}

/// The instances to choose from, or the only one.
pub(super) async fn index(State(app): OfApp) -> Response {
    if let Some(only) = app.instances.only() {
        return Redirect::temporary(&format!("/{}", only.name())).into_response();
    }
    beside(move || {
        html(&ExplorePage {
            puzzles: app.instances.puzzles().to_vec(),
            ..page_of(&app)
        })
    })
    .await
}

/// The common part of all pages.
fn page_of(app: &App) -> ExplorePage {
    ExplorePage {
        tool_version: app.tool_version.clone(),
        command: app.command.clone(),
        ..ExplorePage::default()
    }
}

/// The page of an instance; the position that it shows follows its address.
pub(super) async fn page(
    State(app): OfApp,
    Path((puzzle, instance)): Named,
    Query(words): Words,
) -> Response {
    beside(move || {
        let name = format!("{puzzle}/{instance}");
        let given = settings(&words);
        let known = app.instances.settings(&name);
        let page = ExplorePage {
            instance: Some(name.clone()),
            settings: known
                .unwrap_or_default()
                .iter()
                .map(|info| setting(info, &given))
                .collect(),
            ..page_of(&app)
        };
        match app.instances.get(&name, &given) {
            Ok(explorer) => html(&ExplorePage {
                rules: explorer.rules().to_owned(),
                legend: explorer.legend().clone(),
                ..page
            }),
            // With other settings it may do.
            Err(error) if known.is_some() => {
                let complaint = Some(on_page(&error.to_string()));
                let page = html(&ExplorePage { complaint, ..page });
                (StatusCode::BAD_REQUEST, page).into_response()
            }
            Err(error) => (
                StatusCode::NOT_FOUND,
                format!("{}\n", on_page(&error.to_string())),
            )
                .into_response(),
        }
    })
    .await
}

/// Prefix of parameters of an address that are settings of the instance.
const SET: &str = "set.";

/// The settings in an address; an empty one is the instance's own.
fn settings(words: &HashMap<String, String>) -> Settings {
    let set = |(key, value): (&String, &String)| {
        let key = key.strip_prefix(SET).filter(|_| !value.is_empty())?;
        Some((key.to_owned(), value.clone()))
    };
    words.iter().filter_map(set).collect()
}

fn setting(info: &SettingInfo, given: &Settings) -> ExploreSetting {
    ExploreSetting {
        key: info.key.clone(),
        summary: info.summary.clone(),
        value: given.get(&info.key).cloned().unwrap_or_default(),
    }
}

fn html(page: &ExplorePage) -> Response {
    match explore_html(page) {
        Ok(text) => Html(text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}

/// The position of `board`, after going to `go`.
pub(super) async fn position(app: OfApp, name: Named, words: Words) -> Response {
    let known = &["board", "go", "n", "at", "seed", "say"];
    answered(app, name, words, known, shown_position).await
}

/// A position with the pictures of its moves, if the puzzle has a legend, and the pieces that each
/// changes. With distances too, why it is impossible to go to an antipode and to a random position.
fn shown_position(asked: &Asked) -> Result<Value, ExploreError> {
    let Asked {
        explorer,
        words,
        app,
    } = asked;
    let board = asked.word("board");
    let say = match asked.word("say").unwrap_or_default() {
        "" => Say::Distances,
        "moves" => Say::Moves,
        other => {
            let line = format!("say={}: give moves, or leave it out", shown(other));
            return Err(ExploreError::Refused(line));
        }
    };
    let mut position = explorer.shown(board, go(words)?, say, &app.stop)?;
    position.basis = on_page(&position.basis);
    for note in &mut position.notes {
        *note = on_page(note);
    }
    let legend = explorer.legend();
    let shown = |made: &PositionMove| {
        json!({
            "svg": picture(&made.board, "", legend, SMALL),
            "shifts": shifts(&position.board, &made.board, legend),
        })
    };
    let moves: Vec<Value> = position.moves.iter().map(shown).collect();
    let obstacles = match say {
        Say::Moves => None,
        Say::Distances => {
            let all = explorer.obstacles(&position.board, &app.stop)?;
            Some(all.map(|why| why.map(|why| on_page(&why))))
        }
    };
    Ok(json!({ "position": position, "moves": moves, "obstacles": obstacles }))
}

fn go(words: &HashMap<String, String>) -> Result<Go, ExploreError> {
    let number = |name: &str| -> Result<Option<u64>, ExploreError> {
        let Some(text) = words.get(name).filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        let refuse = || {
            let text = shown(text);
            ExploreError::Refused(format!("{name}={text}: give a whole number"))
        };
        text.parse().map(Some).map_err(|_| refuse())
    };
    let depth = |at: u64| {
        u16::try_from(at).map_err(|_| {
            ExploreError::Refused(format!("at={at}: give a distance, at most {}", u16::MAX))
        })
    };
    let (nth, at, seed) = (number("n")?, number("at")?, number("seed")?);
    let (go, with) = match words.get("go").map_or("", String::as_str) {
        "" => (Go::Stay, [None, None, None]),
        "antipode" => (Go::Antipode(nth.unwrap_or(0)), [nth, None, None]),
        "random" => {
            let (at, seed) = (at.map(depth).transpose()?, seed.unwrap_or(1));
            (
                Go::Random { at, seed },
                [None, at.map(u64::from), Some(seed)],
            )
        }
        other => {
            let line = format!("go={}: give antipode or random", shown(other));
            return Err(ExploreError::Refused(line));
        }
    };
    let mut given = ["n", "at", "seed"]
        .into_iter()
        .zip([nth, at, seed])
        .zip(with);
    match given.find(|((_, given), used)| given.is_some() && used.is_none()) {
        None => Ok(go),
        Some(((name, _), _)) => {
            let with = if name == "n" { "antipode" } else { "random" };
            let line = format!("{name} goes with go={with}: give both, or leave it out");
            Err(ExploreError::Refused(line))
        }
    }
}

/// The text `board` as given, while it is edited, why it is no position, and the symbols of boards.
pub(super) async fn drawing(app: OfApp, name: Named, words: Words) -> Response {
    let drawn = |asked: &Asked| {
        let (explorer, text) = (&asked.explorer, asked.word("board").unwrap_or_default());
        if text.len() > MOST_TEXT {
            let line = "a text that long is no board".to_owned();
            return Err(ExploreError::Refused(line));
        }
        let error = explorer.check(text).err();
        Ok(json!({
            "svg": explorer.picture(text),
            "symbols": explorer.symbols(text)?,
            "error": error.map(|error| on_page(&error.to_string())),
        }))
    };
    answered(app, name, words, &["board"], drawn).await
}

/// A solved position of the part of `board`, and whether it is the only one; empty if none is known.
pub(super) async fn goal(app: OfApp, name: Named, words: Words) -> Response {
    let goal = |asked: &Asked| {
        let explorer = &asked.explorer;
        let goal = explorer.goal(asked.word("board"), &asked.app.stop)?;
        Ok(goal.map_or(Value::Null, |(board, only)| {
            let svg = picture(&board, "", explorer.legend(), MIDDLE);
            json!({ "board": board, "svg": svg, "only": only })
        }))
    };
    answered(app, name, words, &["board"], goal).await
}

/// The page's script.
pub(super) async fn script() -> Response {
    let kind = [(CONTENT_TYPE, "text/javascript; charset=utf-8")];
    (kind, EXPLORE_SCRIPT).into_response()
}

/// Anything else.
pub(super) async fn nothing() -> Response {
    let page = "<!DOCTYPE html><html lang=\"en\"><title>No such page</title><p>There is no such page. <a href=\"/\">All puzzles</a></p></html>\n";
    (StatusCode::NOT_FOUND, Html(page)).into_response()
}
