import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { FrequencyCap } from '#edge/delegates/frequency-caps';
import { SharedFrequencyCaps } from '#edge/delegates/shared-frequency-caps';
import { CountersUnavailable } from '#runtime/ports/errors';
import { systemClock } from '#runtime/providers/system/system-clock';
import { eventually } from '../../support/eventually.ts';
import { redisUrl } from '../../support/real-servers.ts';
import { type SharedCounters, sharedCounters } from './shared-counters.ts';

const HOUR_MS = 3_600_000;

describe('frequency caps that two edges share in Redis', () => {
  let shared: SharedCounters;
  let edges: [SharedFrequencyCaps, SharedFrequencyCaps];
  let nowMs: number;
  let scope: string;
  const clock = {
    ...systemClock,
    now: () => nowMs,
    monotonic: () => systemClock.monotonic(),
    after: systemClock.after,
  };

  // Skips all of it, its hooks too, where there is no Redis.
  before(function () {
    redisUrl(this);
  });
  beforeEach(async function () {
    shared = await sharedCounters(this);
    nowMs = Date.now();
    scope = '';
    // A machine under test may be busy: what is late is shown on its own.
    const open = async () =>
      new SharedFrequencyCaps({ marks: (await shared.edge()).marks, clock, scope: () => scope, timeoutMs: 2_000 });
    edges = [await open(), await open()];
  });
  afterEach(async () => {
    await Promise.all(edges.map((edge) => edge.close()));
    await shared.close();
  });

  const device = () => `device-${randomUUID()}`;
  const twice: FrequencyCap = { campaignId: 'campaign-1', maxImpressions: 2 };
  const isExhausted = async (deviceKey: string, cap = twice, edge = edges[0]) =>
    (await edge.exhausted(deviceKey, [cap])).has(cap.campaignId);

  it('let exactly as many auctions win as there are places, whichever edges hold them at once', async () => {
    for (let round = 0; round < 20; round++) {
      const viewer = device();
      const auctions = Array.from({ length: 16 }, async (_, n) => {
        const edge = edges[n % 2]!;
        if (await isExhausted(viewer, twice, edge)) return false;
        return edge.reserve(viewer, twice, `sale-${n}`, nowMs + HOUR_MS);
      });
      expect((await Promise.all(auctions)).filter((won) => won)).to.have.length(2);
      expect(await isExhausted(viewer)).to.equal(true);
    }
  });

  it('answer for each of many campaigns', async () => {
    const viewer = device();
    const caps = Array.from({ length: 100 }, (_, n) => ({ campaignId: `campaign-${n}`, maxImpressions: (n % 2) + 1 }));
    for (const cap of caps) expect(await edges[0].reserve(viewer, cap, 'sale', nowMs + HOUR_MS)).to.equal(true);
    const exhausted = caps.filter(({ maxImpressions }) => maxImpressions === 1).map(({ campaignId }) => campaignId);
    expect([...(await edges[1].exhausted(viewer, caps))]).to.deep.equal(exhausted);
    expect([...(await edges[1].exhausted(device(), caps))]).to.deep.equal([]);
    expect([...(await edges[1].exhausted(viewer, []))]).to.deep.equal([]);
  });

  it('give a place back when what was sold was not shown in its window', async () => {
    const viewer = device();
    const once = { ...twice, maxImpressions: 1 };
    expect(await edges[0].reserve(viewer, once, 'sale-1', nowMs + HOUR_MS)).to.equal(true);
    expect(await isExhausted(viewer, once)).to.equal(true);
    nowMs += HOUR_MS;
    expect(await isExhausted(viewer, once)).to.equal(false);
    expect(await edges[1].reserve(viewer, once, 'sale-2', nowMs + HOUR_MS)).to.equal(true);
  });

  it('give a place back at once when what was sold cannot be shown', async () => {
    const viewer = device();
    const once = { ...twice, maxImpressions: 1 };
    expect(await edges[0].reserve(viewer, once, 'sale-1', nowMs + HOUR_MS)).to.equal(true);
    edges[0].release(viewer, once.campaignId, 'sale-1');
    await eventually('the place to be free', async () => !(await isExhausted(viewer, once, edges[1])));
  });

  it('give a place back that was taken too late', async () => {
    const viewer = device();
    const once = { ...twice, maxImpressions: 1 };
    const { marks } = await shared.edge();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const slow = {
      ...marks,
      async putWithin(...of: Parameters<typeof marks.putWithin>) {
        const placed = await marks.putWithin(...of);
        await answered;
        return placed;
      },
    };
    const hurried = new SharedFrequencyCaps({ marks: slow, clock, scope: () => '', timeoutMs: 5 });
    expect(await hurried.reserve(viewer, once, 'sale-1', nowMs + HOUR_MS)).to.equal(false);
    await eventually('the place to be taken', () => isExhausted(viewer, once));
    answer();
    await eventually('the place to be free', async () => !(await isExhausted(viewer, once)));
    await hurried.close();
  });

  it('count an impression from when it was shown, in place of its sale, at whichever edge, once', async () => {
    const viewer = device();
    await edges[0].reserve(viewer, twice, 'sale-1', nowMs + HOUR_MS);
    for (const edge of [edges[1], edges[0], edges[1]]) edge.count(viewer, 'campaign-1', 'sale-1', nowMs + 24 * HOUR_MS);
    nowMs += 2 * HOUR_MS;
    const once = { ...twice, maxImpressions: 1 };
    await eventually('the impression to count', () => isExhausted(viewer, once));
    expect(await isExhausted(viewer), 'twice').to.equal(false);
    nowMs += 22 * HOUR_MS;
    expect(await isExhausted(viewer, once), 'after the window').to.equal(false);
  });

  it('count by device, by campaign, and by the environment of the campaign', async () => {
    const viewer = device();
    const once = { ...twice, maxImpressions: 1 };
    await edges[0].reserve(viewer, once, 'sale-1', nowMs + HOUR_MS);
    expect(await isExhausted(device(), once)).to.equal(false);
    expect(await isExhausted(viewer, { ...once, campaignId: 'campaign-2' })).to.equal(false);
    scope = 'sandbox-1/';
    expect(await isExhausted(viewer, once)).to.equal(false);
  });

  it('take every campaign for exhausted while Redis is away, at once, and count what was shown when it is back', async () => {
    const viewer = device();
    await edges[0].reserve(viewer, twice, 'sale-1', nowMs + HOUR_MS);
    shared.proxy.cut();
    await eventually('the connection to break', () => isExhausted(viewer));
    const began = performance.now();
    expect(await isExhausted(viewer)).to.equal(true);
    expect(await edges[0].reserve(viewer, twice, 'sale-2', nowMs + HOUR_MS)).to.equal(false);
    expect(performance.now() - began).to.be.below(15_000);
    edges[0].count(viewer, 'campaign-1', 'sale-1', nowMs + 24 * HOUR_MS);
    edges[0].count(viewer, 'campaign-1', 'sale-3', nowMs + 24 * HOUR_MS);
    shared.proxy.restore();
    // Both impressions, which were not read again.
    const thrice = { ...twice, maxImpressions: 3 };
    await eventually('the viewings to be counted', async () => {
      return (await isExhausted(viewer, twice, edges[1])) && !(await isExhausted(viewer, thrice, edges[1]));
    });
  });

  it('ask little of a Redis that is away, however many impressions wait to be counted', async () => {
    const { marks } = await shared.edge();
    let asked = 0;
    let away = true;
    const counting = {
      ...marks,
      async put(...of: Parameters<typeof marks.put>) {
        asked += 1;
        if (away) throw new CountersUnavailable('away');
        await marks.put(...of);
      },
    };
    let retry = () => {};
    const patient = {
      ...clock,
      after: (_ms: number, act: () => void) => {
        retry = act;
        return () => {};
      },
    };
    const edge = new SharedFrequencyCaps({ marks: counting, clock: patient, scope: () => '' });
    const viewers = Array.from({ length: 3_000 }, device);
    for (const viewer of viewers) edge.count(viewer, 'campaign-1', 'sale-1'.concat(viewer), nowMs + HOUR_MS);
    await eventually('the first try', async () => asked > 0);
    asked = 0;
    retry();
    await eventually('another try', async () => asked > 0);
    expect(asked).to.be.at.most(500);
    away = false;
    await edge.close();
    const once = { ...twice, maxImpressions: 1 };
    for (const viewer of viewers) expect(await isExhausted(viewer, once)).to.equal(true);
  });

  it('wait no longer than they may for a Redis that is silent', async () => {
    const hurried = new SharedFrequencyCaps({ marks: (await shared.edge()).marks, clock, scope: () => '' });
    shared.proxy.stall();
    const began = performance.now();
    expect(await isExhausted(device(), twice, hurried)).to.equal(true);
    expect(await hurried.reserve(device(), twice, 'sale', nowMs + HOUR_MS)).to.equal(false);
    // 25 and 100 ms, on a machine that may be busy.
    expect(performance.now() - began).to.be.within(115, 15_000);
    await hurried.close();
  });
});
