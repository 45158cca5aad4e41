//! Draws the levels of several runs over each other:
//! `cargo run -p antipode-reports --example levels_plot -- TITLE DEPTH NAME=levels.csv… > levels.svg`.

use std::process::ExitCode;

use antipode_reports::csv_in::read_levels;
use antipode_reports::model::LevelTable;
use antipode_reports::plot::compared_levels_svg;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [title, depth, files @ ..] = arguments.as_slice() else {
        eprintln!("give a title, what depths count, and NAME=levels.csv for each run");
        return ExitCode::from(2);
    };
    let tables: Result<Vec<(String, LevelTable)>, String> = files.iter().map(read).collect();
    match tables {
        Ok(tables) => print!("{}", compared_levels_svg(title, depth, &tables)),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn read(argument: &String) -> Result<(String, LevelTable), String> {
    let (name, file) = argument
        .split_once('=')
        .ok_or_else(|| format!("{argument}: give NAME=levels.csv"))?;
    let table = read_levels(file).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), table))
}
