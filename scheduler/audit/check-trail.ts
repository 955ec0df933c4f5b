import { type AuditChain, auditChain } from '../../actors/audit-chain/audit-chain.ts';
import { chainIdOf, dayOfChain, dayOfKey, linkHash } from '../../actors/audit-chain/chain-link.ts';
import { type AuditEntry, auditEntry } from '../../actors/audit-entry/audit-entry.ts';
import { lowestEntryId } from '../../actors/audit-entry/entry-id.ts';
import { DAY_MS } from '../../actors/ledger/ledger-id.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { AUDIT_KEEP_DAYS } from '../aged-kinds.ts';
import { type AuditPeriod, holdsDay } from './audit-period.ts';
import type { Difference } from './difference.ts';

type TrailStore = Pick<StateStore, 'query' | 'scan'>;

export interface CheckedTrail {
  readonly entries: number;
  readonly chains: number;
  readonly differences: readonly Difference[];
}

/** One place in a chain, as an entry claims it. */
interface Place {
  readonly key: string;
  readonly index: number;
  readonly previous: string;
  readonly hash: string;
}

const PAGE = 500;

/**
 * Recomputes the chains of the audit trail from its entries, for the whole days of a stretch, and reports each entry
 * that was altered, removed, inserted or moved. The check holds one day in memory. A writer with access to the whole
 * store can write everything anew; the roots of days that were noted elsewhere reveal that: see
 * audit-chain/daily-root.ts.
 */
export async function checkTrail(
  store: TrailStore,
  { fromMs, toMs }: AuditPeriod,
  nowMs: number,
): Promise<CheckedTrail> {
  // The oldest days may be half deleted.
  const period = { fromMs: Math.max(fromMs, nowMs - (AUDIT_KEEP_DAYS - 1) * DAY_MS), toMs };
  // The chains are read before the entries: by then the entries that a chain of a past day has counted are written.
  const chains = new Map<string, AuditChain>();
  for await (const { id, deleted, state } of store.scan(auditChain.kind)) {
    if (!deleted && holdsDay(period, dayOfChain(id))) chains.set(id, state as AuditChain);
  }
  const found: Difference[] = [];
  const checked = chains.size;
  /** No entry can have been written for later than this. */
  const future = lowestEntryId(nowMs + DAY_MS);
  let entries = 0;
  let day = '';
  let places = new Map<string, Place[]>();
  const endDay = () => {
    for (const [chain, of] of places) {
      found.push(...checkChain(chain, chains.get(chain), of));
      chains.delete(chain);
    }
    places = new Map();
  };
  for await (const { id, state } of entriesFrom(store, period.fromMs)) {
    const entry = state as AuditEntry;
    const ofDay = dayOfKey(entry.key);
    const chain = chainIdOf(entry);
    if (ofDay !== '' && entry.key < future && !holdsDay(period, ofDay)) continue;
    entries += 1;
    if (ofDay !== day) endDay();
    day = ofDay;
    const of = places.get(chain) ?? [];
    places.set(chain, of);
    found.push(...checkEntry(id, entry, of));
  }
  endDay();
  // The remaining chains have no entry at all.
  for (const [chain, state] of chains) found.push(...checkChain(chain, state, []));
  return { entries, chains: checked, differences: found };
}

/** The entries in the order of their keys; entries without a valid key, which sort after all times, are included. */
async function* entriesFrom(store: TrailStore, fromMs: number) {
  for (let after = lowestEntryId(fromMs); ; ) {
    const where = { key: { gte: after } };
    const { documents } = await store.query(auditEntry.kind, { where, orderBy: 'key', limit: PAGE });
    yield* documents;
    if (documents.length < PAGE) return;
    after = `${(documents.at(-1)!.state as AuditEntry).key}\u0000`;
  }
}

/** Checks an entry by itself: its text is the text that its place in the chain was given for. */
function checkEntry(id: string, entry: AuditEntry, places: Place[]): Difference[] {
  const { key, links } = entry;
  const differences: Difference[] = [];
  if (id !== key) differences.push(differ('audit entries are under their keys', id, id, key));
  const isIn = chainIdOf(entry);
  if (entry.chain !== isIn) differences.push(differ('audit entries are in their chains', key, isIn, entry.chain));
  if (links.length === 0) differences.push(differ('no audit entry is inserted', key, 'none', 'an entry of no place'));
  for (const { index, previous, hash } of links) {
    places.push({ key, index, previous, hash });
    const computed = linkHash(index, previous, entry);
    if (computed !== hash) differences.push(differ('audit entries are unaltered', key, hash, computed));
  }
  return differences;
}

/** Checks the places of one chain: each exists once and follows the one before it, up to the head. */
function checkChain(chain: string, state: AuditChain | undefined, places: readonly Place[]): Difference[] {
  const { count, head } = state ?? auditChain.initial(chain);
  const differences: Difference[] = [];
  let last = null as Place | null;
  let next = 0;
  const missing = (until: number) => {
    if (next >= until) return;
    const found = last === null ? 'none before' : `none after ${last.key}`;
    const which = until - next === 1 ? `entry ${next}` : `entries ${next} to ${until - 1}`;
    differences.push(differ('no audit entry is removed', chain, which, found));
  };
  for (const place of [...places].sort((a, b) => a.index - b.index)) {
    const { key, index, previous, hash } = place;
    if (index >= count || index < next) {
      const of = index >= count ? `entry ${index} of ${count}` : `another entry ${index}`;
      differences.push(differ('no audit entry is inserted', key, 'none', `${of} of ${chain}`));
      continue;
    }
    missing(index);
    const before: string | null = last?.index === index - 1 ? last.hash : index === 0 ? '' : null;
    if (before !== null && previous !== before) {
      differences.push(differ('audit entries follow each other', key, `after ${before}`, `after ${previous}`));
    }
    last = { key, index, previous, hash };
    next = index + 1;
  }
  missing(count);
  if (last !== null && next === count && last.hash !== head) {
    differences.push(differ('audit chains end in their heads', `${chain}, ${last.key}`, head, last.hash));
  }
  return differences;
}

function differ(check: string, where: string, expected: string, found: string): Difference {
  return { check, where, expected, found };
}

/** The UTC day before the day of an instant. */
export function dayBefore(atMs: number): string {
  return new Date(atMs - DAY_MS).toISOString().slice(0, '2026-03-30'.length);
}
