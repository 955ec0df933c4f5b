import { escapeHtml } from './escape.mjs';

/** The home of the site: where to begin by role, and what each section is for. */
export function homePage({ base, site, nav, pages }) {
  const linkTo = (item) => {
    const { page: path, label } = typeof item === 'string' ? { page: item } : item;
    const page = pages.get(path.startsWith('../') ? path.slice('../'.length) : `docs/${path}`);
    if (page === undefined) throw new Error(`docs/site.json lists ${path}, which is no page`);
    return `<a href="${base}/${page.address}">${escapeHtml(label ?? page.title)}</a>`;
  };
  const listed = (items) => `<ul>${items.map((item) => `<li>${linkTo(item)}</li>`).join('')}</ul>`;
  const role = ({ name, summary, pages: items }) =>
    `<section class="card"><h2>${escapeHtml(name)}</h2><p>${escapeHtml(summary)}</p>${listed(items)}</section>`;
  const section = ({ title, summary, groups }) => {
    const [first] = groups.flatMap(({ entries }) => entries);
    return `<li><a href="${base}/${first.address}">${escapeHtml(title)}</a>: ${escapeHtml(summary)}</li>`;
  };
  return `<h1>${escapeHtml(site.title)}: documentation</h1>
<p class="lead">${escapeHtml(site.lead)}</p>
<p>${linkTo(site.first)}: where to begin for each way of plugging in, and how many minutes it takes.
<a href="${base}/api">API reference</a>: every call of the management API, its fields, answers and errors, made of <a href="/api/openapi.json">its description</a>.</p>
<div class="cards">${site.roles.map(role).join('\n')}</div>
<h2 id="sections">All sections</h2>
<ul>${nav.map(section).join('\n')}</ul>`;
}
