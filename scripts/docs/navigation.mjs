/**
 * The sections of the site with their groups of pages, as docs/site.json lists them. A listed page has to be there; a page
 * that no group lists stands in the last section, so that adding a page is adding a file.
 */
export function navigation(site, pages) {
  const listed = new Set();
  const entryOf = (item) => {
    const { page: path, label } = typeof item === 'string' ? { page: item } : item;
    const file = path.startsWith('../') ? path.slice('../'.length) : `docs/${path}`;
    const page = pages.get(file);
    if (page === undefined) throw new Error(`docs/site.json lists ${path}, which is no page`);
    listed.add(file);
    return { file, address: page.address, label: label ?? page.title };
  };
  const sections = site.sections.map(({ title, summary, groups }) => ({
    title,
    summary,
    groups: groups.map((group) => ({ title: group.title ?? null, entries: group.pages.map(entryOf) })),
  }));
  const folders = site.folders ?? [];
  const ofFolder = (path) =>
    [...pages.values()].filter(({ file }) => file.startsWith(`docs/${path}/`) && !listed.has(file));
  for (const { path, section, title } of folders) {
    const entries = ofFolder(path).map(({ file, address, title: label }) => ({ file, address, label }));
    for (const { file } of entries) listed.add(file);
    if (entries.length > 0) sections.find((one) => one.title === section).groups.push({ title, entries });
  }
  const rest = [...pages.values()].filter(({ file }) => !listed.has(file));
  if (rest.length > 0) {
    const entries = rest.map(({ file, address, title }) => ({ file, address, label: title }));
    sections.push({ title: 'More', summary: 'Pages that stand by themselves.', groups: [{ title: null, entries }] });
  }
  return sections;
}
