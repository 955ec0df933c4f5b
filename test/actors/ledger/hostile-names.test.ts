import { expect } from 'chai';
import fc from 'fast-check';
import { BSON } from 'mongodb';
import { ledger } from '#actors/ledger/ledger';
import { ledgerId } from '#actors/ledger/ledger-id';
import type { FactCounts, NamedBilledSum, Totals } from '#actors/ledger/messages';
import type { LedgerPage } from '#actors/ledger/page-schema';
import { boundedRowName } from '#actors/ledger/row-name';
import type { LedgerState } from '#actors/ledger/state';

const MINUTE_MS = 60_000;
const DAY_MS = Date.UTC(2026, 2, 14);
const ID = ledgerId('dsp', 'dsp-1', DAY_MS, false);
const REGIONS = ['fra', 'nyc', 'lon'];
const PARTITIONS = 64;
const MEGABYTE = 1_048_576;

type Figures = [impressions: number, grossNanos: number, feeNanos: number];
const add = (to: Figures, { impressions, grossNanos, feeNanos }: Omit<NamedBilledSum, 'id'>, sign = 1): void => {
  to[0] += sign * impressions;
  to[1] += sign * grossNanos;
  to[2] += sign * feeNanos;
};

/** What was told, kept whole: the last version of each partition's minutes, by region. */
class Unbounded {
  readonly byRegion: Map<string, Figures>;
  private readonly last: Map<number, Totals>;

  constructor(from?: Unbounded) {
    this.byRegion = new Map([...(from?.byRegion ?? [])].map(([region, figures]) => [region, [...figures]]));
    this.last = new Map(from?.last);
  }

  tell(told: Totals): void {
    const before = this.last.get(told.partition);
    if (before?.minuteMs === told.minuteMs) this.apply(before, -1);
    this.apply(told, 1);
    this.last.set(told.partition, told);
  }

  private apply({ regions }: Totals, sign: 1 | -1): void {
    for (const { region, ...sum } of regions) {
      const to = this.byRegion.get(region) ?? [0, 0, 0];
      add(to, sum, sign);
      this.byRegion.set(region, to);
    }
  }
}

/** As a partition tells them: each row of either side has its share, and each side is the region's sum. */
function totalsOf(
  partition: number,
  minute: number,
  version: number,
  rows: number,
  nameOf: (kind: string, row: number) => string,
) {
  const minuteMs = DAY_MS + minute * MINUTE_MS;
  const named = (kind: string): NamedBilledSum[] =>
    Array.from({ length: rows }, (_, row) => ({
      ...{ id: nameOf(kind, row), impressions: version * 1_000, grossNanos: version * 12_345_678_901 },
      feeNanos: version * 1_234_567_890,
    }));
  const regions = REGIONS.map((region) => {
    const sum: Figures = [0, 0, 0];
    const counterparties = named('p');
    for (const row of counterparties) add(sum, row);
    const [impressions, grossNanos, feeNanos] = sum;
    return { region, impressions, grossNanos, feeNanos, counterparties, creatives: named('c') };
  });
  return { partition, minuteMs, version: `${minuteMs}-${version}`, regions } satisfies Totals;
}

function tell(state: LedgerState, type: 'totals' | 'facts', body: Totals | FactCounts): void {
  const context = {
    id: ID,
    address: `ledger/${ID}`,
    nowMs: body.minuteMs,
    position: `${body.minuteMs}-1`,
    random: () => 0,
  };
  ledger.handle(state, { type, body } as never, context);
}

/** Of each region of all pages: its sum, and the sums of its counterparties and of its creatives. */
function sumsOf(pages: Readonly<Record<string, LedgerPage>>): Map<string, Figures[]> {
  const sums = new Map<string, Figures[]>();
  for (const page of Object.values(pages)) {
    for (const [region, { counterparties, creatives, ...sum }] of Object.entries(page)) {
      const to = sums.get(region) ?? [[0, 0, 0] as Figures, [0, 0, 0] as Figures, [0, 0, 0] as Figures];
      add(to[0]!, sum);
      for (const row of Object.values(counterparties)) add(to[1]!, row);
      for (const row of Object.values(creatives)) add(to[2]!, row);
      sums.set(region, to);
    }
  }
  return sums;
}

