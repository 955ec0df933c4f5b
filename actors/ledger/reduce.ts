import { addNanos, assertExact } from '../../exchange/money/nanos.ts';
import type { Context } from '../../runtime/actor/context.ts';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { comparePositions } from '../../runtime/actor/position.ts';
import { reject } from '../../runtime/actor/rejection.ts';
import { addUnleased, closeHour, fileHour } from './closed-hours.ts';
import { GRAINS, type Grain, pageIndex } from './grain.ts';
import { letMinutesLeave } from './leaving-minutes.ts';
import { DAY_MS, dayOfLedger, HOUR_MS, hourOfLedger, ledgerAgeKey, utcDay } from './ledger-id.ts';
import { type BudgetWindowSum, ledgerMessages, type Totals } from './messages.ts';
import { packPage, unpackPage } from './packed-page.ts';
import {
  addFacts,
  addPage,
  pageOfTotals,
  type RowDimension,
  type RowLimit,
  sumsStayExact,
  UNLIMITED_ROWS,
} from './page.ts';
import type { LedgerPage } from './page-schema.ts';
import { keepTold, parkedMinute } from './parked-minutes.ts';
import { allowsNewRow, foldAllRows, foldExcessRows } from './row-limits.ts';
import { LedgerState } from './state.ts';

export function emptyLedger(id: string): LedgerState {
  return {
    filedUnder: ledgerAgeKey(id),
    names: [],
    daysOverflown: false,
    days: {},
    hours: {},
    minutes: {},
    open: {},
    slots: {},
    unleased: {},
  };
}

/** The handlers change `state` in place: a ledger is a lazy kind. */
export const ledgerHandlers = handlersOf(LedgerState, ledgerMessages, {
  totals(state, totals, context) {
    assertOfLedger(totals, context);
    replaceTotals(state, totals, context);
  },
  facts(state, facts, context) {
    assertOfLedger(facts, context);
    const { unleased = [] } = facts;
    // Late counts are lost: no replay could put them into a closed hour. A sum that bounds money waits for a decision.
    if (unleased.length > 0) assertOpen(state, context);
    else if (state.closedAt !== undefined) return reject('CLOSED', `${context.address} is closed`);
    const booksDay = hourOfLedger(context.id) === null;
    updatePages(state, facts.minuteMs, booksDay, (page, bound) => addFacts(page, facts, bound));
    for (const { slotMs, nanos } of unleased) addUnleased(state, slotMs, nanos);
    if (!booksDay) letMinutesLeave(state, facts.minuteMs, context.nowMs, context.position);
    return undefined;
  },
  close(state, _, { id, position }) {
    closeHour(state, id, position);
  },
  hour(state, hour, { id, address }) {
    if (hourOfLedger(id) !== null) throw new Error(`${address} is not the ledger of a day`);
    fileHour(state, hour);
  },
});

function assertOfLedger({ minuteMs }: { readonly minuteMs: number }, { id, address }: Context): void {
  const hour = hourOfLedger(id);
  const isOfHour = hour === null || Math.floor((minuteMs % DAY_MS) / HOUR_MS) === hour;
  if (isOfHour && utcDay(minuteMs) === dayOfLedger(id)) return;
  const unit = hour === null ? 'day' : 'hour';
  throw new Error(`minute ${new Date(minuteMs).toISOString()} is of another ${unit} than ${address}`);
}

function assertOpen({ closedAt }: LedgerState, { address }: Context): void {
  if (closedAt !== undefined) throw new Error(`${address} is closed: its day has its figures`);
}

/**
 * Replaces the totals of one partition's minute: each minute counts by its last version. Only the newest minute of a
 * partition is stored apart, because only that one can still change. Positions rise with log time, so a partition that
 * reports a later minute has reported the last version of the earlier ones (an impression rollup sends its minutes
 * oldest first, and messages to one ledger stay in order). A version at or below the stored one is therefore a
 * repetition, and repetitions and late echoes leave the sums unchanged: unless totals of the minute were parked, which
 * the ledger has noted.
 */
