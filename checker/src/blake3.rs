//! BLAKE3 of whole texts, after the specification (O'Connor, Aumasson, Neves, Wilcox-O'Hearn
//! 2020). The harness uses the crate of that name for the digests of its manifests, so this
//! is another implementation.

const IV: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];
const SHUFFLE: [usize; 16] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const BLOCK: usize = 64;
const CHUNK: usize = 1024;
const CHUNK_START: u32 = 1;
const CHUNK_END: u32 = 2;
const PARENT: u32 = 4;
const ROOT: u32 = 8;

/// Inlined, all indices are constants, and no word leaves its register.
#[inline(always)]
fn mix(v: &mut [u32; 16], [a, b, c, d]: [usize; 4], x: u32, y: u32) {
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(12);
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
    v[d] = (v[d] ^ v[a]).rotate_right(8);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(7);
}

/// Chaining value of a block: the first half of the compression function's result.
fn compress(chain: &[u32; 8], block: &[u8], counter: u64, flags: u32) -> [u32; 8] {
    let mut padded = [0_u8; BLOCK];
    padded[..block.len()].copy_from_slice(block);
    let mut words = [0_u32; 16];
    for (word, bytes) in words.iter_mut().zip(padded.chunks_exact(4)) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    let mut v = [0_u32; 16];
    v[..8].copy_from_slice(chain);
    v[8..12].copy_from_slice(&IV[..4]);
    let (low, high) = (counter as u32, (counter >> 32) as u32);
    v[12..].copy_from_slice(&[low, high, block.len() as u32, flags]);
    for _ in 0..7 {
        let m = words;
        mix(&mut v, [0, 4, 8, 12], m[0], m[1]);
        mix(&mut v, [1, 5, 9, 13], m[2], m[3]);
        mix(&mut v, [2, 6, 10, 14], m[4], m[5]);
        mix(&mut v, [3, 7, 11, 15], m[6], m[7]);
        mix(&mut v, [0, 5, 10, 15], m[8], m[9]);
        mix(&mut v, [1, 6, 11, 12], m[10], m[11]);
        mix(&mut v, [2, 7, 8, 13], m[12], m[13]);
        mix(&mut v, [3, 4, 9, 14], m[14], m[15]);
        for (word, from) in words.iter_mut().zip(SHUFFLE) {
            *word = m[from];
        }
    }
    std::array::from_fn(|i| v[i] ^ v[i + 8])
}

fn chunk(bytes: &[u8], counter: u64, root: u32) -> [u32; 8] {
    let none = bytes.is_empty().then_some(bytes);
    let blocks: Vec<&[u8]> = bytes.chunks(BLOCK).chain(none).collect();
    let mut chain = IV;
    for (i, block) in blocks.iter().enumerate() {
        let first = if i == 0 { CHUNK_START } else { 0 };
        let is_last = i + 1 == blocks.len();
        let last = if is_last { CHUNK_END | root } else { 0 };
        chain = compress(&chain, block, counter, first | last);
    }
    chain
}

fn tree(bytes: &[u8], counter: u64, root: u32) -> [u32; 8] {
    if bytes.len() <= CHUNK {
        return chunk(bytes, counter, root);
    }
    // The left side holds the greatest power of two of chunks that leaves a byte to the right.
    let chunks = (bytes.len() - 1) / CHUNK;
    let left = 1_usize << chunks.ilog2();
    let (a, b) = bytes.split_at(left * CHUNK);
    let sides = [tree(a, counter, 0), tree(b, counter + left as u64, 0)];
    let words = sides.iter().flatten();
    let joined: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
    compress(&IV, &joined, 0, PARENT | root)
}

/// The digest of some bytes, 64 lowercase hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let hex = |word: &u32| format!("{:08x}", word.swap_bytes());
    tree(bytes, 0, ROOT).iter().map(hex).collect()
}
