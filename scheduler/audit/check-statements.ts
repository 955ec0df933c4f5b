import { isDeepStrictEqual } from 'node:util';
import { reportWindowOfMonth } from '../../actors/ledger/report/month.ts';
import { adjustmentLines } from '../../actors/statement/adjustment-lines.ts';
import { canonicalLedgerText } from '../../actors/statement/canonical-text.ts';
import { statementFigures } from '../../actors/statement/figures.ts';
import type { StatementFigures } from '../../actors/statement/messages.ts';
import { type StatementState, statement } from '../../actors/statement/statement.ts';
import { parseStatementId, type StatementScope } from '../../actors/statement/statement-id.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import type { ClosedMonths } from '../billing/closed-months.ts';
import { loadMonth, sha256 } from '../billing/freeze-statement.ts';
import type { MoneyDeadLetter } from '../billing/parked-money.ts';
import type { AdjustedTrades } from './adjusted-trades.ts';
import type { AuditPeriod } from './audit-period.ts';
import type { Difference } from './difference.ts';
import type { LedgerSums } from './ledger-sums.ts';

/** The figures that statements are compared with. */
export interface StatementBooks {
  readonly stretch: AuditPeriod;
  readonly sums: LedgerSums;
  /** The closed months, whose statements must exist; read before the ledgers. */
  readonly closed: ClosedMonths | null;
  readonly deadLetters: readonly MoneyDeadLetter[];
  readonly adjusted: AdjustedTrades;
  /** The sources `publisher:<id>` and `dsp:<id>` whose statements are frozen. */
  readonly sources: ReadonlySet<string>;
}

export interface CheckedStatements {
  readonly differences: readonly Difference[];
  readonly count: number;
  /**
   * Ledgers from before this UTC day may be archived, because a statement sums more ledgers than there are; '' when no
   * statement does.
   */
  readonly archivedBefore: string;
}

/** The figures that a statement holds only where there are any. */
const OPTIONAL_FIGURES = ['invalid', 'adjustments', 'dueAfterCents'] as const;

interface SidesOfMonth {
  readonly publisher: { impressions: number; grossNanos: bigint };
  readonly dsp: { impressions: number; grossNanos: bigint };
}

/**
 * Checks that a frozen statement is the sum of its ledgers, and that the ledgers are those that it was frozen from.
 * Ledgers of a month that begins before the oldest ledger may be archived; such a statement is left out when there are
 * fewer ledgers than it sums.
 *
 * A closed month has a statement for each source that was billed, and publishers are paid for exactly what demand
 * sources owe; the latter shows a missing statement of archived months too.
 */
export async function checkStatements(
  store: Pick<StateStore, 'load' | 'scan'>,
  books: StatementBooks,
): Promise<CheckedStatements> {
  const { stretch, sums } = books;
  const differences: Difference[] = [];
  const frozenIds = new Set<string>();
  const months = new Map<string, SidesOfMonth>();
  let archivedBefore = '';
  let count = 0;
  for await (const { id, deleted, state } of store.scan(statement.kind)) {
    const { frozen = null } = (state as StatementState | null) ?? {};
    if (deleted || frozen === null) continue;
    const { scope, whose, month } = parseStatementId(id);
    const begunBefore = `${month}-01` < sums.oldestLiveDay;
    if (begunBefore && frozen.ledgers > (sums.ledgersOnStatement.get(id) ?? 0)) archivedBefore = sums.oldestLiveDay;
    if (!isWithin(stretch, month)) continue;
    frozenIds.add(id);
    addSide(months, month, scope, frozen);
    const ledgers = await loadMonth(store, { scope, id: whose }, month);
    if (ledgers.length < frozen.ledgers && begunBefore) continue;
    count += 1;
    const pagesSha256 = sha256(canonicalLedgerText(ledgers));
    const lines = adjustmentLines(books.adjusted.of(`${scope}:${whose}`), month);
    const figures: StatementFigures = { ...statementFigures(scope, month, ledgers, frozen.feePpm, lines), pagesSha256 };
    for (const name of new Set([...Object.keys(figures), ...OPTIONAL_FIGURES]) as Set<keyof StatementFigures>) {
      // The count of ledgers may differ: an empty ledger that was created later does not belong to the statement.
      if (name === 'ledgers' || isDeepStrictEqual(figures[name], frozen[name])) continue;
      const [expected, found] = [figures[name], frozen[name]].map((value) => `${name} ${textOf(value)}`) as [
        string,
        string,
      ];
      differences.push({ check: 'statements are what their ledgers come to', where: id, expected, found });
    }
  }
  differences.push(...missing(books, frozenIds), ...unbalanced(books, months));
  return { count, differences, archivedBefore };
}

