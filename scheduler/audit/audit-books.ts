import { budget } from '../../actors/budget/budget.ts';
import { budgetHolder } from '../../actors/budget/budget-id.ts';
import type { BudgetState } from '../../actors/budget/state.ts';
import { campaign } from '../../actors/campaign/campaign.ts';
import { dsp } from '../../actors/dsp/dsp.ts';
import { ledger } from '../../actors/ledger/ledger.ts';
import { DAY_MS, utcDay } from '../../actors/ledger/ledger-id.ts';
import type { LedgerState } from '../../actors/ledger/reduce.ts';
import { windowOfMonth } from '../../actors/ledger/report/month.ts';
import { publisher } from '../../actors/publisher/publisher.ts';
import { statementFigures } from '../../actors/statement/figures.ts';
import { moneyPages } from '../../actors/statement/money-pages.ts';
import { type StatementState, statement } from '../../actors/statement/statement.ts';
import { readStatementId } from '../../actors/statement/statement-id.ts';
import type { TallyState } from '../../actors/tally/reduce.ts';
import { tally } from '../../actors/tally/tally.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { loadMonth, sha256 } from '../billing/freeze-statement.ts';
import { type DiscardedMoney, discardedMoney, parkedMoney } from '../billing/parked-money.ts';
import { booksThrough } from '../books/books-through.ts';
import { SANDBOX_KEEP_DAYS } from '../retention/aged-kinds.ts';
import { type AcceptedDifference, acceptDiscarded } from './accept-discarded.ts';
import { checkCampaigns, checkPairs, checkSides, checkTallies, type SandboxGone } from './check-sides.ts';
import type { Difference } from './difference.ts';
import { LedgerSums } from './ledger-sums.ts';
import { addMoney, type MoneySum, noMoney } from './money-sum.ts';
import { dayMs, holdsDay, type Stretch } from './stretch.ts';

/** What an audit has looked at, and all that it found. */
export interface Audit {
  readonly stretch: Stretch;
  readonly ledgers: number;
  readonly tallies: number;
  readonly statements: number;
  readonly budgets: number;
  readonly differences: readonly Difference[];
  /** What follows from messages that an operator has discarded: named for ever, and nothing is wrong. */
  readonly accepted: readonly AcceptedDifference[];
}

/** So long after a change some edge may sell by what was before, on what it takes for another day: its clock may be off too. */
const HEARD_WITHIN_MS = 600_000;

type AuditedStore = Pick<StateStore, 'load' | 'scan' | 'deadLetters'>;

/**
 * Recomputes from the ledgers whatever else the exchange says about money, and names every difference: nothing is written.
 * The books must be complete up to `stretch.toMs`; what is later is left alone, so that an exchange at work can be audited.
 */
export async function auditBooks(store: AuditedStore, stretch: Stretch): Promise<Audit> {
  const sums = new LedgerSums(stretch);
  for await (const { id, deleted, state } of store.scan(ledger.kind)) {
    if (!deleted) sums.take(id, state as LedgerState);
  }
  const gone = await sandboxGone(store, stretch);
  const tallies = await sumTallies(store, stretch);
  const statements = await checkStatements(store, stretch, sums.oldestLiveDay);
  const budgets = await checkBudgets(store, sums);
  const discarded = await discardedMoney(store);
  const found = [
    ...checkSides(sums, gone),
    ...checkPairs(sums, gone),
    ...sums.differences,
    ...checkCampaigns(sums, await dspsOf(store)),
    ...checkTallies(sums, tallies, gone),
    ...statements.differences,
    ...budgets.differences,
    ...(await checkParked(store, stretch)),
  ];
  const { differences, accepted } = acceptDiscarded(found, discarded);
  return {
    stretch,
    ledgers: sums.count,
    tallies: tallies.count,
    statements: statements.count,
    budgets: budgets.count,
    differences,
    accepted: [...nameDiscarded(discarded, stretch), ...accepted],
  };
}

async function sandboxGone(store: AuditedStore, { toMs }: Stretch): Promise<SandboxGone> {
  const reset = new Set<string>();
  for (const kind of [publisher.kind, dsp.kind]) {
    for await (const { id, state } of store.scan(kind)) {
      if (((state as { sandboxGeneration?: number } | null)?.sandboxGeneration ?? 0) > 0) reset.add(`${kind}:${id}`);
    }
  }
  const nowMs = Math.max(toMs, await booksThrough({ store }));
  return { reset, before: utcDay(nowMs - SANDBOX_KEEP_DAYS * DAY_MS) };
}

async function sumTallies(store: AuditedStore, stretch: Stretch) {
  const days = new Map<string, MoneySum>();
  let count = 0;
  let since = '9999-12-31';
  for await (const { id, deleted, state } of store.scan(tally.kind)) {
    const day = id.slice(id.indexOf(':') + 1);
    if (!deleted && day < since) since = day;
    if (deleted || !holdsDay(stretch, day)) continue;
    count += 1;
    const sum = days.get(day) ?? noMoney();
    days.set(day, sum);
    addMoney(sum, (state as TallyState).day);
  }
  return { days, count, since };
}

