/*
 * Lights Out: pressing a cell toggles it and its neighbours above, below, left and right;
 * the aim is to turn all lights off. (Browne, "Bitboard Methods for Games", algorithm 11:
 * a move is an exclusive or with the neighbourhood of the cell.)
 *
 * A whole puzzle in C99 with nothing but the header:
 *
 *     cc -std=c99 -O2 -shared -fPIC -I puzzle-api/include \
 *        puzzles/examples/lights-out/lights_out.c -o lights_out.so
 *     antipode analyse lamps/4x4 --plugin ./lights_out.so
 *
 * Instances are square boards of 3, 4 and 5 rows. A state is one bit a cell, cell
 * (row, column) being bit row * size + column, and the state is its own key and its own
 * rank. Every placement of lights is a state; those that no presses can turn off come out
 * as unsolvable.
 */
#include "antipode.h"

#include <string.h>

#define MAX_SIZE 5

typedef struct {
    unsigned size;
    unsigned cells;
    uint64_t press[MAX_SIZE * MAX_SIZE]; /* What each press toggles. */
    uint64_t mirrored[1 << MAX_SIZE];    /* A row, turned around. */
    uint64_t upright[1 << MAX_SIZE];     /* A row, as the first column. */
} Board;

static void prepare(Board *board, unsigned size)
{
    unsigned row, column, bits;

    memset(board, 0, sizeof *board);
    board->size = size;
    board->cells = size * size;
    for (row = 0; row < size; row++) {
        for (column = 0; column < size; column++) {
            unsigned cell = row * size + column;
            uint64_t toggled = UINT64_C(1) << cell;
            if (row > 0) toggled |= UINT64_C(1) << (cell - size);
            if (row + 1 < size) toggled |= UINT64_C(1) << (cell + size);
            if (column > 0) toggled |= UINT64_C(1) << (cell - 1);
            if (column + 1 < size) toggled |= UINT64_C(1) << (cell + 1);
            board->press[cell] = toggled;
        }
    }
    for (bits = 0; bits < 1u << size; bits++) {
        for (column = 0; column < size; column++) {
            if (bits >> column & 1) {
                board->mirrored[bits] |= UINT64_C(1) << (size - 1 - column);
                board->upright[bits] |= UINT64_C(1) << (column * size);
            }
        }
    }
}

static const Board *board_of(const void *handle)
{
    return (const Board *)handle;
}

/* ---- texts -------------------------------------------------------------------- */

static int is_text(AntipodeStr text, const char *word)
{
    return text.length == strlen(word) && memcmp(text.data, word, text.length) == 0;
}

static AntipodeStatus write_text(AntipodeText *out, const char *text, size_t length)
{
    size_t fitting = length < out->capacity ? length : out->capacity;

    memcpy(out->data, text, fitting);
    out->length = length;
    return fitting < length ? ANTIPODE_MORE_ROOM : ANTIPODE_OK;
}

static AntipodeStatus refuse(AntipodeText *error, const char *text)
{
    write_text(error, text, strlen(text));
    return ANTIPODE_BAD_INPUT;
}

/* ---- required ----------------------------------------------------------------- */

/* All that an instance needs is known beforehand, so handles need no memory of their own. */
static Board boards[3];

static AntipodeStatus open_board(AntipodeStr instance, AntipodeStr settings, void **handle,
                                 AntipodeText *error)
{
    if (settings.length > 0) return refuse(error, "lamps takes no settings");
    if (is_text(instance, "3x3")) *handle = &boards[0];
    else if (is_text(instance, "4x4")) *handle = &boards[1];
    else if (is_text(instance, "5x5")) *handle = &boards[2];
    else return refuse(error, "no such instance: use 3x3, 4x4 or 5x5");
    return ANTIPODE_OK;
}

static void close_board(void *handle)
{
    (void)handle;
}

