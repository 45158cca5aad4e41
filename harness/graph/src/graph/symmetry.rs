//! Images, representatives and orbit sizes.

use crate::capabilities::Capabilities;
use puzzle_api::Key;
use puzzle_api::abi::ANTIPODE_MAX_BATCH;

use super::{Graph, extend, typed};
use crate::buffer::GuardedBuffer;
use crate::call::PluginError;
use crate::ledger::Function;

/// Representatives requested at a time: their buffer then stays in the first-level cache, and needs
/// no fresh memory each time.
const AT_ONCE: usize = 1 << 11;
/// Images requested at a time, if representatives are computed from them.
const IMAGES_AT_ONCE: usize = 1 << 15;
/// Most images requested at a time.
const MOST_IMAGES: usize = 1 << 22;

impl<K: Key> Graph<K> {
    /// The images of one state under all symmetries, the identity first.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn images(&self, key: K) -> Result<Vec<K>, PluginError> {
        self.images_of(&[key])
    }

    /// The images of each state under all symmetries: `symmetry_count` keys per state, the
    /// identity first. Without symmetry, the states themselves.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn images_of(&self, keys: &[K]) -> Result<Vec<K>, PluginError> {
        if !self.has(Capabilities::SYMMETRY) {
            return Ok(keys.to_vec());
        }
        let call = self.required("images", self.opened.table.images)?;
        let count = self.opened.symmetry_count as usize;
        let mut images: Vec<K> = Vec::with_capacity(keys.len() * count);
        // With thousands of symmetries, a whole batch of images would take gigabytes.
        let batch = (MOST_IMAGES / count).clamp(1, ANTIPODE_MAX_BATCH);
        for batch in keys.chunks(batch) {
            let made = self.each("images", call, batch, self.width() * count)?;
            let first = images.len();
            extend(self.width(), &made, &mut images);
            self.note(Function::Images, batch, |i, out| {
                let own = images[first..].chunks_exact(count).nth(i);
                out.extend(own.into_iter().flatten().map(|key| key.to_u128()));
            });
        }
        Ok(images)
    }

    /// Replaces each state by the representative of its orbit, and returns the orbit sizes if
    /// requested. Without symmetry nothing changes and every size is 1.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails or returns impossible orbit sizes.
    pub fn canonical(
        &self,
        keys: &mut [K],
        mut sizes: Option<&mut Vec<u32>>,
    ) -> Result<(), PluginError> {
        if let Some(sizes) = &mut sizes {
            sizes.clear();
        }
        if !self.has(Capabilities::SYMMETRY) {
            if let Some(sizes) = sizes {
                sizes.resize(keys.len(), 1);
            }
            return Ok(());
        }
        let native = self.opened.table.canonical.is_some();
        let batch = match native {
            true => AT_ONCE,
            false => (IMAGES_AT_ONCE / self.opened.symmetry_count as usize).max(1),
        };
        for batch in keys.chunks_mut(batch) {
            if native {
                self.canonical_batch(batch, sizes.as_deref_mut())?;
            } else {
                self.canonical_by_images(batch, sizes.as_deref_mut())?;
            }
        }
        Ok(())
    }

    fn canonical_batch(
        &self,
        keys: &mut [K],
        sizes: Option<&mut Vec<u32>>,
    ) -> Result<(), PluginError> {
        let call = self.required("canonical", self.opened.table.canonical)?;
        let (words, width) = (self.words(keys), self.width());
        let mut buffer = GuardedBuffer::new(words.len());
        let mut size_room = GuardedBuffer::new(if sizes.is_some() { keys.len() } else { 0 });
        let size_data = match sizes {
            Some(_) => size_room.as_mut_ptr(),
            None => std::ptr::null_mut(),
        };
        // SAFETY: both buffers have an entry per state; null sizes are allowed.
        let status = self.opened.within("canonical", || unsafe {
            call(
                self.opened.handle,
                words.as_ptr(),
                keys.len(),
                buffer.as_mut_ptr(),
                size_data,
            )
        });
        self.check("canonical", status)?;
        let filled = self.opened.filled(&buffer, "canonical")?;
        self.note(Function::Canonical, keys, |i, out| {
            let own = typed::<K>(width, &filled[i * width..]).next();
            out.extend(own.map(Key::to_u128));
        });
        let sized = size_room.len().min(keys.len());
        let found = self.opened.filled(&size_room, "canonical")?;
        self.note(Function::OrbitSize, &keys[..sized], |i, out| {
            out.push(found[i].into());
        });
        drop(words);
        for (key, image) in keys.iter_mut().zip(typed::<K>(width, filled)) {
            *key = image;
        }
        let most = self.opened.symmetry_count;
        if let Some(odd) = found.iter().find(|&&n| n == 0 || !most.is_multiple_of(n)) {
            return Err(self.broken(
                "canonical",
                format!("wrote orbit size {odd}, which does not divide the {most} symmetries"),
            ));
        }
        if let Some(sizes) = sizes {
            sizes.extend_from_slice(found);
        }
        Ok(())
    }

    fn canonical_by_images(
        &self,
        keys: &mut [K],
        mut sizes: Option<&mut Vec<u32>>,
    ) -> Result<(), PluginError> {
        let mut images = self.images_of(keys)?;
        let count = self.opened.symmetry_count as usize;
        for (key, images) in keys.iter_mut().zip(images.chunks_exact_mut(count)) {
            images.sort_unstable();
            *key = images[0];
            if let Some(sizes) = sizes.as_mut() {
                let repeated = images.windows(2).filter(|pair| pair[0] == pair[1]).count();
                sizes.push((count - repeated) as u32);
            }
        }
        Ok(())
    }
}
