//! Writes a page with made-up results, to look at the layout: `cargo run --example sample_page -- FILE`.

#[path = "sample/mod.rs"]
mod sample;

use antipode_reports::html::write_page;
use std::process::ExitCode;

fn main() -> ExitCode {
    let path = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "sample-page.html".to_owned());
    match write_page(&path, &sample::page()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
