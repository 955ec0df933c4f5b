import { expect } from 'chai';
import { simulateDeaths, simulateSumming } from './simulate-summing.ts';

const SEEDS = 30;

describe('the relay of sums, in the simulator', function () {
  this.timeout(300_000);

  for (const step of ['note', 'append', 'commit'] as const) {
    for (const when of ['before', 'after'] as const) {
      it(`counts each message once where relays die ${when} the ${step}`, async () => {
        const { missing, doubled, acknowledged, deaths } = await simulateDeaths(step, when);
        expect({ missing, doubled }).to.deep.equal({ missing: 0, doubled: 0 });
        expect(acknowledged).to.be.greaterThan(1_000);
        expect(deaths).to.be.greaterThan(4);
      });
    }
  }

  it('counts each message that the region had acknowledged once, in few messages, whatever fails', async () => {
    const sums: Record<string, number> = {};
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { acknowledged, taken, missing, doubled, faults } = await simulateSumming(seed);
      expect({ missing, doubled }, `seed ${seed}`).to.deep.equal({ missing: 0, doubled: 0 });
      expect(acknowledged, `seed ${seed}`).to.be.greaterThan(1_000);
      expect(taken, `seed ${seed}`).to.be.lessThan(acknowledged / 2);
      for (const [name, count] of Object.entries(faults)) sums[name] = (sums[name] ?? 0) + count;
    }
    for (const [name, count] of Object.entries(sums)) expect(count, name).to.be.greaterThan(SEEDS / 4);
  });

  for (const [name, broken, found] of [
    ['nothing is noted before it is sent', { noted: false }, 'doubled'],
    ['each relay has numbers of its own', { oneSender: false }, 'doubled'],
    ['the cursor moves before anything is sent', { sentFirst: false }, 'missing'],
  ] as const) {
    it(`fails where ${name}`, async () => {
      const laws = { noted: true, oneSender: true, sentFirst: true, ...broken };
      let times = 0;
      for (let seed = 1; seed <= SEEDS && times === 0; seed++) times = (await simulateSumming(seed, laws))[found];
      expect(times).to.be.greaterThan(0);
    });
  }
});
