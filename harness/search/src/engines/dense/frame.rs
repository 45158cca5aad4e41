//! Starts outside the numbering.

use puzzle_api::Key;

use crate::error::EngineError;
use crate::search::Search;

/// A numbering need not hold every state, only one of each orbit. If it does not hold the start,
/// the search runs from an image of it, and its results are turned back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// Symmetry that turns found states back; `None` if nothing was turned.
    back: Option<usize>,
}

impl Frame {
    /// Turns roots into the numbering if they are not in it.
    pub(super) fn of<K: Key>(search: &Search<K>, roots: &mut [K]) -> Result<Self, EngineError> {
        let graph = &search.graph;
        let mut placed = Vec::new();
        graph.place(roots, &mut placed)?;
        let [root] = roots else {
            return Ok(Self { back: None });
        };
        if placed[0].is_some() || search.symmetry {
            return Ok(Self { back: None });
        }
        let original = *root;
        graph.canonical(roots, None)?;
        // Any symmetry that takes the image back to the start will do. Two of them differ by a
        // symmetry that fixes the start, and so maps each level onto itself.
        let back = graph
            .images(roots[0])?
            .iter()
            .position(|&image| image == original);
        match back {
            Some(back) => Ok(Self { back: Some(back) }),
            None => Err(EngineError::CannotHold(format!(
                "{}: the start lies outside the numbering; use --engine hash",
                graph.opened.full_name()
            ))),
        }
    }

    /// Whether [`Frame::turned_back`] has anything to do.
    pub(super) const fn turns(self) -> bool {
        self.back.is_some()
    }

    /// States found, turned back to those around the original start.
    pub(super) fn turned_back<K: Key>(
        self,
        search: &Search<K>,
        keys: &[K],
    ) -> Result<Vec<K>, EngineError> {
        let Some(back) = self.back else {
            return Ok(keys.to_vec());
        };
        let images = search.graph.images_of(keys)?;
        let count = search.graph.opened.symmetry_count as usize;
        Ok(images
            .chunks_exact(count)
            .map(|images| images[back])
            .collect())
    }
}
