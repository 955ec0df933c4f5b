// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are OpenRTB macros
import { expect } from 'chai';
import { bids, type ReceivedRequest } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { againstExchange, errorOf } from './against-exchange.ts';
import { type AdRequest, BANNER, type Market } from './market.ts';
import { shows } from './shows.ts';

againstExchange('loss notices', (exchange) => {
  let market: Market;
  let request: AdRequest;
  let answered: { price: number; lurl?: string };
  let lost: ReceivedRequest;
  let belowFloor: ReceivedRequest;
  const paramsOf = ({ path }: ReceivedRequest) => Object.fromEntries(new URL(path, 'http://bidder.test').searchParams);

  before(async () => {
    const prices = [3, 2, 0.5];
    market = await exchange.market({ bidders: prices.map((price) => ({ script: bids({ price }) })) });
    for (const [index, price] of prices.entries()) {
      const bidder = market.bidders[index]!;
      const lurl = `${bidder.origin}/lost?id=\${AUCTION_ID}&price=\${AUCTION_PRICE}&loss=\${AUCTION_LOSS}`;
      bidder.script = bids({ price, lurl });
    }
    request = market.request({ imp: [{ ...BANNER, bidfloor: 1 }] });
    answered = await market.bid(request);
    [[lost], [belowFloor]] = (await Promise.all([
      market.bidders[1]!.waitForRequests('/lost'),
      market.bidders[2]!.waitForRequests('/lost'),
    ])) as [[ReceivedRequest], [ReceivedRequest]];
  });

  shows('loss.post', () => expect(lost.method).to.equal('POST'));
  shows('loss.method', async () => {
    const { dspId } = market.bidders[1]!;
    const changed = await exchange.call('PUT', `/api/demand/sources/${dspId}`, { loss_notice_method: 'GET' });
    expect(changed.body.loss_notice_method).to.equal('GET');
    await eventually('the edge to have heard of it', async () => {
      const heard = market.bidders[1]!.received.length;
      await market.bid();
      await market.bidders[1]!.waitForRequests('/lost', 2);
      return market.bidders[1]!.received.slice(heard).some(
        ({ method, path }) => method === 'GET' && path.startsWith('/lost'),
      );
    });
    const refused = await exchange.call('PUT', `/api/demand/sources/${dspId}`, { loss_notice_method: 'PUT' });
    expect(errorOf(refused)).to.equal('400 VALIDATION_ERROR loss_notice_method');
  });
  shows('loss.macro.id', () => expect(paramsOf(lost).id).to.equal(request.id));
  shows('loss.macro.price', () => expect(paramsOf(lost).price).to.equal('3'));
  shows(['loss.macro.loss', 'loss.102'], () => expect(paramsOf(lost).loss).to.equal('102'));
  shows('loss.100', () => expect(paramsOf(belowFloor)).to.include({ loss: '100', price: '3' }));
  shows('loss.winner', () => {
    expect(answered.price).to.equal(3);
    expect(market.bidders[0]!.received.filter(({ path }) => path.startsWith('/lost'))).to.deep.equal([]);
  });
  shows('loss.not-passed-on', () => expect(answered).not.to.have.property('lurl'));
});
