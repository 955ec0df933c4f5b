import { expect } from 'chai';
import { bids, type ScriptedBidder } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest, jsonOf, KNOWN_DEVICE } from '../../support/edge.ts';

/** A bidder that answers when it is told to. */
function held(): { script: ScriptedBidder['script']; release: () => void } {
  const waiting: (() => void)[] = [];
  return {
    script: (received, response) => waiting.push(() => bids({ price: 1 })(received, response)),
    release: () => {
      for (const answer of waiting.splice(0)) answer();
    },
  };
}

describe('the edge under load and at its end', () => {
  it('turns requests away past its bound, and takes them again after', async () => {
    const exchange = await new EdgeUnderTest({ maxAuctionsInFlight: 1 }).start();
    const bidder = held();
    const { waitForRequests: heard } = await exchange.bidder(bidder.script);
    const first = exchange.post(bannerRequest());
    await heard('/bid');
    const shed = await exchange.post(bannerRequest());
    expect(shed.status).to.equal(503);
    expect(shed.headers.get('retry-after')).to.equal('30');
    expect((await jsonOf(shed)).error.code).to.equal('SERVICE_UNAVAILABLE');
    bidder.release();
    expect((await first).status).to.equal(200);
    const again = exchange.post(bannerRequest());
    await heard('/bid', 2);
    bidder.release();
    expect((await again).status).to.equal(200);
    await exchange.close();
  });

  it('answers 503 AUCTION_TIMEOUT when it has overrun its own time', async () => {
    const exchange = await new EdgeUnderTest({ maxAuctionMs: 20 }).start();
    await exchange.bidder(() => undefined, { timeoutMs: 50 });
    const response = await exchange.post(bannerRequest());
    expect(response.status).to.equal(503);
    expect((await jsonOf(response)).error.code).to.equal('AUCTION_TIMEOUT');
    await exchange.close();
  });

  it('releases the place under a frequency cap that an unanswered auction took', async () => {
    const exchange = await new EdgeUnderTest({ maxAuctionMs: 20 }).start();
    await exchange.bidder(() => undefined, { timeoutMs: 50, id: 'dsp-2' });
    exchange.delegate([{ id: 'campaign-1', frequency_cap: { max_impressions: 1 } }]);
    expect((await exchange.post(bannerRequest({ device: KNOWN_DEVICE }))).status).to.equal(503);
    expect(exchange.caps.released).to.have.length(1);
    expect(exchange.pace.reserved).to.deep.equal([]);
    expect([...exchange.pace.biddingNanos]).to.deep.equal([]);
    exchange.replica.remove('dsp', 'dsp-2');
    expect((await exchange.post(bannerRequest({ device: KNOWN_DEVICE }))).status, 'the same device').to.equal(200);
    await exchange.close();
  });

  it('finishes auctions under way before it closes, and takes no more', async () => {
    const exchange = await new EdgeUnderTest().start();
    const bidder = held();
    const { waitForRequests: heard } = await exchange.bidder(bidder.script);
    const last = exchange.post(bannerRequest());
    await heard('/bid');
    const closed = exchange.close();
    bidder.release();
    const { status, headers } = await last;
    expect(status).to.equal(200);
    expect(headers.get('connection'), 'its last answer').to.equal('close');
    await closed;
    const refused = await exchange.post(bannerRequest()).then(
      () => false,
      () => true,
    );
    expect(refused).to.equal(true);
  });

  it('goes on auctioning while the log is away', async () => {
    const exchange = await new EdgeUnderTest().start();
    await exchange.bidder(bids({ price: 1 }));
    exchange.isLogUnavailable = true;
    expect((await exchange.post(bannerRequest())).status).to.equal(200);
    await exchange.facts.flush();
    expect((await exchange.post(bannerRequest())).status).to.equal(200);
    expect(exchange.toldMessages).to.deep.equal([]);
    exchange.isLogUnavailable = false;
    expect(await exchange.counted('publisher', 'pub-1')).to.include({ auctions: 1 });
    await exchange.close();
  });

  it('says that it is not ready before it knows the catalogue', async () => {
    const exchange = new EdgeUnderTest();
    exchange.replica.ready = false;
    await exchange.start();
    const response = await exchange.post(bannerRequest());
    expect(response.status).to.equal(503);
    await exchange.close();
  });
});
