// The 8-puzzle in JavaScript: slide a tile into the gap until the board reads .12/345/678
const GOAL = ".12/345/678";
const NEXT = { up: -4, down: 4, left: -1, right: 1 };

function moves(state) {
  const gap = state.indexOf(".");
  const found = [];
  for (const [way, step] of Object.entries(NEXT)) {
    const tile = state[gap - step];
    if (tile === undefined || tile === "/") continue;
    const cells = [...state];
    [cells[gap], cells[gap - step]] = [tile, "."];
    found.push([`${tile} ${way}`, cells.join("")]);
  }
  return found;
}

function answer(ask) {
  switch (ask.do) {
    case "about": {
      // One of the two boards that need the most moves, 31.
      const hardest = { name: "3x3", start: "8.6/547/231" };
      return { name: "tiles", summary: "the 8-puzzle", instances: [hardest] };
    }
    case "open": {
      const known = ask.instance === "3x3" && Object.keys(ask.settings).length === 0;
      return known ? {} : { error: "use 3x3, without settings" };
    }
    case "moves": return { moves: ask.states.map(moves) };
    case "solved": return { solved: ask.states.map((state) => state === GOAL) };
    case "goals": return { goals: [GOAL] };
    default: return { unsupported: true };
  }
}

const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => console.log(JSON.stringify(answer(JSON.parse(line)))));
