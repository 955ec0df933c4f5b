import { isDeepStrictEqual } from 'node:util';
import { isFiled } from '../../actors/ledger/closed-hours.ts';
import { ledger } from '../../actors/ledger/ledger.ts';
import { dayLedgerId, hourLedgerIdOf, hourOfLedger } from '../../actors/ledger/ledger-id.ts';
import { assembleDays, readLeftMinutes } from '../../actors/ledger/read-ledgers.ts';
import type { StoredLedger } from '../../actors/ledger/report/sum-ledgers.ts';
import type { LedgerState } from '../../actors/ledger/state.ts';
import { unpackLedger } from '../../actors/ledger/stored-ledger.ts';
import { ledgerMinutes } from '../../actors/ledger-minutes/ledger-minutes.ts';
import type { StateStore } from '../../runtime/ports/store.ts';

/** The ledger of a day with what its hours have not told it yet, and with their minutes. */
export interface WholeDay extends StoredLedger {
  /** The hours whose minutes are kept no more. */
  readonly withoutMinutes: ReadonlySet<number>;
}

type DayReads = Pick<StateStore, 'load' | 'scan' | 'find'>;

const AT_A_TIME = 16;
/**
 * The most ledgers of hours that are kept at once: far above the number of sources of any exchange, times their hours.
 */
const MAX_HOURS = 10_000_000;
const HOURS = ['hour', 'filed-hour'];

/**
 * All ledgers by day, in no order. The ledger of a day is read before those of its hours: an hour that moves into its
 * day meanwhile counts once.
 */
export async function* readWholeDays(store: DayReads): AsyncGenerator<WholeDay> {
  const hoursOf = await findHours(store);
  const ids = [...hoursOf.keys()];
  for (let start = 0; start < ids.length; start += AT_A_TIME) {
    const some = ids.slice(start, start + AT_A_TIME);
    const days = await store.load(some.map((id) => ({ kind: ledger.kind, id })));
    const hourIds = some.flatMap((id) => hoursOf.get(id)!.map((hour) => hourLedgerIdOf(id, hour)));
    const hours = await store.load(hourIds.map((id) => ({ kind: ledger.kind, id })));
    for (const [index, id] of some.entries()) {
      const own = hours.flatMap((one) =>
        one && !one.deleted && dayLedgerId(one.id) === id ? [{ id: one.id, state: stateOf(one) }] : [],
      );
      const stored = days[index];
      const day = stored && !stored.deleted ? [{ id, state: stateOf(stored) }] : [];
      const withoutMinutes = new Set(day.flatMap(filedHours));
      const kept = own.filter((part) => isOfDay(day[0]?.state, part));
      for (const part of kept) withoutMinutes.delete(hourOfLedger(part.id)!);
      const left = await readLeftMinutes(
        store,
        ledgerMinutes.kind,
        kept.map((part) => part.id),
        kept,
      );
      for (const whole of assembleDays([...day, ...kept, ...left])) yield { ...whole, withoutMinutes };
    }
  }
  for await (const { id, deleted, state } of store.scan(ledger.kind)) {
    if (deleted || hourOfLedger(id) !== null || hoursOf.has(id)) continue;
    const day = { id, state: stateOf({ state }) };
    yield { ...day, withoutMinutes: new Set(filedHours(day)) };
  }
}

/** The hours that have ledgers of their own, by the id of the ledger of their day. */
async function findHours(store: DayReads): Promise<Map<string, number[]>> {
  const hoursOf = new Map<string, number[]>();
  for (const prefix of HOURS) {
    const where = { filedUnder: { gte: `${prefix}/`, lt: `${prefix}0` } };
    for (const { id } of await store.find(ledger.kind, { where, limit: MAX_HOURS })) {
      const dayId = dayLedgerId(id);
      const hours = hoursOf.get(dayId) ?? [];
      hoursOf.set(dayId, hours);
      if (!hours.includes(hourOfLedger(id)!)) hours.push(hourOfLedger(id)!);
    }
  }
  for (const hours of hoursOf.values()) hours.sort((a, b) => a - b);
  return hoursOf;
}

function stateOf({ state }: { readonly state: unknown }): LedgerState {
  return unpackLedger(state) as LedgerState;
}

function filedHours({ state }: StoredLedger): number[] {
  return Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => isFiled(state, hour));
}

/**
 * Whether the ledger of an hour is the one that its day has received. Totals that are repeated after it was deleted
 * begin another, which is told to nobody and goes with the next run of the job.
 */
function isOfDay(day: LedgerState | undefined, { id, state }: StoredLedger): boolean {
  const hour = hourOfLedger(id)!;
  if (day === undefined || !isFiled(day, hour)) return true;
  return isDeepStrictEqual(day.hours[hour] ?? {}, state.hours[hour] ?? {});
}