static AntipodeStatus successors(const void *handle, const uint64_t *keys, size_t count,
                                 uint64_t *out, size_t capacity, size_t *offsets, size_t *done)
{
    const Board *board = board_of(handle);
    size_t filled = 0, i;
    unsigned cell;

    offsets[0] = 0;
    for (i = 0; i < count; i++) {
        if (capacity - filled < board->cells) {
            *done = i;
            return ANTIPODE_MORE_ROOM;
        }
        for (cell = 0; cell < board->cells; cell++) out[filled++] = keys[i] ^ board->press[cell];
        offsets[i + 1] = filled;
    }
    *done = count;
    return ANTIPODE_OK;
}

static AntipodeStatus is_solved(const void *handle, const uint64_t *keys, size_t count, uint8_t *out)
{
    size_t i;

    (void)handle;
    for (i = 0; i < count; i++) out[i] = keys[i] == 0;
    return ANTIPODE_OK;
}

static AntipodeStatus parse(const void *handle, AntipodeStr text, uint64_t *key, AntipodeText *error)
{
    const Board *board = board_of(handle);
    size_t wanted = board->cells + board->size - 1, i;
    unsigned cell = 0;

    *key = 0;
    if (text.length != wanted) return refuse(error, "the board has the wrong size");
    for (i = 0; i < wanted; i++) {
        char c = text.data[i];
        if (i % (board->size + 1) == board->size) {
            if (c != '/') return refuse(error, "rows are joined by '/'");
            continue;
        }
        if (c != 'o' && c != '.') return refuse(error, "use 'o' for a light and '.' for none");
        if (c == 'o') *key |= UINT64_C(1) << cell;
        cell++;
    }
    return ANTIPODE_OK;
}

static AntipodeStatus draw(const void *handle, const uint64_t *key, AntipodeText *text)
{
    const Board *board = board_of(handle);
    char drawn[MAX_SIZE * (MAX_SIZE + 1)];
    size_t length = 0;
    unsigned cell;

    for (cell = 0; cell < board->cells; cell++) {
        if (cell > 0 && cell % board->size == 0) drawn[length++] = '/';
        drawn[length++] = *key >> cell & 1 ? 'o' : '.';
    }
    return write_text(text, drawn, length);
}

/* ---- optional ----------------------------------------------------------------- */

/* All lights off. */
static AntipodeStatus solved_states(const void *handle, uint64_t part, AntipodeSink sink)
{
    const uint64_t all_off = 0;

    (void)handle;
    (void)part;
    return sink.emit(sink.context, &all_off, 1) == 0 ? ANTIPODE_OK : ANTIPODE_STOPPED;
}

static AntipodeStatus symmetry_count(const void *handle, uint32_t *count)
{
    (void)handle;
    *count = 8;
    return ANTIPODE_OK;
}

static uint64_t row_of(const Board *board, uint64_t state, unsigned row)
{
    return state >> (row * board->size) & ((1u << board->size) - 1);
}

/* Left and right exchanged. */
static uint64_t mirror(const Board *board, uint64_t state)
{
    uint64_t image = 0;
    unsigned row;

    for (row = 0; row < board->size; row++)
        image |= board->mirrored[row_of(board, state, row)] << (row * board->size);
    return image;
}

/* Rows and columns exchanged. */
static uint64_t transpose(const Board *board, uint64_t state)
{
    uint64_t image = 0;
    unsigned row;

    for (row = 0; row < board->size; row++)
        image |= board->upright[row_of(board, state, row)] << row;
    return image;
}

/* A mirror and a transposition in turn go through all eight symmetries of the square. */
static AntipodeStatus images(const void *handle, const uint64_t *keys, size_t count, uint64_t *out)
{
    const Board *board = board_of(handle);
    size_t i;
    unsigned index;

    for (i = 0; i < count; i++) {
        uint64_t state = keys[i];
        for (index = 0; index < 8; index++) {
            *out++ = state;
            state = index % 2 == 0 ? mirror(board, state) : transpose(board, state);
        }
    }
    return ANTIPODE_OK;
}

