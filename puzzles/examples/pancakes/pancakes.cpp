/*
 * Pancakes: a stack of n pancakes of different sizes; a move puts a spatula somewhere and
 * turns all above it over. The aim is a stack sorted by size, and, for pancakes burnt on
 * one side, with every burnt side down.
 *
 * A whole puzzle in C++11 with nothing but the header:
 *
 *     c++ -std=c++11 -O2 -shared -fPIC -I puzzle-api/include \
 *         puzzles/examples/pancakes/pancakes.cpp -o pancakes.so
 *     antipode analyse pancakes/plain-7 --plugin ./pancakes.so
 *
 * The number of turns that every stack can be sorted with (the pancake numbers) is known:
 * 1, 3, 4, 5, 7, 8, 9 for 2 to 8 plain pancakes (OEIS A058986), 4, 6, 8, 10, 12 for 2 to
 * 6 burnt ones (A078941).
 *
 * Only what is required is offered, and what a search back from the goal takes. Exceptions are fine inside, as
 * long as `guarded` stands between them and the harness.
 */
#include "antipode.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

/* Four bits a pancake, the topmost lowest: three for its size, from 0, and one that says
 * that the burnt side is up. */
const unsigned MOST = 8;

struct Stack {
    unsigned count;
    bool burnt;
};

const Stack &stack_of(const void *handle) { return *static_cast<const Stack *>(handle); }

unsigned pancake(std::uint64_t key, unsigned at) { return key >> (4 * at) & 15; }

std::uint64_t with(std::uint64_t key, unsigned at, std::uint64_t pancake)
{
    return key | pancake << (4 * at);
}

std::uint64_t sorted(const Stack &stack)
{
    std::uint64_t key = 0;
    for (unsigned at = 0; at < stack.count; at++) key = with(key, at, at);
    return key;
}

/* The stack with its `turned` topmost pancakes turned over. */
std::uint64_t turn(const Stack &stack, std::uint64_t key, unsigned turned)
{
    std::uint64_t next = 0;
    for (unsigned at = 0; at < stack.count; at++) {
        if (at < turned) {
            next = with(next, at, pancake(key, turned - 1 - at) ^ (stack.burnt ? 8u : 0u));
        } else {
            next = with(next, at, pancake(key, at));
        }
    }
    return next;
}

std::string text_of(AntipodeStr text) { return std::string(text.data, text.length); }

AntipodeStatus write_text(AntipodeText *out, const std::string &text)
{
    std::memcpy(out->data, text.data(), std::min(text.size(), out->capacity));
    out->length = text.size();
    return text.size() > out->capacity ? ANTIPODE_MORE_ROOM : ANTIPODE_OK;
}

thread_local std::string last_failure;

/* Keeps exceptions in: bad input is told apart from a failure of ours. */
template <class Body> AntipodeStatus guarded(AntipodeText *error, Body body)
{
    try {
        return body();
    } catch (const std::invalid_argument &bad) {
        if (error) write_text(error, bad.what());
        return ANTIPODE_BAD_INPUT;
    } catch (const std::exception &failure) {
        last_failure = failure.what();
        return ANTIPODE_FAILED;
    } catch (...) {
        last_failure = "an exception of no known type";
        return ANTIPODE_FAILED;
    }
}

AntipodeStatus failure(AntipodeText *text) { return write_text(text, last_failure); }

AntipodeStatus open_stack(AntipodeStr instance, AntipodeStr settings, void **handle,
                          AntipodeText *error)
{
    return guarded(error, [&] {
        if (settings.length > 0) throw std::invalid_argument("pancakes takes no settings");
        const std::string name = text_of(instance);
        const bool burnt = name.compare(0, 6, "burnt-") == 0;
        const bool plain = name.compare(0, 6, "plain-") == 0;
        const unsigned most = burnt ? 6 : MOST;
        if ((burnt || plain) && name.size() == 7 && name[6] >= '2' && name[6] <= char('0' + most)) {
            *handle = new Stack{unsigned(name[6] - '0'), burnt};
            return ANTIPODE_OK;
        }
        throw std::invalid_argument("no instance " + name + ": use plain-2 to plain-8 or burnt-2 to burnt-6");
    });
}

void close_stack(void *handle) { delete static_cast<Stack *>(handle); }

AntipodeStatus solved_states(const void *handle, std::uint64_t, AntipodeSink sink)
{
    const std::uint64_t key = sorted(stack_of(handle));
    return sink.emit(sink.context, &key, 1) == 0 ? ANTIPODE_OK : ANTIPODE_STOPPED;
}

