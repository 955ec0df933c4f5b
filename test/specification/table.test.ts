import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { config, expect } from 'chai';
import { conformanceDocument } from './conformance.ts';
import { shown } from './shows.ts';
import { ROWS, TABLE } from './table.ts';

describe('the specification table', () => {
  const truncateThreshold = config.truncateThreshold;
  before(() => {
    config.truncateThreshold = 0;
  });
  after(() => {
    config.truncateThreshold = truncateThreshold;
  });

  const rows = TABLE.flatMap((section) => section.rows);
  const claims = rows.flatMap(({ id, proof }) => ('shownIn' in proof ? [{ id, file: proof.shownIn }] : []));
  const filesOf = (id: string) =>
    new Set((shown.get(id) ?? []).map((test) => basename(test.file ?? '').replace(/\.js$/, '.ts')));

  it('has an id for each row', () => {
    const ids = rows.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).to.deep.equal([]);
    expect(ids.filter((id) => !/^[a-z][a-z0-9-]*(\.[A-Za-z0-9_-]+)+$/.test(id))).to.deep.equal([]);
  });

  // The files of this folder belong together: run them all, `mocha dist/test/specification/*.test.js`.
  it('has a test for each row that claims one, in the file that it names', () => {
    const lost = claims.filter(({ id, file }) => !filesOf(id).has(file));
    expect(lost.map(({ id, file }) => `${id} in ${file}`)).to.deep.equal([]);
  });

  it('has no row that is said to be open and has a test', () => {
    const claimed = new Set(claims.map(({ id }) => id));
    expect([...shown.keys()].filter((id) => ROWS.has(id) && !claimed.has(id))).to.deep.equal([]);
  });

  it('has a row for each test', () => {
    expect([...shown.keys()].filter((id) => !ROWS.has(id))).to.deep.equal([]);
  });

  it('is what docs/conformance.md says', async () => {
    const printed = await readFile('docs/conformance.md', 'utf8');
    expect(printed === conformanceDocument(TABLE), 'run `npm run conformance`').to.equal(true);
  });
});
