//! A share of the blocks of an instance, and its name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Blocks into which a run over many parts is divided. They are small, so that a stop loses little,
/// and fixed, so that a run may resume with another number of threads.
pub const BLOCKS: usize = 512;

/// A share of the blocks of an instance: number 3 of 16, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    pub(crate) number: u32,
    pub(crate) of: u32,
}

/// A text that names no shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "write I/N, a number from 1 to N and how many shards there are, such as 3/16; at most {BLOCKS}"
)]
pub struct ShardError;

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (number, of) = text.split_once('/').ok_or(ShardError)?;
        let shard = Self {
            number: number.parse().map_err(|_| ShardError)?,
            of: of.parse().map_err(|_| ShardError)?,
        };
        let sound = (1..=shard.of).contains(&shard.number) && shard.of as usize <= BLOCKS;
        sound.then_some(shard).ok_or(ShardError)
    }
}
