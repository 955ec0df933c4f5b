import { campaign } from '../../actors/campaign/campaign.ts';
import { dsp } from '../../actors/dsp/dsp.ts';
import type { DspState } from '../../actors/dsp/reduce.ts';
import { impressionRollup } from '../../actors/impression-rollup/impression-rollup.ts';
import { acceptedIdsOf } from '../../actors/impression-rollup/reduce.ts';
import type { ImpressionRollupState } from '../../actors/impression-rollup/state.ts';
import { DAY_MS, utcDay } from '../../actors/ledger/ledger-id.ts';
import { reportWindowOfMonth } from '../../actors/ledger/report/month.ts';
import { publisher } from '../../actors/publisher/publisher.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { SANDBOX_KEEP_DAYS } from '../aged-kinds.ts';
import { readClosedMonths } from '../billing/closed-months.ts';
import { type DiscardedMoney, discardedMoney, moneyDeadLetters, parkedMoney } from '../billing/parked-money.ts';
import { readWatermark } from '../watermark/read-watermark.ts';
import { type AcceptedDifference, acceptDiscarded } from './accept-discarded.ts';
import { AdjustedTrades } from './adjusted-trades.ts';
import { type AuditPeriod, holdsDay } from './audit-period.ts';
import { readBudgets, readHolders } from './budget-snapshots.ts';
import { BudgetSpend } from './budget-spend.ts';
import { checkBudgets } from './check-budgets.ts';
import { type Campaigns, checkCampaigns, checkPairs, checkRollups, checkSides } from './check-sides.ts';
import { checkStatements } from './check-statements.ts';
import type { Difference } from './difference.ts';
import {
  addInvalidCounts,
  checkInvalidRollups,
  checkInvalidSides,
  type InvalidCounts,
  type InvalidRollupSums,
} from './invalid-sums.ts';
import { LedgerSums } from './ledger-sums.ts';
import { addMoney, type MoneySum, noMoney } from './money-sum.ts';
import type { DeletedSandboxData } from './sandbox-gone.ts';
import { readWholeDays } from './whole-days.ts';

/** The scope of an audit, and all that it found. */
export interface Audit {
  readonly stretch: AuditPeriod;
  readonly ledgers: number;
  readonly tallies: number;
  readonly statements: number;
  readonly budgets: number;
  readonly differences: readonly Difference[];
  /**
   * Differences that follow from messages which an operator has discarded: they are reported for ever, and are no
   * errors.
   */
  readonly accepted: readonly AcceptedDifference[];
}

type AuditedStore = Pick<StateStore, 'load' | 'scan' | 'find' | 'deadLetters'>;

/**
 * Recomputes from the ledgers everything else that the exchange says about money, and reports every difference. The
 * audit writes nothing. The books must be complete up to `stretch.toMs`; later figures are left out, so that a running
 * exchange can be audited.
 */
export async function auditBooks(store: AuditedStore, period: AuditPeriod): Promise<Audit> {
  // Settlements and closed months are read before the ledgers, so that the ledgers hold them.
  const closed = await readClosedMonths(store);
  const before = await readBudgets(store);
  const holders = await readHolders(store);
  const spent = new BudgetSpend(before);
  const sums = new LedgerSums(period, spent);
  for await (const day of readWholeDays(store)) sums.take(day);
  const deadLetters = await moneyDeadLetters(store);
  const { sources, gone } = await readSources(store, period);
  const tallies = await sumRollups(store, period, sums.livePlatformDays);
  const adjusted = await AdjustedTrades.read(store);
  const statements = await checkStatements(store, { stretch: period, sums, closed, deadLetters, sources, adjusted });
  const { archivedBefore } = statements;
  const { spentBySaleDay } = sums;
  const after = await readBudgets(store);
  const discarded = await discardedMoney(store);
  const found = [
    ...checkSides(sums, gone),
    ...checkPairs(sums, gone),
    ...sums.differences,
    ...checkCampaigns(sums, await readCampaigns(store), gone),
    ...checkRollups(sums, tallies, gone),
    ...checkInvalidSides(sums.invalid, gone),
    ...checkInvalidRollups(sums.invalidDays, tallies.invalid, tallies.isArchived, gone),
    ...adjusted.check(sums, period, archivedBefore),
    ...statements.differences,
    ...checkBudgets({ before, after, holders, spent, spentBySaleDay, deadLetters, archivedBefore }),
    ...(await checkParked(store, period)),
  ];
  const { differences, accepted } = acceptDiscarded(found, discarded);
  return {
    stretch: period,
    ledgers: sums.count,
    tallies: tallies.count,
    statements: statements.count,
    budgets: before.size,
    differences,
    accepted: [...nameDiscarded(discarded, period), ...accepted],
  };
}

