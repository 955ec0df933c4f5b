import { auctionRecord } from '../actors/auction-record/auction-record.ts';
import { lowestRecordId } from '../actors/auction-record/record-id.ts';
import { auditChain } from '../actors/audit-chain/audit-chain.ts';
import { auditEntry } from '../actors/audit-entry/audit-entry.ts';
import { lowestEntryId } from '../actors/audit-entry/entry-id.ts';
import { facts } from '../actors/facts/facts.ts';
import { feedPage } from '../actors/feed-page/feed-page.ts';
import { feedIdOfPage, lowestPageId } from '../actors/feed-page/feed-page-id.ts';
import { invitation } from '../actors/invitation/invitation.ts';
import { ledger } from '../actors/ledger/ledger.ts';
import { DAY_MS, utcDay } from '../actors/ledger/ledger-id.ts';
import { session } from '../actors/session/session.ts';
import { webhookDelivery } from '../actors/webhook-delivery/webhook-delivery.ts';
import type { AnyActorDefinition } from '../runtime/actor/define-actor.ts';
import type { Condition } from '../runtime/ports/store.ts';

export interface AgeByPath {
  /** The path below the state that holds a document's age; the kind should be indexed by it. */
  readonly path: string;
  /** The condition that matches documents from before an instant, ms since the epoch. */
  readonly isBefore: (atMs: number) => Condition;
}

/** Age by ids that sort by time: no index is needed. */
export interface AgeByTimedId {
  /** Returns an id that sorts after all ids from before an instant (ms since the epoch), and before the others. */
  readonly below: (atMs: number) => string;
}

/** Age by id: ids are `<series>:<text that sorts by time>`, and no index is needed. */
export interface AgeById {
  readonly seriesOf: (id: string) => string;
  /**
   * Returns an id that sorts after all ids of the series from before an instant (ms since the epoch), and before its
   * others.
   */
  readonly from: (series: string, atMs: number) => string;
}

/** A kind whose documents are deleted at an age. */
export interface AgedKind {
  /**
   * The kind, which must have no projections: a replica that knows of an actor would take one that begins anew for an
   * old state (decision 0028).
   */
  readonly of: AnyActorDefinition;
  readonly age: AgeByPath | AgeById | AgeByTimedId;
  readonly keepDays: number;
  /** True when the tombstones are deleted too, the same number of days after the actor was deleted. */
  readonly tombstones?: true;
}

/** The days for which sandbox books are kept: no money is traded there, and its reports span a quarter. */
export const SANDBOX_KEEP_DAYS = 100;

/** Ten years, in days. */
export const AUDIT_KEEP_DAYS = 3_653;

/**
 * The retention table: which kinds are deleted at which age. No kind here holds traded money; live ledgers are archived
 * before they are deleted (archive-ledgers.ts).
 */
export const AGED_KINDS: readonly AgedKind[] = [
  // Questions about changes come up years later: entries are kept as long as most laws require books to be kept.
  {
    of: auditEntry,
    age: { below: (atMs) => lowestEntryId(atMs - (atMs % DAY_MS)) },
    keepDays: AUDIT_KEEP_DAYS,
  },
  // The chains of the same days are kept with them.
  { of: auditChain, age: { path: 'day', isBefore: (atMs) => ({ lt: utcDay(atMs) }) }, keepDays: AUDIT_KEEP_DAYS },
  // A feed reads seven days back; an older page is never read again.
  { of: feedPage, age: { seriesOf: feedIdOfPage, from: lowestPageId }, keepDays: 8 },
  { of: auctionRecord, age: { below: lowestRecordId }, keepDays: 3 },
  { of: webhookDelivery, age: { path: 'openedAtMs', isBefore: (atMs) => ({ lt: atMs }) }, keepDays: 30 },
  // A session ends after a day without use, with or without a message that ends it.
  { of: session, age: { path: 'lastSeenAtMs', isBefore: (atMs) => ({ lt: atMs }) }, keepDays: 7, tombstones: true },
  // An invitation that was never accepted is deleted.
  { of: invitation, age: { path: 'expiresAtMs', isBefore: (atMs) => ({ lt: atMs }) }, keepDays: 7 },
  ...[ledger, facts].map((of) => ({
    of,
    age: {
      path: 'filedUnder',
      isBefore: (atMs: number) => ({ gte: 'sandbox/', lt: `sandbox/${utcDay(atMs)}` }),
    },
    keepDays: SANDBOX_KEEP_DAYS,
  })),
];
