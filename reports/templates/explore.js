// The page of `antipode explore`. The address says which position is shown, so that it can be
// shared, and whether distances are; every move is an entry of the browser's history.
(() => {
  'use strict';
  const root = document.getElementById('explore');
  const at = (id) => document.getElementById(id);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  // What is set travels in the address, and with every question.
  const isSet = ([key, value]) => key.startsWith('set.') && value !== '';
  const settings = Object.fromEntries([...new URLSearchParams(location.search)].filter(isSet));
  at('settings')?.addEventListener('submit', (event) => {
    event.preventDefault();
    const chosen = [...new FormData(event.target)].filter(isSet);
    location.assign(`${location.pathname}?${new URLSearchParams(chosen)}`);
  });
  if (!root) return;

  const api = root.dataset.api;
  const pause = 600;
  const slide = 180;
  let shown = null; // what the server said of the position
  let informed = false; // whether that has distances
  let trail = []; // positions come by: {board, label, start}
  let held = null; // a piece that is taken: {cell, ways}
  let dragged = null; // a piece under the pointer
  let edited = null; // rows of symbols, while the board is edited
  let playing = 0;
  let antipodes = 0;
  let drawing = 0;
  let asking = null;

  const make = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const moves = (count, unit = 'moves') => `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
  const hidden = () => at('distances').getAttribute('aria-checked') === 'false';
  const asked = (name) => new URLSearchParams(location.search).get(name);
  const addressOf = (board) => {
    const words = { ...settings, board, ...(hidden() ? { distances: 'hidden' } : {}) };
    return `${location.pathname}?${new URLSearchParams(words)}`;
  };
  const step = () => history.state?.at ?? 0;
  const say = (line) => { at('said').textContent = line; };
  const complain = (line) => {
    at('error').hidden = !line;
    at('error').textContent = line ?? '';
  };

  // Markup of pictures comes from the server, which escapes what it draws; all other text is
  // set as text.
  const picture = (svg, board) => {
    if (svg === null) return make('pre', 'board-text', board.replaceAll('/', '\n'));
    const holder = make('div');
    holder.innerHTML = svg;
    return holder.firstElementChild;
  };

  const ask = async (path, words, alone = new AbortController()) => {
    const busy = setTimeout(() => root.classList.add('busy'), 200);
    try {
      const query = new URLSearchParams(Object.entries({ ...settings, ...words }).filter(([, value]) => value !== null));
      const answer = await fetch(`${api}${path}?${query}`, { signal: alone.signal });
      const told = await answer.json();
      if (!answer.ok) throw new Error(told.error);
      return told;
    } catch (error) {
      if (error.name === 'AbortError') return null;
      throw error.name === 'TypeError' ? new Error('The server does not answer; is it still running?') : error;
    } finally {
      clearTimeout(busy);
      root.classList.remove('busy');
    }
  };
  // Of two questions about positions, the later one counts.
  const askNow = (words) => {
    asking?.abort();
    asking = new AbortController();
    return ask('', words, asking);
  };

  // ---- what is known of a position ------------------------------------------------------

  const sentence = (position) => {
    if (position.distance === 0) return 'Solved';
    if (hidden()) return step() === 0 ? 'To be solved' : `${moves(step())} made`;
    if (!informed) return 'Working it out …';
    if (position.distance !== null) return `${moves(position.distance, position.unit)} from solved`;
    if (position.at_least !== null) return `At least ${moves(position.at_least, position.unit)} from solved; not finished`;
    return position.unsolvable ? 'Cannot be solved' : 'Distance not known';
  };
  const figure = (move) => {
    if (move.distance !== null) return [String(move.distance), ' from solved after it'];
    if (move.at_least !== null) return [`\u2265\u2009${move.at_least}`, ' from solved after it'];
    return move.unsolvable ? ['\u221e', ' no solution after it'] : ['', ''];
  };
  // What a move costs: nothing, one move, more, all. Groups are in this order.
  const groupOf = (move) => {
    const here = shown.position.distance;
    if (!informed || hidden()) return [0, ''];
    if (move.unsolvable) return [1e9, 'Never solves it'];
    if (here === null || move.distance === null) return [1e8, 'Not known'];
    const lost = move.distance - here;
    if (lost < 0) return [lost, 'Fastest'];
    return [lost, lost === 0 ? 'Keeps the distance' : `Loses ${lost}`];
  };
  // Places of the moves in the list of the server, as the page lists them.
  const inOrder = () => {
    const places = shown.position.moves.map((_, index) => index);
    return places.sort((a, b) => groupOf(shown.position.moves[a])[0] - groupOf(shown.position.moves[b])[0] || a - b);
  };
  const nameOf = (index) => shown.position.moves[index].move ?? `move ${index + 1}`;

  const showMoves = () => {
    const groups = new Map();
    inOrder().forEach((index, place) => {
      const move = shown.position.moves[index];
      const [number, words] = hidden() ? ['', ''] : figure(move);
      const button = make('button');
      button.type = 'button';
      button.classList.toggle('shortest', move.shortest && !hidden());
      const what = make('span', 'what', nameOf(index));
      const after = make('span', 'after', number);
      after.append(make('span', 'unseen', words));
      button.append(picture(shown.moves[index].svg, move.board), what, ' ', after);
      if (place < 9) button.append(make('kbd', '', place + 1));
      button.addEventListener('click', () => play(index));
      const item = make('li');
      item.append(button);
      const name = groupOf(move)[1];
      groups.set(name, [...(groups.get(name) ?? []), item]);
    });
    at('moves').replaceChildren(...[...groups].flatMap(([name, items]) => {
      const list = make('ol', 'moves');
      list.append(...items);
      return name ? [make('h3', '', name), list] : [list];
    }));
    at('none').hidden = groups.size > 0;
  };

  const showLevels = () => {
    const { levels, distance, part } = shown.position;
    at('far').hidden = levels.length === 0 || hidden();
    at('levels-of').textContent = `${part === null ? 'Positions' : 'Positions of this part'} at each distance; choose one to go to a random position there.`;
    const most = Math.max(1, ...levels.map((level) => Number(level.states)));
    at('levels').replaceChildren(...levels.map((level) => {
      const button = make('button');
      button.type = 'button';
      const line = make('span', 'bar-line');
      line.style.width = `${(100 * Number(level.states)) / most}%`;
      const states = Number(level.states).toLocaleString('en');
      button.append(make('span', 'depth', level.depth), line, make('span', 'size', states));
      if (level.depth === distance) button.setAttribute('aria-current', 'true');
      button.addEventListener('click', () => random(level.depth));
      const item = make('li');
      item.append(button);
      return item;
    }));
  };

  const showTrail = () => {
    at('trail').replaceChildren(...trail.map((entry, place) => {
      const button = make('button', '', entry.label);
      button.type = 'button';
      if (place === step()) button.setAttribute('aria-current', 'step');
      button.addEventListener('click', () => jump(place));
      const item = make('li');
      item.append(button);
      return item;
    }));
    const list = at('trail');
    const current = list.children[step()];
    if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  };

  // Who cannot use a button is told why.
  const allow = (id, why) => {
    at(id).setAttribute('aria-disabled', String(Boolean(why)));
    at(id).dataset.why = why ?? '';
    at(id).title = why ?? '';
  };
  const showButtons = () => {
    const { position, obstacles } = shown;
    Object.keys(buttons).forEach((id) => allow(id, null));
    const solved = position.distance === 0 ? 'The position is solved.' : null;
    const noBest = solved ?? (informed && !position.moves.some((move) => move.shortest)
      ? position.unsolvable ? 'The position cannot be solved.' : 'No move is known to be a shortest one.' : null);
    const first = step() === 0 ? 'No move has been made yet.' : null;
    allow('undo', first);
    allow('restart', first);
    ['hint', 'best', 'play'].forEach((id) => allow(id, noBest));
    allow('solvable', solved);
    const [antipode, drawn] = obstacles ?? [null, null];
    allow('antipode', antipode && `Which position is farthest is not known: ${antipode}.`);
    allow('random', drawn && `No position can be drawn: ${drawn}.`);
    allow('copy-moves', first);
  };

  const inform = () => {
    const { position } = shown;
    at('distance').textContent = sentence(position);
    at('part').textContent = position.part === null ? '' : `Part ${position.part}`;
    at('basis').textContent = informed ? position.basis : '';
    at('notes').replaceChildren(...(informed && !hidden() ? position.notes : []).map((line) => make('li', '', line)));
    showMoves();
    showLevels();
    showButtons();
  };

  // Asks for distances, shown or not; whether they are there now.
  const learn = async () => {
    if (informed) return true;
    const board = shown.position.board;
    const told = await askNow({ board });
    if (!told || shown.position.board !== board) return false;
    [shown, informed] = [told, true];
    inform();
    return true;
  };

  // ---- the board ------------------------------------------------------------------------

  const same = (one, other) => one[0] === other[0] && one[1] === other[1];
  const lies = (cell, cells) => cells.some((each) => same(each, cell));
  const minus = (one, other) => [one[0] - other[0], one[1] - other[1]];
  const length = ([row, column]) => Math.hypot(row, column);
  const brushOf = (symbol) => all('.brush').find((each) => each.dataset.symbol === symbol);
  // Cells as they are drawn: rows of discs stand, each from its bottom, or one from its top.
  const stacks = all('.brush').some((each) => each.dataset.shape === 'stack');
  const turn = (lines) => [...Array(Math.max(...lines.map((line) => line.length))).keys()]
    .map((place) => lines.map((line) => line[place] ?? ' '));
  const rows = (board) => {
    const lines = board.split('/').map((row) => [...row]);
    if (!stacks) return lines;
    // The sign of a disc has a column of its own.
    if (brushOf('-')) return (board.match(/-?[^-]/g) ?? []).map((disc) => [disc.at(-1), disc.length > 1 ? '-' : ' ']);
    return lines.length > 1 ? turn(lines).reverse() : turn(lines);
  };
  const textOf = (cells) => {
    if (stacks && cells.some((line) => line.length === 2 && '- '.includes(line[1]))) {
      return cells.map(([disc, sign]) => (sign === '-' ? '-' : '') + disc).join('');
    }
    const lines = !stacks ? cells : turn(cells[0].length > 1 ? [...cells].reverse() : cells);
    return lines.map((line) => line.join('')).join('/');
  };
  const names = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] };
  const arrows = { ArrowUp: names.up, ArrowDown: names.down, ArrowLeft: names.left, ArrowRight: names.right };
  const nearest = (far) => {
    const [row, column] = far.map(Math.abs);
    return row > column ? [Math.sign(far[0]), 0] : [0, Math.sign(far[1])];
  };

  // How far a piece goes.
  const wayOf = (shift) => minus(shift.to[0], shift.from[0]);
  // Which moves take the piece on a cell somewhere.
  const waysFrom = (cell) => shown.moves.flatMap(({ shifts }, index) => shifts
    .filter((shift) => shift.to.length > 0 && lies(cell, shift.from))
    .map((shift) => ({ index, shift, way: wayOf(shift) })));
  // The direction of a move by which all that moves goes the same way, or that is called after it.
  const directionOf = (index) => {
    const named = names[shown.position.moves[index].move];
    if (named) return named;
    const ways = shown.moves[index].shifts.filter((shift) => shift.from.length > 0 && shift.to.length > 0).map(wayOf);
    const straight = ways.length > 0 && ways.every(([row, column]) => (row === 0) !== (column === 0));
    const directions = ways.map(nearest);
    return straight && directions.every((each) => same(each, directions[0])) ? directions[0] : null;
  };
  // The move of a direction, on boards that are tilted: no two moves go the same way there.
  const tiltTo = (direction) => {
    const directions = shown.moves.map((_, index) => directionOf(index));
    const clear = directions.every((one, index) => one && !directions.some((other, place) => place < index && other && same(one, other)));
    const found = clear ? directions.findIndex((each) => same(each, direction)) : -1;
    return found < 0 ? null : found;
  };
  // The move that changes a cell and has it in its middle, as the press of a light.
  const pressOf = (cell) => {
    const middle = (shifts) => {
      const cells = shifts.flatMap((shift) => [...shift.from, ...shift.to]);
      if (!lies(cell, cells)) return Infinity;
      const mean = [0, 1].map((axis) => cells.reduce((sum, each) => sum + each[axis], 0) / cells.length);
      return length(minus(mean, cell));
    };
    const far = shown.moves.map(({ shifts }) => middle(shifts));
    const least = Math.min(...far);
    const best = far.filter((each) => each < least + 1e-6);
    return Number.isFinite(least) && best.length === 1 ? far.indexOf(least) : null;
  };

  const board = () => at('board').querySelector('svg');
  const isNet = () => Boolean(board()?.dataset.net);
  const columns = () => Math.max(...(isNet() ? all('[data-cell]', board()).map((each) => Number(each.dataset.cell.split(',')[1]) + 1)
    : rows(shown.position.board).map((row) => row.length)));
  const unit = () => (board().viewBox.baseVal.width - 2) / columns();
  const pieceAt = (cell) => board().querySelector(`.piece[data-at="${cell}"]`);
  const cellAt = (cell) => at('board').querySelector(`[data-cell="${cell}"]`);
  const put = (piece, [row, column]) => {
    piece.setAttribute('transform', `translate(${column * unit()} ${row * unit()})`);
  };
  // Lets a piece slide from a place to where it is drawn, or from there to a place.
  const glide = (piece, from, to = [0, 0]) => {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const frame = ([row, column]) => ({ transform: `translate(${column * unit()}px, ${row * unit()}px)` });
    return piece.animate([frame(from), frame(to)], { duration: still ? 0 : slide, easing: 'ease-out' });
  };
  // Slides the pieces of the board just drawn to their places: `shifts` led there, and a piece
  // that was dragged is part of the way already.
  const arrive = (shifts, before, dropped, direction) => {
    shifts.forEach((shift) => {
      const [from] = shift.from;
      const [to] = shift.to;
      if (from && to) {
        const piece = pieceAt(to);
        const ahead = dropped && same(dropped.cell, from) ? dropped.offset : [0, 0];
        const start = minus(from, to);
        if (piece) glide(piece, [start[0] + ahead[0], start[1] + ahead[1]]);
      } else if (from) {
        const gone = before?.querySelector(`.piece[data-at="${from}"]`);
        if (!gone) return;
        // It falls into the next hole on its way, if there is one; else it fades where it is.
        const cells = rows(shown.position.board);
        let end = from;
        const isHole = ([row, column]) => brushOf(cells[row][column])?.dataset.shape === 'hole';
        for (let next = from; direction && cells[next[0]]?.[next[1]]; next = minus(next, [-direction[0], -direction[1]])) {
          if (isHole(next)) { end = next; break; }
        }
        board().append(gone);
        glide(gone, [0, 0], minus(end, from)).finished.then(() => gone.remove(), () => gone.remove());
      }
    });
  };

  const showBoard = (before, dropped) => {
    const { position } = shown;
    const old = board();
    const focused = document.activeElement?.dataset?.cell;
    at('board').replaceChildren(picture(position.svg, position.board));
    if (position.svg === null) return;
    const symbols = new Set(board().dataset.net ?? position.board);
    all('#key li').forEach((item) => { item.hidden = !symbols.has(item.dataset.key); });
    at('how').hidden = isNet();
    at('turn').hidden = !isNet();
    if (isNet()) return;
    const back = before ? shown.position.moves.findIndex((move) => move.board === before.position.board) : -1;
    const forth = before ? before.position.moves.findIndex((move) => move.board === position.board) : -1;
    const turned = (shift) => ({ from: shift.to, to: shift.from });
    const shifts = forth >= 0 ? before.moves[forth].shifts : back >= 0 ? shown.moves[back].shifts.map(turned) : [];
    let focus = focused?.split(',').map(Number);
    const taken = focus && shifts.find((shift) => lies(focus, shift.from) && shift.to.length > 0);
    if (taken) [focus] = taken.to;
    at('board').append(cellsOver(rows(position.board), focus));
    if (focus) cellAt(focus)?.focus({ preventScroll: true });
    const direction = forth >= 0 ? names[before.position.moves[forth].move] : null;
    arrive(shifts, old, dropped, direction);
  };

  const mark = (name, cells) => cells.forEach((cell) => cellAt(cell)?.classList.add(name));
  const hold = (cell, ways) => {
    release();
    if (ways.length === 0) return;
    held = { cell, ways };
    mark('held', ways[0].shift.from);
    ways.forEach(({ shift }) => mark('target', shift.to.filter((each) => !lies(each, shift.from))));
  };
  const release = () => {
    held = null;
    all('.held, .target', at('board')).forEach((each) => each.classList.remove('held', 'target'));
  };
  // A tap, or Enter: to where the piece in hand goes, else on a piece or a light.
  const tap = (cell) => {
    stopPlaying();
    const ends = held?.ways.filter(({ shift }) => lies(cell, shift.to) && !lies(cell, shift.from)) ?? [];
    // Of places that a long piece covers from several, the nearest.
    ends.sort((one, other) => length(one.way) - length(other.way));
    if (ends.length > 0) return play(ends[0].index);
    const again = held && held.ways.some(({ shift }) => lies(cell, shift.from));
    release();
    if (again) return undefined;
    const ways = waysFrom(cell);
    if (ways.length === 1) return play(ways[0].index);
    if (ways.length > 1) return hold(cell, ways);
    const press = pressOf(cell);
    return press === null ? undefined : play(press);
  };
  // The piece in hand one step in a direction.
  const push = (direction) => {
    const ways = held.ways.filter(({ way }) => same(nearest(way), direction) && way.includes(0));
    ways.sort((one, other) => length(one.way) - length(other.way));
    if (ways.length === 0) return say('It cannot go there.');
    const { cell } = held;
    const [{ index, way }] = ways;
    return play(index).then(() => {
      const there = [cell[0] + way[0], cell[1] + way[1]];
      hold(there, waysFrom(there));
    });
  };

  const cellsOver = (cells, focus, typing) => {
    const width = Math.max(...cells.map((row) => row.length));
    const grid = make('div', typing ? 'cells typing' : 'cells');
    grid.setAttribute('role', 'group');
    grid.setAttribute('aria-label', 'Cells of the board');
    grid.style.gridTemplate = `repeat(${cells.length}, 1fr) / repeat(${width}, 1fr)`;
    const first = focus ?? [0, 0];
    cells.forEach((line, row) => line.forEach((symbol, column) => {
      const button = make('button');
      button.type = 'button';
      button.style.gridArea = `${row + 1} / ${column + 1}`;
      button.dataset.cell = `${row},${column}`;
      button.tabIndex = same(first, [row, column]) ? 0 : -1;
      const name = brushOf(symbol)?.dataset.name ?? symbol;
      button.setAttribute('aria-label', `row ${row + 1}, column ${column + 1}: ${name}`);
      // A click by the mouse is a tap that the board has seen already.
      button.addEventListener('click', (event) => {
        if (edited && brush()) paint(row, column, brush());
        else if (!edited && event.detail === 0) tap([row, column]);
      });
      button.addEventListener('keydown', (event) => {
        const arrow = arrows[event.key];
        if (arrow && !held && (edited || tiltTo(arrow) === null)) {
          event.preventDefault();
          event.stopPropagation();
          cellAt([row + arrow[0], column + arrow[1]])?.focus();
        } else if (typing && [...event.key].length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey) {
          event.preventDefault();
          event.stopPropagation();
          paint(row, column, event.key);
        }
      });
      grid.append(button);
    }));
    return grid;
  };

  // ---- dragging -------------------------------------------------------------------------

  const pointed = (event) => {
    const box = (at('board').querySelector('.cells') ?? board()).getBoundingClientRect();
    const size = box.width / columns();
    return [(event.clientY - box.top) / size, (event.clientX - box.left) / size];
  };
  // Where a piece may be on the way to one of its ends: nearest to the pointer.
  const onTrack = (ways, far) => {
    if (ways.some(({ way }) => !way.includes(0))) return far;
    const places = ways.map(({ way }) => {
      const long = way[0] ** 2 + way[1] ** 2;
      const share = Math.min(1, Math.max(0, (far[0] * way[0] + far[1] * way[1]) / long));
      return [way[0] * share, way[1] * share];
    });
    return places.reduce((best, each) => (length(minus(each, far)) < length(minus(best, far)) ? each : best), [0, 0]);
  };
  // The move that a drag over `far` cells means.
  const meant = (cell, ways, far) => {
    if (length(far) < 0.3) return null;
    const tilt = tiltTo(nearest(far));
    if (tilt !== null) return tilt;
    const near = [...ways].sort((one, other) => length(minus(one.way, far)) - length(minus(other.way, far)))[0];
    if (near && length(minus(near.way, far)) < Math.min(length(far), near.way.includes(0) ? Infinity : 0.8)) return near.index;
    const along = ways.filter(({ way }) => same(nearest(way), nearest(far)));
    return along.length === 1 && length(far) > 0.5 ? along[0].index : null;
  };

  at('board').addEventListener('pointerdown', (event) => {
    if (edited || !shown || event.button !== 0) return;
    const on = event.target.closest('[data-cell]');
    if (!on) return;
    // The focus stays where it is: cells take it by keys alone.
    event.preventDefault();
    const start = pointed(event);
    const cell = on.dataset.cell.split(',').map(Number);
    const ways = waysFrom(cell);
    dragged = { start, cell, ways, far: [0, 0], offset: [0, 0], piece: ways[0] && pieceAt(ways[0].shift.from[0]) };
    at('board').setPointerCapture(event.pointerId);
  });
  // A swipe is no scroll that the next tap would only stop.
  at('board').addEventListener('touchstart', (event) => {
    if (!edited && event.target.closest('[data-cell]')) event.preventDefault();
  }, { passive: false });
  at('board').addEventListener('pointermove', (event) => {
    if (!dragged) return;
    dragged.far = minus(pointed(event), dragged.start);
    if (!dragged.piece || tiltTo(nearest(dragged.far)) !== null) return;
    dragged.offset = onTrack(dragged.ways, dragged.far);
    put(dragged.piece, dragged.offset);
  });
  const drop = (event) => {
    if (!dragged) return;
    const { cell, ways, far, offset, piece } = dragged;
    dragged = null;
    const index = event.type === 'pointerup' ? meant(cell, ways, far) : null;
    if (index !== null) {
      stopPlaying();
      play(index, ways[0] && { cell: ways[0].shift.from[0], offset });
      return;
    }
    if (piece) {
      piece.removeAttribute('transform');
      if (length(offset) > 0) glide(piece, offset);
    }
    if (event.type === 'pointerup' && length(far) < 0.3) tap(cell);
  };
  at('board').addEventListener('pointerup', drop);
  at('board').addEventListener('pointercancel', drop);

  // ---- going on -------------------------------------------------------------------------

  const remember = () => {
    try {
      sessionStorage.setItem(location.pathname, JSON.stringify(trail));
    } catch { /* A list that is not kept over a reload is no loss. */ }
  };
  const remembered = () => {
    try {
      return JSON.parse(sessionStorage.getItem(location.pathname)) ?? [];
    } catch {
      return [];
    }
  };
  // Notes where the page has come to: a move or a new start after the place in the list, or
  // another place of it.
  const note = (entry, how) => {
    const address = addressOf(entry.board);
    if (how === 'none') return;
    const place = how === 'replace' ? step() : how === 'push' ? step() + 1 : how;
    if (how === 'replace') history.replaceState({ at: place }, '', address);
    else history.pushState({ at: place, moved: how === 'push' }, '', address);
    if (typeof how === 'string' && trail[place]?.board !== entry.board) trail = [...trail.slice(0, place), entry];
  };
  // Goes to what the server gives for `words`. `how` is `push` for a new entry of the list,
  // `replace` for the page's first, `none` after the browser's own doing, or a place in the list.
  const go = async (words, how = 'push', label = null, dropped = null) => {
    try {
      const told = await askNow({ ...words, say: 'moves' });
      if (!told) return false;
      stopEditing();
      complain(null);
      say('');
      held = null;
      const before = shown;
      [shown, informed] = [told, false];
      const { board } = told.position;
      note({ board, label: label ?? 'start', start: label === null || words.go !== undefined }, how);
      if (trail[step()]?.board !== board) trail = [...Array.from({ length: step() }, () => ({ board, label: '?' })), { board, label: 'start', start: true }];
      remember();
      at('typed').value = board;
      showBoard(before, dropped);
      showTrail();
      if (hidden()) inform();
      else {
        at('distance').textContent = sentence(told.position);
        // Old moves are no moves any more; new ones come with their distances, if that is soon.
        at('moves').inert = true;
        showButtons();
        const soon = setTimeout(() => { if (!informed) inform(); at('moves').inert = false; }, 150);
        learn().catch((error) => complain(error.message)).finally(() => {
          clearTimeout(soon);
          at('moves').inert = false;
        });
      }
      return true;
    } catch (error) {
      if (!shown) at('distance').textContent = '';
      if (dragged === null && shown) showBoard(null);
      complain(error.message);
      return false;
    }
  };
  const play = (index, dropped) => go({ board: shown.position.moves[index].board }, 'push', nameOf(index), dropped);
  const jump = (place) => {
    stopPlaying();
    if (place !== step() && trail[place]) go({ board: trail[place].board }, place);
  };
  const undo = () => {
    stopPlaying();
    if (history.state?.moved) history.back();
    else jump(step() - 1);
  };
  const lastStart = () => trail.findLastIndex((entry, place) => entry.start && place < step());

  const bestMove = async () => ((await learn()) ? shown.position.moves.findIndex((move) => move.shortest) : -1);
  const best = async () => {
    const index = await bestMove();
    return index < 0 ? false : play(index);
  };
  const hint = async () => {
    stopPlaying();
    const index = await bestMove();
    if (index < 0) return say('No move is known to be a shortest one.');
    say(`Hint: ${nameOf(index)}`);
    const shift = shown.moves[index].shifts.find((each) => each.from.length > 0 && each.to.length > 0);
    if (shift) return hold(shift.from[0], [{ index, shift, way: wayOf(shift) }]);
    release();
    return mark('target', shown.moves[index].shifts.flatMap(({ from, to }) => [...from, ...to]));
  };
  const solvable = async () => {
    say('Working it out …');
    if (!(await learn())) return;
    const { position } = shown;
    say(position.unsolvable ? 'No: from here it cannot be solved.'
      : position.distance !== null ? 'Yes: it can be solved from here.' : 'That is not known.');
  };
  const antipode = () => {
    stopPlaying();
    return go({ board: shown?.position.board ?? null, go: 'antipode', n: antipodes++ }, 'push', 'farthest');
  };
  const random = (distance) => {
    stopPlaying();
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    return go({ board: shown?.position.board ?? null, go: 'random', at: distance ?? null, seed }, 'push', 'random');
  };
  const showDistances = (on) => {
    at('distances').setAttribute('aria-checked', String(on));
    if (!shown) return;
    history.replaceState(history.state, '', addressOf(shown.position.board));
    inform();
    if (on) learn().catch((error) => complain(error.message));
  };

  const stopPlaying = () => {
    playing += 1;
    at('play').setAttribute('aria-pressed', 'false');
  };
  const solve = async () => {
    if (at('play').getAttribute('aria-pressed') === 'true') return stopPlaying();
    playing += 1;
    const mine = playing;
    at('play').setAttribute('aria-pressed', 'true');
    while (mine === playing && (await best())) {
      await new Promise((done) => { setTimeout(done, pause); });
    }
    if (mine === playing) stopPlaying();
    return undefined;
  };

  const copy = async (what, text) => {
    try {
      await navigator.clipboard.writeText(text);
      say(`Copied: ${what}.`);
    } catch {
      say(text);
    }
  };
  const quoted = (word) => (/^[\w./=:,+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  const command = () => {
    const set = Object.entries(settings).map(([key, value]) => ` --set ${quoted(`${key.slice(4)}=${value}`)}`);
    return `${root.dataset.command}${set.join('')} --board ${quoted(shown.position.board)}`;
  };
  const movesMade = () => {
    const from = trail[step()]?.start ? step() : lastStart();
    return trail.slice(from + 1, step() + 1).map((entry) => entry.label).join(', ');
  };

  // ---- editing --------------------------------------------------------------------------

  const brush = () => document.querySelector('.brush[aria-checked=true]')?.dataset.symbol;
  const choose = (button) => {
    all('.brush').forEach((each) => each.setAttribute('aria-checked', String(each === button)));
  };
  const paint = (row, column, symbol) => {
    edited[row][column] = symbol;
    at('typed').value = textOf(edited);
    return draw([row, column]);
  };
  const draw = async (focus) => {
    drawing += 1;
    const mine = drawing;
    const text = textOf(edited);
    try {
      const drawn = await ask('/picture', { board: text });
      if (!drawn || mine !== drawing || !edited) return;
      at('board').replaceChildren(picture(drawn.svg, text));
      const net = isNet();
      if (drawn.svg !== null && !net) at('board').append(cellsOver(edited, focus, true));
      if (focus) cellAt(focus)?.focus();
      if (at('paint')) at('paint').hidden = net;
      all('.brush').forEach((button) => { button.hidden = net || !drawn.symbols.includes(button.dataset.symbol); });
      if (!net && !brush()) choose(all('.brush').find((button) => !button.hidden));
      at('done').disabled = drawn.error !== null;
      at('wrong').textContent = drawn.error ?? '';
    } catch (error) {
      complain(error.message);
    }
  };
  const startEditing = () => {
    stopPlaying();
    release();
    edited = rows(shown?.position.board ?? at('typed').value);
    at('edit').setAttribute('aria-pressed', 'true');
    at('editor').hidden = false;
    at('distance').textContent = 'Editing';
    at('ahead').hidden = true;
    draw(null);
  };
  const stopEditing = () => {
    edited = null;
    at('edit').setAttribute('aria-pressed', 'false');
    at('editor').hidden = true;
    at('ahead').hidden = false;
    at('done').disabled = false;
    at('wrong').textContent = '';
  };
  const giveUp = () => {
    release();
    if (!edited) return;
    stopEditing();
    complain(null);
    if (!shown) return;
    at('typed').value = shown.position.board;
    showBoard(null);
    inform();
  };
  all('.brush').forEach((button) => {
    button.dataset.name = button.textContent.trim().replace(/\s+\S$/, '');
    button.addEventListener('click', () => choose(button));
  });
  at('typed').addEventListener('input', () => {
    edited = rows(at('typed').value);
    draw(null);
  });
  at('text').addEventListener('submit', (event) => {
    event.preventDefault();
    if (!at('done').disabled) go({ board: at('typed').value }, 'push', null);
  });

  // ---- what starts things ---------------------------------------------------------------

  const buttons = {
    undo: ['u', undo],
    restart: ['0', () => jump(lastStart())],
    hint: ['h', hint],
    solvable: ['s', solvable],
    best: ['b', () => { stopPlaying(); return best(); }],
    play: ['p', solve],
    antipode: ['a', antipode],
    random: ['r', () => random(null)],
    edit: ['e', () => (edited ? giveUp() : startEditing())],
    distances: ['d', () => showDistances(hidden())],
    'copy-board': ['', () => copy('the board', shown.position.board)],
    'copy-moves': ['', () => copy('the moves', movesMade())],
    'copy-command': ['', () => copy('the command', command())],
  };
  const start = async (id) => {
    if (at(id).dataset.why) return say(at(id).dataset.why);
    try {
      return await buttons[id][1]();
    } catch (error) {
      return complain(error.message);
    }
  };
  Object.keys(buttons).forEach((id) => at(id).addEventListener('click', () => start(id)));

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') { giveUp(); return; }
    if (event.target.matches('input') || !shown) return;
    const arrow = arrows[event.key];
    const index = edited ? undefined : /^[1-9]$/.test(event.key) ? inOrder()[Number(event.key) - 1] : arrow && (tiltTo(arrow) ?? undefined);
    const id = Object.keys(buttons).find((each) => buttons[each][0] === event.key.toLowerCase());
    if (arrow && held) {
      event.preventDefault();
      push(arrow);
    } else if (index !== undefined) {
      event.preventDefault();
      stopPlaying();
      play(index);
    } else if (id && !event.target.matches('.editor .cells button')) {
      event.preventDefault();
      start(id);
    }
  });
  window.addEventListener('popstate', () => go({ board: asked('board') }, 'none'));

  at('distances').setAttribute('aria-checked', String(asked('distances') !== 'hidden'));
  Object.keys(buttons).filter((id) => id !== 'edit').forEach((id) => allow(id, 'No position is shown yet.'));
  trail = history.state ? remembered() : [];
  go({ board: asked('board') }, 'replace').then(async () => {
    const goal = shown && (await ask('/goal', { board: shown.position.board }).catch(() => null));
    if (!goal) return;
    at('goal').hidden = false;
    at('goal').firstElementChild.textContent = goal.only ? 'The goal' : 'Solved, for example';
    at('goal').lastElementChild.replaceChildren(picture(goal.svg, goal.board));
  });
})();