/** Publishers and demand sources as `<scope>:<id>`, and the parts of their sandbox that may be deleted. */
async function readSources(store: AuditedStore, { toMs }: AuditPeriod) {
  const sources = new Set<string>();
  const reset = new Set<string>();
  for (const kind of [publisher.kind, dsp.kind]) {
    for await (const { id, deleted, state } of store.scan(kind)) {
      if (!deleted) sources.add(`${kind}:${id}`);
      if (((state as { sandboxGeneration?: number } | null)?.sandboxGeneration ?? 0) > 0) reset.add(`${kind}:${id}`);
    }
  }
  const nowMs = Math.max(toMs, await readWatermark({ store }));
  const gone: DeletedSandboxData = { reset, before: utcDay(nowMs - SANDBOX_KEEP_DAYS * DAY_MS) };
  return { sources, gone };
}

/**
 * The rollups of a day without any were archived when earlier ones were too, or when live ledgers of the platform were:
 * those of the sandbox stay for as long as they are kept.
 */
async function sumRollups(store: AuditedStore, period: AuditPeriod, livePlatformDays: ReadonlySet<string>) {
  const days = new Map<string, MoneySum>();
  const invalid = new Map<string, InvalidRollupSums>();
  let count = 0;
  let since = '9999-12-31';
  for await (const { id, deleted, state } of store.scan(impressionRollup.kind)) {
    const day = id.slice(id.indexOf(':') + 1);
    if (!deleted && day < since) since = day;
    if (deleted || !holdsDay(period, day)) continue;
    count += 1;
    const sum = days.get(day) ?? noMoney();
    days.set(day, sum);
    const { day: tallied } = state as ImpressionRollupState;
    addMoney(sum, tallied);
    const others = invalid.get(day);
    const counts: InvalidCounts = others?.counts ?? new Map();
    addInvalidCounts(counts, tallied.invalid ?? {});
    const taken = (others?.taken ?? 0) + acceptedIdsOf(tallied);
    invalid.set(day, { counts, impressions: sum.impressions, taken });
  }
  const isArchived = (day: string) => day < since || !(days.has(day) || livePlatformDays.has(day));
  return { days, count, isArchived, invalid };
}

async function readCampaigns(store: AuditedStore): Promise<Campaigns> {
  const dspOf = new Map<string, string>();
  for await (const { id, deleted, state } of store.scan(campaign.kind)) {
    if (!deleted) dspOf.set(id, (state as { dspId: string }).dspId);
  }
  const delegateFrom = new Map<string, string>();
  for await (const { id, deleted, state } of store.scan(dsp.kind)) {
    const { mode, createdAt, updatedAt } = state as DspState;
    if (deleted || mode !== 'delegate') continue;
    // The source became a delegate at its last change at the latest; impressions that it bought before may be rendered
    // for a day.
    delegateFrom.set(id, createdAt === updatedAt ? '' : utcDay(Date.parse(updatedAt) + 2 * DAY_MS));
  }
  return { dspOf, delegateFrom };
}

/** Reports money that is in no books, or in those of one side alone. */
async function checkParked(store: AuditedStore, period: AuditPeriod): Promise<Difference[]> {
  const parked = await parkedMoney(store, period.toMs);
  return parked
    .filter(({ month }) => touchesMonth(period, month))
    .map(({ month, deadLetterId, what }) => ({
      check: 'nothing is parked',
      where: month,
      expected: 'in the books',
      found: `${what} (${deadLetterId})`,
    }));
}

/** Names money that is in no books, or in those of one side alone, by the decision of an operator. */
function nameDiscarded(discarded: readonly DiscardedMoney[], period: AuditPeriod): AcceptedDifference[] {
  return discarded
    .filter(({ month }) => touchesMonth(period, month))
    .map(({ month, lacking, grossNanos, decision }) => ({
      check: 'nothing is discarded',
      where: month,
      expected: 'in the books',
      found: `${lacking}, gross ${grossNanos}`,
      accepted: decision,
    }));
}

function touchesMonth({ fromMs, toMs }: AuditPeriod, month: string): boolean {
  const window = reportWindowOfMonth(month);
  return window !== null && window.fromMs < toMs && window.toMs > fromMs;
}
