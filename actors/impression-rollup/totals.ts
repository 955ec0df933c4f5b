import { addNanos } from '../../exchange/money/nanos.ts';
import type { Send } from '../../runtime/actor/context.ts';
import { comparePositions } from '../../runtime/actor/position.ts';
import { MAX_ROWS } from '../ledger/grain.ts';
import { hourLedgerId, type LedgerScope, ledgerId, PLATFORM_OWNER_ID } from '../ledger/ledger-id.ts';
import type { BilledSum, BudgetWindowSum, NamedBilledSum, Totals } from '../ledger/messages.ts';
import { OTHERS_KEY } from '../ledger/page.ts';
import { boundedRowName } from '../ledger/row-name.ts';
import { feedOutboxSends } from './feed-outbox.ts';
import { partitionOfRollup } from './rollup-id.ts';
import type { ImpressionRollupState, InvalidRollupRow, RollupPage, RollupRow } from './state.ts';

/**
 * The messages to feeds and ledgers that were not published up to `published`. For each minute that changed, each
 * affected ledger gets the whole of what this partition knows, oldest minute first. Versions are positions, so the
 * newest version is the most complete.
 */
export function unpublishedSends(state: ImpressionRollupState, published: string | null, id: string): Send[] {
  const partition = partitionOfRollup(id);
  const sends: Send[] = [];
  for (const page of state.pages) {
    if (published !== null && comparePositions(page.changedAt, published) <= 0) continue;
    for (const [to, { rows, invalid }] of changedRows(page, state.byHour ?? false, published)) {
      const version = [...rows.map(({ row }) => row), ...invalid].map(({ changedAt }) => changedAt).reduce(later);
      const body: Totals = { partition, minuteMs: page.minuteMs, version, regions: sumByRegion(rows, invalid) };
      const windowSums = sumByBudgetWindow(rows);
      if (windowSums.length > 0) body.slots = windowSums;
      sends.push({ to: `ledger/${to}`, type: 'totals', body });
    }
  }
  sends.push(...feedOutboxSends(state.fed, published, partition));
  return sends;
}

/**
 * Drops, in place, the pages that can change no more (a later minute has begun) and that were published to all. This
 * bounds the document; a page that is dropped too early before a crash is still in the saved state.
 */
export function dropPublishedPages(pages: RollupPage[], published: string): void {
  const keep = pages.findIndex(({ changedAt }) => comparePositions(changedAt, published) > 0);
  const told = keep === -1 ? pages.length : keep;
  pages.splice(0, Math.min(told, pages.length - 1));
}

/** A row as one ledger sees it, with its counterparty. */
interface LedgerRowSource {
  readonly row: RollupRow;
  readonly counterparty: string | null;
  readonly byCreative: boolean;
  /** Whether the ledger sums by budget window. */
  readonly bySlot: boolean;
}

/** The rows of a page that go to one ledger. */
interface LedgerRows {
  readonly rows: LedgerRowSource[];
  readonly invalid: InvalidRollupRow[];
}

/**
 * All rows of the ledgers in which something has changed since `published`, by ledger. Most ledgers of a busy minute
 * have not changed since the last time, so the others are found first.
 */
function changedRows(page: RollupPage, byHour: boolean, published: string | null): Map<string, LedgerRows> {
  const ledgers = new Map<string, LedgerRows>();
  for (const row of [...page.rows, ...(page.invalid ?? [])]) {
    if (published !== null && comparePositions(row.changedAt, published) <= 0) continue;
    for (const { id } of ledgersOf(row, page.minuteMs, byHour))
      if (!ledgers.has(id)) ledgers.set(id, { rows: [], invalid: [] });
  }
  for (const row of page.rows) {
    const { publisher, dsp } = row;
    const bought = { row, counterparty: publisher, byCreative: true, bySlot: true };
    const all = { row, counterparty: null, byCreative: false, bySlot: false };
    for (const { scope, id } of ledgersOf(row, page.minuteMs, byHour)) {
      const rows = ledgers.get(id)?.rows;
      if (rows === undefined) continue;
      if (scope === 'publisher') rows.push({ row, counterparty: dsp, byCreative: false, bySlot: true });
      else rows.push(scope === 'dsp' || scope === 'campaign' ? bought : all);
    }
  }
  for (const row of page.invalid ?? []) {
    for (const { id } of ledgersOf(row, page.minuteMs, byHour)) ledgers.get(id)?.invalid.push(row);
  }
  return ledgers;
}

interface LedgerOfRow {
  readonly scope: LedgerScope;
  readonly id: string;
}

/** The ledgers of rows in memory: a row stays in its page, and what it is told to never changes. */
const knownLedgers = new WeakMap<RollupRow | InvalidRollupRow, readonly LedgerOfRow[]>();

