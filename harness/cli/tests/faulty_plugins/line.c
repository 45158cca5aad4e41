/* A line of boards, 0 to LAST: each leads to the one before it, and 0 is solved. Every LIE_…
 * hides one fault far from the roots, where a look at a few boards does not find it. The first
 * variant is `fast`, the second the rulebook; some lies need no more than a rulebook. */
#include "antipode.h"
#include <stdio.h>
#include <string.h>

#ifndef LAST
#define LAST 2000
#endif
/* A short cut that the rules have and the fast variant has not. */
#ifndef FROM
#define FROM 1500
#endif
#ifndef TO
#define TO 10
#endif

static AntipodeStatus write_text(AntipodeText *out, const char *text) {
    size_t length = strlen(text);
    size_t fits = length < out->capacity ? length : out->capacity;
    memcpy(out->data, text, fits);
    out->length = length;
    return fits < length ? ANTIPODE_MORE_ROOM : ANTIPODE_OK;
}

static AntipodeStatus refuse(AntipodeText *error, const char *text) {
    write_text(error, text);
    return ANTIPODE_BAD_INPUT;
}

/* With PARTS alone it is honest: a second line, of eleven boards, is a part of its own. */
#if defined(LIE_PARTS) || defined(LIE_PLACE) || defined(TWO_STARTS)
#define PARTS
#endif

/* ---- moves ---- */

#define MOST_MOVES 4096
/* Beyond the line: a detour, what no board is, a second part, or a wide level. */
#define BEYOND 1000000

static int is_board(uint64_t key) {
#if defined(LIE_PREDECESSORS)
    if (key == BEYOND) return 1;
#elif defined(PARTS)
    if (key >= BEYOND && key <= BEYOND + 10) return 1;
#elif defined(LIE_START) || defined(LIE_LIST)
    if (key >= BEYOND && key <= BEYOND + 3) return 1;
#elif defined(LIE_JUNK)
    if (key >= BEYOND && key <= BEYOND + 20000) return 1;
#endif
    return key <= LAST;
}

static int is_goal(uint64_t key) {
#if defined(NOTHING_SOLVED)
    (void)key;
    return 0;
#elif defined(PARTS) || defined(LIE_LIST)
    return key == 0 || key == BEYOND;
#elif defined(LIE_START)
    return key == BEYOND;
#elif defined(LIE_JUNK)
    return key == BEYOND + 14000;
#elif defined(LIE_GOAL)
    return key == 0 || key == FROM;
#else
    return key == 0;
#endif
}

static int line_moves(uint64_t key, uint64_t *out) {
#if defined(LIE_START) || defined(LIE_LIST)
    if (key == 0 || key == BEYOND) return 0;
#elif defined(PARTS)
    if (key == BEYOND) return 0;
#elif defined(LIE_JUNK)
    int count = 0;
    if (key == 0)
        while (count < 4000) { out[count] = BEYOND + 1 + (uint64_t)count; count++; }
    else if (key > BEYOND && key <= BEYOND + 4000) out[count++] = key + 10000;
    return count;
#elif defined(LIE_PREDECESSORS)
    if (key == BEYOND) { out[0] = TO; return 1; }
#elif defined(LIE_PHANTOM)
    if (key == BEYOND) { out[0] = TO; return 1; }
#elif defined(LIE_GOAL)
    int both = 0;
    if (key > 0) out[both++] = key - 1;
    if (key < LAST) out[both++] = key + 1;
    return both;
#endif
    if (key == 0 || !is_board(key)) return 0;
    out[0] = key - 1;
    return 1;
}

static int rule_moves(uint64_t key, uint64_t *out) {
    int count = line_moves(key, out);
#if defined(LIE_SHORTCUT)
    if (key == FROM) out[count++] = TO;
#elif defined(LIE_PREDECESSORS)
    if (key == FROM) out[count++] = BEYOND;
#elif defined(LIE_PARTS)
    if (key == LAST) out[count++] = BEYOND + 1;
#endif
    return count;
}

static int fast_moves(uint64_t key, uint64_t *out) {
    int count = line_moves(key, out);
#if defined(LIE_JUNK)
    if (key == BEYOND + 4000) out[0] = BEYOND + 20000;
#elif defined(LIE_MOVES)
    if (key == FROM) out[count++] = LAST - 1;
    if (key == FROM + 1) while (count < 3000) out[count++] = key - 1;
#endif
    return count;
}

static int moves_back(uint64_t key, uint64_t *out) {
    int count = 0;
#if defined(LIE_PREDECESSORS)
    if (key == BEYOND) { out[0] = FROM; return 1; }
#elif defined(PARTS)
    if (key >= BEYOND) { out[0] = key + 1; return key < BEYOND + 10; }
#elif defined(LIE_PHANTOM)
    if (key == TO) out[count++] = BEYOND;
#endif
    if (key < LAST) out[count++] = key + 1;
    return count;
}

static int rule_moves_back(uint64_t key, uint64_t *out) {
    int count = moves_back(key, out);
#if defined(LIE_SHORTCUT)
    if (key == TO) out[count++] = FROM;
#endif
    return count;
}

