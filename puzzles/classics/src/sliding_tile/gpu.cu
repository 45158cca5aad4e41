/* Sliding tiles for kernels/levels.cu. A key has four bits a square, 0 for the empty one; ranks are
   those of bitboard/numbers.rs. The table: width, squares, half the orders of the tiles, the number
   of symmetries; by square, the parity of orders in part 0 with that square empty; the weight of
   each digit; then for each symmetry, the identity first, the image of each square and the new name
   of each tile. Each list has 16 entries. */

enum { WIDTH, SQUARES, HALF, SYMMETRIES, PARITY, WEIGHTS = PARITY + 16, TURNS = WEIGHTS + 16 };

/* The bits below a square. */
static __device__ u64 below(u64 square)
{
    return (1ull << (4 * square)) - 1;
}

static __device__ u64 key_of(const struct slab *s, u64 rank)
{
    const u64 *t = s->table;
    u64 empty = rank / t[HALF], rest = rank % t[HALF], tiles = t[SQUARES] - 1;
    u64 left = 0x0FEDCBA987654321ull, order = 0, sum = s->part ^ t[PARITY + empty], place;
    for (place = 0; place < tiles; place++) {
        u64 digit = 0;
        if (place + 2 < tiles) {
            digit = rest / t[WEIGHTS + place];
            rest %= t[WEIGHTS + place];
            sum += digit;
        } else if (place + 2 == tiles) {
            digit = sum & 1;
        }
        order |= (left >> (4 * digit) & 15) << (4 * place);
        left = (left & below(digit)) | (left >> 4 & ~below(digit));
    }
    return (order & below(empty)) | (order & ~below(empty)) << 4;
}

static __device__ u64 rank_of(const u64 *t, u64 key, u64 empty)
{
    u64 order = (key & below(empty)) | (key >> 4 & ~below(empty));
    u64 rank = empty * t[HALF], used = 0, place;
    for (place = 0; place + 3 < t[SQUARES]; place++) {
        u64 tile = order >> (4 * place) & 15;
        rank += t[WEIGHTS + place] * (tile - 1 - __popcll(used & ((1ull << tile) - 1)));
        used |= 1ull << tile;
    }
    return rank;
}

static __device__ void slide(const struct slab *s, u64 key, u64 empty, u64 from)
{
    u64 tile = key >> (4 * from) & 15;
    key ^= tile << (4 * from) | tile << (4 * empty);
    reach(s, rank_of(s->table, key, from));
}

/* Every slide can be slid back, so both directions are one. */
static __device__ void neighbours(const struct slab *s, u64 key)
{
    u64 width = s->table[WIDTH], empty = 0;
    while (key >> (4 * empty) & 15)
        empty++;
    if (empty >= width)
        slide(s, key, empty, empty - width);
    if (empty % width)
        slide(s, key, empty, empty - 1);
    if ((empty + 1) % width)
        slide(s, key, empty, empty + 1);
    if (empty + width < s->table[SQUARES])
        slide(s, key, empty, empty + width);
}

static __device__ u64 orbit(const struct slab *s, u64 key)
{
    const u64 *t = s->table, *turn = t + TURNS;
    u64 fixed = 0, index, square;
    for (index = 0; index < t[SYMMETRIES]; index++, turn += 32) {
        u64 image = 0;
        for (square = 0; square < t[SQUARES]; square++)
            image |= turn[16 + (key >> (4 * square) & 15)] << (4 * turn[square]);
        if (image < key)
            return 0;
        fixed += image == key;
    }
    return t[SYMMETRIES] / fixed;
}
