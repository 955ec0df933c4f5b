import { expect } from 'chai';
import { asset } from '#actors/asset/asset';
import { assetId } from '#actors/asset/asset-id';
import { type AssetState, parseAssetContent } from '#actors/asset/reduce';
import { campaign } from '#actors/campaign/campaign';
import { campaignActorId } from '#actors/campaign/campaign-id';
import { noCampaign } from '#actors/campaign/reduce';
import { createCreatives } from '#gateways/creatives/create-creatives';
import { refreshDueAssets } from '#gateways/creatives/refresh/refresh-due-assets';
import { type CreativeSettings, DEFAULT_CREATIVE_SETTINGS } from '#gateways/creatives/settings';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { type CreativeOrigin, file, startCreativeOrigin, status } from '#test/support/creative-origin';
import { eventually } from '#test/support/eventually';
import { PROVIDER_PAIRS } from '#test/support/exchange';
import { JPEG_1200_627, PNG_300_250 } from '#test/support/sample-media';
import { type RunningManagement, startManagement } from '../../management/running-management.ts';

for (const pair of PROVIDER_PAIRS) {
  describe(`gateways/creatives/refresh on ${pair}`, () => {
    let running: RunningManagement;
    let origin: CreativeOrigin;
    let dspId: string;
    /** Another process of the same exchange: nothing counts as fresh in either. */
    let other: Awaited<ReturnType<typeof createCreatives>>;

    const anotherProcess = (settings: Partial<CreativeSettings> = {}) =>
      createCreatives({
        messenger: running.node.messenger,
        store: running.store,
        storage: running.creatives,
        settings: {
          ...{ ...DEFAULT_CREATIVE_SETTINGS, allowPrivateNetworks: true, httpsOnly: false, refreshMs: 0 },
          ...settings,
        },
        stagingFolder: running.folder,
        clock: systemClock,
        random: systemRandom,
      });

    before(async function () {
      running = await startManagement(this, pair, { creativeSettings: { refreshMs: 0 } });
      origin = await startCreativeOrigin();
      dspId = (await running.api.post('/api/demand/sources', { name: 'Buyer', mode: 'delegate' })).body.id;
      other = await anotherProcess();
    });
    after(async () => {
      await other?.close();
      await running?.close();
      await origin?.close();
    });

    const round = () => {
      const { messenger } = running.node;
      const parts = { ingest: other.ingest, messenger, store: running.store, stop: new AbortController().signal };
      return refreshDueAssets(parts, Date.now() + 1_000);
    };
    const banner = (path: string) => ({
      campaign_name: 'A campaign',
      bidding: { base_cpm: 1 },
      creative: { creative_id: 'c', image_url: origin.url(path) },
    });
    const save = async (path: string) => {
      const made = await running.api.post('/api/campaigns', { dsp_id: dspId, ...banner(path) });
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
      return made.body;
    };
    const stateOf = async (path: string) => {
      const [document] = await running.store.load([{ kind: asset.kind, id: assetId(origin.url(path)) }]);
      return (document?.state ?? null) as AssetState | null;
    };
    const mimeTypeOf = async (path: string) => {
      const content = parseAssetContent((await stateOf(path))!);
      return content?.kind === 'image' ? content.media.mimeType : null;
    };
    const asked = (path: string) => origin.requestedPaths.filter((one) => one === path).length;

    it('fetches again what is due, and takes what is there now', async () => {
      origin.answer('/changing', file(PNG_300_250, 'image/png'));
      const { id } = await save('/changing');
      origin.answer('/changing', file(JPEG_1200_627, 'image/jpeg'));
      expect(await round()).to.include({ refreshed: 1, failed: 0, setAside: 0, more: false });
      expect(await mimeTypeOf('/changing')).to.equal('image/jpeg');
      const { body } = await running.api.get(`/api/campaigns/${id}`);
      expect(body.creative_warnings).to.deep.equal([{ creative_id: 'c', warning: 'non_standard_size:1200x627' }]);
    });

    it('keeps the last good content when a fetch fails, and leaves it alone for a while', async () => {
      origin.answer('/failing', file(PNG_300_250, 'image/png'));
      await save('/failing');
      origin.answer('/failing', status(503));
      expect((await round()).failed).to.equal(1);
      expect(await mimeTypeOf('/failing')).to.equal('image/png');
      expect(await stateOf('/failing')).to.include({
        failures: 1,
        failure: `was answered 503 by ${new URL(origin.origin).host}/failing`,
      });
      // A campaign may go on using it.
      await save('/failing');
    });

    it('uses the daily allowance of no account', async () => {
      const frugal = await anotherProcess({ maxFileBytesPerDay: 1 });
      const owner = { accountId: running.accountId, sandbox: false };
      const paths = ['/allowed-1', '/allowed-2', '/allowed-3'];
      for (const path of paths) origin.answer(path, file(PNG_300_250, 'image/png'));
      const [one, two, three] = paths.map((path) => ({ url: origin.url(path), use: 'image' as const, field: 'f' }));
      const stop = new AbortController().signal;
      for (const { url, use } of [one!, two!])
        expect(await frugal.ingest.refresh(url, use, stop, owner)).to.equal(null);
      expect(await frugal.ingest.take([one!], owner), 'the first of the day').to.deep.equal([]);
      expect(await frugal.ingest.take([three!], owner), 'the allowance is used up').to.have.length(1);
      expect(await frugal.ingest.refresh(two!.url, two!.use, stop, owner)).to.equal(null);
      await frugal.close();
    });

    it('is done by one of two processes at a time', async () => {
      origin.answer('/slow', file(PNG_300_250, 'image/png'));
      await save('/slow');
      const held: (() => void)[] = [];
      origin.answer('/slow', (request, response) => {
        held.push(() => file(PNG_300_250, 'image/png')(request, response));
      });
      const before = asked('/slow');
      const first = round();
      await eventually('the first has asked', async () => held.length > 0);
      await round();
      expect(asked('/slow')).to.equal(before + 1);
      held[0]!();
      expect((await first).refreshed).to.be.at.least(1);
    });

    it('leaves alone what no campaign names any more', async () => {
      const { id } = await save('/left.png');
      const html = { creative: { creative_id: 'c', html: '<b>An ad</b>' } };
      expect((await running.api.put(`/api/campaigns/${id}`, html)).status).to.equal(200);
      const before = asked('/left.png');
      await eventually('it is due', async () => (await round()).setAside > 0);
      expect(asked('/left.png')).to.equal(before);
      const state = (await stateOf('/left.png'))!;
      expect(state.kind).to.equal('image');
      // Tomorrow: it does not fill earlier rounds.
      expect(Date.parse(state.nextRefreshAt)).to.be.above(Date.now() + 23 * 3_600_000);
    });

    it('fetches for campaigns that an older release saved', async () => {
      const id = campaignActorId(dspId, 'old');
      const { assetIds: _, ...older } = {
        ...noCampaign,
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
      };
      const document = {
        kind: campaign.kind,
        id,
        partition: 0,
        version: 1,
        writer: 'an older release',
        position: '1-0',
        schema: 1,
        deleted: false,
        state: {
          ...older,
          accountId: running.accountId,
          dspId,
          status: 'active',
          campaign: { campaign_id: 'old', ...banner('/old.png') },
        },
        outbox: [],
        viewPending: false,
        received: {},
        replies: {},
        published: null,
      };
      expect(await running.store.save([document])).to.deep.equal(['saved']);
      await round();
      expect(await mimeTypeOf('/old.png')).to.equal('image/png');
      await eventually('the campaign names its assets', async () => {
        const where = { assetIds: assetId(origin.url('/old.png')) };
        return (await running.store.query(campaign.kind, { where })).total === 1;
      });
      const { body } = await running.api.get(`/api/campaigns/${id}`);
      expect(body.creative_warnings).to.deep.equal([]);
    });
  });
}
