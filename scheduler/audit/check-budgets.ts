import { budgetWindowStart } from '../../actors/budget/budget-window.ts';
import {
  type BudgetState,
  committedSpendAt,
  isUnlimited,
  leasedNanos,
  saturatingAdd,
} from '../../actors/budget/state.ts';
import { DAY_MS, utcDay } from '../../actors/ledger/ledger-id.ts';
import type { MoneyDeadLetter } from '../billing/parked-money.ts';
import { dayMs } from './audit-period.ts';
import type { BudgetSnapshot, Holder } from './budget-snapshots.ts';
import { type BudgetSpend, HEARD_WITHIN_MS, type HolderSpend, isSettled } from './budget-spend.ts';
import type { Difference } from './difference.ts';

/**
 * The opening of a budget looks no further back: two days, with all that may come late, the most of which is a day of
 * RENDER_WINDOW_SECONDS and the delay of a spool; and to the beginning of that day.
 */
const OPENED_BACK_MS = 4 * DAY_MS;

/** The figures that budgets are compared with. */
export interface BudgetBooks {
  /** The budgets as they were before the ledgers were read, and as they were after. */
  readonly before: ReadonlyMap<string, BudgetSnapshot>;
  readonly after: ReadonlyMap<string, BudgetSnapshot>;
  /** The holders, read between the first budgets and the ledgers. */
  readonly holders: ReadonlyMap<string, Holder>;
  readonly spent: BudgetSpend;
  /** Live spend by holder, then by UTC day of the sale, for the audited days. */
  readonly spentBySaleDay: ReadonlyMap<string, ReadonlyMap<string, bigint>>;
  readonly deadLetters: readonly MoneyDeadLetter[];
  /** Ledgers from before this UTC day may be archived; '' when none is. */
  readonly archivedBefore: string;
}

/**
 * Compares budgets with their holders' settings and ledgers. What cannot be known is left out: leases that are neither
 * settled nor billed, settings whose revision no edge has reported, the figures of archived ledgers.
 */
export function checkBudgets(books: BudgetBooks): Difference[] {
  const differences: Difference[] = [];
  for (const holder of new Set([...books.before.keys(), ...books.spent.holders])) {
    const found = new BudgetCheck(books, holder).differences();
    differences.push(...found);
  }
  return differences;
}

class BudgetCheck {
  readonly #books: BudgetBooks;
  readonly #name: string;
  readonly #holder: Holder | undefined;
  readonly #spent: HolderSpend;
  readonly #found: Difference[] = [];

  constructor(books: BudgetBooks, name: string) {
    this.#books = books;
    this.#name = name;
    this.#holder = books.holders.get(name);
    this.#spent = books.spent.of(name);
  }

  differences(): Difference[] {
    const { before, after } = this.#books;
    const kept = before.get(this.#name);
    this.#isThere(after.get(this.#name)?.state);
    if (kept === undefined) return this.#found;
    this.#isHeldToSettings(kept.state);
    this.#isFound(kept.state);
    this.#isKept(kept.state);
    if (this.#followsLimits(kept.state)) {
      this.#settledIsBilled(kept.state);
      this.#settledDaysAreBilled(kept);
      this.#openIsLeased(after.get(this.#name)?.state ?? kept.state);
    }
    return this.#found;
  }

  /** Checks that a limited holder, which sells from leases alone, has a budget that was opened. */
  #isThere(state: BudgetState | undefined): void {
    const limits = this.#holder?.limits ?? null;
    if (limits === null || this.#spent.lastSoldMs < limits.sinceMs + HEARD_WITHIN_MS) return;
    const sinceMs = Math.min(state?.openedSinceMs ?? -1, state?.limits?.sinceMs ?? -1);
    if (sinceMs >= limits.sinceMs || (state !== undefined && this.#isOfRevision(state) && isOpened(state))) return;
    const found = state === undefined ? 'no budget' : `a budget opened for ${isoOf(state.openedSinceMs)}`;
    this.#differ('budgets are there', '', `one opened for limits since ${isoOf(limits.sinceMs)}`, found);
  }

  #isHeldToSettings(state: BudgetState): void {
    const { limits, openedSinceMs } = state;
    if (limits === null) return;
    if (openedSinceMs !== null && openedSinceMs > limits.sinceMs) {
      this.#differ(
        'budgets are opened for their limits',
        '',
        `not after ${isoOf(limits.sinceMs)}`,
        isoOf(openedSinceMs),
      );
    }
    const holderLimits = this.#holder?.limits ?? null;
    if (this.#holder === undefined || holderLimits === null) return;
    if (limits.revision > holderLimits.revision) {
      this.#differ(
        'budgets are held to settings',
        '',
        `revision ${holderLimits.revision}`,
        `revision ${limits.revision}`,
      );
    }
    if (limits.revision !== holderLimits.revision) return;
    for (const name of ['dailyNanos', 'totalNanos', 'sinceMs'] as const) {
      // An older release knew the beginning of the limit better than the settings that it left.
      if (limits[name] === holderLimits[name] || (name === 'sinceMs' && openedSinceMs === limits.sinceMs)) continue;
      this.#differ('budgets are held to settings', '', `${name} ${holderLimits[name]}`, `${name} ${limits[name]}`);
    }
  }

  /**
   * Checks `oldestSlotMs`, by which budgets that can be settled are found, and that the settled time ends with a budget
   * window.
   */
  #isFound({ slots, oldestSlotMs, settledThroughMs }: BudgetState): void {
    if (budgetWindowStart(settledThroughMs) !== settledThroughMs) {
      this.#differ('open slots are found', '', isoOf(budgetWindowStart(settledThroughMs)), isoOf(settledThroughMs));
    }
    const first = slots[0]?.slotMs ?? null;
    if (first !== oldestSlotMs) this.#differ('open slots are found', '', isoOf(first), isoOf(oldestSlotMs));
  }

