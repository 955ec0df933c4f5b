import Type, { type Static } from 'typebox';
import { Timestamp, Uuid } from '#actors/api-schemas';
import { StoredName } from '#actors/stored-requests/messages';
import type { StoredDocument as KeptDocument, StoredRequestsState } from '#actors/stored-requests/reduce';
import { storedRequests } from '#actors/stored-requests/stored-requests';
import type { ManagementDeps } from '../../deps.ts';

/** The two kinds of stored documents, as paths and descriptions name them. */
export const STORED = {
  request: {
    path: '/api/supply/sources/:id/stored-requests',
    one: 'stored request',
    many: 'stored requests',
    operation: 'StoredRequest',
    example: { name: 'home', document: { tmax: 800, ext: { prebid: { targeting: { pricegranularity: 'dense' } } } } },
  },
  imp: {
    path: '/api/supply/sources/:id/stored-imps',
    one: 'stored imp',
    many: 'stored imps',
    operation: 'StoredImp',
    example: {
      name: 'top-banner',
      document: { banner: { format: [{ w: 320, h: 50 }] }, ext: { prebid: { bidder: { adexchange: {} } } } },
    },
  },
} as const;

export type StoredKind = keyof typeof STORED;

export const Document = Type.Object(
  {},
  {
    description: 'An OpenRTB object with the extensions of Prebid Server, whole or in part.',
  },
);

export const StoredDocument = Type.Object(
  {
    name: Type.String({ description: 'By which requests refer to it: `ext.prebid.storedrequest.id`, or `tag_id`.' }),
    document: Document,
    updated_at: Timestamp,
  },
  { title: 'StoredDocument' },
);
export type StoredDocument = Static<typeof StoredDocument>;

export const StoredParams = Type.Object({ id: Uuid, stored_name: StoredName });

export function showStored({ name, document, updatedAt }: KeptDocument): StoredDocument {
  return { name, document, updated_at: updatedAt };
}

/** All that a supply source has stored of one kind, by name. */
export async function loadStored(
  { store }: Pick<ManagementDeps, 'store'>,
  id: string,
  kind: StoredKind,
): Promise<readonly KeptDocument[]> {
  const [found] = await store.load([{ kind: storedRequests.kind, id }]);
  const state = found && !found.deleted ? (found.state as StoredRequestsState) : null;
  return (state?.documents ?? []).filter((document) => document.kind === kind);
}
