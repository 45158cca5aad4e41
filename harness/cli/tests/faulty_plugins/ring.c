/*
 * A ring of 24 places: a move goes one place on or back, place 0 is solved. As it stands
 * it keeps every promise; each LIE_... breaks one, for the tests of `antipode test-plugin`.
 * FAULT_... is a statement that a function begins with, for the tests of the supervisor.
 */
#define _GNU_SOURCE
#include "antipode.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <string.h>

#define PLACES 24

#ifndef FAULT_OPEN
#define FAULT_OPEN
#endif
#ifndef FAULT_CLOSE
#define FAULT_CLOSE
#endif
#ifndef FAULT_ROOTS
#define FAULT_ROOTS
#endif
#ifndef FAULT_SUCCESSORS
#define FAULT_SUCCESSORS
#endif
#ifndef FAULT_ENTRY
#define FAULT_ENTRY
#endif
/* Half of them the identity, the others the mirror. */
#ifndef SYMMETRIES
#define SYMMETRIES 2
#endif
#ifndef NAME
#define NAME "ring"
#endif

/* What faults are made of. */
static volatile int depth;

__attribute__((unused, noinline)) static int overflow(int more)
{
    volatile char room[4096];

    room[more % 4096] = (char)more;
    depth = more;
    return depth < 0 ? 0 : overflow(more + 1) + room[more % 4096];
}

__attribute__((unused)) static void close_all(int from)
{
    for (; from < 1024; from++) close(from);
}

__attribute__((unused)) static int elsewhere(void)
{
    return gettid() != getpid();
}

static int handle_target;
/* Volatile: else a compiler sees that a call never returns, or is never made. */
static volatile unsigned calls;

static AntipodeStatus write_text(AntipodeText *out, const char *text)
{
    size_t length = strlen(text);
    size_t fitting = length < out->capacity ? length : out->capacity;
    memcpy(out->data, text, fitting);
    out->length = length;
    return fitting < length ? ANTIPODE_MORE_ROOM : ANTIPODE_OK;
}

static AntipodeStatus open_ring(AntipodeStr instance, AntipodeStr settings, void **handle,
                                AntipodeText *error)
{
    (void)instance;
    (void)settings;
    (void)error;
    FAULT_OPEN;
#ifndef LIE_TAKES_ANY_SETTING
    if (settings.length > 0) {
#ifndef LIE_SILENT_REFUSAL
        write_text(error, "takes no settings");
#endif
        return ANTIPODE_BAD_INPUT;
    }
#endif
#ifdef LIE_SILENT_OPEN
    return ANTIPODE_BAD_INPUT;
#endif
#ifdef LIE_LONG_REFUSAL
    memset(error->data, 'x', error->capacity);
    error->length = 5000;
    return ANTIPODE_BAD_INPUT;
#endif
    *handle = &handle_target;
    return ANTIPODE_OK;
}

/* Variant "fast" is known by the second byte of the handle. */
static AntipodeStatus open_fast(AntipodeStr instance, AntipodeStr settings, void **handle,
                                AntipodeText *error)
{
    AntipodeStatus status = open_ring(instance, settings, handle, error);
    if (status == ANTIPODE_OK) *handle = (char *)*handle + 1;
    return status;
}

static void close_ring(void *handle)
{
    (void)handle;
    FAULT_CLOSE;
}

static AntipodeStatus solved_states(const void *handle, uint64_t part, AntipodeSink sink)
{
    const uint64_t listed[] = {0, 1};
    size_t count = 1;

    (void)handle;
    (void)part;
    FAULT_ROOTS;
#ifdef LIE_ROOTS_UNSUPPORTED
    return ANTIPODE_UNSUPPORTED;
#endif
#ifdef LIE_NO_PLACE
    if (part == 0) return ANTIPODE_OK;
#endif
#ifdef LIE_ROOTS
    count = 2;
#endif
#ifdef LIE_NULL_DELIVERY
    return sink.emit(sink.context, NULL, count) == 0 ? ANTIPODE_OK : ANTIPODE_STOPPED;
#endif
    return sink.emit(sink.context, listed, count) == 0 ? ANTIPODE_OK : ANTIPODE_STOPPED;
}

