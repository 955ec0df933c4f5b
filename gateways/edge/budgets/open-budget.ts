import type { Static } from 'typebox';
import { budget } from '../../../actors/budget/budget.ts';
import type { budgetMessages } from '../../../actors/budget/messages.ts';
import { SLOT_MS, slotOf } from '../../../actors/budget/slot.ts';
import { grossOfLedger, SPENT_FIELDS } from '../../../actors/budget/standing.ts';
import { campaign } from '../../../actors/campaign/campaign.ts';
import { dsp } from '../../../actors/dsp/dsp.ts';
import { ledger } from '../../../actors/ledger/ledger.ts';
import { DAY_MS, dayOfLedger, utcDay } from '../../../actors/ledger/ledger-id.ts';
import type { LedgerState } from '../../../actors/ledger/reduce.ts';
import { ledgerIdsBetween } from '../../../actors/ledger/report/period.ts';
import type { StoredLedger } from '../../../actors/ledger/report/sum.ts';
import { BOOKS, type WatermarkState, watermark } from '../../../actors/watermark/watermark.ts';
import type { Messenger } from '../../../runtime/actor/messenger.ts';
import type { Clock } from '../../../runtime/ports/clock.ts';
import type { StateStore } from '../../../runtime/ports/store.ts';
import type { HeldBudget } from './held-budget.ts';

const HOUR_MS = 3_600_000;
const LEDGERS_AT_ONCE = 100;

export interface OpeningParts {
  readonly store: StateStore;
  readonly messenger: Messenger;
  readonly clock: Clock;
  /** How long after its sale an impression may still be billed. */
  readonly latestMs: number;
}

/**
 * Tells a budget what was spent when nothing of it was leased: all that the holder's ledgers hold, of all days since it was made.
 * Throws when the store or the log cannot be reached.
 */
export async function openBudget(parts: OpeningParts, { id, holder, limits }: HeldBudget): Promise<void> {
  const { store, messenger, clock, latestMs } = parts;
  const nowMs = clock.now();
  const slotsFromMs = slotOf((await completeThrough(store, nowMs)) - latestMs);
  const kind = holder.scope === 'dsp' ? dsp.kind : campaign.kind;
  const [made] = await store.load([{ kind, id: holder.id }]);
  const { createdAt = '' } = (made?.state ?? {}) as { readonly createdAt?: string };
  const fromMs = createdAt === '' ? nowMs - DAY_MS : Date.parse(createdAt);
  // A demand source has a budget of the day alone: what it spent before yesterday is no concern of it.
  const firstMs = holder.scope === 'dsp' ? Math.max(fromMs, Math.min(nowMs - latestMs - DAY_MS, slotsFromMs)) : fromMs;
  const ids = ledgerIdsBetween(holder, firstMs, nowMs + HOUR_MS);
  const ledgers: StoredLedger[] = [];
  for (let at = 0; at < ids.length; at += LEDGERS_AT_ONCE) {
    const keys = ids.slice(at, at + LEDGERS_AT_ONCE).map((ledgerId) => ({ kind: ledger.kind, id: ledgerId }));
    for (const document of await store.load(keys, SPENT_FIELDS)) {
      if (document && !document.deleted) ledgers.push({ id: document.id, state: document.state as LedgerState });
    }
  }
  await messenger.ask(budget, id, 'open', openingOf(ledgers, limits.sinceMs, slotsFromMs));
}

/**
 * How far ledgers that are read from now on are sure to be complete; ms since the epoch. Slots that the books have outlived are
 * summed for good, and no others: what comes last of a slot is on its way to the ledgers for seconds, or for as long as a
 * partition stands still. While nobody keeps the books, and so nothing is settled, a slot's length is allowed for that.
 */
async function completeThrough(store: StateStore, nowMs: number): Promise<number> {
  const [books] = await store.load([{ kind: watermark.kind, id: BOOKS }]);
  const { throughMs = 0 } = (books?.state ?? {}) as Partial<WatermarkState>;
  return throughMs === 0 ? nowMs - SLOT_MS : Math.min(throughMs, nowMs);
}

/** What older edges sold is in no slot: it was sold on the day of its ledger, as far as anybody knows. */
export function openingOf(
  ledgers: readonly StoredLedger[],
  sinceMs: number,
  slotsFromMs: number,
): Static<(typeof budgetMessages)['open']> {
  const days = new Map<string, number>();
  const slots = new Map<number, number>();
  const spend = (day: string, nanos: number) => days.set(day, atMost((days.get(day) ?? 0) + nanos));
  for (const { id, state } of ledgers) {
    let unslottedNanos = grossOfLedger(state);
    for (const [slot, { grossNanos }] of Object.entries(state.slots ?? {})) {
      const slotMs = Number(slot);
      unslottedNanos -= BigInt(grossNanos);
      if (slotMs < slotsFromMs) spend(utcDay(slotMs), grossNanos);
      else slots.set(slotMs, atMost((slots.get(slotMs) ?? 0) + grossNanos));
    }
    if (unslottedNanos > 0n) spend(dayOfLedger(id), atMost(Number(unslottedNanos)));
  }
  return {
    sinceMs,
    spentNanos: atMost([...days.values()].reduce((sum, nanos) => sum + nanos, 0)),
    days: Array.from(days, ([day, spentNanos]) => ({ day, spentNanos })),
    slotsFromMs,
    slots: Array.from(slots, ([slotMs, spentNanos]) => ({ slotMs, spentNanos })),
  };
}

/** More than any limit is as good as more than that. */
function atMost(nanos: number): number {
  return Math.min(nanos, Number.MAX_SAFE_INTEGER);
}
