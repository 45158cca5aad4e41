//! A card behind NVIDIA's driver, which is looked for when a search first wants it.

#![allow(unsafe_code)]

use std::ffi::{CString, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;

use cudarc::driver::result::{self, DriverError, ctx, device, module, primary_ctx};
use cudarc::driver::sys::{CUcontext, CUdevice, CUfunction, is_culib_present};

use crate::{Device, KERNELS, Kernel, Slab};

/// Threads of a block.
const BLOCK: u64 = 256;

/// What this machine lacks for any card; `None` if the driver's library is there.
pub fn missing() -> Option<&'static str> {
    static PRESENT: OnceLock<bool> = OnceLock::new();
    // SAFETY: it loads NVIDIA's library, or finds none.
    let present = PRESENT.get_or_init(|| unsafe { is_culib_present() });
    (!present).then_some("no NVIDIA driver here: neither libcuda.so.1 nor nvcuda.dll is found")
}

/// The first card, with the kernels of a puzzle.
#[derive(Debug)]
pub struct Card {
    device: CUdevice,
    context: CUcontext,
    kernels: [CUfunction; KERNELS.len()],
}

// SAFETY: the driver's handles may be used by any thread to which the context is bound, and every
// method binds it first.
unsafe impl Send for Card {}
// SAFETY: the same.
unsafe impl Sync for Card {}

fn said(error: DriverError) -> String {
    format!("the driver reports {error:?}")
}

impl Card {
    /// Opens the first card and loads kernels, given as PTX.
    ///
    /// # Errors
    /// No driver, no card, or kernels that the driver does not take.
    pub fn open(ptx: &str) -> Result<Self, String> {
        if let Some(missing) = missing() {
            return Err(missing.to_owned());
        }
        result::init().map_err(said)?;
        if device::get_count().map_err(said)? == 0 {
            return Err("the driver finds no card".to_owned());
        }
        let device = device::get(0).map_err(said)?;
        // SAFETY: the device is from `device::get`, and `drop` releases the context.
        let context = unsafe { primary_ctx::retain(device) }.map_err(said)?;
        let mut card = Self {
            device,
            context,
            kernels: [null_mut(); KERNELS.len()],
        };
        card.bind()?;
        let image = CString::new(ptx).map_err(|error| error.to_string())?;
        // SAFETY: the image is a text with a zero at its end. The module lives as long as the
        // context.
        let module = unsafe { module::load_data(image.as_ptr().cast()) }.map_err(said)?;
        for (kernel, name) in card.kernels.iter_mut().zip(KERNELS) {
            let name = CString::new(name).map_err(|error| error.to_string())?;
            // SAFETY: the module was just loaded.
            *kernel = unsafe { module::get_function(module, name) }.map_err(said)?;
        }
        Ok(card)
    }

    fn bind(&self) -> Result<(), String> {
        // SAFETY: the context is retained until `drop`.
        unsafe { ctx::set_current(self.context) }.map_err(said)
    }
}

impl Drop for Card {
    fn drop(&mut self) {
        // SAFETY: the context was retained once. Its end frees memory and module; a card that
        // fails even here has nothing left to free.
        let _ = unsafe { primary_ctx::release(self.device) };
    }
}

impl Device for Card {
    fn name(&self) -> String {
        device::get_name(self.device).unwrap_or_else(said)
    }

    fn free(&self) -> Result<u64, String> {
        self.bind()?;
        Ok(result::mem_get_info().map_err(said)?.0 as u64)
    }

    fn take(&self, words: u64) -> Result<u64, String> {
        self.bind()?;
        // SAFETY: nothing is assumed about the content.
        unsafe { result::malloc_sync(8 * words.max(1) as usize) }.map_err(said)
    }

    fn fill(&self, at: u64, words: u64, byte: u8) -> Result<(), String> {
        self.bind()?;
        // SAFETY: the card checks its addresses; the host's memory is not involved.
        unsafe { result::memset_d8_sync(at, byte, 8 * words as usize) }.map_err(said)
    }

    fn write(&self, at: u64, words: &[u64]) -> Result<(), String> {
        self.bind()?;
        // SAFETY: the slice is read before the call returns; the card checks its own address.
        unsafe { result::memcpy_htod_sync(at, words) }.map_err(said)
    }

    fn read(&self, at: u64, words: &mut [u64]) -> Result<(), String> {
        self.bind()?;
        // SAFETY: the slice is written before the call returns; the card checks its own address.
        unsafe { result::memcpy_dtoh_sync(words, at) }.map_err(said)
    }

    fn launch(&self, kernel: Kernel, slab: &Slab) -> Result<(), String> {
        self.bind()?;
        let mut slab = *slab;
        let blocks = slab.words.div_ceil(BLOCK) as u32;
        let mut arguments = [(&raw mut slab).cast::<c_void>()];
        // SAFETY: each kernel takes one `struct slab`, which has the layout of `Slab`. It is copied
        // by the launch, and the kernel ends before this returns.
        unsafe {
            let function = self.kernels[kernel as usize];
            let (grid, block) = ((blocks, 1, 1), (BLOCK as u32, 1, 1));
            result::launch_kernel(function, grid, block, 0, null_mut(), &mut arguments)
        }
        .map_err(said)?;
        ctx::synchronize().map_err(said)
    }
}
