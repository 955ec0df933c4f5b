import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { VastAd } from '../../exchange/vast/ad.ts';
import { readVast } from '../../exchange/vast/read-vast.ts';
import { PROTOCOLS, VAST_VERSIONS, type VastVersion } from '../../exchange/vast/vast-version.ts';
import { describeSamples, sampleAt, type VastSample } from '../exchange/vast/samples.ts';
import { trackersIn } from '../exchange/vast/trackers.ts';
import { bids } from '../support/bidder.ts';
import { type CreativeOrigin, file, startCreativeOrigin, vast } from '../support/creative-origin.ts';
import { eventually } from '../support/eventually.ts';
import { PNG_300_250 } from '../support/sample-media.ts';
import { areSchemasPresent, describeWithSchemas, schemaFaults } from '../support/vast-schemas.ts';
import { againstExchange } from './against-exchange.ts';
import { campaignOf, type DelegateMarket, delegateMarket, type Sold } from './delegate-market.ts';
import { shows } from './shows.ts';

const VIDEO = { id: '1', video: { mimes: ['video/mp4', 'video/x-flv'], w: 640, h: 480 } };
const PLAYER = 'Roku/DVP-9.10 (519.10E04111A)';
const PHONE = { devicetype: 4 };
const TELEVISION = { devicetype: 3 };

