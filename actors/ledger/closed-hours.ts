import { addNanos, assertExact } from '../../exchange/money/nanos.ts';
import type { Send } from '../../runtime/actor/context.ts';
import { comparePositions } from '../../runtime/actor/position.ts';
import { MAX_ROWS } from './grain.ts';
import { letAllMinutesLeave } from './leaving-minutes.ts';
import { closedHourKey, dayLedgerId, hourOfLedger } from './ledger-id.ts';
import type { ClosedHour } from './messages.ts';
import { addPage, sumsStayExact, UNLIMITED_ROWS } from './page.ts';
import type { LedgerState } from './state.ts';

/** The index of the one page of the grain of days. */
const DAY_PAGE = '0';

/** Whether the ledger of a day holds the figures of this hour, which its own ledger holds too. */
export function isFiled({ filed = 0 }: Pick<LedgerState, 'filed'>, hour: number): boolean {
  return (filed & (1 << hour)) !== 0;
}

/**
 * Closes the ledger of an hour, in place. Of what partitions told last, only the versions are kept: a repetition is
 * still recognised, and everything else is refused.
 */
export function closeHour(state: LedgerState, id: string, position: string): void {
  if (hourOfLedger(id) === null) throw new Error(`${id} is not the ledger of an hour`);
  if (state.closedAt !== undefined) return;
  state.closedAt = position;
  state.filedUnder = closedHourKey(id);
  for (const partition in state.open) {
    const { minuteMs, version } = state.open[partition]!;
    state.open[partition] = { minuteMs, version, packed: '' };
  }
  delete state.parked;
  letAllMinutesLeave(state, id, position);
}

/** What a closed ledger of an hour tells the ledger of its day; also what it would tell, where it is still open. */
export function closedHourOf(id: string, { hours, slots, unleased }: LedgerState): ClosedHour {
  const hour = hourOfLedger(id)!;
  return { hour, page: hours[hour] ?? {}, slots, unleased };
}

/**
 * The message of a closed ledger to that of its day, which is of the same kind, unless it was published up to
 * `published`.
 */
export function closedHourSends(state: LedgerState, published: string | null, id: string, kind: string): Send[] {
  const { closedAt } = state;
  if (closedAt === undefined) return [];
  if (published !== null && comparePositions(closedAt, published) <= 0) return [];
  return [{ to: `${kind}/${dayLedgerId(id)}`, type: 'hour', body: closedHourOf(id, state) }];
}

/**
 * Files an hour that is over, in place: it counts once, however often it is told. The hour's page is kept as it is, so
 * that the day says the same by its hours as they do.
 */
export function fileHour(state: LedgerState, { hour, page, slots, unleased }: ClosedHour): void {
  if (isFiled(state, hour)) return;
  // A reducer that throws must not have changed anything, so all sums are tried first.
  for (const slotMs in slots) addNanos(state.slots[slotMs]?.grossNanos ?? 0, slots[slotMs]!.grossNanos);
  // A day that was begun by a release which booked by the day has pages of its own.
  const own = state.hours[hour];
  if (!sumsStayExact(own, page)) assertExact(Number.POSITIVE_INFINITY);
  if (!state.daysOverflown && !sumsStayExact(state.days[DAY_PAGE], page)) {
    state.daysOverflown = true;
    state.days = {};
  }
  state.filed = (state.filed ?? 0) | (1 << hour);
  if (!state.daysOverflown) {
    state.days[DAY_PAGE] ??= {};
    addPage(state.days[DAY_PAGE], page, 1, { maxRows: MAX_ROWS, allowsNewRow: () => true });
  }
  if (own === undefined) state.hours[hour] = page;
  else addPage(own, page, 1, UNLIMITED_ROWS);
  for (const slotMs in slots) {
    state.slots[slotMs] ??= { impressions: 0, grossNanos: 0 };
    const sum = state.slots[slotMs];
    sum.impressions += slots[slotMs]!.impressions;
    sum.grossNanos = addNanos(sum.grossNanos, slots[slotMs]!.grossNanos);
  }
  for (const slotMs in unleased) addUnleased(state, slotMs, unleased[slotMs]!);
}

/** Adds sales without a lease: a sum above the highest limit has the same effect as the highest limit. */
export function addUnleased({ unleased }: LedgerState, slotMs: number | string, nanos: number): void {
  unleased[slotMs] = Math.min((unleased[slotMs] ?? 0) + nanos, Number.MAX_SAFE_INTEGER);
}
