import { expect } from 'chai';
import { bids } from '#test/support/bidder';
import { EdgeUnderTest, jsonOf } from '#test/support/edge';
import { putStored } from './stored.ts';

const ACCOUNT = 'pub-app';
const BUNDLE = 'com.publisher.app';

/** What the SDK for iOS sends for a banner: its account's id names the stored request, its configuration's the imp. */
const IOS = {
  id: 'DCA1B5E0-0F67-4C2F-9C16-0B0B9C6B6E11',
  app: {
    name: 'App',
    bundle: BUNDLE,
    ver: '1.4.0',
    publisher: { id: ACCOUNT },
    ext: { prebid: { source: 'prebid-mobile', version: '3.1.0' } },
  },
  device: {
    ua: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    make: 'Apple',
    model: 'iPhone15,2',
    os: 'iOS',
    osv: '18.5',
    h: 852,
    w: 393,
    pxratio: 3,
    language: 'en',
    lmt: 1,
    connectiontype: 2,
    ext: { atts: 2 },
  },
  imp: [
    {
      id: '6A15E1B7-8C5C-4B0C-9B62-0A5E0C3D8F10',
      banner: { api: [3, 5, 6, 7], format: [{ w: 320, h: 50 }] },
      clickbrowser: 1,
      displaymanager: 'prebid-mobile',
      displaymanagerver: '3.1.0',
      instl: 0,
      secure: 1,
      ext: {
        gpid: '/1234/banner',
        skadn: { version: '4.0', sourceapp: '880047117', skadnetids: ['cstr6suwn9.skadnetwork'] },
        prebid: { storedrequest: { id: 'banner-320x50' } },
      },
    },
  ],
  regs: { coppa: 0, ext: { gdpr: 0, us_privacy: '1YNN' } },
  source: { tid: 'B2A4B0B4-0C38-4A4E-A4C3-5B6E2F5C9F21', ext: { omidpn: 'Prebid', omidpv: '3.1.0' } },
  user: {},
  test: 0,
  ext: {
    prebid: {
      cache: { bids: {}, vastxml: {} },
      targeting: { includebidderkeys: true, includeformat: true, includewinners: true },
      storedrequest: { id: ACCOUNT },
      sdk: { renderers: [{ name: 'prebid', version: '3.1.0' }] },
    },
  },
};

/** What the SDK for Android sends for a rewarded video. */
const ANDROID = {
  id: '8f2a6f0e-6f8b-4f9c-9d4b-3c2f8b0d6a55',
  app: {
    name: 'App',
    bundle: BUNDLE,
    storeurl: `https://play.google.com/store/apps/details?id=${BUNDLE}`,
    ver: '7.2',
    publisher: { id: ACCOUNT },
    ext: { prebid: { source: 'prebid-mobile', version: '3.0.2' } },
  },
  device: {
    ua: 'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/137.0.0.0 Mobile Safari/537.36',
    make: 'Google',
    model: 'Pixel 8',
    os: 'Android',
    osv: '15',
    w: 1080,
    h: 2400,
    pxratio: 2.625,
    lmt: 0,
    ifa: '3f1d9a9e-8d05-4d1c-a1f3-7e6f5f9a2c10',
    connectiontype: 2,
    language: 'de',
  },
  imp: [
    {
      id: '1f7f3a54-1c2e-4a67-9a6e-b0a1f0b4c2d3',
      displaymanager: 'prebid-mobile',
      displaymanagerver: '3.0.2',
      instl: 1,
      secure: 1,
      clickbrowser: 1,
      video: {
        mimes: ['video/mp4', 'video/3gpp', 'video/webm'],
        protocols: [2, 5],
        w: 1080,
        h: 2400,
        linearity: 1,
        playbackend: 2,
        delivery: [3],
        pos: 7,
        placement: 5,
        plcmt: 3,
      },
      ext: { prebid: { storedrequest: { id: 'rewarded' }, is_rewarded_inventory: 1 } },
    },
  ],
  regs: { ext: {} },
  source: { tid: '0a3c6a6e-2a8f-4f9e-8d2c-7d3f9a5e1b44', ext: { omidpn: 'Prebid', omidpv: '3.0.2' } },
  ext: {
    prebid: {
      cache: { bids: {}, vastxml: {} },
      targeting: {},
      storedrequest: { id: ACCOUNT },
      sdk: { renderers: [{ name: 'PrebidRenderer', version: '3.0.2' }] },
    },
  },
};

