import type { Static } from 'typebox';
import { budget } from '../../actors/budget/budget.ts';
import { grossOfLedger, SPEND_LEDGER_FIELDS } from '../../actors/budget/budget-status.ts';
import { BUDGET_WINDOW_MS, budgetWindowStart } from '../../actors/budget/budget-window.ts';
import { LIMIT_KNOWN_WITHIN_MS } from '../../actors/budget/ceiling-sums.ts';
import type { budgetMessages } from '../../actors/budget/messages.ts';
import { type ParkedSpend, parkedSpendsOf } from '../../actors/budget/parked-spend.ts';
import { campaign } from '../../actors/campaign/campaign.ts';
import { dsp } from '../../actors/dsp/dsp.ts';
import { DAY_MS, dayOfLedger, utcDay } from '../../actors/ledger/ledger-id.ts';
import { readLedgers } from '../../actors/ledger/read-ledgers.ts';
import type { LedgerPages } from '../../actors/ledger/report/sum-ledgers.ts';
import { readAtWatermark, type WatermarkedReads } from '../../actors/watermark/read-watermark.ts';
import { type DeadLetterDecision, deadLetterDecisionName } from '../../runtime/actor/dead-letter-decision.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { drainedThroughMs } from '../../runtime/ports/relayed.ts';
import type { StateReads, StateStore } from '../../runtime/ports/store.ts';
import type { HeldBudget } from './held-budget.ts';
import type { RegionReadings } from './region-readings.ts';

type OpeningBalance = Static<(typeof budgetMessages)['open']>;

/**
 * Upper bound, ms, of the watermark's lag. A watermark that is further behind is not maintained: the clock then bounds
 * the wait for what edges have reported.
 */
const KEPT_WITHIN_MS = 600_000;

export interface OpeningDeps {
  readonly store: StateStore;
  readonly messenger: Messenger;
  readonly clock: Clock;
  /** ms after its sale within which an impression may still be billed. */
  readonly latestMs: number;
  /** Whether no other process sells: then there are no other edges to wait for. */
  readonly isOnlyEdge?: boolean;
  /** How far the regions with logs of their own are drained; absent where there can be none. */
  readonly regions?: RegionReadings;
  /**
   * Resolves with what parked messages may yet move, given the time through which ledgers are complete; ms since the
   * epoch.
   */
  readonly parkedSpend: (throughMs: number) => Promise<readonly ParkedSpend[]>;
  /**
   * Resolves when the budget with this id knows exactly what this edge has sold without a lease (SaleCeilings.end).
   */
  readonly endUnleased: (budgetId: string) => Promise<void>;
}

/**
 * Reports to a budget what was spent without a lease, and what may yet be spent of earlier sales: the sums of all the
 * holder's ledgers since it was made, with the parked messages that they lack; the ceilings that edges have stated it
 * has already. Returns false, and reports nothing, while the ledgers may lack sales that edges made before they knew of
 * the limit: for some seconds after a limit was set on a holder that had none, unless there is no other edge, and until
 * they hold what regions had brought and what was replayed, or while a replay was begun and not noted. Throws when the
 * store or the log cannot be reached.
 */
export async function openBudget(deps: OpeningDeps, { id, holder, limits }: HeldBudget): Promise<boolean> {
  const { messenger, clock, latestMs, isOnlyEdge = false, parkedSpend, endUnleased } = deps;
  const nowMs = clock.now();
  const regionsNow = await deps.regions?.refresh();
  const ledgers = await ledgersCompleteThrough(deps.store);
  const { store } = ledgers;
  const kind = holder.scope === 'dsp' ? dsp.kind : campaign.kind;
  const [document] = await store.load([{ kind, id: holder.id }]);
  const { createdAt = '' } = (document?.state ?? {}) as { readonly createdAt?: string };
  const fromMs = createdAt === '' ? nowMs - DAY_MS : Date.parse(createdAt);
  const wasUnlimited = limits.sinceMs > fromMs;
  let regionsThroughMs: number | null = null;
  if (regionsNow !== undefined && regionsNow.throughMs !== null) {
    const covered = wasUnlimited ? deps.regions!.asOf(ledgers.throughMs) : regionsNow;
    if (covered === null && ledgers.throughMs > nowMs - KEPT_WITHIN_MS) return false;
    // What comes home behind these ledgers may have been sold 8 days before it comes.
    const knownMs = ledgers.throughMs === 0 ? nowMs : Math.min(ledgers.throughMs, nowMs);
    // Where there was no region, one may have come since.
    regionsThroughMs = drainedThroughMs(covered === null ? 0 : (covered.throughMs ?? covered.atMs), knownMs);
  }
  const throughMs = Math.min(ledgers.throughMs, regionsThroughMs ?? ledgers.throughMs);
  const orNow = (ms: number) => (ms > nowMs - KEPT_WITHIN_MS ? ms : nowMs);
  const reportedThroughMs = orNow(throughMs);
  if (wasUnlimited && !isOnlyEdge && reportedThroughMs < limits.sinceMs + LIMIT_KNOWN_WITHIN_MS) return false;
  const completeMs = ledgers.throughMs === 0 ? nowMs - BUDGET_WINDOW_MS : Math.min(ledgers.throughMs, nowMs);
  const slotsFromMs = budgetWindowStart(Math.min(completeMs, regionsThroughMs ?? completeMs) - latestMs);
  // A DSP has a daily budget only: what it spent before yesterday does not count. What was sold yesterday may be in the
  // ledger of the day before: an edge whose clock is fast sells after midnight what the log dates before it.
  const yesterdayMs = Math.min(nowMs - latestMs - DAY_MS, slotsFromMs);
  const firstMs = holder.scope === 'dsp' ? Math.max(fromMs, yesterdayMs - DAY_MS) : fromMs;
  // Whole days: what is in no budget window counts on the day of its ledger. After its clock was set back, the log
  // dates what it takes by the clock before.
  const stretch = { owner: holder, fromMs: firstMs - (firstMs % DAY_MS), toMs: nowMs + DAY_MS };
  const read = await readLedgers(store, [stretch], SPEND_LEDGER_FIELDS);
  // After the ledgers: what was parked before, and is not any more, is in them or on its way. How far regions are
  // drained says nothing of what home has replayed.
  const parked = parkedSpendsOf(await parkedSpend(orNow(ledgers.throughMs)), holder);
  if (parked === null || (await isReplayUnderWay(deps.store, parked))) return false;
  const unleasedThroughMs = wasUnlimited ? limits.sinceMs + LIMIT_KNOWN_WITHIN_MS : 0;
  const opening = openingBalanceOf(
    read,
    limits.sinceMs,
    slotsFromMs,
    unleasedThroughMs,
    parked.flatMap(({ sales }) => sales),
  );
  // Messages of this edge to the budget arrive in their order.
  await endUnleased(id);
  await messenger.ask(budget, id, 'open', opening);
  return true;
}

