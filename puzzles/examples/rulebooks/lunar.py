"""Lunar Lockout: robots slide until another robot stops them; X is to reach the middle."""
import json, sys

CARDS = {"card-1": "....O/..G../.P.../...Y./....X", "card-2": "..O../....G/.P.../...Y./.X..."}

def moves(state):
    rows = [list(row) for row in state.split("/")]
    for y, row in enumerate(rows):
        for x, robot in enumerate(row):
            if robot == ".":
                continue
            for way, dx, dy in ("left", -1, 0), ("right", 1, 0), ("up", 0, -1), ("down", 0, 1):
                tx, ty = x, y
                while 0 <= tx + dx < 5 and 0 <= ty + dy < 5 and rows[ty + dy][tx + dx] == ".":
                    tx, ty = tx + dx, ty + dy
                inside = 0 <= tx + dx < 5 and 0 <= ty + dy < 5
                if inside and (tx, ty) != (x, y):
                    rows[y][x], rows[ty][tx] = ".", robot
                    yield [f"{robot} {way}", "/".join(map("".join, rows))]
                    rows[y][x], rows[ty][tx] = robot, "."

def answer(ask):
    if ask["do"] == "about":
        instances = [{"name": name, "start": start} for name, start in CARDS.items()]
        return {"name": "lunar", "summary": "Lunar Lockout", "instances": instances}
    if ask["do"] == "open":
        known = ask["instance"] in CARDS and not ask["settings"]
        return {} if known else {"error": "use card-1 or card-2, without settings"}
    if ask["do"] == "moves":
        return {"moves": [list(moves(state)) for state in ask["states"]]}
    if ask["do"] == "solved":
        return {"solved": [state[14:15] == "X" for state in ask["states"]]}
    return {"unsupported": True}

for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
