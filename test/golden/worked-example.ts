import { impressionRollup } from '../../actors/impression-rollup/impression-rollup.ts';
import type { Impression } from '../../actors/impression-rollup/messages.ts';
import { ledger } from '../../actors/ledger/ledger.ts';
import { hourLedgerId, type LedgerScope } from '../../actors/ledger/ledger-id.ts';
import type { FactCounts, MinuteBatch, Totals } from '../../actors/ledger/messages.ts';
import { namesOf } from '../../actors/ledger/names-text.ts';
import type { LedgerSum } from '../../actors/ledger/report/ledger-sum.ts';
import { type Period, reportWindowOf } from '../../actors/ledger/report/period.ts';
import { type LedgerPages, type StoredLedger, sumLedgers } from '../../actors/ledger/report/sum-ledgers.ts';
import { ledgerMinutes } from '../../actors/ledger-minutes/ledger-minutes.ts';
import { LatencyRecorder } from '../../edge/facts/latency-recorder.ts';

/** 12:34:56 UTC on a Saturday: the minute 12:34 is under way. */
export const NOW_MS = Date.UTC(2026, 2, 14, 12, 34, 56);
const MINUTE_MS = 60_000;

/**
 * What was sold. One impression moves its CPM ÷ 1000:
 *
 * | when (UTC)       | region | DSP  | creative | CPM    | moves (micro-dollars) | fee  | fee (micro-dollars) |
 * |------------------|--------|------|----------|--------|-----------------------|------|---------------------|
 * | 14 Mar 12:34:10  | fra    | d1   | red      | 2.50   | 2500                  | 15 % | 375                 |
 * | 14 Mar 11:34:00  | fra    | d1   | blue     | 2.50   | 2500                  | 15 % | 375                 |
 * | 14 Mar 11:33:59  | nyc    | d2   | green    | 1.00   | 1000                  | 15 % | 150                 |
 * | 14 Mar 06:34:00  | fra    | d1   | red      | 4.00   | 4000                  | 15 % | 600                 |
 * | 14 Mar 06:33:59  | fra    | d1   | red      | 8.00   | 8000                  | 20 % | 1600                |
 * | 14 Mar 00:00:00  | fra    | d2   | green    | 0.001  | 1                     | 20 % | 0.2                 |
 * | 13 Mar 23:59:59  | fra    | d1   | red      | 16.00  | 16000                 | 20 % | 3200                |
 * | 13 Mar 11:59:59  | fra    | d1   | red      | 32.00  | 32000                 | 20 % | 6400                |
 * | 7 Mar 00:00:00   | lon    | d1   | red      | 64.00  | 64000                 | 20 % | 12800               |
 * | 6 Mar 23:59:59   | lon    | d1   | red      | 128.00 | 128000                | 20 % | 25600               |
 * | 12 Feb 00:00:00  | lon    | d1   | red      | 256.00 | 256000                | 20 % | 51200               |
 * | 11 Feb 23:59:59  | lon    | d1   | red      | 512.00 | 512000                | 20 % | 102400              |
 */
const SOLD: readonly [at: string, region: string, dsp: string, crid: string, cpm: number, feePercent: number][] = [
  ['2026-02-11T23:59:59Z', 'lon', 'd1', 'red', 512, 20],
  ['2026-02-12T00:00:00Z', 'lon', 'd1', 'red', 256, 20],
  ['2026-03-06T23:59:59Z', 'lon', 'd1', 'red', 128, 20],
  ['2026-03-07T00:00:00Z', 'lon', 'd1', 'red', 64, 20],
  ['2026-03-13T11:59:59Z', 'fra', 'd1', 'red', 32, 20],
  ['2026-03-13T23:59:59Z', 'fra', 'd1', 'red', 16, 20],
  ['2026-03-14T00:00:00Z', 'fra', 'd2', 'green', 0.001, 20],
  ['2026-03-14T06:33:59Z', 'fra', 'd1', 'red', 8, 20],
  ['2026-03-14T06:34:00Z', 'fra', 'd1', 'red', 4, 15],
  ['2026-03-14T11:33:59Z', 'nyc', 'd2', 'green', 1, 15],
  ['2026-03-14T11:34:00Z', 'fra', 'd1', 'blue', 2.5, 15],
  ['2026-03-14T12:34:10Z', 'fra', 'd1', 'red', 2.5, 15],
];