static AntipodeStatus space(const void *handle, uint64_t part, uint64_t *size)
{
    (void)part;
    *size = UINT64_C(1) << board_of(handle)->cells;
    return ANTIPODE_OK;
}

static AntipodeStatus place(const void *handle, const uint64_t *keys, size_t count,
                            uint64_t *parts, uint64_t *ranks)
{
    size_t i;

    (void)handle;
    for (i = 0; i < count; i++) {
        parts[i] = 0;
        ranks[i] = keys[i];
    }
    return ANTIPODE_OK;
}

static AntipodeStatus unrank(const void *handle, uint64_t part, const uint64_t *ranks, size_t count,
                             uint64_t *out)
{
    (void)handle;
    (void)part;
    memcpy(out, ranks, count * sizeof *out);
    return ANTIPODE_OK;
}

/* Presses in the lower rows leave the first row alone. */
static AntipodeStatus bucket(const void *handle, const uint64_t *keys, size_t count, uint64_t *out)
{
    const Board *board = board_of(handle);
    size_t i;

    for (i = 0; i < count; i++) out[i] = row_of(board, keys[i], 0);
    return ANTIPODE_OK;
}

static AntipodeStatus describe_move(const void *handle, const uint64_t *from, const uint64_t *to,
                                    AntipodeText *text)
{
    const Board *board = board_of(handle);
    char name[] = "press a1"; /* Column letter and row number, from the upper left. */
    unsigned cell;

    for (cell = 0; cell < board->cells; cell++) {
        if ((*from ^ *to) == board->press[cell]) {
            name[6] = (char)('a' + cell % board->size);
            name[7] = (char)('1' + cell / board->size);
            return write_text(text, name, 8);
        }
    }
    return ANTIPODE_UNSUPPORTED;
}

/* ---- the table ---------------------------------------------------------------- */

/* To fill a member is to offer it. Left out, and so null: starts (the user gives one),
 * canonical (the smallest image will do), parts, neighbour_ranks, random (samples are drawn
 * by rank), diversity_class, sweep, names, time_reversal, move_order, objective,
 * lower_bound, refute. */
static AntipodeVariant variant;

static const AntipodeNamed instances[] = {
    {"3x3", "512 states, all of them solvable"},
    {"4x4", "65,536 states"},
    {"5x5", "33,554,432 states, the board that was sold"},
};

/* Left out: settings, claims, derive, failure. */
static AntipodeTable table;

ANTIPODE_EXPORT const AntipodeTable *antipode_puzzle_v1(void)
{
    unsigned i;

    for (i = 0; i < 3; i++) prepare(&boards[i], i + 3);
    variant.name = "reference";
    variant.facts = ANTIPODE_IS_UNDIRECTED;
    variant.open = open_board;
    variant.close = close_board;
    variant.successors = successors;
    variant.is_solved = is_solved;
    variant.parse = parse;
    variant.draw = draw;
    variant.solved_states = solved_states;
    variant.predecessors = successors; /* A press undoes itself. */
    variant.symmetry_count = symmetry_count;
    variant.images = images;
    variant.space = space;
    variant.place = place;
    variant.unrank = unrank;
    variant.bucket = bucket;
    variant.describe_move = describe_move;

    table.abi_version = ANTIPODE_ABI_VERSION;
    table.table_size = (uint32_t)sizeof table;
    table.variant_size = (uint32_t)sizeof variant;
    table.key_words = 1;
    table.name = "lamps";
    table.version = "1.0.0";
    table.summary = "Lights Out: press cells until all lights are off";
    table.legend = "o disc #f2c14e light\n. empty #2d3142 no light\n";
    table.instance_count = 3;
    table.instances = instances;
    table.variant_count = 1;
    table.variants = &variant;
    return &table;
}
