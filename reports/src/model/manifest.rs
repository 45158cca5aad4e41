use super::{CellFault, Record, wire};
use serde::{Deserialize, Serialize};

/// Name of the manifest within a folder of results.
pub const MANIFEST: &str = "manifest.json";

/// Name of the verdicts of `certify`, a row each, within its folder of results.
pub const VERDICTS: &str = "claims.csv";

/// The files of a folder of results and their state when written: `manifest.json`, written after
/// all of them. It detects accidents and careless edits; somebody who edits a file can also write a
/// new manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The files by their path, without the manifest itself.
    pub files: Vec<ManifestFile>,
}

/// A file of a folder of results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// Path within the folder, with `/` between its parts.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// BLAKE3 of its bytes, 64 lowercase hexadecimal digits.
    pub blake3: String,
    /// The command that wrote it.
    pub verb: String,
    /// Version of the tool that wrote it.
    pub tool_version: String,
}

impl Record for Manifest {
    const SCHEMA: &'static str = "antipode-manifest-1";

    fn check(&self) -> Result<(), CellFault> {
        for file in &self.files {
            let inside = |part: &str| !matches!(part, "" | "." | "..");
            let holds = file.path.split('/').all(inside) && file.path != MANIFEST;
            let fault = || format!("\"{}\" is no file of the folder", file.path);
            wire::sound(holds, "path", fault)?;
            wire::sound_hex("blake3", &file.blake3, 64)?;
        }
        let sorted = self.files.is_sorted_by(|a, b| a.path < b.path);
        wire::sound(sorted, "path", || {
            "the files are not in order, each once".to_owned()
        })
    }
}