static AntipodeStatus expand(int (*moves)(uint64_t, uint64_t *), const uint64_t *keys, size_t count,
                             uint64_t *out, size_t capacity, size_t *offsets, size_t *done) {
    uint64_t found[MOST_MOVES];
    size_t fill = 0;
    offsets[0] = 0;
    for (size_t i = 0; i < count; i++) {
        size_t more = (size_t)moves(keys[i], found);
        if (capacity - fill < more) {
            *done = i;
            return ANTIPODE_MORE_ROOM;
        }
        memcpy(out + fill, found, more * sizeof *out);
        fill += more;
        offsets[i + 1] = fill;
    }
    *done = count;
    return ANTIPODE_OK;
}

#define EXPANDS(name, moves)                                                                     \
    static AntipodeStatus name(const void *handle, const uint64_t *keys, size_t count,           \
                               uint64_t *out, size_t capacity, size_t *offsets, size_t *done) {  \
        (void)handle;                                                                            \
        return expand(moves, keys, count, out, capacity, offsets, done);                         \
    }
EXPANDS(rule_successors, rule_moves)
EXPANDS(fast_successors, fast_moves)
EXPANDS(fast_predecessors, moves_back)
EXPANDS(rule_predecessors, rule_moves_back)

static AntipodeStatus is_solved(const void *handle, const uint64_t *keys, size_t count, uint8_t *out) {
    (void)handle;
    for (size_t i = 0; i < count; i++) out[i] = (uint8_t)is_goal(keys[i]);
    return ANTIPODE_OK;
}

/* ---- boards as text ---- */

static AntipodeStatus draw(const void *handle, const uint64_t *key, AntipodeText *out) {
    char text[32];
    (void)handle;
    snprintf(text, sizeof text, "%llu", (unsigned long long)*key);
    return write_text(out, text);
}

static AntipodeStatus parse(const void *handle, AntipodeStr text, uint64_t *key, AntipodeText *error) {
    uint64_t value = 0;
    (void)handle;
    if (text.length == 0 || text.length > 9) return refuse(error, "write a number");
    for (size_t i = 0; i < text.length; i++) {
        char digit = text.data[i];
        if (digit < '0' || digit > '9' || (i == 0 && digit == '0' && text.length > 1))
            return refuse(error, "write a number");
        value = 10 * value + (uint64_t)(digit - '0');
    }
    if (!is_board(value)) return refuse(error, "no board has that number");
    *key = value;
    return ANTIPODE_OK;
}

#if defined(LIE_DRAW)
static uint64_t swapped(uint64_t key) {
    return key == 700 ? 900 : key == 900 ? 700 : key;
}
static AntipodeStatus fast_draw(const void *handle, const uint64_t *key, AntipodeText *out) {
    uint64_t other = swapped(*key);
    return draw(handle, &other, out);
}
static AntipodeStatus fast_parse(const void *handle, AntipodeStr text, uint64_t *key, AntipodeText *error) {
    AntipodeStatus status = parse(handle, text, key, error);
    if (status == ANTIPODE_OK) *key = swapped(*key);
    return status;
}
#endif

/* ---- roots, parts, ranks ---- */

static AntipodeStatus give(AntipodeSink sink, uint64_t key) {
    return sink.emit(sink.context, &key, 1) ? ANTIPODE_STOPPED : ANTIPODE_OK;
}

static AntipodeStatus starts(const void *handle, AntipodeSink sink) {
    (void)handle;
#if defined(LIE_JUNK)
    return give(sink, 0);
#elif defined(TWO_STARTS)
    return give(sink, LAST) == ANTIPODE_OK ? give(sink, BEYOND + 10) : ANTIPODE_STOPPED;
#else
    return give(sink, LAST);
#endif
}

#if defined(LIE_START)
static AntipodeStatus fast_starts(const void *handle, AntipodeSink sink) {
    (void)handle;
    return give(sink, BEYOND + 3);
}
#endif

static AntipodeStatus solved_states(const void *handle, uint64_t part, AntipodeSink sink) {
    (void)handle;
    return give(sink, part ? BEYOND : 0);
}

