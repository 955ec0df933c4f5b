import type { Send } from '../../runtime/actor/context.ts';
import { comparePositions } from '../../runtime/actor/position.ts';
import { DAY_MS, HOUR_MS, hourOfLedger, MINUTE_MS } from './ledger-id.ts';
import { namesText } from './names-text.ts';
import { packPage, unpackPage } from './packed-page.ts';
import { repackParked } from './parked-minutes.ts';
import type { LedgerState } from './state.ts';

const HOUR_MINUTES = HOUR_MS / MINUTE_MS;
/** Minutes leave in batches of so many, so that few documents are written. */
const BATCH_MINUTES = 5;
/** So many newest minutes stay. */
const NEWEST_MINUTES = 2;

/** The kind of the documents that receive the minutes of ledgers of this kind. */
export function minutesKindOf(kind: string): string {
  return `${kind}-minutes`;
}

/**
 * Lets minutes leave the ledger of an hour that are no longer among its newest, in place.
 * @param minuteMs a minute of the hour, ms since the epoch
 * @param nowMs log time
 */
export function letMinutesLeave(state: LedgerState, minuteMs: number, nowMs: number, position: string): void {
  const intoHourMs = minuteMs % HOUR_MS;
  const passed = Math.min(Math.floor((nowMs - minuteMs + intoHourMs) / MINUTE_MS) - NEWEST_MINUTES, HOUR_MINUTES);
  if (passed < BATCH_MINUTES) return;
  const throughMinute = ((minuteMs - intoHourMs) % DAY_MS) / MINUTE_MS + passed - (passed % BATCH_MINUTES);
  if (throughMinute > (state.leftThrough ?? 0)) letLeave(state, throughMinute, position);
}

/** Lets all minutes leave, in place. */
export function letAllMinutesLeave(state: LedgerState, id: string, position: string): void {
  letLeave(state, (hourOfLedger(id)! + 1) * HOUR_MINUTES, position);
}

function letLeave(state: LedgerState, throughMinute: number, position: string): void {
  state.leftThrough = throughMinute;
  const leaving = Object.keys(state.minutes).filter((index) => Number(index) < throughMinute);
  if (leaving.length === 0) return;
  const names: string[] = [];
  const pages: Record<string, string> = {};
  for (const index of leaving) {
    const page = state.minutes[index]!;
    pages[index] = packPage(typeof page === 'string' ? unpackPage(page, state.names) : page, names);
    delete state.minutes[index];
  }
  state.batches = (state.batches ?? 0) + 1;
  state.leaving = [
    ...(state.leaving ?? []),
    { number: state.batches, names: namesText(names), pages, leftAt: position },
  ];
  forgetNames(state);
}

/** Makes the table of names anew, with those alone that packed pages still refer to, in place. */
function forgetNames(state: LedgerState): void {
  const names: string[] = [];
  const again = (packed: string) => packPage(unpackPage(packed, state.names), names);
  for (const partition in state.open) {
    const minute = state.open[partition]!;
    state.open[partition] = { ...minute, packed: again(minute.packed) };
  }
  repackParked(state, again);
  for (const index in state.minutes) {
    const page = state.minutes[index]!;
    if (typeof page === 'string') state.minutes[index] = again(page);
  }
  state.names = names;
}

/** The batches that were not published up to `published`, to the document of the hour's minutes. */
export function minuteSends({ leaving = [] }: LedgerState, published: string | null, id: string, kind: string): Send[] {
  return leaving
    .filter(({ leftAt }) => published === null || comparePositions(leftAt, published) > 0)
    .map(({ number, names, pages }) => ({
      to: `${minutesKindOf(kind)}/${id}`,
      type: 'minutes',
      body: { number, names, pages },
    }));
}

/** Drops the batches that were received, in place. */
export function dropPublishedMinutes(state: LedgerState, published: string): void {
  const left = state.leaving?.filter(({ leftAt }) => comparePositions(leftAt, published) > 0) ?? [];
  if (left.length > 0) state.leaving = left;
  else delete state.leaving;
}
