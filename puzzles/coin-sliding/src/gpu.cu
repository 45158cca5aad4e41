/* Coin sliding for kernels/levels.cu. A key is the mask of coins; its rank is the sum of C(cell, i)
   over its i-th cells. The table: cells, coins, width, the mask of the board, of all columns but
   the first, of all but the last, the number of symmetries; then C(cell, 0 to coins + 1) of each
   cell; then the image of each cell under each symmetry, the identity first. */

enum { CELLS, COINS, WIDTH, BOARD, NOT_FIRST, NOT_LAST, SYMMETRIES, CHOOSE };

static __device__ u64 choose(const u64 *t, u64 cell, u64 members)
{
    return t[CHOOSE + cell * (t[COINS] + 2) + members];
}

static __device__ u64 key_of(const struct slab *s, u64 rank)
{
    const u64 *t = s->table;
    u64 cell = t[CELLS], left = t[COINS], coins = 0;
    while (left) {
        u64 below = choose(t, --cell, left);
        if (rank >= below) {
            rank -= below;
            coins |= 1ull << cell;
            left--;
        }
    }
    return coins;
}

/* Cells with two or more coins next to them. */
static __device__ u64 crowded(const u64 *t, u64 coins)
{
    /* In two steps, since a row may have all 64 bits. */
    u64 up = coins >> 1 >> (t[WIDTH] - 1), down = coins << 1 << (t[WIDTH] - 1) & t[BOARD];
    u64 left = (coins & t[NOT_FIRST]) >> 1, right = (coins & t[NOT_LAST]) << 1;
    return (up & down) | (left & right) | ((up | down) & (left | right));
}

/* Reaches the boards with one coin more on each of some cells. From the lowest cell on, `sum` counts
   the coins passed as they are, and the others with one more below them. */
static __device__ void put(const struct slab *s, u64 rest, u64 targets)
{
    const u64 *t = s->table;
    u64 sum = 0, place = 1, left;
    for (left = rest; left && targets; left &= left - 1)
        sum += choose(t, __ffsll(left) - 1, ++place);
    place = 1;
    for (left = targets ? rest | targets : 0; left; left &= left - 1) {
        u64 cell = __ffsll(left) - 1;
        if (targets >> cell & 1) {
            reach(s, sum + choose(t, cell, place));
        } else {
            sum += choose(t, cell, place) - choose(t, cell, place + 1);
            place++;
        }
    }
}

/* A coin goes where two others are next to it; against the moves, a coin that has two next to it
   came from any empty cell. */
static __device__ void neighbours(const struct slab *s, u64 coins)
{
    const u64 *t = s->table;
    u64 left = s->backward ? crowded(t, coins) & coins : coins;
    for (; left; left &= left - 1) {
        u64 rest = coins ^ (left & (~left + 1));
        put(s, rest, s->backward ? t[BOARD] & ~coins : crowded(t, rest) & ~coins);
    }
}

static __device__ u64 orbit(const struct slab *s, u64 coins)
{
    const u64 *t = s->table, *target = t + CHOOSE + t[CELLS] * (t[COINS] + 2);
    u64 fixed = 0, index;
    for (index = 0; index < t[SYMMETRIES]; index++, target += t[CELLS]) {
        u64 image = 0, left;
        for (left = coins; left; left &= left - 1)
            image |= 1ull << target[__ffsll(left) - 1];
        if (image < coins)
            return 0;
        fixed += image == coins;
    }
    return t[SYMMETRIES] / fixed;
}