againstExchange('ad formats', (exchange) => {
  let origin: CreativeOrigin;
  let market: DelegateMarket;
  before(async () => {
    origin = await startCreativeOrigin();
    market = await delegateMarket(exchange);
  });
  after(() => origin.close());

  /** Uploads a campaign, of a delegate of its own, that bids where the page is its own, alone. */
  const placed = async (creative: object) => {
    const name = randomUUID();
    const page = `https://site.example/${name}`;
    const rule = {
      rule_id: 'page',
      campaign_id: name,
      conditions: [{ field: 'site.page', operator: 'eq', value: page }],
    };
    const dspId = await market.delegate();
    const answer = await exchange.call('PUT', `/api/demand/sources/${dspId}/strategy`, {
      version: '1.0',
      dsp_id: dspId,
      default_bid: 0,
      campaigns: [campaignOf(name, { creative: { creative_id: 'c', ...creative } })],
      rules: [rule],
    });
    /** What it sells the imp; undefined, and null, when it does not. */
    const sell = async (imp: object, fields: object = {}): Promise<Sold | undefined> => {
      const [sale] = await market.sold({ imp: [imp], site: { id: market.market.publisherId, page }, ...fields });
      return sale;
    };
    const serve = async (imp: object, fields: object = {}) => (await sell(imp, fields))?.adm ?? null;
    return { answer, sell, serve };
  };

  /** Asks until the edge has learnt of it. */
  const served = async (creative: object, imp: object, fields: object = {}) => {
    const { answer, serve } = await placed(creative);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return { adm: await eventually('the ad', async () => (await serve(imp, fields)) ?? undefined), serve };
  };

  const adIn = (adm: string): VastAd => {
    const read = readVast(adm);
    if (!read.ok || read.ads[0]?.kind !== 'inline') throw new Error('no inline ad');
    return read.ads[0];
  };

  describe('audio', () => {
    shows('creative.audio.companion', async () => {
      const creative = {
        audio_url: origin.url('/spot.mp3'),
        image_url: origin.url('/beside.png'),
        landing_url: 'https://advertiser.test/',
      };
      const { adm } = await served(creative, { id: '1', audio: { mimes: ['audio/mpeg'] } });
      const ad = adIn(adm);
      expect(ad.adType).to.equal('audio');
      expect(ad.impressions[0]?.url).to.contain('/track/impression?');
      const [spoken, beside] = ad.creatives;
      const heard = await fetch(spoken!.linear!.mediaFiles[0]!.url);
      expect(heard.headers.get('content-type')).to.equal('audio/mpeg');
      const companion = beside!.companionAds!.companions[0]!;
      expect(companion).to.include({ width: 300, height: 250, clickThrough: 'https://advertiser.test/' });
      const seen = await fetch(companion.resources.static[0]!.url);
      expect(Buffer.from(await seen.arrayBuffer())).to.deep.equal(PNG_300_250);
    });
  });

  describe('native', () => {
    shows(['creative.native.sponsored', 'creative.native.optional'], async () => {
      origin.answer('/main.png', file(PNG_300_250, 'image/png'));
      const native = {
        title: 'A title',
        sponsored: 'Brand',
        image_url: origin.url('/main.png'),
        rating: 4.5,
        price: '9.99',
        downloads: 1000,
      };
      const data = [1, 3, 5, 6].map((type) => ({ id: type, required: 1, data: { type } }));
      const request = JSON.stringify({ ver: '1.2', assets: [{ id: 10, required: 1, img: { type: 3 } }, ...data] });
      const creative = { native, landing_url: 'https://advertiser.test/' };
      const { adm } = await served(creative, { id: '1', native: { request, ver: '1.2' } });
      const { assets, eventtrackers } = JSON.parse(adm);
      expect(assets.slice(1).map((asset: { data: { value: string } }) => asset.data.value)).to.deep.equal([
        'Brand',
        '4.5',
        '1000',
        '9.99',
      ]);
      expect((await fetch(assets[0].img.url)).status).to.equal(200);
      expect(eventtrackers[0].url).to.contain('/track/impression?');
    });
  });

  describe('MRAID', () => {
    shows('creative.mraid', async () => {
      const banner = (api: number[]) => ({ id: '1', banner: { w: 320, h: 480, api } });
      const creative = { format: 'mraid', html: '<div>rich</div>', width: 320, height: 480 };
      const { adm, serve } = await served(creative, banner([5]), { device: PHONE });
      expect(adm).to.match(/^<img [^>]*\/track\/impression\?[^>]*><script src="mraid\.js"><\/script><div>rich<\/div>$/);
      expect(await serve(banner([3]), { device: PHONE })).to.equal(null);
      expect(await serve({ id: '1', banner: { w: 320, h: 480 } }, { device: PHONE })).to.equal(null);
      expect(await serve(VIDEO, { device: PHONE })).to.equal(null);
      expect(await serve(banner([5]), { device: TELEVISION })).to.equal(null);
      const unnamed = { html: '<script src="mraid.js"></script><div>rich</div>', width: 320, height: 480 };
      const asking = await served(unnamed, banner([6]), { device: PHONE });
      expect(asking.adm).to.contain('mraid.js');
      expect(await asking.serve(banner([3]), { device: PHONE })).to.equal(null);
      expect(await asking.serve(banner([6]), { device: TELEVISION })).to.equal(null);
    });
    shows('creative.mraid.rtb', async () => {
      const adm = '<script src="mraid.js"></script><div id="ad"></div>';
      const bidding = await exchange.market({ bidders: [{ script: bids({ price: 3 }) }] });
      const sells = async (bid: object, api: number[] | undefined, device: object) => {
        bidding.bidders[0]!.script = bids({ price: 3, ...bid });
        const imp = [{ id: '1', banner: { w: 300, h: 250, ...(api && { api }) } }];
        return (await bidding.ask({ imp, device: { ip: '203.0.113.9', ...device } })).status;
      };
      for (const bid of [{ adm }, { adm: '<div></div>', api: 5 }, { adm: '<div></div>', apis: [3] }]) {
        expect(await sells(bid, [6], PHONE), 'offered').to.equal(200);
        expect(await sells(bid, [3, 7], PHONE), 'version 1 alone').to.equal(204);
        expect(await sells(bid, undefined, PHONE), 'not offered').to.equal(204);
        expect(await sells(bid, [5, 6], TELEVISION), 'a television').to.equal(204);
      }
    });
  });

  describe('VPAID', () => {
    shows('creative.video.vpaid', async () => {
      const vpaid = `<VAST version="3.0"><Ad id="1"><InLine><AdSystem/><AdTitle/><Impression/><Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles>
        <MediaFile delivery="progressive" type="application/javascript" apiFramework="VPAID" width="640" height="480">${origin.url('/vpaid.js')}</MediaFile>
        </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;
      origin.answer('/vpaid.xml', vast(vpaid));
      const { status, body } = (await placed({ vast_url: origin.url('/vpaid.xml') })).answer;
      expect(status, JSON.stringify(body)).to.equal(422);
      expect(body.error.message).to.contain('VPAID');
      expect(origin.requestedPaths).not.to.include('/vpaid.js');
    });
  });

  describeWithSchemas('no ad', () => {
    it('is an empty document of VAST 4.0 that is valid', async () => {
      const nobody = await exchange.market({ bidders: [] });
      const answer = await fetch(
        `${exchange.running.edgeUrl}/vast?site_id=${nobody.publisherId}&ua=${encodeURIComponent(PLAYER)}`,
      );
      const document = await answer.text();
      expect(answer.status, document).to.equal(200);
      expect(document).to.contain('<VAST version="4.0" xmlns="http://www.iab.com/VAST"/>');
      expect(await schemaFaults('4.0', [document])).to.deep.equal([]);
    });
  });

  describeSamples('video', ({ all: samples, refused: expected }) => {
    shows('creative.video.vast', async () => {
      for (const sample of samples) origin.answer(`/${sample.name}`, vast(standIn(sample, samples, origin)));
      const refused: string[] = [];
      const inVersion = new Map<VastVersion, string[]>(VAST_VERSIONS.map((version) => [version, []]));
      for (const sample of samples) {
        const { answer, sell, serve } = await placed({ vast_url: origin.url(`/${sample.name}`) });
        if (answer.status !== 200) {
          refused.push(sample.name);
          expect(answer.body.error.message, sample.name).to.match(/VAST 1|VPAID/);
          continue;
        }
        const adm = await eventually(sample.name, async () => (await serve(VIDEO)) ?? undefined);
        const has = trackersIn(adm).map(urlOf);
        const wanted = chainOf(sample, samples).flatMap(({ text }) => trackersIn(text).map(urlOf));
        expect(
          wanted.filter((url) => !has.includes(url)),
          sample.name,
        ).to.deep.equal([]);
        expect(adIn(adm).impressions[0]?.url, sample.name).to.contain('/track/impression?');
        expect(adm, 'what was re-hosted').not.to.contain(origin.url('/media'));
        for (const [version, documents] of inVersion) {
          const protocol = PROTOCOLS[version].inline;
          const sale = await sell({ ...VIDEO, video: { ...VIDEO.video, protocols: [protocol] } });
          expect(sale).to.include({ mtype: 2, protocol });
          documents.push(sale!.adm);
        }
      }
      for (const [version, documents] of inVersion) {
        if (areSchemasPresent()) expect(await schemaFaults(version, documents)).to.deep.equal([]);
      }
      expect(refused).to.deep.equal(Object.keys(expected));
    });
  });
});

const MEDIA = /(<(MediaFile|StaticResource)\b[^>]*>\s*(?:<!\[CDATA\[)?\s*)[^<\]\s]+/g;
const WRAPPED = /(<VASTAdTagURI\b[^>]*>\s*(?:<!\[CDATA\[)?\s*)([^<\]\s]+)/g;

/** The sample with what it has to be fetched on loopback; its trackers are untouched. */
function standIn(sample: VastSample, all: readonly VastSample[], origin: CreativeOrigin): string {
  return sample.text
    .replace(MEDIA, (_, before, element) => before + origin.url(element === 'MediaFile' ? '/media.mp4' : '/media.png'))
    .replace(WRAPPED, (_, before, uri) => before + origin.url(`/${sampleAt(uri, sample, all).name}`));
}

/** The sample, and those that it leads to. */
function chainOf(sample: VastSample, all: readonly VastSample[]): VastSample[] {
  const read = readVast(sample.text);
  const ad = read.ok ? read.ads[0] : undefined;
  return ad?.kind === 'wrapper' ? [sample, ...chainOf(sampleAt(ad.adTagUri, sample, all), all)] : [sample];
}

/** Of `start https://…`. */
function urlOf(tracker: string): string {
  return tracker.slice(tracker.indexOf(' ') + 1);
}