function isWithin({ fromMs, toMs }: AuditPeriod, month: string): boolean {
  const window = reportWindowOfMonth(month);
  return window !== null && window.fromMs >= fromMs && window.toMs <= toMs;
}

function addSide(
  months: Map<string, SidesOfMonth>,
  month: string,
  scope: StatementScope,
  { impressions, grossNanos }: { readonly impressions: number; readonly grossNanos: string },
): void {
  const nothing = () => ({ impressions: 0, grossNanos: 0n });
  const sides = months.get(month) ?? { publisher: nothing(), dsp: nothing() };
  months.set(month, sides);
  sides[scope].impressions += impressions;
  sides[scope].grossNanos += BigInt(grossNanos);
}

/** A figure in the form that people read. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Checks that the job has frozen the statement of each source that was billed, except for those that a dead letter held
 * open at its last run.
 */
function missing(
  { stretch, sums, closed, deadLetters, sources, adjusted }: StatementBooks,
  frozenIds: ReadonlySet<string>,
) {
  const differences: Difference[] = [];
  const due = new Set([...sums.statementsDue, ...adjusted.statementsDue()]);
  for (const id of [...due].sort()) {
    const { scope, whose, month } = parseStatementId(id);
    const source = `${scope}:${whose}`;
    if (frozenIds.has(id) || !isWithin(stretch, month) || !isClosed(closed, month) || !sources.has(source)) continue;
    if (
      deadLetters.some(
        (deadLetter) => deadLetter.month === month && holds(deadLetter, closed!) && isOf(deadLetter, source),
      )
    )
      continue;
    const ranAt = new Date(closed!.ranAtMs).toISOString();
    const expected = `a frozen one: the job that freezes them was done at ${ranAt}`;
    differences.push({ check: 'closed months have their statements', where: id, expected, found: 'none' });
  }
  return differences;
}

function unbalanced({ sums, closed, deadLetters }: StatementBooks, months: ReadonlyMap<string, SidesOfMonth>) {
  const differences: Difference[] = [];
  for (const [month, { publisher, dsp }] of [...months].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const isArchived = reportWindowOfMonth(month)!.toMs <= Date.parse(`${sums.oldestLiveDay}T00:00:00Z`);
    if (!isArchived && !isClosed(closed, month)) continue;
    // Discarded totals are missing on one side for good.
    const isOneSided = (deadLetter: MoneyDeadLetter) =>
      deadLetter.ledger !== null || closed === null || holds(deadLetter, closed);
    if (deadLetters.some((deadLetter) => deadLetter.month === month && isOneSided(deadLetter))) continue;
    if (publisher.impressions === dsp.impressions && publisher.grossNanos === dsp.grossNanos) continue;
    differences.push({
      check: 'statements of publishers make those of demand sources',
      where: month,
      expected: `${publisher.impressions} impressions, gross ${publisher.grossNanos}`,
      found: `${dsp.impressions} impressions, gross ${dsp.grossNanos}`,
    });
  }
  return differences;
}

function isClosed(closed: ClosedMonths | null, month: string): closed is ClosedMonths {
  return closed !== null && month >= closed.first && month <= closed.last;
}

/** The watermark has a day in ms to pass the replay of a message; the next run freezes what that message held open. */
const PASSED_WITHIN_MS = 86_400_000;

function holds({ decidedAtMs }: MoneyDeadLetter, { ranAtMs }: ClosedMonths): boolean {
  return decidedAtMs === null || decidedAtMs + PASSED_WITHIN_MS > ranAtMs;
}

function isOf({ of }: MoneyDeadLetter, source: string): boolean {
  return of === null || of.has(source);
}
