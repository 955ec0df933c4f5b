import { dsp } from '#actors/dsp/dsp';
import { DAY_MS } from '#actors/ledger/ledger-id';
import { readLedgerPages } from '#actors/ledger/read-ledgers';
import type { LedgerOwner, ReportWindow } from '#actors/ledger/report/period';
import type { LedgerPages } from '#actors/ledger/report/sum-ledgers';
import { publisher } from '#actors/publisher/publisher';
import type { StateStore } from '#runtime/ports/store';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import { ownSourcesWhere } from '../sources-where.ts';
import { ledgerOwners } from './load-ledgers.ts';

/** The ledgers of a scope: of what was sold, and of the demand sources that were asked for it. */
export interface ScopeLedgers {
  /** The ledgers of publishers, one per day of each publisher or of their account. */
  readonly supply: readonly LedgerPages[];
  /** The ledgers of DSPs, for the days on which the account has no ledger of its own. */
  readonly demand: readonly LedgerPages[];
}

/**
 * Resolves with the first day on which accounts have complete ledgers of their own, in ms since the epoch. In a new
 * exchange it is the first day, otherwise the midnight after the first start of the release that introduced these
 * ledgers. The value is set once, for all processes.
 */
export async function initAccountLedgersFromMs(store: StateStore, nowMs: number): Promise<number> {
  const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const { total } = await store.query(publisher.kind, { limit: 1 });
  const fromMs = total === 0 ? todayMs : todayMs + DAY_MS;
  return Number(await store.putIfAbsent('account-books-from', String(fromMs)));
}

/**
 * Loads the ledgers of all sources in the caller's scope. The live ledgers of an account are kept summed, one for each
 * day, so that reading them costs the same for ten sources as for ten thousand. Three sorts are summed here, source by
 * source: the ledgers of a partner, those of the sandbox, where each source is flushed separately, and those of the
 * days before accounts had ledgers.
 */
export async function loadScopeLedgers(
  deps: ManagementDeps,
  caller: Caller,
  window: ReportWindow,
): Promise<ScopeLedgers> {
  const { fromMs, toMs } = window;
  const summed = !caller.sandbox && caller.partnerId === null;
  const accountFromMs = summed ? Math.max(fromMs, deps.accountLedgersFromMs) : toMs;
  const own: LedgerOwner = { scope: 'account', id: caller.accountId, sandbox: false };
  const ofSources = (kind: 'publisher' | 'dsp') =>
    accountFromMs > fromMs ? loadSources(deps, caller, kind, { ...window, toMs: Math.min(accountFromMs, toMs) }) : [];
  const [account, supply, demand] = await Promise.all([
    accountFromMs < toMs ? readLedgerPages(deps.store, [own], { ...window, fromMs: accountFromMs }) : [],
    ofSources('publisher'),
    ofSources('dsp'),
  ]);
  return { supply: [...supply, ...account], demand };
}

/**
 * Loads the ledgers of all sources, also of archived ones and of those that have left the environment, since their past
 * figures stay there.
 */
async function loadSources(
  deps: ManagementDeps,
  caller: Caller,
  scope: 'publisher' | 'dsp',
  window: ReportWindow,
): Promise<LedgerPages[]> {
  const kind = scope === 'publisher' ? publisher.kind : dsp.kind;
  const { documents } = await deps.store.query(kind, { where: ownSourcesWhere(caller) });
  const sources = ledgerOwners(scope, documents, caller.sandbox);
  return readLedgerPages(deps.store, sources, window);
}
