import { expect } from 'chai';
import fc from 'fast-check';
import { RecentCalls } from '#gateways/bidders/health/recent-calls';

const ends = ['answered', 'timedOut', 'failed'] as const;
const callArbitrary = fc.record({
  gapMs: fc.integer({ min: 0, max: 60_000 }),
  end: fc.constantFrom(...ends),
  latencyMs: fc.integer({ min: 0, max: 150 }),
});

describe('recent calls', () => {
  it('are those of five minutes, by steps of five seconds, as if each had been kept', () => {
    fc.assert(
      fc.property(fc.array(callArbitrary, { maxLength: 60 }), fc.integer({ min: 0, max: 400_000 }), (calls, restMs) => {
        const recent = new RecentCalls();
        let nowMs = 0;
        const kept = calls.map(({ gapMs, end, latencyMs }) => {
          nowMs += gapMs;
          recent[end](nowMs, latencyMs);
          return { atMs: nowMs, end, latencyMs };
        });
        nowMs += restMs;
        const oldest = Math.floor(nowMs / 5_000) - 59;
        const inWindow = kept.filter(({ atMs }) => Math.floor(atMs / 5_000) >= oldest);
        const timed = inWindow.filter(({ latencyMs }) => latencyMs > 0);
        expect(recent.take(nowMs)).to.deep.include({
          calls: inWindow.length,
          timeouts: inWindow.filter(({ end }) => end === 'timedOut').length,
          errors: inWindow.filter(({ end }) => end === 'failed').length,
          timed: timed.length,
          latencyMs: timed.reduce((sum, { latencyMs }) => sum + latencyMs, 0),
        });
      }),
    );
  });

  it('have a rate since the figures were last taken', () => {
    const recent = new RecentCalls();
    recent.take(10_000);
    for (let i = 0; i < 21; i++) recent.begun();
    expect(recent.take(12_000).callsPerSecond).to.equal(11);
    expect(recent.take(13_000).callsPerSecond).to.equal(0);
    recent.begun();
    expect(recent.take(20_000).callsPerSecond, 'one call in seven seconds is not none').to.equal(1);
  });
});
