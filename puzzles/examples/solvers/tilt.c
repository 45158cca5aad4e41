/* Tilt by breadth-first search: the direction of each move, a line each.
 *
 *     cc -O2 -o tilt tilt.c
 *     antipode referee tilt --command './tilt {board}'
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 5, CELLS = SIDE * SIDE, MOST = 1 << 22, SLOTS = 1 << 23 };

struct state {
    char cells[CELLS];
    signed char by; /* the direction that led here */
    int before;
};

static struct state *states;
static int *slots, count;
static const char *const names[] = {"up", "right", "down", "left"};
static const int steps[] = {-SIDE, 1, SIDE, -1};

static int is_block(char c) { return c == 'b' || c == 'g'; }

/* Whether the neighbour of a cell in a direction is on the board. */
static int inside(int cell, int direction) {
    int row = cell / SIDE, column = cell % SIDE;
    switch (direction) {
    case 0: return row > 0;
    case 1: return column < SIDE - 1;
    case 2: return row < SIDE - 1;
    default: return column > 0;
    }
}

/* Slides everything; false where a blue block falls into the hole. */
static int tilt(char *cells, int direction) {
    for (int i = 0; i < CELLS; i++) {
        /* Those that lead the way go first. */
        int cell = direction == 1 || direction == 2 ? CELLS - 1 - i : i;
        char block = cells[cell];
        if (!is_block(block)) continue;
        cells[cell] = '.';
        int at = cell;
        while (inside(at, direction)) {
            char next = cells[at + steps[direction]];
            if (next == 'O') {
                if (block == 'b') return 0;
                at = -1;
                break;
            }
            if (next != '.') break;
            at += steps[direction];
        }
        if (at >= 0) cells[at] = block;
    }
    return 1;
}

/* Puts a state into the queue unless it is there. */
static void add(const char *cells, int by, int before) {
    unsigned hash = 2166136261u;
    for (int i = 0; i < CELLS; i++) hash = (hash ^ (unsigned char)cells[i]) * 16777619u;
    unsigned slot = hash % SLOTS;
    while (slots[slot]) {
        if (!memcmp(states[slots[slot] - 1].cells, cells, CELLS)) return;
        slot = (slot + 1) % SLOTS;
    }
    if (count == MOST) {
        fprintf(stderr, "more than %d states\n", MOST);
        exit(1);
    }
    memcpy(states[count].cells, cells, CELLS);
    states[count].by = (signed char)by;
    states[count].before = before;
    slots[slot] = ++count;
}

static void print(int at) {
    if (states[at].before < 0) return;
    print(states[at].before);
    puts(names[states[at].by]);
}

int main(int argc, char **argv) {
    states = malloc(sizeof *states * MOST);
    slots = calloc(SLOTS, sizeof *slots);
    char cells[CELLS];
    int filled = 0;
    for (const char *c = argc > 1 ? argv[1] : ""; *c && filled < CELLS; c++)
        if (*c != '/') cells[filled++] = *c;
    if (!states || !slots || filled < CELLS) {
        fprintf(stderr, "usage: tilt ROW/ROW/ROW/ROW/ROW\n");
        return 2;
    }
    add(cells, 0, -1);
    for (int at = 0; at < count; at++) {
        if (!memchr(states[at].cells, 'g', CELLS)) {
            print(at);
            return 0;
        }
        for (int direction = 0; direction < 4; direction++) {
            memcpy(cells, states[at].cells, CELLS);
            if (tilt(cells, direction)) add(cells, direction, at);
        }
    }
    puts("unsolvable");
    return 0;
}
