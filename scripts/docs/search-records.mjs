/**
 * A page longer than this is found by its headings alone: tables of hundreds of rows would be most of what is searched.
 */
const MOST_TEXT = 60_000;

/** What search goes through: a record for each heading, with where it stands and the text below it. */
export function recordsOf(nav, pages) {
  const sectionOf = new Map(
    nav.flatMap(({ title, groups }) => groups.flatMap(({ entries }) => entries.map(({ file }) => [file, title]))),
  );
  const records = [];
  for (const page of pages.values()) {
    const length = page.sections.reduce((sum, { text }) => sum + text.length, 0);
    for (const { title, anchor, level, text } of page.sections) {
      records.push({
        id: records.length,
        title,
        page: level === 1 ? '' : page.title,
        section: sectionOf.get(page.file) ?? '',
        address: level === 1 ? page.address : `${page.address}#${anchor}`,
        text: length > MOST_TEXT ? '' : text,
      });
    }
  }
  return records;
}
