import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { clientFiles } from './client-files.mjs';
import { escapeHtml } from './escape.mjs';
import { homePage } from './home.mjs';
import { layout } from './layout.mjs';
import { createMarkdown } from './markdown.mjs';
import { navigation } from './navigation.mjs';
import { recordsOf } from './search-records.mjs';

/** Where the site is served. */
const BASE = '/docs';

/**
 * The path of a page below the site: docs/tags.md is `tags`, a README its folder, what is beside docs/ in
 * `repository/`.
 */
function addressOf(file) {
  const path = file.startsWith('docs/') ? file.slice('docs/'.length) : `repository/${file.toLowerCase()}`;
  return path.replace(/\.md$/, '').replace(/\/readme$/i, '');
}

/**
 * Where a link of a page leads on the site; null if it leads to a file of the repository that is no page. The pages'
 * own links are relative paths between files, as a viewer of the repository reads them.
 */
function resolveLink(files, from, target) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith('/')) return target;
  const [path, anchor] = target.split('#', 2);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (path === '') return hash;
  const file = posix.normalize(posix.join(posix.dirname(from), decodeURIComponent(path))).replace(/\/$/, '');
  if (/^docs\/.*\.(svg|png)$/.test(file)) return `${BASE}/${file.slice('docs/'.length)}`;
  for (const page of [file, `${file}/README.md`]) if (files.has(page)) return `${BASE}/${addressOf(page)}${hash}`;
  return null;
}

/**
 * The site's files by their path below `docs/` of the build: its pages, their script and style, and what search reads.
 */
export function renderSite(paths) {
  const site = JSON.parse(readFileSync('docs/site.json', 'utf8'));
  const sources = new Map(
    paths.filter((path) => path.endsWith('.md')).map((path) => [path, readFileSync(path, 'utf8')]),
  );
  const markdown = createMarkdown({ resolve: (from, target) => resolveLink(sources, from, target) });
  const pages = new Map();
  for (const [file, text] of sources) {
    const page = { file, address: addressOf(file), ...markdown.render(file, text) };
    const other = [...pages.values()].find(({ address }) => address === page.address);
    if (other !== undefined) throw new Error(`${file} and ${other.file} would both be at ${BASE}/${page.address}`);
    pages.set(file, page);
  }

  const nav = navigation(site, pages);
  const records = recordsOf(nav, pages);
  const { files, assets } = clientFiles(records, BASE);
  const frame = (page) => layout({ base: BASE, title: site.title, nav, assets, ...page });

  for (const page of pages.values()) {
    files.set(`${page.address}.html`, frame({ page, content: page.html }));
  }
  files.set('index.html', frame({ page: null, content: homePage({ base: BASE, site, nav, pages }) }));
  files.set('icon.svg', readFileSync(join('dashboard', 'public', 'icon.svg')));
  const missing = `<h1>There is no such page</h1><p>It may have moved: search, or begin at <a href="${BASE}">${escapeHtml(site.title)}</a>.</p>`;
  files.set('404.html', frame({ page: null, content: missing, heading: 'There is no such page' }));
  return files;
}
