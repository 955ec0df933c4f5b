// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are macros of markup
import { expect } from 'chai';
import { readVast } from '#exchange/vast/read-vast';
import type { VastVersion } from '#exchange/vast/vast-version';
import { bringSamples } from '#test/exchange/vast/brought-samples';
import { describeSamples, sampleAt, type VastSample } from '#test/exchange/vast/samples';
import { trackersIn } from '#test/exchange/vast/trackers';
import { type CreativeOrigin, startCreativeOrigin } from '#test/support/creative-origin';
import { areSchemasPresent, schemaFaults } from '#test/support/vast-schemas';
import { type RunningScanner, startRunningScanner } from '../scan/running-scanner.ts';
import { hostedMarkup, served } from './hosted.ts';

const TRACKER =
  /<(Impression|Error|Tracking|ClickTracking|CustomClick|NonLinearClickTracking|CompanionClickTracking|IconClickTracking|IconViewTracking|Viewable|NotViewable|ViewUndetermined)(\s[^>]*)?>\s*(?:<!\[CDATA\[)?\s*([^\s<]+?)(?=\s*(?:\]\]>|<\/))/g;
/** What a bidder and its ad servers have in the trackers of all levels. */
const MACROS = ';p=${AUCTION_PRICE};b=${EXCHANGE_BID_ID};c=${EXCHANGE_CACHE_BUSTER};e=[ERRORCODE]';

/** Names of events that 4.x knows by others. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  fullscreen: 'playerExpand',
  exitFullscreen: 'playerCollapse',
  expand: 'adExpand',
  collapse: 'adCollapse',
  acceptInvitationLinear: 'acceptInvitation',
};

describeSamples('gateways/creatives/host', ({ all, refused }) => {
  let scanner: RunningScanner;
  let origin: CreativeOrigin;
  let brought: (sample: VastSample) => string;

  before(async function () {
    scanner = await startRunningScanner(this);
    origin = await startCreativeOrigin();
    const withMacros = (text: string) => text.replace(TRACKER, (found) => found + MACROS);
    brought = bringSamples(origin, all, '?auction=${AUCTION_ID};bid=${EXCHANGE_BID_ID}', withMacros);
  });
  after(async () => {
    await scanner?.close();
    await origin?.close();
  });

  /** The sample and all that it wraps. */
  const chainOf = (sample: VastSample): VastSample[] => {
    const read = readVast(sample.text);
    const [ad] = read.ok ? read.ads : [];
    return ad?.kind === 'wrapper' ? [sample, ...chainOf(sampleAt(ad.adTagUri, sample, all))] : [sample];
  };

  for (const version of ['2.0', '3.0', '4.0']) {
    it(`of ${version}: stable ones are hosted with the trackers and macros of every level, schema-valid`, async () => {
      const documents = new Map<VastVersion, string[]>();
      for (const sample of all.filter((one) => one.version === version)) {
        const markup = brought(sample);
        const id = await scanner.see({ markup, formats: ['video'], declared: 'stable' });
        const { hosting, scan } = await scanner.scanned(id);
        const explained = `${sample.name}: ${JSON.stringify({ hosting, findings: scan.findings })}`;
        if (refused[sample.name] !== undefined) {
          expect(hosting.status, explained).to.equal('not-hosted');
          continue;
        }
        expect(hosting.status, explained).to.equal('hosted');
        const hosted = await hostedMarkup(scanner.creatives, hosting.file);
        const read = readVast(markup);
        expect(hosted.vastVersion, sample.name).to.equal(read.ok ? read.version : '');
        expect(hosted.markup, sample.name).to.not.include(origin.origin);
        for (const one of hosting.files) expect(await scanner.creatives.has(one), sample.name).to.equal(true);
        const missing = chainOf(sample)
          .flatMap((level) => trackersIn(brought(level)))
          .filter((tracker) => !isThere(tracker, hosted.markup));
        // Before 4.0 a document has room for one error tracker, and none for viewability.
        const lost =
          Number(hosted.vastVersion) < 4 ? missing.filter((one) => !/^(?:Error|\w*View\w*) /.test(one)) : missing;
        expect(lost, sample.name).to.deep.equal([]);
        const known = hosted.vastVersion as VastVersion;
        documents.set(known, [...(documents.get(known) ?? []), served(hosted)]);
      }
      expect(documents.size).to.be.at.least(1);
      if (!areSchemasPresent()) return;
      for (const [known, texts] of documents) expect(await schemaFaults(known, texts), known).to.deep.equal([]);
    });
  }

  const isThere = (tracker: string, markup: string): boolean => {
    const [name = '', url = ''] = tracker.split(' ');
    const there = trackersIn(markup);
    return there.includes(tracker) || there.includes(`${OTHER_NAMES[name] ?? name} ${url}`);
  };
});
