// What pages do beside being read: the scheme, copying of code, and search. All of it is added here, so that a page
// without scripts shows nothing that does not work.
import { addSearch } from './search.mjs';

/** Where the dashboard keeps the chosen scheme: one choice holds for both. */
const SCHEME = 'mantine-color-scheme-value';

function stored() {
  try {
    return localStorage.getItem(SCHEME);
  } catch {
    return null;
  }
}

function addScheme() {
  const button = document.querySelector('#scheme');
  const system = matchMedia('(prefers-color-scheme: dark)');
  const shown = () => {
    const chosen = stored();
    if (chosen === 'light' || chosen === 'dark') return chosen;
    return system.matches ? 'dark' : 'light';
  };
  const show = () => {
    document.documentElement.dataset.scheme = shown();
    button.textContent = shown() === 'dark' ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Show the ${button.textContent.toLowerCase()} scheme`);
  };
  button.addEventListener('click', () => {
    try {
      localStorage.setItem(SCHEME, shown() === 'dark' ? 'light' : 'dark');
    } catch {
      // A browser that keeps nothing shows the system's scheme.
    }
    show();
  });
  system.addEventListener('change', show);
  show();
  button.hidden = false;
}

function addCopying() {
  if (navigator.clipboard === undefined) return;
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', 'Copy this code');
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 2_000);
    });
    block.append(button);
  }
}

/** On a wide window the list of pages is open; where the browser cannot show a closed one's content, it is opened. */
function openMenu() {
  const wide = matchMedia('(min-width: 821px)');
  const menu = document.querySelector('#menu');
  const follow = () => (menu.open = wide.matches);
  wide.addEventListener('change', follow);
  follow();
  document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest' });
}

addScheme();
addCopying();
openMenu();
addSearch();
