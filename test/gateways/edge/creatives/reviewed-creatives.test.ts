import { expect } from 'chai';
import type { CreativeRuleProjection } from '#actors/creative-rule/reduce';
import { creativeId } from '#edge/creatives/creative-id';
import { bids } from '#test/support/bidder';
import { bannerRequest, EdgeUnderTest } from '#test/support/edge';
import { ADM, auctionedCreatives, CREATIVE, FINGERPRINT } from './auctioned-creatives.ts';

describe('creatives in auctions that people decided about', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
  });
  afterEach(() => exchange.close());
  const { rule, mode, known, sold, seenSome, losses } = auctionedCreatives(() => exchange);

  const subjects: [string, Partial<CreativeRuleProjection>][] = [
    ['itself', { subject: 'creative', value: CREATIVE }],
    ['its markup', { subject: 'fingerprint', value: FINGERPRINT }],
    ['its advertiser, as people write it', { subject: 'advertiser', value: 'https://www.Advertiser.test/' }],
    ['its category', { subject: 'category', value: 'iab2' }],
    ['its attribute', { subject: 'attribute', value: '6' }],
    ['its demand source', { subject: 'demand_source', value: 'dsp-1' }],
  ];
  for (const [title, fields] of subjects) {
    it(`are not sold once ${title} is blocked, and are again once it is not`, async () => {
      await exchange.bidder(bids({ price: 2, cat: ['IAB2-1'], attr: [6] }));
      expect(await sold()).to.be.a('string');
      rule(fields);
      expect(await sold()).to.equal(null);
      expect(await losses()).to.deep.equal([['losses/creative-blocked', 1]]);
      exchange.replica.remove('creative-rule', 'rule-1');
      expect(await sold()).to.be.a('string');
    });
  }

  for (const scope of ['exchange', 'account:account-1', 'pool:pool-1', 'publisher:pub-1']) {
    it(`are blocked in the scope ${scope}, and nowhere else`, async () => {
      exchange.publisher({ id: 'pub-2', accountId: 'account-2', poolId: 'pool-2', domain: 'other.test' });
      exchange.pool({ id: 'pool-2', accountId: 'account-2' });
      await exchange.bidder(bids({ price: 2 }), { poolIds: ['pool-1', 'pool-2'] });
      rule({ scope });
      expect(await sold()).to.equal(null);
      const other = await sold(bannerRequest({ site: { id: 'pub-2', page: 'https://other.test/' } }));
      expect(other === null).to.equal(scope === 'exchange');
    });
  }

  for (const subject of ['creative', 'fingerprint'] as const) {
    it(`stay blocked by ${subject} once their crid brings other markup in each auction`, async () => {
      const bidder = await exchange.bidder(bids({ price: 2 }));
      rule({ subject, value: subject === 'creative' ? CREATIVE : FINGERPRINT });
      known({ dynamic: true }, creativeId({ dspId: 'dsp-1', crid: 'creative-1', fingerprint: '' }));
      expect(await sold()).to.equal(null);
      bidder.script = bids({ price: 2, adm: '<b>another</b>' });
      expect(await sold()).to.be.a('string');
    });

    it(`stay approved by ${subject} once their crid brings other markup in each auction`, async () => {
      const bidder = await exchange.bidder(bids({ price: 2 }), { creatives: 'dynamic' });
      mode('publisher:pub-1', 'reviewed');
      rule({ subject, value: subject === 'creative' ? CREATIVE : FINGERPRINT, decision: 'approve' });
      expect(await sold()).to.be.a('string');
      bidder.script = bids({ price: 2, adm: '<b>another</b>' });
      expect(await sold()).to.equal(null);
    });
  }

  it('are blocked though their demand source is removed before they are judged', async () => {
    const bidder = await exchange.bidder(bids({ price: 2 }));
    const { script } = bidder;
    bidder.script = (received, response) => {
      exchange.replica.remove('dsp', 'dsp-1');
      return script(received, response);
    };
    rule({ subject: 'advertiser', value: 'advertiser.test' });
    expect(await sold()).to.equal(null);
    expect(bidder.received).to.have.length(1);
  });

  it('leave the imp to the next bid, and tell the bidder the standard’s reason', async () => {
    const notice = { lurl: '' };
    const bidder = await exchange.bidder(bids({ price: 5 }), { id: 'dsp-1' });
    notice.lurl = `${bidder.origin}/lost?loss=\${AUCTION_LOSS}`;
    bidder.script = bids({ price: 5, ...notice });
    await exchange.bidder(bids({ price: 1, adm: '<b>another</b>' }), { id: 'dsp-2' });
    rule({});
    expect(await sold()).to.include('<b>another</b>');
    const [lost] = await bidder.waitForRequests('/lost');
    expect(lost!.path).to.equal('/lost?loss=202');
  });

  it('are not sold to who reviews them until they are approved, and can be found meanwhile', async () => {
    const bidder = await exchange.bidder(bids({ price: 2 }));
    bidder.script = bids({ price: 2, lurl: `${bidder.origin}/lost?loss=\${AUCTION_LOSS}` });
    mode('pool:pool-1', 'reviewed');
    expect(await sold()).to.equal(null);
    expect((await bidder.waitForRequests('/lost'))[0]!.path).to.equal('/lost?loss=201');
    const [{ id, body }] = await seenSome();
    expect(id).to.equal(CREATIVE);
    expect(body).to.include({ wins: 0, refusals: 1, markup: ADM });
    expect(body.formats).to.deep.equal(['banner']);
    rule({ decision: 'approve', scope: 'pool:pool-1' });
    expect(await sold()).to.be.a('string');
    bidder.script = bids({ price: 2, adm: '<b>swapped</b>' });
    expect(await sold(), 'other markup under the same crid is not what was approved').to.equal(null);
  });

  it('are sold to who takes scanned ones once a scan was clean', async () => {
    await exchange.bidder(bids({ price: 2 }));
    mode('publisher:pub-1', 'scanned');
    expect(await sold()).to.equal(null);
    known({ clean: true });
    expect(await sold()).to.be.a('string');
    known({ clean: false });
    expect(await sold()).to.equal(null);
    mode('publisher:pub-1', 'open');
    expect(await sold()).to.be.a('string');
  });

  it('are not sold to who takes scanned ones where a scan has seen one example of many', async () => {
    await exchange.bidder(bids({ price: 2 }), { creatives: 'dynamic' });
    const id = creativeId({ dspId: 'dsp-1', crid: 'creative-1', fingerprint: '' });
    known({ clean: true, dynamic: true }, id);
    mode('publisher:pub-1', 'scanned');
    expect(await sold()).to.equal(null);
    rule({ decision: 'approve', value: id });
    expect(await sold()).to.be.a('string');
  });

  it('are judged when their markup comes with the win notice', async () => {
    const bidder = await exchange.bidder(bids({ price: 1 }));
    bidder.script = bids({ price: 2, adm: undefined, nurl: `${bidder.origin}/bid-markup` });
    const script = bidder.script;
    bidder.script = (received, response) =>
      received.path === '/bid-markup' ? response.writeHead(200).end(ADM) : script(received, response);
    expect(await sold()).to.include(ADM);
    rule({});
    expect(await sold()).to.equal(null);
    expect(await losses()).to.deep.equal([['losses/creative-blocked', 1]]);
  });

  it('are those of an advertiser that a campaign does not name, by its landing page', async () => {
    const creative = {
      creative_id: 'c',
      html: ADM,
      width: 300,
      height: 250,
      landing_url: 'https://www.ford.com/new',
    };
    exchange.delegate([{ id: 'campaign-1', creative }]);
    expect(await sold()).to.be.a('string');
    rule({ subject: 'advertiser', value: 'ford.com' });
    expect(await sold()).to.equal(null);
    expect(await losses()).to.deep.equal([['losses/creative-blocked', 1]]);
  });

  it('are campaigns’ creatives, too', async () => {
    exchange.delegate([{ id: 'campaign-1' }]);
    await sold();
    const [{ id }] = await seenSome();
    rule({ value: id });
    expect(await sold()).to.equal(null);
    expect(await losses()).to.deep.equal([['losses/creative-blocked', 1]]);
  });
});
