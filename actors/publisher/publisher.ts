import { packDomains } from '../../exchange/packed-domains.ts';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { projectionOf } from '../field-table.ts';
import { type PublisherProjection, publisherFields } from './fields.ts';
import { publisherMessages } from './messages.ts';
import { noPublisher, PublisherState, publisherHandlers } from './reduce.ts';

/** A supply source: an app, a CTV app or a web site. Id: a UUID. */
export const publisher = defineActor({
  kind: 'publisher',
  schemaVersion: 4,
  saving: 'eager',
  audit: { none: { 'flush-sandbox': 'A reset of the sandbox is one entry, which its route makes.' } },
  state: PublisherState,
  messages: publisherMessages,
  initial: () => noPublisher,
  // Version 3 had no identities, and required no key.
  upgrade: (state) => ({
    identities: [],
    requireKey: false,
    ...(state as Omit<PublisherState, 'identities' | 'requireKey'>),
  }),
  handlers: publisherHandlers,
  projection: publisherView,
  compactProjection: packedPublisher,
  indexes: ['accountId', 'createdAt', 'poolId', 'sourceKey.id', 'status', 'fillRateAlertThreshold'],
});

function publisherView(state: PublisherState, id: string): PublisherProjection | null {
  const { status, blockedDomains, sourceKey } = state;
  if (status === 'absent') return null;
  return {
    id,
    ...projectionOf(publisherFields, state),
    status,
    blockedDomains,
    identities: declared(state),
    sourceKeyId: sourceKey?.id ?? null,
  };
}

/** The names that requests may use beside the domain that the source was created with. */
function declared({ developerDomain, identities }: PublisherState): readonly string[] {
  return developerDomain === null ? identities : [developerDomain, ...identities];
}

/** The projection in the form that replicas hold: an archived source shows nothing, and blocks nothing any more. */
export function packedPublisher(projection: PublisherProjection): PublisherProjection {
  const { blockedDomains } = projection;
  if (projection.status === 'archived')
    return { ...projection, blockedCategories: [], blockedDomains: packDomains([]) };
  return Array.isArray(blockedDomains) ? { ...projection, blockedDomains: packDomains(blockedDomains) } : projection;
}
