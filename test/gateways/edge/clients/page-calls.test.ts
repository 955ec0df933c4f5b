import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { bids } from '#test/support/bidder';
import { BROWSER_USER_AGENT } from '#test/support/browser';
import { bannerRequest, EdgeUnderTest, jsonOf } from '#test/support/edge';

/** What Chromium 124 says of itself over https. */
const HINTS = {
  'sec-ch-ua': '"Chromium";v="124", "Google Chrome";v="124", "Not-A.Brand";v="99"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
};
const VIEWER = '198.51.100.20';
const PAGE = { origin: 'https://site.test', 'content-type': 'text/plain', 'x-forwarded-for': VIEWER };

describe('a bid request of a page', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest({ trustProxyHops: 1 }).start();
  });
  afterEach(() => exchange.close());

  /** The device that the bidder was told of. */
  async function deviceTold(device: object | undefined, headers: Readonly<Record<string, string>>) {
    const bidder = await exchange.bidder(bids({ price: 1 }), { openrtbVersion: '2.6' });
    expect((await exchange.post(bannerRequest({ device }), headers)).status).to.equal(200);
    return bidder.received[0]!.body.device;
  }

  for (const [what, headers] of [
    ['as text/plain', { 'content-type': 'text/plain' }],
    ['as text/plain with a charset', { 'content-type': 'text/plain;charset=UTF-8' }],
    ['as application/octet-stream', { 'content-type': 'application/octet-stream' }],
    ['with an empty content type', { 'content-type': '' }],
  ] as const) {
    it(`is taken ${what}`, async () => {
      await exchange.bidder(bids({ price: 1 }));
      expect((await exchange.post(bannerRequest(), headers)).status).to.equal(200);
    });
  }

  it('is taken compressed without a Content-Encoding, with ?gzip=1 and without, however long it is', async () => {
    await exchange.bidder(bids({ price: 1 }));
    for (const path of ['/rtb?gzip=1', '/rtb', '/?gzip=1']) {
      for (const filler of ['', Array.from({ length: 20_000 }, (_, at) => at.toString(36))]) {
        const body = gzipSync(JSON.stringify(bannerRequest({ ext: { filler } })));
        expect((await exchange.post(body, { 'content-type': 'text/plain' }, path)).status, path).to.equal(200);
      }
    }
    const plain = await exchange.post(bannerRequest(), { 'content-type': 'text/plain' }, '/rtb?gzip=1');
    expect(plain.status, 'said to be gzip and is not').to.equal(200);
  });

  it('has address, user agent, language and client hints of its connection where it leaves them out', async () => {
    const said = { ...PAGE, ...HINTS, 'user-agent': BROWSER_USER_AGENT, 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' };
    expect(await deviceTold(undefined, said)).to.deep.equal({
      ip: VIEWER,
      ua: BROWSER_USER_AGENT,
      language: 'de',
      sua: {
        browsers: [
          { brand: 'Chromium', version: ['124'] },
          { brand: 'Google Chrome', version: ['124'] },
          { brand: 'Not-A.Brand', version: ['99'] },
        ],
        platform: { brand: 'Windows' },
        mobile: 0,
        source: 1,
      },
    });
  });

  it('keeps what it states of its device', async () => {
    const device = {
      ip: '203.0.113.7',
      ua: `${BROWSER_USER_AGENT} stated`,
      language: 'fr',
      sua: { browsers: [] },
      w: 1,
    };
    const said = { ...PAGE, ...HINTS, 'user-agent': BROWSER_USER_AGENT, 'accept-language': 'de' };
    expect(await deviceTold(device, said)).to.deep.equal(device);
  });

  it('has its IPv6 address in ipv6, in place of an ip that is none', async () => {
    const told = await deviceTold(
      { ip: 'peer', ua: BROWSER_USER_AGENT },
      { ...PAGE, 'x-forwarded-for': '2001:db8::9' },
    );
    expect(told).to.include({ ipv6: '2001:db8::9' }).and.not.have.property('ip');
  });

  it('tells hints of high entropy as such, and none that cannot be read', async () => {
    const high = {
      ...HINTS,
      'sec-ch-ua-full-version-list': '"Chromium";v="124.0.6367.60"',
      'sec-ch-ua-platform-version': '"15.0.0"',
      'sec-ch-ua-arch': '"x86"',
      'sec-ch-ua-bitness': '"64"',
      'sec-ch-ua-model': '""',
    };
    expect((await deviceTold(undefined, { ...PAGE, ...high, 'user-agent': BROWSER_USER_AGENT })).sua).to.deep.equal({
      browsers: [{ brand: 'Chromium', version: ['124', '0', '6367', '60'] }],
      platform: { brand: 'Windows', version: ['15', '0', '0'] },
      mobile: 0,
      architecture: 'x86',
      bitness: '64',
      source: 2,
    });
    const odd = { ...PAGE, 'sec-ch-ua': 'nothing;v=1', 'accept-language': '*' };
    expect(await deviceTold({ ua: BROWSER_USER_AGENT }, odd)).to.have.all.keys('ip', 'ua');
  });

  it('is screened by its connection', async () => {
    await exchange.bidder(bids({ price: 1 }));
    const headless = { ...PAGE, ...HINTS, 'user-agent': BROWSER_USER_AGENT, 'sec-ch-ua': '"HeadlessChrome";v="124"' };
    const crawler = { ...PAGE, 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' };
    for (const headers of [headless, crawler]) {
      expect((await exchange.post(bannerRequest({ device: undefined }), headers)).status).to.equal(403);
    }
    expect(await exchange.counted('publisher', 'pub-1')).to.include({ 'blocked/bot': 2 });
  });

  for (const [stated, told] of [
    ['198.51.100.30:51234', { ip: '198.51.100.30' }],
    ['[2001:db8::30]:51234', { ipv6: '2001:db8::30' }],
    ['unknown', {}],
  ] as const) {
    it(`has no port of what a proxy states as ${stated}`, async () => {
      const device = (await deviceTold({ ua: BROWSER_USER_AGENT }, { ...PAGE, 'x-forwarded-for': stated })) ?? {};
      const { ip, ipv6 } = device;
      expect({ ...(ip !== undefined && { ip }), ...(ipv6 !== undefined && { ipv6 }) }).to.deep.equal(told);
    });
  }

  it('of a private address is refused where viewers have public ones', async () => {
    await exchange.close();
    exchange = await new EdgeUnderTest({ trustProxyHops: 1 }, undefined, { allowPrivateNetworks: false }).start();
    await exchange.bidder(bids({ price: 1 }));
    const inside = { ...PAGE, 'x-forwarded-for': '10.0.0.9', 'user-agent': BROWSER_USER_AGENT };
    expect((await exchange.post(bannerRequest({ device: undefined }), inside)).status).to.equal(403);
    expect(await exchange.counted('publisher', 'pub-1')).to.include({ 'blocked/private-address': 1 });
  });

  it('of a server keeps what it states, and says nothing of its connection', async () => {
    const { origin: _, ...server } = { ...PAGE, ...HINTS, 'user-agent': BROWSER_USER_AGENT, 'accept-language': 'de' };
    expect(await deviceTold({ language: 'fr' }, server)).to.deep.equal({ language: 'fr' });
    expect(await deviceTold(undefined, server)).to.equal(undefined);
  });

  it('is not answered with the auction of another viewer that sent the same body', async () => {
    const bidder = await exchange.bidder(bids({ price: 1 }));
    const body = JSON.stringify(bannerRequest({ device: undefined }));
    const said = { ...PAGE, 'user-agent': BROWSER_USER_AGENT };
    const [first, second] = await Promise.all([
      exchange.post(body, said),
      exchange.post(body, { ...said, 'x-forwarded-for': '198.51.100.21' }),
    ]);
    expect([first.status, second.status].sort()).to.deep.equal([200, 403]);
    expect(bidder.received).to.have.length(1);
  });

  it('may be read by the page, with its cookies', async () => {
    await exchange.bidder(bids({ price: 1 }));
    const answer = await exchange.post(bannerRequest(), PAGE);
    expect(answer.headers.get('access-control-allow-origin')).to.equal(PAGE.origin);
    expect(answer.headers.get('access-control-allow-credentials')).to.equal('true');
    expect((await jsonOf(answer)).seatbid).to.have.length(1);
  });
});
