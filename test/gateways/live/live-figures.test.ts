import { expect } from 'chai';
import { auctionsPerSecond, LiveFigures, totalOf } from '#gateways/live/live-figures';
import { LiveRecorder } from '#gateways/live/live-recorder';
import { metricsUpdate } from '#gateways/live/metrics-update';
import type { Clock } from '#runtime/ports/clock';
import type { Counters } from '#runtime/ports/counters';
import { createMemoryCounters } from '#runtime/providers/memory/memory-counters';
import { systemClock } from '#runtime/providers/system/system-clock';

/** A minute and three seconds after an instant that begins a bucket. */
const START_MS = Date.UTC(2026, 2, 14, 12, 0, 0);

describe('live figures', () => {
  let nowMs: number;
  let counters: Counters;
  let figures: LiveFigures;
  const recorders: LiveRecorder[] = [];
  const clock: Clock = { now: () => nowMs, monotonic: () => nowMs, after: systemClock.after };
  const owners = new Map([
    ['p1', { accountId: 'a1', partnerId: null }],
    ['p2', { accountId: 'a1', partnerId: 'n1' }],
    ['p3', { accountId: 'a2', partnerId: null }],
  ]);
  const edge = (region: string): LiveRecorder => {
    const recorder = new LiveRecorder({ sums: counters.sums, clock, region, ownerOf: (id) => owners.get(id) ?? null });
    recorders.push(recorder);
    return recorder;
  };
  const counts = (auctions: number, imps = auctions, filledImps = 0) =>
    new Map(Object.entries({ auctions, imps, filledImps }));
  const account = { accountId: 'a1', partnerId: null, sandbox: false };
  const partner = { ...account, partnerId: 'n1' };
  const sandbox = { ...account, sandbox: true };

  beforeEach(() => {
    nowMs = START_MS;
    counters = createMemoryCounters({ ...clock, after: () => () => {} });
    figures = new LiveFigures(counters, clock);
  });
  afterEach(async () => {
    for (const recorder of recorders.splice(0)) await recorder.close();
    await counters.close();
  });

  it('add up all edges, by region, for the account and for the partner', async () => {
    const [fra, nyc] = [edge('fra'), edge('nyc')];
    fra.count('p1', false, counts(100, 200, 50));
    fra.count('p2', false, counts(10, 10, 10));
    fra.count('p3', false, counts(1000));
    fra.count('nobody', false, counts(1000));
    nyc.count('p2', false, counts(1, 2, 1));
    nyc.earned('p2', false, 2_125_000);
    for (const one of [fra, nyc]) await one.flush();
    const minute = await figures.lastMinute(account);
    expect([...minute.regions]).to.deep.equal([
      ['fra', { auctions: 110, imps: 210, filledImps: 60, netNanos: 0 }],
      ['nyc', { auctions: 1, imps: 2, filledImps: 1, netNanos: 2_125_000 }],
    ]);
    expect(totalOf(await figures.lastMinute(partner))).to.deep.equal({
      auctions: 11,
      imps: 12,
      filledImps: 11,
      netNanos: 2_125_000,
    });
    expect(totalOf(await figures.lastMinute(sandbox)).auctions).to.equal(0);
  });

  it('are of the last 55 to 60 seconds, and come to the rate that there is', async () => {
    const fra = edge('fra');
    for (let second = 0; second < 120; second++) {
      nowMs = START_MS + second * 1000;
      fra.count('p1', false, counts(50));
      await fra.flush();
      await figures.lastMinute(account);
    }
    // 119 s after the start: the bucket under way has 4 s of 5, with it 59 s, each of 50.
    nowMs = START_MS + 119_000 + 999;
    const minute = await figures.lastMinute(account);
    expect(totalOf(minute).auctions).to.equal(60 * 50);
    expect(minute.seconds).to.be.closeTo(60, 0.01);
    expect(auctionsPerSecond(totalOf(minute), minute)).to.be.closeTo(50, 0.05);
    nowMs += 30_000;
    expect(totalOf(await figures.lastMinute(account)).auctions).to.be.closeTo(30 * 50, 5 * 50);
    nowMs += 60_000;
    expect(totalOf(await figures.lastMinute(account)).auctions).to.equal(0);
  });

  it('have each share of an impression in the seconds in which it was earned, however many there were', async () => {
    const fra = edge('fra');
    fra.earned('p2', false, 1_000);
    fra.earned('p1', false, 0);
    fra.earned('nobody', false, 7);
    nowMs += 4_999;
    fra.earned('p2', false, 20_000);
    nowMs += 1;
    fra.earned('p2', false, 300_000);
    fra.earned('p2', true, 5);
    await fra.flush();
    fra.earned('p2', false, 4_000_000);
    await fra.flush();
    const netNanos = async (scope: Parameters<LiveFigures['lastMinute']>[0]) =>
      totalOf(await figures.lastMinute(scope)).netNanos;
    for (const scope of [account, partner]) expect(await netNanos(scope)).to.equal(4_321_000);
    expect(await netNanos(sandbox)).to.equal(5);
    nowMs = START_MS + 62_000;
    for (const scope of [account, partner]) expect(await netNanos(scope)).to.equal(4_300_000);
  });

  it('take in what an edge tells late', async () => {
    const fra = edge('fra');
    fra.count('p1', false, counts(5));
    nowMs += 7_000;
    expect(totalOf(await figures.lastMinute(account)).auctions).to.equal(0);
    await fra.flush();
    expect(totalOf(await figures.lastMinute(account)).auctions).to.equal(5);
    nowMs += 20_000;
    expect(totalOf(await figures.lastMinute(account)).auctions, 'settled by now').to.equal(5);
    expect(totalOf(await figures.lastMinute(account)).auctions, 'and remembered').to.equal(5);
  });

  it('of a flushed sandbox are none, of the other partners those that they were', async () => {
    const fra = edge('fra');
    fra.count('p1', true, counts(5));
    fra.count('p2', true, counts(7));
    fra.count('p1', false, counts(3));
    await fra.flush();
    await figures.flushSandbox('a1', 'n1', []);
    expect(totalOf(await figures.lastMinute({ ...sandbox, partnerId: 'n1' })).auctions).to.equal(0);
    expect(totalOf(await figures.lastMinute(sandbox)).auctions).to.equal(5);
    await figures.flushSandbox('a1', null, ['n1']);
    expect(totalOf(await figures.lastMinute(sandbox)).auctions).to.equal(0);
    expect(totalOf(await figures.lastMinute(account)).auctions).to.equal(3);
  });

  for (const [what, flushes] of [
    ['the account', [null, null, null]],
    ['a partner', ['n1', 'n1', 'n1']],
    ['the account and a partner', [null, 'n1', null, 'n1']],
  ] as const)
    it(`of a sandbox count what comes after several flushes at once, of ${what}, in two processes`, async () => {
      const fra = edge('fra');
      fra.count('p1', true, counts(5));
      fra.count('p2', true, counts(7));
      await fra.flush();
      const processes = [figures, new LiveFigures(counters, clock)] as const;
      await Promise.all(flushes.map((partnerId, n) => processes[n % 2]!.flushSandbox('a1', partnerId, ['n1'])));
      fra.count('p1', true, counts(1));
      fra.count('p2', true, counts(2));
      await fra.flush();
      const left = flushes.some((partnerId) => partnerId === null) ? 0 : 5;
      expect(totalOf(await figures.lastMinute(sandbox)).auctions).to.equal(left + 3);
      expect(totalOf(await figures.lastMinute({ ...sandbox, partnerId: 'n1' })).auctions).to.equal(2);
    });

  it('flush a sandbox also where another process has died in its flush, and where no turn can be had', async () => {
    const fra = edge('fra');
    await counters.marks.put(
      { group: 'live-flush/a1', key: 'turn' },
      'of a process that died',
      START_MS + 5_000,
      START_MS,
    );
    for (const marks of [counters.marks, { ...counters.marks, putWithin: () => Promise.reject(new Error('away')) }]) {
      fra.count('p1', true, counts(5));
      await fra.flush();
      const flushed = new LiveFigures({ sums: counters.sums, marks }, clock).flushSandbox('a1', null, []);
      nowMs += 5_000;
      await flushed;
      expect(totalOf(await figures.lastMinute(sandbox)).auctions).to.equal(0);
    }
  });

  it('make the message of the specification', async () => {
    const fra = edge('fra');
    fra.count('p1', false, counts(120, 240, 60));
    // 1.5 cents are 2: half to even.
    fra.earned('p1', false, 15_000_000);
    await fra.flush();
    nowMs = START_MS + 4_000;
    expect(metricsUpdate(await figures.lastMinute(account), nowMs)).to.deep.equal({
      type: 'metrics_update',
      timestamp: '2026-03-14T12:00:04.000Z',
      // 120 ÷ 59 s
      rps: 2.03,
      fill_rate_1m: 0.25,
      revenue_cents_1m: 2,
    });
  });
});
