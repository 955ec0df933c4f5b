import { budget } from '#actors/budget/budget';
import { parseBudgetId } from '#actors/budget/budget-id';
import { budgetWindowStart } from '#actors/budget/budget-window';
import type { BudgetState } from '#actors/budget/state';
import { comparePositions } from '#runtime/ports/position';
import type { Violations } from '#runtime/simulator/auditor/violations';
import type { LogServer } from '#runtime/simulator/log-server';
import { fromStored, type StoredDocument } from '#runtime/simulator/store-server';
import { isSettled } from '#scheduler/audit/budget-spend';
import type { CornerCaseCounts } from '../corner-case-counts.ts';
import type { MoneyModel } from '../money-model.ts';
import type { MarketRegion } from './market-region.ts';
import { positionAt, type RegionEntry } from './region-history.ts';

const HOURS_MS = 2 * 3_600_000;

/** Sees each save of a budget: no window is settled of which a region may still bring an impression. */
export class WindowChecker {
  readonly #regions: readonly MarketRegion[];
  readonly #home: () => LogServer;
  readonly #model: MoneyModel;
  readonly #corners: CornerCaseCounts;
  readonly #violations: Violations;

  constructor(
    regions: readonly MarketRegion[],
    { home, model }: { home: () => LogServer; model: MoneyModel },
    corners: CornerCaseCounts,
    violations: Violations,
  ) {
    this.#regions = regions;
    this.#home = home;
    this.#model = model;
    this.#corners = corners;
    this.#violations = violations;
  }

  saved(saved: StoredDocument, before: StoredDocument | null): void {
    if (this.#regions.length === 0 || saved.kind !== budget.kind) return;
    const is = partOf(saved);
    const was = before === null ? null : partOf(before);
    const isOpened = is.openedSinceMs !== (was?.openedSinceMs ?? null);
    if (!isOpened && is.settledThroughMs === (was?.settledThroughMs ?? 0)) return;
    const state = fromStored(saved).state as BudgetState;
    const waiting = this.#waitingOf(parseBudgetId(saved.id).id);
    const windows = new Set(waiting.map(({ impression }) => budgetWindowStart(impression.soldAtMs!)));
    if (isOpened && waiting.some(({ header }) => this.#home().nowMs - header.expiresAtMs > HOURS_MS)) {
      this.#corners.count('a first budget is opened while a region is hours behind');
    }
    for (const slotMs of windows) {
      if (!isSettled(state, slotMs)) continue;
      const window = new Date(slotMs).toISOString();
      this.#violations.add('budgets wait for regions', `${saved.id} has settled ${window}, of which a region has more`);
    }
  }

  /** What regions may yet bring of a demand source, and will be billed. */
  #waitingOf(dsp: string): RegionEntry[] {
    const home = this.#home();
    return this.#regions.flatMap(({ history }) => {
      const log = history.present;
      if (log.source === null || log.writeOff !== 'no') return [];
      const isWaiting = (entry: RegionEntry) =>
        entry.type === 'impression' &&
        entry.impression.dsp === dsp &&
        comparePositions(entry.position, positionAt(home, entry.partition, log.source)) > 0 &&
        home.nowMs < log.tooLateFromMs(entry) &&
        !this.#model.billable.has(entry.impression.id);
      return [...log.entries.values()].filter(isWaiting);
    });
  }
}

type Part = Pick<BudgetState, 'openedSinceMs' | 'settledThroughMs'>;
const PART = /"openedSinceMs":(null|\d+),.*?"settledThroughMs":(\d+)/;

/** Without decoding the windows: those of a region that was cut off are many, and each lease saves them. */
function partOf(stored: StoredDocument): Part {
  const found = PART.exec(stored.text);
  if (found === null) return fromStored(stored).state as BudgetState;
  return { openedSinceMs: JSON.parse(found[1]!), settledThroughMs: Number(found[2]) };
}
