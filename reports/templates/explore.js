// The page of `antipode explore`. The address says which position is shown, so that it can be
// shared; every move is an entry of the browser's history, so that undoing is going back.
(() => {
  'use strict';
  const root = document.getElementById('explore');
  const at = (id) => document.getElementById(id);
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
  let shown = null;
  let playing = 0;
  let asking = null;
  let antipodes = 0;
  let drawing = 0;
  let edited = null;

  const make = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const moves = (count) => (count === 1 ? '1 move' : `${count} moves`);
  const boardOf = (address) => new URL(address).searchParams.get('board');
  const addressOf = (board) => `${location.pathname}?${new URLSearchParams({ ...settings, board })}`;

  // Markup of pictures comes from the server, which escapes what it draws; all other text is
  // set as text.
  const picture = (svg, board) => {
    if (svg === null) return make('pre', 'board-text', board.replaceAll('/', '\n'));
    const holder = make('div');
    holder.innerHTML = svg;
    return holder.firstElementChild;
  };

  const complain = (line) => {
    at('error').hidden = !line;
    at('error').textContent = line ?? '';
  };

  const ask = async (path, words) => {
    asking?.abort();
    asking = new AbortController();
    const busy = setTimeout(() => root.classList.add('busy'), 200);
    try {
      const query = new URLSearchParams(Object.entries({ ...settings, ...words }).filter(([, value]) => value !== null));
      const answer = await fetch(`${api}${path}?${query}`, { signal: asking.signal });
      const said = await answer.json();
      if (!answer.ok) throw new Error(said.error);
      return said;
    } catch (error) {
      if (error.name === 'AbortError') return null;
      throw error.name === 'TypeError' ? new Error('The server does not answer; is it still running?') : error;
    } finally {
      clearTimeout(busy);
      root.classList.remove('busy');
    }
  };

  const sentence = (position) => {
    if (position.distance === 0) return 'Solved';
    if (position.distance !== null) return `${moves(position.distance)} from solved`;
    if (position.at_least !== null) return `At least ${moves(position.at_least)} from solved; not finished`;
    return position.unsolvable ? 'Cannot be solved' : 'Distance not known';
  };
  const figure = (move) => {
    if (move.distance !== null) return String(move.distance);
    if (move.at_least !== null) return `\u2265\u2009${move.at_least}`;
    return move.unsolvable ? '\u221e' : '';
  };
  const spoken = (move) => {
    if (move.distance !== null) return `${moves(move.distance)} from solved after it`;
    if (move.at_least !== null) return `at least ${moves(move.at_least)} from solved after it`;
    return move.unsolvable ? 'cannot be solved after it' : 'distance after it not known';
  };

  const showMoves = () => {
    const list = shown.position.moves.map((move, index) => {
      const name = move.move ?? `move ${index + 1}`;
      const button = make('button');
      button.type = 'button';
      button.classList.toggle('shortest', move.shortest);
      button.classList.toggle('worst', move.worst);
      button.append(picture(shown.moves[index], move.board), make('span', 'what', name), make('span', 'after', figure(move)));
      const mark = move.shortest ? 'shortest' : move.worst ? 'worst' : '';
      if (mark) button.append(make('span', 'mark', mark));
      button.setAttribute('aria-label', `${name}: ${spoken(move)}${mark && `, ${mark}`}`);
      button.addEventListener('click', () => go({ board: move.board }));
      const item = make('li');
      item.append(button);
      return item;
    });
    at('moves').replaceChildren(...list);
    at('none').hidden = list.length > 0;
  };

  const showLevels = () => {
    const { levels, distance, part } = shown.position;
    at('far').hidden = levels.length === 0;
    at('levels-of').textContent = `${part === null ? 'Positions' : 'Positions of this part'} at each distance; choose one to go to a random position there.`;
    const most = Math.max(1, ...levels.map((level) => Number(level.states)));
    at('levels').replaceChildren(...levels.map((level) => {
      const button = make('button');
      button.type = 'button';
      const line = make('span', 'bar-line');
      line.style.width = `${(100 * Number(level.states)) / most}%`;
      const states = Number(level.states).toLocaleString('en');
      button.append(make('span', 'depth', level.depth), line, make('span', 'size', states));
      button.setAttribute('aria-label', `A random position at distance ${level.depth}; there are ${states}`);
      if (level.depth === distance) button.setAttribute('aria-current', 'true');
      button.addEventListener('click', () => random(level.depth));
      const item = make('li');
      item.append(button);
      return item;
    }));
  };

  const show = () => {
    const { position } = shown;
    at('distance').textContent = sentence(position);
    at('part').textContent = position.part === null ? '' : `Part ${position.part}`;
    at('board').replaceChildren(picture(position.svg, position.board));
    at('basis').textContent = position.basis;
    at('notes').replaceChildren(...position.notes.map((line) => make('li', '', line)));
    at('undo').disabled = !(history.state?.played > 0);
    at('best').disabled = !position.moves.some((move) => move.shortest);
    at('play').disabled = at('best').disabled;
    // Who cannot press a button is told why.
    at('undo').title = at('undo').disabled ? 'No move has been made yet' : '';
    const noBest = position.distance === 0 ? 'The position is solved' : 'Of no move is it known that it is a shortest one';
    [at('best'), at('play')].forEach((button) => { button.title = button.disabled ? noBest : ''; });
    at('typed').value = position.board;
    showMoves();
    showLevels();
    document.querySelector('.ahead').hidden = false;
  };

  // Goes to what the server gives for `words`; a new entry of the history, unless it is the
  // page's first or the browser's own doing.
  const go = async (words, entry = 'push') => {
    try {
      const answer = await ask('', words);
      if (!answer) return false;
      stopEditing();
      complain(null);
      shown = answer;
      const address = addressOf(answer.position.board);
      if (entry === 'push') history.pushState({ played: (history.state?.played ?? 0) + 1 }, '', address);
      if (entry === 'replace') history.replaceState({ played: history.state?.played ?? 0 }, '', address);
      show();
      return true;
    } catch (error) {
      if (!shown) at('distance').textContent = '';
      complain(error.message);
      return false;
    }
  };

  const best = () => {
    const move = shown?.position.moves.find((each) => each.shortest);
    return move ? go({ board: move.board }) : false;
  };
  const antipode = () => {
    stopPlaying();
    return go({ board: shown?.position.board ?? null, go: 'antipode', n: antipodes++ });
  };
  const random = (distance) => {
    stopPlaying();
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    return go({ board: shown?.position.board ?? null, go: 'random', at: distance ?? null, seed });
  };
  const undo = () => {
    stopPlaying();
    if (history.state?.played > 0) history.back();
  };

  const stopPlaying = () => {
    playing += 1;
    at('play').setAttribute('aria-pressed', 'false');
  };
  const play = async () => {
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

  // ---- editing ------------------------------------------------------------------------

  const brush = () => document.querySelector('.brush[aria-checked=true]')?.dataset.symbol;
  const choose = (button) => {
    document.querySelectorAll('.brush').forEach((each) => each.setAttribute('aria-checked', String(each === button)));
  };
  const nameOf = (symbol) => {
    const known = [...document.querySelectorAll('.brush')].find((each) => each.dataset.symbol === symbol);
    return known ? known.textContent.trim().replace(/\s+\S$/, '') : symbol;
  };

  const paint = (row, column, symbol) => {
    edited[row][column] = symbol;
    at('typed').value = edited.map((cells) => cells.join('')).join('/');
    return draw([row, column]);
  };

  const cellsOver = (focus) => {
    const width = Math.max(...edited.map((cells) => cells.length));
    const grid = make('div', 'cells');
    grid.setAttribute('role', 'group');
    grid.setAttribute('aria-label', 'Cells of the board');
    grid.style.gridTemplate = `repeat(${edited.length}, 1fr) / repeat(${width}, 1fr)`;
    edited.forEach((cells, row) => cells.forEach((symbol, column) => {
      const button = make('button');
      button.type = 'button';
      button.style.gridArea = `${row + 1} / ${column + 1}`;
      button.dataset.cell = `${row},${column}`;
      button.tabIndex = focus ? (focus[0] === row && focus[1] === column ? 0 : -1) : (row + column === 0 ? 0 : -1);
      button.setAttribute('aria-label', `row ${row + 1}, column ${column + 1}: ${nameOf(symbol)}`);
      button.addEventListener('click', () => { if (brush()) paint(row, column, brush()); });
      button.addEventListener('keydown', (event) => {
        const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
        if (step) {
          event.preventDefault();
          grid.querySelector(`[data-cell="${row + step[0]},${column + step[1]}"]`)?.focus();
        } else if ([...event.key].length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey) {
          event.preventDefault();
          event.stopPropagation();
          paint(row, column, event.key);
        }
      });
      grid.append(button);
    }));
    return grid;
  };

  const draw = async (focus) => {
    drawing += 1;
    const mine = drawing;
    const text = edited.map((cells) => cells.join('')).join('/');
    try {
      const drawn = await ask('/picture', { board: text });
      if (!drawn || mine !== drawing || !edited) return;
      const image = picture(drawn.svg, text);
      at('board').replaceChildren(image);
      if (drawn.svg !== null) at('board').append(cellsOver(focus));
      if (focus) at('board').querySelector(`[data-cell="${focus[0]},${focus[1]}"]`)?.focus();
      at('done').disabled = drawn.error !== null;
      at('done').title = drawn.error ?? '';
      complain(drawn.error);
    } catch (error) {
      complain(error.message);
    }
  };

  const read = (text) => text.split('/').map((row) => [...row]);
  const startEditing = () => {
    stopPlaying();
    edited = read(shown?.position.board ?? at('typed').value);
    at('edit').setAttribute('aria-pressed', 'true');
    at('editor').hidden = false;
    if (!brush() && document.querySelector('.brush')) choose(document.querySelector('.brush'));
    at('distance').textContent = 'Editing';
    document.querySelector('.ahead').hidden = true;
    draw(null);
  };
  const stopEditing = () => {
    edited = null;
    at('edit').setAttribute('aria-pressed', 'false');
    at('editor').hidden = true;
    at('done').disabled = false;
    at('done').title = '';
  };
  const giveUp = () => {
    if (!edited) return;
    stopEditing();
    complain(null);
    if (shown) show();
  };

  document.querySelectorAll('.brush').forEach((button) => button.addEventListener('click', () => choose(button)));
  at('typed').addEventListener('input', () => {
    edited = read(at('typed').value);
    draw(null);
  });
  at('text').addEventListener('submit', (event) => {
    event.preventDefault();
    if (!at('done').disabled) go({ board: at('typed').value });
  });

  // ---- what starts things -------------------------------------------------------------

  const act = {
    u: undo,
    b: () => { stopPlaying(); return best(); },
    p: play,
    a: antipode,
    r: () => random(null),
    e: () => (edited ? giveUp() : startEditing()),
  };
  Object.entries({ undo: 'u', best: 'b', play: 'p', antipode: 'a', random: 'r', edit: 'e' })
    .forEach(([id, key]) => at(id).addEventListener('click', () => act[key]()));

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') return giveUp();
    if (event.target.matches('input, .cells button')) return;
    const list = shown?.position.moves ?? [];
    const arrow = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' }[event.key];
    const named = arrow && list.find((move) => move.move === arrow);
    const numbered = /^[1-9]$/.test(event.key) && list[Number(event.key) - 1];
    const move = !edited && (named || numbered);
    if (move) {
      event.preventDefault();
      stopPlaying();
      go({ board: move.board });
    } else if (act[event.key.toLowerCase()]) {
      event.preventDefault();
      const button = { u: 'undo', b: 'best', p: 'play' }[event.key.toLowerCase()];
      if (!button || !at(button).disabled) act[event.key.toLowerCase()]();
    }
  });
  window.addEventListener('popstate', () => go({ board: boardOf(location.href) }, 'none'));
  go({ board: boardOf(location.href) }, 'replace');
})();
