//! `--picture FILE.svg`: a board, or a solution that plays by itself, as a picture to keep.

use std::path::Path;

use anyhow::{Result, bail};

use antipode_graph::Library;
use antipode_reports::atomic::write_atomically;
use antipode_reports::model::Legend;
use antipode_reports::results::may_replace;
use antipode_reports::svg::{Style, standalone};
use antipode_search::record::legend;

use crate::output::shown;

/// The place of a picture, and how it is drawn.
pub struct Canvas<'a> {
    path: &'a Path,
    /// How boards are drawn.
    pub legend: Legend,
}

/// Checks, before long work, that a picture can be drawn and written, if requested.
///
/// # Errors
/// One line that names the obstacle and the remedy.
pub fn probe<'a>(
    path: Option<&'a Path>,
    library: &Library,
    force: Option<bool>,
) -> Result<Option<Canvas<'a>>> {
    let Some(path) = path else {
        return Ok(None);
    };
    if path.extension().is_none_or(|end| end != "svg") {
        bail!("--picture {}: name a file that ends in .svg", shown(path));
    }
    let legend = legend(&library.legend);
    if legend.entries.is_empty() {
        bail!(
            "--picture: {} does not say how its boards are drawn; leave it out",
            library.name
        );
    }
    if path.is_dir() {
        bail!("{}: a folder exists there; name a file", shown(path));
    }
    may_replace(path, force)?;
    Ok(Some(Canvas { path, legend }))
}

impl Canvas<'_> {
    /// Writes the picture that is drawn in the usual size.
    pub fn write(&self, title: String, draw: impl FnOnce(&Legend, Style) -> String) -> Result<()> {
        let style = Style { cell_px: 40, title };
        let text = standalone(&draw(&self.legend, style));
        Ok(write_atomically(self.path, text)?)
    }
}