const VAST =
  '<VAST version="3.0"><Ad id="1"><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle><Impression>https://d.test/i</Impression><Creatives/></InLine></Ad></VAST>';

describe('the requests of the Prebid SDKs', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
    exchange.publisher({ id: ACCOUNT, type: 'mobile', domain: BUNDLE });
    putStored(exchange, ACCOUNT, {
      imps: {
        'banner-320x50': { bidfloor: 0.2, ext: { prebid: { bidder: { adexchange: { placement: 'home' } } } } },
        rewarded: { ext: { prebid: { bidder: { adexchange: {} } } } },
      },
    });
  });
  afterEach(() => exchange.close());

  const send = (request: object, userAgent: string) =>
    exchange.post(request, { 'user-agent': userAgent }, '/openrtb2/auction');

  it('for iOS get a banner, its key values and its bid in the cache', async () => {
    const bidder = await exchange.bidder(bids({ price: 0.84, w: undefined, h: undefined }));
    const { seatbid } = await jsonOf(await send(IOS, 'App/1 CFNetwork/1568 Darwin/24.0.0'));
    const [bid] = seatbid[0].bid;
    expect(seatbid[0].seat).to.equal('adexchange');
    expect(bid).to.include({ mtype: 1, w: 320, h: 50 });
    expect(bid.ext.prebid.targeting).to.include({
      hb_pb: '0.80',
      hb_size: '320x50',
      hb_env: 'mobile-app',
      hb_format: 'banner',
      hb_bidder_adexchange: 'adexchange',
      hb_cache_id: bid.ext.prebid.cache.bids.cacheId,
    });
    const [asked] = await bidder.waitForRequests('/bid');
    const { imp, device, app, ext } = asked!.body;
    expect(imp[0]).to.include({ bidfloor: 0.2, tagid: 'home' });
    expect(imp[0].ext).to.have.keys('gpid', 'skadn');
    expect(device.ua).to.equal(IOS.device.ua);
    expect(app.bundle).to.equal(BUNDLE);
    expect(JSON.stringify(ext ?? {})).to.not.contain('storedrequest');
    const cached = await jsonOf(await exchange.get(`/cache?uuid=${bid.ext.prebid.cache.key}`));
    expect(cached).to.include({ adm: bid.adm, w: 320, h: 50 });
  });

  it('for Android get a rewarded video', async () => {
    const bidder = await exchange.bidder(bids({ price: 4.2, adm: VAST, w: undefined, h: undefined, mtype: 2 }));
    const { seatbid } = await jsonOf(await send(ANDROID, 'okhttp/4.12'));
    const [bid] = seatbid[0].bid;
    expect(bid.ext.prebid).to.include({ type: 'video' });
    expect(bid.ext.prebid.targeting).to.include({
      hb_pb: '4.20',
      hb_env: 'mobile-app',
      hb_uuid: bid.ext.prebid.cache.vastXml.cacheId,
    });
    expect(bid).to.not.have.property('nurl');
    const [asked] = await bidder.waitForRequests('/bid');
    expect(asked!.body.imp[0]).to.include({ rwdd: 1 });
  });

  it('of another app are refused', async () => {
    await exchange.bidder(bids({ price: 1 }));
    const other = { ...ANDROID, app: { ...ANDROID.app, bundle: 'com.other.app' } };
    expect((await send(other, 'okhttp/4.12')).status).to.equal(403);
  });
});
