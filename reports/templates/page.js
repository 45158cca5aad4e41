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

  document.querySelectorAll('form.filter').forEach((form) => {
    const rows = [...document.getElementById(form.dataset.for).tBodies[0].rows];
    const find = form.querySelector('input');
    const choice = form.querySelector('select');
    const shown = form.querySelector('output');
    const filter = () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      const fits = (row) => {
        const text = (row.textContent + ' ' + (row.dataset.more ?? '')).toLowerCase();
        const wanted = choice?.value ?? '';
        const chosen = wanted === 'unexpected'
          ? 'unexpected' in row.dataset
          : !wanted || row.dataset.verdict === wanted;
        return chosen && words.every((word) => text.includes(word));
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

  // A folded solution would be missing on paper.
  window.addEventListener('beforeprint', () => {
    document.querySelectorAll('details').forEach((details) => { details.open = true; });
  });
})();
