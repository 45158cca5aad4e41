"""A rulebook whose moves have odd names: with commas and blanks, long, and two for one move."""
import json
import sys

LONG = "n" * 600
MOVES = {
    "a": [["a 1", "b"], ["a 1,2", "lost"], ["1, 1", "c"], [" go  far ", "goal"], ["x", "goal"],
          ["y", "goal"], ["r7", "lost"], ["r7,c5", "e"], [LONG + "x", "lost"], [LONG + "y", "d"]],
    "b": [["2", "goal"]],
    "c": [["2,1", "goal"]],
    "d": [["on", "goal"]],
    "e": [["r1,c1", "goal"]],
    "goal": [],
    "lost": [],
}

for line in sys.stdin:
    ask = json.loads(line)
    if ask["do"] == "about":
        answer = {"name": "names", "instances": [{"name": "one", "start": "a"}]}
    elif ask["do"] == "open":
        answer = {}
    elif any(state not in MOVES for state in ask.get("states", [])):
        answer = {"error": "no such state"}
    elif ask["do"] == "moves":
        answer = {"moves": [MOVES[state] for state in ask["states"]]}
    elif ask["do"] == "solved":
        answer = {"solved": [state == "goal" for state in ask["states"]]}
    else:
        answer = {"unsupported": True}
    print(json.dumps(answer), flush=True)
