import { expect } from 'chai';
import { injectVastTrackers } from '#exchange/vast/inject-trackers';
import { type PodAd, podAdOf, writePod } from '#exchange/vast/pod';
import { readVast } from '#exchange/vast/read-vast';
import { VAST_VERSIONS, type VastVersion } from '#exchange/vast/vast-version';
import { describeWithSchemas, itWithSchemas, schemaFaults } from '../../support/vast-schemas.ts';
import { describeSamples } from './samples.ts';

const inline = (name: string, { seconds = 15, sequence = '', ad = '' } = {}) =>
  `<Ad id="${name}"${sequence}><InLine><AdSystem>s</AdSystem><AdTitle>${name}</AdTitle>
  <Impression>https://dsp.test/${name}</Impression><Creatives><Creative><Linear>
  <Duration>00:00:${String(seconds).padStart(2, '0')}</Duration><MediaFiles>
  <MediaFile delivery="progressive" type="video/mp4" width="16" height="9">https://cdn.test/${name}.mp4</MediaFile>
  </MediaFiles></Linear></Creative></Creatives>${ad}</InLine></Ad>`;
const wrapper = (name: string, attributes = '') =>
  `<Ad id="${name}"><Wrapper ${attributes}><AdSystem>s</AdSystem><VASTAdTagURI>https://dsp.test/next</VASTAdTagURI>
  <Impression>https://dsp.test/${name}</Impression></Wrapper></Ad>`;
const vast = (version: string, ...ads: readonly string[]) => `<VAST version="${version}">${ads.join('')}</VAST>`;

function placed(document: string): PodAd {
  const ad = podAdOf(document);
  if (ad === null) throw new Error('no ad for a pod');
  return ad;
}

const ANY = { versions: null, wrappers: true };
const taking = (...versions: readonly VastVersion[]) => ({ versions, wrappers: true });

describe('an ad for a pod', () => {
  const refused: readonly (readonly [what: string, document: string, seconds?: number])[] = [
    ['what is no XML', '<VAST'],
    ['a document without an ad', vast('3.0')],
    [
      'an overlay',
      vast(
        '3.0',
        '<Ad><InLine><Creatives><Creative><NonLinearAds><NonLinear width="1" height="1"><StaticResource creativeType="image/png">https://a.test/</StaticResource></NonLinear></NonLinearAds></Creative></Creatives></InLine></Ad>',
      ),
    ],
    ['a pod', vast('3.0', inline('a', { sequence: ' sequence="1"' }), inline('b', { sequence: ' sequence="2"' }))],
    ['one that plays longer than its bid said', vast('3.0', inline('a', { seconds: 30 })), 15],
  ];
  for (const [what, document, seconds] of refused) {
    it(`is not ${what}`, () => expect(podAdOf(document, seconds)).to.equal(null));
  }

  it('is the first of several that stand alone', () => {
    const both = vast('4.0', inline('a', { sequence: ' sequence="1"' }), inline('b'), inline('c'));
    expect(placed(both).ad.id).to.equal('b');
    expect(placed(vast('4.0', inline('a', { sequence: ' sequence="7"' }))).ad.id).to.equal('a');
  });

  it('may be what a wrapper leads to, and may take the second that rounding takes', () => {
    expect(podAdOf(vast('3.0', wrapper('w')), 15)?.ad.kind).to.equal('wrapper');
    expect(podAdOf(vast('3.0', inline('a', { seconds: 16 })), 15)).not.to.equal(null);
  });
});

describe('a pod', () => {
  const versionOf = (xml: string) => /<VAST version="([^"]*)"/.exec(xml)?.[1];

  it('has its ads in their order, whatever place they had where they came from', () => {
    const pod = [
      vast('3.0', inline('a', { sequence: ' sequence="7"' })),
      vast('3.0', wrapper('w', 'allowMultipleAds="true"')),
    ];
    const read = readVast(writePod([...pod, vast('3.0', inline('b'))].map(placed), taking('4.2')));
    if (!read.ok) throw new Error(read.message);
    expect(read.ads.map(({ id, sequence }) => [id, sequence])).to.deep.equal([
      ['a', 1],
      ['w', 2],
      ['b', 3],
    ]);
    expect(read.ads[1]).to.include({ kind: 'wrapper', allowMultipleAds: false, adTagUri: 'https://dsp.test/next' });
  });

  const versions: readonly (readonly [from: readonly string[], taken: readonly VastVersion[] | null, VastVersion])[] = [
    [['2.0'], null, '3.0'],
    [['2.0.1', '3.0'], null, '3.0'],
    [['3.0', '4.1'], null, '4.1'],
    [['3.0', '4.3'], null, '4.2'],
    [['3.0'], ['4.2', '4.0'], '4.0'],
    [['4.2', '3.0'], ['2.0', '3.0'], '3.0'],
    [['4.1'], ['3.0', '4.0'], '4.0'],
  ];
  for (const [from, taken, expected] of versions) {
    it(`of ${from.join(' and ')} for a player of ${taken?.join(' and ') ?? 'any version'} is ${expected}`, () => {
      const pod = from.map((version, index) => placed(vast(version, inline(`ad-${index}`))));
      expect(versionOf(writePod(pod, taken === null ? ANY : taking(...taken)))).to.equal(expected);
    });
  }
});

describeWithSchemas('a pod, by the IAB schemas', () => {
  for (const version of VAST_VERSIONS.slice(1)) {
    it(`of every version is valid ${version}`, async () => {
      const pod = VAST_VERSIONS.flatMap((from) => [
        placed(vast(from, inline(`inline-${from}`))),
        placed(vast(from, wrapper(`wrapper-${from}`))),
      ]);
      const document = writePod(pod, taking(version));
      expect(await schemaFaults(version, [document])).to.deep.equal([]);
      expect(document.match(/<Ad /g)).to.have.length(pod.length);
    });
  }
});

describeSamples('a pod', ({ all: samples, inBreaks, refused }) => {
  const tracked = (index: number) => `https://edge.test/track/impression?id=${index}`;
  const pod = () =>
    samples.flatMap(({ text }, index) => {
      const injection = injectVastTrackers(text, tracked(index));
      const ad = injection.ok ? podAdOf(injection.adm) : null;
      return ad === null ? [] : [{ ad, trackingUrl: tracked(index) }];
    });

  it('has all of them that play in a break, each with our tracker', () => {
    const ads = pod();
    expect(ads).to.have.length.within(inBreaks, samples.length - Object.keys(refused).length);
    const read = readVast(
      writePod(
        ads.map(({ ad }) => ad),
        ANY,
      ),
    );
    if (!read.ok) throw new Error(read.message);
    expect(read.ads.map(({ sequence }) => sequence)).to.deep.equal(ads.map((_, index) => index + 1));
    for (const [index, { trackingUrl }] of ads.entries()) {
      expect(read.ads[index]!.impressions.filter(({ url }) => url === trackingUrl)).to.have.length(1);
    }
  });

  for (const version of VAST_VERSIONS.slice(1)) {
    itWithSchemas(`is valid ${version}`, async () => {
      expect(
        await schemaFaults(version, [
          writePod(
            pod().map(({ ad }) => ad),
            taking(version),
          ),
        ]),
      ).to.deep.equal([]);
    });
  }
});
