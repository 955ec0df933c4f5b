import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { SharedCampaignPace } from '#edge/pace/shared-campaign-pace';
import { systemClock } from '#runtime/providers/system/system-clock';
import { eventually } from '../../support/eventually.ts';
import { redisUrl } from '../../support/real-servers.ts';
import { type SharedCounters, sharedCounters } from '../delegates/shared-counters.ts';

const CENT = 10_000_000;
const DAY_MS = 86_400_000;
/** Of tomorrow, so that nothing has expired for Redis: when a linear plan has spent half. */
const NOON = (Math.floor(Date.now() / DAY_MS) + 1.5) * DAY_MS;

describe('a campaign’s pace that edges share in Redis', () => {
  let shared: SharedCounters;
  let nowMs: number;
  let scope: string;
  const opened: SharedCampaignPace[] = [];
  const clock = { now: () => nowMs, monotonic: () => nowMs, after: () => () => {} };

  // Skips all of it, its hooks too, where there is no Redis.
  before(function () {
    redisUrl(this);
  });
  beforeEach(async function () {
    shared = await sharedCounters(this);
    nowMs = NOON;
    scope = '';
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((edge) => edge.close()));
    await shared.close();
  });

  const edge = async () => {
    const counters = await shared.edge();
    const pace = new SharedCampaignPace({ counters, clock, edge: randomUUID(), scopeOf: () => scope });
    opened.push(pace);
    return pace;
  };
  const daily = { daily_cents: 100 };
  const probability = (pace: SharedCampaignPace, budget: object | null = daily, campaign = 'campaign-1') =>
    pace.bidProbability(campaign, 'dsp-1', budget, CENT, nowMs);
  /** An edge that knows what was spent. */
  const knowing = async () => {
    const pace = await edge();
    await known(pace);
    return pace;
  };
  const known = async (pace: SharedCampaignPace) => {
    probability(pace);
    await pace.sync();
  };
  const show = (pace: SharedCampaignPace, impressions: number, campaign = 'campaign-1') => {
    for (let n = 0; n < impressions; n++) {
      pace.reserve(campaign, 'dsp-1', CENT);
      pace.onBilled(campaign, 'dsp-1', CENT, nowMs, nowMs);
    }
  };

  it('is one without a budget, whether anything is known or not', async () => {
    const pace = await edge();
    expect(probability(pace, null)).to.equal(1);
    expect(probability(pace, { daily_cents: 0, pacing: 'linear' })).to.equal(1);
    expect(probability(pace, { total_cents: 5 }), 'of all time: what is leased bounds it').to.equal(1);
  });

  it('is nothing until what was spent is known, which it soon is', async () => {
    const pace = await edge();
    expect(probability(pace)).to.equal(null);
    await pace.pendingReads();
    expect(probability(pace)).to.equal(1);
    expect(pace.pendingReads()).to.equal(null);
  });

  it('is read anew for a campaign that was not asked for in a while, and may be waited for', async () => {
    const pace = await knowing();
    const other = await knowing();
    nowMs += 60_001;
    await pace.sync();
    show(other, 95);
    await other.sync();
    nowMs += 10_001;
    expect(probability(pace)).to.equal(null);
    await pace.pendingReads();
    expect(probability(pace)).to.equal(0);
  });

  it('is not waited for longer than an auction can', async () => {
    const pace = new SharedCampaignPace({
      counters: {
        sums: { add: async () => [], read: () => new Promise(() => undefined) },
        broadcasts: { publish: async () => {}, read: async () => ({ texts: [], place: '', missed: false }) },
      },
      edge: 'edge',
      clock: { ...systemClock, now: () => nowMs },
      scopeOf: () => scope,
    });
    expect(probability(pace)).to.equal(null);
    const startedMs = performance.now();
    await pace.pendingReads();
    expect(performance.now() - startedMs).to.be.within(20, 15_000);
    expect(probability(pace)).to.equal(null);
    await new Promise(setImmediate);
    expect(pace.pendingReads(), 'once for all that wait').to.equal(null);
  });

  it('holds an edge to what it has just spent itself', async () => {
    const pace = await knowing();
    show(pace, 50);
    expect(probability(pace)).to.equal(1);
    show(pace, 1);
    expect(probability(pace)).to.be.within(0, 0.02);
    nowMs += DAY_MS / 4;
    await known(pace);
    expect(probability(pace)).to.equal(1);
    show(pace, 44);
    expect(probability(pace)).to.equal(0);
  });

  it('holds an edge to what it has sold and not seen shown, for as long as that may be', async () => {
    const pace = await knowing();
    for (let n = 0; n < 60; n++) pace.reserve('campaign-1', 'dsp-1', CENT);
    expect(probability(pace)).to.be.below(0.01);
    nowMs += 1_800_000;
    await known(pace);
    expect(probability(pace)).to.equal(1);
  });

  it('holds edges to what others have spent and sold', async () => {
    const [one, other] = [await knowing(), await knowing()];
    show(one, 30);
    await one.sync();
    await other.sync();
    show(other, 22);
    expect(probability(one)).to.equal(1);
    expect(probability(other)).to.be.below(0.02);
    await other.sync();
    await one.sync();
    expect(probability(one)).to.be.below(0.02);

    const sold = await knowing();
    expect(probability(sold, { daily_cents: 110 })).to.equal(1);
    for (let n = 0; n < 10; n++) one.reserve('campaign-1', 'dsp-1', CENT);
    await one.sync();
    await sold.sync();
    expect(probability(sold, { daily_cents: 110 })).to.be.below(0.02);
  });

  it('loses nothing of what many edges add at once', async () => {
    const edges = await Promise.all(Array.from({ length: 5 }, knowing));
    for (let round = 0; round < 10; round++) {
      for (const pace of edges) show(pace, 2);
      await Promise.all(edges.map((pace) => pace.sync()));
    }
    // What others have sold and shown at once may be open for a while, for all that an edge knows.
    nowMs += 1_800_000;
    await Promise.all(edges.map(known));
    for (const pace of [...edges, await knowing()]) {
      // 100 cents were spent, and half of a day has gone by.
      expect(probability(pace, { daily_cents: 203 })).to.equal(1);
      expect(probability(pace, { daily_cents: 105 })).to.equal(0);
    }
  });

  it('knows after a restart what was spent before it', async () => {
    const before = await knowing();
    show(before, 60);
    await before.close();
    const after = await edge();
    expect(probability(after)).to.equal(null);
    await after.sync();
    expect(probability(after)).to.be.below(0.01);
    expect(probability(after, { daily_cents: 123 })).to.equal(1);
    expect(probability(after, { daily_cents: 63 })).to.equal(0);
  });

  it('begins a new daily budget at midnight UTC', async () => {
    nowMs = NOON + DAY_MS / 2 - 1_000;
    const pace = await knowing();
    show(pace, 95);
    expect(probability(pace)).to.equal(0);
    nowMs += 1_000;
    expect(probability(pace), 'not known yet').to.equal(null);
    await pace.sync();
    expect(probability(pace)).to.equal(1);
    expect(probability(await knowing())).to.equal(1);
  });

  it('bids no price that what is left cannot pay, and nothing that a request has bid already', async () => {
    const pace = await knowing();
    const asks = (priceNanos: number, bidSoFar = new Map<string, number>()) =>
      pace.bidProbability('campaign-1', 'dsp-1', daily, priceNanos, nowMs, bidSoFar);
    show(pace, 40);
    expect(asks(60 * CENT)).to.equal(1);
    expect(asks(61 * CENT)).to.equal(0);
    expect(asks(CENT, new Map([['campaign-1', 10 * CENT]]))).to.equal(1);
    expect(asks(CENT, new Map([['campaign-1', 12 * CENT]]))).to.be.below(0.01);
  });

  it('counts what other requests bid at the same moment, until that is settled', async () => {
    const pace = await knowing();
    probability(pace, daily, 'campaign-2');
    await known(pace);
    show(pace, 40);
    const bids = new Map([['campaign-1', 12 * CENT]]);
    pace.addPendingBids(bids);
    expect(probability(pace)).to.be.below(0.01);
    expect(probability(pace, daily, 'campaign-2'), 'another campaign').to.equal(1);
    pace.removePendingBids(bids);
    expect(probability(pace)).to.equal(1);
  });

  it('counts each environment of a demand source for itself', async () => {
    scope = 'sandbox-0/';
    const pace = await knowing();
    show(pace, 95);
    expect(probability(pace)).to.equal(0);
    scope = '';
    probability(pace);
    await pace.sync();
    expect(probability(pace)).to.equal(1);
    scope = 'sandbox-0/';
    const other = await knowing();
    await eventually('what was spent in the sandbox', async () => {
      await Promise.all([pace.sync(), other.sync()]);
      return probability(other) === 0;
    });
  });

  it('bids for ten seconds on what it knows while Redis is away, counts meanwhile, and tells it afterwards', async () => {
    const [pace, other] = [await knowing(), await knowing()];
    shared.proxy.cut();
    show(pace, 40);
    await eventually('the connection to break', async () => {
      nowMs += 10;
      await pace.sync();
      return pace.syncFailures > 0;
    });
    expect(probability(pace)).to.equal(1);
    nowMs += 10_001;
    expect(probability(pace)).to.equal(null);
    expect(probability(pace, null), 'without a budget').to.equal(1);
    shared.proxy.restore();
    await eventually('the spend to be known again', async () => {
      await Promise.all([known(pace), known(other)]);
      return probability(pace) === 1 && probability(other) !== null;
    });
    await known(other);
    // What others have sold and shown at once may be open for a while, for all that an edge knows.
    nowMs += 1_800_000;
    await known(other);
    expect(probability(other)).to.equal(1);
    show(other, 14);
    expect(probability(other)).to.be.below(0.02);
  });
});
