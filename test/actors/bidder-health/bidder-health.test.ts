import { expect } from 'chai';
import { bidderHealth } from '#actors/bidder-health/bidder-health';
import { healthOf } from '#actors/bidder-health/health';
import type { BreakerState, EdgeHealthReport } from '#actors/bidder-health/messages';
import { type BidderHealthState, emptyBidderHealth } from '#actors/bidder-health/reduce';

const beginningMs = Date.UTC(2026, 0, 31, 12);
const nothing = { callsPerSecond: 0, calls: 0, timeouts: 0, errors: 0, timed: 0, latencyMicros: 0 };

/** Lets edges report, each at its time after the beginning. */
function reported(
  reports: readonly [
    atMs: number,
    edge: string,
    said: Partial<EdgeHealthReport>,
    lastBidAtMs?: number,
    resets?: number,
  ][],
) {
  const state: BidderHealthState = emptyBidderHealth();
  for (const [atMs, edge, said, lastBidAtMs = null, resets = 0] of reports) {
    const sighting: EdgeHealthReport = { region: 'fra', breaker: 'closed', ...nothing, ...said };
    const message = { type: 'report' as const, body: { edge, resets, sighting, lastBidAtMs } };
    const context = { id: 'd1', address: 'bidder-health/d1', position: '1-1', random: () => 0 };
    bidderHealth.handle(state, message, { ...context, nowMs: beginningMs + atMs });
  }
  return { state, healthAt: (atMs: number, resets = 0) => healthOf(state, resets, beginningMs + atMs) };
}

describe('the health of a bidder', () => {
  it('is good where no edge has anything to say', () => {
    expect(reported([]).healthAt(0)).to.deep.equal({
      breaker: 'closed',
      connectionProblem: null,
      callsPerSecond: 0,
      timeoutRate: 0,
      errorRate: 0,
      meanLatencyMs: 0,
      lastBidAtMs: null,
    });
  });

  it('weighs what the edges say by their calls', () => {
    const health = reported([
      [0, 'a', { callsPerSecond: 3, calls: 90, timeouts: 9, errors: 0, timed: 80, latencyMicros: 800_000 }],
      [500, 'b', { callsPerSecond: 2, calls: 10, timeouts: 1, errors: 5, timed: 20, latencyMicros: 2_200_000 }],
    ]).healthAt(1_000);
    expect(health).to.include({ callsPerSecond: 5, timeoutRate: 0.1, errorRate: 0.05, meanLatencyMs: 30 });
  });

  const cases: [BreakerState, BreakerState, BreakerState][] = [
    ['closed', 'closed', 'closed'],
    ['closed', 'half_open', 'half_open'],
    ['open', 'half_open', 'open'],
    ['open', 'closed', 'open'],
  ];
  for (const [one, other, worst] of cases) {
    it(`is ${worst} where one edge is ${one} and another ${other}`, () => {
      const both = reported([
        [0, 'a', { breaker: one }],
        [0, 'b', { breaker: other }],
      ]);
      expect(both.healthAt(0).breaker).to.equal(worst);
    });
  }

  it('begins anew with a reset: what edges saw before it is not shown, whenever they say it', () => {
    const before = reported([[0, 'a', { calls: 20, errors: 20 }, 7]]);
    expect(before.healthAt(0, 1), 'while no edge has heard of it').to.include({ errorRate: 0, lastBidAtMs: null });
    const { state, healthAt } = reported([
      [0, 'a', { calls: 20, errors: 20 }, 7],
      [1, 'b', { calls: 2, timeouts: 1 }, undefined, 1],
      [2, 'a', { calls: 30, errors: 30 }, 8],
    ]);
    expect(Object.keys(state.edges)).to.deep.equal(['b']);
    expect(healthAt(2, 1)).to.include({ errorRate: 0, timeoutRate: 0.5, lastBidAtMs: null });
  });

  it('goes by what each edge said last', () => {
    const { healthAt } = reported([
      [0, 'a', { breaker: 'open', calls: 20, timeouts: 20 }],
      [1_000, 'a', { breaker: 'closed', calls: 40, timeouts: 20 }],
    ]);
    expect(healthAt(1_000)).to.include({ breaker: 'closed', timeoutRate: 0.5 });
  });

  it('does not take the word of a silent edge for how things are now, but for what was', () => {
    const { healthAt } = reported([[0, 'a', { breaker: 'open', callsPerSecond: 9, calls: 10, errors: 5 }]]);
    expect(healthAt(15_000)).to.include({ breaker: 'open', callsPerSecond: 9 });
    expect(healthAt(15_001)).to.include({ breaker: 'closed', callsPerSecond: 0, errorRate: 0.5 });
    expect(healthAt(300_001)).to.include({ errorRate: 0 });
  });

  it('forgets edges that are gone, and remembers when it last bid', () => {
    const { state, healthAt } = reported([
      [0, 'gone', { calls: 1 }, beginningMs - 7],
      [300_001, 'here', { calls: 1 }],
    ]);
    expect(Object.keys(state.edges)).to.deep.equal(['here']);
    expect(healthAt(300_001).lastBidAtMs).to.equal(beginningMs - 7);
  });
});
