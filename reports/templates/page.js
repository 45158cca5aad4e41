(() => {
  const table = document.getElementById('page-table');
  if (!table) return;
  const rows = [...table.tBodies[0].rows];
  const heads = [...table.tHead.rows[0].cells];
  const order = new Intl.Collator('en', { numeric: true });

  const sortBy = (column) => {
    const head = heads[column];
    const down = head.getAttribute('aria-sort') === 'ascending';
    heads.forEach((other) => other.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const key = (row) => row.cells[column].dataset.key;
    rows.sort((a, b) => order.compare(key(a), key(b)) * (down ? -1 : 1));
    table.tBodies[0].append(...rows);
  };
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    button.addEventListener('click', () => sortBy(column));
    head.append(button);
  });

  const form = document.getElementById('page-filter');
  const find = document.getElementById('page-find');
  const verdict = document.getElementById('page-verdict');
  const shown = document.getElementById('page-shown');
  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (row) => {
      const text = (row.textContent + ' ' + row.dataset.more).toLowerCase();
      const wanted = verdict.value === 'unexpected'
        ? 'unexpected' in row.dataset
        : !verdict.value || row.dataset.verdict === verdict.value;
      return wanted && words.every((word) => text.includes(word));
    };
    rows.forEach((row) => { row.hidden = !fits(row); });
    const count = rows.filter((row) => !row.hidden).length;
    shown.textContent = count === rows.length ? `${count} claims` : `${count} of ${rows.length} claims`;
  };
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  filter();

  // A folded solution would be missing on paper.
  window.addEventListener('beforeprint', () => {
    document.querySelectorAll('details').forEach((details) => { details.open = true; });
  });
})();
