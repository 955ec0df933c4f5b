import { DOMParser } from '@xmldom/xmldom';
import { expect } from 'chai';
import fc from 'fast-check';
import type { ViewabilityUrl } from '#exchange/creative/viewability-url';
import type { VastAd } from '#exchange/vast/ad';
import { injectVastTrackers } from '#exchange/vast/inject-trackers';
import type { ViewableImpression } from '#exchange/vast/model/tracking';
import { podAdOf, withViewabilityTrackers, writePod } from '#exchange/vast/pod';
import { readVast } from '#exchange/vast/read-vast';
import { VAST_VERSIONS } from '#exchange/vast/vast-version';
import { vastTemplate, writeVast } from '#exchange/vast/write-vast';
import { describeWithSchemas, itWithSchemas, schemaFaults } from '../../support/vast-schemas.ts';
import { arbitraryAd } from './arbitrary-ad.ts';
import { arbitraryWrapper } from './arbitrary-wrapper.ts';
import { describeSamples } from './samples.ts';

const TRACKER = 'https://edge.test/track/impression?id=1&pub=2&t=x.y.z';
const viewUrl: ViewabilityUrl = (told) => `https://edge.test/track/view?event=${told}&id=1&pub=2&t=x.y.z`;
const OURS = {
  viewable: [viewUrl('viewable')],
  notViewable: [viewUrl('not_viewable')],
  viewUndetermined: [viewUrl('undetermined')],
};
const SINCE_4 = VAST_VERSIONS.slice(2);

function injected(vast: string, views: ViewabilityUrl | null = viewUrl): string {
  const injection = injectVastTrackers(vast, TRACKER, views === null ? {} : { viewUrl: views });
  if (!injection.ok) throw new Error(`${injection.reason}: ${injection.message}`);
  return injection.adm;
}

/** All viewability trackers of each ad. */
function toldBy(vast: string): Omit<ViewableImpression, 'id'>[] {
  const read = readVast(vast);
  if (!read.ok) throw new Error(read.message);
  return read.ads.map(({ viewableImpressions }) => together(viewableImpressions));
}

function together(impressions: readonly ViewableImpression[]): Omit<ViewableImpression, 'id'> {
  return {
    viewable: impressions.flatMap(({ viewable }) => viewable),
    notViewable: impressions.flatMap(({ notViewable }) => notViewable),
    viewUndetermined: impressions.flatMap(({ viewUndetermined }) => viewUndetermined),
  };
}

function sorted({ viewable, notViewable, viewUndetermined }: Omit<ViewableImpression, 'id'>) {
  return [viewable, notViewable, viewUndetermined].map((urls) => [...urls].sort());
}

/** Without what was inserted: elements of ours, and what holds nothing else. */
function withoutOurs(vast: string): string {
  const own =
    /<((?:\w+:)?)(Impression|Viewable|NotViewable|ViewUndetermined)><!\[CDATA\[https:\/\/edge\.test[^\]]*\]\]><\/\1\2>/g;
  return vast.replaceAll(own, '').replaceAll(/<((?:\w+:)?)ViewableImpression><\/\1ViewableImpression>/g, '');
}

const document = (version: string, parts: string) =>
  `<VAST version="${version}"><Ad><InLine>${parts}</InLine></Ad><Ad><Wrapper><Impression>a</Impression></Wrapper></Ad></VAST>`;