/** The ledgers that a row belongs in. */
function ledgersOf(row: RollupRow | InvalidRollupRow, minuteMs: number, byHour: boolean): readonly LedgerOfRow[] {
  let ledgers = knownLedgers.get(row);
  if (ledgers === undefined) {
    ledgers = findLedgers(row, minuteMs, byHour);
    knownLedgers.set(row, ledgers);
  }
  return ledgers;
}

function findLedgers(row: RollupRow | InvalidRollupRow, minuteMs: number, byHour: boolean): LedgerOfRow[] {
  const { publisher, dsp, campaign, account, sandbox, publisherGeneration, dspGeneration } = row;
  const idAt = byHour ? hourLedgerId : ledgerId;
  const of = (scope: LedgerScope, ownerId: string, generation?: number) => ({
    scope,
    id: idAt(scope, ownerId, minuteMs, sandbox, generation),
  });
  const ledgers = [of('publisher', publisher, publisherGeneration), of('dsp', dsp, dspGeneration)];
  if (campaign !== null) ledgers.push(of('campaign', campaign, dspGeneration));
  ledgers.push(of('platform', PLATFORM_OWNER_ID));
  // In the sandbox each source is flushed by itself, so an account's figures are the sum of those of its sources.
  if (account !== undefined && !sandbox) ledgers.push(of('account', account));
  return ledgers;
}

interface RegionSums {
  readonly sum: BilledSum;
  readonly counterparties: Map<string, NamedBilledSum>;
  readonly creatives: Map<string, NamedBilledSum>;
  counts: Record<string, number> | null;
}

function sumByRegion(rows: readonly LedgerRowSource[], invalid: readonly InvalidRollupRow[]): Totals['regions'] {
  const regions = new Map<string, RegionSums>();
  const regionOf = (name: string): RegionSums => {
    let region = regions.get(name);
    if (!region) {
      const sum = { impressions: 0, grossNanos: 0, feeNanos: 0 };
      region = { sum, counterparties: new Map(), creatives: new Map(), counts: null };
      regions.set(name, region);
    }
    return region;
  };
  for (const { row, counterparty, byCreative } of rows) {
    const region = regionOf(row.region);
    addRow(region.sum, row);
    if (counterparty !== null) addRow(namedSum(region.counterparties, counterparty), row);
    if (byCreative && row.crid !== '') addRow(namedSum(region.creatives, boundedRowName(row.crid)), row);
  }
  for (const row of invalid) {
    const region = regionOf(row.region);
    region.counts ??= {};
    for (const name in row.counts) region.counts[name] = (region.counts[name] ?? 0) + row.counts[name]!;
  }
  return [...regions].map(([region, { sum, counterparties, creatives, counts }]) => ({
    region,
    ...sum,
    ...(counts === null ? {} : { counts }),
    counterparties: [...counterparties.values()],
    creatives: [...creatives.values()],
  }));
}

/** The sums by budget window of the sale, the earliest window first. */
function sumByBudgetWindow(rows: readonly LedgerRowSource[]): BudgetWindowSum[] {
  const sums = new Map<number, BudgetWindowSum>();
  for (const { row, bySlot: wanted } of rows) {
    if (!wanted || row.slotMs === undefined) continue;
    const sum = sums.get(row.slotMs);
    if (sum === undefined) {
      sums.set(row.slotMs, { slotMs: row.slotMs, impressions: row.impressions, grossNanos: row.grossNanos });
      continue;
    }
    sum.impressions += row.impressions;
    sum.grossNanos = addNanos(sum.grossNanos, row.grossNanos);
  }
  return [...sums.values()].sort((a, b) => a.slotMs - b.slotMs);
}

/**
 * The sum of a name. The names that came first keep their own sum in every version of a page, because rows stay in the
 * order in which they came; all others are summed together, so that the totals add up and no ledger grows beyond what
 * can be stored.
 */
function namedSum(sums: Map<string, NamedBilledSum>, name: string): NamedBilledSum {
  const known = sums.get(name);
  if (known) return known;
  const id = sums.size < MAX_ROWS ? name : OTHERS_KEY;
  let sum = sums.get(id);
  if (!sum) {
    sum = { id, impressions: 0, grossNanos: 0, feeNanos: 0 };
    sums.set(id, sum);
  }
  return sum;
}

function addRow(sum: BilledSum, row: RollupRow): void {
  sum.impressions += row.impressions;
  sum.grossNanos = addNanos(sum.grossNanos, row.grossNanos);
  sum.feeNanos = addNanos(sum.feeNanos, row.feeNanos);
}

function later(a: string, b: string): string {
  return comparePositions(a, b) >= 0 ? a : b;
}
