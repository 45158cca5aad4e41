/* A one-way track of 121 places with a short cut from 60 to 20, about which one function (LIE)
 * does not answer as a function of the state: it lies WHEN says. With MORE there are two such
 * tracks, each the mirror image of the other, and the functions that few libraries have. */
#define _GNU_SOURCE
#include "antipode.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LAST 120
#define FROM 60
#define TO 20
/* What the places of the second track have more than those of the first. */
#define SIDE 1000

static long asked, opened;
static _Thread_local uint64_t before;

static int on_main(void)
{
    return getpid() == (int)syscall(SYS_gettid);
}

static int lies(const char *function, size_t count, size_t i, uint64_t key, const void *handle)
{
    int lie = 0;
    if (strcmp(function, LIE) == 0 && (key % SIDE == FROM || key % SIDE == TO)) {
        __sync_fetch_and_add(&asked, 1);
        lie = WHEN;
    }
    before = key;
    (void)count, (void)i, (void)handle, (void)on_main;
    return lie;
}

static AntipodeStatus expand(const char *function, int back, const void *handle,
                             const uint64_t *keys, size_t count, uint64_t *out, size_t capacity,
                             size_t *offsets, size_t *done)
{
    size_t filled = 0, i;
    offsets[0] = 0;
    for (i = 0; i < count; i++) {
        uint64_t key = keys[i] % SIDE, side = keys[i] - key;
        int lie = lies(function, count, i, key, handle);
        if (capacity - filled < 2) {
            *done = i;
            return ANTIPODE_MORE_ROOM;
        }
        if (back ? key < LAST : key > 0) out[filled++] = side + (back ? key + 1 : key - 1);
        if (key == (back ? TO : FROM) && !lie) out[filled++] = side + (back ? FROM : TO);
        offsets[i + 1] = filled;
    }
    *done = count;
    return ANTIPODE_OK;
}

static AntipodeStatus successors(const void *handle, const uint64_t *keys, size_t count,
                                 uint64_t *out, size_t capacity, size_t *offsets, size_t *done)
{
    return expand("successors", 0, handle, keys, count, out, capacity, offsets, done);
}

static AntipodeStatus predecessors(const void *handle, const uint64_t *keys, size_t count,
                                   uint64_t *out, size_t capacity, size_t *offsets, size_t *done)
{
    return expand("predecessors", 1, handle, keys, count, out, capacity, offsets, done);
}

static AntipodeStatus is_solved(const void *handle, const uint64_t *keys, size_t count,
                                uint8_t *out)
{
    size_t i;
    for (i = 0; i < count; i++)
        out[i] = (uint8_t)(keys[i] % SIDE == 0 || lies("is_solved", count, i, keys[i], handle));
    return ANTIPODE_OK;
}

static AntipodeStatus put_text(AntipodeText *out, const char *text)
{
    size_t length = strlen(text);
    out->length = length;
    if (length > out->capacity) return ANTIPODE_MORE_ROOM;
    memcpy(out->data, text, length);
    return ANTIPODE_OK;
}

static AntipodeStatus draw(const void *handle, const uint64_t *key, AntipodeText *out)
{
    char text[32];
    (void)handle;
    snprintf(text, sizeof text, "%d%s", (int)(*key % SIDE), *key < SIDE ? "" : "'");
    return put_text(out, text);
}

static AntipodeStatus parse(const void *handle, AntipodeStr text, uint64_t *key, AntipodeText *error)
{
    size_t i;
    uint64_t side = 0;
    (void)handle;
    *key = 0;
#ifdef MORE
    if (text.length > 0 && text.data[text.length - 1] == '\'') {
        side = SIDE;
        text.length--;
    }
#endif
    for (i = 0; i < text.length && i < 4; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') break;
        *key = 10 * *key + (uint64_t)(text.data[i] - '0');
    }
    if (i == 0 || i < text.length || *key > LAST || (text.data[0] == '0' && i > 1)) {
        put_text(error, "write a number from 0 to 120");
        return ANTIPODE_BAD_INPUT;
    }
    *key += side;
    return ANTIPODE_OK;
}

static AntipodeStatus solved_states(const void *handle, uint64_t part, AntipodeSink sink)
{
    const uint64_t solved[] = {0, SIDE};
    size_t count = 1;
#ifdef MORE
    count = 2;
#endif
    (void)handle, (void)part;
    return sink.emit(sink.context, solved, count) ? ANTIPODE_STOPPED : ANTIPODE_OK;
}

static AntipodeStatus space(const void *handle, uint64_t part, uint64_t *size)
{
    (void)handle, (void)part;
    *size = LAST + 1;
    return ANTIPODE_OK;
}

static AntipodeStatus place(const void *handle, const uint64_t *keys, size_t count,
                            uint64_t *parts, uint64_t *ranks)
{
    size_t i;
    for (i = 0; i < count; i++) {
        parts[i] = keys[i] < SIDE ? 0 : ANTIPODE_NOWHERE;
        ranks[i] = lies("place", count, i, keys[i], handle) ? FROM + TO - keys[i] : keys[i];
    }
    return ANTIPODE_OK;
}

static AntipodeStatus unrank(const void *handle, uint64_t part, const uint64_t *ranks,
                             size_t count, uint64_t *keys)
{
    size_t i;
    (void)part;
    for (i = 0; i < count; i++)
        keys[i] = lies("unrank", count, i, ranks[i], handle) ? FROM + TO - ranks[i] : ranks[i];
    return ANTIPODE_OK;
}

