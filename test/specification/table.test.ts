import { readFile } from 'node:fs/promises';
import { config, expect } from 'chai';
import { conformanceDocument } from './conformance.ts';
import { TABLE } from './table.ts';

describe('the specification table', () => {
  const truncateThreshold = config.truncateThreshold;
  before(() => {
    config.truncateThreshold = 0;
  });
  after(() => {
    config.truncateThreshold = truncateThreshold;
  });

  const rows = TABLE.flatMap((section) => section.rows);
  it('has an id for each row', () => {
    const ids = rows.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).to.deep.equal([]);
    expect(ids.filter((id) => !/^[a-z][a-z0-9-]*(\.[A-Za-z0-9_-]+)+$/.test(id))).to.deep.equal([]);
  });

  it('is what docs/conformance.md says', async () => {
    const printed = await readFile('docs/conformance.md', 'utf8');
    expect(printed === conformanceDocument(TABLE), 'run `npm run conformance`').to.equal(true);
  });
});
