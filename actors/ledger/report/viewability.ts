import { ratio } from '../../../exchange/money/ratio.ts';
import { countOf, type LedgerTotals, type RowSum } from './ledger-sum.ts';
import { bucketMsOf, type Period, reportWindowOf } from './period.ts';
import { type LedgerPages, sumByTime } from './sum-ledgers.ts';

/** What was told of impressions: never more is viewable than measurable, nor more measurable than impressions. */
export interface Viewability {
  readonly impressions: number;
  readonly measurable: number;
  readonly viewable: number;
  /** Measurable of impressions, and viewable of measurable; 0..1, 0 without any. */
  readonly measurable_rate: number;
  readonly viewable_rate: number;
}

type ViewabilityCounts = Pick<RowSum, 'impressions' | 'measurable' | 'viewable'>;

/**
 * Each counts once and for a billed impression alone, but in the minute in which it was told: at the edges of a period a view can be
 * there without its impression, and of an edge that was killed the first of two views can be missing. What the period's
 * impressions do not carry is left out.
 */
export function viewabilityOf({ impressions, measurable: told, viewable: seen }: ViewabilityCounts): Viewability {
  const measurable = Math.min(told, impressions);
  const viewable = Math.min(seen, measurable);
  return {
    impressions,
    measurable,
    viewable,
    measurable_rate: ratio(measurable, impressions),
    viewable_rate: ratio(viewable, measurable),
  };
}

export const noViewabilityCounts: ViewabilityCounts = { impressions: 0, measurable: 0, viewable: 0 };

/** Of everything in the books of a publisher or a DSP. */
export function totalViewabilityCounts(sum: LedgerTotals): ViewabilityCounts {
  const [measurable, viewable] = [countOf(sum, 'views/measurable'), countOf(sum, 'views/viewable')];
  return { impressions: sum.impressions, measurable, viewable };
}

/** By name, the most impressions first. */
export function viewabilityByRow(rows: ReadonlyMap<string, RowSum>): [string, Viewability][] {
  return [...rows]
    .filter(([, row]) => row.impressions > 0)
    .map(([name, row]): [string, Viewability] => [name, viewabilityOf(row)])
    .sort(([a, one], [b, other]) => other.impressions - one.impressions || (a < b ? -1 : 1));
}

/** Of everything, in buckets of an hour or a day, aligned to UTC, the oldest first, those without anything too. */
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