/**
 * Whether one of these is being replayed: the ledgers may have it or not. Where the process that replayed it has died
 * before it noted that, until it is replayed again.
 */
async function isReplayUnderWay(store: StateStore, parked: readonly ParkedSpend[]): Promise<boolean> {
  const replayed: DeadLetterDecision = 'replayed';
  for (const { notReplayed } of parked)
    for (const id of notReplayed) if ((await store.getValue(deadLetterDecisionName(id))) === replayed) return true;
  return false;
}

/**
 * Time through which ledgers that are read from now on are certainly complete; ms since the epoch, 0 when unknown. Only
 * windows before the watermark are summed for good. The last sales of a window are on their way to the ledgers for
 * seconds, or for as long as a partition stands still. While the watermark is not maintained, and so nothing is
 * settled, one window's length is allowed for that.
 */
function ledgersCompleteThrough(store: StateStore): Promise<WatermarkedReads<StateReads>> {
  return readAtWatermark(store);
}

/**
 * The opening balance of a budget, from its holder's ledgers. Sales by older edges have no window: they count on the
 * day of their ledger. `parked`: the sales that ledgers lack, as they are parked. All windows up to that of
 * `unleasedThroughMs` are named, also those without any known sale: sales of an edge that died before it could report
 * them may still arrive, and are found when the windows are settled.
 */
export function openingBalanceOf(
  ledgers: readonly LedgerPages[],
  sinceMs: number,
  slotsFromMs: number,
  unleasedThroughMs: number,
  parked: ParkedSpend['sales'] = [],
): OpeningBalance {
  const days = new Map<string, number>();
  const slots = new Map<number, number>();
  const unleased = new Map<number, number>();
  for (let slotMs = slotsFromMs; slotMs <= unleasedThroughMs; slotMs += BUDGET_WINDOW_MS) slots.set(slotMs, 0);
  const spend = (day: string, nanos: number) => days.set(day, capAtMaxLimit((days.get(day) ?? 0) + nanos));
  const spendAt = (slotMs: number, nanos: number) => {
    if (slotMs < slotsFromMs) spend(utcDay(slotMs), nanos);
    else slots.set(slotMs, capAtMaxLimit((slots.get(slotMs) ?? 0) + nanos));
  };
  for (const { soldAtMs, grossNanos } of parked) spendAt(budgetWindowStart(soldAtMs), grossNanos);
  for (const { id, state } of ledgers) {
    let unslottedNanos = grossOfLedger(state);
    for (const [slot, { grossNanos }] of Object.entries(state.slots ?? {})) {
      const slotMs = Number(slot);
      unslottedNanos -= BigInt(grossNanos);
      spendAt(slotMs, grossNanos);
    }
    if (unslottedNanos > 0n) spend(dayOfLedger(id), capAtMaxLimit(Number(unslottedNanos)));
    for (const [slot, nanos] of Object.entries(state.unleased ?? {})) {
      const slotMs = Number(slot);
      if (slotMs < slotsFromMs) continue;
      unleased.set(slotMs, capAtMaxLimit((unleased.get(slotMs) ?? 0) + nanos));
      if (!slots.has(slotMs)) slots.set(slotMs, 0);
    }
  }
  return {
    sinceMs,
    spentNanos: capAtMaxLimit([...days.values()].reduce((sum, nanos) => sum + nanos, 0)),
    days: Array.from(days, ([day, spentNanos]) => ({ day, spentNanos })),
    slotsFromMs,
    slots: Array.from(slots, ([slotMs, spentNanos]) => ({
      slotMs,
      spentNanos,
      unleasedNanos: unleased.get(slotMs) ?? 0,
    })),
  };
}

/** A sum above the highest limit has the same effect as the highest limit. */
function capAtMaxLimit(nanos: number): number {
  return Math.min(nanos, Number.MAX_SAFE_INTEGER);
}