function expectSame(state: LedgerState, model: Unbounded): void {
  for (const pages of [state.hours, state.days]) {
    const sums = sumsOf(pages);
    for (const [region, figures] of model.byRegion) {
      expect(sums.get(region), region).to.deep.equal([figures, figures, figures]);
    }
  }
}

function noneIsBelowZero(state: LedgerState): boolean {
  const rows = [...Object.values(state.hours), ...Object.values(state.days)].flatMap((page) =>
    Object.values(page).flatMap((region) => [
      ...Object.values(region.counterparties),
      ...Object.values(region.creatives),
    ]),
  );
  return rows.every(({ impressions, grossNanos, feeNanos }) => impressions >= 0 && grossNanos >= 0 && feeNanos >= 0);
}

const lengthy = (prefix: string) => (kind: string, row: number) => `${kind}${prefix}-${row}`.padEnd(64, 'x');

describe('a ledger under hostile names', () => {
  it('stays below 8 MB when every hour, minute and partition brings new names of the longest form, and no money moves', () => {
    let state = ledger.initial(ID);
    const model = new Unbounded();
    expect(boundedRowName(lengthy('7')('c', 1))).to.have.length(64);
    for (let minute = 0; minute < 24 * 60; minute++) {
      const last = minute === 24 * 60 - 1;
      if (!last && minute % 30 !== 0 && minute < 18 * 60) continue;
      for (const partition of last ? Array(PARTITIONS).keys() : [minute % PARTITIONS]) {
        for (const version of minute % 4 === 0 ? [1, 3] : [1]) {
          const told = totalsOf(partition, minute, version, 201, lengthy(`${minute}.${partition}`));
          tell(state, 'totals', told);
          model.tell(told);
        }
      }
      const names = Array.from({ length: 200 }, (_, row) => ({
        id: lengthy(`${minute}`)('f', row),
        bids: 99_999,
        wins: 9_999,
      }));
      const counts = { auctions: 1_000, imps: 2_000 };
      for (const region of REGIONS) {
        const minuteMs = DAY_MS + minute * MINUTE_MS;
        tell(state, 'facts', {
          minuteMs,
          region,
          counts,
          latency: { 100: 1 },
          counterparties: names,
          creatives: names,
        });
      }
      // Each process that takes over counts anew.
      if (minute % 97 === 0) state = JSON.parse(JSON.stringify(state));
    }
    const megabytes = Buffer.byteLength(JSON.stringify(state)) / MEGABYTE;
    expect(megabytes, `${megabytes.toFixed(1)} MB`).to.be.within(4, 8);
    expect(BSON.calculateObjectSize(state) / MEGABYTE).to.be.below(8);
    expectSame(state, model);
    expect(noneIsBelowZero(state)).to.equal(true);
  });

  it('sums each region as an unbounded ledger does, after any repeated report, change of owner and fold', () => {
    const full = ledger.initial(ID);
    const base = new Unbounded();
    for (let partition = 10; partition < PARTITIONS; partition++) {
      const told = totalsOf(partition, 0, 1, 201, lengthy(`${partition}`));
      tell(full, 'totals', told);
      base.tell(told);
    }
    const step = fc.record({
      partition: fc.nat({ max: 9 }),
      later: fc.nat({ max: 1 }),
      rows: fc.constantFrom(1, 3, 201),
      names: fc.nat({ max: 3 }),
      takeOver: fc.boolean(),
    });
    const saved = JSON.stringify(full);
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), fc.boolean(), (steps, beginsFull) => {
        const state: LedgerState = beginsFull ? JSON.parse(saved) : ledger.initial(ID);
        let replayed: LedgerState = structuredClone(state);
        const model = new Unbounded(beginsFull ? base : undefined);
        const minutes = new Map<number, number>();
        for (const [index, { partition, later, rows, names, takeOver }] of steps.entries()) {
          const minute = (minutes.get(partition) ?? 0) + later;
          minutes.set(partition, minute);
          const told = totalsOf(partition, minute, index + 1, rows, lengthy(`${names}`));
          tell(state, 'totals', told);
          tell(state, 'totals', told);
          tell(replayed, 'totals', told);
          model.tell(told);
          if (takeOver) replayed = JSON.parse(JSON.stringify(replayed));
        }
        expectSame(state, model);
        expect(noneIsBelowZero(state)).to.equal(true);
        expect(JSON.stringify(replayed)).to.equal(JSON.stringify(state));
      }),
      { numRuns: 20 },
    );
  });
});
