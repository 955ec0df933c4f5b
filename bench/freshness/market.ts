import { pino } from 'pino';
import { campaignActorId } from '../../actors/campaign/campaign-id.ts';
import { createProviders } from '../../composition/create-providers.ts';
import type { BiddingCampaign } from '../../exchange/strategy/bidding-campaign.ts';
import { readSettings } from '../../settings.ts';
import { posted } from '../auctions/documents.ts';
import {
  campaignDocument,
  domainOf,
  dspDocument,
  idOf,
  poolDocument,
  publisherDocument,
  saveAll,
} from '../catalogue/documents.ts';
import { createUnlimitedAccount } from '../management/unlimited-account.ts';
import type { Prepare } from '../processes/exchange.ts';

/** The publishers, delegates and campaigns that make the load. */
export interface MarketSize {
  readonly publishers: number;
  readonly dsps: number;
  /** All of them match every request of their pool, and all are counted in each of its auctions. */
  readonly campaigns: number;
  readonly pools: number;
}

/** A publisher and a campaign that trade with each other alone, so that each count of theirs is known. */
export interface ProbedPair {
  readonly publisherId: string;
  readonly campaignId: string;
  readonly next: () => Buffer;
}

/** A market with a load, and pairs apart from it. */
export class FreshnessMarket {
  readonly pairs: readonly ProbedPair[];
  readonly #size: MarketSize;
  readonly #requests: readonly (() => Buffer)[];
  #turn = 0;

  constructor(size: MarketSize, pairs: number) {
    this.#size = size;
    this.#requests = Array.from({ length: size.publishers }, (_, at) => requestsOf(at));
    this.pairs = Array.from({ length: pairs }, (_, pair) => ({
      publisherId: idOf('publisher', size.publishers + pair),
      campaignId: campaignActorId(idOf('dsp', size.dsps + pair), nameOf(size.campaigns + pair)),
      next: requestsOf(size.publishers + pair),
    }));
  }

  /** The next request of the load: one publisher after the other. */
  readonly next = (): Buffer => this.#requests[this.#turn++ % this.#requests.length]!();

  /** Saves the market before the program starts. */
  readonly prepare: Prepare = async (environment) => {
    await createUnlimitedAccount(environment);
    const { store, close } = await createProviders(readSettings(environment), pino({ level: 'silent' }));
    const { publishers, dsps, campaigns, pools } = this.#size;
    const pairs = this.pairs.length;
    const poolOf = (at: number, ofLoad: number) => (at < ofLoad ? at % pools : pools + at - ofLoad);
    try {
      await saveAll(store, pools + pairs, poolDocument);
      await saveAll(store, publishers + pairs, (at) => publisherDocument(at, poolOf(at, publishers)));
      await saveAll(store, dsps + pairs, (at) => dspDocument(at, poolOf(at, dsps)));
      await saveAll(store, campaigns + pairs, (at) =>
        campaignDocument(at, at < campaigns ? at % dsps : dsps + at - campaigns, alwaysBidding(at)),
      );
    } finally {
      await close();
    }
  };
}

function nameOf(campaignAt: number): string {
  return `campaign-${campaignAt}`;
}

function alwaysBidding(at: number): BiddingCampaign {
  const document: BiddingCampaign['campaign'] = {
    campaign_id: nameOf(at),
    campaign_name: `Campaign ${at}`,
    priority: 1,
    targeting: {},
    bidding: { base_cpm: 1 + (at % 900) / 100, max_cpm: 20 },
    creative: { creative_id: 'c', html: '', width: 300, height: 250 },
  };
  return { campaign: document, rules: [], defaultBidCpm: 1, paused: false };
}

function requestsOf(publisherAt: number): () => Buffer {
  const publisherId = idOf('publisher', publisherAt);
  const domain = domainOf(publisherAt);
  const document = {
    id: '0'.repeat(24),
    imp: [{ id: '1', banner: { w: 300, h: 250 }, bidfloor: 0.25, bidfloorcur: 'USD', secure: 1 }],
    site: { id: publisherId, domain, page: `https://${domain}/a/page`, publisher: { id: publisherId } },
    device: {
      ua: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36',
      ip: '198.51.100.77',
      ifa: '6f3e2c1a-5b7d-4e8f-9a0b-1c2d3e4f5a6b',
    },
    regs: { coppa: 0, gdpr: 0 },
    tmax: 500,
    cur: ['USD'],
  };
  return posted('/rtb', Buffer.from(JSON.stringify(document)));
}
