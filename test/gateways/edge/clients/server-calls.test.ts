import { expect } from 'chai';
import { bids } from '#test/support/bidder';
import { BROWSER_USER_AGENT } from '#test/support/browser';
import { EdgeUnderTest } from '#test/support/edge';

const VAST =
  '<VAST version="3.0"><Ad id="1"><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle><Impression>https://d.test/i</Impression><Creatives/></InLine></Ad></VAST>';
const TELEVISION = 'Roku/DVP-9.10 (519.10E04111A)';
const CALLER = '198.51.100.20';

describe('a tag that a server calls for a device', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest({ trustProxyHops: 1 }, undefined, {
      maxKeylessRequestsPerSecondPerAddress: 1,
    }).start();
  });
  afterEach(() => exchange.close());

  /** The device that the bidder is told of. */
  async function deviceTold(query: string, headers: Readonly<Record<string, string>>) {
    const bidder = await exchange.bidder(bids({ price: 3, adm: VAST, w: undefined, h: undefined }));
    const tag = `/vast?site_id=pub-1&w=640&h=480${query}`;
    expect((await exchange.get(tag, { 'x-forwarded-for': CALLER, ...headers })).status).to.equal(200);
    return bidder.received[0]!.body.device;
  }
  const stitcher = { 'user-agent': 'Go-http-client/2.0' };

  it('has no address where it names none: the caller’s own is no device’s', async () => {
    const device = await deviceTold(`&ua=${encodeURIComponent(TELEVISION)}`, stitcher);
    expect(device).to.include({ ua: TELEVISION }).and.not.have.any.keys('ip', 'ipv6');
    const unnamed = await deviceTold(`&ua=${encodeURIComponent(TELEVISION)}`, { 'user-agent': '' });
    expect(unnamed).to.not.have.any.keys('ip', 'ipv6');
  });

  it('has the device that its headers name (VAST 4.2 §1.7)', async () => {
    const forwarded = { 'x-device-ip': '203.0.113.80', 'x-device-user-agent': TELEVISION };
    expect(await deviceTold('', { ...stitcher, ...forwarded })).to.include({ ip: '203.0.113.80', ua: TELEVISION });
    const named = await deviceTold('&ip=203.0.113.81', { ...stitcher, ...forwarded });
    expect(named, 'the query before the headers').to.include({ ip: '203.0.113.81', ua: TELEVISION });
    const broken = await deviceTold('', { ...stitcher, ...forwarded, 'x-device-ip': 'unknown' });
    expect(broken).to.include({ ua: TELEVISION }).and.not.have.property('ip');
  });

  it('has the address of its call where the device itself makes it', async () => {
    for (const headers of [{ 'user-agent': BROWSER_USER_AGENT }, { 'user-agent': TELEVISION }]) {
      expect(await deviceTold('', headers)).to.include({ ip: CALLER, ua: headers['user-agent'] });
    }
    const own = await deviceTold(`&ua=${encodeURIComponent(TELEVISION)}`, { 'user-agent': TELEVISION });
    expect(own, 'which says so itself').to.include({ ip: CALLER });
  });

  it('has no port of an address that a proxy or a server states', async () => {
    const forwarded = { 'x-forwarded-for': `${CALLER}:51234`, 'user-agent': TELEVISION };
    expect(await deviceTold('', forwarded)).to.include({ ip: CALLER });
    const named = { ...stitcher, 'x-device-ip': '[2001:db8::80]:443', 'x-device-user-agent': TELEVISION };
    expect(await deviceTold('', named)).to.include({ ipv6: '2001:db8::80' });
    const hidden = { 'x-forwarded-for': 'unknown', 'user-agent': TELEVISION };
    expect(await deviceTold('', hidden)).to.not.have.any.keys('ip', 'ipv6');
  });

  it('is counted by the server’s address, as nothing else is known of it', async () => {
    await exchange.bidder(bids({ price: 3, adm: VAST, w: undefined, h: undefined }));
    const tag = `/vast?site_id=pub-1&ua=${encodeURIComponent(TELEVISION)}`;
    const calls = Array.from({ length: 30 }, () => exchange.get(tag, { ...stitcher, 'x-forwarded-for': CALLER }));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(new Set(statuses)).to.deep.equal(new Set([200, 403]));
    expect(await exchange.counted('publisher', 'pub-1')).to.include.keys('blocked/caller-flood');
  });
});
