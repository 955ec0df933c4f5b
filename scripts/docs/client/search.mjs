const MOST_FOUND = 12;
const CONTEXT = 140;
/** What most readers look for comes before what explains the past. */
const WEIGHTS = { Start: 2, Tutorials: 1.5, Reference: 2, Operations: 1.5, Project: 0.4 };

/**
 * Loads the library and the records when search is first used; the index is made here, from text that is a third of its
 * size.
 */
async function loadIndex() {
  const [{ default: MiniSearch }, answer] = await Promise.all([
    import('minisearch'),
    fetch(document.body.dataset.search),
  ]);
  if (!answer.ok) throw new Error(`search answered ${answer.status}`);
  const records = await answer.json();
  const index = new MiniSearch({
    fields: ['title', 'page', 'text'],
    // Names of code are found whole and by their parts.
    tokenize: (text) => text.split(/[\s`'"“”’(){}[\]<>|,;:!?…]+|\.(?=\s|$)|[/=_.-]/u).filter((word) => word !== ''),
    searchOptions: {
      boostDocument: (id) => weightOf(records[id]),
      boost: { title: 4, page: 2 },
      prefix: true,
      fuzzy: (word) => (word.length > 4 ? 0.2 : 0),
      combineWith: 'AND',
    },
  });
  index.addAll(records);
  return { index, records };
}

function weightOf({ address, section }) {
  return address.startsWith('decisions/') ? 0.4 : (WEIGHTS[section] ?? 1);
}

function excerpt(text, terms) {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const from = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - CONTEXT / 3);
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + CONTEXT)}${start + CONTEXT < text.length ? ' …' : ''}`;
}

/** The search box: a combobox whose list holds what was found, with the keys that readers know from others. */
export function addSearch() {
  const input = document.querySelector('#search');
  const list = document.querySelector('#found');
  const told = document.querySelector('#told');
  const { base } = document.body.dataset;
  let loading = null;
  let chosen = -1;
  const load = () => {
    loading ??= loadIndex().catch((error) => {
      loading = null;
      throw error;
    });
    return loading;
  };

  const choose = (position) => {
    const items = [...list.children];
    chosen = items.length === 0 ? -1 : (position + items.length) % items.length;
    for (const [index, item] of items.entries()) item.setAttribute('aria-selected', String(index === chosen));
    if (chosen < 0) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', items[chosen].id);
      items[chosen].scrollIntoView({ block: 'nearest' });
    }
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    choose(-1);
    input.removeAttribute('aria-activedescendant');
  };
  const go = (item) => {
    close();
    location.assign(item.dataset.address);
  };

  const show = ({ records }, results) => {
    list.replaceChildren(
      ...results.slice(0, MOST_FOUND).map(({ id, terms }, position) => {
        const { title, page, section, address, text } = records[id];
        const item = document.createElement('li');
        item.id = `found-${position}`;
        item.role = 'option';
        item.dataset.address = `${base}/${address}`;
        const name = document.createElement('strong');
        name.textContent = title;
        const place = document.createElement('span');
        place.textContent = [section, page].filter((part) => part !== '').join(' › ');
        const words = document.createElement('span');
        words.textContent = excerpt(text, terms);
        item.append(name, place, words);
        item.addEventListener('mousedown', (event) => event.preventDefault());
        item.addEventListener('click', () => go(item));
        return item;
      }),
    );
    list.hidden = list.children.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
    told.textContent = results.length === 0 ? 'Nothing was found' : `${results.length} found`;
    if (list.hidden) input.removeAttribute('aria-activedescendant');
    else choose(0);
  };

  const search = async () => {
    const words = input.value.trim();
    if (words === '') {
      told.textContent = '';
      return close();
    }
    try {
      const loaded = await load();
      // A later key may have been pressed while the records came.
      if (input.value.trim() === words) show(loaded, loaded.index.search(words));
    } catch {
      told.textContent = 'Search could not be loaded';
    }
  };

  input.addEventListener('focus', () => load().catch(() => {}));
  input.addEventListener('input', search);
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      input.value = '';
      close();
    } else if (list.hidden) return;
    else if (event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen - 1);
    else if (event.key === 'Enter' && chosen >= 0) go(list.children[chosen]);
    else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    const writing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key !== '/' || writing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
  input.closest('.search').hidden = false;
}
