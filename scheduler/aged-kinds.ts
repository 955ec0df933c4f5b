import { auctionRecord } from '../actors/auction-record/auction-record.ts';
import { lowestRecordId } from '../actors/auction-record/record-id.ts';
import { auditChain } from '../actors/audit-chain/audit-chain.ts';
import { auditEntry } from '../actors/audit-entry/audit-entry.ts';
import { lowestEntryId } from '../actors/audit-entry/entry-id.ts';
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
  /** The path below the state that says how old a document is, by which the kind should be indexed. */
  readonly path: string;
  /** Holds for what is from before an instant, ms since the epoch. */
  readonly isBefore: (atMs: number) => Condition;
}

/** Ids are `<series>:<what sorts by time>`: nothing has to be indexed. */
export interface AgeById {
  readonly seriesOf: (id: string) => string;
  /** Sorts behind all ids of the series that are from before an instant, ms since the epoch, and before its others. */
  readonly from: (series: string, atMs: number) => string;
}

/** A kind whose documents are worth nothing after a time. */
export interface AgedKind {
  /** Without views: a replica that has heard of an actor takes what begins anew for old (decision 0028). */
  readonly of: AnyActorDefinition;
  readonly age: AgeByPath | AgeById;
  readonly keepDays: number;
  /** Whether its tombstones go too, so long after the actor was deleted. */
  readonly tombstones?: true;
}

/** The sandbox trades nothing: its books serve the reports of a quarter. */
export const SANDBOX_KEEP_DAYS = 100;

/** Ten years, in days. */
export const AUDIT_KEEP_DAYS = 3_653;

/**
 * What is deleted for good, and when: a line each. Nothing here is money that was traded; live ledgers are archived before they
 * go (archive-ledgers.ts).
 */
export const AGED_KINDS: readonly AgedKind[] = [
  // Who changed what is asked for after years: as long as books are kept by most laws.
  {
    of: auditEntry,
    age: { path: 'key', isBefore: (atMs) => ({ lt: lowestEntryId(atMs - (atMs % DAY_MS)) }) },
    keepDays: AUDIT_KEEP_DAYS,
  },
  // The same days, whole.
  { of: auditChain, age: { path: 'day', isBefore: (atMs) => ({ lt: utcDay(atMs) }) }, keepDays: AUDIT_KEEP_DAYS },
  // A feed reads seven days back; a page more than that is never asked for again.
  { of: feedPage, age: { seriesOf: feedIdOfPage, from: lowestPageId }, keepDays: 8 },
  { of: auctionRecord, age: { path: 'key', isBefore: (atMs) => ({ lt: lowestRecordId(atMs) }) }, keepDays: 3 },
  { of: webhookDelivery, age: { path: 'openedAtMs', isBefore: (atMs) => ({ lt: atMs }) }, keepDays: 30 },
  // Ended after a day without use, whether anybody has said so or not.
  { of: session, age: { path: 'lastSeenAtMs', isBefore: (atMs) => ({ lt: atMs }) }, keepDays: 7, tombstones: true },
  // Whoever was invited and never came is forgotten.
  { of: invitation, age: { path: 'expiresAtMs', isBefore: (atMs) => ({ lt: atMs }) }, keepDays: 7 },
  {
    of: ledger,
    age: { path: 'filedUnder', isBefore: (atMs) => ({ gte: 'sandbox/', lt: `sandbox/${utcDay(atMs)}` }) },
    keepDays: SANDBOX_KEEP_DAYS,
  },
];
