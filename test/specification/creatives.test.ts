import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import {
  type CreativeOrigin,
  file,
  inlineVast,
  noResponse,
  redirect,
  startCreativeOrigin,
  status,
  vast,
  wrapperVast,
} from '../support/creative-origin.ts';
import { H264_AAC_MP4, HEVC_MP4 } from '../support/sample-media.ts';
import { againstExchange, errorAbout, errorOf } from './against-exchange.ts';
import { campaignOf, type DelegateMarket, delegateMarket, htmlCreative } from './delegate-market.ts';
import { BANNER, VAST, VIDEO } from './market.ts';
import { shows } from './shows.ts';

const NO_SIZE = { w: undefined, h: undefined };

againstExchange('creatives, fetched and served', (exchange) => {
  let origin: CreativeOrigin;
  let market: DelegateMarket;
  let dspId: string;
  before(async () => {
    origin = await startCreativeOrigin();
    market = await delegateMarket(exchange);
    dspId = await market.delegate();
  });
  after(() => origin.close());

  const save = (creative: object) =>
    exchange.call('POST', '/api/campaigns', {
      dsp_id: dspId,
      campaign_name: 'A campaign',
      status: 'paused',
      bidding: { base_cpm: 1 },
      creative: { creative_id: 'c', ...creative },
    });
  const saveVast = (path: string) => save({ vast_url: origin.url(path) });
  const upload = (path: string) =>
    exchange.call('PUT', `/api/demand/sources/${dspId}/strategy`, {
      version: '1.0',
      dsp_id: dspId,
      default_bid: 1,
      rules: [],
      campaigns: [campaignOf('one'), campaignOf('two', { creative: { creative_id: 'c', vast_url: origin.url(path) } })],
    });
  /** `name` wraps `tag`, and calls trackers of its own name. */
  const wrap = (name: string, tag: string, version = '3.0') => {
    const document = wrapperVast({ tag, trackers: `http://trackers.test${name}` });
    origin.answer(name, vast(document.replace('version="3.0"', `version="${version}"`)));
  };
  /** The VAST that the market's publisher is given when the campaign wins a video slot. */
  const servedOf = async (campaignId: string) => (await market.wins(campaignId, { imp: [VIDEO] })).adm;

  shows('limit.vast-depth', async () => {
    wrap('/d1', origin.url('/depth.xml'));
    wrap('/d2', origin.url('/d1'));
    wrap('/d3', origin.url('/d2'));
    wrap('/d4', origin.url('/d3'));
    expect((await saveVast('/d3')).status).to.equal(201);
    expect(errorOf(await saveVast('/d4'))).to.equal('400 VALIDATION_ERROR creative.vast_url');
    expect(errorOf(await upload('/d4'))).to.equal('422 STRATEGY_INVALID campaigns[1].creative.vast_url');
  });

  shows('limit.redirect-domains', async () => {
    for (const [at, host] of [2, 3, 4, 5].entries()) {
      origin.answer(`/hop${at + 1}`, redirect(origin.urlAt(`127.0.0.${host}`, `/hop${at}`)));
    }
    origin.answer('/hop0', redirect('/redirected.xml'));
    expect((await saveVast('/hop3')).status).to.equal(201);
    expect(errorOf(await saveVast('/hop4'))).to.equal('400 VALIDATION_ERROR creative.vast_url');
  });

  shows(['limit.creative-load', 'error.502.BAD_GATEWAY'], async () => {
    origin.answer('/silent', noResponse());
    origin.answer('/broken', status(500));
    const startedMs = performance.now();
    const late = await saveVast('/silent');
    expect(errorAbout(late)).to.equal('502 BAD_GATEWAY creative.vast_url');
    expect(late.body.error.message).to.contain('1.5 s');
    expect(performance.now() - startedMs).to.be.within(1_450, 5_000);
    expect(late.headers.get('retry-after')).to.equal('5');
    expect(errorAbout(await saveVast('/broken'))).to.equal('502 BAD_GATEWAY creative.vast_url');
    expect(errorAbout(await upload('/broken'))).to.equal('502 BAD_GATEWAY campaigns[1].creative.vast_url');
    expect(errorAbout(await save({ image_url: origin.url('/silent') }))).to.equal('502 BAD_GATEWAY creative.image_url');
  });

  shows('creative.video.vpaid', async () => {
    const unit = inlineVast({ mediaUrl: origin.url('/unit.js') });
    origin.answer(
      '/vpaid',
      vast(unit.replace('type="video/mp4"', 'type="application/javascript" apiFramework="VPAID"')),
    );
    const refused = await saveVast('/vpaid');
    expect(errorOf(refused)).to.equal('400 VALIDATION_ERROR creative.vast_url');
    expect(refused.body.error.message).to.contain('VPAID');
  });

  shows('creative.video.vast', async () => {
    for (const version of ['2.0', '3.0', '4.0', '4.2']) {
      const inline = inlineVast({ mediaUrl: origin.url('/spot.mp4') });
      origin.answer(`/inline-${version}`, vast(inline.replace('version="3.0"', `version="${version}"`)));
      expect((await saveVast(`/inline-${version}`)).status, version).to.equal(201);
    }
    for (const version of ['2.0', '3.0']) {
      wrap(`/wrapper-${version}`, origin.url('/inline-4.2'), version);
      expect((await saveVast(`/wrapper-${version}`)).status, version).to.equal(201);
    }
  });

  shows(['creative.unwrapped', 'creative.cdn', 'campaign.impression_trackers'], async () => {
    origin.answer('/end', vast(inlineVast({ mediaUrl: origin.url('/film'), trackers: 'http://trackers.test/end' })));
    const film = Buffer.concat([H264_AAC_MP4, Buffer.from(`\0\0\0\x2cfree${randomUUID()}`)]);
    origin.answer('/film', file(film, 'video/mp4'));
    wrap('/outer', origin.url('/inner'));
    wrap('/inner', origin.url('/end'));
    const creative = {
      creative_id: 'f',
      vast_url: origin.url('/outer'),
      impression_trackers: ['https://buyer.test/seen'],
    };
    await market.campaign(dspId, campaignOf('film', { creative }));
    const xml = await servedOf('film');
    expect(xml).to.contain('https://buyer.test/seen');
    for (const level of ['/outer', '/inner', '/end']) {
      for (const event of ['impression', 'start']) expect(xml).to.contain(`http://trackers.test${level}/${event}`);
    }
    expect(xml).to.not.contain(origin.origin).and.to.not.contain('VASTAdTagURI');
    const asked = origin.requestedPaths.length;
    const sha256 = createHash('sha256').update(film).digest('hex');
    expect(xml).to.contain(`${exchange.running.edgeUrl}/creative/${sha256}`);
    const media = await fetch(`${exchange.running.edgeUrl}/creative/${sha256}`);
    expect(Buffer.from(await media.arrayBuffer()).equals(film)).to.equal(true);
    expect(media.headers.get('cache-control')).to.contain('immutable');
    expect(origin.requestedPaths.length, 'the origin is asked by nobody who watches').to.equal(asked);
  });

  shows(['creative.warns-only', 'error.creative_warnings'], async () => {
    origin.answer(
      '/unusual',
      vast(inlineVast({ mediaUrl: origin.url('/unusual.mp4'), trackers: 'http://t.test/unusual' })),
    );
    origin.answer('/unusual.mp4', file(HEVC_MP4, 'video/mp4'));
    const creative = { creative_id: 'u', vast_url: origin.url('/unusual') };
    const made = await exchange.call('POST', '/api/campaigns', {
      dsp_id: dspId,
      ...campaignOf('unusual', { creative, bidding: { base_cpm: 9 } }),
    });
    expect(made.status).to.equal(201);
    expect(made.body.creative_warnings).to.deep.include({ creative_id: 'u', warning: 'unsupported_video_codec' });
    expect(await servedOf('unusual')).to.contain('http://t.test/unusual/impression');
  });
});

