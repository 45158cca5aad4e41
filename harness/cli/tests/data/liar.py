"""A rulebook of a walk from 40 to 0, with a fault named on the command line."""
import json, os, subprocess, sys, time

fault, long_track = sys.argv[1], "one-way" in sys.argv[1]
last = 600 if long_track else 40
if fault == "long-one-way-but-not":
    last = 280
asked, before = {}, None

def moves(state, batch):
    global before
    n = int(state)
    asked[state] = asked.get(state, 0) + 1
    lies = {
        "repetition": asked[state] > 1,
        "batch": len(batch) > 1 and n == 33,
        "alone": len(batch) == 1 and n == 33,
        "order": before == "34" and n == 33,
        "seed": n == 33 and hash("33") % 2,
        "parity": n == 33 and os.getpid() % 2,
        "process": n == 33 and os.getpid() % 2 == int(time.time_ns() // 1000) % 2,
    }
    before = state
    to = [n - 1, n + 1]
    if lies.get(fault):
        to = [max(0, n - 5)]
    if fault == "one-way" and n == 300:
        to += [3]
    if fault.startswith("one-way-in") and n == 299:
        to = [298]
    if fault == "one-way-in-short" and n == 450:
        to += [10]
    if n == 33:
        if fault == "crash":
            raise SystemExit(3)
        if fault == "signal":
            os.kill(os.getpid(), 11)
        if fault in ("hang", "orphan"):
            time.sleep(1000)
        if fault == "huge":
            sys.stdout.write("[" * (300 << 20))
        if fault == "long":
            return ["7" * 1025]
        if fault == "two-lines":
            return ["7\n8"]
        if fault == "number":
            return [32, 34]
    named = fault == "same-names"
    return [["go", str(k)] if named else str(k) for k in to if 0 <= k <= last]

def answer(ask):
    do = ask["do"]
    if fault == do + "-error":
        return {"error": "not today"}
    if fault == do + "-unsupported":
        return {"unsupported": True}
    if do == "about":
        if fault == "nameless":
            return {"instances": []}
        if fault.startswith("crowd-"):
            most = int(fault[6:])
            all = [{"name": f"a{n}"} for n in range(1, most)]
            return {"name": "walk", "instances": [*all, {"name": "last", "start": "7"}]}
        first = 200 if fault.startswith("one-way-in") else last
        if fault == "start":
            first -= time.time_ns() // 1000 % 2
        return {"name": "walk", "instances": [{"name": "a", "start": str(first)}]}
    if do == "open" and fault.startswith("crowd-") and ask["instance"] != "last":
        return {"error": "closed"}
    if do == "open":
        return {"error": "takes no settings"} if ask["settings"] and fault != "any-setting" else {}
    if do == "moves" and fault != "unknown":
        return {"moves": [moves(state, ask["states"]) for state in ask["states"]][fault == "few":]}
    if do == "solved":
        if fault == "nonsense":
            [int(state) for state in ask["states"]]
        lie = fault == "solved" and len(ask["states"]) > 1
        also = ["7"] if fault == "goals-few" else []
        return {"solved": [state in ["7" if lie else "0", *also] for state in ask["states"]]}
    if do == "goals" and long_track:
        return {"goals": ["0"]}
    if do == "goals" and fault.startswith("goals-"):
        return {"goals": {"goals-none": [], "goals-more": ["0", "7"]}.get(fault, ["7"])}
    return {"unsupported": True}

if fault == "orphan":
    subprocess.Popen(["sleep", sys.argv[2]])
if fault == "stderr":
    sys.stderr.write("x" * 79 + "\n" * (1 << 20))
if fault == "shy":
    raise SystemExit(0)
for line in sys.stdin:
    said = json.dumps(answer(json.loads(line)))
    if fault == "late":
        time.sleep(0.01)
    if fault == "log" and '"33"' in line:
        print("thinking about 33")
    if fault == "junk" and '"33"' in line:
        said = "Traceback"
    if fault == "bom":
        said = "\ufeff" + said
    print(said, flush=True, end="\r" if fault == "cr" else "\n")
    if fault == "twice":
        print(said, flush=True)
