import { VASTParser } from '@dailymotion/vast-client';
import { DOMParser } from '@xmldom/xmldom';
import { expect } from 'chai';
import fc from 'fast-check';
import type { VastAd } from '#exchange/vast/ad';
import { readVast } from '#exchange/vast/read-vast';
import { VAST_VERSIONS } from '#exchange/vast/vast-version';
import { emptyVast, vastTemplate, writeVast } from '#exchange/vast/write-vast';
import { describeWithSchemas, schemaFaults } from '../../support/vast-schemas.ts';
import { arbitraryAd } from './arbitrary-ad.ts';
import { carried } from './carried.ts';

const ads = fc.array(arbitraryAd, { minLength: 1, maxLength: 2 });

function readBack(xml: string): readonly unknown[] {
  const read = readVast(xml);
  if (!read.ok) throw new Error(`${read.reason}: ${read.message}`);
  return read.ads;
}

describe('VAST as it is written', () => {
  for (const version of VAST_VERSIONS) {
    it(`reads back as what ${version} carries of it`, () => {
      fc.assert(
        fc.property(ads, (written) => {
          expect(readBack(writeVast(written, { version }))).to.deep.equal(written.map((ad) => carried(ad, version)));
        }),
        { numRuns: 150 },
      );
    });
  }

  it('has our tracker before all others, and the name of the serving', () => {
    fc.assert(
      fc.property(arbitraryAd, fc.constantFrom(...VAST_VERSIONS), (ad, version) => {
        const filled = vastTemplate(ad, { version }).fill('https://edge.test/track?a=1&b=]]>', 'serving & 1');
        const expected = {
          ...ad,
          adServingId: 'serving & 1',
          impressions: [{ url: 'https://edge.test/track?a=1&b=%5D%5D>' }, ...ad.impressions],
        };
        expect(filled).to.equal(writeVast([expected], { version }));
      }),
      { numRuns: 100 },
    );
  });

  it('leaves out what XML cannot express, and encodes what a URL cannot', () => {
    const [ad] = fc.sample(arbitraryAd, { numRuns: 1, seed: 1 }) as [VastAd];
    const odd = {
      ...ad,
      adTitle: 'a\u0000b\ufffe\ud800c',
      errors: [' https://t.example/a  b\u0001 ', 'https://[::1]/?a[]=[CACHEBUSTING]]]>'],
    };
    const [back] = readBack(writeVast([odd], { version: '4.2' })) as [VastAd];
    expect(back.adTitle).to.equal('abc');
    expect(back.errors).to.deep.equal(['https://t.example/a%20%20b', 'https://[::1]/?a%5B%5D=[CACHEBUSTING]%5D%5D>']);
  });

  it('gives the trackers to a player that reads it', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryAd, fc.constantFrom(...VAST_VERSIONS), async (ad, version) => {
        const document = new DOMParser().parseFromString(writeVast([ad], { version }), 'text/xml');
        const { ads: parsedAds } = await new VASTParser().parseVAST(document);
        const [parsed] = parsedAds;
        const expected = carried(ad, version);
        expect(parsed.impressionURLTemplates.map(({ url }: { url: string }) => url)).to.deep.equal(
          expected.impressions.map(({ url }) => url),
        );
        expect(parsed.errorURLTemplates).to.deep.equal(expected.errors);
        const linears = parsed.creatives.filter(({ type }: { type: string }) => type === 'linear');
        expect(linears.map(playerView)).to.deep.equal(
          expected.creatives.flatMap(({ linear }) => (linear === undefined ? [] : [modelView(linear)])),
        );
      }),
      { numRuns: 100 },
    );
  });
});

describeWithSchemas('VAST as it is written, by the IAB schemas', () => {
  for (const version of VAST_VERSIONS) {
    it(`is valid ${version}, whatever the ads, and without an ad`, async () => {
      const documents = fc
        .sample(ads, { numRuns: 120 })
        .flatMap((written) => [
          writeVast(written, { version }),
          vastTemplate(written[0]!, { version }).fill('https://edge.test/track?a=1&b=2', 'serving'),
        ]);
      documents.push(emptyVast(version), emptyVast(version, 'https://edge.test/error?a=1&b=2'));
      expect(await schemaFaults(version, documents)).to.deep.equal([]);
    });
  }

  it('would not be valid in another version', async () => {
    const [ad] = fc.sample(arbitraryAd, { numRuns: 1, seed: 1 }) as [VastAd];
    expect(await schemaFaults('2.0', [writeVast([ad], { version: '4.2' })])).not.to.deep.equal([]);
  });
});

interface PlayerLinear {
  readonly trackingEvents: Readonly<Record<string, readonly string[]>>;
  readonly videoClickTrackingURLTemplates: readonly { readonly url: string }[];
  readonly mediaFiles: readonly { readonly fileURL: string }[];
  readonly duration: number;
}

function playerView(linear: PlayerLinear) {
  return {
    events: new Set(Object.values(linear.trackingEvents).flat()),
    clicks: linear.videoClickTrackingURLTemplates.map(({ url }) => url),
    files: linear.mediaFiles.map(({ fileURL }) => fileURL),
    seconds: Math.floor(linear.duration),
  };
}

function modelView(linear: NonNullable<VastAd['creatives'][number]['linear']>) {
  return {
    // The player keeps a progress event only with the time it is for.
    events: new Set(
      linear.trackingEvents.filter(({ event, offset }) => event !== 'progress' || offset).map(({ url }) => url),
    ),
    clicks: linear.videoClicks.clickTracking.map(({ url }) => url),
    files: linear.mediaFiles.map(({ url }) => url),
    seconds: Math.floor(linear.durationMs / 1000),
  };
}