againstExchange(
  'creatives, where https is demanded',
  (exchange) => {
    shows('creative.https', async () => {
      const { id } = await exchange.create('/api/demand/sources', { mode: 'delegate' });
      for (const field of ['vast_url', 'image_url', 'audio_url']) {
        const answer = await exchange.call('POST', '/api/campaigns', {
          dsp_id: id,
          ...campaignOf('plain', { creative: { creative_id: 'c', [field]: 'http://ads.example/creative' } }),
        });
        expect(errorOf(answer)).to.equal(`400 VALIDATION_ERROR creative.${field}`);
      }
    });

    shows('creative.https.loaded', async () => {
      const plain = '<img src="http://cdn.example/a.png">';
      const tracked = VAST.replace('https://dsp.test/seen', 'http://dsp.test/seen');
      const bidding = await exchange.market({ bidders: [{ script: bids({ price: 3 }) }] });
      const asking = async (bid: object, imp: object) => {
        bidding.bidders[0]!.script = bids({ price: 3, ...bid });
        return bidding.ask({ imp: [{ ...imp, secure: 0 }] });
      };
      expect((await asking({ adm: '<img src="https://cdn.example/a.png">' }, BANNER)).status).to.equal(200);
      expect(bidding.bidders[0]!.received.at(-1)!.body.imp[0].secure, 'bidders are told').to.equal(1);
      expect((await asking({ adm: plain }, BANNER)).status).to.equal(204);
      expect((await asking({ adm: tracked, ...NO_SIZE }, VIDEO)).status).to.equal(204);
      expect((await asking({ adm: VAST, ...NO_SIZE }, VIDEO)).status).to.equal(200);
      const delegates = await delegateMarket(exchange);
      const creatives = [htmlCreative('plain', { html: plain }), htmlCreative('secure')];
      await delegates.upload(await delegates.delegate(), [
        campaignOf('two', { creatives, rotation_strategy: 'random' }),
      ]);
      await delegates.wins('two', { imp: [BANNER] });
      for (let auction = 0; auction < 20; auction++) {
        const [sale] = await delegates.sold({ imp: [BANNER] });
        expect(sale!.crid).to.equal('secure');
      }
    });
  },
  { environment: { HTTPS_CREATIVES_ONLY: 'true' } },
);
