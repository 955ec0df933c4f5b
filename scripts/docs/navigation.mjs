/**
 * The files that an item of docs/site.json names: one page, which has to be there, or a pattern with `*`, which stands
 * for those that are there, by their names.
 */
function filesOf(path, pages) {
  const file = path.startsWith('../') ? path.slice('../'.length) : `docs/${path}`;
  if (!file.includes('*')) {
    if (!pages.has(file)) throw new Error(`docs/site.json lists ${path}, which is no page`);
    return [file];
  }
  const [before, after] = file.split('*');
  return [...pages.keys()].filter(
    (name) =>
      name.startsWith(before) && name.endsWith(after) && !name.slice(before.length, -after.length).includes('/'),
  );
}

/**
 * The sections of the site with their groups of pages, as docs/site.json lists them. A listed page has to be there; a
 * page that no group lists stands in the last section, so that adding a page is adding a file.
 */
export function navigation(site, pages) {
  const listed = new Set();
  const entriesOf = (item) => {
    const { page: path, label } = typeof item === 'string' ? { page: item } : item;
    const files = filesOf(path, pages).filter((file) => !listed.has(file));
    for (const file of files) listed.add(file);
    return files.map((file) => ({ file, address: pages.get(file).address, label: label ?? pages.get(file).title }));
  };
  const sections = site.sections.map(({ title, summary, groups }) => ({
    title,
    summary,
    groups: groups.map((group) => ({ title: group.title ?? null, entries: group.pages.flatMap(entriesOf) })),
  }));
  const rest = [...pages.values()].filter(({ file }) => !listed.has(file));
  if (rest.length > 0) {
    const entries = rest.map(({ file, address, title }) => ({ file, address, label: title }));
    sections.push({ title: 'More', summary: 'Pages that stand by themselves.', groups: [{ title: null, entries }] });
  }
  return sections;
}
