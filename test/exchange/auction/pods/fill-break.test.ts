import { expect } from 'chai';
import fc from 'fast-check';
import type { AdBreak } from '#exchange/auction/pods/ad-break';
import { type BreakContender, fillBreak, isSeparated } from '#exchange/auction/pods/fill-break';
import { UNCONSTRAINED_PLACEMENT } from '#exchange/auction/pods/pod-placement';

const adBreak: fc.Arbitrary<AdBreak> = fc
  .record({
    structured: fc.integer({ min: 0, max: 2 }),
    maxAds: fc.integer({ min: 1, max: 4 }),
    maxSeconds: fc.constantFrom(30, 60, 90, 120),
    separated: fc.subarray(['advertiser', 'category', 'creative'] as const),
  })
  .map(({ structured, maxAds, maxSeconds, separated }) => {
    const dynamic = { impId: 'd', maxAds, maxSeconds };
    const slots = ['s0', 's1'].slice(0, structured).map((impId) => ({ impId, maxAds: 1, maxSeconds: Infinity }));
    return {
      slots: new Map([...slots, dynamic].map((slot) => [slot.impId, slot])),
      separated: new Set(separated),
    };
  });

const contender = (impIds: readonly string[]): fc.Arbitrary<BreakContender> =>
  fc.record({
    impId: fc.constantFrom(...impIds),
    clearingCpmMicros: fc.constantFrom(1, 2, 2, 3, 5, 8),
    placing: fc.record({
      seconds: fc.constantFrom(6, 15, 30, 60),
      advertisers: fc
        .constantFrom('a.example', 'shop.a.example', 'b.example', 'c.example')
        .map((name) => new Set([name])),
      categories: fc.constantFrom([], ['IAB1'], ['IAB2']),
      taxonomy: fc.constantFrom(1, 1, 2),
      creative: fc.constantFrom(null, 'x', 'y', 'z'),
      dspId: fc.constantFrom('d', 'd', 'e'),
      campaign: fc.constantFrom(null, null, 'c'),
      position: fc.constantFrom(0, 0, 0, 1, -1, 2),
    }),
  });

const auction = adBreak.chain((chosen) =>
  fc.record({
    adBreak: fc.constant(chosen),
    contenders: fc.array(contender([...chosen.slots.keys()]), { maxLength: 9 }),
    tie: fc.double({ min: 0, max: 0.999, noNaN: true }),
  }),
);

/** The rules, said once more and plainly. */
function isAllowed({ slots, separated }: AdBreak, ads: readonly BreakContender[]): boolean {
  for (const { impId, maxAds, maxSeconds } of slots.values()) {
    const own = ads.filter((ad) => ad.impId === impId);
    const at = (position: number) => own.filter(({ placing }) => placing.position === position).length;
    if (own.length > maxAds || own.reduce((sum, { placing }) => sum + placing.seconds, 0) > maxSeconds) return false;
    if (at(1) > 1 || at(-1) > 1 || at(1) + at(-1) + at(2) > 2) return false;
  }
  return ads.every((a, i) => ads.every((b, j) => i >= j || !isSeparated(a.placing, b.placing, separated)));
}

function paid(ads: readonly BreakContender[]): number {
  return ads.reduce((sum, { clearingCpmMicros }) => sum + clearingCpmMicros, 0);
}

/** Every subset, tried. */
function mostThatCanBePaid(chosen: AdBreak, contenders: readonly BreakContender[]): number {
  let most = 0;
  for (let subset = 0; subset < 1 << contenders.length; subset++) {
    const ads = contenders.filter((_, index) => subset & (1 << index));
    if (paid(ads) > most && isAllowed(chosen, ads)) most = paid(ads);
  }
  return most;
}

describe('a break', () => {
  it('is filled by the rules, and nothing that they allow would pay more', () => {
    fc.assert(
      fc.property(auction, ({ adBreak: chosen, contenders, tie }) => {
        const ads = fillBreak(chosen, contenders, () => tie);
        expect(isAllowed(chosen, ads)).to.equal(true);
        expect(new Set(ads).size).to.equal(ads.length);
        expect(paid(ads)).to.equal(mostThatCanBePaid(chosen, contenders));
      }),
      { numRuns: 1_000 },
    );
  });

  it('shows its ads in order: who must be first is, who must be last is', () => {
    fc.assert(
      fc.property(auction, ({ adBreak: chosen, contenders, tie }) => {
        const ads = fillBreak(chosen, contenders, () => tie);
        for (const impId of chosen.slots.keys()) {
          const own = ads.filter((ad) => ad.impId === impId);
          for (const [index, { placing }] of own.entries()) {
            if (placing.position === 1) expect(index).to.equal(0);
            if (placing.position === -1) expect(index).to.equal(own.length - 1);
            if (placing.position === 2) expect(index).to.be.oneOf([0, own.length - 1]);
          }
        }
      }),
    );
  });

  it('of a hundred contenders is filled no worse than greedily, in bounded steps', () => {
    const chosen: AdBreak = {
      slots: new Map([['d', { impId: 'd', maxAds: 8, maxSeconds: 120 }]]),
      separated: new Set(['advertiser']),
    };
    const contenders: BreakContender[] = Array.from({ length: 100 }, (_, index) => ({
      impId: 'd',
      clearingCpmMicros: 1_000 + ((index * 7919) % 997),
      placing: {
        ...UNCONSTRAINED_PLACEMENT,
        seconds: [6, 15, 30][index % 3]!,
        advertisers: new Set([`${index % 30}.example`]),
      },
    }));
    const greedy: BreakContender[] = [];
    for (const one of [...contenders].sort((a, b) => b.clearingCpmMicros - a.clearingCpmMicros)) {
      if (isAllowed(chosen, [...greedy, one])) greedy.push(one);
    }
    const ads = fillBreak(chosen, contenders, () => 0);
    expect(isAllowed(chosen, ads)).to.equal(true);
    expect(paid(ads)).to.be.at.least(paid(greedy));
  });

  it('is never less than taking the highest that fits, one after another, in however many bids', () => {
    const slot = { impId: 'd', maxAds: 20, maxSeconds: 599 };
    const crowded: AdBreak = { slots: new Map([['d', slot]]), separated: new Set(['advertiser', 'creative']) };
    const many = Array.from({ length: 30_000 }, (_, at) => ({
      impId: 'd',
      clearingCpmMicros: 1_000_000 + ((at * 7_919) % 30_000),
      placing: {
        ...UNCONSTRAINED_PLACEMENT,
        seconds: [6, 15, 30, 45][at % 4]!,
        advertisers: new Set([`${at % 500}.example`]),
        creative: `${at % 9_000}`,
      },
    }));
    const greedy: BreakContender[] = [];
    for (const one of [...many].sort((a, b) => b.clearingCpmMicros - a.clearingCpmMicros)) {
      if (isAllowed(crowded, [...greedy, one])) greedy.push(one);
      if (greedy.length === slot.maxAds) break;
    }
    const filled = fillBreak(crowded, many, () => 0.5);
    expect(isAllowed(crowded, filled)).to.equal(true);
    expect(paid(filled)).to.be.at.least(paid(greedy));
  });
});
