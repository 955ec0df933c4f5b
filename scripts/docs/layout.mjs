import { escapeHtml } from './escape.mjs';

function sectionOf(nav, file) {
  return nav.find(({ groups }) => groups.some(({ entries }) => entries.some((entry) => entry.file === file)));
}

function side(nav, base, current) {
  const open = sectionOf(nav, current)?.title;
  const link = ({ file, address, label }) =>
    `<li><a href="${base}/${address}"${file === current ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a></li>`;
  const group = ({ title, entries }) =>
    `${title === null ? '' : `<h3>${escapeHtml(title)}</h3>`}<ul>${entries.map(link).join('')}</ul>`;
  return nav
    .map(
      ({ title, groups }) =>
        `<details${open === undefined || title === open ? ' open' : ''}><summary><h2>${escapeHtml(title)}</h2></summary>${groups.map(group).join('')}</details>`,
    )
    .join('\n');
}

function contents(outline) {
  if (outline.length < 3) return '';
  const shown =
    outline.filter(({ level }) => level === 2).length > 24 ? [] : outline.filter(({ level }) => level === 2);
  const list = (shown.length < 3 ? outline : shown).slice(0, 60);
  return `<aside class="contents" aria-label="On this page"><h2>On this page</h2><ul>${list
    .map(({ text, anchor, level }) => `<li class="level-${level}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`)
    .join('')}</ul></aside>`;
}

/** The previous and the next page of the same group, for readers who read on. */
function neighbours(nav, base, file) {
  const group = nav.flatMap(({ groups }) => groups).find(({ entries }) => entries.some((entry) => entry.file === file));
  const index = group?.entries.findIndex((entry) => entry.file === file) ?? -1;
  const link = (entry, relation, word) =>
    entry === undefined
      ? ''
      : `<a rel="${relation}" href="${base}/${entry.address}"><span>${word}</span> ${escapeHtml(entry.label)}</a>`;
  const links = `${link(group?.entries[index - 1], 'prev', 'Previous')}${link(group?.entries[index + 1], 'next', 'Next')}`;
  return links === '' ? '' : `<nav class="neighbours" aria-label="Pages beside this one">${links}</nav>`;
}

/** A whole page around its content. `page` is null for those that are made of no file; they say their `heading`. */
export function layout({ base, title, nav, assets, page, content, heading }) {
  const file = page?.file ?? null;
  const name = page?.title ?? heading;
  const section = sectionOf(nav, file);
  const trail =
    page === null
      ? ''
      : `<p class="trail"><a href="${base}">${escapeHtml(title)}</a> › ${escapeHtml(section?.title ?? '')}</p>`;
  const source = page === null ? '' : `<footer>Made of <code>${escapeHtml(page.file)}</code>.</footer>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(name === undefined ? title : `${name} · ${title}`)}</title>
<link rel="icon" href="${base}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
</head>
<body data-base="${base}" data-search="${assets.search}">
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="${base}" aria-label="${escapeHtml(title)}: documentation"><img class="icon" src="${base}/icon.svg" alt=""><span>${escapeHtml(title)}</span></a>
<div class="search" role="search" hidden><input type="search" id="search" placeholder="Search" aria-label="Search the documentation" aria-keyshortcuts="/" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list"><ul id="found" role="listbox" aria-label="Found" hidden></ul><p id="told" class="visually-hidden" role="status"></p></div>
<nav class="links" aria-label="Beside the documentation"><a href="${base}/api">API reference</a><a href="/">Dashboard</a></nav>
<button type="button" id="scheme" hidden>Dark</button>
</header>
<div class="frame">
<details class="menu" id="menu"><summary>Pages</summary><nav class="side" aria-label="Pages">
${side(nav, base, file)}
</nav></details>
<main id="content" tabindex="-1">
${trail}<article>
${content}
</article>
${page === null ? '' : neighbours(nav, base, file)}${source}
</main>
${page === null ? '' : contents(page.outline)}
</div>
</body>
</html>
`;
}
