/* Levels of a search as bitmaps by rank, for any puzzle. One thread has one word: 64 ranks.

   The puzzle is gpu.cu of the include path, which defines the three functions declared below. All
   of it is in the part of C that is C++ too: NVRTC compiles it for a card (ptx.py), and a C
   compiler, behind shim.c, for the tests. */

typedef unsigned long long u64;

#ifndef KERNEL
#define KERNEL extern "C" __global__ void
#define THREAD (blockIdx.x * (u64)blockDim.x + threadIdx.x)
#endif

/* As `Slab` of src/lib.rs, which describes the members. */
struct slab {
    const u64 *table;
    u64 *from, *seen, *next, *sums, *list;
    u64 size, part, first, words, backward, symmetry, start, width;
};

/* The key of a rank below the size of the part. */
static __device__ u64 key_of(const struct slab *s, u64 rank);
/* Calls `reach` with the rank of each neighbour. */
static __device__ void neighbours(const struct slab *s, u64 key);
/* States of the orbit if the key is its smallest, else 0. */
static __device__ u64 orbit(const struct slab *s, u64 key);

/* Adds a rank to the next level. Most are known already, and an atomic costs more than a look. */
static __device__ void reach(const struct slab *s, u64 rank)
{
    u64 word = rank / 64, bit = 1ull << (rank % 64);
    if (!((s->seen[word] | s->next[word]) & bit))
        atomicOr(&s->next[word], bit);
}

#include "gpu.cu"

static __device__ u64 avalanche(u64 word)
{
    word ^= word >> 37;
    word *= 0x165667919E3779F9ull;
    return word ^ word >> 32;
}

static __device__ u64 swap_bytes(u64 word)
{
    word = word >> 32 | word << 32;
    word = (word >> 16 & 0x0000FFFF0000FFFFull) | (word & 0x0000FFFF0000FFFFull) << 16;
    return (word >> 8 & 0x00FF00FF00FF00FFull) | (word & 0x00FF00FF00FF00FFull) << 8;
}

/* XXH3-128 of a key's 16 bytes, as in harness/search/src/digest.rs; returns the low word. */
static __device__ u64 hash(u64 key, u64 *high)
{
    const u64 prime = 0xC2B2AE3D27D4EB4Full, flip = 0x8E2443F7744608B8ull ^ 0x4C263A81E69035E0ull;
    u64 first = 0x9E3779B185EBCA87ull, mixed = key ^ 0x78E5C0CC4EE679CBull ^ 0x2172FFCC7DD05A82ull;
    u64 upper = __umul64hi(mixed, first) + flip + (flip & 0xFFFFFFFF) * (0x85EBCA77 - 1);
    u64 lower = (mixed * first + (15ull << 54)) ^ swap_bytes(upper);
    *high = avalanche(__umul64hi(lower, prime) + upper * prime);
    return avalanche(lower * prime);
}

KERNEL expand(struct slab s)
{
    u64 word = s.first + THREAD, bits;
    if (word >= s.first + s.words)
        return;
    for (bits = s.from[word]; bits; bits &= bits - 1)
        neighbours(&s, key_of(&s, word * 64 + __ffsll(bits) - 1));
}

/* The low words of the hashes are added by halves, so that no carry is lost. */
KERNEL settle(struct slab s)
{
    u64 thread = THREAD, word = s.first + thread, bits;
    u64 states = 0, orbits = 0, low = 0, middle = 0, high = 0, *sums = s.sums + 5 * (thread % 64);
    if (thread >= s.words)
        return;
    bits = s.next[word] & ~s.seen[word];
    if (word == s.size / 64)
        bits &= (1ull << (s.size % 64)) - 1;
    s.next[word] = bits;
    s.seen[word] |= bits;
    for (; bits; bits &= bits - 1) {
        u64 key = key_of(&s, word * 64 + __ffsll(bits) - 1), upper, lower;
        u64 count = s.symmetry ? orbit(&s, key) : 1;
        if (!count)
            continue;
        lower = hash(key, &upper);
        states += count;
        orbits += 1;
        low += lower & 0xFFFFFFFF;
        middle += lower >> 32;
        high += upper;
    }
    if (!orbits)
        return;
    atomicAdd(&sums[0], states);
    atomicAdd(&sums[1], orbits);
    atomicAdd(&sums[2], low);
    atomicAdd(&sums[3], middle);
    atomicAdd(&sums[4], high);
}

KERNEL pick(struct slab s)
{
    u64 word = s.first + THREAD, bits, high;
    if (word >= s.first + s.words)
        return;
    for (bits = s.from[word]; bits; bits &= bits - 1) {
        u64 key = key_of(&s, word * 64 + __ffsll(bits) - 1);
        if (s.width && hash(key, &high) - s.start >= s.width)
            continue;
        if (!s.symmetry || orbit(&s, key))
            s.list[atomicAdd(s.sums, 1)] = key;
    }
}
