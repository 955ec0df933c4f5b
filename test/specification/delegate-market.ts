import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import type { Answer } from '../support/exchange.ts';
import type { ExchangeUnderTest } from './against-exchange.ts';
import type { Market, MarketOptions } from './market.ts';

/** Needs nothing fetched. */
export function htmlCreative(creativeId: string, fields: object = {}) {
  return { creative_id: creativeId, html: `<b>${creativeId}</b>`, width: 300, height: 250, ...fields };
}

export function campaignOf(campaignId: string, fields: object = {}) {
  return {
    campaign_id: campaignId,
    campaign_name: `Campaign ${campaignId}`,
    bidding: { base_cpm: 2 },
    ...('creatives' in fields ? {} : { creative: htmlCreative(`${campaignId}-creative`) }),
    ...fields,
  };
}

export interface Sold {
  readonly impid: string;
  readonly price: number;
  readonly cid?: string;
  readonly crid: string;
  readonly adm: string;
  readonly burl: string;
}

/** A publisher in a pool, and delegates that subscribe to it. */
export class DelegateMarket {
  readonly market: Market;
  readonly #exchange: ExchangeUnderTest;

  constructor(exchange: ExchangeUnderTest, market: Market) {
    this.#exchange = exchange;
    this.market = market;
  }

  /** The id of a new delegate of the pool. */
  async delegate(fields: object = {}): Promise<string> {
    const { id } = await this.#exchange.create('/api/demand/sources', { mode: 'delegate', ...fields });
    const subscribed = await this.#exchange.call('POST', `/api/demand/sources/${id}/pools/${this.market.poolId}`);
    expect(subscribed.status).to.equal(200);
    return id;
  }

  async upload(dspId: string, campaigns: readonly object[], fields: object = {}): Promise<Answer> {
    const strategy = { version: '1.0', dsp_id: dspId, default_bid: 0, campaigns, rules: [], ...fields };
    const answer = await this.#exchange.call('PUT', `/api/demand/sources/${dspId}/strategy`, strategy);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer;
  }

  /** By the Campaign API; resolves with the id. */
  async campaign(dspId: string, campaign: object): Promise<string> {
    const { status, body } = await this.#exchange.call('POST', '/api/campaigns', { dsp_id: dspId, ...campaign });
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.id;
  }

  /** What was sold of one ad request, to any buyer. */
  async sold(fields: Readonly<Record<string, unknown>> = {}): Promise<Sold[]> {
    const { status, body } = await this.market.ask({ id: randomUUID(), ...fields });
    if (status === 204) return [];
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.seatbid.flatMap(({ bid }: { bid: Sold[] }) => bid);
  }

  /** Resolves with the first sale that `campaignId` wins. */
  wins(campaignId: string, fields: Readonly<Record<string, unknown>> = {}): Promise<Sold> {
    return eventually(`campaign ${campaignId} to win`, async () =>
      (await this.sold(fields)).find(({ cid }) => cid === campaignId),
    );
  }
}

export async function delegateMarket(exchange: ExchangeUnderTest, terms: MarketOptions = {}) {
  return new DelegateMarket(exchange, await exchange.market(terms));
}
