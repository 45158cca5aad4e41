//! Every way to make canonical forms that was tried and is not what the crate uses.
//! `tests/symmetry.rs` checks each of them, so that only right code is compared.

use std::sync::LazyLock;

use super::kernels;

/// Squares of the board, the bits of one mask.
const SQUARES: usize = 25;

/// A name and a canonical form.
pub type Candidate = (&'static str, fn(u64) -> u64);

/// The candidates.
pub const CANDIDATES: [Candidate; 11] = [
    ("naive, as it was", naive_as_it_was),
    ("naive", naive),
    ("multiply", multiply),
    ("delta-swaps", delta_swaps),
    ("pext-pdep", pext_pdep),
    ("bit-shuffle", bit_shuffle),
    ("byte tables", byte_tables),
    ("row tables", row_tables),
    ("grey first, delta swaps", grey_delta_swaps),
    ("grey first, in lanes", grey_lanes),
    ("grey first, byte tables", grey_byte_tables),
];

/// Where the image of this index takes a square.
fn destination(index: usize, square: usize) -> usize {
    let (mut r, mut c) = (square / 5, square % 5);
    if index & 1 != 0 {
        c = 4 - c;
    }
    if index & 2 != 0 {
        r = 4 - r;
    }
    if index & 4 != 0 {
        (r, c) = (c, r);
    }
    5 * r + c
}

/// The image of a word, bit by bit; only for tables.
fn moved(word: u64, index: usize) -> u64 {
    (0..2 * SQUARES)
        .filter(|bit| word >> bit & 1 == 1)
        .fold(0, |image, bit| {
            image | 1 << (bit / SQUARES * SQUARES + destination(index, bit % SQUARES))
        })
}

#[inline]
fn grey(key: u64) -> u64 {
    key >> SQUARES & key & ((1 << SQUARES) - 1)
}

/// The image with the smallest grey mask; among those, with the smallest key.
#[inline(always)]
fn least(images: [u64; 8]) -> u64 {
    let mut best = (grey(images[0]), images[0]);
    for image in images {
        let grey = grey(image);
        if grey < best.0 || grey == best.0 && image < best.1 {
            best = (grey, image);
        }
    }
    best.1
}

/// All images from three kernels, four of them by transposing.
#[inline]
pub fn images_as_they_were(key: u64) -> [u64; 8] {
    use kernels::{flip_naive as flip, mirror_naive as mirror, transpose_naive as transpose};
    let mirrored = mirror(key);
    let (flipped, turned) = (flip(key), flip(mirrored));
    [
        key,
        mirrored,
        flipped,
        turned,
        transpose(key),
        transpose(mirrored),
        transpose(flipped),
        transpose(turned),
    ]
}

fn naive_as_it_was(key: u64) -> u64 {
    least(images_as_they_were(key))
}

/// Eight over the number of images equal to the key.
#[inline]
pub fn orbit_size_as_it_was(key: u64) -> u32 {
    let images = images_as_they_were(key);
    8 / images.iter().filter(|&&image| image == key).count() as u32
}

/// The same with one transposition, which costs more than a mirror: the images of the
/// transposed board are mirrored and flipped too.
macro_rules! shared {
    ($name:ident, $mirror:ident, $flip:ident, $transpose:ident) => {
        fn $name(key: u64) -> u64 {
            use kernels::{$flip as flip, $mirror as mirror, $transpose as transpose};
            let (mirrored, flipped) = (mirror(key), flip(key));
            let swapped = transpose(key);
            // Mirrored and then transposed is transposed and then flipped.
            let (left, right) = (flip(swapped), mirror(swapped));
            least([
                key,
                mirrored,
                flipped,
                flip(mirrored),
                swapped,
                left,
                right,
                flip(right),
            ])
        }
    };
}

shared!(naive, mirror_naive, flip_naive, transpose_naive);
shared!(multiply, mirror_multiply, flip_multiply, transpose_multiply);
shared!(
    delta_swaps,
    mirror_delta_swaps,
    flip_delta_swaps,
    transpose_delta_swaps
);
shared!(
    pext_pdep,
    mirror_pext_pdep,
    flip_pext_pdep,
    transpose_pext_pdep
);

/// One shuffle an image.
fn bit_shuffle(key: u64) -> u64 {
    least([
        key,
        kernels::image_1_bit_shuffle(key),
        kernels::image_2_bit_shuffle(key),
        kernels::image_3_bit_shuffle(key),
        kernels::image_4_bit_shuffle(key),
        kernels::image_5_bit_shuffle(key),
        kernels::image_6_bit_shuffle(key),
        kernels::image_7_bit_shuffle(key),
    ])
}

/// Seven bytes of the key, all images of each: 112 KiB.
fn byte_tables(key: u64) -> u64 {
    static TABLES: LazyLock<Box<[[[u64; 8]; 256]; 7]>> = LazyLock::new(|| {
        let mut tables = Box::new([[[0; 8]; 256]; 7]);
        for (byte, table) in tables.iter_mut().enumerate() {
            for (value, images) in (0..).zip(table.iter_mut()) {
                *images = std::array::from_fn(|index| moved(value << (8 * byte), index));
            }
        }
        tables
    });
    let mut images = [0; 8];
    for (byte, table) in TABLES.iter().enumerate() {
        for (image, part) in images
            .iter_mut()
            .zip(table[(key >> (8 * byte)) as usize & 255])
        {
            *image |= part;
        }
    }
    least(images)
}

/// Five rows a mask, all images of each: 10 KiB.
fn row_tables(key: u64) -> u64 {
    static TABLES: LazyLock<[[[u64; 8]; 32]; 5]> = LazyLock::new(|| {
        let image = |row: usize, pattern: usize, index| moved((pattern << (5 * row)) as u64, index);
        std::array::from_fn(|row| {
            std::array::from_fn(|pattern| std::array::from_fn(|index| image(row, pattern, index)))
        })
    });
    let mut images = [0; 8];
    for (row, table) in TABLES.iter().enumerate() {
        let (q, p) = (key >> (5 * row), key >> (SQUARES + 5 * row));
        for index in 0..8 {
            images[index] |=
                table[q as usize & 31][index] | table[p as usize & 31][index] << SQUARES;
        }
    }
    least(images)
}

/// The image of one index, each step made or left out without a branch.
#[inline(always)]
fn image(key: u64, index: u32) -> u64 {
    let chosen = |bit: u32| u64::from(index >> bit & 1).wrapping_neg();
    let swap = |key: u64, by: u32, mask: u64| {
        let differing = (key >> by ^ key) & mask;
        key ^ differing ^ differing << by
    };
    const fn both(mask: u64) -> u64 {
        mask << SQUARES | mask
    }
    let (mirror, flip, transpose) = (chosen(0), chosen(1), chosen(2));
    let column = const { both(0b00001_00001_00001_00001_00001) };
    let row = const { both(0b11111) };
    let key = swap(key, 4, column & mirror);
    let key = swap(key, 2, column << 1 & mirror);
    let key = swap(key, 20, row & flip);
    let key = swap(key, 10, row << 5 & flip);
    let key = swap(key, 8, 0x0000_00c7_1800_638c & transpose);
    let key = swap(key, 4, 0x0000_1414_140a_0a0a & transpose);
    swap(key, 16, 0x0000_0000_2000_0010 & transpose)
}

/// The canonical form, given the grey mask of every image, times eight, plus its index.
#[inline(always)]
fn by_grey(key: u64, greys: [i32; 8]) -> u64 {
    let four: [i32; 4] = std::array::from_fn(|at| greys[at].min(greys[at + 4]));
    let best = four[0].min(four[2]).min(four[1].min(four[3]));
    let ties = greys.iter().filter(|&grey| grey ^ best < 8).count();
    if ties == 1 {
        return image(key, best as u32 & 7);
    }
    greys
        .iter()
        .filter(|&grey| grey ^ best < 8)
        .map(|grey| image(key, *grey as u32 & 7))
        .fold(u64::MAX, u64::min)
}

/// Images of the grey mask, two in a word, as if they were the two masks of a key.
fn grey_delta_swaps(key: u64) -> u64 {
    use kernels::{flip_delta_swaps, mirror_delta_swaps, transpose_delta_swaps};
    let grey = grey(key);
    let pair = grey | flip_delta_swaps(grey) << SQUARES;
    let mirrored = mirror_delta_swaps(pair);
    let swapped = transpose_delta_swaps(pair);
    let turned = transpose_delta_swaps(mirrored);
    let low = |pair: u64, index: i32| (pair as i32 & ((1 << SQUARES) - 1)) << 3 | index;
    let high = |pair: u64, index: i32| ((pair >> SQUARES) as i32) << 3 | index;
    by_grey(
        key,
        [
            low(pair, 0),
            low(mirrored, 1),
            high(pair, 2),
            high(mirrored, 3),
            low(swapped, 4),
            low(turned, 5),
            high(swapped, 6),
            high(turned, 7),
        ],
    )
}

/// Images of the grey mask, one in each of eight lanes; every lane makes the exchanges
/// of its own image.
fn grey_lanes(key: u64) -> u64 {
    const fn masks(mask: u32, bit: u32) -> [u32; 8] {
        let mut masks = [0; 8];
        let mut index = 0;
        while index < 8 {
            if index >> bit & 1 == 1 {
                masks[index as usize] = mask;
            }
            index += 1;
        }
        masks
    }
    const COLUMN: u32 = 0b00001_00001_00001_00001_00001;
    const SWAPS: [(u32, [u32; 8]); 7] = [
        (4, masks(COLUMN, 0)),
        (2, masks(COLUMN << 1, 0)),
        (20, masks(0b11111, 1)),
        (10, masks(0b11111 << 5, 1)),
        (8, masks(0x0000_638c, 2)),
        (4, masks(0x000a_0a0a, 2)),
        (16, masks(0x0000_0010, 2)),
    ];
    let mut lanes = [grey(key) as u32; 8];
    for (by, masks) in SWAPS {
        for (lane, mask) in lanes.iter_mut().zip(masks) {
            let differing = (*lane >> by ^ *lane) & mask;
            *lane ^= differing ^ differing << by;
        }
    }
    by_grey(
        key,
        std::array::from_fn(|index| (lanes[index] << 3) as i32 | index as i32),
    )
}

/// All images of the grey mask from tables of 9, 8 and 8 bits: 32 KiB.
fn grey_byte_tables(key: u64) -> u64 {
    type Table<const N: usize> = [[i32; 8]; N];
    fn table<const N: usize>(from: usize) -> Table<N> {
        let image =
            |value, index| (moved((value as u64) << from, index) << 3) as i32 | index as i32;
        std::array::from_fn(|value| std::array::from_fn(|index| image(value, index)))
    }
    static TABLES: LazyLock<(Table<512>, Table<256>, Table<256>)> =
        LazyLock::new(|| (table(0), table(9), table(17)));
    let grey = grey(key) as usize;
    let (low, middle, high) = &*TABLES;
    let (low, middle, high) = (
        &low[grey & 511],
        &middle[grey >> 9 & 255],
        &high[grey >> 17 & 255],
    );
    by_grey(
        key,
        std::array::from_fn(|index| low[index] | middle[index] | high[index]),
    )
}