function replaceTotals(state: LedgerState, totals: Totals, context: Context): void {
  const { partition, minuteMs, version, regions, slots = [] } = totals;
  const newest = state.open[partition];
  const isOver = newest !== undefined && minuteMs < newest.minuteMs;
  const parked = isOver ? parkedMinute(state, partition, minuteMs) : undefined;
  const held = parked === undefined ? newest : parked.told;
  if (held && comparePositions(version, held.version) <= 0) return;
  assertOpen(state, context);
  if (isOver && parked === undefined)
    throw new Error(`partition ${partition} told of ${minuteMs} after ${newest.minuteMs}`);
  const reported = pageOfTotals(regions);
  const booksDay = hourOfLedger(context.id) === null;
  assertSumsStayExact(state, minuteMs, booksDay, reported, slots);
  let packed = packPage(reported, state.names);
  if (foldExcessRows(state, partition, reported, packed.length)) packed = packPage(reported, state.names);
  if (held?.minuteMs === minuteMs) {
    addPage(reported, unpackPage(held.packed, state.names), -1, UNLIMITED_ROWS);
    addWindowSums(state, held.slots ?? [], -1);
  }
  updatePages(state, minuteMs, booksDay, (page, bound, hasLeft) =>
    addPage(page, hasLeft ? addable(reported) : reported, 1, bound),
  );
  addWindowSums(state, slots, 1);
  keepTold(state, partition, { minuteMs, version, packed, ...(slots.length > 0 ? { slots } : {}) });
  if (!booksDay) letMinutesLeave(state, minuteMs, context.nowMs, context.position);
}

/**
 * What must be added to a minute that has left and cannot be subtracted from: without rows, where the newest version
 * has less of a row than the version before.
 */
function addable(change: LedgerPage): LedgerPage {
  const rows = Object.values(change).flatMap((page) => [page.counterparties, page.creatives].flatMap(Object.values));
  if (rows.every(({ impressions, grossNanos, feeNanos }) => Math.min(impressions, grossNanos, feeNanos) >= 0))
    return change;
  const folded = structuredClone(change);
  foldAllRows(folded);
  return folded;
}

function addWindowSums({ slots }: LedgerState, sums: readonly BudgetWindowSum[], sign: 1 | -1): void {
  for (const { slotMs, impressions, grossNanos } of sums) {
    slots[slotMs] ??= { impressions: 0, grossNanos: 0 };
    const windowSum = slots[slotMs];
    windowSum.impressions += sign * impressions;
    windowSum.grossNanos = addNanos(windowSum.grossNanos, sign * grossNanos);
  }
}

/** A reducer that throws must not have changed anything, so the largest sums are tried first. */
function assertSumsStayExact(
  state: LedgerState,
  atMs: number,
  booksDay: boolean,
  reported: LedgerPage,
  slots: readonly BudgetWindowSum[],
): void {
  for (const { slotMs, grossNanos } of slots) addNanos(state.slots[slotMs]?.grossNanos ?? 0, grossNanos);
  const [, hours, days] = GRAINS as [Grain, Grain, Grain];
  if (!sumsStayExact(state.hours[pageIndex(hours, atMs)], reported)) assertExact(Number.POSITIVE_INFINITY);
  if (!booksDay || state.daysOverflown || sumsStayExact(state.days[pageIndex(days, atMs)], reported)) return;
  state.daysOverflown = true;
  state.days = {};
}

/**
 * Calls `change` with the page of each grain that contains `atMs` and is still kept. `booksDay`: the ledger is that of
 * a day, which an earlier release has begun; it has a page of the day. `hasLeft`: the page is a further part of a
 * minute that has left the ledger.
 */
function updatePages(
  state: LedgerState,
  atMs: number,
  booksDay: boolean,
  change: (page: LedgerPage, bound: RowLimit, hasLeft: boolean) => void,
): void {
  for (const grain of GRAINS) {
    if (grain.name === 'days' && (!booksDay || state.daysOverflown)) continue;
    const pages: Record<string, LedgerPage | string> = state[grain.name];
    const index = pageIndex(grain, atMs);
    let page = pages[index];
    if (page === undefined) {
      if (!openPage(state, grain, index)) continue;
      page = {};
    }
    if (typeof page === 'string') page = unpackPage(page, state.names);
    pages[index] = page;
    const hasLeft = grain.name === 'minutes' && index < (state.leftThrough ?? 0);
    const bound = {
      maxRows: grain.maxRows,
      allowsNewRow: (part: RowDimension) => allowsNewRow(state, grain.name, part, booksDay),
    };
    change(page, bound, hasLeft);
  }
}

/**
 * Makes room for a new page: drops pages past their age and packs old minutes. Returns false when the page itself is
 * past its age.
 */
function openPage(state: LedgerState, grain: Grain, index: number): boolean {
  const pages: Record<string, LedgerPage | string> = state[grain.name];
  const indices = Object.keys(pages).map(Number);
  const newest = Math.max(index, indices.at(-1) ?? index);
  const oldestKept = newest - grain.pages + 1;
  for (const kept of indices) {
    const page = pages[kept]!;
    if (kept < oldestKept) delete pages[kept];
    else if (grain.name === 'minutes' && kept < newest - 1 && typeof page !== 'string') {
      pages[kept] = packPage(page, state.names);
    }
  }
  return index >= oldestKept;
}