/** What edges counted at 12:34: see the figures in the tests. */
const COUNTED: readonly [LedgerScope, string, Partial<FactCounts>][] = [
  [
    'publisher',
    'p1',
    {
      region: 'fra',
      // Ten requests, one of them for two imps and another for three; five imps had an ad.
      counts: { auctions: 10, imps: 13, filledImps: 5, 'blocked/floor': 2 },
      counterparties: [
        { id: 'd1', bids: 7, wins: 4 },
        { id: 'd2', bids: 2, wins: 1 },
      ],
      latency: latencyOf([10, 20, 30, 40]),
    },
  ],
  ['publisher', 'p1', { region: 'nyc', counts: { auctions: 2, imps: 3, filledImps: 1 }, latency: latencyOf([200]) }],
  [
    'dsp',
    'd1',
    {
      region: 'fra',
      counts: { bidRequests: 10, bids: 8, wins: 4, timeouts: 1 },
      counterparties: [{ id: 'p1', bids: 8, wins: 4 }],
      creatives: [
        { id: 'red', bids: 5, wins: 3 },
        { id: 'blue', bids: 3, wins: 1 },
      ],
      latency: latencyOf([50, 60]),
    },
  ],
  ['account', 'a1', { region: 'fra', counts: { auctions: 10, imps: 13, filledImps: 5, bidRequests: 10 } }],
  ['account', 'a1', { region: 'nyc', counts: { auctions: 2, imps: 3, filledImps: 1 } }],
];

function latencyOf(latenciesMs: readonly number[]): Record<string, number> {
  const recorder = new LatencyRecorder();
  for (const latencyMs of latenciesMs) recorder.record(latencyMs);
  const bins = new Map<number, number>();
  recorder.moveTo(bins);
  return Object.fromEntries(bins);
}

/** The example, folded by the real impression rollup and booked by the real ledgers. */
export class WorkedExample {
  readonly #ledgers = new Map<string, StoredLedger>();

  constructor() {
    const days = new Map<string, ReturnType<typeof impressionRollup.initial>>();
    for (const [number, [at, region, dsp, crid, cpm, feePercent]] of SOLD.entries()) {
      const nowMs = Date.parse(at);
      const id = impressionRollup.idAt!('0', nowMs);
      const state = days.get(id) ?? impressionRollup.initial(id);
      days.set(id, state);
      const impression: Impression = {
        id: `impression-${number}`,
        auction: `auction-${number}`,
        publisher: 'p1',
        account: 'a1',
        dsp,
        crid,
        region,
        priceCpmMicros: Math.round(cpm * 1_000_000),
        feePpm: feePercent * 10_000,
      };
      const context = { id, address: `tally/${id}`, nowMs, position: `${nowMs}-${number}`, random: () => 0 };
      impressionRollup.handle(state, { type: 'impression', body: impression }, context);
    }
    for (const [id, state] of days) {
      for (const { to, body } of impressionRollup.totals!(state, null, id)) {
        if (to.startsWith('ledger/')) this.#tell(to.slice('ledger/'.length), 'totals', body as Totals);
      }
    }
    const minuteMs = Math.floor(NOW_MS / MINUTE_MS) * MINUTE_MS;
    for (const [scope, whose, counted] of COUNTED) {
      const nothing = { minuteMs, region: 'fra', counts: {}, counterparties: [], creatives: [], latency: {} };
      this.#tell(hourLedgerId(scope, whose, minuteMs, false), 'facts', { ...nothing, ...counted });
    }
  }

  /** Its ledgers, and the minutes that have left them. */
  ledgers(scope: LedgerScope, whose: string): LedgerPages[] {
    const own = [...this.#ledgers.values()].filter(({ id }) => id.startsWith(`${scope}:${whose}:`));
    return [...own, ...own.map(leftMinutes)];
  }

  sum(scope: LedgerScope, whose: string, period: Period, region: string | null = null): LedgerSum {
    return sumLedgers(this.ledgers(scope, whose), reportWindowOf(period, NOW_MS), region);
  }

  #tell(id: string, type: 'totals' | 'facts', body: Totals | FactCounts): void {
    const stored = this.#ledgers.get(id) ?? { id, state: ledger.initial(id) };
    this.#ledgers.set(id, stored);
    const context = { id, address: `ledger/${id}`, nowMs: NOW_MS, position: `${NOW_MS}-0`, random: () => 0 };
    ledger.handle(stored.state, { type, body } as Parameters<typeof ledger.handle>[1], context);
    // As it comes back from the store.
    this.#ledgers.set(id, structuredClone(stored));
  }
}

/** What the document of a ledger's minutes says once it has received all that have left. */
function leftMinutes({ id, state }: StoredLedger): LedgerPages {
  const left = ledgerMinutes.initial(id);
  const context = { id, address: `${ledgerMinutes.kind}/${id}`, nowMs: NOW_MS, position: '1-0', random: () => 0 };
  for (const { to, body } of ledger.totals!(state, null, id)) {
    if (to === context.address) ledgerMinutes.handle(left, { type: 'minutes', body: body as MinuteBatch }, context);
  }
  return { id, state: { names: namesOf(left.names), minutes: left.minutes } };
}
