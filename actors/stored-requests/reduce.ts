import Type, { type Static } from 'typebox';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { reject } from '../../runtime/actor/rejection.ts';
import { isInScope, notFound } from '../account/scope.ts';
import { StoredKind, storedRequestsMessages } from './messages.ts';

/** The most documents of a supply source, since every edge holds them in memory. */
export const MOST_STORED = 200;
/** The most characters of one document, as JSON. */
export const LONGEST_STORED = 32_768;
/** The most characters of all documents of a supply source together, as JSON. */
export const MOST_STORED_CHARACTERS = 262_144;

const StoredDocument = Type.Object({
  kind: StoredKind,
  name: Type.String(),
  document: Type.Record(Type.String(), Type.Unknown()),
  /** ISO 8601, UTC. */
  updatedAt: Type.String(),
});
export type StoredDocument = Static<typeof StoredDocument>;

export const StoredRequestsState = Type.Object({
  accountId: Type.String(),
  partnerId: Type.Union([Type.String(), Type.Null()]),
  sandbox: Type.Boolean(),
  /** In the order of kind and name. */
  documents: Type.Array(StoredDocument),
});
export type StoredRequestsState = Static<typeof StoredRequestsState>;

/** What edges hold: the documents of a supply source by their names. */
export interface StoredRequestsProjection {
  readonly requests: Readonly<Record<string, object>>;
  readonly imps: Readonly<Record<string, object>>;
}

export const noStoredRequests: StoredRequestsState = { accountId: '', partnerId: null, sandbox: false, documents: [] };

export const storedRequestsHandlers = handlersOf(StoredRequestsState, storedRequestsMessages, {
  put(state, { scope, owner, kind, name, document }, { nowMs }) {
    if (!isInScope(scope, owner)) return notFound('The supply source');
    const stored: StoredDocument = { kind, name, document, updatedAt: new Date(nowMs).toISOString() };
    const others = state.documents.filter((other) => !isNamed(other, stored));
    const created = others.length === state.documents.length;
    const documents = [...others, stored].sort(byName);
    if (documents.length > MOST_STORED)
      return reject('QUOTA_EXCEEDED', `A supply source has at most ${MOST_STORED} stored requests and imps.`);
    if (JSON.stringify(documents.map((each) => each.document)).length > MOST_STORED_CHARACTERS)
      return reject('QUOTA_EXCEEDED', `A supply source stores at most ${MOST_STORED_CHARACTERS} characters of JSON.`);
    return { state: { ...owner, documents }, reply: { stored, created } };
  },
  remove(state, { scope, kind, name }) {
    const documents = state.documents.filter((other) => !isNamed(other, { kind, name }));
    if (!isInScope(scope, state) || documents.length === state.documents.length) return notFound('The stored document');
    return { state: documents.length === 0 ? null : { ...state, documents }, reply: null };
  },
});

type Named = Pick<StoredDocument, 'kind' | 'name'>;

function isNamed(one: Named, other: Named): boolean {
  return one.kind === other.kind && one.name === other.name;
}

function byName(one: Named, other: Named): number {
  const [a, b] = [`${one.kind} ${one.name}`, `${other.kind} ${other.name}`];
  return a < b ? -1 : a > b ? 1 : 0;
}

export function storedRequestsProjection({ documents }: StoredRequestsState): StoredRequestsProjection | null {
  if (documents.length === 0) return null;
  const named = (wanted: StoredDocument['kind']) =>
    Object.fromEntries(documents.flatMap(({ kind, name, document }) => (kind === wanted ? [[name, document]] : [])));
  return { requests: named('request'), imps: named('imp') };
}
