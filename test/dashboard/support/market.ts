import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Market, type MarketOptions } from '../../specification/market.ts';
import type { TestExchange } from '../../support/exchange.ts';

/** A publisher in a pool, and scripted bidders that subscribe to it; open when the edge auctions with all of them. */
export async function openMarket(exchange: TestExchange, terms: MarketOptions): Promise<Market> {
  const market = new Market({
    running: exchange,
    call: exchange.call,
    async create(path, fields) {
      const answer = await exchange.call('POST', path, { name: `Name ${randomUUID()}`, ...fields });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body;
    },
  });
  await market.open(terms);
  return market;
}