#if defined(PARTS)
static AntipodeStatus part_count(const void *handle, uint64_t *count) {
    (void)handle;
    *count = 2;
    return ANTIPODE_OK;
}
static AntipodeStatus space(const void *handle, uint64_t part, uint64_t *size) {
    (void)handle;
    *size = part ? 11 : LAST + 1;
    return ANTIPODE_OK;
}
static AntipodeStatus place(const void *handle, const uint64_t *keys, size_t count, uint64_t *parts, uint64_t *ranks) {
    (void)handle;
    for (size_t i = 0; i < count; i++) {
        parts[i] = keys[i] >= BEYOND;
        ranks[i] = keys[i] - (parts[i] ? BEYOND : 0);
#if defined(LIE_PLACE)
        if (keys[i] == FROM) { parts[i] = 1; ranks[i] = 5; }
#endif
    }
    return ANTIPODE_OK;
}
static AntipodeStatus unrank(const void *handle, uint64_t part, const uint64_t *ranks, size_t count, uint64_t *keys) {
    (void)handle;
    for (size_t i = 0; i < count; i++) keys[i] = ranks[i] + (part ? BEYOND : 0);
    return ANTIPODE_OK;
}
#elif defined(LIE_PHANTOM)
/* The rank FROM is that of what no board is; the boards from there on come one later. */
static AntipodeStatus space(const void *handle, uint64_t part, uint64_t *size) {
    (void)handle;
    (void)part;
    *size = LAST + 2;
    return ANTIPODE_OK;
}
static AntipodeStatus place(const void *handle, const uint64_t *keys, size_t count, uint64_t *parts, uint64_t *ranks) {
    (void)handle;
    for (size_t i = 0; i < count; i++) {
        parts[i] = keys[i] > LAST && keys[i] != BEYOND ? ANTIPODE_NOWHERE : 0;
        ranks[i] = keys[i] == BEYOND ? FROM : keys[i] + (keys[i] >= FROM);
    }
    return ANTIPODE_OK;
}
static AntipodeStatus unrank(const void *handle, uint64_t part, const uint64_t *ranks, size_t count, uint64_t *keys) {
    (void)handle;
    (void)part;
    for (size_t i = 0; i < count; i++)
        keys[i] = ranks[i] == FROM ? BEYOND : ranks[i] - (ranks[i] > FROM);
    return ANTIPODE_OK;
}
#endif

/* ---- the table ---- */

static AntipodeStatus open_line(AntipodeStr instance, AntipodeStr settings, void **handle, AntipodeText *error) {
    static int opened;
#if defined(LIE_GOAL)
    int known = settings.length == 0 || (settings.length == 5 && memcmp(settings.data, "to=x", 4) == 0);
#else
    int known = settings.length == 0;
#endif
    if (!known) return refuse(error, "no such setting");
    if (instance.length != 1 || instance.data[0] != 'a') return refuse(error, "use a");
    *handle = &opened;
    return ANTIPODE_OK;
}
static void close_line(void *handle) { (void)handle; }

static const AntipodeNamed instances[] = {{"a", "a line"}};
#if defined(LIE_GOAL)
static const AntipodeNamed known_settings[] = {{"to", "what is solved"}};
#endif
static AntipodeVariant variants[2];
static AntipodeTable table;

static void fill(AntipodeVariant *variant, const char *name) {
    /* Some lies leave these out. */
    (void)rule_predecessors;
    (void)fast_predecessors;
    (void)solved_states;
    variant->name = name;
    variant->open = open_line;
    variant->close = close_line;
    variant->successors = rule_successors;
    variant->is_solved = is_solved;
    variant->draw = draw;
    variant->parse = parse;
    variant->starts = starts;
#if !defined(LIE_JUNK) && !defined(LIE_START) && !defined(LIE_MOVES) && !defined(LIE_GOAL)
    variant->predecessors = rule_predecessors;
#endif
#if !defined(NOTHING_SOLVED) && !defined(LIE_JUNK) && !defined(LIE_START) && !defined(LIE_MOVES)
    variant->solved_states = solved_states;
#endif
#if defined(PARTS)
    variant->part_count = part_count;
#endif
#if defined(PARTS) || defined(LIE_PHANTOM)
    variant->space = space;
    variant->place = place;
    variant->unrank = unrank;
#endif
#if defined(LAYERED)
    variant->facts = ANTIPODE_IS_LAYERED;
#endif
}

ANTIPODE_EXPORT const AntipodeTable *antipode_puzzle_v1(void) {
    AntipodeVariant *fast = &variants[0];
    fill(&variants[0], "fast");
    fill(&variants[1], "reference");
    fast->successors = fast_successors;
    if (fast->predecessors) fast->predecessors = fast_predecessors;
#if defined(FAST_HAS_NO_PARTS)
    fast->part_count = NULL;
    fast->space = NULL;
    fast->place = NULL;
    fast->unrank = NULL;
#endif
#if defined(LIE_START)
    fast->starts = fast_starts;
#elif defined(LIE_LIST)
    /* Only the fast variant lists what is solved, and not all of it. */
    variants[1].solved_states = NULL;
#elif defined(LIE_DRAW)
    fast->draw = fast_draw;
    fast->parse = fast_parse;
#elif defined(LIE_GOAL)
    table.settings = known_settings;
    table.setting_count = 1;
#endif
    table.abi_version = ANTIPODE_ABI_VERSION;
    table.table_size = sizeof table;
    table.variant_size = sizeof(AntipodeVariant);
    table.key_words = 1;
    table.name = "line";
    table.version = "1";
    table.instance_count = 1;
    table.instances = instances;
    table.variants = variants;
    table.variant_count = 2;
#if defined(LIE_PREDECESSORS) || defined(LIE_PHANTOM) || defined(LIE_GOAL)
    /* The rulebook alone. */
    table.variants = variants + 1;
    table.variant_count = 1;
#endif
    return &table;
}
