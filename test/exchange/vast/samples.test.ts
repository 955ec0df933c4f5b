import { VASTParser } from '@dailymotion/vast-client';
import { DOMParser } from '@xmldom/xmldom';
import { expect } from 'chai';
import type { VastAd } from '#exchange/vast/ad';
import { injectVastTrackers } from '#exchange/vast/inject-trackers';
import { mergeWrappers } from '#exchange/vast/merge-wrappers';
import { readVast } from '#exchange/vast/read-vast';
import { VAST_VERSIONS } from '#exchange/vast/vast-version';
import type { VastWrapper } from '#exchange/vast/wrapper';
import { writeVast } from '#exchange/vast/write-vast';
import { describeWithSchemas, schemaFaults } from '../../support/vast-schemas.ts';
import { describeSamples, sampleAt, type VastSample } from './samples.ts';
import { trackersIn } from './trackers.ts';

interface Chain {
  readonly ad: VastAd;
  readonly documents: readonly VastSample[];
}

function followed(sample: VastSample, all: readonly VastSample[]): Chain {
  const wrappers: VastWrapper[] = [];
  const documents = [sample];
  for (;;) {
    const at = documents.at(-1)!;
    const read = readVast(at.text);
    if (!read.ok) throw new Error(`${at.name}: ${read.reason}`);
    const [ad] = read.ads;
    if (ad!.kind === 'inline') return { ad: mergeWrappers(ad!, wrappers), documents };
    wrappers.push(ad!);
    documents.push(sampleAt(ad!.adTagUri, at, all));
  }
}

/** 4.x names of events that older documents know by others. */
const NAMES: Readonly<Record<string, string>> = {
  fullscreen: 'playerExpand',
  exitFullscreen: 'playerCollapse',
  expand: 'adExpand',
  collapse: 'adCollapse',
  acceptInvitationLinear: 'acceptInvitation',
};

function in42(tracker: string): string {
  const [name = '', url = ''] = tracker.split(' ');
  return `${NAMES[name] ?? name} ${url}`;
}

describeSamples('VAST of others', ({ all, count, refused }) => {
  for (const sample of all) {
    const reason = refused[sample.name];
    if (reason !== undefined) {
      it(`${sample.name}: refused, ${reason}`, () => {
        const read = readVast(sample.text);
        expect(read.ok ? 'accepted' : read.reason).to.equal(reason);
      });
      continue;
    }
    it(`${sample.name}: served with the trackers of its whole chain`, async () => {
      const { ad, documents } = followed(sample, all);
      const served = writeVast([ad], { version: '4.2' });
      const wanted = new Set(documents.flatMap(({ text }) => trackersIn(text).map(in42)));
      expect(trackersIn(served)).to.deep.equal([...wanted].sort());
      const { ads } = await new VASTParser().parseVAST(new DOMParser().parseFromString(served, 'text/xml'));
      expect(ads[0].impressionURLTemplates).to.have.length(ad.impressions.length);
      expect(ads[0].errorURLTemplates).to.have.length(ad.errors.length);
    });
  }

  it('are all there', () => {
    expect(all).to.have.length(count);
  });

  describeWithSchemas('by the IAB schemas', () => {
    for (const version of VAST_VERSIONS) {
      it(`are valid as ${version}`, async () => {
        const served = all
          .filter(({ name }) => refused[name] === undefined)
          .map((sample) => writeVast([followed(sample, all).ad], { version }));
        expect(await schemaFaults(version, served)).to.deep.equal([]);
      });
    }

    for (const version of ['2.0', '3.0', '4.0'] as const) {
      it(`are still valid ${version} with our impression in them`, async () => {
        const before = all.filter((sample) => sample.version === version && refused[sample.name] === undefined);
        const injected = before.map(({ name, text }) => {
          const injection = injectVastTrackers(text, 'https://edge.test/track/impression?id=1&price=2');
          if (!injection.ok) throw new Error(`${name}: ${injection.reason}`);
          return injection.adm;
        });
        const texts = before.map(({ text }) => text);
        const faults = await schemaFaults(version, [...texts, ...injected]);
        expect(faults, `those below ${texts.length}.xml are invalid from the start`).to.deep.equal([]);
      });
    }
  });
});
