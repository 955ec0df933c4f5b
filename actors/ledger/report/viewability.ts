import { ratio } from '#exchange/money/ratio';
import { countOf, type LedgerTotals, type RowSum } from './ledger-sum.ts';
import { bucketMsOf, type Period, reportWindowOf } from './period.ts';
import { type LedgerPages, sumByTime } from './sum-ledgers.ts';

/** The viewability of impressions: viewable ≤ measurable ≤ impressions. */
export interface Viewability {
  readonly impressions: number;
  readonly measurable: number;
  readonly viewable: number;
  /** Measurable per impressions, and viewable per measurable; 0..1, 0 without any. */
  readonly measurable_rate: number;
  readonly viewable_rate: number;
}

type ViewabilityCounts = Pick<RowSum, 'impressions' | 'measurable' | 'viewable'>;

/**
 * The viewability in a period's counts. Each count belongs to one billed impression, but to the minute of its report:
 * at the ends of a period a report may be there without its impression, and when an edge was killed the first of two
 * reports may be missing. Counts beyond the period's impressions are left out.
 */
export function viewabilityOf({
  impressions,
  measurable: measurableCount,
  viewable: viewableCount,
}: ViewabilityCounts): Viewability {
  const measurable = Math.min(measurableCount, impressions);
  const viewable = Math.min(viewableCount, measurable);
  return {
    impressions,
    measurable,
    viewable,
    measurable_rate: ratio(measurable, impressions),
    viewable_rate: ratio(viewable, measurable),
  };
}

export const noViewabilityCounts: ViewabilityCounts = { impressions: 0, measurable: 0, viewable: 0 };

/** The viewability counts of the whole books of a publisher or a DSP. */
export function totalViewabilityCounts(sum: LedgerTotals): ViewabilityCounts {
  const [measurable, viewable] = [countOf(sum, 'views/measurable'), countOf(sum, 'views/viewable')];
  return { impressions: sum.impressions, measurable, viewable };
}

/** The viewability by name, the most impressions first. */
export function viewabilityByRow(rows: ReadonlyMap<string, RowSum>): [string, Viewability][] {
  return [...rows]
    .filter(([, row]) => row.impressions > 0)
    .map(([name, row]): [string, Viewability] => [name, viewabilityOf(row)])
    .sort(([a, one], [b, other]) => other.impressions - one.impressions || (a < b ? -1 : 1));
}

/** The whole viewability in buckets of an hour or a day, aligned to UTC, the oldest first, empty ones included. */
export function viewabilityByTime(
  ledgers: readonly LedgerPages[],
  period: Period,
  nowMs: number,
  region: string | null,
): { readonly timestamp: string; readonly seen: Viewability }[] {
  const sums = sumByTime(ledgers, reportWindowOf(period, nowMs), bucketMsOf(period), region);
  return [...sums].map(([startMs, sum]) => ({
    timestamp: new Date(startMs).toISOString(),
    seen: viewabilityOf(totalViewabilityCounts(sum)),
  }));
}
