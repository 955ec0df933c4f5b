import { expect } from 'chai';
import fc from 'fast-check';
import { readVast } from '#exchange/vast/read-vast';
import { VAST_VERSIONS } from '#exchange/vast/vast-version';
import type { VastWrapper } from '#exchange/vast/wrapper';
import { writeVast } from '#exchange/vast/write-vast';
import { describeWithSchemas, schemaFaults } from '../../support/vast-schemas.ts';
import { arbitraryAd } from './arbitrary-ad.ts';
import { arbitraryWrapper } from './arbitrary-wrapper.ts';
import { trackersIn } from './trackers.ts';

function readBack(xml: string): VastWrapper {
  const read = readVast(xml);
  if (!read.ok) throw new Error(`${read.reason}: ${read.message}`);
  return read.ads[0] as VastWrapper;
}

describe('a wrapper as it is written', () => {
  it('reads back as it was, in 4.2', () => {
    fc.assert(
      fc.property(arbitraryWrapper, (wrapper) => {
        expect(readBack(writeVast([wrapper], { version: '4.2' }))).to.deep.equal(wrapper);
      }),
      { numRuns: 150 },
    );
  });

  for (const version of VAST_VERSIONS) {
    it(`leads on and has its own level called, in ${version}`, () => {
      fc.assert(
        fc.property(arbitraryWrapper, (wrapper) => {
          const xml = writeVast([wrapper], { version });
          const { adTagUri, impressions, errors, creatives } = readBack(xml);
          expect(adTagUri).to.equal(wrapper.adTagUri);
          expect(impressions.map(({ url }) => url)).to.deep.equal(wrapper.impressions.map(({ url }) => url));
          expect(errors[0]).to.equal(wrapper.errors[0]);
          expect(creatives.linear.videoClicks.clickTracking).to.deep.equal(
            wrapper.creatives.linear.videoClicks.clickTracking,
          );
          if (version === '2.0') return;
          // Companions' clicks are called by their own name, wherever the version has one for wrappers.
          const clicks = wrapper.creatives.companions.flatMap(({ clickTracking }) => clickTracking);
          const called = trackersIn(xml).filter((tracker) => tracker.startsWith('CompanionClickTracking'));
          expect(called).to.have.length(clicks.length);
        }),
        { numRuns: 60 },
      );
    });
  }
});

describeWithSchemas('wrappers as they are written, by the IAB schemas', () => {
  for (const version of VAST_VERSIONS) {
    it(`are valid ${version}, beside inline ads too`, async () => {
      const documents = fc
        .sample(fc.array(fc.oneof(arbitraryWrapper, arbitraryAd), { minLength: 1, maxLength: 3 }), { numRuns: 120 })
        .map((ads) => writeVast(ads, { version }));
      expect(await schemaFaults(version, documents)).to.deep.equal([]);
    });
  }
});
