import { campaign } from '../../actors/campaign/campaign.ts';
import { campaignActorId } from '../../actors/campaign/campaign-id.ts';
import { type CampaignState, noCampaign } from '../../actors/campaign/reduce.ts';
import { dsp } from '../../actors/dsp/dsp.ts';
import { type DspState, noDsp } from '../../actors/dsp/reduce.ts';
import { pool } from '../../actors/pool/pool.ts';
import { noPool, type PoolState } from '../../actors/pool/reduce.ts';
import { publisher } from '../../actors/publisher/publisher.ts';
import { noPublisher, type PublisherState } from '../../actors/publisher/reduce.ts';
import type { BiddingCampaign } from '../../exchange/strategy/bidding-campaign.ts';
import { firstAccountId } from '../../gateways/management/bootstrap/first-account.ts';
import type { ActorDocument, StateStore } from '../../runtime/ports/store.ts';

const AT_ONCE = 1_000;
const CREATED_AT = '2026-01-31T14:30:00.000Z';
const CREATIVE = '<a href="https://advertiser.example/"><img src="https://cdn.example/300x250.jpg" alt=""></a>';
const PREFIXES = { pool: 1, publisher: 2, dsp: 3 } as const;

export function idOf(of: keyof typeof PREFIXES, at: number): string {
  return `0000000${PREFIXES[of]}-0000-4000-8000-${String(at).padStart(12, '0')}`;
}

export function domainOf(publisherAt: number): string {
  return `site-${publisherAt}.example`;
}

/** Saves `count` documents as their actors would leave them. */
export async function saveAll(
  store: Pick<StateStore, 'save'>,
  count: number,
  documentAt: (at: number) => ActorDocument,
): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - from);
    await store.save(Array.from({ length }, (_, at) => documentAt(from + at)));
  }
}

export function poolDocument(at: number): ActorDocument {
  const state: PoolState = { ...noPool, accountId: firstAccountId, name: `Pool ${at}`, createdAt: CREATED_AT };
  return documentOf(pool, idOf('pool', at), state);
}

export function publisherDocument(at: number, poolAt: number): ActorDocument {
  const state: PublisherState = {
    ...noPublisher,
    accountId: firstAccountId,
    name: `Publisher ${at}`,
    domain: domainOf(at),
    type: 'web',
    status: 'active',
    poolId: idOf('pool', poolAt),
    blockedCategories: ['IAB25', 'IAB26'],
    blockedDomains: ['competitor.example', `rival-${at % 100}.example`],
    createdAt: CREATED_AT,
  };
  return documentOf(publisher, idOf('publisher', at), state);
}

/** A delegate. */
export function dspDocument(at: number, poolAt: number): ActorDocument {
  const state: DspState = {
    ...noDsp,
    accountId: firstAccountId,
    name: `Delegate ${at}`,
    mode: 'delegate',
    status: 'active',
    poolIds: [idOf('pool', poolAt)],
    createdAt: CREATED_AT,
  };
  return documentOf(dsp, idOf('dsp', at), state);
}

/** A campaign of a delegate; its creative is a banner of 300 × 250. */
export function campaignDocument(at: number, dspAt: number, bidding: BiddingCampaign): ActorDocument {
  const { creative: _, ...document } = bidding.campaign;
  const dspId = idOf('dsp', dspAt);
  const state: CampaignState = {
    ...noCampaign,
    accountId: firstAccountId,
    dspId,
    campaign: {
      ...document,
      adomain: ['advertiser.example'],
      categories: ['IAB3'],
      creative: { creative_id: `creative-of-${at}`, html: CREATIVE, width: 300, height: 250 },
    },
    rules: [...bidding.rules],
    status: 'active',
    origin: 'strategy',
    defaultBidCpm: bidding.defaultBidCpm,
    strategyRevision: 1,
    revision: 1,
    createdAt: CREATED_AT,
  };
  return documentOf(campaign, campaignActorId(dspId, document.campaign_id), state);
}

function documentOf(
  { kind, schemaVersion }: { readonly kind: string; readonly schemaVersion: number },
  id: string,
  state: object,
): ActorDocument {
  const origin = { partition: 0, version: 1, writer: 'benchmark', position: '1-0', published: null };
  const nothing = { outbox: [], received: {}, replies: {}, viewPending: false, deleted: false };
  return { kind, id, ...origin, ...nothing, schema: schemaVersion, state };
}