static AntipodeStatus neighbours(int backward, const void *handle, const uint64_t *keys,
                                 size_t count, uint64_t *out, size_t capacity, size_t *offsets,
                                 size_t *done)
{
    size_t filled = 0, i;

    if (!backward) {
        FAULT_SUCCESSORS;
    }
    (void)backward;
    (void)handle;
    offsets[0] = 0;
    for (i = 0; i < count; i++) {
        uint64_t k = keys[i];
#ifdef LIE_HANGS
        while (k == 9) calls++;
#endif
#ifndef LIE_WRITES_BEYOND
        if (capacity - filled < 3) {
            *done = i;
            return ANTIPODE_MORE_ROOM;
        }
#endif
#ifdef LIE_DIRECTED
        out[filled++] = (k + (backward ? PLACES - 1 : 1)) % PLACES;
        offsets[i + 1] = filled;
        continue;
#endif
#ifdef LIE_VARIANT
        /* Two edges less, but consistently so. */
        if (handle == &handle_target || (k != 6 && k != 17))
#endif
        out[filled++] = (k + 1) % PLACES;
#ifdef LIE_ONE_WAY_PREDECESSOR
        if (!(backward && k == 7))
#endif
#ifdef LIE_ONE_WAY_SUCCESSOR
        if (!(!backward && k == 7))
#endif
#ifdef LIE_VARIANT
        if (handle == &handle_target || (k != 7 && k != 18))
#endif
        out[filled++] = (k + PLACES - 1) % PLACES;
#ifdef LIE_SYMMETRY
        if (k == 5) out[filled++] = 12;
        if (k == 12) out[filled++] = 5;
#endif
        offsets[i + 1] = filled;
    }
    *done = count;
#ifdef LIE_OFFSETS
    if (count > 2) offsets[1] = offsets[2] + 1;
#endif
#ifdef LIE_SAYS_MORE
    offsets[count] = capacity + 1;
#endif
#ifdef LIE_DONE
    *done = count - 1;
#endif
    (void)capacity;
    return ANTIPODE_OK;
}

static AntipodeStatus successors(const void *handle, const uint64_t *keys, size_t count,
                                 uint64_t *out, size_t capacity, size_t *offsets, size_t *done)
{
    return neighbours(0, handle, keys, count, out, capacity, offsets, done);
}

static AntipodeStatus predecessors(const void *handle, const uint64_t *keys, size_t count,
                                   uint64_t *out, size_t capacity, size_t *offsets, size_t *done)
{
    return neighbours(1, handle, keys, count, out, capacity, offsets, done);
}

static AntipodeStatus is_solved(const void *handle, const uint64_t *keys, size_t count, uint8_t *out)
{
    size_t i;
#ifdef LIE_THREAD
    static __thread int mine;
    static int *first;
    if (!first) first = &mine;
#endif

    (void)handle;
#ifdef LIE_EXITS
    exit(0);
#endif
#ifdef LIE_ABORTS
    abort();
#endif
    for (i = 0; i < count; i++) {
        out[i] = keys[i] == 0;
#ifdef LIE_ROOT_LEFT_OUT
        out[i] |= keys[i] == 12;
#endif
#ifdef LIE_THREAD
        if (keys[i] == 5) out[i] = first != &mine;
#endif
#ifdef LIE_BATCH
        if (count > 1 && i == 3) out[i] = 1;
#endif
#ifdef LIE_FLAG
        out[i] *= 2;
#endif
    }
    return ANTIPODE_OK;
}

static AntipodeStatus parse(const void *handle, AntipodeStr text, uint64_t *key, AntipodeText *error)
{
    (void)handle;
    *key = 0;
#ifdef LIE_PARSE
    if (text.length > 9) {
        *key = 99;
        return ANTIPODE_OK;
    }
#endif
#ifdef LIE_STATES
    if (text.length == 4 && text.data[0] == 'g') return ANTIPODE_OK;
#endif
    if (text.length == 2 && text.data[0] >= '0' && text.data[0] <= '9' && text.data[1] >= '0'
        && text.data[1] <= '9')
        *key = (uint64_t)(text.data[0] - '0') * 10 + (uint64_t)(text.data[1] - '0');
    else
        *key = PLACES;
    if (*key < PLACES) return ANTIPODE_OK;
    write_text(error, "write a place, 00 to 23");
    return ANTIPODE_BAD_INPUT;
}

