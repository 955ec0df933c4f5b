import { expect } from 'chai';
import { SharedCampaignPace } from '#edge/pace/shared-campaign-pace';
import { createMemoryCounters } from '#runtime/providers/memory/memory-counters';

const CENT = 10_000_000;
const HOUR_MS = 3_600_000;
const CAMPAIGNS = 50;

describe('a campaign’s pace at an edge whose wall clock is set back', () => {
  /** An edge that has just begun to know what is spent, and whose wall clock was then set back by an hour. */
  const setBack = async () => {
    const time = { nowMs: Date.UTC(2026, 2, 14, 12), monotonicMs: 5_000 };
    const clock = { now: () => time.nowMs, monotonic: () => time.monotonicMs, after: () => () => {} };
    const { sums, broadcasts } = createMemoryCounters(clock);
    const shared = { isAway: false, reads: 0, asked: 'campaign' };
    const counters = {
      sums: {
        add: sums.add.bind(sums),
        read: async (keys: readonly string[]) => {
          shared.reads += keys.length;
          return shared.isAway ? keys.map(() => null) : sums.read(keys);
        },
      },
      broadcasts: {
        publish: broadcasts.publish.bind(broadcasts),
        read: async (...args: Parameters<typeof broadcasts.read>) => {
          if (shared.isAway) throw new Error('away');
          return broadcasts.read(...args);
        },
      },
    };
    const pace = new SharedCampaignPace({ counters, clock, edge: 'edge', scopeOf: () => '' });
    const ask = (n: number) =>
      pace.bidProbability(`${shared.asked}-${n}`, 'dsp-1', { daily_cents: 1_000 }, CENT, time.nowMs);
    const askAll = () => Array.from({ length: CAMPAIGNS }, (_, n) => ask(n));
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        time.nowMs += 1_000;
        time.monotonicMs += 1_000;
        askAll();
        await pace.sync();
      }
    };
    await pass(3);
    expect(askAll(), 'known').not.to.include(null);
    time.nowMs -= HOUR_MS;
    return { pace, shared, pass, askAll };
  };

  it('is nothing soon after what was spent cannot be read any more', async () => {
    const { pace, shared, pass, askAll } = await setBack();
    shared.isAway = true;
    await pass(9);
    expect(askAll()).not.to.include(null);
    await pass(3);
    expect(askAll()).to.deep.equal(Array(CAMPAIGNS).fill(null));
    await pace.close();
  });

  it('is read no more often than before', async () => {
    const { pace, shared, pass, askAll } = await setBack();
    shared.asked = 'another';
    await pass(3);
    shared.reads = 0;
    await pass(60);
    expect(askAll()).not.to.include(null);
    expect(shared.reads, 'reads of a minute').to.be.at.most(2 * CAMPAIGNS);
    await pace.close();
  });
});
