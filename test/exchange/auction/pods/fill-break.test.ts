import { expect } from 'chai';
import fc from 'fast-check';
import { advertiserDomain, includesDomain } from '#exchange/auction/advertiser-domain';
import type { AdBreak } from '#exchange/auction/pods/ad-break';
import { type BreakContender, fillBreak, isSeparated } from '#exchange/auction/pods/fill-break';
import { domainsAndAbove, UNCONSTRAINED_PLACEMENT } from '#exchange/auction/pods/pod-placement';
import { selectWinners } from '#exchange/auction/select-winners';

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

const ofAdvertisers = (...domains: readonly string[]) => {
  const advertisers = new Set(domains);
  return { advertisers, advertisersAndAbove: domainsAndAbove(advertisers) };
};

const contender = (impIds: readonly string[]): fc.Arbitrary<BreakContender> =>
  fc.record({
    impId: fc.constantFrom(...impIds),
    clearingCpmMicros: fc.constantFrom(1, 2, 2, 3, 5, 8),
    placing: fc
      .record({
        seconds: fc.constantFrom(6, 15, 30, 60),
        advertiser: fc.constantFrom('a.example', 'shop.a.example', 'b.example', 'c.example'),
        categories: fc.constantFrom([], ['IAB1'], ['IAB2']).map((names) => new Set(names)),
        taxonomy: fc.constantFrom(1, 1, 2),
        creative: fc.constantFrom(null, 'x', 'y', 'z'),
        dspId: fc.constantFrom('d', 'd', 'e'),
        campaign: fc.constantFrom(null, null, 'c'),
        position: fc.constantFrom(0, 0, 0, 1, -1, 2),
      })
      .map(({ advertiser, ...placing }) => ({ ...placing, ...ofAdvertisers(advertiser) })),
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
        ...ofAdvertisers(`${index % 30}.example`),
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
        ...ofAdvertisers(`${at % 500}.example`),
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

  it('separates advertisers as a comparison of each with each does', () => {
    const label = fc.constantFrom('a', 'b', 'www', '');
    const domain = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.'));
    const domains = fc.array(
      domain.filter((name) => advertiserDomain(name) === name && name !== ''),
      { maxLength: 3 },
    );
    let separate = 0;
    fc.assert(
      fc.property(domains, domains, (ours, theirs) => {
        const a = { ...UNCONSTRAINED_PLACEMENT, ...ofAdvertisers(...ours) };
        const b = { ...UNCONSTRAINED_PLACEMENT, ...ofAdvertisers(...theirs) };
        const naive =
          ours.some((name) => includesDomain(b.advertisers, name)) ||
          theirs.some((name) => includesDomain(a.advertisers, name));
        expect(isSeparated(a, b, new Set(['advertiser']))).to.equal(naive);
        if (naive) separate++;
      }),
    );
    expect(separate).to.be.greaterThan(10);
  });
});

describe('the work of filling a break', () => {
  /** Counts how often any of them is asked for a name. */
  class CountedSet extends Set<string> {
    static asked = 0;
    override has(name: string): boolean {
      CountedSet.asked += 1;
      return super.has(name);
    }
  }
  const deep = (at: number) => `${'a.'.repeat(100)}d${at}`;
  const counted = (...domains: readonly string[]) => {
    const { advertisers, advertisersAndAbove } = ofAdvertisers(...domains);
    return { advertisers: new CountedSet(advertisers), advertisersAndAbove: new CountedSet(advertisersAndAbove) };
  };
  const breakOf = (imps: number, maxAds: number) => {
    const slots = Array.from({ length: imps }, (_, at) => ({ impId: `p${at}`, maxAds, maxSeconds: 60 }));
    return { slots: new Map(slots.map((slot) => [slot.impId, slot])), separated: new Set(['advertiser'] as const) };
  };
  beforeEach(() => {
    CountedSet.asked = 0;
  });

  it('does not depend on how many labels the domains have', () => {
    const chosen = breakOf(1, 4);
    const contenders = Array.from({ length: 500 }, (_, at) => ({
      impId: 'p0',
      clearingCpmMicros: 1_000 + at,
      placing: { ...UNCONSTRAINED_PLACEMENT, seconds: 1, ...counted(deep(at % 3)) },
    }));
    expect(fillBreak(chosen, contenders, () => 0)).to.have.lengthOf(3);
    expect(CountedSet.asked).to.be.at.most(100_000);
  });

  it('counts the domains of both ads of a comparison', () => {
    const chosen = breakOf(1, 20);
    const contenders = Array.from({ length: 500 }, (_, at) => {
      const names = at >= 490 ? Array.from({ length: 100 }, (__, name) => `n${name}.d${at}`) : [`d${at % 2}`];
      const placing = { ...UNCONSTRAINED_PLACEMENT, seconds: 3, ...counted(...names) };
      return { impId: 'p0', clearingCpmMicros: 1_000 + at, placing };
    });
    expect(fillBreak(chosen, contenders, () => 0)).to.have.lengthOf(12);
    expect(CountedSet.asked).to.be.at.most(500_000);
  });

  it('is bounded for an auction whose groups cannot win', () => {
    const chosen = breakOf(10, 10);
    const breaks = new Map([...chosen.slots.keys()].map((impId) => [impId, chosen]));
    const grouped = Array.from({ length: 240 }, (_, at) => {
      const placing = { ...UNCONSTRAINED_PLACEMENT, seconds: 1, ...counted(deep(at % 3)) };
      const group = String(at);
      return [
        { impId: `p${at % 10}`, clearingCpmMicros: 1_000_000 + at, placing, group },
        { impId: 'alone', clearingCpmMicros: 1, placing, group },
      ];
    });
    const placing = { ...UNCONSTRAINED_PLACEMENT, ...counted() };
    const single = { impId: 'alone', clearingCpmMicros: 9_000_000, placing, group: null };
    const { winners, withdrawn } = selectWinners([single, ...grouped.flat()], () => 0, breaks);
    expect([...winners]).to.deep.equal([['alone', [single]]]);
    expect([...withdrawn]).to.have.members(grouped.flat());
    expect(CountedSet.asked).to.be.at.most(500_000);
  });
});
