import { expect } from 'chai';
import { asset } from '#actors/asset/asset';
import { assetId } from '#actors/asset/asset-id';
import { type AssetState, parseAssetContent } from '#actors/asset/reduce';
import { describeSamples } from '../../exchange/vast/samples.ts';
import { type CreativeOrigin, file, inlineVast, startCreativeOrigin, vast } from '../../support/creative-origin.ts';
import { H264_AAC_MP4, PNG_300_250 } from '../../support/sample-media.ts';
import { type RunningManagement, startManagement } from '../management/running-management.ts';

/** Elements whose URL is fetched, and what their stand-in answers. */
const FETCHED =
  /<(MediaFile|Mezzanine|ClosedCaptionFile|StaticResource|VASTAdTagURI)(\s[^>]*)?>\s*(?:<!\[CDATA\[)?\s*([^\s\]<]+)/g;

describeSamples('gateways/creatives', ({ all, refused }) => {
  let running: RunningManagement;
  let origin: CreativeOrigin;
  let dspId: string;

  before(async function () {
    running = await startManagement(this);
    origin = await startCreativeOrigin();
    dspId = (await running.api.post('/api/demand/sources', { name: 'Buyer', mode: 'delegate' })).body.id;
    const wrapped = inlineVast({ mediaUrl: origin.url('/wrapped.mp4'), trackers: 'http://wrapped.test' });
    origin.answer('/wrapped', vast(wrapped));
    origin.answer('/media', file(H264_AAC_MP4, 'video/mp4'));
    origin.answer('/image', file(PNG_300_250, 'image/png'));
  });
  after(async () => {
    await running?.close();
    await origin?.close();
  });

  const standIns: Readonly<Record<string, string>> = { StaticResource: '/image', VASTAdTagURI: '/wrapped' };
  /** The sample with stand-ins for everything that is fetched. */
  const reachable = (document: string) =>
    document.replace(FETCHED, (found, element: string, _attributes, url: string) =>
      found.replace(url, origin.url(standIns[element] ?? '/media')),
    );

  for (const version of ['2.0', '3.0', '4.0']) {
    it(`of ${version} are hosted with their impressions, or refused with a reason`, async () => {
      for (const { name, text: document } of all.filter((sample) => sample.version === version)) {
        const path = `/${name}`;
        origin.answer(path, vast(reachable(document)));
        const url = origin.url(encodeURI(path));
        const answer = await running.api.post('/api/campaigns', {
          dsp_id: dspId,
          campaign_name: name,
          bidding: { base_cpm: 1 },
          creative: { creative_id: 'c', vast_url: url },
        });
        expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).to.equal(
          refused[name] !== undefined ? 400 : 201,
        );
        if (refused[name] !== undefined) continue;
        const [saved] = await running.store.load([{ kind: asset.kind, id: assetId(url) }]);
        const content = parseAssetContent(saved?.state as AssetState);
        if (content?.kind !== 'vast') throw new Error(`${name} is no VAST`);
        expect(JSON.stringify(content.ad), name).to.not.contain(origin.origin);
        for (const [, tracker] of document.matchAll(/<Impression[^>]*>\s*<!\[CDATA\[\s*(\S+?)\s*\]\]>/g)) {
          expect(
            content.ad.impressions.map((one) => one.url),
            name,
          ).to.include(tracker);
        }
      }
    });
  }
});
