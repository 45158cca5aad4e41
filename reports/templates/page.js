(() => {
  const order = new Intl.Collator('en', { numeric: true });
  const compare = (a, b) => {
    if (a === '' || b === '') return 0;
    const numbers = [Number(a), Number(b)];
    return numbers.some(Number.isNaN) ? order.compare(a, b) : numbers[0] - numbers[1];
  };

  document.querySelectorAll('table.sortable').forEach((table) => {
    const rows = [...table.tBodies[0].rows];
    const heads = [...table.tHead.rows[0].cells];
    const sortBy = (column) => {
      const head = heads[column];
      const down = head.getAttribute('aria-sort') === 'ascending';
      heads.forEach((other) => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const key = (row) => row.cells[column].dataset.key;
      // Rows without a figure stay at the end either way.
      rows.sort((a, b) => (key(a) === '') - (key(b) === '') || compare(key(a), key(b)) * (down ? -1 : 1));
      table.tBodies[0].append(...rows);
    };
    heads.forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      button.addEventListener('click', () => sortBy(column));
      head.append(button);
    });
  });

  // What the address says: a place on the page, and `move=17` of a solution there.
  const place = () => {
    const parts = decodeURIComponent(location.hash.slice(1)).split('&');
    const values = Object.fromEntries(parts.filter((part) => part.includes('=')).map((part) => part.split('=')));
    return { id: parts.find((part) => !part.includes('=')) ?? '', ...values };
  };
  // On an index, a claim that the address names has a page of its own.
  const { id: named, move } = place();
  const own = named && document.querySelector(`#page-table tr[data-claim="${CSS.escape(named)}"] a`);
  if (own && !own.getAttribute('href').startsWith('#')) {
    location.replace(own.href + (move ? `#move=${move}` : ''));
  }
  const replace = (address) => {
    try { history.replaceState(null, '', address); } catch { /* some browsers forbid it for files */ }
  };

  document.querySelectorAll('form.filter:not([data-claims])').forEach((form) => {
    const rows = [...document.getElementById(form.dataset.for).tBodies[0].rows];
    const find = form.querySelector('input');
    const choice = form.querySelector('select');
    const shown = form.querySelector('output');
    const filter = () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      const fits = (row) => {
        const text = (row.textContent + ' ' + (row.dataset.more ?? '')).toLowerCase();
        const wanted = choice?.value ?? '';
        return (!wanted || row.dataset.verdict === wanted) && words.every((word) => text.includes(word));
      };
      rows.forEach((row) => { row.hidden = !fits(row); });
      const count = rows.filter((row) => !row.hidden).length;
      const noun = form.dataset.noun;
      shown.textContent = count === rows.length ? `${count} ${noun}` : `${count} of ${rows.length} ${noun}`;
    };
    form.addEventListener('input', filter);
    form.addEventListener('submit', (event) => event.preventDefault());
    form.hidden = false;
    filter();
  });

  // Claims: words, verdicts and puzzles, kept in the address; the table and what follows obey.
  document.querySelectorAll('form.filter[data-claims]').forEach((form) => {
    const rows = [...document.getElementById(form.dataset.for).tBodies[0].rows];
    const articles = new Map([...document.querySelectorAll('article.claim')].map((one) => [one.dataset.claim, one]));
    const texts = new Map(rows.map((row) => [row, (row.textContent + ' ' + (row.dataset.more ?? '')).toLowerCase()]));
    const find = form.querySelector('input');
    const buttons = [...form.querySelectorAll('button[name]')];
    const reset = form.querySelector('button[type=reset]');
    const shown = form.querySelector('output');
    const pressed = (name) => buttons
      .filter((button) => button.name === name && button.getAttribute('aria-pressed') === 'true')
      .map((button) => button.value);
    const filter = () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      const verdicts = pressed('verdict');
      const puzzles = pressed('puzzle');
      const fits = (row) => (!puzzles.length || puzzles.includes(row.dataset.puzzle))
        && (!verdicts.length || verdicts.includes(row.dataset.verdict)
          || (verdicts.includes('unexpected') && 'unexpected' in row.dataset))
        && words.every((word) => texts.get(row).includes(word));
      rows.forEach((row) => {
        row.hidden = !fits(row);
        const article = articles.get(row.dataset.claim);
        if (article) article.hidden = row.hidden;
      });
      const count = rows.filter((row) => !row.hidden).length;
      const noun = form.dataset.noun;
      shown.textContent = count === rows.length ? `${count} ${noun}` : `${count} of ${rows.length} ${noun}`;
      reset.hidden = count === rows.length;
    };
    const tell = () => {
      filter();
      const query = new URLSearchParams();
      if (find.value) query.set('find', find.value);
      for (const name of ['verdict', 'puzzle']) {
        if (pressed(name).length) query.set(name, pressed(name).join(','));
      }
      const text = query.toString().replaceAll('%2C', ',');
      replace((text ? `?${text}` : location.pathname) + location.hash);
    };
    const press = (button, on) => button.setAttribute('aria-pressed', String(on));
    const toggle = (button) => {
      press(button, button.getAttribute('aria-pressed') !== 'true');
      tell();
    };
    const query = new URLSearchParams(location.search);
    find.value = query.get('find') ?? '';
    buttons.forEach((button) => {
      press(button, (query.get(button.name) ?? '').split(',').includes(button.value));
      button.addEventListener('click', () => toggle(button));
    });
    document.querySelectorAll('.counts li[data-verdict]').forEach((count) => {
      const mine = buttons.find((button) => button.name === 'verdict' && button.value === count.dataset.verdict);
      if (!mine) return;
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...count.childNodes);
      const mirror = () => press(button, mine.getAttribute('aria-pressed') === 'true');
      button.addEventListener('click', () => toggle(mine));
      new MutationObserver(mirror).observe(mine, { attributeFilter: ['aria-pressed'] });
      count.append(button);
      mirror();
    });
    form.addEventListener('input', tell);
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('reset', () => {
      buttons.forEach((button) => press(button, false));
      setTimeout(tell);
    });
    // A link to a claim that is filtered away shows it nonetheless.
    const follow = () => {
      const article = document.getElementById(place().id);
      if (!article?.matches('article.claim') || !article.hidden) return;
      form.reset();
      setTimeout(() => article.scrollIntoView());
    };
    window.addEventListener('hashchange', follow);
    form.hidden = false;
    filter();
    follow();
  });

  // Solutions: one large board with the moves at hand. The strip of all boards is folded away.
  const solutions = [...document.querySelectorAll('figure.solution')];
  let current = null;
  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    made.append(...children);
    return made;
  };
  const player = (figure) => {
    const strip = figure.querySelector('ol.strip');
    const steps = [...strip.children];
    const last = steps.length - 1;
    let at = 0;
    let timer = 0;
    const stage = element('div', { class: 'stage' });
    const told = element('output', { class: 'told' });
    const slider = element('input', { type: 'range', min: 0, max: last, value: 0, 'aria-label': 'Move' });
    const button = (text, label, act) => {
      const made = element('button', { type: 'button', 'aria-label': label, title: label }, text);
      made.addEventListener('click', act);
      return made;
    };
    const show = (to, silent) => {
      const isNext = to === at + 1;
      at = Math.max(0, Math.min(last, to));
      const step = steps[at];
      const board = [...step.children].find((child) => !child.matches('p')).cloneNode(true);
      stage.replaceChildren(board);
      // A step forward slides what moved to its place.
      if (isNext && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
        board.querySelectorAll('.went').forEach((piece) => {
          const [x, y] = piece.dataset.by.split(',');
          piece.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], { duration: 180, easing: 'ease-out' });
        });
      }
      const what = step.querySelector('b').textContent;
      told.value = at === 0 ? `Start, ${last} ${last === 1 ? 'move' : 'moves'} to go` : `Move ${at} of ${last}: ${what}`;
      slider.value = at;
      slider.setAttribute('aria-valuetext', told.value);
      back.disabled = at === 0;
      next.disabled = at === last;
      [...list.children].forEach((item, place) => {
        if (place === at) item.firstChild.setAttribute('aria-current', 'step');
        else item.firstChild.removeAttribute('aria-current');
      });
      list.scrollTop = list.children[at].offsetTop - list.offsetTop - list.clientHeight / 2;
      if (silent) return;
      current = made;
      const id = figure.closest('article[id]')?.id ?? '';
      const peers = solutions.filter((other) => (other.closest('article[id]')?.id ?? '') === id);
      const nth = peers.length > 1 ? `&solution=${peers.indexOf(figure) + 1}` : '';
      replace(`#${encodeURI(id)}${nth}&move=${at}`.replace('#&', '#'));
    };
    const pause = () => {
      clearInterval(timer);
      timer = 0;
      play.textContent = '▶';
      play.setAttribute('aria-label', 'Play');
      play.title = 'Play';
      told.setAttribute('aria-live', 'polite');
    };
    const run = () => {
      if (timer) return pause();
      told.setAttribute('aria-live', 'off');
      play.textContent = '❚❚';
      play.setAttribute('aria-label', 'Pause');
      play.title = 'Pause';
      show(at === last ? 0 : at + 1);
      timer = setInterval(() => (at === last ? pause() : show(at + 1)), 700);
      return undefined;
    };
    const by = (moves) => { pause(); show(at + moves); };
    const back = button('◀', 'Previous move', () => by(-1));
    const play = button('▶', 'Play', run);
    const next = button('▶▏', 'Next move', () => by(1));
    back.textContent = '▏◀';
    slider.addEventListener('input', () => { pause(); show(Number(slider.value)); });
    const made = {
      figure, by, run, show, last,
      key: (event) => {
        const keys = { ArrowLeft: () => by(-1), ArrowRight: () => by(1), Home: () => by(-at), End: () => by(last) };
        if (event.key === ' ' && event.target.tagName !== 'BUTTON') keys[' '] = run;
        if (!keys[event.key]) return;
        event.preventDefault();
        keys[event.key]();
      },
    };
    pause();
    const controls = element('div', { class: 'controls', role: 'group', 'aria-label': 'Moves' }, back, play, next, slider);
    // Every move by name; a click goes there.
    const list = element('ol', { class: 'trail', 'aria-label': 'Moves' }, ...steps.map((step, place) => {
      const made = element('button', { type: 'button' }, step.querySelector('b').textContent);
      made.addEventListener('click', () => { pause(); show(place); });
      return element('li', {}, made);
    }));
    const keys = element('p', { class: 'quiet keys' }, 'Keys: ← → and space');
    const box = element('div', { class: 'player' }, stage, controls, told, keys, list);
    let folded = figure.querySelector('details');
    if (!folded) {
      folded = element('details', {}, element('summary', {}, `All ${steps.length} positions`));
      strip.replaceWith(folded);
      folded.append(strip);
    }
    folded.before(box);
    figure.classList.add('playing');
    show(0, true);
    return made;
  };
  const players = new Map();
  const open = (figure) => {
    if (!players.has(figure)) players.set(figure, player(figure));
    return players.get(figure);
  };
  solutions.forEach((figure) => {
    if (!figure.matches('.card')) {
      open(figure);
      return;
    }
    const count = figure.querySelectorAll('ol.strip > li').length - 1;
    const button = element('button', { type: 'button', class: 'open' }, `▶ Play ${count} moves`);
    button.addEventListener('click', () => {
      const made = open(figure);
      made.show(0);
      made.figure.querySelector('.controls button:nth-child(2)').focus();
    });
    figure.querySelector('details').before(button);
  });
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const inside = event.target.closest?.('figure.solution');
    if (!inside && event.target.closest?.('input, select, textarea, [role=region]')) return;
    // Of several players the one in use, if it is in sight, else the first in sight.
    const inSight = (made) => {
      const box = made?.figure.getBoundingClientRect();
      return box && box.bottom > 0 && box.top < window.innerHeight;
    };
    const first = [...players.values()].find(inSight) ?? [...players.values()][0];
    const chosen = inside ? players.get(inside) : inSight(current) ? current : first;
    if (chosen) chosen.key(event);
  });
  const goThere = () => {
    const { id, move, solution } = place();
    if (move === undefined) return;
    const article = id ? document.getElementById(id) : document;
    const figure = article?.querySelectorAll('figure.solution')[Number(solution ?? 1) - 1];
    if (!figure) return;
    open(figure).show(Number(move) || 0);
    figure.querySelector('.player').scrollIntoView({ block: 'center' });
  };
  window.addEventListener('hashchange', goThere);
  goThere();

  // What is folded would be missing on paper. Of many solutions, and of long ones, that has the
  // moves in a line: their boards take minutes.
  window.addEventListener('beforeprint', () => {
    document.querySelectorAll('details').forEach((details) => {
      const boards = details.querySelectorAll(':scope > .strip > li').length;
      details.open = boards === 0 || (boards <= 100 && !details.closest('.card'));
    });
  });
})();
