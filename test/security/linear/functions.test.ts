import { expect } from 'chai';
import { FUNCTIONS, type Prepare, RECURSIONS } from './functions.ts';
import { growthOf, isLinear } from './growth.ts';
import { scanSources } from './scan-sources.ts';

function judged(prepare: Prepare): Mocha.Func {
  return () => {
    const growth = growthOf(prepare);
    expect(isLinear(growth), `takes ${growth} times as long`).to.equal(true);
  };
}

describe('the functions of the product that call themselves', () => {
  it('are all listed with what keeps them busiest, or as ones that see nothing from outside', async () => {
    const { recursions } = await scanSources();
    const found = Object.fromEntries([...recursions].map(([file, own]) => [file, [...own].sort()]));
    const listed = Object.fromEntries(Object.entries(RECURSIONS).map(([file, own]) => [file, Object.keys(own).sort()]));
    expect(listed, 'test/security/linear/functions.ts').to.deep.equal(found);
  });

  for (const [file, own] of Object.entries(RECURSIONS)) {
    for (const [name, prepare] of Object.entries(own)) {
      if (typeof prepare === 'string') continue;
      it(`take time in proportion to their input: ${name} of ${file}`, judged(prepare));
    }
  }
});

describe('what reads and judges the words of others', () => {
  for (const [what, prepare] of Object.entries(FUNCTIONS)) {
    it(`takes time in proportion to ${what}`, judged(prepare));
  }
});
