use super::table::samples_of;
use super::{SCHEMA, Sample};
use crate::csv_out::row_text;
use crate::model::columns;
use crate::read_error::ReadError;
use crate::text::{regular, whole_lines};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// `samples.csv` while a run writes it: every sample is on the disk before the next one starts.
#[derive(Debug)]
pub struct SampleLog {
    path: PathBuf,
    file: File,
}

impl SampleLog {
    /// Opens or begins a table. Returns the samples already in it. A last line without its end,
    /// which a killed run may leave, is cut off.
    ///
    /// # Errors
    /// A file that cannot be opened, or that is no table of samples of this schema; a sample that
    /// occurs twice or contradicts itself.
    pub fn open(path: impl AsRef<Path>) -> Result<(Self, Vec<Sample>), ReadError> {
        let path = path.as_ref().to_owned();
        let fault = |source| ReadError::io(&path, source);
        regular(&path).map_err(fault)?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(fault)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(fault)?;
        let lines = whole_lines(&text);
        let (whole, samples) = match lines {
            "" => (0, Vec::new()),
            lines => (lines.len(), samples_of(&path, lines)?),
        };
        file.set_len(whole as u64).map_err(fault)?;
        file.seek(SeekFrom::End(0)).map_err(fault)?;
        if whole == 0 {
            let header = columns::<Sample>().join(",") + "\n";
            file.write_all(header.as_bytes()).map_err(fault)?;
        }
        Ok((Self { path, file }, samples))
    }

    /// Appends a sample; it is on the disk when this returns. Line ends in its texts become
    /// blanks, so that a line of the file is a sample.
    pub fn append(&mut self, sample: &Sample) -> io::Result<()> {
        debug_assert_eq!(sample.schema, SCHEMA);
        let mut sample = sample.clone();
        for text in [
            &mut sample.row,
            &mut sample.group,
            &mut sample.detail,
            &mut sample.answer,
            &mut sample.expected,
            &mut sample.settings,
        ] {
            if text.contains(['\n', '\r']) {
                *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            }
        }
        self.file.write_all(&row_text(&sample)?)?;
        self.file.sync_data()
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
