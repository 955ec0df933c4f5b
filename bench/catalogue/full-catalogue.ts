import { pino } from 'pino';
import { campaign } from '../../actors/campaign/campaign.ts';
import { campaignActorId } from '../../actors/campaign/campaign-id.ts';
import { type CampaignState, noCampaign } from '../../actors/campaign/reduce.ts';
import { dsp } from '../../actors/dsp/dsp.ts';
import { type DspState, noDsp } from '../../actors/dsp/reduce.ts';
import { pool } from '../../actors/pool/pool.ts';
import { noPool, type PoolState } from '../../actors/pool/reduce.ts';
import { publisher } from '../../actors/publisher/publisher.ts';
import { noPublisher, type PublisherState } from '../../actors/publisher/reduce.ts';
import { createProviders } from '../../composition/create-providers.ts';
import { firstAccountId } from '../../gateways/management/bootstrap/first-account.ts';
import type { ActorDocument } from '../../runtime/ports/store.ts';
import { readSettings } from '../../settings.ts';
import { createUnlimitedAccount } from '../management/unlimited-account.ts';
import { Market } from '../matching/market.ts';
import type { Prepare } from '../processes/exchange.ts';

export const PUBLISHERS = 10_000;
export const DSPS = 1_000;
export const CAMPAIGNS = 100_000;
const POOLS = 20;
const AT_ONCE = 1_000;
const CREATED_AT = '2026-01-31T14:30:00.000Z';
const CREATIVE = '<a href="https://advertiser.example/"><img src="https://cdn.example/300x250.jpg" alt=""></a>';

type Kind = { readonly kind: string; readonly schemaVersion: number };

/** Saves a full catalogue as its actors would leave it, before the program starts. */
export const fullCatalogue: Prepare = async (environment) => {
  await createUnlimitedAccount(environment);
  const { store, close } = await createProviders(readSettings(environment), pino({ level: 'silent' }));
  const save = async (of: Kind, count: number, stateAt: (at: number) => readonly [id: string, state: object]) => {
    for (let from = 0; from < count; from += AT_ONCE) {
      const length = Math.min(AT_ONCE, count - from);
      await store.save(Array.from({ length }, (_, at) => documentOf(of, ...stateAt(from + at))));
    }
  };
  try {
    await save(pool, POOLS, (at) => [idOf('pool', at), poolState(at)]);
    await save(publisher, PUBLISHERS, (at) => [idOf('publisher', at), publisherState(at)]);
    await save(dsp, DSPS, (at) => [idOf('dsp', at), dspState(at)]);
    const market = new Market('some');
    await save(campaign, CAMPAIGNS, (at) => {
      const dspId = idOf('dsp', at % DSPS);
      return [campaignActorId(dspId, `campaign-${at}`), campaignState(market, dspId, at)];
    });
  } finally {
    await close();
  }
};

const PREFIXES = { pool: 1, publisher: 2, dsp: 3 } as const;

function idOf(of: keyof typeof PREFIXES, at: number): string {
  return `0000000${PREFIXES[of]}-0000-4000-8000-${String(at).padStart(12, '0')}`;
}

function documentOf({ kind, schemaVersion }: Kind, id: string, state: object): ActorDocument {
  const origin = { partition: 0, version: 1, writer: 'benchmark', position: '1-0', published: null };
  const nothing = { outbox: [], received: {}, replies: {}, viewPending: false, deleted: false };
  return { kind, id, ...origin, ...nothing, schema: schemaVersion, state };
}

function poolState(at: number): PoolState {
  return { ...noPool, accountId: firstAccountId, name: `Pool ${at}`, createdAt: CREATED_AT };
}

function publisherState(at: number): PublisherState {
  return {
    ...noPublisher,
    accountId: firstAccountId,
    name: `Publisher ${at}`,
    domain: `site-${at}.example`,
    type: 'web',
    status: 'active',
    poolId: idOf('pool', at % POOLS),
    blockedCategories: ['IAB25', 'IAB26'],
    blockedDomains: ['competitor.example', `rival-${at % 100}.example`],
    createdAt: CREATED_AT,
  };
}

function dspState(at: number): DspState {
  return {
    ...noDsp,
    accountId: firstAccountId,
    name: `Delegate ${at}`,
    mode: 'delegate',
    status: 'active',
    poolIds: [idOf('pool', at % POOLS)],
    createdAt: CREATED_AT,
  };
}

function campaignState(market: Market, dspId: string, at: number): CampaignState {
  const { campaign: document, rules, defaultBidCpm } = market.campaign(at);
  const { creative: _, ...rest } = document;
  return {
    ...noCampaign,
    accountId: firstAccountId,
    dspId,
    campaign: {
      ...rest,
      adomain: ['advertiser.example'],
      categories: ['IAB3'],
      creative: { creative_id: `creative-of-${at}`, html: CREATIVE, width: 300, height: 250 },
    },
    rules: [...rules],
    status: 'active',
    origin: 'strategy',
    defaultBidCpm,
    strategyRevision: 1,
    revision: 1,
    createdAt: CREATED_AT,
  };
}
