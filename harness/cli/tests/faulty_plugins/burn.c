/*
 * A torus to walk on, whose moves take a fixed amount of work to list: for tests of the
 * benchmarks. Variant "tried" does PERCENT per cent of the work of "reference"; "hasty" does
 * half of it, and leaves out a move. Instance "small" has 64 x 64 places, "large" 1024 x 1024.
 */
#include "antipode.h"

#include <stdio.h>
#include <string.h>

#ifndef PERCENT
#define PERCENT 100
#endif
#define WORK 12000u

typedef struct {
    unsigned width;
    unsigned work;
    int hasty;
} Torus;

static const Torus toruses[] = {
    {64, WORK, 0}, {64, WORK / 100 * PERCENT, 0}, {64, WORK / 2, 1},
    {1024, WORK, 0}, {1024, WORK / 100 * PERCENT, 0}, {1024, WORK / 2, 1},
};

static AntipodeStatus write_text(AntipodeText *out, const char *text)
{
    size_t length = strlen(text);
    size_t fitting = length < out->capacity ? length : out->capacity;
    memcpy(out->data, text, fitting);
    out->length = length;
    return fitting < length ? ANTIPODE_MORE_ROOM : ANTIPODE_OK;
}

static AntipodeStatus open_torus(size_t which, AntipodeStr instance, AntipodeStr settings,
                                 void **handle, AntipodeText *error)
{
    if (settings.length > 0) {
        write_text(error, "takes no settings");
        return ANTIPODE_BAD_INPUT;
    }
    if (instance.data[0] == 'l') which += 3;
    *handle = (void *)&toruses[which];
    return ANTIPODE_OK;
}

#define OPENS(name, which) \
    static AntipodeStatus name(AntipodeStr instance, AntipodeStr settings, void **handle, \
                               AntipodeText *error) \
    { \
        return open_torus(which, instance, settings, handle, error); \
    }
OPENS(open_reference, 0)
OPENS(open_tried, 1)
OPENS(open_hasty, 2)

static void close_torus(void *handle)
{
    (void)handle;
}

static AntipodeStatus starts(const void *handle, AntipodeSink sink)
{
    const uint64_t start = 0;

    (void)handle;
    return sink.emit(sink.context, &start, 1) == 0 ? ANTIPODE_OK : ANTIPODE_STOPPED;
}

/* The place that the walk starts from is the one to come back to. */
static AntipodeStatus solved_states(const void *handle, uint64_t part, AntipodeSink sink)
{
    (void)part;
    return starts(handle, sink);
}

/* Work that no compiler can leave out, since its result is looked at. */
static uint64_t burn(uint64_t seed, unsigned steps)
{
    unsigned i;

    for (i = 0; i < steps; i++) seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seed;
}

static AntipodeStatus successors(const void *handle, const uint64_t *keys, size_t count,
                                 uint64_t *out, size_t capacity, size_t *offsets, size_t *done)
{
    const Torus *torus = handle;
    const uint64_t width = torus->width;
    size_t filled = 0, i;

    offsets[0] = 0;
    for (i = 0; i < count; i++) {
        uint64_t x = keys[i] % width, y = keys[i] / width;
        if (capacity - filled < 4) {
            *done = i;
            return ANTIPODE_MORE_ROOM;
        }
        out[filled++] = (x + 1) % width + y * width;
        out[filled++] = x + (y + 1) % width * width;
        out[filled++] = (x + width - 1) % width + y * width;
        /* One chance in 2^64: it decides nothing, but the work has to be done. */
        if (burn(keys[i], torus->work) == 42) filled--;
        if (!(torus->hasty && x == 0)) out[filled++] = x + (y + width - 1) % width * width;
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
    const Torus *torus = handle;
    size_t i;

    *key = 0;
    for (i = 0; i < text.length && i < 8; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') break;
        *key = *key * 10 + (uint64_t)(text.data[i] - '0');
    }
    if (text.length == 7 && i == 7 && *key < (uint64_t)torus->width * torus->width)
        return ANTIPODE_OK;
    write_text(error, "write the number of a place with seven digits");
    return ANTIPODE_BAD_INPUT;
}

static AntipodeStatus draw(const void *handle, const uint64_t *key, AntipodeText *text)
{
    char drawn[32];

    (void)handle;
    sprintf(drawn, "%07u", (unsigned)*key);
    return write_text(text, drawn);
}

#define VARIANT(named, opening) \
    { \
        .name = named, .open = opening, .close = close_torus, .successors = successors, \
        .is_solved = is_solved, .parse = parse, .draw = draw, .starts = starts, \
        .solved_states = solved_states \
    }
static const AntipodeVariant variants[] = {
    VARIANT("reference", open_reference),
    VARIANT("tried", open_tried),
    VARIANT("hasty", open_hasty),
};
static const AntipodeNamed instances[] = {{"small", "64 x 64"}, {"large", "1024 x 1024"}};

static const AntipodeTable table = {
    .abi_version = ANTIPODE_ABI_VERSION,
    .table_size = sizeof(AntipodeTable),
    .variant_size = sizeof(AntipodeVariant),
    .name = "burn",
    .version = "1.0.0",
    .key_words = 1,
    .variant_count = 3,
    .variants = variants,
    .instance_count = 2,
    .instances = instances,
};

ANTIPODE_EXPORT const AntipodeTable *antipode_puzzle_v1(void)
{
    return &table;
}
