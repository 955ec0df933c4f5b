import { expect } from 'chai';
import { staticWarnings } from '../../../exchange/creative/static-warnings.ts';
import type { Creative } from '../../../exchange/strategy/document/creative.ts';

const warningsOf = (creative: Omit<Creative, 'creative_id'>) =>
  staticWarnings({ campaign_id: 'a', campaign_name: 'A', creative: { creative_id: 'c', ...creative } }).map(
    ({ warning }) => warning,
  );
const image = { image_url: 'https://ads.example/b.png' };

describe('exchange/creative/static-warnings', () => {
  it('warns of banners of other sizes than the standard ones', () => {
    for (const [width, height] of [
      [320, 50],
      [300, 250],
      [728, 90],
      [970, 250],
      [160, 600],
      [300, 600],
      [320, 480],
    ]) {
      expect(warningsOf({ ...image, width: width!, height: height! })).to.deep.equal([]);
    }
    expect(warningsOf({ ...image, width: 250, height: 300 })).to.deep.equal(['non_standard_size:250x300']);
    expect(warningsOf({ html: '<b>', width: 1, height: 1 })).to.deep.equal(['non_standard_size:1x1']);
    expect(warningsOf(image)).to.deep.equal([]);
    expect(warningsOf({ vast_url: 'https://ads.example/v.xml', width: 1, height: 1 })).to.deep.equal([]);
  });
  it('warns of banner markup above 150 KB, counted in bytes', () => {
    const html = (length: number) => ({ format: 'banner' as const, html: 'é'.repeat(length / 2) });
    expect(warningsOf(html(150 * 1024))).to.deep.equal([]);
    expect(warningsOf(html(150 * 1024 + 2))).to.deep.equal(['banner_oversized']);
  });
  it('warns of audio that its name says is not as wanted', () => {
    const audio = (file: string) => warningsOf({ audio_url: `https://ads.example/${file}` });
    for (const fine of ['a.mp3', 'a.aac', 'a.ogg', 'a.m4a?x=.wav.mp3', 'a', 'a.constructor']) {
      expect(audio(fine), fine).to.deep.equal([]);
    }
    expect(audio('a.WAV?x=1')).to.deep.equal(['uncompressed_audio']);
    expect(audio('a.flac')).to.deep.equal(['unsupported_audio_format']);
  });
  it('names the creative', () => {
    const creatives = [
      { creative_id: 'a', ...image, width: 300, height: 250 },
      { creative_id: 'b', ...image, width: 2, height: 3 },
    ];
    expect(staticWarnings({ campaign_id: 'a', campaign_name: 'A', creatives })).to.deep.equal([
      { creative_id: 'b', warning: 'non_standard_size:2x3' },
    ]);
  });
});
