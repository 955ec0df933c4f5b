import type { Collection, Db } from 'mongodb';
import type { ActorDocument, CachedReply, OutboxMessage, ReceivedSequence } from '../../ports/store.ts';
import { type EncodedSize, escapeKey, fromRest, toRest } from './json-at-rest.ts';
import { collectionOf } from './names.ts';

/**
 * One actor as it is stored in its kind's collection. Maps by address or request are stored as lists, because any text
 * may be a key.
 */
export interface DocumentAtRest {
  readonly _id: string;
  readonly partition: number;
  readonly version: number;
  readonly writer: string;
  readonly position: string;
  readonly schema: number;
  readonly deleted: boolean;
  readonly state: unknown;
  readonly outbox: readonly OutboxMessage[];
  readonly viewPending: boolean;
  readonly received: readonly (ReceivedSequence & { readonly from: string })[];
  readonly replies: readonly (CachedReply & { readonly request: string })[];
  readonly published: string | null;
}

export function actorsOf(database: Db, kind: string): Collection<DocumentAtRest> {
  return database.collection(collectionOf(kind));
}

/**
 * The stored form of a document. It shares nothing with `document`, whose state may change while the save is under way.
 * Adds its approximate size to `size`.
 */
export function documentToRest(document: ActorDocument, size: EncodedSize = { bytes: 0 }): DocumentAtRest {
  return {
    _id: document.id,
    partition: document.partition,
    version: document.version,
    writer: document.writer,
    position: document.position,
    schema: document.schema,
    deleted: document.deleted,
    state: toRest(document.state, 0, size),
    outbox: document.outbox.map(({ to, type, body, sequence }) => ({
      to,
      type,
      body: toRest(body, 0, size),
      sequence,
    })),
    viewPending: document.viewPending,
    received: Object.entries(document.received).map(([from, { sequence, atMs }]) => ({ from, sequence, atMs })),
    replies: Object.entries(document.replies).map(([request, { payload, keepUntilMs }]) => ({
      request,
      payload: toRest(payload, 0, size),
      keepUntilMs,
    })),
    published: document.published,
  };
}

/** The MongoDB projection that reads only these fields of a document's state. */
export function projectionOf(fields: readonly string[]): Record<string, 1> {
  const kept = ['partition', 'version', 'writer', 'position', 'schema', 'deleted', 'viewPending', 'published'];
  return Object.fromEntries([...kept, ...fields.map((field) => `state.${escapeKey(field)}`)].map((path) => [path, 1]));
}

export function documentFromRest(kind: string, stored: DocumentAtRest): ActorDocument {
  return {
    kind,
    id: stored._id,
    partition: stored.partition,
    version: stored.version,
    writer: stored.writer,
    position: stored.position,
    schema: stored.schema,
    deleted: stored.deleted,
    // The state is absent when the document has none of the requested fields.
    state: stored.state === undefined && !stored.deleted ? {} : fromRest(stored.state ?? null),
    outbox: (stored.outbox ?? []).map(({ to, type, body, sequence }) => ({ to, type, body: fromRest(body), sequence })),
    viewPending: stored.viewPending,
    received: Object.fromEntries((stored.received ?? []).map(({ from, ...received }) => [from, received])),
    replies: Object.fromEntries(
      (stored.replies ?? []).map(({ request, payload, keepUntilMs }) => [
        request,
        { payload: fromRest(payload), keepUntilMs },
      ]),
    ),
    published: stored.published,
  };
}
