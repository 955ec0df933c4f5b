import { expect } from 'chai';
import { simulateRelay } from './simulate-relay.ts';

const SEEDS = 40;

describe('the relay of a region, in the simulator', function () {
  this.timeout(300_000);

  it('brings home what was acknowledged, each impression once, whatever fails', async () => {
    const sums: Record<string, number> = {};
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { acknowledged, missing, doubled, untold, faults } = await simulateRelay(seed);
      expect({ missing, doubled, untold }, `seed ${seed}`).to.deep.equal({ missing: 0, doubled: 0, untold: 0 });
      expect(acknowledged, `seed ${seed}`).to.be.greaterThan(500);
      for (const [name, count] of Object.entries(faults)) sums[name] = (sums[name] ?? 0) + count;
    }
    for (const [name, count] of Object.entries(sums)) expect(count, name).to.be.greaterThan(SEEDS / 4);
  });

  for (const [name, laws, broken] of [
    ['entries are taken behind a gap', { withoutGaps: false, once: true, through: true }, 'missing'],
    ['entries are taken however often they come', { withoutGaps: true, once: false, through: true }, 'doubled'],
    ['home takes a region for drained too early', { withoutGaps: true, once: true, through: false }, 'untold'],
  ] as const) {
    it(`fails where ${name}`, async () => {
      let found = 0;
      for (let seed = 1; seed <= SEEDS && found === 0; seed++) found = (await simulateRelay(seed, laws))[broken];
      expect(found).to.be.greaterThan(0);
    });
  }
});
