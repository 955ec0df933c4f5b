import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { bids, noBid } from '#test/support/bidder';
import { EdgeUnderTest } from '#test/support/edge';

const REASON = 'x-no-fill-reason';
const DETAIL = 'x-no-fill-detail';
const OURS = { 'X-API-Key': 'sk_ours' };

const TAGS = [
  { format: 'banner', path: '/ad?publisher_id=pub-1&format=banner' },
  { format: 'video', path: '/vast?site_id=pub-1' },
  { format: 'audio', path: '/ad?publisher_id=pub-1&format=audio' },
  { format: 'native', path: '/ad?publisher_id=pub-1&format=native' },
] as const;

describe('a tag that comes back empty', () => {
  let edge: EdgeUnderTest;
  beforeEach(async () => {
    edge = await new EdgeUnderTest().start();
    edge.apiKey('sk_ours', { accountId: 'account-1' });
    edge.apiKey('sk_theirs', { accountId: 'account-2' });
  });
  afterEach(() => edge.close());

  const get = (path: string, headers: Record<string, string> = {}) => edge.get(path, headers);

  for (const { format, path } of TAGS) {
    it(`says why to who asks with a key of the account: ${format}`, async () => {
      await edge.bidder(noBid());
      const response = await get(`${path}&debug=1`, OURS);
      // On a busy machine it may be late.
      expect(response.headers.get(REASON)).to.be.oneOf(['no-bid', 'timeout']);
      expect(response.headers.get(DETAIL)).to.match(/^Not filled\. The demand source .* To change it: /);
      const body = await response.text();
      if (format === 'native') expect([response.status, body]).to.deep.equal([204, '']);
      else expect(body).to.match(/<!-- No ad: Not filled\. The demand source .* -->/);
    });

    it(`states only the reason in the sandbox, to any caller: ${format}`, async () => {
      edge.publisher({ status: 'sandbox' });
      await edge.bidder(bids({ price: 1 }), { status: 'sandbox' });
      edge.pool({ floorCpmMicros: 5_000_000 });
      const response = await get(path);
      expect(response.headers.get(REASON)).to.be.oneOf(['below-floor', 'format-not-offered']);
      expect(response.headers.get(DETAIL)).to.equal(null);
    });

    it(`states nothing to other callers: ${format}`, async () => {
      await edge.bidder(noBid());
      const response = await get(path);
      expect(response.headers.get(REASON)).to.equal(null);
      expect(await response.text()).not.to.contain('No ad');
    });
  }

  it('says which creative could not be shown and why', async () => {
    const html = '<img src="http://plain.test/a.gif"><!-- --><b>';
    edge.delegate([{ id: 'plain', creatives: [{ creative_id: 'c-->1', html, width: 300, height: 250 }] }]);
    const response = await get(`${TAGS[0].path}&debug=1`, OURS);
    expect(response.headers.get(REASON)).to.equal('creative-unavailable');
    const asBearer = await get(`${TAGS[0].path}&debug=1`, { Authorization: 'Bearer sk_ours' });
    expect(asBearer.headers.get(REASON)).to.equal('creative-unavailable');
    expect(response.headers.get(DETAIL)).to.contain('http://plain.test/a.gif').and.to.contain('secure=0');
    // What a buyer wrote ends no comment.
    expect((await response.text()).split('-->')).to.have.length(2);
  });

  it('states only the reason to the publisher’s own key, and never who bid', async () => {
    const own = 'pub_1_own';
    edge.publisher({ sourceKeyId: createHash('sha256').update(own).digest('hex') });
    const html = '<img src="http://plain.test/a.gif">';
    edge.delegate([{ id: 'plain', creatives: [{ creative_id: 'c-1', html, width: 300, height: 250 }] }]);
    const response = await get(`${TAGS[0].path}&debug=1`, { 'X-API-Key': own });
    expect(response.headers.get(REASON)).to.equal('creative-unavailable');
    expect(response.headers.get(DETAIL)).to.equal(null);
    expect(await response.text()).to.contain('<!-- No ad: creative‐unavailable -->');
  });

  it('is XML whatever a buyer wrote', async () => {
    const html = '<img src="http://plain.test/\u0001\u0000.gif">';
    edge.delegate([{ id: 'plain', creatives: [{ creative_id: 'c-1', html, width: 300, height: 250 }] }]);
    const text = await (await get(`${TAGS[0].path}&debug=1`, OURS)).text();
    expect(text).to.contain('http://plain.test/');
    expect([...text].filter((character) => character < ' ')).to.deep.equal([]);
  });

  it('is refused where debug is asked for without a key, with another account’s, or with one that is none', async () => {
    const path = `${TAGS[0].path}&debug=1`;
    expect((await get(path)).status).to.equal(401);
    expect((await get(path, { 'X-API-Key': 'sk_theirs' })).status).to.equal(403);
    expect((await get(path, { 'X-API-Key': 'sk_nobodys' })).status).to.equal(401);
    expect((await get(`${TAGS[0].path}&debug=2`, OURS)).status).to.equal(400);
  });

  it('says nothing of an ad that was sold', async () => {
    await edge.bidder(bids({ price: 3 }));
    const response = await get(`${TAGS[0].path}&debug=1`, OURS);
    expect(response.headers.get(REASON)).to.equal(null);
    expect(await response.text()).to.contain('/track/impression?');
  });
});

describe('a tag that says nothing of secure', () => {
  let edge: EdgeUnderTest;
  afterEach(() => edge.close());

  const asked = async (publicEdgeUrl: string, headers: Record<string, string> = {}, query = '') => {
    edge = await new EdgeUnderTest({ publicEdgeUrl }).start();
    const bidder = await edge.bidder(noBid());
    await edge.get(`/vast?site_id=pub-1${query}`, headers);
    return (await bidder.waitForRequests('/bid'))[0]!.body.imp[0].secure;
  };

  it('does not ask for it over plain HTTP on a local name', async () => {
    expect(await asked('http://localhost:8081')).to.equal(0);
  });

  it('asks for it where it says so', async () => {
    expect(await asked('http://localhost:8081', {}, '&secure=1')).to.equal(1);
  });

  it('asks for it behind a proxy, which may speak HTTPS', async () => {
    expect(await asked('http://localhost:8081', { 'X-Forwarded-Proto': 'https' })).to.equal(1);
  });

  it('asks for it where the edge is known by an HTTPS address', async () => {
    expect(await asked('https://rtb.exchange.test')).to.equal(1);
  });
});
