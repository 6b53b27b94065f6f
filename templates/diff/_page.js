(() => {
  'use strict';
  const page = document.documentElement;
  page.classList.add('js');
  const by = (id) => document.getElementById(id);
  const LEVELS = ['breaking', 'risky', 'compatible'];
  const rows = [...document.querySelectorAll('details.row')];
  const groups = [...document.querySelectorAll('.group')];
  const parts = [...document.querySelectorAll('.part')];
  const boxes = [...document.querySelectorAll('input[name=severity]')];
  const form = by('filters');
  const q = by('q');
  const side = by('side');
  const kind = by('kind');
  const method = by('method');
  const all = by('all');
  const toggle = by('toggle');
  const controls = by('controls');
  const total = rows.length;
  const texts = new Map();
  let state = null;
  let typing = false; // one entry of the history per search, not per letter

  // The methods of the map: name -> numbers of its lines, which rows carry in data-m.
  const lines = new Map();
  for (const line of document.querySelectorAll('.map tr[data-m]')) {
    for (const name of [line.dataset.old, line.dataset.new]) {
      if (name) lines.set(name, (lines.get(name) || new Set()).add(line.dataset.m));
    }
  }

  const textOf = (row) => {
    let text = texts.get(row);
    if (text === undefined) {
      text = (row.textContent + ' ' + row.closest('.group').firstElementChild.textContent).toLowerCase();
      texts.set(row, text);
    }
    return text;
  };

  const decoded = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };

  // The address holds everything: #TARGET&severity=...&side=...&kind=...&method=...&q=...
  const fromAddress = () => {
    const found = { target: '', severity: LEVELS, side: '', kind: '', method: '', q: '' };
    for (const part of location.hash.slice(1).split('&')) {
      const at = part.indexOf('=');
      const name = part.slice(0, at);
      const value = decoded(part.slice(at + 1).replaceAll('+', ' '));
      if (at < 0) found.target = found.target || decoded(part);
      else if (name === 'severity') found.severity = LEVELS.filter((level) => value.split(',').includes(level));
      else if (name === 'side') found.side = ['agent', 'client'].includes(value) ? value : '';
      else if (['kind', 'method', 'q'].includes(name)) found[name] = value;
    }
    return found;
  };

  const toAddress = (wanted) => {
    const found = wanted.target ? [encodeURIComponent(wanted.target)] : [];
    if (wanted.severity.length < LEVELS.length) found.push('severity=' + wanted.severity.join(','));
    for (const name of ['side', 'kind', 'method', 'q']) {
      if (wanted[name]) found.push(name + '=' + encodeURIComponent(wanted[name]).replaceAll('%2F', '/'));
    }
    return '#' + found.join('&');
  };

  const fits = (row, wanted, words, numbers) => {
    const level = wanted.side ? row.dataset[wanted.side] : row.dataset.s;
    if (!level || !wanted.severity.includes(level)) return false;
    const own = row.dataset.k;
    if (wanted.kind && own !== wanted.kind && own.split('.')[0] !== wanted.kind) return false;
    if (numbers && !(row.dataset.m || '').split(' ').some((number) => numbers.has(number))) return false;
    return words.every((word) => textOf(row).includes(word));
  };

  const filter = () => {
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    const numbers = state.method ? lines.get(state.method) || new Set() : null;
    let count = 0;
    for (const row of rows) {
      const match = fits(row, state, words, numbers);
      const named = row.id === state.target;
      row.hidden = !match && !named;
      row.classList.toggle('outside', named && !match);
      row.classList.toggle('shown', named);
      if (match) count += 1;
    }
    for (const group of groups) group.hidden = !group.querySelector('.row:not([hidden])');
    for (const part of parts) {
      const left = part.querySelectorAll('.row:not([hidden])').length;
      part.hidden = left === 0;
      for (const figure of document.querySelectorAll('[data-n="' + part.id + '"]')) figure.textContent = left;
    }
    by('nothing').hidden = count > 0 || total === 0;
    const noun = total === 1 ? ' change' : ' changes';
    by('count').textContent = count === total ? total + noun : count + ' of ' + total + noun;
  };

  const controlsFromState = () => {
    if (q.value.trim() !== state.q) q.value = state.q;
    side.value = state.side;
    kind.value = state.kind;
    if (kind.selectedIndex < 0) { // a kind that this page has none of
      kind.value = '';
      state.kind = '';
    }
    for (const box of boxes) box.checked = state.severity.includes(box.value);
    method.hidden = !state.method;
    method.querySelector('code').textContent = state.method;
    const active = [state.side, state.kind, state.method, state.severity.length < LEVELS.length].filter(Boolean).length;
    toggle.textContent = active ? 'Filters (' + active + ')' : 'Filters';
  };

  const reveal = () => {
    const target = state.target && by(state.target);
    const gone = Boolean(state.target) && !target;
    by('gone').querySelector('code').textContent = gone ? '#' + state.target : '';
    by('gone').hidden = !gone;
    if (!target) { // an address of filters alone means the list, not the totals above it
      if (gone || toAddress(state) !== '#') by('changes').scrollIntoView();
      return;
    }
    const row = target.closest('details.row');
    if (row) row.open = true;
    (target.hidden ? by('changes') : target).scrollIntoView();
    const focus = row ? row.querySelector('summary') : target.querySelector('h2, h3') || target;
    if (!row) focus.tabIndex = -1;
    focus.focus({ preventScroll: true });
  };

  const fromHistory = () => {
    typing = false;
    state = fromAddress();
    controlsFromState();
    filter();
    reveal();
  };

  const choose = (changes, replace) => {
    state = { ...state, target: '', ...changes };
    by('gone').hidden = true;
    history[replace ? 'replaceState' : 'pushState'](null, '', toAddress(state));
    controlsFromState();
    filter();
  };

  q.addEventListener('input', () => {
    choose({ q: q.value.trim() }, typing);
    typing = true;
  });
  q.addEventListener('blur', () => { typing = false; });
  side.addEventListener('change', () => choose({ side: side.value }));
  kind.addEventListener('change', () => choose({ kind: kind.value }));
  for (const box of boxes) {
    box.addEventListener('change', () => choose({ severity: boxes.filter((one) => one.checked).map((one) => one.value) }));
  }
  by('unmethod').addEventListener('click', () => {
    choose({ method: '' });
    q.focus();
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', (event) => {
    event.preventDefault();
    choose({ severity: LEVELS, side: '', kind: '', method: '', q: '' });
  });
  toggle.addEventListener('click', () => {
    const open = controls.classList.toggle('open');
    toggle.setAttribute('aria-expanded', String(open));
  });
  all.addEventListener('click', () => {
    const open = all.getAttribute('aria-pressed') !== 'true';
    for (const row of rows) if (!row.hidden) row.open = open;
    all.setAttribute('aria-pressed', String(open));
    all.textContent = open ? 'Close all' : 'Open all';
  });

  // Links within the page: one to a row or a part keeps the filters, one with filters sets them.
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    const href = link.getAttribute('href');
    const kept = href.includes('=') ? href : toAddress({ ...state, target: href.slice(1) });
    if (kept !== location.hash) history.pushState(null, '', kept);
    fromHistory();
  });

  const step = (by_) => {
    const there = rows.filter((row) => !row.hidden);
    if (!there.length) return;
    const here = document.activeElement && document.activeElement.closest('details.row');
    let at = there.indexOf(here);
    if (at < 0) { // from where the page is scrolled to
      const edge = form.getBoundingClientRect().bottom;
      const below = there.findIndex((row) => row.getBoundingClientRect().top >= edge - 1);
      at = by_ > 0 ? (below < 0 ? there.length - 1 : below) : Math.max(0, below - 1);
    } else {
      at = Math.min(there.length - 1, Math.max(0, at + by_));
    }
    const summary = there[at].querySelector('summary');
    summary.focus({ preventScroll: true });
    const box = summary.getBoundingClientRect();
    const edge = form.getBoundingClientRect().bottom;
    if (box.top < edge || box.bottom > innerHeight) summary.scrollIntoView({ block: 'center' });
  };

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const here = event.target instanceof Element ? event.target : document.body;
    if (event.key === 'Escape' && here === q) {
      if (q.value) {
        q.value = '';
        choose({ q: '' });
      } else {
        q.blur();
      }
      event.preventDefault();
      return;
    }
    if (here.closest('input, select, textarea')) return;
    const onRow = here.matches('summary');
    if (event.key === '/') {
      q.focus();
      q.select();
    } else if (event.key === 'j' || (onRow && event.key === 'ArrowDown')) {
      step(1);
    } else if (event.key === 'k' || (onRow && event.key === 'ArrowUp')) {
      step(-1);
    } else {
      return;
    }
    event.preventDefault();
  });

  // Print what the filters leave, opened.
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = rows.filter((row) => !row.hidden && !row.open);
    for (const row of closed) row.open = true;
  });
  addEventListener('afterprint', () => {
    for (const row of closed) row.open = false;
  });

  const measure = () => page.style.setProperty('--bar', form.offsetHeight + 'px');
  new ResizeObserver(measure).observe(form);
  measure();
  addEventListener('hashchange', fromHistory);
  addEventListener('load', () => setTimeout(reveal)); // the browser has then been to the anchor itself, and took the focus
  fromHistory();
})();
