import { expect } from 'chai';
import type { MediaFacts } from '#exchange/creative/media-facts';
import type { AssetLookup } from '#exchange/creative/render/assets';
import { creativeWarnings } from '#exchange/creative/warnings/creative-warnings';
import type { Creative } from '#exchange/strategy/document/creative';
import { readVast } from '#exchange/vast/read-vast';

const MIB = 1024 * 1024;
const URL_OF = 'https://ads.example/creative';
const LANDING = 'http://advertiser.example/';
const NO_ASSETS: AssetLookup = { get: () => undefined };

const vast = (tracker: string) => `<VAST version="3.0"><Ad id="a"><InLine><AdSystem>a</AdSystem><AdTitle>a</AdTitle>
  <Impression><![CDATA[${tracker}]]></Impression><Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles>
  <MediaFile delivery="progressive" type="video/mp4" width="640" height="360">/creative/a</MediaFile>
  </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;

const warningsOf = (
  creative: Omit<Creative, 'creative_id'>,
  facts: readonly MediaFacts[] = [],
  devices: string[] = [],
  assets = NO_ASSETS,
) =>
  creativeWarnings(
    { campaign_id: 'a', campaign_name: 'A', targeting: { devices }, creative: { creative_id: 'c', ...creative } },
    () => facts,
    assets,
  ).map(({ warning }) => warning);

const spot: MediaFacts = {
  use: 'media',
  bytes: 4 * MIB,
  container: 'MPEG-4',
  durationMs: 30_021,
  bitrateKbps: 2_500,
  video: { codec: 'AVC', width: 1280, height: 720, framesPerSecond: 29.97 },
  audio: { codec: 'AAC', bitrateKbps: 96, sampleRateHz: 48_000 },
};
const video = (changes: Partial<MediaFacts>, devices?: string[]) =>
  warningsOf({ vast_url: URL_OF }, [{ ...spot, ...changes }], devices);

const jingle: MediaFacts = {
  use: 'media',
  bytes: MIB,
  container: 'MPEG Audio',
  durationMs: 15_000,
  bitrateKbps: 128,
  audio: { codec: 'MPEG Audio Layer 3', bitrateKbps: 128, sampleRateHz: 44_100 },
};
const audio = (changes: Partial<MediaFacts>) => warningsOf({ audio_url: URL_OF }, [{ ...jingle, ...changes }]);

const picture: MediaFacts = { use: 'image', bytes: 50_000, container: 'PNG', image: { width: 300, height: 250 } };
const banner = (changes: Partial<MediaFacts>) => warningsOf({ image_url: URL_OF }, [{ ...picture, ...changes }]);

describe('exchange/creative/warnings', () => {
  it('says nothing of creatives that are as recommended', () => {
    expect(video({})).to.deep.equal([]);
    expect(audio({})).to.deep.equal([]);
    expect(banner({})).to.deep.equal([]);
    expect(video({ durationMs: 15_490, bitrateKbps: 500, bytes: 50 * MIB })).to.deep.equal([]);
  });
  it('warns of video by what is in the file', () => {
    expect(video({ container: 'WebM' })).to.deep.equal(['unsupported_container']);
    expect(video({ container: null })).to.deep.equal(['unsupported_container']);
    expect(video({ video: { ...spot.video!, codec: 'VP9' } })).to.deep.equal(['unsupported_video_codec']);
    const { audio: _, ...silent } = spot;
    expect(warningsOf({ vast_url: URL_OF }, [silent])).to.deep.equal(['no_audio_track']);
    expect(video({ audio: { codec: 'AC-3' } })).to.deep.equal(['unsupported_audio_codec']);
    expect(video({ bytes: 50 * MIB + 1 })).to.deep.equal(['large_file']);
    expect(video({ bitrateKbps: 499 })).to.deep.equal(['low_video_bitrate']);
    expect(video({ bitrateKbps: 8_001 })).to.deep.equal(['high_video_bitrate']);
    expect(video({ durationMs: 20_000 })).to.deep.equal(['non_standard_duration:20s']);
    expect(video({ video: { codec: 'AVC', width: 320, height: 240, framesPerSecond: 25 } })).to.deep.equal([
      'non_standard_resolution:320x240',
    ]);
    for (const rate of [23.976, 24, 25, 29.97, 30]) {
      expect(video({ video: { ...spot.video!, framesPerSecond: rate } }), String(rate)).to.deep.equal([]);
    }
    expect(video({ video: { ...spot.video!, framesPerSecond: 60 } })).to.deep.equal(['non_standard_frame_rate']);
  });
  it('takes H.265, and wants more bits, where a campaign bids on television sets alone', () => {
    const hevc = { ...spot.video!, codec: 'HEVC' };
    expect(video({ video: hevc })).to.deep.equal(['unsupported_video_codec']);
    expect(video({ video: hevc }, ['ctv'])).to.deep.equal([]);
    expect(video({ video: hevc }, ['ctv', 'mobile'])).to.deep.equal(['unsupported_video_codec']);
    expect(video({ bitrateKbps: 1_999 }, ['3'])).to.deep.equal(['low_video_bitrate']);
    expect(video({ bitrateKbps: 2_000 }, ['3'])).to.deep.equal([]);
  });
  it('says each thing once, however many renditions it is true of', () => {
    const renditions = [spot, spot].map((file) => ({ ...file, container: 'WebM' }));
    expect(warningsOf({ vast_url: URL_OF }, renditions)).to.deep.equal(['unsupported_container']);
  });
  it('warns of audio by what is in the file', () => {
    expect(audio({ bytes: 5 * MIB + 1 })).to.deep.equal(['audio_oversized']);
    expect(audio({ container: 'FLAC', audio: { codec: 'FLAC' } })).to.deep.equal(['unsupported_audio_format']);
    expect(audio({ container: 'Wave', audio: { codec: 'PCM', bitrateKbps: 1411 } })).to.deep.equal([
      'uncompressed_audio',
    ]);
    expect(audio({ audio: { ...jingle.audio!, bitrateKbps: 96 } })).to.deep.equal(['low_audio_bitrate']);
    expect(audio({ audio: { ...jingle.audio!, sampleRateHz: 22_050 } })).to.deep.equal(['non_standard_sample_rate']);
    for (const [container, codec] of [
      ['MPEG-4', 'AAC'],
      ['ADTS', 'AAC'],
      ['Ogg', 'Vorbis'],
      ['Ogg', 'Opus'],
    ] as const) {
      expect(audio({ container, audio: { codec } }), container).to.deep.equal([]);
    }
  });
  it('warns of the companion of an audio ad that is not 300x250', () => {
    const withCompanion = (width: number) => [
      jingle,
      { use: 'companion', bytes: 1, container: 'PNG', image: { width, height: 250 } } as const,
    ];
    expect(warningsOf({ format: 'audio', vast_url: URL_OF }, withCompanion(300))).to.deep.equal([]);
    expect(warningsOf({ format: 'audio', vast_url: URL_OF }, withCompanion(320))).to.deep.equal([
      'non_standard_companion:320x250',
    ]);
  });
  it('warns of banners of other sizes than the standard ones', () => {
    for (const [width, height] of [
      [320, 50],
      [300, 250],
      [728, 90],
      [970, 250],
      [160, 600],
      [300, 600],
      [320, 480],
    ] as const) {
      expect(banner({ image: { width, height } })).to.deep.equal([]);
      expect(warningsOf({ html: '<b>', width, height })).to.deep.equal([]);
    }
    expect(banner({ image: { width: 250, height: 300 } })).to.deep.equal(['non_standard_size:250x300']);
    expect(warningsOf({ html: '<b>', width: 1, height: 1 })).to.deep.equal(['non_standard_size:1x1']);
    // What the campaign says of its size is what is shown.
    expect(warningsOf({ image_url: URL_OF, width: 640, height: 100 }, [picture])).to.deep.equal([
      'non_standard_size:640x100',
    ]);
  });
  it('warns of heavy, restless and unusual images', () => {
    expect(banner({ bytes: 150 * 1024 })).to.deep.equal([]);
    expect(banner({ bytes: 150 * 1024 + 1 })).to.deep.equal(['banner_oversized']);
    expect(banner({ container: 'WebP' })).to.deep.equal(['unsupported_image_format']);
    const moving = (durationMs: number, runs: number) =>
      banner({ image: { width: 300, height: 250, animation: { durationMs, runs } } });
    expect(moving(5_000, 3)).to.deep.equal([]);
    expect(moving(5_001, 3)).to.deep.equal(['animation_too_long']);
    expect(moving(1_000, 4)).to.deep.equal(['animation_loops']);
    expect(moving(1_000, 0)).to.deep.equal(['animation_loops']);
    expect(moving(16_000, 0)).to.deep.equal(['animation_loops', 'animation_too_long']);
  });
  it('warns of heavy markup, counted in bytes', () => {
    const bannerOf = (bytes: number) => warningsOf({ format: 'banner', html: 'é'.repeat(bytes / 2) });
    expect(bannerOf(150 * 1024)).to.deep.equal([]);
    expect(bannerOf(150 * 1024 + 2)).to.deep.equal(['banner_oversized']);
    const html5Of = (bytes: number) => warningsOf({ html: 'é'.repeat(bytes / 2) });
    expect(html5Of(2 * MIB)).to.deep.equal([]);
    expect(html5Of(2 * MIB + 2)).to.deep.equal(['html5_oversized']);
  });
  it('warns of native ads, part by part', () => {
    const native = (ad: object, facts: readonly MediaFacts[] = []) =>
      warningsOf({ native: { title: 'A title', sponsored: 'A brand', ...ad }, landing_url: LANDING }, facts);
    expect(native({})).to.deep.equal([]);
    expect(native({ title: 'é'.repeat(91) })).to.deep.equal(['native_title_too_long']);
    expect(native({ body: 'x'.repeat(91) })).to.deep.equal(['native_body_too_long']);
    expect(native({ cta: 'x'.repeat(16) })).to.deep.equal(['native_cta_too_long']);
    expect(native({ sponsored: ' ' })).to.deep.equal(['native_sponsored_missing']);
    expect(native({ rating: 5.5 })).to.deep.equal(['native_rating_out_of_range']);
    const image = (changes: Partial<MediaFacts>) =>
      native({ image_url: URL_OF }, [
        { use: 'image', bytes: 499 * 1024, container: 'JPEG', image: { width: 1200, height: 627 }, ...changes },
      ]);
    expect(image({})).to.deep.equal([]);
    expect(image({ image: { width: 1199, height: 627 } })).to.deep.equal(['native_image_too_small']);
    expect(image({ bytes: 500 * 1024 })).to.deep.equal(['native_image_oversized']);
    expect(image({ container: 'GIF' })).to.deep.equal(['native_image_unsupported_format']);
    expect(native({ icon_url: URL_OF }, [{ ...picture, image: { width: 79, height: 80 } }])).to.deep.equal([
      'native_icon_too_small',
    ]);
  });
  it('says that a native ad that leads nowhere is not shown', () => {
    expect(warningsOf({ native: { title: 'A title', sponsored: 'A brand' } })).to.deep.equal([
      'native_landing_url_missing',
    ]);
  });
  it('says what is loaded over plain HTTP, which secure places do not take', () => {
    const plain = { impression_trackers: ['http://tracker.example/i'] };
    const safe = { landing_url: LANDING, click_trackers: ['https://tracker.example/c'] };
    expect(warningsOf({ html: '<a href="http://advertiser.example/">A</a>', ...safe })).to.deep.equal([]);
    expect(warningsOf({ html: '<b>A</b>', ...plain })).to.deep.equal(['insecure_url']);
    expect(warningsOf({ html: '<img src="http://cdn.example/a.png">' })).to.deep.equal(['insecure_url']);
    const tag = (tracker: string, creative: object = {}) => {
      const ad = readVast(vast(tracker));
      if (!ad.ok || ad.ads[0]?.kind !== 'inline') throw new Error('no ad');
      const content = { kind: 'vast', ad: ad.ads[0] } as const;
      return warningsOf({ vast_url: URL_OF, ...creative }, [spot], [], { get: () => ({ content }) });
    };
    expect(tag('https://tracker.example/i', safe)).to.deep.equal([]);
    expect(tag('http://tracker.example/i')).to.deep.equal(['insecure_url']);
    expect(tag('https://tracker.example/i', plain)).to.deep.equal(['insecure_url']);
  });
  it('says what was not fetched, and names the creative', () => {
    const creatives = [
      { creative_id: 'a', html: '<b>' },
      { creative_id: 'b', vast_url: URL_OF },
    ];
    expect(creativeWarnings({ campaign_id: 'a', campaign_name: 'A', creatives }, () => null, NO_ASSETS)).to.deep.equal([
      { creative_id: 'b', warning: 'not_fetched' },
    ]);
  });
});
