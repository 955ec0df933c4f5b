import { expect } from 'chai';
import fc from 'fast-check';
import { GenerationalCache } from '#edge/screening/generations';

describe('generations', () => {
  it('keep what was put in for the span, and never more than their bound', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 40 })), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(steps, fc.integer({ min: 2, max: 200 }), (puts, maxKeys) => {
        const kept = new GenerationalCache<number, number>(100, maxKeys, 0);
        const putAtMs = new Map<number, number>();
        let nowMs = 0;
        for (const [key, pauseMs] of puts) {
          nowMs += pauseMs;
          kept.put(key, nowMs, nowMs);
          putAtMs.set(key, nowMs);
          expect(kept.size).to.be.at.most(maxKeys);
          for (const [known, atMs] of putAtMs) {
            const found = kept.get(known, nowMs);
            if (found !== undefined) expect(found).to.equal(atMs);
            // With room for all that is put in, nothing goes early; and nothing outlives twice its span.
            if (maxKeys >= 62 && nowMs - atMs < 100) expect(found, `${known} at ${nowMs}`).to.equal(atMs);
            if (nowMs - atMs >= 200) expect(found, `${known} at ${nowMs}`).to.equal(undefined);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('forget the oldest first', () => {
    const kept = new GenerationalCache<number, true>(1_000_000, 1_000, 0);
    for (let key = 0; key < 100_000; key++) kept.put(key, true, 0);
    expect(kept.size).to.be.within(500, 1_000);
    for (let key = 99_500; key < 100_000; key++) expect(kept.get(key, 0)).to.equal(true);
  });
});
