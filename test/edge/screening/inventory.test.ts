import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { bids } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest, jsonOf } from '../../support/edge.ts';

/** What edges know of a source whose file, on this domain, lists the exchange. */
const verifiedFor = (domain: string) => ({ id: 'pub-1', domain });

const KEY = 'pk_live_of-the-account';

describe('the inventory that a caller may claim', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest({}, undefined, { maxKeylessRequestsPerSecondPerAddress: 2 }).start();
    exchange.apiKey(KEY);
  });
  afterEach(() => exchange.close());

  const app = (bundle: string) => bannerRequest({ site: undefined, app: { id: 'pub-1', bundle } });
  const statusOf = async (request: object, headers: Record<string, string> = {}) =>
    (await exchange.post(request, headers)).status;

  it('is what the source has declared: further domains, bundles and numbers in stores', async () => {
    await exchange.bidder(bids({ price: 1 }));
    expect(await statusOf(app('com.site.reader'))).to.equal(403);
    expect(await statusOf(bannerRequest({ site: { id: 'pub-1', domain: 'second.test' } }))).to.equal(403);
    exchange.publisher({ identities: ['second.test', 'com.site.reader', '302000101'] });
    expect(await statusOf(app('com.site.reader'))).to.equal(200);
    expect(await statusOf(app('id302000101'))).to.equal(200);
    expect(await statusOf(bannerRequest({ site: { id: 'pub-1', domain: 'm.second.test' } }))).to.equal(200);
    for (const bundle of ['1', 'B00ABCDEFG', 'com.site', 'com.site.reader.pro', '302000102']) {
      expect(await statusOf(app(bundle)), bundle).to.equal(403);
    }
  });

  it('must be verified where the pool requires it, for the domain that its file was read for', async () => {
    await exchange.bidder(bids({ price: 1 }));
    exchange.publisher({ identities: ['second.test'] });
    exchange.pool({ requireVerified: true });
    const refused = await exchange.post(bannerRequest());
    expect(refused.status).to.equal(403);
    expect((await jsonOf(refused)).error.message).to.match(/^The pool takes verified supply alone/);
    exchange.replica.put('verification', verifiedFor('site.test'));
    expect(await statusOf(bannerRequest())).to.equal(200);
    expect(await statusOf(bannerRequest({ site: { id: 'pub-1', domain: 'second.test' } }))).to.equal(403);
    exchange.publisher({ status: 'sandbox' });
    exchange.replica.put('verification', verifiedFor('elsewhere.test'));
    expect(await statusOf(bannerRequest()), 'in the sandbox').not.to.equal(403);
    expect(await exchange.counted('publisher', 'pub-1')).to.include({ 'blocked/unverified-supply': 2 });
  });

  it('needs the key of a source that requires it, in tags too', async () => {
    await exchange.bidder(bids({ price: 1 }));
    const own = 'pub_1_0123456789';
    exchange.publisher({ requireKey: true, sourceKeyId: createHash('sha256').update(own).digest('hex') });
    const refused = await exchange.post(bannerRequest());
    expect(refused.status).to.equal(401);
    expect((await jsonOf(refused)).error.code).to.equal('UNAUTHORIZED');
    expect((await exchange.get('/ad?publisher_id=pub-1&format=banner&w=300&h=250')).status).to.equal(401);
    expect(await statusOf(bannerRequest(), { 'x-api-key': KEY })).to.equal(200);
    expect(await statusOf(bannerRequest(), { 'x-api-key': own })).to.equal(200);
    expect(await exchange.counted('publisher', 'pub-1')).to.include({ 'blocked/key-required': 2 });
  });

  it('is sold without a key and a device at a bounded rate for each address of a caller', async () => {
    const nameless = () => bannerRequest({ device: undefined });
    // A bucket holds ten seconds' worth; what fills up meanwhile is given some room.
    const statuses = await Promise.all(Array.from({ length: 60 }, () => statusOf(nameless())));
    const refused = statuses.filter((status) => status === 403).length;
    expect(refused).to.be.within(20, 40);
    expect(await statusOf(nameless(), { 'x-api-key': KEY })).to.equal(204);
    expect(await statusOf(bannerRequest({ device: { ip: '91.12.44.7' } }))).to.equal(204);
    expect(await exchange.counted('publisher', 'pub-1')).to.include({ 'blocked/caller-flood': refused });
  });
});