static AntipodeStatus draw(const void *handle, const uint64_t *key, AntipodeText *text)
{
#ifdef LIE_HANGS_DRAWING
    while (*key == 9) depth++;
#endif
    char drawn[32];
    unsigned place = (unsigned)*key;

    (void)handle;
#ifdef LIE_DRAW
    if (place == 7) place = 8;
#endif
#ifdef LIE_TEXT
    memset(text->data, 'x', text->capacity + 1);
#endif
    sprintf(drawn, "%02u", place);
#ifdef LIE_CUT_TEXT
    text->length = text->capacity + 10;
    return ANTIPODE_OK;
#endif
    return write_text(text, drawn);
}

static AntipodeStatus symmetry_count(const void *handle, uint32_t *count)
{
    (void)handle;
    *count = SYMMETRIES;
#ifdef LIE_SYMMETRY_COUNT
    *count = 4000000000u;
#endif
    return ANTIPODE_OK;
}

static uint64_t mirror(uint64_t key)
{
    return (PLACES - key) % PLACES;
}

static AntipodeStatus images(const void *handle, const uint64_t *keys, size_t count, uint64_t *out)
{
    size_t i, index;

    (void)handle;
    for (i = 0; i < count; i++)
        for (index = 0; index < SYMMETRIES; index++)
            *out++ = index % 2 ? mirror(keys[i]) : keys[i];
    return ANTIPODE_OK;
}

static AntipodeStatus canonical(const void *handle, const uint64_t *keys, size_t count,
                                uint64_t *out, uint32_t *orbit_sizes)
{
    size_t i;

    (void)handle;
#ifdef LIE_CRASHES
    out = NULL;
#endif
    for (i = 0; i < count; i++) {
        uint64_t k = keys[i], image = mirror(k);
        out[i] = image < k ? image : k;
#ifdef LIE_CANONICAL
        if (k == 7 || k == 17) out[i] = image;
#endif
#ifdef LIE_CANONICAL_ELSEWHERE
        if (k == 7 || k == 17) out[i] = 3;
#endif
        if (orbit_sizes) orbit_sizes[i] = image == k ? 1 : 2;
#ifdef LIE_ORBIT_SIZE
        if (orbit_sizes) orbit_sizes[i] = 2;
#endif
    }
    return ANTIPODE_OK;
}

#ifdef LIE_MOVE
static AntipodeStatus describe_move(const void *handle, const uint64_t *from, const uint64_t *to,
                                    AntipodeText *text)
{
    (void)handle;
    (void)from;
    (void)to;
    return write_text(text, LIE_MOVE);
}
#endif

#ifdef LIE_STATES
static AntipodeStatus names(const void *handle, AntipodeText *text)
{
    (void)handle;
    return write_text(text, LIE_STATES);
}
#endif

#ifdef LIE_PART
static AntipodeStatus part_name(const void *handle, uint64_t part, AntipodeText *text)
{
    (void)handle;
    (void)part;
    return write_text(text, LIE_PART);
}
#endif

#if defined LIE_PARTS || defined LIE_MANY_PARTS || defined LIE_PART || defined LIE_NO_PLACE
static AntipodeStatus part_count(const void *handle, uint64_t *count)
{
    (void)handle;
    *count = SYMMETRIES;
#ifdef LIE_PART
    *count = 1;
#endif
#ifdef LIE_MANY_PARTS
    *count = UINT64_C(1) << 60;
#endif
    return ANTIPODE_OK;
}
#endif

static AntipodeStatus space(const void *handle, uint64_t part, uint64_t *size)
{
    (void)handle;
    (void)part;
    *size = PLACES;
#ifdef LIE_SPACE
    *size = 1 << 20;
#endif
#if defined LIE_PARTS || defined LIE_NOWHERE
    *size = PLACES / 2;
#endif
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
#ifdef LIE_PARTS
        parts[i] = keys[i] / (PLACES / 2);
        ranks[i] = keys[i] % (PLACES / 2);
#endif
#ifdef LIE_RANK
        if (keys[i] == 7) ranks[i] = PLACES;
#endif
#ifdef LIE_PLACE
        if (keys[i] == 7) ranks[i] = 8;
#endif
#ifdef LIE_NOWHERE
        if (keys[i] >= PLACES / 2) parts[i] = ANTIPODE_NOWHERE;
#endif
    }
    return ANTIPODE_OK;
}

