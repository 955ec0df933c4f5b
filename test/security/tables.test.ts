import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { readSecurityRows, withTables } from './tables.ts';

describe('the tables of docs/security.md', () => {
  it('name a test that is there for every attack and every bound', async () => {
    const { attacks, budgets } = await readSecurityRows();
    const lost: string[] = [];
    for (const { file, title } of [...attacks, ...budgets]) {
      const source = await readFile(`test/${file}`, 'utf8').catch(() => '');
      // A title stands in its test's source as it is, in quotes of some kind, with none of them inside escaped.
      if (!source.replaceAll("\\'", "'").includes(title)) lost.push(`${title} in test/${file}`);
    }
    expect(lost).to.deep.equal([]);
  });

  it('are what docs/security.md says', async () => {
    const document = await readFile('docs/security.md', 'utf8');
    const isCurrent = document === withTables(document, await readSecurityRows());
    expect(isCurrent, 'run `npm run security-tables`').to.equal(true);
  });
});
