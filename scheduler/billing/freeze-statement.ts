import { createHash } from 'node:crypto';
import { assembleDays, readLedgers } from '../../actors/ledger/read-ledgers.ts';
import { reportWindowOfMonth } from '../../actors/ledger/report/month.ts';
import type { StoredLedger } from '../../actors/ledger/report/sum-ledgers.ts';
import { canonicalLedgerText } from '../../actors/statement/canonical-text.ts';
import { statementFigures } from '../../actors/statement/figures.ts';
import type { StatementFigures } from '../../actors/statement/messages.ts';
import { type FrozenStatement, type StatementState, statement } from '../../actors/statement/statement.ts';
import { type StatementScope, statementId } from '../../actors/statement/statement-id.ts';
import { readAtWatermark } from '../../actors/watermark/read-watermark.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { StateReads, StateStore } from '../../runtime/ports/store.ts';
import { adjustmentsOf } from './adjustments.ts';
import { type ParkedMoney, parkedMoney, statementBlocker } from './parked-money.ts';

export interface BillingDeps {
  readonly store: Pick<StateStore, 'load' | 'page' | 'deadLetters' | 'after'>;
  readonly messenger: Pick<Messenger, 'ask'>;
}

/** The source of a statement. */
export interface StatementSource {
  readonly scope: StatementScope;
  readonly id: string;
  /** The fee, parts per million. A demand source pays it on top of its spend; for a publisher it is only stated. */
  readonly feePpm: number;
}

/**
 * The result of a freeze. `waitsFor` says, for people, why the statement cannot be frozen yet. `books` means that the
 * books will soon be complete by themselves.
 */
export type FreezeOutcome =
  | { readonly frozen: FrozenStatement }
  | { readonly frozen: null; readonly waitsFor: string; readonly books: boolean };

/**
 * Freezes the statement of a month that is over, once the books of that month are complete: the watermark has passed
 * its end, and no message that moves this source's money in it is parked. A second caller gets what the first has
 * frozen.
 */
export async function freezeStatement(
  deps: BillingDeps,
  source: StatementSource,
  month: string,
): Promise<FreezeOutcome> {
  const id = statementId(source.scope, source.id, month);
  const [document] = await deps.store.load([{ kind: statement.kind, id }]);
  const { frozen = null } = (document?.state as StatementState | undefined) ?? {};
  if (frozen !== null) return { frozen };
  const { throughMs, store } = await readAtWatermark(deps.store);
  const incomplete = whyNotComplete(month, throughMs);
  if (incomplete !== null) return { frozen: null, waitsFor: incomplete, books: true };
  return freezeComplete({ ...deps, store }, source, month, await parkedMoney(store, throughMs));
}

/**
 * The same for a caller that knows that the watermark has passed the month's end, and what is parked; `store` is read
 * after the watermark.
 */
async function freezeComplete(
  deps: { readonly store: Pick<StateReads, 'load' | 'page'> } & Pick<BillingDeps, 'messenger'>,
  source: StatementSource,
  month: string,
  parked: readonly ParkedMoney[],
): Promise<FreezeOutcome> {
  const held = statementBlocker(parked, source, month);
  if (held !== null) return { frozen: null, waitsFor: held, books: false };
  return { frozen: await freezeFigures(deps, source, await readFigures(deps.store, source, month)) };
}

/** The figures of a complete month, from its ledgers and adjustments as they are after the watermark. */
export async function readFigures(
  store: Pick<StateReads, 'load' | 'page'>,
  source: StatementSource,
  month: string,
): Promise<StatementFigures> {
  const ledgers = await loadMonth(store, source, month);
  const adjustments = await adjustmentsOf(store, source, month);
  return {
    ...statementFigures(source.scope, month, ledgers, source.feePpm, adjustments),
    pagesSha256: sha256(canonicalLedgerText(ledgers)),
  };
}

/** Freezes these figures, unless the statement was frozen before. */
export function freezeFigures(
  { messenger }: Pick<BillingDeps, 'messenger'>,
  { scope, id }: StatementSource,
  figures: StatementFigures,
): Promise<FrozenStatement> {
  return messenger.ask(statement, statementId(scope, id, figures.month), 'freeze', figures);
}

/** The reason why the watermark does not let a month be closed yet; null when it does. */
export function whyNotComplete(month: string, throughMs: number): string | null {
  const window = reportWindowOfMonth(month);
  if (window === null) throw new Error(`not a month: ${month}`);
  if (throughMs >= window.toMs) return null;
  return throughMs === 0
    ? `the books of ${month} are not known to be complete`
    : `the books are complete up to ${new Date(throughMs).toISOString()}, not to the end of ${month}`;
}

/** Loads the live ledgers of a source that exist for a month, one for each day, without their minutes. */
export async function loadMonth(
  store: Pick<StateStore, 'load'>,
  { scope, id }: Pick<StatementSource, 'scope' | 'id'>,
  month: string,
): Promise<StoredLedger[]> {
  const window = reportWindowOfMonth(month);
  if (window === null) throw new Error(`not a month: ${month}`);
  const { fromMs, toMs } = window;
  const stretch = { owner: { scope, id, sandbox: false }, fromMs, toMs };
  return assembleDays(await readLedgers(store, [stretch], ['hours', 'slots']));
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
