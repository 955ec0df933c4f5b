import { expect } from 'chai';
import fc from 'fast-check';
import { ledgerId } from '#actors/ledger/ledger-id';
import { packPage, unpackPage } from '#actors/ledger/packed-page';
import { OTHERS_KEY } from '#actors/ledger/page';
import type { LedgerPage, LedgerRow } from '#actors/ledger/page-schema';
import type { LedgerSum, LedgerTotals } from '#actors/ledger/report/ledger-sum';
import { reportWindowOf } from '#actors/ledger/report/period';
import { type LedgerPages, sumByRegion, sumByTime, sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { encodeRowName } from '#actors/ledger/row-name';

const DAY_MS = Date.UTC(2026, 2, 4);
const NOW_MS = DAY_MS + 12 * 3_600_000;
const HOUR_MS = 3_600_000;
const ID = ledgerId('publisher', 'p1', DAY_MS, false);
const REGIONS = ['fra', 'nyc', 'a|b;c'];
/** As full as a ledger's table becomes: what is named from then on stands in its pages. */
const FULL = 4_000;

const count = fc.nat(1_000_000);
const nanos = fc.oneof(fc.nat(50), fc.maxSafeNat(), fc.constant(Number.MAX_SAFE_INTEGER));
const key = fc.oneof(
  fc.constantFrom('dsp-1', 'dsp-2', '7', '__proto__').map((name) => `:${name}`),
  fc.string({ minLength: 1, maxLength: 8 }).map((name) => `:${encodeRowName(name)}`),
  fc.uuid().map((name) => `:${name}`),
  fc.constant(OTHERS_KEY),
);
const optional = fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: undefined });
const row = fc
  .record({
    impressions: count,
    grossNanos: count,
    feeNanos: count,
    bids: optional,
    wins: optional,
    viewable: optional,
  })
  .map(
    (parts) =>
      Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as unknown as LedgerRow,
  );
const counts = fc.dictionary(fc.constantFrom('auctions', 'imps', 'imps-more', 'bids/a b', 'ä=,|;'), fc.nat(), {
  noNullPrototype: true,
});
const rows = fc.dictionary(key, row, { maxKeys: 6, noNullPrototype: true });
const anyPage = fc.record({
  impressions: count,
  grossNanos: nanos,
  feeNanos: nanos,
  counts,
  latency: fc.dictionary(fc.integer({ min: -30, max: 400 }).map(String), fc.nat(), { noNullPrototype: true }),
  counterparties: rows,
  creatives: rows,
});
/** Also with rows that have the money of the whole region and nothing else. */
const regionPage = fc.tuple(anyPage, fc.array(key, { maxLength: 2 })).map(([of, wholes]) => {
  const { impressions, grossNanos, feeNanos } = of;
  for (const whole of wholes) of.creatives[whole] = { impressions, grossNanos, feeNanos };
  return of;
});
const page: fc.Arbitrary<LedgerPage> = fc.dictionary(fc.constantFrom(...REGIONS), regionPage, {
  noNullPrototype: true,
});
/** Pages of some minutes before noon, by the number of the minute. */
const minutes = fc.dictionary(fc.integer({ min: 5 * 60, max: 12 * 60 + 5 }).map(String), page, {
  maxKeys: 8,
  noNullPrototype: true,
});

describe('sums of packed pages', () => {
  const window = reportWindowOf('6h', NOW_MS);
  const both = (pages: Record<string, LedgerPage>, named: number): [packed: LedgerPages, plain: LedgerPages] => {
    const names = Array.from({ length: named }, (_, number) => `:${number}`);
    const packed = Object.fromEntries(Object.entries(pages).map(([minute, of]) => [minute, packPage(of, names)]));
    const plain = Object.fromEntries(Object.entries(packed).map(([minute, of]) => [minute, unpackPage(of, names)]));
    return [
      { id: ID, state: { names, minutes: packed } },
      { id: ID, state: { names, minutes: plain } },
    ];
  };
  /** Without an order, which sums do not have. */
  const sorted = <V>(entries: Iterable<[string, V]>) => [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  const toldOfAll = ({ counts, latency, ...sums }: LedgerTotals) => ({
    ...{ ...sums, counts: sorted(counts), bins: sorted(Object.entries(latency)) },
  });
  const told = ({ counterparties, creatives, ...sums }: LedgerSum) => ({
    ...{ ...toldOfAll(sums), rows: [sorted(counterparties), sorted(creatives)] },
  });

  it('are those of the same pages unpacked, whatever stands in them', () => {
    fc.assert(
      fc.property(
        minutes,
        fc.constantFrom(0, FULL - 2, FULL),
        fc.constantFrom(null, ...REGIONS),
        (pages, named, region) => {
          const [packed, plain] = both(pages, named);
          // Twice, as of two days' or two sources' ledgers: each has names of its own.
          expect(told(sumLedgers([packed, packed], window, region))).to.deep.equal(
            told(sumLedgers([plain, plain], window, region)),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are so by region and by hour too', () => {
    fc.assert(
      fc.property(minutes, fc.constantFrom(null, ...REGIONS), (pages, region) => {
        const [packed, plain] = both(pages, 0);
        const byRegion = (ledger: LedgerPages) =>
          [...sumByRegion([ledger], window)].map(([name, sum]): [string, unknown] => [name, told(sum)]);
        expect(byRegion(packed)).to.deep.equal(byRegion(plain));
        const byTime = (ledger: LedgerPages) =>
          [...sumByTime([ledger], window, HOUR_MS, region)].map(([startMs, sum]) => [startMs, toldOfAll(sum)]);
        expect(byTime(packed)).to.deep.equal(byTime(plain));
      }),
    );
  });

  it('stay exact far beyond what a double holds', () => {
    const grossNanos = Number.MAX_SAFE_INTEGER;
    const full: LedgerPage = {
      fra: {
        ...{ impressions: 1, grossNanos, feeNanos: 1, counts: {}, latency: {}, creatives: {} },
        counterparties: { ':d1': { impressions: 1, grossNanos, feeNanos: 1 } },
      },
    };
    const [packed] = both(Object.fromEntries([600, 601, 602, 603].map((minute) => [minute, full])), 0);
    const sum = sumLedgers([packed], window);
    expect(sum.grossNanos).to.equal(4n * BigInt(grossNanos));
    expect(sum.counterparties.get('d1')).to.include({
      impressions: 4,
      grossNanos: 4n * BigInt(grossNanos),
      feeNanos: 4n,
    });
  });

  it('leave out a row that the table of names does not have', () => {
    const ledger = { id: ID, state: { names: [':d1'], minutes: { 600: 'fra|0,0,0|||1=2,3,0|' } } };
    expect(() => sumLedgers([ledger], window)).to.throw(RangeError);
  });
});
