import { expect } from 'chai';
import { asset } from '#actors/asset/asset';
import { assetId } from '#actors/asset/asset-id';
import type { AssetContent } from '#actors/asset/projection';
import { type AssetState, parseAssetContent } from '#actors/asset/reduce';
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
} from '../../support/creative-origin.ts';
import { ANIMATED_GIF, H264_AAC_MP4, WEBM } from '../../support/sample-media.ts';
import { errorAbout, errorOf } from '../management/management-client.ts';
import { type RunningManagement, startManagement } from '../management/running-management.ts';

describe('gateways/creatives: saving a campaign', () => {
  let running: RunningManagement;
  let origin: CreativeOrigin;
  let dspId: string;

  before(async function () {
    running = await startManagement(this);
    origin = await startCreativeOrigin();
    dspId = (await running.api.post('/api/demand/sources', { name: 'Buyer', mode: 'delegate' })).body.id;
  });
  after(async () => {
    await running.close();
    await origin.close();
  });

  const save = (creative: object) =>
    running.api.post('/api/campaigns', {
      dsp_id: dspId,
      campaign_name: 'A campaign',
      bidding: { base_cpm: 1 },
      creative: { creative_id: 'c', ...creative },
    });
  const saveVast = (url: string) => save({ vast_url: url });
  const stateOf = async (url: string): Promise<AssetState | null> => {
    const [document] = await running.store.load([{ kind: asset.kind, id: assetId(url) }]);
    return (document?.state ?? null) as AssetState | null;
  };
  const adOf = async (url: string) => {
    const state = await stateOf(url);
    const content = state && parseAssetContent(state);
    return (content as Extract<AssetContent, { kind: 'vast' }>).ad;
  };

  it('hosts the media of an inline ad, and names no origin', async () => {
    const answer = await saveVast(origin.url('/inline.xml'));
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    const ad = await adOf(origin.url('/inline.xml'));
    const [media] = ad.creatives[0]!.linear!.mediaFiles;
    expect(media!.url).to.match(/^\/creative\/[0-9a-f]{64}$/);
    expect(JSON.stringify(ad)).to.not.contain(origin.origin);
    const stored = await running.creatives.open(media!.url.slice('/creative/'.length));
    expect(stored).to.include({ bytes: H264_AAC_MP4.length, mimeType: 'video/mp4' });
  });

  it('serves a file as what its bytes are, though another has first named it as something else', async () => {
    const film = Buffer.concat([WEBM, Buffer.from('of a rival')]);
    origin.answer('/film', file(film, 'text/plain'));
    const captions = `<ClosedCaptionFiles><ClosedCaptionFile type="text/vtt">${origin.url('/film')}</ClosedCaptionFile></ClosedCaptionFiles>`;
    const document = inlineVast({ mediaUrl: origin.url('/spot.mp4') })
      .replace('version="3.0"', 'version="4.1"')
      .replace('<MediaFiles>', `<MediaFiles>${captions}`);
    origin.answer('/as-captions.xml', vast(document));
    const answer = await saveVast(origin.url('/as-captions.xml'));
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    const [hosted] = (await adOf(origin.url('/as-captions.xml'))).creatives[0]!.linear!.closedCaptionFiles;
    const stored = await running.creatives.open(hosted!.url.slice('/creative/'.length));
    expect(stored).to.include({ bytes: film.length, mimeType: 'video/webm' });
  });

  it('keeps what a URL led to when others have it for something that it is not', async () => {
    const shown = '<svg width="1" height="1"></svg>';
    const document = inlineVast({ mediaUrl: origin.url('/spot.mp4') }).replace('<VAST', `<!--${shown}--><VAST`);
    origin.answer('/of-a-rival.xml', vast(document));
    expect((await saveVast(origin.url('/of-a-rival.xml'))).status).to.equal(201);
    const refused = await save({ image_url: origin.url('/of-a-rival.xml') });
    expect(errorOf(refused)).to.equal('400 VALIDATION_ERROR creative.image_url');
    expect((await stateOf(origin.url('/of-a-rival.xml')))?.kind).to.equal('vast');
    expect(errorOf(await save({ audio_url: origin.url('/silent.png') }))).to.equal(
      '400 VALIDATION_ERROR creative.audio_url',
    );
  });

  it('goes through three wrappers and keeps the trackers of every level, not through four', async () => {
    const wrap = (name: string, tag: string) =>
      origin.answer(name, vast(wrapperVast({ tag, trackers: `http://trackers.test${name}` })));
    wrap('/w1', origin.url('/inline.xml'));
    wrap('/w2', origin.url('/w1'));
    wrap('/w3', origin.url('/w2'));
    wrap('/w4', origin.url('/w3'));
    expect((await saveVast(origin.url('/w3'))).status).to.equal(201);
    const ad = await adOf(origin.url('/w3'));
    expect(ad.impressions.map(({ url }) => url)).to.deep.equal([
      'http://trackers.test/w3/impression',
      'http://trackers.test/w2/impression',
      'http://trackers.test/w1/impression',
      'http://trackers.test/inline/impression',
    ]);
    expect(ad.creatives[0]!.linear!.trackingEvents.map(({ url }) => url)).to.have.members([
      'http://trackers.test/w3/start',
      'http://trackers.test/w2/start',
      'http://trackers.test/w1/start',
      'http://trackers.test/inline/start',
    ]);
    const refused = await saveVast(origin.url('/w4'));
    expect(errorOf(refused)).to.equal('400 VALIDATION_ERROR creative.vast_url');
    expect(refused.body.error.message).to.contain('more than 3 wrappers');
  });

  it('refuses wrappers that lead in a circle', async () => {
    origin.answer('/a', vast(wrapperVast({ tag: origin.url('/b'), trackers: 'http://t.test' })));
    origin.answer('/b', redirect('/a'));
    const refused = await saveVast(origin.url('/a'));
    expect(errorOf(refused)).to.equal('400 VALIDATION_ERROR creative.vast_url');
    expect(refused.body.error.message).to.contain('loop');
  });

  it('follows redirects over three other domains, not over four', async () => {
    for (const [at, host] of [2, 3, 4, 5].entries()) {
      origin.answer(`/hop${at + 1}`, redirect(origin.urlAt(`127.0.0.${host}`, `/hop${at}`)));
    }
    origin.answer('/hop0', redirect('inline.xml'));
    expect((await saveVast(origin.url('/hop3'))).status).to.equal(201);
    const refused = await saveVast(origin.url('/hop4'));
    expect(errorOf(refused)).to.equal('400 VALIDATION_ERROR creative.vast_url');
    expect(refused.body.error.message).to.contain('more than 3 domains');
  });

  it('fills the macros of VAST in the URL of a wrapper, and leaves others', async () => {
    const tag = origin.url(
      '/macros.xml?t=[TIMESTAMP]&c=[CACHEBUSTING]&ip=[DEVICEIP]&s=[SERVERSIDE]&own=[OWN]&d=%%OWN%%',
    );
    origin.answer('/with-macros', vast(wrapperVast({ tag, trackers: 'http://t.test' })));
    expect((await saveVast(origin.url('/with-macros'))).status).to.equal(201);
    expect(origin.requestedPaths.find((path) => path.startsWith('/macros.xml'))).to.match(
      /\?t=\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A[\d.]+Z&c=\d{8}&ip=-1&s=2&own=\[OWN\]&d=%%OWN%%$/,
    );
  });

  it('refuses what is not VAST, has no ad, or is VPAID', async () => {
    origin.answer('/page', file(Buffer.from('<html><p>Sorry</html>'), 'text/html'));
    origin.answer('/empty', vast('<VAST version="4.0"/>'));
    const vpaid = inlineVast({ mediaUrl: origin.url('/unit.js') });
    origin.answer(
      '/vpaid',
      vast(vpaid.replace('type="video/mp4"', 'type="application/javascript" apiFramework="VPAID"')),
    );
    for (const path of ['/page', '/empty', '/vpaid', '/spot.mp4']) {
      expect(errorOf(await saveVast(origin.url(path))), path).to.equal('400 VALIDATION_ERROR creative.vast_url');
    }
  });

  it('answers 502 with the reason for what does not come', async () => {
    origin.answer('/missing', status(404));
    origin.answer('/broken', status(503));
    origin.answer('/silent', noResponse());
    origin.answer('/media-missing', vast(inlineVast({ mediaUrl: origin.url('/missing') })));
    for (const [url, reason] of [
      [origin.url('/missing'), '404'],
      [origin.url('/broken'), '503'],
      [origin.url('/silent'), 'within 1.5 s'],
      [origin.url('/media-missing'), `answered 404 by ${new URL(origin.origin).host}/missing`],
      ['http://127.0.0.1:1/', 'ECONNREFUSED'],
    ] as const) {
      const failed = await saveVast(url);
      expect(errorAbout(failed), url).to.equal('502 BAD_GATEWAY creative.vast_url');
      expect(failed.body.error.message).to.contain(reason);
    }
  });

  it('takes images and audio, and refuses what is neither', async () => {
    expect((await save({ image_url: origin.url('/banner.png') })).body.creative_warnings).to.deep.equal([]);
    expect(await stateOf(origin.url('/banner.png'))).to.deep.include({ kind: 'image' });
    expect((await save({ audio_url: origin.url('/jingle.mp3') })).status).to.equal(201);
    origin.answer('/page.png', file(Buffer.from('<html></html>'), 'image/png'));
    expect(errorOf(await save({ image_url: origin.url('/page.png') }))).to.equal(
      '400 VALIDATION_ERROR creative.image_url',
    );
    expect(errorOf(await save({ audio_url: origin.url('/page.png') }))).to.equal(
      '400 VALIDATION_ERROR creative.audio_url',
    );
  });

  it('warns of what is not as recommended, and serves it all the same', async () => {
    origin.answer('/clip.webm', file(WEBM, 'video/mp4'));
    origin.answer('/webm', vast(inlineVast({ mediaUrl: origin.url('/clip.webm') })));
    const made = await saveVast(origin.url('/webm'));
    expect(made.body.creative_warnings.map(({ warning }: { warning: string }) => warning)).to.include.members([
      'unsupported_container',
      'unsupported_video_codec',
      'unsupported_audio_codec',
      'non_standard_resolution:320x240',
    ]);
    expect((await adOf(origin.url('/webm'))).creatives[0]!.linear!.mediaFiles[0]!.type).to.equal('video/webm');
    origin.answer('/moving.gif', file(ANIMATED_GIF, 'image/gif'));
    const moving = await save({ image_url: origin.url('/moving.gif') });
    expect(moving.body.creative_warnings).to.deep.equal([
      { creative_id: 'c', warning: 'non_standard_size:32x32' },
      { creative_id: 'c', warning: 'animation_loops' },
    ]);
    const read = await running.api.get(`/api/campaigns/${moving.body.id}`);
    expect(read.body.creative_warnings).to.deep.equal(moving.body.creative_warnings);
  });

  it('fetches a URL once while it is fresh, and nothing for a change that leaves creatives alone', async () => {
    const url = origin.url('/once.xml');
    const times = () => origin.requestedPaths.filter((path) => path === '/once.xml').length;
    const made = await saveVast(url);
    expect((await saveVast(url)).status).to.equal(201);
    expect((await running.api.put(`/api/campaigns/${made.body.id}`, { bidding: { base_cpm: 2 } })).status).to.equal(
      200,
    );
    expect(times()).to.equal(1);
    const creative = { creative_id: 'd', vast_url: origin.url('/missing-too') };
    const failed = await running.api.put(`/api/campaigns/${made.body.id}`, { creative });
    expect(errorAbout(failed)).to.equal('502 BAD_GATEWAY creative.vast_url');
    expect((await running.api.get(`/api/campaigns/${made.body.id}`)).body.creative.creative_id).to.equal('c');
  });

  it('names each creative of a strategy that is refused, and fetches each URL once', async () => {
    const campaign = (id: string, path: string) => ({
      campaign_id: id,
      campaign_name: id,
      creatives: [
        { creative_id: '1', vast_url: origin.url('/shared.xml') },
        { creative_id: '2', vast_url: origin.url(path) },
      ],
    });
    const strategy = (path: string) => ({
      version: '1.0',
      dsp_id: dspId,
      default_bid: 1,
      rules: [],
      campaigns: [campaign('one', '/shared.xml'), campaign('two', path), campaign('three', '/empty')],
    });
    const refused = await running.api.put(`/api/demand/sources/${dspId}/strategy`, strategy('/page'));
    expect(errorOf(refused)).to.equal('422 STRATEGY_INVALID campaigns[1].creatives[1].vast_url');
    expect(refused.body.error.errors.map(({ field }: { field: string }) => field)).to.deep.equal([
      'campaigns[1].creatives[1].vast_url',
      'campaigns[2].creatives[1].vast_url',
    ]);
    const { campaigns, ...rest } = strategy('/missing');
    const failed = await running.api.put(`/api/demand/sources/${dspId}/strategy`, {
      ...rest,
      campaigns: campaigns.slice(0, 2),
    });
    expect(errorAbout(failed)).to.equal('502 BAD_GATEWAY campaigns[1].creatives[1].vast_url');
    expect(origin.requestedPaths.filter((path) => path === '/shared.xml')).to.have.length(1);
  });
});
