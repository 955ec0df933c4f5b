import type { BiddingCampaign } from '../../exchange/strategy/bidding-campaign.ts';
import { Market } from '../matching/market.ts';
import type { Deployment } from '../processes/deployment.ts';
import type { ExchangeProcess } from '../processes/exchange.ts';
import { cpuMicros } from '../processes/resources.ts';

const DELEGATES = 50;
/** The number of delegates with a campaign that bids in every auction. */
const BIDDING = 5;
/** The number of different requests, so that the match of one says nothing of the next. */
const REQUESTS = 64;
const CREATIVE = '<a href="https://advertiser.example/"><img src="https://cdn.example/300x250.jpg" alt=""></a>';
/** An idle edge uses at most this share of a core. */
const IDLE_SHARE = 0.1;
const QUIET_SECONDS = 3;
/**
 * Actors are saved and put away a minute after their last message. With many campaigns that takes seconds, which would
 * be counted to the auctions.
 */
const PUT_AWAY_SECONDS = 65;
const MANY = 10_000;

export interface DelegateMarket {
  readonly publisherId: string;
  /** Ad requests without their ids. */
  readonly documents: readonly Buffer[];
}

/**
 * Creates a publisher whose traffic goes to 50 delegates. Each has an equal part of the campaigns, of which hardly any
 * match a request (bench/matching/market.ts: 10% have one condition that holds). Five delegates have one campaign that
 * matches every request.
 */
export async function createDelegateMarket(deployment: Deployment, campaigns: number): Promise<DelegateMarket> {
  const exchange: ExchangeProcess = deployment.management;
  const market = new Market('some');
  const pool = await exchange.call<{ id: string }>('POST', '/api/supply/pools', { name: 'Delegates' });
  const source = { name: 'A site', domain: 'games.example', type: 'web', pool_id: pool.id };
  const publisher = await exchange.call<{ id: string }>('POST', '/api/supply/sources', source);
  for (let delegate = 0; delegate < DELEGATES; delegate += 1) {
    const name = `Delegate ${delegate}`;
    const { id } = await exchange.call<{ id: string }>('POST', '/api/demand/sources', { name, mode: 'delegate' });
    await exchange.call('POST', `/api/demand/sources/${id}/pools/${pool.id}`);
    const own = Array.from({ length: campaigns / DELEGATES }, (_, at) => market.campaign(delegate * campaigns + at));
    await exchange.call('PUT', `/api/demand/sources/${id}/strategy`, strategyOf(id, delegate, own));
  }
  await idle(exchange.pid);
  if (campaigns > MANY) {
    await new Promise((resolve) => setTimeout(resolve, PUT_AWAY_SECONDS * 1_000));
    await idle(exchange.pid);
  }
  for (const { pid } of deployment.edges) if (pid !== exchange.pid) await idle(pid);
  const documents = Array.from({ length: REQUESTS }, () => requestOf(market, publisher.id));
  return { publisherId: publisher.id, documents };
}

function strategyOf(dspId: string, delegate: number, others: readonly BiddingCampaign[]): object {
  const always = {
    campaign_id: 'always',
    campaign_name: 'Always',
    status: delegate < BIDDING ? 'active' : 'paused',
    priority: 5,
    bidding: { base_cpm: 1 + delegate / 100 },
    adomain: ['advertiser.example'],
    categories: ['IAB3'],
  };
  const campaigns = [always, ...others.slice(1).map(({ campaign }) => campaign)];
  return {
    version: '1.0',
    dsp_id: dspId,
    default_bid: 1,
    campaigns: campaigns.map((campaign) => ({ ...campaign, creative: banner(campaign.campaign_id) })),
    rules: others.slice(1).flatMap(({ rules }) => rules),
  };
}

function banner(id: string) {
  return { creative_id: `creative-of-${id}`, html: CREATIVE, width: 300, height: 250 };
}

function requestOf(market: Market, publisherId: string): Buffer {
  const { request } = market.view();
  const { site, device, user } = request;
  const document = {
    id: '0'.repeat(24),
    imp: [
      { id: '1', banner: { w: 300, h: 250, pos: 1, battr: [1, 3, 5] }, bidfloor: 0.25, bidfloorcur: 'USD', secure: 1 },
    ],
    site: {
      ...site,
      domain: 'games.example',
      id: publisherId,
      page: 'https://games.example/a/page/of/it',
      publisher: { id: publisherId },
    },
    device: {
      ...device,
      ua: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36',
      ip: '198.51.100.77',
    },
    user: { ...user, id: 'b5c1e7f0a9d24c3e8f6b7a1d0c9e8f7a' },
    regs: { coppa: 0, gdpr: 0, us_privacy: '1YNN' },
    at: 1,
    tmax: 500,
    cur: ['USD'],
    bcat: ['IAB25', 'IAB26', 'IAB7-39'],
    badv: ['competitor.example', 'rival.example'],
  };
  return Buffer.from(JSON.stringify(document));
}

/** Resolves when the process has processed its input: it has been almost idle for a while. */
async function idle(pid: number): Promise<void> {
  let before = cpuMicros(pid);
  for (let quiet = 0; quiet < QUIET_SECONDS; ) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const now = cpuMicros(pid);
    quiet = now - before < IDLE_SHARE * 1_000_000 ? quiet + 1 : 0;
    before = now;
  }
}