AntipodeStatus successors(const void *handle, const std::uint64_t *keys, std::size_t count,
                          std::uint64_t *out, std::size_t capacity, std::size_t *offsets,
                          std::size_t *done)
{
    const Stack &stack = stack_of(handle);
    /* Turning one plain pancake changes nothing. */
    const unsigned least = stack.burnt ? 1 : 2;
    std::size_t filled = 0;
    offsets[0] = 0;
    for (std::size_t i = 0; i < count; i++) {
        if (capacity - filled < stack.count) {
            *done = i;
            return ANTIPODE_MORE_ROOM;
        }
        for (unsigned turned = least; turned <= stack.count; turned++)
            out[filled++] = turn(stack, keys[i], turned);
        offsets[i + 1] = filled;
    }
    *done = count;
    return ANTIPODE_OK;
}

AntipodeStatus is_solved(const void *handle, const std::uint64_t *keys, std::size_t count,
                         std::uint8_t *out)
{
    const std::uint64_t goal = sorted(stack_of(handle));
    for (std::size_t i = 0; i < count; i++) out[i] = keys[i] == goal;
    return ANTIPODE_OK;
}

/* Sizes from 1, the topmost first; a minus sign says that the burnt side is up. */
AntipodeStatus parse(const void *handle, AntipodeStr given, std::uint64_t *key, AntipodeText *error)
{
    return guarded(error, [&] {
        const Stack &stack = stack_of(handle);
        const std::string text = text_of(given);
        std::vector<bool> seen(stack.count, false);
        unsigned at = 0;
        bool minus = false;
        *key = 0;
        for (char c : text) {
            if (c == '-' && stack.burnt && !minus) {
                minus = true;
                continue;
            }
            if (c < '1' || c >= char('1' + stack.count) || seen[unsigned(c - '1')])
                throw std::invalid_argument("write each size from 1 to " + std::to_string(stack.count)
                                            + " once, the topmost first"
                                            + (stack.burnt ? ", with '-' before it where the burnt side is up" : ""));
            seen[unsigned(c - '1')] = true;
            *key = with(*key, at++, unsigned(c - '1') | (minus ? 8u : 0u));
            minus = false;
        }
        if (at != stack.count || minus)
            throw std::invalid_argument("a stack has " + std::to_string(stack.count) + " pancakes");
        return ANTIPODE_OK;
    });
}

AntipodeStatus draw(const void *handle, const std::uint64_t *key, AntipodeText *text)
{
    return guarded(nullptr, [&] {
        std::string drawn;
        for (unsigned at = 0; at < stack_of(handle).count; at++) {
            const unsigned top = pancake(*key, at);
            if (top & 8) drawn += '-';
            drawn += char('1' + (top & 7));
        }
        return write_text(text, drawn);
    });
}

const AntipodeNamed INSTANCES[] = {
    {"plain-2", "2 to 8 plain pancakes: n! stacks"},
    {"plain-3", "2 to 8 plain pancakes: n! stacks"},
    {"plain-4", "2 to 8 plain pancakes: n! stacks"},
    {"plain-5", "2 to 8 plain pancakes: n! stacks"},
    {"plain-6", "2 to 8 plain pancakes: n! stacks"},
    {"plain-7", "2 to 8 plain pancakes: n! stacks"},
    {"plain-8", "2 to 8 plain pancakes: n! stacks"},
    {"burnt-2", "2 to 6 pancakes burnt on one side: 2^n n! stacks"},
    {"burnt-3", "2 to 6 pancakes burnt on one side: 2^n n! stacks"},
    {"burnt-4", "2 to 6 pancakes burnt on one side: 2^n n! stacks"},
    {"burnt-5", "2 to 6 pancakes burnt on one side: 2^n n! stacks"},
    {"burnt-6", "2 to 6 pancakes burnt on one side: 2^n n! stacks"},
};

AntipodeVariant make_variant()
{
    AntipodeVariant variant = AntipodeVariant(); /* All null. */
    variant.name = "reference";
    variant.facts = ANTIPODE_IS_UNDIRECTED;
    variant.open = open_stack;
    variant.close = close_stack;
    variant.successors = successors;
    variant.is_solved = is_solved;
    variant.parse = parse;
    variant.draw = draw;
    variant.solved_states = solved_states;
    variant.predecessors = successors; /* A turn undoes itself. */
    return variant;
}

AntipodeTable make_table(const AntipodeVariant *variant)
{
    AntipodeTable table = AntipodeTable(); /* All null. */
    table.abi_version = ANTIPODE_ABI_VERSION;
    table.table_size = sizeof table;
    table.variant_size = sizeof *variant;
    table.key_words = 1;
    table.name = "pancakes";
    table.version = "1.0.0";
    table.summary = "Pancakes: sort a stack by turning its top over";
    table.instance_count = sizeof INSTANCES / sizeof *INSTANCES;
    table.instances = INSTANCES;
    table.variant_count = 1;
    table.variants = variant;
    table.failure = failure;
    return table;
}

} // namespace

extern "C" ANTIPODE_EXPORT const AntipodeTable *antipode_puzzle_v1(void)
{
    static const AntipodeVariant variant = make_variant();
    static const AntipodeTable table = make_table(&variant);
    return &table;
}
