import { DEFAULT_BILLING_NOTICE } from '../../exchange/invalid-traffic/billing-notice.ts';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { publisherMessages } from './messages.ts';
import { noPublisher, PublisherState, publisherHandlers } from './reduce.ts';
import { heldPublisher, type PublisherView } from './view.ts';

/** A supply source: an app, a CTV app or a web site. Id: a UUID. */
export const publisher = defineActor({
  kind: 'publisher',
  schemaVersion: 4,
  saving: 'eager',
  state: PublisherState,
  messages: publisherMessages,
  initial: () => noPublisher,
  // Version 1 counted no revisions; version 2 knew no developers and no alerts, version 3 no identities.
  upgrade: (state) => ({ ...noPublisher, revision: 1, ...(state as Partial<PublisherState>) }),
  handlers: publisherHandlers,
  view: publisherView,
  held: heldPublisher,
  indexes: ['accountId', 'createdAt', 'poolId', 'sourceKey.id', 'status', 'fillRateAlertThreshold'],
});

function publisherView(state: PublisherState, id: string): PublisherView | null {
  if (state.status === 'absent') return null;
  return {
    id,
    accountId: state.accountId,
    partnerId: state.partnerId,
    name: state.name,
    domain: state.domain,
    type: state.type,
    status: state.status,
    poolId: state.poolId,
    floorCpmMicros: state.floorCpmMicros,
    contentGenre: state.contentGenre,
    feePpm: state.feePpm,
    blockedCategories: state.blockedCategories,
    blockedDomains: state.blockedDomains,
    sellerType: state.sellerType,
    billingNotice: state.billingNotice ?? DEFAULT_BILLING_NOTICE,
    confidential: state.confidential,
    identities: declared(state),
    requireKey: state.requireKey,
    sourceKeyId: state.sourceKey?.id ?? null,
    sandboxGeneration: state.sandboxGeneration,
  };
}

/** What requests may name beside the domain that it was created with. */
function declared({ developerDomain, identities }: PublisherState): readonly string[] {
  return developerDomain === null ? identities : [developerDomain, ...identities];
}
