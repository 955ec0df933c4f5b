import { expect } from 'chai';
import { explainMismatch } from '#exchange/creative/render/explain-mismatch';
import type { Imp } from '#exchange/openrtb/fields/imp';
import type { Creative } from '#exchange/strategy/document/creative';
import { assetsOf, audioAsset, imageAsset, vastAsset } from './stock.ts';

const V = 'https://buyer.example/vast';
const A = 'https://buyer.example/a.mp3';
const I = 'https://buyer.example/i.png';
const GONE = 'https://buyer.example/gone.png';
const ASSETS = assetsOf({ [V]: vastAsset(), [A]: audioAsset(), [I]: imageAsset() });

const banner = { w: 300, h: 250 };
const video = { mimes: ['video/mp4'], protocols: [3] };

interface Case {
  readonly why: string;
  readonly creative: Omit<Creative, 'creative_id'>;
  readonly imp: Omit<Imp, 'id'>;
  readonly reason: string;
  readonly says: readonly string[];
}

const CASES: readonly Case[] = [
  {
    why: 'an insecure tracker where the imp is secure, by its URL',
    creative: { image_url: I, impression_trackers: ['http://plain.example/i'] },
    imp: { banner, secure: 1 },
    reason: 'insecure',
    says: ['http://plain.example/i', 'imp.secure', 'secure=0'],
  },
  {
    why: 'markup that loads something insecure, by the first such URL',
    creative: { html: '<img src="https://safe.example/a"><img src="http://plain.example/b.gif?c=1">' },
    imp: { banner, secure: 1 },
    reason: 'insecure',
    says: ['http://plain.example/b.gif?c=1 over'],
  },
  {
    why: 'another size',
    creative: { image_url: I },
    imp: {
      banner: {
        format: [
          { w: 728, h: 90 },
          { w: 320, h: 50 },
        ],
      },
    },
    reason: 'size-not-allowed',
    says: ['300x250', '728x90, 320x50', 'imp.banner.format', 'width and height'],
  },
  {
    why: 'another media type',
    creative: { vast_url: V },
    imp: { video: { ...video, mimes: ['video/webm'] } },
    reason: 'media-not-allowed',
    says: ['video/mp4', 'video/webm', 'imp.video.mimes'],
  },
  {
    why: 'an ad that is too long',
    creative: { vast_url: V },
    imp: { video: { ...video, minduration: 5, maxduration: 10 } },
    reason: 'duration-not-allowed',
    says: ['15 s', '5 to 10 s', 'imp.video.minduration and maxduration'],
  },
  {
    why: 'an ad of none of the exact durations',
    creative: { vast_url: V },
    imp: { video: { ...video, rqddurs: [6, 30] } },
    reason: 'duration-not-allowed',
    says: ['6, 30 s', 'imp.video.rqddurs'],
  },
  {
    why: 'a file that is not fetched yet',
    creative: { image_url: GONE },
    imp: { banner },
    reason: 'asset-missing',
    says: [`image_url ${GONE}`, 'not fetched yet', 'creative_warnings'],
  },
  {
    why: 'a file of another kind',
    creative: { audio_url: I },
    imp: { audio: { mimes: ['audio/mpeg'] } },
    reason: 'asset-missing',
    says: [`audio_url ${I}`, 'another kind'],
  },
  {
    why: 'another format',
    creative: { image_url: I },
    imp: { video },
    reason: 'format-not-offered',
    says: ['It is banner', 'offers video', 'imp.banner'],
  },
  {
    why: 'versions of VAST that are not written',
    creative: { vast_url: V },
    imp: { video: { ...video, protocols: [1] } },
    reason: 'version-not-allowed',
    says: ['imp.video.protocols'],
  },
  {
    why: 'MRAID where no container is',
    creative: { html: '<p/>', format: 'mraid' },
    imp: { banner },
    reason: 'mraid-not-offered',
    says: ['imp.banner.api'],
  },
  {
    why: 'a native asset that it has not',
    creative: { native: { title: 'Fly' }, landing_url: 'https://buyer.example/' },
    imp: { native: { request: JSON.stringify({ assets: [{ id: 1, required: 1, img: { type: 3 } }] }) } },
    reason: 'native-asset-missing',
    says: ['an image of type 3', 'imp.native.request'],
  },
  {
    why: 'a native ad that leads nowhere',
    creative: { native: { title: 'Fly' } },
    imp: { native: { request: JSON.stringify({ assets: [{ id: 1, required: 1, title: { len: 90 } }] }) } },
    reason: 'landing-url-missing',
    says: ['landing_url'],
  },
];

describe('why an imp cannot show a creative is said in words, with what would change it:', () => {
  for (const { why, creative, imp, reason, says } of CASES) {
    it(why, () => {
      const misfit = explainMismatch({ creative_id: 'c', ...creative }, ASSETS, { id: '1', ...imp } as Imp, undefined);
      expect(misfit).to.include({ creativeId: 'c', reason });
      for (const words of says) expect(misfit!.words).to.contain(words);
    });
  }

  it('and nothing is said of one that it can show', () => {
    expect(explainMismatch({ creative_id: 'c', image_url: I }, ASSETS, { id: '1', banner }, undefined)).to.equal(null);
  });
});