async function dspsOf(store: AuditedStore): Promise<ReadonlyMap<string, string>> {
  const dsps = new Map<string, string>();
  for await (const { id, deleted, state } of store.scan(campaign.kind)) {
    if (!deleted) dsps.set(id, (state as { dspId: string }).dspId);
  }
  return dsps;
}

/**
 * A frozen statement is what its ledgers come to, and the ledgers are those that it was frozen of. Of a month that begins
 * before the oldest ledger some may be archived; such a statement is left alone when fewer are there than it sums.
 */
async function checkStatements(store: AuditedStore, { fromMs, toMs }: Stretch, oldestLiveDay: string) {
  const differences: Difference[] = [];
  let count = 0;
  for await (const { id, deleted, state } of store.scan(statement.kind)) {
    const { frozen = null } = (state as StatementState | null) ?? {};
    if (deleted || frozen === null) continue;
    const { scope, whose, month } = readStatementId(id);
    const window = windowOfMonth(month);
    if (window === null || window.fromMs < fromMs || window.toMs > toMs) continue;
    const ledgers = await loadMonth(store, { scope, id: whose }, month);
    if (ledgers.length < frozen.ledgers && `${month}-01` < oldestLiveDay) continue;
    count += 1;
    const pagesSha256 = sha256(moneyPages(ledgers));
    const figures = { ...statementFigures(scope, month, ledgers, frozen.feePpm), pagesSha256 };
    for (const name of Object.keys(figures) as (keyof typeof figures)[]) {
      // An empty ledger that came later is none of the statement's.
      if (name === 'ledgers' || figures[name] === frozen[name]) continue;
      const [expected, found] = [`${name} ${figures[name]}`, `${name} ${frozen[name]}`];
      differences.push({ check: 'statements are what their ledgers come to', where: id, expected, found });
    }
  }
  return { count, differences };
}

/**
 * What was sold on a day comes to no more than the budget of that day. The day of the last change of its holder's settings, and days
 * before it, are left out: the budget may have been another. So is the day after a change shortly before midnight: an edge that had not
 * heard of it, or whose clock is fast, has sold on it by the older budget.
 */
async function checkBudgets(store: AuditedStore, { spentBySaleDay }: LedgerSums) {
  const differences: Difference[] = [];
  let count = 0;
  for await (const { id, deleted, state } of store.scan(budget.kind)) {
    const { limits } = (state as BudgetState | null) ?? { limits: null };
    const { scope, id: whose, sandbox } = budgetHolder(id);
    if (deleted || limits === null || limits.dailyNanos === 0 || sandbox) continue;
    count += 1;
    const kind = scope === 'dsp' ? dsp.kind : campaign.kind;
    const [holder] = await store.load([{ kind, id: whose }]);
    const { updatedAt = '' } = (holder?.state as { updatedAt?: string } | null | undefined) ?? {};
    const changedOn = updatedAt === '' ? '' : utcDay(Date.parse(updatedAt) + HEARD_WITHIN_MS);
    const holds = `${scope}:${whose}`;
    for (const [day, spentNanos] of spentBySaleDay.get(holds) ?? []) {
      if (limits.sinceMs > dayMs(day) || changedOn >= day || spentNanos <= BigInt(limits.dailyNanos)) continue;
      differences.push({
        check: 'budgets are kept',
        where: `${holds}, sold on ${day}`,
        expected: `at most ${limits.dailyNanos}`,
        found: String(spentNanos),
      });
    }
  }
  return { count, differences };
}

/** Money that is in no books, or on one side alone. */
async function checkParked(store: AuditedStore, stretch: Stretch): Promise<Difference[]> {
  const parked = await parkedMoney(store, stretch.toMs);
  return parked
    .filter(({ month }) => touchesMonth(stretch, month))
    .map(({ month, letterId, what }) => ({
      check: 'nothing is parked',
      where: month,
      expected: 'in the books',
      found: `${what} (${letterId})`,
    }));
}

/** Money that is in no books, or on one side alone, as an operator has decided. */
function nameDiscarded(discarded: readonly DiscardedMoney[], stretch: Stretch): AcceptedDifference[] {
  return discarded
    .filter(({ month }) => touchesMonth(stretch, month))
    .map(({ month, ledger, grossNanos, decision }) => ({
      check: 'nothing is discarded',
      where: month,
      expected: 'in the books',
      found: `${ledger === null ? 'an impression' : `totals of ${ledger.scope} ${ledger.whose}`}, gross ${grossNanos}`,
      accepted: decision,
    }));
}

function touchesMonth({ fromMs, toMs }: Stretch, month: string): boolean {
  const window = windowOfMonth(month);
  return window !== null && window.fromMs < toMs && window.toMs > fromMs;
}