  /**
   * Checks that the sales of a day, and its settled and leased money, are within the budget of that day. The day of the
   * last change of the holder's settings, and the days before it, are left out: the budget may have been another. The
   * day after a change shortly before midnight is left out too: an edge that had not seen the change, or whose clock is
   * fast, has sold on it by the older budget.
   */
  #isKept(state: BudgetState): void {
    const { limits } = state;
    if (limits === null || limits.dailyNanos === 0) return;
    const changedAtMs = this.#holder?.changedAtMs ?? 0;
    const changedOn = changedAtMs === 0 ? '' : utcDay(changedAtMs + HEARD_WITHIN_MS);
    const mayBeOther = (day: string) => limits.sinceMs > dayMs(day) || changedOn >= day;
    const expected = `at most ${limits.dailyNanos}`;
    for (const [day, nanos] of this.#books.spentBySaleDay.get(this.#name) ?? []) {
      if (mayBeOther(day) || nanos <= BigInt(limits.dailyNanos)) continue;
      this.#differ('budgets are kept', `, sold on ${day}`, expected, String(nanos));
    }
    if (!isOpened(state)) return;
    const days = new Set([
      ...state.slots.map(({ slotMs }) => utcDay(slotMs)),
      ...state.settledDays.map(({ day }) => day),
    ]);
    for (const day of days) {
      const { spentTodayNanos, openTodayNanos } = committedSpendAt(state, dayMs(day));
      if (mayBeOther(day) || spentTodayNanos + openTodayNanos <= limits.dailyNanos) continue;
      const found = `settled ${spentTodayNanos}, leased or sold ${openTodayNanos}`;
      this.#differ('budgets are kept', `, of ${day}`, expected, found);
    }
  }

  /**
   * Whether the figures of the budget follow from its ledgers: it was opened for limits that its holder has had since.
   */
  #followsLimits(state: BudgetState): boolean {
    const holderLimits = this.#holder?.limits ?? null;
    return (
      holderLimits !== null &&
      isOpened(state) &&
      (this.#isOfRevision(state) || holderLimits.sinceMs === state.limits?.sinceMs)
    );
  }

  #isOfRevision({ limits }: BudgetState): boolean {
    return limits !== null && limits.revision === this.#holder?.limits?.revision;
  }

  /**
   * Checks that the settled sum is that of the ledgers' settled windows: for a campaign since it was created; for a
   * demand source since some day, two days before its budget was opened or earlier, which is not stored. That is before
   * the first sale under its limits, which may come days after these were set.
   */
  #settledIsBilled(state: BudgetState): void {
    const { settledByLedger, firstLimitedMs } = this.#spent;
    const { createdDay } = this.#holder!;
    const days = [...settledByLedger.keys()].sort().reverse();
    const lastFrom = firstLimitedMs === null ? NEVER : utcDay(firstLimitedMs);
    const sums: bigint[] = [];
    let sum = 0n;
    if (this.#isCampaign) {
      for (const day of days) if (day >= createdDay) sum += settledByLedger.get(day)!;
      sums.push(sum);
    } else {
      if ((days[0] ?? '') < lastFrom) sums.push(0n);
      for (const [index, day] of days.entries()) {
        sum += settledByLedger.get(day)!;
        if ((days[index + 1] ?? '') < lastFrom) sums.push(sum);
      }
    }
    const settledNanos = BigInt(state.settledNanos);
    const least = sums[0] ?? 0n;
    if (this.#mayBeArchived(state)) {
      if (settledNanos >= least - this.#lateNanos) return;
    } else if (sums.some((one) => this.#isSettledSum(settledNanos, one))) return;
    const expected = [...new Set(sums)].join(' or ');
    const atLeast = this.#mayBeArchived(state) ? 'at least ' : '';
    this.#differ('settled is billed', '', `${atLeast}${expected}`, String(settledNanos));
  }

  /**
   * Checks the settled sums of the days that may still be charged and that the budget keeps: from yesterday on, by the
   * last instant that it has seen.
   */
  #settledDaysAreBilled({ state, heardThroughMs }: BudgetSnapshot): void {
    const settled = new Map(state.settledDays.map(({ day, nanos }) => [day, nanos]));
    const kept = utcDay(heardThroughMs - DAY_MS);
    const billed = [...this.#spent.settledBySale].filter(([day]) => day >= kept).map(([day]) => day);
    for (const day of new Set([...settled.keys(), ...billed])) {
      const [expected, found] = [this.#spent.settledBySale.get(day) ?? 0n, BigInt(settled.get(day) ?? 0)];
      if (day < this.#books.archivedBefore || this.#isSettledSum(found, expected)) continue;
      this.#differ('settled is billed', `, of ${day}`, String(expected), String(found));
    }
  }

  /** Checks that the billed spend of a window was leased, or sold before leases began. */
  #openIsLeased(state: BudgetState): void {
    if (!isOpened(state) || this.#lateNanos > 0n) return;
    for (const [slotMs, billedNanos] of this.#spent.open) {
      if (slotMs < state.limits!.sinceMs + HEARD_WITHIN_MS || isSettled(state, slotMs)) continue;
      const window = state.slots.find((one) => one.slotMs === slotMs);
      const leased = window === undefined ? 0 : saturatingAdd(leasedNanos(window), window.seededNanos);
      if (billedNanos <= BigInt(leased)) continue;
      const where = `, slot of ${isoOf(slotMs)}`;
      this.#differ('what is billed was leased', where, `at least ${billedNanos}`, String(leased));
    }
  }

  /**
   * Compares sums: an impression that was parked may have been billed of a settled window without being in the settled
   * sum.
   */
  #isSettledSum(settledNanos: bigint, billedNanos: bigint): boolean {
    const mostNanos = billedNanos < MOST_NANOS ? billedNanos : MOST_NANOS;
    return settledNanos <= mostNanos && settledNanos >= mostNanos - this.#lateNanos;
  }

  get #lateNanos(): bigint {
    return this.#books.deadLetters
      .filter(({ of }) => of === null || of.has(this.#name))
      .reduce((sum, { grossNanos }) => sum + grossNanos, 0n);
  }

  #mayBeArchived({ limits }: BudgetState): boolean {
    const openedBack = utcDay(Math.max(0, limits!.sinceMs - OPENED_BACK_MS));
    const { createdDay } = this.#holder!;
    return (!this.#isCampaign && openedBack > createdDay ? openedBack : createdDay) < this.#books.archivedBefore;
  }

  get #isCampaign(): boolean {
    return this.#name.startsWith('campaign:');
  }

  #differ(check: string, where: string, expected: string, found: string): void {
    this.#found.push({ check, where: `${this.#name}${where}`, expected, found });
  }
}

/** After every UTC day. */
const NEVER = '9';
const MOST_NANOS = BigInt(Number.MAX_SAFE_INTEGER);

function isOpened({ limits, openedSinceMs }: BudgetState): boolean {
  return limits !== null && !isUnlimited(limits) && openedSinceMs === limits.sinceMs;
}

function isoOf(atMs: number | null): string {
  return atMs === null ? 'none' : new Date(atMs).toISOString();
}
