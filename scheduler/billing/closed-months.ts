import { job } from '../../actors/job/job.ts';
import type { JobState } from '../../actors/job/reduce.ts';
import { DAY_MS } from '../../actors/ledger/ledger-id.ts';
import { monthOf } from '../../actors/ledger/report/month.ts';
import type { StateStore } from '../../runtime/ports/store.ts';

/** The name of the job that closes months. */
export const FINALISE_BILLING = 'finalise-billing';

/**
 * The number of months before the last that the job covers too: a month that was held open for long is closed before
 * its books are archived.
 */
export const EARLIER_MONTHS = 2;

/** The months that the job has closed, `yyyy-mm`, and when its last finished run began, ms since the epoch. */
export interface ClosedMonths {
  readonly first: string;
  readonly last: string;
  readonly ranAtMs: number;
}

/** The closed months; null while there are none. */
export async function readClosedMonths(store: Pick<StateStore, 'load'>): Promise<ClosedMonths | null> {
  const [document] = await store.load([{ kind: job.kind, id: FINALISE_BILLING }]);
  const { sinceMs, doneMs, last } = (document?.state ?? { doneMs: null, last: null }) as JobState;
  if (doneMs === null || last === null) return null;
  let first = monthOf(sinceMs);
  for (let back = 0; back < EARLIER_MONTHS; back += 1) first = monthBefore(first);
  return { first, last: monthBefore(monthOf(doneMs)), ranAtMs: last.startedAtMs };
}

/** The month before a month, `yyyy-mm`. */
export function monthBefore(month: string): string {
  return monthOf(Date.parse(`${month}-01T00:00:00Z`) - DAY_MS);
}
