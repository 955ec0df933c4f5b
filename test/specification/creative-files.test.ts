import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { creativeWarnings } from '../../exchange/creative/warnings/creative-warnings.ts';
import { type CreativeOrigin, file, inlineVast, startCreativeOrigin, vast } from '../support/creative-origin.ts';
import {
  AAC,
  ANIMATED_GIF,
  HEVC_MP4,
  JPEG_1200_627,
  M4A,
  mp3Of,
  OGG,
  paddedMp4,
  pngOf,
  WAV,
  WEBM,
} from '../support/sample-media.ts';
import { againstExchange } from './against-exchange.ts';
import { shows } from './shows.ts';

const KB = 1024;
const MB = 1024 * KB;
/** Over https, of which there is nothing to warn. */
const TRACKERS = 'https://trackers.test/inline';

againstExchange('creatives, by what is in their files', (exchange) => {
  let origin: CreativeOrigin;
  let dspId: string;
  before(async () => {
    origin = await startCreativeOrigin();
    dspId = (await exchange.create('/api/demand/sources', { mode: 'delegate' })).id;
  });
  after(() => origin.close());

  /** Saves a campaign of one creative; its warnings are the same whenever it is read. */
  const warningsOf = async (creative: object, targeting: object = {}): Promise<string[]> => {
    const { id, creative_warnings } = await exchange.create('/api/campaigns', {
      name: undefined,
      dsp_id: dspId,
      campaign_name: 'A campaign',
      bidding: { base_cpm: 1 },
      targeting,
      creative: { creative_id: 'c', ...creative },
    });
    expect((await exchange.get(`/api/campaigns/${id}`)).body.creative_warnings).to.deep.equal(creative_warnings);
    for (const { creative_id } of creative_warnings) expect(creative_id).to.equal('c');
    return creative_warnings.map(({ warning }: { warning: string }) => warning);
  };
  const at = (bytes: Buffer): string => {
    const path = `/${randomUUID()}`;
    origin.answer(path, file(bytes, 'application/octet-stream'));
    return origin.url(path);
  };
  const video = (bytes: Buffer, targeting?: object) => {
    const path = `/${randomUUID()}.vast`;
    origin.answer(path, vast(inlineVast({ mediaUrl: at(bytes), trackers: TRACKERS })));
    return warningsOf({ vast_url: origin.url(path) }, targeting);
  };
  const audio = (bytes: Buffer) => warningsOf({ audio_url: at(bytes) });
  const banner = (bytes: Buffer) => warningsOf({ image_url: at(bytes) });
  const native = (ad: object) =>
    warningsOf({ native: { title: 'A title', sponsored: 'A brand', ...ad }, landing_url: 'https://advertiser.test/' });
  /** 15 s, H.264 and a silent AAC track, 640×480, 25 fps, at a bit rate of choice. */
  const spot = (kbps: number) => paddedMp4(Math.round((kbps * 1000 * 15) / 8) - 20_000);

  describe('video', () => {
    shows(['creative.video.container', 'error.warning.unsupported_container'], async () => {
      expect(await video(spot(800))).to.deep.equal([]);
      expect(await video(WEBM)).to.include('unsupported_container');
    });
    shows(
      ['creative.video.codec', 'error.warning.unsupported_video_codec', 'error.warning.unsupported_audio_codec'],
      async () => {
        expect(await video(WEBM)).to.include.members(['unsupported_video_codec', 'unsupported_audio_codec']);
        expect(await video(HEVC_MP4)).to.include('unsupported_video_codec');
        expect(await video(HEVC_MP4, { devices: ['ctv'] })).to.not.include('unsupported_video_codec');
      },
    );
    shows('creative.video.bitrate', async () => {
      expect(await video(spot(450))).to.deep.equal(['low_video_bitrate']);
      expect(await video(spot(9_000))).to.deep.equal(['high_video_bitrate']);
      expect(await video(spot(1_500), { devices: ['ctv'] })).to.deep.equal(['low_video_bitrate']);
      expect(await video(spot(2_500), { devices: ['ctv'] })).to.deep.equal([]);
    });
    shows(['creative.video.resolution', 'creative.video.frame-rate', 'creative.video.duration'], async () => {
      expect(await video(spot(800)), '640x480, 25 fps, 15 s').to.deep.equal([]);
      expect(await video(HEVC_MP4)).to.include.members([
        'non_standard_resolution:320x240',
        'non_standard_frame_rate',
        'non_standard_duration:1s',
      ]);
    });
    shows(['creative.video.size', 'error.warning.large_file'], async () => {
      const heavy = await video(paddedMp4(50 * MB));
      expect(heavy).to.include('large_file');
    });
    shows(['creative.video.silent-track', 'error.warning.no_audio_track'], async () => {
      expect(await video(HEVC_MP4)).to.include('no_audio_track');
      expect(await video(spot(800))).to.not.include('no_audio_track');
    });
  });

  describe('banner', () => {
    shows('creative.banner.sizes', async () => {
      for (const [width, height] of [
        [320, 50],
        [300, 250],
        [728, 90],
        [970, 250],
        [160, 600],
        [300, 600],
        [320, 480],
      ] as const) {
        expect(await banner(pngOf(width, height)), `${width}x${height}`).to.deep.equal([]);
      }
      expect(await banner(pngOf(468, 60))).to.deep.equal(['non_standard_size:468x60']);
    });
    shows('creative.banner.formats', async () => {
      for (const bytes of [ANIMATED_GIF, JPEG_1200_627, pngOf(300, 250)]) {
        expect(await banner(bytes)).to.not.include('unsupported_image_format');
      }
      const bmp = Buffer.alloc(60);
      bmp.write('BM');
      bmp.writeUInt32LE(300, 18);
      bmp.writeInt32LE(250, 22);
      expect(await banner(bmp)).to.deep.equal(['unsupported_image_format']);
      expect(await warningsOf({ html: '<b>An ad</b>', width: 300, height: 250 })).to.deep.equal([]);
    });
    shows('creative.banner.animation', async () => {
      // Three seconds, without end.
      expect(await banner(ANIMATED_GIF)).to.include('animation_loops');
      const slow = Buffer.from(ANIMATED_GIF);
      for (let found = slow.indexOf('21f904', 'hex'); found !== -1; found = slow.indexOf('21f904', found + 1, 'hex')) {
        slow.writeUInt16LE(600, found + 4);
      }
      expect(await banner(slow)).to.include('animation_too_long');
    });
    shows(['creative.banner.weight', 'error.warning.banner_oversized'], async () => {
      expect(await banner(pngOf(300, 250, 150 * KB))).to.deep.equal([]);
      expect(await banner(pngOf(300, 250, 150 * KB + 1))).to.deep.equal(['banner_oversized']);
      const markup = { format: 'banner', width: 300, height: 250, html: 'x'.repeat(150 * KB + 1) };
      expect(await warningsOf(markup)).to.deep.equal(['banner_oversized']);
    });
    shows(['creative.html5.weight', 'error.warning.html5_oversized'], async () => {
      const html5 = (bytes: number) => ({ creative_id: 'c', html: 'x'.repeat(bytes), width: 300, height: 250 });
      // Markup goes out with every impression: more than 256 KiB of it are not saved.
      expect(await warningsOf(html5(256 * KB))).to.deep.equal([]);
      const refused = await exchange.call('POST', '/api/campaigns', {
        dsp_id: dspId,
        campaign_name: 'A campaign',
        bidding: { base_cpm: 1 },
        creative: html5(256 * KB + 1),
      });
      expect(refused.status).to.equal(400);
      expect(JSON.stringify(refused.body)).to.include('creative.html').and.to.include('at most 262144 bytes');
      // Of those that were saved when more was allowed.
      const saved = (bytes: number) =>
        creativeWarnings({ campaign_id: 'c', campaign_name: 'A campaign', creative: html5(bytes) }, () => null, {
          get: () => undefined,
        }).map(({ warning }) => warning);
      expect(saved(2 * MB)).to.deep.equal([]);
      expect(saved(2 * MB + 1)).to.deep.equal(['html5_oversized']);
    });
  });

  describe('audio', () => {
    shows(
      ['creative.audio.formats', 'error.warning.unsupported_audio_format', 'error.warning.uncompressed_audio'],
      async () => {
        for (const bytes of [mp3Of(15), AAC, OGG, M4A]) {
          expect(await audio(bytes)).to.not.include.any.members(['unsupported_audio_format', 'uncompressed_audio']);
        }
        expect(await audio(mp3Of(15))).to.deep.equal([]);
        expect(await audio(WAV))
          .to.include('uncompressed_audio')
          .and.to.not.include('unsupported_audio_format');
        // Opus, in a container that is none of the four.
        expect(await audio(WEBM)).to.include('unsupported_audio_format');
      },
    );
    shows('creative.audio.bitrate', async () => {
      expect(await audio(M4A)).to.include('low_audio_bitrate');
      expect(await audio(WAV)).to.include('non_standard_sample_rate');
      expect(await audio(mp3Of(30))).to.deep.equal([]);
    });
    shows('creative.audio.duration', async () => {
      expect(await audio(mp3Of(60))).to.deep.equal([]);
      expect(await audio(mp3Of(20))).to.deep.equal(['non_standard_duration:20s']);
    });
    shows(['creative.audio.size', 'error.warning.audio_oversized'], async () => {
      expect(await audio(mp3Of(330))).to.include('audio_oversized');
      expect(await audio(mp3Of(60))).to.not.include('audio_oversized');
    });
    shows('creative.audio.companion', async () => {
      const withCompanion = (width: number) => {
        const companion = `<Creative><CompanionAds><Companion width="${width}" height="250"><StaticResource creativeType="image/png">
          <![CDATA[${at(pngOf(width, 250))}]]></StaticResource></Companion></CompanionAds></Creative></Creatives>`;
        const path = `/${randomUUID()}.vast`;
        const inline = inlineVast({ mediaUrl: at(mp3Of(15)), trackers: TRACKERS }).replace('video/mp4', 'audio/mpeg');
        origin.answer(path, vast(inline.replace('</Creatives>', companion)));
        return warningsOf({ format: 'audio', vast_url: origin.url(path) });
      };
      expect(await withCompanion(300)).to.deep.equal([]);
      expect(await withCompanion(301)).to.deep.equal(['non_standard_companion:301x250']);
    });
  });

  describe('native', () => {
    shows(['creative.native.title', 'creative.native.body', 'creative.native.cta'], async () => {
      const ofLengths = (title: number, body: number, cta: number) =>
        native({ title: 't'.repeat(title), body: 'b'.repeat(body), cta: 'c'.repeat(cta) });
      expect(await ofLengths(90, 90, 15)).to.deep.equal([]);
      expect(await ofLengths(91, 91, 16)).to.deep.equal([
        'native_title_too_long',
        'native_body_too_long',
        'native_cta_too_long',
      ]);
    });
    shows('creative.native.image', async () => {
      const image = (bytes: Buffer) => native({ image_url: at(bytes) });
      expect(await image(JPEG_1200_627)).to.deep.equal([]);
      expect(await image(pngOf(1199, 627))).to.deep.equal(['native_image_too_small']);
      expect(await image(pngOf(1200, 627, 500 * KB))).to.deep.equal(['native_image_oversized']);
      expect(await image(ANIMATED_GIF)).to.include('native_image_unsupported_format');
    });
    shows('creative.native.icon', async () => {
      expect(await native({ icon_url: at(pngOf(80, 80)) })).to.deep.equal([]);
      expect(await native({ icon_url: at(pngOf(80, 79)) })).to.deep.equal(['native_icon_too_small']);
    });
    shows('creative.native.sponsored', async () => {
      expect(await native({ sponsored: undefined })).to.deep.equal(['native_sponsored_missing']);
    });
    shows('creative.native.optional', async () => {
      expect(await native({ rating: 4.5, price: '9.99', downloads: 1200 })).to.deep.equal([]);
      expect(await native({ rating: 6 })).to.deep.equal(['native_rating_out_of_range']);
    });
  });
});