describe('viewability trackers in VAST', () => {
  it('is asked for since 4.0, in every ad, beside what the DSP asks for', () => {
    const own =
      '<Impression>i</Impression><Pricing>1</Pricing><ViewableImpression id="x"><Viewable>v</Viewable><Viewable>w</Viewable>' +
      '<ViewUndetermined>u</ViewUndetermined></ViewableImpression><Creatives/>';
    for (const version of SINCE_4) {
      const vast = injected(document(version, own));
      expect(vast, version).to.match(
        /<Pricing>1<\/Pricing><ViewableImpression id="x"><Viewable><!\[CDATA\[https:\/\/edge/,
      );
      expect(vast.indexOf('NotViewable')).to.be.within(vast.indexOf('>w<'), vast.indexOf('ViewUndetermined'));
      expect(vast).to.contain('<Impression>a</Impression><Impression>');
      expect(withoutOurs(vast)).to.equal(document(version, own));
    }
  });

  it('is not requested where no schema has a place for it, or no one measures it', () => {
    const plain = '<Impression>i</Impression><Creatives/>';
    for (const version of ['2.0', '3.0', '3.0.1']) {
      expect(injected(document(version, plain))).not.to.contain('/track/view');
    }
    expect(injected(document('4.2', plain), null)).not.to.contain('Viewable');
  });

  it('fills an element that is only a tag, and keeps the prefix of its ad', () => {
    const empty = injected(document('4.1', '<Impression>i</Impression><ViewableImpression id="x" /><Creatives/>'));
    expect(empty).to.match(
      /<ViewableImpression id="x" ><Viewable>.*<\/ViewUndetermined><\/ViewableImpression><Creatives\/>/,
    );
    const prefixed =
      '<v:VAST xmlns:v="http://www.iab.com/VAST" version="4.0"><v:Ad><v:InLine><v:Impression>a</v:Impression></v:InLine></v:Ad></v:VAST>';
    const result = injected(prefixed);
    expect(result).to.contain('</v:Impression><v:ViewableImpression><v:Viewable>');
    expect(withoutOurs(result)).to.equal(prefixed);
  });

  it('leaves any document as it was, but for what is inserted', () => {
    const name = fc.constantFrom(
      'Impression',
      'Pricing',
      'ViewableImpression',
      'Viewable',
      'NotViewable',
      'ViewUndetermined',
      'X',
    );
    const text = fc.constantFrom('', 'x', '\n', '<!-- <Viewable> -->', '<![CDATA[</ViewableImpression>]]>');
    const { element } = fc.letrec<{ element: string }>((tie) => ({
      element: fc.oneof(
        { maxDepth: 2 },
        fc
          .tuple(name, text)
          .map(([tag, inner]) =>
            inner === '' && tag !== 'ViewableImpression' ? `<${tag} a='>'/>` : `<${tag} b=''>${inner}</${tag} >`,
          ),
        fc
          .tuple(name, fc.array(tie('element'), { maxLength: 3 }), text)
          .map(([tag, inner, rest]) => `<${tag} b="/>">${inner.join(rest)}${rest}</${tag}>`),
      ),
    }));
    const ad = fc
      .array(element, { minLength: 1, maxLength: 5 })
      .map((parts) => `<Ad><InLine>${parts.join('')}</InLine></Ad>`);
    fc.assert(
      fc.property(fc.array(ad, { minLength: 1, maxLength: 3 }), (ads) => {
        const vast = `<VAST version="4.1">${ads.join('')}</VAST>`;
        const result = injected(vast);
        new DOMParser({
          onError: (level, message) => {
            if (level !== 'warning') throw new Error(message);
          },
        }).parseFromString(result, 'text/xml');
        expect(withoutOurs(result)).to.equal(vast);
        for (const told of ['viewable', 'not_viewable', 'undetermined'] as const) {
          expect(result.split(viewUrl(told))).to.have.length(ads.length + 1);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('joins all that an ad had', () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryAd, arbitraryWrapper), fc.constantFrom(...SINCE_4), (ad, version) => {
        const vast = writeVast([ad], { version });
        const [before] = toldBy(vast) as [Omit<ViewableImpression, 'id'>];
        expect(sorted(toldBy(injected(vast))[0]!)).to.deep.equal(sorted(together([before, OURS])));
      }),
      { numRuns: 100 },
    );
  });

  it('is in what delegates show, before all others', () => {
    fc.assert(
      fc.property(arbitraryAd, fc.constantFrom(...VAST_VERSIONS), (ad: VastAd, version) => {
        const filled = vastTemplate(ad, { version }).fill(TRACKER, 'serving', viewUrl);
        const expected = {
          ...ad,
          adServingId: 'serving',
          impressions: [{ url: TRACKER }, ...ad.impressions],
          viewableImpressions: [OURS, ...ad.viewableImpressions],
        };
        expect(filled).to.equal(writeVast([expected], { version }));
      }),
      { numRuns: 100 },
    );
  });

  it('is in a pod of a version that knows it, whichever its ads came in', () => {
    const linear =
      '<AdSystem>a</AdSystem><AdTitle>t</AdTitle><Impression>i</Impression><Creatives><Creative><Linear><Duration>00:00:15</Duration>' +
      '<MediaFiles><MediaFile type="video/mp4" delivery="progressive" width="1" height="1">https://a.test/v</MediaFile></MediaFiles></Linear></Creative></Creatives>';
    for (const version of ['2.0', '3.0', '4.1']) {
      const one = podAdOf(injected(`<VAST version="${version}"><Ad id="1"><InLine>${linear}</InLine></Ad></VAST>`))!;
      const pod = writePod([withViewabilityTrackers(one, viewUrl)], {
        versions: ['4.0', '4.1'],
        wrappers: true,
        pod: true,
      });
      expect(toldBy(pod), version).to.deep.equal([OURS]);
    }
  });
});

describeWithSchemas('viewability trackers, by the IAB schemas', () => {
  for (const version of SINCE_4) {
    it(`leaves ads valid ${version}, inline, wrappers, and as delegates show them`, async () => {
      const inline = fc.sample(arbitraryAd, 100);
      const documents = [
        ...[...inline, ...fc.sample(arbitraryWrapper, 100)].map((ad) => injected(writeVast([ad], { version }))),
        ...inline.map((ad) => vastTemplate(ad, { version }).fill(TRACKER, 'serving', viewUrl)),
      ];
      expect(documents.every((each) => each.includes('<Viewable>'))).to.equal(true);
      expect(await schemaFaults(version, documents)).to.deep.equal([]);
    });
  }
});

describeSamples('what players tell of views', ({ all: samples, refused }) => {
  for (const version of ['2.0', '3.0', '4.0'] as const) {
    itWithSchemas(`leaves those of ${version} valid`, async () => {
      const documents = samples
        .filter((sample) => sample.version === version)
        .flatMap(({ text }) => {
          const injection = injectVastTrackers(text, TRACKER, { viewUrl });
          return injection.ok ? [injection.adm] : [];
        });
      const served = samples.filter((sample) => sample.version === version && refused[sample.name] === undefined);
      expect(documents).to.have.length(served.length);
      expect(documents.filter((each) => each.includes('/track/view'))).to.have.length(
        version === '4.0' ? documents.length : 0,
      );
      expect(await schemaFaults(version, documents)).to.deep.equal([]);
    });
  }
});
