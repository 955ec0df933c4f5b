import { GRAINS, type Grain } from '../../actors/ledger/grain.ts';
import { DAY_MS, dayOfLedger } from '../../actors/ledger/ledger-id.ts';
import { OTHERS_KEY } from '../../actors/ledger/page.ts';
import { emptySum, type LedgerSum } from '../../actors/ledger/report/ledger-sum.ts';
import type { ReportWindow } from '../../actors/ledger/report/period.ts';
import { type StoredLedger, sumByRegion } from '../../actors/ledger/report/sum-ledgers.ts';
import { type AuditPeriod, dayMs, holdsDay } from './audit-period.ts';
import type { Difference } from './difference.ts';
import type { WholeDay } from './whole-days.ts';

const [MINUTES, HOURS, DAYS] = GRAINS as [Grain, Grain, Grain];
const ROW_FIGURES = ['impressions', 'grossNanos', 'feeNanos', 'bids', 'wins', 'measurable', 'viewable'] as const;

/** Minutes are compared for the last 24 hours only; each day keeps its minutes. */
const MINUTES_READ_MS = DAY_MS;

/**
 * Checks that a ledger says the same at each grain: reports of days, of hours and of minutes read different pages of
 * it. Days are compared when all of the day is within `stretch`; minutes are compared for the hours within it of which
 * all minutes are kept, on the days whose minutes are read.
 */
export function checkGrains(ledger: WholeDay, period: AuditPeriod): Difference[] {
  const day = dayOfLedger(ledger.id);
  const fromMs = dayMs(day);
  const toMs = fromMs + DAY_MS;
  const differences = holdsDay(period, day)
    ? compared('hours make the day', ledger, { grain: DAYS, fromMs, toMs }, { grain: HOURS, fromMs, toMs })
    : [];
  if (toMs <= period.toMs - MINUTES_READ_MS) return differences;
  const newest = Math.max(0, ...Object.keys(ledger.state.minutes).map(Number));
  const keptFromMs = fromMs + Math.max(0, newest - MINUTES.pages + 1) * MINUTES.lengthMs;
  const wholeHour = (atMs: number) => Math.ceil(atMs / HOURS.lengthMs) * HOURS.lengthMs;
  const kept = { fromMs: wholeHour(Math.max(keptFromMs, period.fromMs)), toMs: Math.min(toMs, period.toMs) };
  for (let hourMs = kept.fromMs; hourMs < kept.toMs; hourMs += HOURS.lengthMs) {
    if (ledger.withoutMinutes.has((hourMs - fromMs) / HOURS.lengthMs)) continue;
    const hour = { fromMs: hourMs, toMs: hourMs + HOURS.lengthMs };
    const [whole, parts] = [
      { grain: HOURS, ...hour },
      { grain: MINUTES, ...hour },
    ];
    differences.push(...compared('minutes make the hours', ledger, whole, parts));
  }
  return differences;
}

function compared(check: string, ledger: StoredLedger, whole: ReportWindow, parts: ReportWindow): Difference[] {
  const [expected, found] = [sumByRegion([ledger], parts), sumByRegion([ledger], whole)];
  const regions = [...new Set([...expected.keys(), ...found.keys()])].sort();
  return regions.flatMap((region) => {
    const sums = [expected.get(region) ?? emptySum(), found.get(region) ?? emptySum()] as const;
    // Where a page is full, the rows that are summed as others differ between grains.
    const named = sums.every(
      ({ counterparties, creatives }) => !counterparties.has(OTHERS_KEY) && !creatives.has(OTHERS_KEY),
    );
    const [ofParts, ofWhole] = [figuresOf(sums[0], named), figuresOf(sums[1], named)];
    const names = [...new Set([...ofParts.keys(), ...ofWhole.keys()])].sort();
    return names
      .filter((name) => (ofParts.get(name) ?? 0n) !== (ofWhole.get(name) ?? 0n))
      .map((name) => ({
        check,
        where: `${ledger.id} ${region}`,
        expected: `${name} ${ofParts.get(name) ?? 0n}`,
        found: `${name} ${ofWhole.get(name) ?? 0n}`,
      }));
  });
}

function figuresOf(sum: LedgerSum, named: boolean): Map<string, bigint> {
  const figures = new Map<string, bigint>();
  const add = (name: string, count: number | bigint) => {
    figures.set(name, (figures.get(name) ?? 0n) + BigInt(count));
  };
  for (const name of ['impressions', 'grossNanos', 'feeNanos'] as const) add(name, sum[name]);
  for (const [name, count] of sum.counts) add(name, count);
  for (const bin in sum.latency) add(`latency ${bin}`, sum.latency[bin]!);
  for (const rows of ['counterparties', 'creatives'] as const) {
    for (const [name, row] of sum[rows]) {
      for (const figure of ROW_FIGURES) add(`${figure} of ${named ? `${rows} ${name}` : rows}`, row[figure]);
    }
  }
  return figures;
}
