import { readFileSync } from 'node:fs';
import { expect } from 'chai';

/** A step of a walk: `file`: `name`, `name`. */
const STEP = /`([\w/.-]+\.ts)`: ((?:`[\w.]+`(?:, )?)+)/g;

describe('the way of one ad request in docs/architecture.md', () => {
  const [, page = ''] = readFileSync('docs/architecture.md', 'utf8').split(/^## .*ad request.*$/m);
  const steps = [...page.split('\n## ')[0]!.matchAll(STEP)].map(([, file, names]) => ({
    file: file!,
    names: names!.match(/[\w.]+/g)!,
  }));

  it('names a file and a function at each of its twelve steps', () => {
    expect(steps).to.have.length(12);
  });

  for (const { file, names } of steps) {
    it(`names functions that stand in ${file}`, () => {
      const source = readFileSync(file, 'utf8');
      for (const name of names.map((dotted) => dotted.split('.').at(-1)!)) {
        expect(source).to.match(new RegExp(`(?:function |const |^ {2}(?:async )?)${name}\\b`, 'm'));
      }
    });
  }
});
