import { feeNanos } from '../../exchange/money/fee.ts';
import { addNanos, nanosPerImpression } from '../../exchange/money/nanos.ts';
import type { Context } from '../../runtime/actor/context.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { budgetWindowStart } from '../budget/budget-window.ts';
import { invalidCounts, revalidatedCounts } from '../ledger/invalid-counts.ts';
import { addToFeedOutbox, emptyFeedOutbox } from './feed-outbox.ts';
import { addSandboxNanos, countedInvalidNanos, dayTakes } from './free-nanos.ts';
import { generations } from './generations.ts';
import { addInvalid, checkInvalid } from './invalid-rows.ts';
import type { Impression, InvalidImpression } from './messages.ts';
import { addRow, findRow } from './row-index.ts';
import type { ImpressionRollupState, RollupPage, RollupRow } from './state.ts';

const MINUTE_MS = 60_000;

export function emptyImpressionRollup(): ImpressionRollupState {
  return {
    pages: [],
    day: { impressions: 0, grossNanos: 0, feeNanos: 0, taken: 0 },
    fed: emptyFeedOutbox(),
    byHour: true,
  };
}

/**
 * Adds one impression to the minute of its log time. Changes `state` in place: the rollup is a lazy kind. Refuses an
 * impression of the sandbox for which its day has no room: it is in nobody's books and in no feed.
 */
export function foldImpression(
  state: ImpressionRollupState,
  impression: Impression,
  context: Context,
): Rejection | undefined {
  // A reducer that throws must not have changed anything, so the largest sum, that of the day, is tried first.
  const grossNanos = nanosPerImpression(impression.priceCpmMicros);
  const fee = feeNanos(impression.priceCpmMicros, impression.feePpm);
  const { revalidates } = impression;
  const { day } = state;
  if (!dayTakes(day, impression))
    return reject('SANDBOX_FULL', `${context.address} takes no more sandbox impressions of this price on this day`);
  addNanos(day.grossNanos, grossNanos);
  const taken = acceptedIdsOf(day);
  const minuteMs = Math.floor(context.nowMs / MINUTE_MS) * MINUTE_MS;

  const newest = newestPage(state.pages, minuteMs, context.position);
  const found = findRow(state.pages, newest, impression);
  const again = revalidates === undefined ? null : revalidatedCounts(revalidates, grossNanos);
  if (again !== null) checkInvalid(state, newest, impression, again);
  const page = newest ?? newPage(state.pages, minuteMs, context.position);
  const row = typeof found === 'string' ? newRow(page, impression, found, context.position) : found;
  if (again !== null) addInvalid(day, page, impression, again, context.position);
  for (const sum of [row, state.day]) {
    sum.impressions += 1;
    sum.grossNanos = addNanos(sum.grossNanos, grossNanos);
    sum.feeNanos = addNanos(sum.feeNanos, fee);
  }
  if (impression.sandbox === true) addSandboxNanos(day, 'grossNanos', grossNanos);
  day.taken = revalidates === undefined ? taken + 1 : taken;
  page.changedAt = context.position;
  row.changedAt = context.position;
  addToFeedOutbox(state.fed, impression, context);
  return undefined;
}

/** Counts an impression that invalid traffic called for. It goes to no feed. Changes `state` in place. */
export function foldInvalid(
  state: ImpressionRollupState,
  impression: InvalidImpression,
  { nowMs, position }: Context,
): void {
  const taken = acceptedIdsOf(state.day);
  const grossNanos = countedInvalidNanos(state.day, impression);
  const counts = invalidCounts(impression.reason, grossNanos);
  const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const newest = newestPage(state.pages, minuteMs, position);
  checkInvalid(state, newest, impression, counts);
  const page = newest ?? newPage(state.pages, minuteMs, position);
  addInvalid(state.day, page, impression, counts, position);
  if (impression.sandbox === true) addSandboxNanos(state.day, 'invalidNanos', grossNanos);
  page.changedAt = position;
  state.day.taken = taken + 1;
}

/** The number of ids that the rollup of a day has accepted. */
export function acceptedIdsOf({ taken, impressions }: ImpressionRollupState['day']): number {
  return taken ?? impressions;
}

/**
 * The page of the minute, if it exists. Log time never goes back within a partition, so the page is the last one or a
 * new one.
 */
function newestPage(pages: readonly RollupPage[], minuteMs: number, position: string): RollupPage | undefined {
  const newest = pages.at(-1);
  if (newest && newest.minuteMs > minuteMs)
    throw new Error(`log time went back from ${newest.changedAt} to ${position}`);
  return newest?.minuteMs === minuteMs ? newest : undefined;
}

function newPage(pages: RollupPage[], minuteMs: number, position: string): RollupPage {
  const page = { minuteMs, changedAt: position, rows: [] };
  pages.push(page);
  return page;
}

/** `crid` is in the form of the ledgers. */
function newRow(page: RollupPage, impression: Impression, crid: string, position: string): RollupRow {
  const { publisher, dsp, campaign = null, region, sandbox = false, account, soldAtMs } = impression;
  // No spread: V8 gives each literal that extends one a shape of its own, and every access to rows is slow then.
  const row: RollupRow = {
    publisher,
    dsp,
    campaign,
    crid,
    region,
    sandbox,
    impressions: 0,
    grossNanos: 0,
    feeNanos: 0,
    changedAt: position,
  };
  if (account !== undefined) row.account = account;
  if (soldAtMs !== undefined) row.slotMs = budgetWindowStart(soldAtMs);
  Object.assign(row, generations(impression));
  addRow(page, row);
  return row;
}