static AntipodeStatus unrank(const void *handle, uint64_t part, const uint64_t *ranks, size_t count,
                             uint64_t *out)
{
    size_t i;

    (void)handle;
    for (i = 0; i < count; i++) out[i] = ranks[i] + part * (PLACES / 2);
    return ANTIPODE_OK;
}

static AntipodeStatus bucket(const void *handle, const uint64_t *keys, size_t count, uint64_t *out)
{
    size_t i;

    (void)handle;
    for (i = 0; i < count; i++) {
        out[i] = keys[i] / 4;
#ifdef LIE_BUCKET
        out[i] += calls;
#endif
    }
    calls++;
    return ANTIPODE_OK;
}

/* Thousands of draws are asked for: only where draws are what is tested. */
#ifdef DRAWS
static AntipodeStatus random_places(const void *handle, uint64_t seed, uint64_t first, size_t count,
                                    uint64_t *out)
{
    size_t i;

    (void)handle;
    for (i = 0; i < count; i++) {
        uint64_t mixed = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15)
                       ^ (first + i + 1) * UINT64_C(0xbf58476d1ce4e5b9);
#ifdef LIE_RANDOM
        mixed += i * 12345;
#endif
        mixed ^= mixed >> 31;
        mixed *= UINT64_C(0x94d049bb133111eb);
        mixed ^= mixed >> 29;
        out[i] = mixed % PLACES;
#ifdef LIE_DRAWN
        out[i] = mixed % (PLACES + 3);
#endif
    }
    return ANTIPODE_OK;
}
#define RANDOM .random = random_places,
#else
#define RANDOM
#endif

static AntipodeStatus sweep(const void *handle, uint32_t way, const uint64_t *from, uint64_t part,
                            const uint64_t *only, size_t many, uint64_t *memory,
                            AntipodeSweepSink sink)
{
    uint64_t k, allowed = *memory;

    (void)handle;
    (void)part;
    if ((only == NULL) != (many == 0)) return ANTIPODE_BAD_INPUT;
    if (way != ANTIPODE_BACKWARD || from) return ANTIPODE_UNSUPPORTED;
    *memory = 1;
    if (allowed == 0) return ANTIPODE_STOPPED;
#ifdef LIE_SWEEP_ENDLESS
    for (k = 0;; k = (k + 1) % PLACES) {
        uint16_t depth = 1;
        if (sink.emit(sink.context, &k, &depth, 1, 1) != 0) return ANTIPODE_STOPPED;
    }
#endif
    for (k = 0; k <= PLACES / 2; k++) {
        uint16_t depth = (uint16_t)k;
        uint32_t size = k == 0 || k == PLACES / 2 ? 1 : 2;
#ifdef LIE_SWEEP_DEPTH
        if (k == 7) depth = 6;
#endif
#ifdef LIE_SWEEP_DOUBLES
        depth *= 2;
#endif
#ifdef LIE_SWEEP_MISSES
        if (k == 7) continue;
#endif
        if (sink.emit(sink.context, &k, &depth, 1, size) != 0) return ANTIPODE_STOPPED;
#ifdef LIE_SWEEP_TWICE
        if (k == 7 && sink.emit(sink.context, &k, &depth, 1, size) != 0) return ANTIPODE_STOPPED;
#endif
    }
    return ANTIPODE_OK;
}

#ifdef LIE_MANY
static const AntipodeNamed instances[] = {
    {"i0", ""}, {"i1", ""}, {"i2", ""}, {"i3", ""}, {"i4", ""},
    {"i5", ""}, {"i6", ""}, {"i7", ""}, {"i8", ""}, {"i9", ""},
};
#define INSTANCES 10
#else
static const AntipodeNamed instances[] = {{"24", "24 places"}, {"24", "twice"}};
#define INSTANCES 1
#endif

