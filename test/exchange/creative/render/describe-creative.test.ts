import { expect } from 'chai';
import { creativeMismatch } from '#exchange/creative/render/creative-mismatch';
import { describeCreative } from '#exchange/creative/render/describe-creative';
import type { Imp } from '#exchange/openrtb/fields/imp';
import type { Creative } from '#exchange/strategy/document/creative';
import { assetsOf, audioAsset, imageAsset, NATIVE_REQUEST, vastAsset } from './stock.ts';

const V = 'https://buyer.example/vast';
const A = 'https://buyer.example/a.mp3';
const I = 'https://buyer.example/i.png';
const OVERLAY = `<VAST version="2.0"><Ad id="1"><InLine><Impression>http://plain.example/i</Impression><Creatives><Creative><NonLinearAds>
  <NonLinear width="480" height="70"><StaticResource creativeType="image/png">/creative/1</StaticResource></NonLinear></NonLinearAds></Creative></Creatives></InLine></Ad></VAST>`;
const ASSETS = assetsOf({ [V]: vastAsset(), [A]: audioAsset(), [I]: imageAsset(), overlay: vastAsset(OVERLAY) });

const described = (creative: Omit<Creative, 'creative_id'>) =>
  describeCreative({ creative_id: 'c', ...creative }, ASSETS);

function misfit(creative: Omit<Creative, 'creative_id'>, imp: Omit<Imp, 'id'>, devicetype?: number): string | null {
  const full = { creative_id: 'c', ...creative };
  const device = devicetype === undefined ? undefined : { devicetype };
  return creativeMismatch(full, describeCreative(full, ASSETS)!, ASSETS, { id: '1', ...imp }, device);
}

describe('what a creative is for a bid', () => {
  it('follows from its assets', () => {
    expect(described({ vast_url: V })).to.deep.equal({
      format: 'video',
      w: 1280,
      h: 720,
      durationSeconds: 15,
      mimeTypes: ['video/mp4'],
      linear: true,
      insecureUrl: null,
      mraid: false,
    });
    expect(described({ audio_url: A })).to.deep.include({
      format: 'audio',
      durationSeconds: 30,
      mimeTypes: ['audio/mpeg'],
    });
    expect(described({ vast_url: V, format: 'audio' }))
      .to.deep.include({ format: 'audio' })
      .and.not.have.property('w');
    expect(described({ image_url: I })).to.deep.include({ format: 'banner', w: 300, h: 250 });
    expect(described({ image_url: I, width: 320, height: 50 })).to.deep.include({ w: 320, h: 50 });
    expect(described({ html: '<p/>' }))
      .to.deep.include({ format: 'banner' })
      .and.not.have.property('w');
    expect(described({ native: { title: 't', image_url: I } })).to.deep.include({ format: 'native' });
    expect(described({ vast_url: 'overlay' })).to.deep.include({
      linear: false,
      w: 480,
      h: 70,
      insecureUrl: 'http://plain.example/i',
    });
  });

  it('is nothing while an asset is missing', () => {
    expect(described({ vast_url: 'https://missing.example' })).to.equal(null);
    expect(described({ audio_url: V })).to.equal(null);
    expect(described({ audio_url: A, image_url: 'https://missing.example' })).to.equal(null);
    expect(described({ image_url: A })).to.equal(null);
    expect(described({ native: { title: 't', icon_url: 'https://missing.example' } })).to.equal(null);
  });

  it('is looked at once, until an asset changes', () => {
    const creative = { creative_id: 'c', image_url: I };
    expect(describeCreative(creative, ASSETS)).to.equal(describeCreative(creative, ASSETS));
    expect(describeCreative(creative, assetsOf({ [I]: imageAsset(728, 90) }))).to.deep.include({ w: 728, h: 90 });
  });
});

describe('whether a creative fits an imp', () => {
  const video = { mimes: ['video/mp4'] };

  it('depends on whether plain HTTP is allowed', () => {
    const plain = ['http://t.example/'];
    expect(misfit({ vast_url: V }, { video, secure: 1 })).to.equal(null);
    expect(misfit({ vast_url: V, impression_trackers: plain }, { video, secure: 1 })).to.equal('insecure');
    expect(misfit({ vast_url: V, impression_trackers: plain }, { video, secure: 0 })).to.equal(null);
    expect(misfit({ vast_url: V, landing_url: 'http://landing.example/' }, { video, secure: 1 })).to.equal(null);
    expect(misfit({ vast_url: 'overlay' }, { video, secure: 1 })).to.equal('insecure');
    expect(misfit({ image_url: I, click_trackers: plain }, { banner: {}, secure: 1 })).to.equal('insecure');
    expect(misfit({ html: '<img src="http://a.example/">' }, { banner: {}, secure: 1 })).to.equal('insecure');
    expect(misfit({ html: '<a href="http://a.example/">a</a>' }, { banner: {}, secure: 1 })).to.equal(null);
  });

  it('depends on the versions, types and place that the imp allows', () => {
    expect(misfit({ vast_url: V }, { video: { ...video, protocols: [1, 5] } })).to.equal('version-not-allowed');
    expect(misfit({ vast_url: V }, { video: { mimes: ['video/webm'] } })).to.equal('media-not-allowed');
    expect(misfit({ vast_url: V }, { video: { mimes: ['video/webm', 'video/*'] } })).to.equal(null);
    expect(misfit({ vast_url: V }, { video: { mimes: ['audio/*'] } })).to.equal('media-not-allowed');
    expect(misfit({ vast_url: V }, { video: { ...video, linearity: 2 } })).to.equal('media-not-allowed');
    expect(misfit({ vast_url: 'overlay' }, { video: { ...video, linearity: 2 } })).to.equal(null);
    expect(misfit({ vast_url: 'overlay' }, { video: { ...video, linearity: 1 } })).to.equal('media-not-allowed');
    expect(misfit({ audio_url: A }, { audio: { mimes: ['audio/mp3'] } })).to.equal(null);
    expect(misfit({ audio_url: A }, { audio: { mimes: ['audio/ogg'] } })).to.equal('media-not-allowed');
    expect(misfit({ audio_url: A }, { video })).to.equal('format-not-offered');
  });

  it('depends on the container, for MRAID', () => {
    const mraid = { format: 'mraid' as const, html: '<p/>' };
    expect(misfit(mraid, { banner: {} })).to.equal('mraid-not-offered');
    expect(misfit(mraid, { banner: { api: [5] } })).to.equal(null);
    expect(misfit(mraid, { banner: { api: [6] } }, 3)).to.equal('mraid-not-offered');
    const asking = { html: '<script src="mraid.js"></script><p/>' };
    expect(misfit(asking, { banner: { api: [3] } }), 'markup that asks for it says enough').to.equal(
      'mraid-not-offered',
    );
    expect(misfit(asking, { banner: { api: [6] } })).to.equal(null);
    expect(misfit(asking, { banner: { api: [6] } }, 7)).to.equal('mraid-not-offered');
  });

  it('depends on the assets that a native request requires', () => {
    const native = { request: JSON.stringify(NATIVE_REQUEST) };
    const ad = { native: { title: 't', image_url: I }, landing_url: 'https://l.example/' };
    expect(misfit(ad, { native })).to.equal(null);
    expect(misfit({ ...ad, native: { title: 't' } }, { native })).to.equal('native-asset-missing');
    expect(misfit({ native: ad.native }, { native })).to.equal('landing-url-missing');
    expect(misfit(ad, { native: { request: '{' } })).to.equal('native-request-malformed');
  });
});
