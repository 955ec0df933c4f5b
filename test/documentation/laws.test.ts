import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { LAWS, type Law } from '../../runtime/node/laws.ts';
import { MONEY_LAWS } from '../simulation/money/broken-money.ts';

interface Row {
  /** The heading that the row stands under. */
  readonly heading: string;
  readonly name: string;
  readonly text: string;
}

function rowsOf(page: string): Row[] {
  let heading = '';
  return page.split('\n').flatMap((line) => {
    heading = /^## (.+)$/.exec(line)?.[1] ?? heading;
    const name = /^\| `([a-z-]+)` +\|/.exec(line)?.[1];
    return name === undefined ? [] : [{ heading, name, text: line }];
  });
}

/** Files and functions as the last column names them: a path, then the functions in it, in brackets. */
function keepersOf({ text }: Row): { readonly file: string; readonly functions: readonly string[] }[] {
  const cell = text.split('|').at(-2)!;
  return [...cell.matchAll(/`([\w./-]+\.(?:ts|lua))`(?: \(([^)]*)\))?/g)].map(([, file, names = '']) => ({
    file: file!,
    functions: [...names.matchAll(/`(#?\w+)`/g)].map(([, name]) => name!),
  }));
}

describe('docs/laws.md', () => {
  const page = readFileSync('docs/laws.md', 'utf8');
  const rows = rowsOf(page);

  it('has a row for each switch of the runtime and of money, and for no other', () => {
    const switches = [...Object.keys(LAWS), ...Object.keys(MONEY_LAWS)];
    expect(rows.map(({ name }) => name)).to.have.members(switches);
  });

  it('has each switch of the runtime under the number of its law', () => {
    for (const { heading, name } of rows.filter(({ name }) => name in LAWS)) {
      expect(heading, name).to.match(new RegExp(`^Law ${LAWS[name as Law]}\\. `));
    }
  });

  it('numbers the laws from 1 without a gap', () => {
    const numbers = [...page.matchAll(/^## Law (\d+)\. /gm)].map(([, number]) => Number(number));
    expect(numbers).to.deep.equal(numbers.map((_, index) => index + 1));
    expect(numbers).to.include.members(Object.values(LAWS));
  });

  it('names files that exist, and functions that stand in them', () => {
    for (const row of rows) {
      const keepers = keepersOf(row);
      expect(keepers, row.name).not.to.have.length(0);
      for (const { file, functions } of keepers) {
        expect(existsSync(file), `${row.name}: ${file}`).to.equal(true);
        const source = readFileSync(file, 'utf8');
        for (const name of functions) expect(source.includes(name), `${row.name}: ${name} in ${file}`).to.equal(true);
      }
    }
  });
});
