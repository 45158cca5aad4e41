#!/usr/bin/env python3
"""Rush Hour by breadth-first search, in one page: the board after each move, a line each.

    antipode referee rush-hour --command 'python3 rush_hour.py {board}'
"""

import sys


def cars(rows):
    """Name -> (cells, whether it lies in a row)."""
    found = {}
    for r, row in enumerate(rows):
        for c, name in enumerate(row):
            if name not in ".#":
                found.setdefault(name, []).append((r, c))
    return {name: (cells, cells[0][0] == cells[1][0]) for name, cells in found.items()}


def moves(rows):
    """Every board after one move: one car, any number of free cells."""
    for name, (cells, lies) in cars(rows).items():
        for step in (-1, 1):
            board = [list(row) for row in rows]
            at = list(cells)
            while True:
                front = at[-1] if step > 0 else at[0]
                r, c = (front[0], front[1] + step) if lies else (front[0] + step, front[1])
                if not (0 <= r < len(board) and 0 <= c < len(board[r])) or board[r][c] != ".":
                    break
                back = at[0] if step > 0 else at[-1]
                board[back[0]][back[1]] = "."
                board[r][c] = name
                at = at[1:] + [(r, c)] if step > 0 else [(r, c)] + at[:-1]
                yield tuple("".join(row) for row in board)


def solved(rows):
    """The red car A is at the right edge."""
    return any(row.endswith("A") for row in rows)


def solve(start):
    """A shortest list of boards from start to a solved one; None where there is none."""
    before = {start: None}
    level = [start]
    while level:
        following = []
        for rows in level:
            if solved(rows):
                path = []
                while rows is not None:
                    path.append(rows)
                    rows = before[rows]
                return path[::-1]
            for after in moves(rows):
                if after not in before:
                    before[after] = rows
                    following.append(after)
        level = following
    return None


def main():
    path = solve(tuple(sys.argv[1].split("/")))
    if path is None:
        print("unsolvable")
    else:
        for rows in path:
            print("/".join(rows))


if __name__ == "__main__":
    main()
