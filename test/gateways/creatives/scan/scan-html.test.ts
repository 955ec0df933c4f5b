import { expect } from 'chai';
import { LRUCache } from 'lru-cache';
import { CreativeFetcher } from '#gateways/creatives/fetch/creative-fetcher';
import { FetchFailed } from '#gateways/creatives/fetch/failures';
import { Findings } from '#gateways/creatives/scan/findings';
import { type HtmlReading, readHtml } from '#gateways/creatives/scan/html/read-html';
import { scanHtml } from '#gateways/creatives/scan/scan-html';
import { ScanLoad } from '#gateways/creatives/scan/scan-load';
import { DEFAULT_CREATIVE_SETTINGS } from '#gateways/creatives/settings';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { type CreativeOrigin, file, startCreativeOrigin } from '#test/support/creative-origin';

describe('gateways/creatives/scan: HTML that takes its reader too long', () => {
  let origin: CreativeOrigin;
  let web: CreativeFetcher;

  before(async () => {
    origin = await startCreativeOrigin();
    web = new CreativeFetcher(settings);
  });
  after(async () => {
    await web?.close();
    await origin?.close();
  });

  const settings = { ...DEFAULT_CREATIVE_SETTINGS, allowPrivateNetworks: true };
  const unused = () => Promise.reject(new Error('no file is looked into'));

  it('leaves the reader to other creatives after the first such text', async () => {
    for (const name of ['a', 'b', 'c']) origin.answer(`/${name}`, file(Buffer.from(`<p>${name}</p>`), 'text/html'));
    const stop = new AbortController();
    const findings = new Findings();
    const load = new ScanLoad(
      {
        ...{ web, settings, clock: systemClock, random: systemRandom, stagingFolder: '', room: { keep: unused } },
        ...{ prober: { probe: unused }, probed: new LRUCache({ max: 1 }), storage: {} as never },
      },
      findings,
      stop.signal,
    );
    const asked: string[] = [];
    const reader = {
      async read({ text }: { text: string }): Promise<HtmlReading | null> {
        asked.push(text);
        if (text === '<p>a</p>') throw new FetchFailed('could not be read within 5 s');
        return readHtml(text);
      },
    };
    const markup = ['a', 'b', 'c'].map((name) => `<iframe src="${origin.url(`/${name}`)}"></iframe>`).join('');
    const { reading } = await scanHtml({ reader }, load, markup, [], stop.signal);
    expect(reading!.resources).to.have.lengthOf(3);
    expect(asked).to.deep.equal([markup, '<p>a</p>']);
    expect(findings.all).to.deep.include({
      code: 'unreachable',
      message: 'It could not be read within 5 s.',
      url: origin.url('/a'),
    });
  });
});