#if defined LIE_PARTS || defined LIE_MANY_PARTS || defined LIE_PART || defined LIE_NO_PLACE
#define PARTS .part_count = part_count,
#else
#define PARTS
#endif

#ifdef LIE_LAYERED
#define FACTS (ANTIPODE_IS_UNDIRECTED | ANTIPODE_IS_LAYERED)
#else
#define FACTS ANTIPODE_IS_UNDIRECTED
#endif

#define RULES(opening) \
    .facts = FACTS, \
    .open = opening, \
    .close = close_ring, \
    .successors = successors, \
    .is_solved = is_solved, \
    .parse = parse, \
    .draw = draw, \
    .solved_states = solved_states, \
    .predecessors = predecessors, \
    .symmetry_count = symmetry_count, \
    .images = images, \
    .canonical = canonical, \
    .space = space, \
    .place = place, \
    .unrank = unrank, \
    .bucket = bucket, \
    RANDOM \
    .sweep = sweep, \
    PARTS

static AntipodeVariant variants[] = {
    {.name = "fast", RULES(open_fast)},
    {.name = "reference", RULES(open_ring)},
};

static AntipodeTable table = {
    .abi_version = ANTIPODE_ABI_VERSION,
    .table_size = sizeof(AntipodeTable),
    .variant_size = sizeof(AntipodeVariant),
    .name = NAME,
#ifdef LIE_ESCAPES
    .summary = "red \x1b[31m and a bell \a",
#endif
#ifdef LIE_CLAIMS
    .claims = "[[claim]]\nid = \"ring\"\nstatement = 3\n",
#endif
#ifdef LIE_CLAIMS_OF_TILT
#define CLAIM_ID "tilt-keep"
#define LIE_CLAIMS_DERIVED
#else
#define CLAIM_ID "ring-derived"
#endif
#ifdef LIE_CLAIMS_DERIVED
    .claims = "[[claim]]\nid = \"" CLAIM_ID "\"\nsource = \"s\"\nstatement = \"t\"\n"
              "kind = \"derived\"\nderive = \"places\"\nclaimed = 24\nexpect = \"not-reached\"\n",
#endif
    .version = "1.0.0",
    .key_words = 1,
    .variant_count = 2,
    .variants = variants,
    .instance_count = INSTANCES,
    .instances = instances,
};

#ifdef LIE_CRASHES_ON_LOADING
__attribute__((constructor)) static void initialise(void)
{
    abort();
}
#endif

#ifdef LIE_EXITS_ON_LOADING
/* Ends whoever loads it, and says that all is well. */
__attribute__((constructor)) static void leave(void)
{
    _exit(0);
}
#endif

#ifdef FAULT_LOADING
__attribute__((constructor)) static void fault(void)
{
    FAULT_LOADING;
}
#endif

#ifdef LIE_UNRESOLVED
void nowhere_defined(void);
void (*needed)(void) = nowhere_defined;
#endif

#ifdef LIE_SYMBOL
ANTIPODE_EXPORT const AntipodeTable *another_symbol(void)
#else
ANTIPODE_EXPORT const AntipodeTable *antipode_puzzle_v1(void)
#endif
{
    FAULT_ENTRY;
#ifdef LIE_MOVE
    variants[0].describe_move = describe_move;
#endif
#ifdef LIE_STATES
    variants[0].names = names;
#endif
#ifdef LIE_PART
    variants[0].part_name = part_name;
#endif
#ifdef LIE_NO_PLACE
    variants[0].place = variants[1].place = NULL;
#endif
#ifdef LIE_RELEASE
    table.version = LIE_RELEASE;
#endif
#ifdef LIE_DERIVATIONS
    table.derivations = LIE_DERIVATIONS;
#endif
#ifdef LIE_VERSION
    table.abi_version = 1;
#endif
#ifdef LIE_SHORT
    table.table_size = 64;
#endif
#ifdef LIE_SHORT_VARIANT
    table.variant_size = 64;
#endif
#ifdef LIE_NULL
    variants[1].successors = NULL;
#endif
#ifdef LIE_KEY_WORDS
    table.key_words = 3;
#endif
#ifdef LIE_NAMES
    table.instance_count = 2;
#endif
#ifdef LIE_NO_TABLE
    return NULL;
#endif
    return &table;
}
