//! What claims may say, and what becomes of them.

mod documentation;
mod drawn;
mod figures;
mod hardest;
mod knows;
mod paths;
mod planted;
mod proofs;
mod schema;
mod world;
