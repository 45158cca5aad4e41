"""The 8-puzzle with one move that is none: from a hardest board to the goal."""
import json, sys

FAR, GOAL = "867/254/3.1", "123/456/78."

def moves(state):
    cells = state.replace("/", "")
    at = cells.index(".")
    for to in (at - 3, at + 3, at - 1, at + 1):
        if 0 <= to < 9 and (abs(to - at) == 3 or to // 3 == at // 3):
            other = list(cells)
            other[at], other[to] = other[to], other[at]
            other = "".join(other)
            yield [f"{cells[to]} moves", "/".join((other[:3], other[3:6], other[6:]))]
    if state == FAR:
        yield ["cheat", GOAL]

for line in sys.stdin:
    ask = json.loads(line)
    answers = {
        "about": {"name": "sliding-tile", "instances": [{"name": "3x3", "start": FAR}]},
        "open": {},
        "moves": {"moves": [list(moves(state)) for state in ask.get("states", [])]},
        "solved": {"solved": [state == GOAL for state in ask.get("states", [])]},
    }
    print(json.dumps(answers.get(ask["do"], {"unsupported": True})), flush=True)
