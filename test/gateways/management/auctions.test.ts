import { expect } from 'chai';
import { againstExchange, type ExchangeUnderTest } from '../../specification/against-exchange.ts';
import type { Market } from '../../specification/market.ts';
import { bids, changedBids, noBid } from '../../support/bidder.ts';
import { eventually } from '../../support/eventually.ts';
import { callJson, PROVIDER_PAIRS } from '../../support/exchange.ts';

const EVERYTHING = { AUCTION_SAMPLES_PER_SECOND: '1000', MAX_REQUESTS_PER_SECOND_PER_ADDRESS: '0' };

againstExchange(
  'the auction explorer',
  (exchange) => {
    let market: Market;
    before(async () => {
      market = await exchange.market({
        publisher: { floor_price_cpm: 1.5 },
        bidders: [{ script: bids({ price: 3 }) }, { script: bids({ price: 1 }) }, { script: noBid() }],
      });
    });

    const explored = (query: string, headers: Record<string, string> = {}) =>
      exchange.get(`/api/auctions?${query}`, headers);

    it('says of a filled auction who won, who lost and why, in codes and in words', async () => {
      const { id: requestId } = await sold(market);
      const auction = await recorded(exchange, market, requestId);
      expect(auction).to.include({ outcome: 'filled', reason: null, sees: 'whole', region: 'fra', sandbox: false });
      expect(auction.publisher_id).to.equal(market.publisherId);
      expect(auction.summary).to.equal('Filled at 3 CPM. Of 3 demand sources, 3 were asked and 2 bid.');
      expect(auction.imps).to.deep.equal([
        {
          id: '1',
          formats: ['banner'],
          sizes: ['300x250'],
          floor_cpm: 1.5,
          floor_from: 'publisher',
          stated_floor: null,
          deals: 0,
          in_pod: false,
        },
      ]);
      const [high, low, none] = market.bidders.map(({ dspId }) =>
        auction.demand.find((part: { dsp_id: string }) => part.dsp_id === dspId),
      );
      expect(high).to.include({ outcome: 'won', called: true, reason: null });
      expect(high.bids[0]).to.include({ won: true, price_cpm: 3, clearing_cpm: 3, loss_code: 0 });
      expect(low).to.include({ outcome: 'lost', reason: null });
      expect(low.bids[0]).to.include({ won: false, reason: 'below-floor', loss_code: 100, non_bid_status: 301 });
      expect(low.bids[0]).to.include({ price_cpm: 1, floor_cpm: 1.5, clearing_cpm: 3, min_to_win_cpm: 3 });
      expect(none).to.include({ outcome: 'answered', reason: 'no-bid', non_bid_status: 0 });
      expect(none.why).to.equal('The demand source answered that it does not bid.');
      expect(auction.sold).to.have.length(1);
      expect(auction.sold[0]).to.include({ dsp_id: market.bidders[0]!.dspId, clearing_cpm: 3, format: 'banner' });
      expect(auction.bid_request).to.deep.include({ at: 1, cur: ['USD'] });
      expect(auction.bid_request.imp[0]).to.deep.include({ id: '1', bidfloor: 1.5 });
    });

    it('quotes the first URL of a creative that is insecure', async () => {
      const adm = '<img src="https://cdn.example/a.png"><img src="http://cdn.example/b.png?for=somebody">';
      const plain = await exchange.market({ bidders: [{ script: bids({ price: 3, adm }) }] });
      const { id } = plain.request();
      const imp = [{ id: '1', banner: { w: 300, h: 250 }, secure: 1 }];
      expect((await plain.ask({ id, imp })).status).to.equal(204);
      const auction = await recorded(exchange, plain, id);
      const [bid] = auction.demand[0].bids;
      expect(bid.reason).to.equal('insecure-creative');
      expect(bid.why).to.equal(
        'The bid loads something over plain HTTP where the imp must be secure: http://cdn.example/b.png.',
      );
      expect(auction.summary).to.contain('must be secure: http://cdn.example/b.png.');
    });

    it('says of a sale whether it was shown, and what is billed for it', async () => {
      const request = market.request();
      const { body } = await market.ask(request);
      const { dspId } = market.bidders[0]!;
      const before = await recorded(exchange, market, request.id);
      expect(before.sold[0]).to.include({ dsp_id: dspId, impression: 'awaited', cost_micros: null });
      expect((await callJson('GET', body.seatbid[0].bid[0].burl)).status).to.equal(200);
      const after = await recorded(exchange, market, request.id);
      expect(after.sold).to.deep.equal([{ ...before.sold[0], impression: 'billed', cost_micros: 3_000 }]);
      const [won] = await found(exchange, `dsp_id=${dspId}&outcome=won`);
      const seen = (await exchange.get(`/api/auctions/${won.id}`)).body;
      expect(seen.sold[0].impression).to.equal('billed');
    });

    it('finds auctions by what a demand source came to, and counts its reasons', async () => {
      const { id: requestId } = await sold(market);
      await recorded(exchange, market, requestId);
      const loser = market.bidders[1]!.dspId;
      const found = await explored(`dsp_id=${loser}&reason=below-floor&limit=1`);
      expect(found.status, JSON.stringify(found.body)).to.equal(200);
      expect(found.body.auctions).to.have.length(1);
      const won = await explored(`dsp_id=${loser}&outcome=won`);
      expect(won.body).to.deep.equal({ auctions: [], next_cursor: null });
      const { body } = await exchange.get(`/api/auctions/reasons?dsp_id=${loser}`);
      expect(body.reasons.map(({ reason }: { reason: string }) => reason)).to.deep.equal(['below-floor']);
      expect(body.reasons[0].auctions).to.equal(body.auctions);
      expect(body.reasons[0]).to.include({ why: 'The bid was below the floor.', loss_code: 100, non_bid_status: 301 });
    });

    it('counts the reasons of all who did not bid', async () => {
      const silent = await exchange.market({ bidders: [{ script: noBid() }, { script: noBid() }] });
      const { id } = silent.request();
      expect((await silent.ask({ id })).status).to.equal(204);
      const { summary } = await recorded(exchange, silent, id);
      expect(summary).to.equal('Not filled: nobody bid (no-bid 2). Of 2 demand sources, 2 were asked and 0 bid.');
      const { body } = await exchange.get(`/api/auctions/reasons?publisher_id=${silent.publisherId}`);
      const [{ reason, loss_code, non_bid_status }] = body.reasons;
      // 0 would say that a bid had won.
      expect({ reason, loss_code, non_bid_status }).to.deep.equal({
        reason: 'no-bid',
        loss_code: null,
        non_bid_status: 0,
      });
    });

    it('compares no price of another currency with those in US dollars', async () => {
      const mixed = await exchange.market({
        publisher: { floor_price_cpm: 1.5 },
        bidders: [{ script: changedBids(9, { cur: 'EUR' }) }, { script: bids({ price: 1 }) }],
      });
      const { id } = mixed.request();
      expect((await mixed.ask({ id })).status).to.equal(204);
      const { summary, demand } = await recorded(exchange, mixed, id);
      expect(summary).to.match(/^Not filled\. The highest bid, 1 CPM, was below the floor of 1\.5 CPM\./);
      const [euro] = demand.find((part: { dsp_id: string }) => part.dsp_id === mixed.bidders[0]!.dspId).bids;
      expect(euro).to.include({ reason: 'wrong-currency', loss_code: 3, price_cpm: null });
    });

    it('says why requests were refused', async () => {
      const blocked = await market.ask({ site: { id: market.publisherId, domain: 'else.example' } });
      expect(blocked.status).to.equal(403);
      const invalid = await market.ask({ imp: [] });
      expect(invalid.status).to.equal(400);
      const [refusal] = await found(exchange, `publisher_id=${market.publisherId}&outcome=blocked`);
      expect(refusal).to.include({ reason: 'site-mismatch' });
      expect(refusal.summary).to.match(/^Blocked: The site that the request names/);
      const [malformed] = await found(exchange, `publisher_id=${market.publisherId}&outcome=invalid`);
      expect(malformed).to.include({ reason: 'invalid-request' });
      expect(malformed.summary).to.match(/^Refused: imp/);
    });

    it('pages through all, newest first, each once', async () => {
      for (let made = 0; made < 5; made++) await sold(market);
      const all = await eventually('all to be recorded', async () => {
        const page = await explored(`publisher_id=${market.publisherId}&limit=200`);
        const again = await explored(`publisher_id=${market.publisherId}&limit=200`);
        const ids = (body: { auctions: { id: string }[] }) => body.auctions.map(({ id }) => id).join();
        return ids(page.body) === ids(again.body) && page.body.auctions.length >= 5 ? page.body.auctions : undefined;
      });
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await explored(`publisher_id=${market.publisherId}&limit=2${cursor}`);
        seen.push(...body.auctions.map(({ id }: { id: string }) => id));
        if (body.next_cursor === null) break;
        cursor = `&cursor=${body.next_cursor}`;
      }
      const expected = all.map(({ id }: { id: string }) => id);
      expect(seen.slice(-expected.length)).to.deep.equal(expected);
      expect(seen).to.deep.equal([...seen].sort().reverse());
      expect(new Set(seen).size).to.equal(seen.length);
    });

    it('shows partners their side alone', async () => {
      const { id: partnerId } = await exchange.create('/api/partners', {});
      const other = await exchange.create('/api/partners', {});
      const loser = market.bidders[1]!;
      const given = await exchange.call('PUT', `/api/demand/sources/${loser.dspId}`, { partner_id: partnerId });
      expect(given.status, JSON.stringify(given.body)).to.equal(200);
      const { id: requestId } = await sold(market);
      const whole = await recorded(exchange, market, requestId);
      const as = { 'X-User-Partner-ID': partnerId };
      const { status, body: part } = await exchange.get(`/api/auctions/${whole.id}`, as);
      expect(status).to.equal(200);
      expect(part).to.include({ sees: 'parts', reason: null, demand_left_out: null });
      expect(part.summary).to.equal('Lost: the bid, 1 CPM, was below the floor of 1.5 CPM.');
      expect(part.demand.map(({ dsp_id }: { dsp_id: string }) => dsp_id)).to.deep.equal([loser.dspId]);
      expect(part.demand[0].bids[0]).to.include({ clearing_cpm: 3, min_to_win_cpm: 3 });
      expect(part.sold).to.deep.equal([]);
      expect(JSON.stringify(part)).not.to.contain(market.bidders[0]!.dspId);
      expect((await explored('', as)).body.auctions).to.deep.equal([]);
      expect((await explored(`dsp_id=${loser.dspId}`, as)).body.auctions).not.to.have.length(0);
      expect((await explored(`dsp_id=${market.bidders[0]!.dspId}`, as)).status).to.equal(404);
      expect((await explored(`publisher_id=${market.publisherId}`, as)).status).to.equal(404);
      expect((await exchange.get(`/api/auctions/${whole.id}`, { 'X-User-Partner-ID': other.id })).status).to.equal(404);
    });

    describe('by the key of a single source', () => {
      const keyOf = async (path: string): Promise<Record<string, string>> => {
        const user = { 'X-API-Key': '', Cookie: await exchange.running.logIn() };
        const shown = await exchange.call('POST', `${path}/key`, undefined, user);
        expect(shown.status, JSON.stringify(shown.body)).to.equal(201);
        return { 'X-API-Key': shown.body.key };
      };
      let rival: Market;
      let seller: Record<string, string>;
      let winner: Record<string, string>;
      let loser: Record<string, string>;
      let stranger: Record<string, string>;
      before(async () => {
        const [high, low] = market.bidders.map(({ dspId }) => `/api/demand/sources/${dspId}`);
        rival = await exchange.market({ bidders: [{ script: bids({ price: 5 }) }] });
        seller = await keyOf(`/api/supply/sources/${market.publisherId}`);
        [winner, loser] = [await keyOf(high!), await keyOf(low!)];
        stranger = await keyOf(`/api/demand/sources/${rival.bidders[0]!.dspId}`);
      });

      const read = async (path: string, key: Record<string, string>) => {
        const { status, body } = await exchange.get(path, key);
        expect(status, JSON.stringify(body)).to.equal(200);
        return body;
      };
      const named = (body: { auctions: { auction_id: string }[] }, id: string) =>
        body.auctions.find(({ auction_id }) => auction_id === id);

      it('shows a publisher its own auctions, without those who bid in them', async () => {
        const [{ id }, other] = [await sold(market), await sold(rival)];
        const whole = await recorded(exchange, market, id);
        await recorded(exchange, rival, other.id);
        const body = await read('/api/source/auctions?limit=200', seller);
        expect(named(body, id)).to.include({ id: whole.id, outcome: 'filled', publisher_id: market.publisherId });
        expect(named(body, id)).to.include({ summary: whole.summary, sees: 'whole' });
        expect(named(body, other.id)).to.equal(undefined);
        for (const { dspId } of market.bidders) expect(JSON.stringify(body)).not.to.contain(dspId);
        const foreign = `/api/source/auctions?publisher_id=${rival.publisherId}&limit=200`;
        expect(named(await read(foreign, seller), other.id)).to.equal(undefined);
        const { auctions } = await read('/api/source/auctions?outcome=blocked', seller);
        expect(auctions.every(({ outcome }: { outcome: string }) => outcome === 'blocked')).to.equal(true);
      });

      it('shows a publisher one auction of its own: the buyer, and no other bidder', async () => {
        const [{ id }, other] = [await sold(market), await sold(rival)];
        const whole = await recorded(exchange, market, id);
        const elsewhere = await recorded(exchange, rival, other.id);
        const [high, low] = market.bidders.map(({ dspId }) => dspId);
        const body = await read(`/api/source/auctions/${whole.id}`, seller);
        expect(body.sold).to.deep.equal(whole.sold);
        expect(body).to.include({ summary: whole.summary, sees: 'whole', demand_left_out: whole.demand_left_out });
        const [won, lost] = ['won', 'lost'].map((outcome) =>
          body.demand.find((part: { outcome: string }) => part.outcome === outcome),
        );
        expect([won.dsp_id, won.bids[0].won, won.bids[0].seat]).to.deep.equal([high, true, null]);
        expect(lost.dsp_id).to.match(/^bidder-\d$/);
        expect(lost.bids[0]).to.deep.include({
          ...{ price_cpm: 1, reason: 'below-floor', bid_id: null, crid: null, adomain: [], seat: null },
        });
        expect(JSON.stringify(body)).not.to.contain(low);
        expect((await exchange.get(`/api/source/auctions/${elsewhere.id}`, seller)).status).to.equal(404);
        expect((await exchange.get('/api/source/auctions/no-uuid', seller)).status).to.equal(404);
      });

      it('shows a publisher the deal of its buyer, and of no other bidder', async () => {
        const traded = await exchange.market({
          bidders: [
            { script: bids({ price: 3, dealid: 'deal-of-winner' }) },
            { script: bids({ price: 2, dealid: 'deal-of-loser' }) },
          ],
        });
        const { id } = traded.request();
        const deals = ['deal-of-winner', 'deal-of-loser'].map((deal) => ({ id: deal }));
        const imp = [{ id: '1', banner: { w: 300, h: 250 }, pmp: { private_auction: 0, deals } }];
        expect((await traded.ask({ id, imp })).status).to.equal(200);
        const whole = await recorded(exchange, traded, id);
        const dealsOf = (auction: { demand: { bids: { won: boolean; deal_id: string | null }[] }[] }) =>
          auction.demand.flatMap(({ bids: all }) => all.map(({ won, deal_id }) => `${won} ${deal_id}`));
        expect(dealsOf(whole)).to.have.members(['true deal-of-winner', 'false deal-of-loser']);
        const key = await keyOf(`/api/supply/sources/${traded.publisherId}`);
        const own = await read(`/api/source/auctions/${whole.id}`, key);
        expect(dealsOf(own)).to.have.members(['true deal-of-winner', 'false null']);
      });

      it('shows a demand source its own part of one auction, and no other bidder', async () => {
        const [{ id }, other] = [await sold(market), await sold(rival)];
        const whole = await recorded(exchange, market, id);
        const elsewhere = await recorded(exchange, rival, other.id);
        const [high, low] = market.bidders.map(({ dspId }) => dspId);
        const body = await read(`/api/demand/auctions/${whole.id}`, loser);
        const own = whole.demand.find((part: { dsp_id: string }) => part.dsp_id === low);
        expect(body).to.deep.include({ demand: [own], sold: [], sees: 'parts', reason: null, demand_left_out: null });
        expect(JSON.stringify(body)).not.to.contain(high);
        expect((await read(`/api/demand/auctions/${whole.id}`, winner)).sold).to.deep.equal(whole.sold);
        expect((await exchange.get(`/api/demand/auctions/${elsewhere.id}`, loser)).status).to.equal(404);
        expect((await exchange.get(`/api/demand/auctions/${whole.id}`, stranger)).status).to.equal(404);
      });

      it('quotes no URL of a creative to a publisher', async () => {
        const adm = '<img src="http://cdn.example/hers.png">';
        const plain = await exchange.market({ bidders: [{ script: bids({ price: 3, adm }) }] });
        const { id } = plain.request();
        const imp = [{ id: '1', banner: { w: 300, h: 250 }, secure: 1 }];
        expect((await plain.ask({ id, imp })).status).to.equal(204);
        await recorded(exchange, plain, id);
        const key = await keyOf(`/api/supply/sources/${plain.publisherId}`);
        const body = await read('/api/source/auctions', key);
        expect(named(body, id)).to.include({ outcome: 'unfilled' });
        expect(JSON.stringify(body)).to.contain('must be secure').and.not.to.contain('cdn.example');
      });

      it('shows a demand source its own part alone, of a publisher of its own account too', async () => {
        const [{ id }, other] = [await sold(market), await sold(rival)];
        await recorded(exchange, market, id);
        await recorded(exchange, rival, other.id);
        const body = await read('/api/demand/auctions?limit=200', loser);
        const mine = named(body, id);
        expect(mine).to.include({ sees: 'parts', reason: null, remedy: null });
        expect(mine).to.include({ summary: 'Lost: the bid, 1 CPM, was below the floor of 1.5 CPM.' });
        expect(named(body, other.id)).to.equal(undefined);
        expect(new Set(body.auctions.map(({ sees }: { sees: string }) => sees))).to.deep.equal(new Set(['parts']));
        expect(named(await read('/api/demand/auctions?outcome=won&limit=200', winner), id)).to.include({
          summary: 'Won at 3 CPM.',
        });
        expect((await read('/api/demand/auctions?outcome=won', loser)).auctions).to.deep.equal([]);
        const asked = `dsp_id=${market.bidders[1]!.dspId}&publisher_id=${market.publisherId}`;
        expect((await read(`/api/demand/auctions?${asked}`, stranger)).auctions).to.deep.equal([]);
      });

      it('counts the reasons of its own part', async () => {
        const { id } = await sold(market);
        await recorded(exchange, market, id);
        const reasonsOf = (body: { reasons: { reason: string }[] }) => body.reasons.map(({ reason }) => reason);
        const ofAccount = (query: string) => exchange.get(`/api/auctions/reasons?${query}`).then(({ body }) => body);
        const own = await read('/api/demand/reasons', loser);
        expect(reasonsOf(own)).to.deep.equal(['below-floor']);
        expect(own).to.deep.equal(await ofAccount(`dsp_id=${market.bidders[1]!.dspId}`));
        expect(reasonsOf(await read('/api/demand/reasons', winner))).to.deep.equal([]);
        const ofPublisher = await read('/api/source/reasons', seller);
        expect(reasonsOf(ofPublisher)).to.include.members(['below-floor', 'no-bid']);
        expect(ofPublisher).to.deep.equal(await ofAccount(`publisher_id=${market.publisherId}`));
      });

      it('refuses keys of the other kind, outcomes of demand to publishers, and what is no cursor', async () => {
        for (const path of ['/api/source/auctions', '/api/source/reasons']) {
          expect((await exchange.get(path, loser)).status).to.equal(403);
        }
        for (const path of ['/api/demand/auctions', '/api/demand/reasons', '/api/auctions']) {
          expect((await exchange.get(path, seller)).status).to.equal(403);
        }
        expect((await exchange.get('/api/source/auctions?outcome=won', seller)).status).to.equal(400);
        expect((await exchange.get('/api/source/auctions?cursor=nonsense', seller)).status).to.equal(400);
        expect((await exchange.get('/api/demand/auctions?outcome=won&reason=below-floor', loser)).status).to.equal(400);
      });
    });

    it('keeps the sandbox apart, and flushes it', async () => {
      const sandbox = { 'X-Sandbox': 'true' };
      const { id } = market.request();
      await market.ask({ id }, sandbox);
      const inSandbox = () => found(exchange, `publisher_id=${market.publisherId}`, sandbox);
      const [auction] = await inSandbox();
      expect(auction).to.include({ auction_id: id, sandbox: true, outcome: 'unfilled', reason: 'no-demand' });
      expect((await exchange.get(`/api/auctions/${auction.id}`)).status).to.equal(404);
      expect((await exchange.get(`/api/auctions/${auction.id}`, sandbox)).status).to.equal(200);
      expect((await exchange.call('POST', '/api/sandbox/reset', {}, sandbox)).status).to.equal(200);
      expect((await explored('', sandbox)).body.auctions).to.deep.equal([]);
      expect((await exchange.get(`/api/auctions/${auction.id}`, sandbox)).status).to.equal(404);
      expect((await explored(`publisher_id=${market.publisherId}`)).body.auctions).not.to.have.length(0);
    });

    it('refuses what is no cursor, and outcomes of a demand source without one', async () => {
      expect((await explored('cursor=nonsense')).body.error).to.include({ code: 'INVALID_PARAMS', field: 'cursor' });
      expect((await explored('outcome=won')).body.error).to.include({ code: 'INVALID_PARAMS', field: 'outcome' });
      expect((await explored('outcome=eaten')).status).to.equal(400);
      expect((await explored('reason=eaten')).body.error).to.include({ code: 'INVALID_PARAMS', field: 'reason' });
      const leapSecond = 'from=2026-06-30T23:59:60Z';
      expect((await explored(leapSecond)).body.error).to.include({ code: 'INVALID_PARAMS', field: 'from' });
      expect((await exchange.get('/api/auctions/no-uuid')).status).to.equal(404);
    });
  },
  { pairs: PROVIDER_PAIRS, environment: EVERYTHING },
);

async function sold(market: Market): Promise<{ id: string }> {
  const { id } = market.request();
  expect((await market.ask({ id })).status).to.equal(200);
  return { id };
}

/** The whole record of the auction with this request id. */
async function recorded(exchange: ExchangeUnderTest, market: Market, requestId: string) {
  const listed = await eventually(`the auction ${requestId} to be recorded`, async () => {
    const { body } = await exchange.get(`/api/auctions?publisher_id=${market.publisherId}&limit=50`);
    return body.auctions.find(({ auction_id }: { auction_id: string }) => auction_id === requestId);
  });
  const { status, body } = await exchange.get(`/api/auctions/${listed.id}`);
  expect(status, JSON.stringify(body)).to.equal(200);
  return body;
}

function found(exchange: ExchangeUnderTest, query: string, headers: Record<string, string> = {}) {
  return eventually(`auctions with ${query}`, async () => {
    const { status, body } = await exchange.get(`/api/auctions?${query}`, headers);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.auctions.length > 0 ? body.auctions : undefined;
  });
}
