//! The possible contents of claims, and their outcome.

mod documentation;
mod drawn;
mod figures;
mod knows;
mod paths;
mod planted;
mod schema;
mod world;

use std::sync::Arc;

use antipode_claims::{
    ClaimFile, ClaimSource, Context, Effort, Judged, check, judge, parse_claims,
};
use antipode_graph::{Library, builtin};
use antipode_search::progress::Stop;

/// A claim about a built-in puzzle, decided by itself; else the line that refuses it.
fn alone(puzzle: &str, lines: &str) -> Result<Judged, String> {
    let library = Arc::new(builtin::named(puzzle).expect("a built-in puzzle"));
    let mut context = Context::new(Effort::Quick, 1, 2, Stop::default());
    judged(&library, lines, &mut context)
}

/// A claim's lines, read for a puzzle and decided; else the line that refuses them.
fn judged(library: &Arc<Library>, lines: &str, context: &mut Context) -> Result<Judged, String> {
    let text = format!(
        "[[claim]]\nid = \"c\"\nsource = \"none\"\nstatement = \"s\"\nexpect = \"confirmed\"\n{lines}\n"
    );
    let claims = parse_claims("my.toml", &text).and_then(ClaimFile::all);
    let claim = claims.map_err(|error| error.to_string())?.remove(0);
    let source = ClaimSource::about(library, "my.toml".into(), text);
    if let Some(unfit) = check(&source, &claim, context).first() {
        return Err(unfit.to_string());
    }
    judge(&source, &claim, context).map_err(|error| error.to_string())
}