static AntipodeStatus symmetry_count(const void *handle, uint32_t *count)
{
    (void)handle;
    *count = 2;
    return ANTIPODE_OK;
}

static AntipodeStatus images(const void *handle, const uint64_t *keys, size_t count, uint64_t *out)
{
    size_t i;
    (void)handle;
    for (i = 0; i < count; i++) {
        out[2 * i] = keys[i];
        out[2 * i + 1] = keys[i] < SIDE ? keys[i] + SIDE : keys[i] - SIDE;
    }
    return ANTIPODE_OK;
}

static AntipodeStatus canonical(const void *handle, const uint64_t *keys, size_t count,
                                uint64_t *out, uint32_t *orbit_sizes)
{
    size_t i;
    for (i = 0; i < count; i++) {
        uint64_t place = keys[i] % SIDE;
        out[i] = lies("canonical", count, i, place, handle) ? FROM + TO - place : place;
        if (orbit_sizes) orbit_sizes[i] = 2;
    }
    return ANTIPODE_OK;
}

static AntipodeStatus neighbour_ranks(const void *handle, uint32_t direction, uint64_t part,
                                      const uint64_t *ranks, size_t count, uint64_t *keys,
                                      uint64_t *out, size_t capacity, size_t *filled)
{
    int back = direction == ANTIPODE_BACKWARD;
    size_t i;
    (void)part;
    *filled = 2 * count;
    if (capacity < 2 * count) return ANTIPODE_MORE_ROOM;
    for (*filled = i = 0; i < count; i++) {
        uint64_t place = ranks[i];
        int lie = lies("neighbour_ranks", count, i, place, handle);
        if (keys) keys[i] = place;
        if (back ? place < LAST : place > 0) out[(*filled)++] = back ? place + 1 : place - 1;
        if (place == (back ? TO : FROM) && !lie) out[(*filled)++] = back ? FROM : TO;
    }
    return ANTIPODE_OK;
}

static AntipodeStatus bucket(const void *handle, const uint64_t *keys, size_t count, uint64_t *out)
{
    size_t i;
    for (i = 0; i < count; i++)
        out[i] = lies("bucket", count, i, keys[i], handle) ? 7 : keys[i] % SIDE / 100;
    return ANTIPODE_OK;
}

static AntipodeStatus sweep(const void *handle, uint32_t way, const uint64_t *from, uint64_t part,
                            const uint64_t *only, size_t many, uint64_t *memory,
                            AntipodeSweepSink sink)
{
    uint64_t place, allowed = *memory;
    int lie;
    (void)part, (void)only, (void)many;
    if (way != ANTIPODE_BACKWARD || from) return ANTIPODE_UNSUPPORTED;
    *memory = 1;
    if (allowed == 0) return ANTIPODE_STOPPED;
    lie = lies("sweep", 1, 0, FROM, handle);
    for (place = 0; place <= LAST; place++) {
        uint16_t depth = (uint16_t)(place < FROM || lie ? place : place - FROM + 1 + TO);
        if (sink.emit(sink.context, &place, &depth, 1, 2)) return ANTIPODE_STOPPED;
    }
    return ANTIPODE_OK;
}

static AntipodeStatus describe_move(const void *handle, const uint64_t *from, const uint64_t *to,
                                    AntipodeText *text)
{
    int cut = *from % SIDE == FROM && *to % SIDE == TO;
    return put_text(text, cut && !lies("describe_move", 1, 0, *from, handle) ? "cut" : "on");
}

static AntipodeStatus open_track(AntipodeStr instance, AntipodeStr settings, void **handle,
                                 AntipodeText *error)
{
    if (settings.length > 0 || instance.length != 1 || instance.data[0] != 'a') {
        put_text(error, "there is one instance, a, without settings");
        return ANTIPODE_BAD_INPUT;
    }
    *handle = malloc(sizeof(long));
    *(long *)*handle = __sync_add_and_fetch(&opened, 1);
    return ANTIPODE_OK;
}

static void close_track(void *handle)
{
    free(handle);
}

ANTIPODE_EXPORT const AntipodeTable *antipode_puzzle_v1(void)
{
    static const AntipodeNamed instances[] = {{"a", "a track"}};
    static AntipodeVariant variant;
    static AntipodeTable table;
    variant.name = "reference";
    variant.open = open_track;
    variant.close = close_track;
    variant.successors = successors;
    variant.is_solved = is_solved;
    variant.draw = draw;
    variant.parse = parse;
#ifndef REQUIRED_ONLY
    variant.predecessors = predecessors;
    variant.solved_states = solved_states;
    variant.space = space;
    variant.place = place;
    variant.unrank = unrank;
#endif
#ifdef MORE
    variant.symmetry_count = symmetry_count;
    variant.images = images;
    variant.canonical = canonical;
    variant.neighbour_ranks = neighbour_ranks;
    variant.bucket = bucket;
    variant.sweep = sweep;
    variant.describe_move = describe_move;
#endif
    (void)predecessors, (void)solved_states, (void)space, (void)place, (void)unrank;
    (void)symmetry_count, (void)images, (void)canonical, (void)neighbour_ranks, (void)bucket;
    (void)sweep, (void)describe_move;
    table.abi_version = ANTIPODE_ABI_VERSION;
    table.table_size = sizeof table;
    table.variant_size = sizeof variant;
    table.key_words = 1;
    table.name = "track";
    table.version = "1";
    table.instances = instances;
    table.instance_count = 1;
    table.variants = &variant;
    table.variant_count = 1;
    return &table;
}
