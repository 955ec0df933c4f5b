import { expect } from 'chai';
import { CommitGroup } from '#runtime/providers/embedded/commit-group';
import { EmbeddedCounters } from '#runtime/providers/embedded/embedded-counters';
import { openEnvironment } from '#runtime/providers/embedded/environment';
import { countersContract } from '../../counters.contract.ts';
import { freshDataFolder } from './data-folder.ts';

countersContract('the embedded provider', async () => {
  const folder = await freshDataFolder();
  let embedded = await folder.open();
  const harness = {
    counters: embedded.counters,
    async reopen() {
      await embedded.close();
      embedded = await folder.open();
      harness.counters = embedded.counters;
    },
    async close() {
      await embedded.close();
      await folder.remove();
    },
  };
  return harness;
});

describe('runtime/providers/embedded counters', () => {
  it('removes from disk what has ended, and nothing that was written anew', async () => {
    const folder = await freshDataFolder();
    const environment = openEnvironment(folder.folder);
    const group = new CommitGroup(environment.root);
    let nowMs = 1000;
    const clock = { now: () => nowMs, monotonic: () => nowMs, after: () => () => {} };
    const counters = new EmbeddedCounters(environment, group, clock);
    try {
      const at = { group: 'device', key: 'campaign' };
      for (const mark of ['ends', 'again', 'stays']) {
        await counters.marks.put(at, mark, mark === 'stays' ? 9000 : 2000, nowMs);
      }
      await counters.sums.add(['ends', 'again'].map((key) => ({ key, amount: 1, expiresAtMs: 2000 })));
      nowMs = 2000;
      const swept = counters.sweep();
      const again = [
        counters.marks.put(at, 'again', 9000, nowMs),
        counters.sums.add([{ key: 'again', amount: 7, expiresAtMs: 9000 }]),
      ];
      expect(await swept).to.equal(4);
      await Promise.all(again);
      expect([...environment.expiringMarks.getRange()].map(({ value }) => JSON.parse(value)[2])).to.have.members([
        'again',
        'stays',
      ]);
      const kept = [...environment.expiringSums.getRange()].map(({ value }) => JSON.parse(value));
      expect(kept).to.deep.equal([['again', 7, 9000]]);
    } finally {
      await group.close();
      await environment.root.close();
      await folder.remove();
    }
  });
});
