import { expect } from 'chai';
import { bids, noBid } from '../support/bidder.ts';
import { callJson } from '../support/exchange.ts';
import { ABSENT_ID, againstExchange, errorOf } from './against-exchange.ts';
import { type Market, VAST } from './market.ts';
import { shows } from './shows.ts';

const EMPTY_VAST = /^<\?xml[^>]*>\s*<VAST version="4\.0"[^>]*(\/>|>\s*<\/VAST>)\s*$/;
const AUDIO_CREATIVES =
  '<Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles><MediaFile delivery="progressive" type="audio/mpeg" width="0" height="0">https://dsp.test/spot.mp3</MediaFile></MediaFiles></Linear></Creative></Creatives>';
const NO_SIZE = { w: undefined, h: undefined };
const NATIVE_AD = JSON.stringify({
  ver: '1.2',
  assets: [
    { id: 1, title: { text: 'An ad' } },
    { id: 2, img: { url: 'https://dsp.test/main.png' } },
  ],
  link: { url: 'https://advertiser.test/' },
});

againstExchange('tags', (exchange) => {
  let market: Market;
  before(async () => {
    market = await exchange.market({
      bidders: [{ script: bids({ price: 3 }) }, { script: bids({ price: 1 }), dsp: { sandbox: true } }],
    });
  });
  const bidder = () => market.bidders[0]!;
  const get = (path: string, query: Record<string, string> = {}) =>
    callJson('GET', `${exchange.running.edgeUrl}${path}?${new URLSearchParams(query)}`);
  const vast = (query: Record<string, string> = {}) => get('/vast', { site_id: market.publisherId, ...query });
  const ad = (query: Record<string, string> = {}) => get('/ad', { publisher_id: market.publisherId, ...query });
  /** What the bidder was asked by the last tag. */
  const lastAsked = () =>
    bidder()
      .received.filter(({ path }) => path.startsWith('/bid'))
      .at(-1)!.body;

  describe('GET /vast', () => {
    before(() => {
      bidder().script = bids({ price: 3, adm: VAST, ...NO_SIZE });
    });

    shows('edge.vast.200', async () => {
      const answer = await vast();
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-type')).to.match(/^(application|text)\/xml/);
      expect(answer.body)
        .to.match(/<VAST[^>]*>.*<Ad /s)
        .and.contain('/track/impression?');
    });
    shows('edge.vast.site_id', async () => {
      expect(errorOf(await get('/vast'))).to.equal('400 INVALID_PARAMS site_id');
      expect((await get('/vast', { site_id: ABSENT_ID })).status).to.equal(403);
    });
    shows('edge.vast.w', async () => {
      await vast({ w: '1920', h: '1080' });
      expect(lastAsked().imp[0].video).to.include({ w: 1920, h: 1080 });
      expect(errorOf(await vast({ w: 'wide' }))).to.equal('400 INVALID_PARAMS w');
    });
    shows('edge.vast.ip', async () => {
      await vast({ ip: '198.51.100.9' });
      expect(lastAsked().device.ip).to.equal('198.51.100.9');
    });
    shows('edge.vast.ua', async () => {
      await vast({ ua: 'Roku/DVP-9.10 (519.10E04111A)' });
      expect(lastAsked().device.ua).to.equal('Roku/DVP-9.10 (519.10E04111A)');
    });
    shows('edge.vast.sandbox', async () => {
      const live = bidder().received.length;
      const sandbox = market.bidders[1]!.received.length;
      await vast({ sandbox: 'true' });
      expect(bidder().received).to.have.length(live);
      expect(market.bidders[1]!.received).to.have.length(sandbox + 1);
    });
    shows('edge.vast.floor', async () => {
      expect((await vast({ floor: '3.01' })).body).not.to.contain('<Ad');
      expect((await vast({ floor: '3' })).body).to.contain('<Ad');
      expect((await vast({ floor: '-1' })).status).to.equal(403);
      expect(errorOf(await vast({ floor: 'cheap' }))).to.equal('400 INVALID_PARAMS floor');
    });
    shows('version.vast', async () => {
      for (const version of ['2.0', '3.0', '4.0', '4.1', '4.2']) {
        const others = ['2.0', '3.0', '4.0', '4.1', '4.2'].filter((other) => other !== version);
        bidder().script = bids({ price: 3, adm: VAST.replace('3.0', version), ...NO_SIZE });
        expect((await vast()).body, 'to any player').to.contain(`<VAST version="${version}"><Ad `);
        expect((await vast({ version })).body, 'to its own').to.contain(`<VAST version="${version}"><Ad `);
        for (const other of others) expect((await vast({ version: other })).body, other).to.match(EMPTY_VAST);
      }
      bidder().script = bids({ price: 3, adm: VAST, ...NO_SIZE });
    });
    shows('edge.vast.consent', async () => {
      await vast({ gdpr: '1', gdpr_consent: 'CO', us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: '7,8' });
      const { regs, user } = lastAsked();
      expect(regs).to.deep.include({ gdpr: 1, us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: [7, 8] });
      expect(user.consent).to.equal('CO');
    });
  });

  describe('GET /ad', () => {
    shows('edge.ad.banner', async () => {
      bidder().script = bids({ price: 3 });
      const answer = await ad({ format: 'banner' });
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-type')).to.match(/^text\/html/);
      expect(answer.body).to.contain('https://advertiser.test/').and.contain('/track/impression?');
    });
    shows('edge.ad.video', async () => {
      bidder().script = bids({ price: 3, adm: VAST, ...NO_SIZE });
      const answer = await ad({ format: 'video' });
      expect(answer.headers.get('content-type')).to.match(/^(application|text)\/xml/);
      expect(answer.body).to.contain('<Ad ').and.contain('/track/impression?');
    });
    shows('edge.ad.audio', async () => {
      const adm = VAST.replace('<Creatives/>', AUDIO_CREATIVES);
      bidder().script = bids({ price: 3, adm, mtype: 3, ...NO_SIZE });
      const answer = await ad({ format: 'audio' });
      expect(answer.headers.get('content-type')).to.match(/^application\/xml/);
      expect(answer.body).to.contain('type="audio/mpeg"').and.contain('/track/impression?');
      const { audio, video } = lastAsked().imp[0];
      expect(audio.mimes).to.include.members(['audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/ogg']);
      expect(video).to.equal(undefined);
      bidder().script = noBid();
      expect((await ad({ format: 'audio' })).body).to.match(EMPTY_VAST);
    });
    shows('edge.ad.native', async () => {
      bidder().script = bids({ price: 3, adm: NATIVE_AD, ...NO_SIZE });
      const answer = await ad({ format: 'native' });
      expect(answer.headers.get('content-type')).to.match(/^application\/json/);
      expect(answer.body.assets[0].title.text).to.equal('An ad');
    });
    shows('overview.format.mraid', async () => {
      const script = bids({ price: 3, adm: '<script src="mraid.js"></script><div id="ad"></div>', api: 6 });
      const app = await exchange.market({
        publisher: { type: 'mobile', domain: 'com.example.game' },
        bidders: [{ script }],
      });
      const answer = await get('/ad', { publisher_id: app.publisherId, format: 'banner', mraid: '3', instl: '1' });
      expect(answer.body).to.contain('mraid.js').and.contain('/track/impression?');
      const { imp } = app.bidders[0]!.received.at(-1)!.body;
      expect(imp[0].banner.api).to.include.members([5, 6]);
      expect(imp[0].instl).to.equal(1);
      const plain = await get('/ad', { publisher_id: app.publisherId, format: 'banner' });
      expect(plain.body, 'a tag that offers no MRAID').to.not.contain('mraid.js');
      const television = await exchange.market({ publisher: { type: 'ctv', domain: 'com.example.tv' } });
      const refused = await get('/ad', { publisher_id: television.publisherId, format: 'banner', mraid: '3' });
      expect(errorOf(refused)).to.equal('400 INVALID_PARAMS mraid');
    });
    shows('edge.ad.publisher_id', async () => {
      expect(errorOf(await get('/ad', { format: 'banner' }))).to.equal('400 INVALID_PARAMS publisher_id');
      expect((await get('/ad', { format: 'banner', publisher_id: ABSENT_ID })).status).to.equal(403);
    });
    shows('edge.ad.size', async () => {
      await ad({ format: 'banner', w: '728', h: '90' });
      expect(lastAsked().imp[0].banner).to.include({ w: 728, h: 90 });
      await ad({ format: 'video', w: '640', h: '360' });
      expect(lastAsked().imp[0].video).to.include({ w: 640, h: 360 });
    });
    shows('edge.ad.format-unknown', async () => {
      expect(errorOf(await ad({ format: 'hologram' }))).to.equal('400 INVALID_PARAMS format');
    });
    shows('edge.ad.win-notice', async () => {
      bidder().script = bids({ price: 3, nurl: `${bidder().origin}/won?price=\${AUCTION_PRICE}` });
      await ad({ format: 'banner' });
      const [notice] = await bidder().waitForRequests('/won');
      expect(notice!.path).to.equal('/won?price=3');
      bidder().script = bids({ price: 3, adm: VAST, nurl: `${bidder().origin}/played`, ...NO_SIZE });
      await vast();
      await bidder().waitForRequests('/played');
    });
  });

  describe('without fill', () => {
    before(() => {
      bidder().script = noBid();
    });
    shows('edge.vast.empty', async () => {
      const answer = await vast();
      expect(answer.status).to.equal(200);
      expect(answer.body).to.match(EMPTY_VAST);
    });
    shows('edge.ad.video.empty', async () => expect((await ad({ format: 'video' })).body).to.match(EMPTY_VAST));
    shows('edge.ad.banner.empty', async () => {
      const answer = await ad({ format: 'banner' });
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-type')).to.match(/^text\/html/);
      expect(answer.body).not.to.match(/<(script|img|iframe|a)\b/i);
    });
    shows('edge.ad.native.empty', async () => {
      const answer = await ad({ format: 'native' });
      expect([answer.status, answer.body]).to.deep.equal([204, '']);
    });
  });
});
