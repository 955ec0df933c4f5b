import { dsp } from '../../../../actors/dsp/dsp.ts';
import { DAY_MS } from '../../../../actors/ledger/ledger-id.ts';
import { type LedgerOwner, ledgerIdsBetween, type ReportWindow } from '../../../../actors/ledger/report/period.ts';
import type { LedgerPages } from '../../../../actors/ledger/report/sum-ledgers.ts';
import { publisher } from '../../../../actors/publisher/publisher.ts';
import type { StateStore } from '../../../../runtime/ports/store.ts';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import { ownSourcesWhere } from '../sources-where.ts';
import { ledgerOwners, loadPages } from './load-ledgers.ts';

/** What was sold and who was asked for it, in the books of a scope. */
export interface ScopeLedgers {
  /** Of publishers, day by day of each or of their account. */
  readonly supply: readonly LedgerPages[];
  /** Of DSPs, of the days of which the account has no books of its own. */
  readonly demand: readonly LedgerPages[];
}

/**
 * From which day on accounts have whole books of their own, ms since the epoch: in an exchange that is new from its first day, else
 * from the midnight after the release that began them first started. Settled once, for all processes.
 */
export async function initAccountLedgersFromMs(store: StateStore, nowMs: number): Promise<number> {
  const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const { total } = await store.query(publisher.kind, { limit: 1 });
  const fromMs = total === 0 ? todayMs : todayMs + DAY_MS;
  return Number(await store.putIfAbsent('account-books-from', String(fromMs)));
}

/**
 * The books of all sources that the caller's scope is of. An account's live ones are kept added up, one ledger for each day, so that
 * what they say costs the same for ten sources and for ten thousand. Those of a partner, those of the sandbox, where each
 * source is flushed by itself, and those of the days before accounts had books are added up here, source by source.
 */
export async function loadScopeLedgers(
  parts: ManagementDeps,
  caller: Caller,
  window: ReportWindow,
): Promise<ScopeLedgers> {
  const { fromMs, toMs } = window;
  const addedUp = !caller.sandbox && caller.partnerId === null;
  const accountFromMs = addedUp ? Math.max(fromMs, parts.accountLedgersFromMs) : toMs;
  const own: LedgerOwner = { scope: 'account', id: caller.accountId, sandbox: false };
  const ofSources = (kind: 'publisher' | 'dsp') =>
    accountFromMs > fromMs ? loadSources(parts, caller, kind, { ...window, toMs: Math.min(accountFromMs, toMs) }) : [];
  const [account, supply, demand] = await Promise.all([
    accountFromMs < toMs ? loadPages(parts, ledgerIdsBetween(own, accountFromMs, toMs), window) : [],
    ofSources('publisher'),
    ofSources('dsp'),
  ]);
  return { supply: [...supply, ...account], demand };
}

/** Of all sources, archived ones and those that have left the environment too: what they did there stays there. */
async function loadSources(
  parts: ManagementDeps,
  caller: Caller,
  scope: 'publisher' | 'dsp',
  window: ReportWindow,
): Promise<LedgerPages[]> {
  const kind = scope === 'publisher' ? publisher.kind : dsp.kind;
  const { documents } = await parts.store.query(kind, { where: ownSourcesWhere(caller) });
  const sources = ledgerOwners(scope, documents, caller.sandbox);
  const wanted = sources.flatMap((source) => ledgerIdsBetween(source, window.fromMs, window.toMs));
  return loadPages(parts, wanted, window);
}
