//! One derived figure, as claims use it, with the time taken:
//! `cargo run --release -p antipode-blocks --example figures -- NAME [KEY=VALUE …] [full]`.

use std::time::Instant;

use antipode_blocks::sliding_block::derive::derive;
use puzzle_api::{BadInput, Effort, Settings};

fn main() -> Result<(), BadInput> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let (mut settings, mut effort) = (Settings::new(), Effort::Quick);
    for argument in arguments {
        match argument.split_once('=') {
            Some((key, value)) => drop(settings.insert(key.to_owned(), value.to_owned())),
            None if argument == "full" => effort = Effort::Full,
            None => {
                return Err(BadInput::new(format!(
                    "'{argument}' is neither KEY=VALUE nor full"
                )));
            }
        }
    }
    let clock = Instant::now();
    for figure in derive(&name, &settings, effort)? {
        println!("{}: {}", figure.name, figure.value);
    }
    println!("({:.2} s)", clock.elapsed().as_secs_f64());
    Ok(())
}
