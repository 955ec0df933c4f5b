import { readFileSync } from 'node:fs';
import { expect } from 'chai';

/** A step of a walk: `file`: `name`, `name`. */
const STEP = /`([\w/.-]+\.ts)`: ((?:`[\w.]+`(?:, )?)+)/g;

describe('the walks of docs/architecture.md', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const steps = [...page.matchAll(STEP)].map(([, file, names]) => ({ file: file!, names: names!.match(/[\w.]+/g)! }));

  it('name a file and a function at each of the twelve steps of a bid request', () => {
    expect(steps).to.have.length.of.at.least(12);
  });

  for (const { file, names } of steps) {
    it(`name functions that stand in ${file}`, () => {
      const source = readFileSync(file, 'utf8');
      for (const name of names.map((dotted) => dotted.split('.').at(-1)!)) {
        expect(source).to.match(new RegExp(`(?:function |const |^ {2}(?:async )?)${name}\\b`, 'm'));
      }
    });
  }
});
