import { expect } from 'chai';
import type { Bid } from '#exchange/openrtb/bid-response';
import { BidCache } from '#gateways/edge/prebid-server/bid-cache';
import { TextTable } from '#runtime/expiring/text-table';
import { CountersUnavailable } from '#runtime/ports/errors';
import { systemRandom } from '#runtime/providers/system/system-random';
import { VirtualClock } from '#test/support/virtual-clock';

const BID: Bid = { id: 'b', impid: '1', price: 1, adm: '<b>an ad</b>', mtype: 1 };
const BIDS = { bids: true, vast: false };
const WITHIN_MS = 50;
const BYTES = Buffer.byteLength(JSON.stringify(BID));

describe('gateways/edge/prebid-server/bid-cache', () => {
  const clock = new VirtualClock();
  const cacheOf = (maxBytes: number, publicEdgeUrl = 'https://edge.test', texts = new TextTable(clock)) =>
    new BidCache({ texts, clock, random: systemRandom, publicEdgeUrl, maxBytes });

  it('leads to the bid by a name that nobody can guess', async () => {
    const cache = cacheOf(BYTES, 'https://edge.test:8443/ads');
    const stored = await cache.store(BID, BIDS, WITHIN_MS);
    expect(stored).to.deep.include({ host: 'edge.test:8443', path: '/ads/cache', vastId: null });
    expect(stored!.bidId).to.match(/^[\w-]{22}$/);
    expect(cache.urlOf(stored!.bidId!)).to.equal(`https://edge.test:8443/ads/cache?uuid=${stored!.bidId}`);
    expect(await cache.find(stored!.bidId!)).to.deep.equal({ type: 'application/json', text: JSON.stringify(BID) });
    expect(await cache.find('another')).to.equal(null);
  });

  it('holds no more of one edge than its bound, until what was stored has expired', async () => {
    const cache = cacheOf(2 * BYTES + 1);
    for (const room of [true, true, false]) expect((await cache.store(BID, BIDS, WITHIN_MS)) !== null).to.equal(room);
    clock.advance(300_000);
    expect(await cache.store(BID, BIDS, WITHIN_MS)).to.not.equal(null);
    expect(await cacheOf(0).store(BID, BIDS, WITHIN_MS)).to.equal(null);
  });

  it('stores the VAST of what is played alone', async () => {
    const all = { bids: true, vast: true };
    const vast = await cacheOf(10_000).store({ ...BID, mtype: 2, adm: '<VAST/>' }, all, WITHIN_MS);
    expect(vast!.vastId).to.be.a('string');
    expect((await cacheOf(10_000).store(BID, all, WITHIN_MS))!.vastId).to.equal(null);
  });

  it('answers bids without an id where nothing can be stored', async () => {
    const texts = new TextTable(clock);
    const cache = cacheOf(10_000, 'https://edge.test', texts);
    texts.close();
    expect(await cache.store(BID, BIDS, WITHIN_MS)).to.equal(null);
    expect(await cache.find('name').catch((error: unknown) => error)).to.be.instanceOf(CountersUnavailable);
  });

  it('waits for a cache that hangs no longer than it may, and keeps the names of what was stored by then', async () => {
    const texts = new TextTable(clock);
    const put = texts.put.bind(texts);
    let fail = (_: Error) => {};
    texts.put = (name, text, forMs) =>
      text.startsWith('<') ? new Promise((_, reject) => (fail = reject)) : put(name, text, forMs);
    const cache = cacheOf(10_000, 'https://edge.test', texts);
    const storing = cache.store({ ...BID, mtype: 2, adm: '<VAST/>' }, { bids: true, vast: true }, WITHIN_MS);
    // The bid is stored in this turn.
    await new Promise(setImmediate);
    clock.advance(WITHIN_MS);
    const stored = await storing;
    expect([typeof stored!.bidId, stored!.vastId]).to.deep.equal(['string', null]);
    fail(new CountersUnavailable('too late to matter'));
  });
});
