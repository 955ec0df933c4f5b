import { expect } from 'chai';
import { campaign } from '#actors/campaign/campaign';
import { noCampaign } from '#actors/campaign/reduce';
import { createCreatives } from '#gateways/creatives/create-creatives';
import { refreshAllDue } from '#gateways/creatives/refresh/refresh-all-due';
import { DEFAULT_CREATIVE_SETTINGS } from '#gateways/creatives/settings';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { type CreativeOrigin, startCreativeOrigin } from '#test/support/creative-origin';
import { eventually } from '#test/support/eventually';
import { type RunningManagement, startManagement } from '../../management/running-management.ts';

describe('fetching all creatives again that are due', () => {
  let running: RunningManagement;
  let origin: CreativeOrigin;
  let creatives: Awaited<ReturnType<typeof createCreatives>>;

  before(async function () {
    running = await startManagement(this, 'embedded');
    origin = await startCreativeOrigin();
    creatives = await createCreatives({
      messenger: running.node.messenger,
      store: running.store,
      storage: running.creatives,
      settings: { ...DEFAULT_CREATIVE_SETTINGS, allowPrivateNetworks: true, httpsOnly: false },
      stagingFolder: running.folder,
      clock: systemClock,
      random: systemRandom,
    });
  });
  after(async () => {
    await creatives?.close();
    await running?.close();
    await origin?.close();
  });

  /** As releases saved them that fetched nothing. */
  const saveOlder = async (count: number, creative: object) => {
    const { assetIds: _, ...older } = noCampaign;
    const at = '2026-01-01T00:00:00.000Z';
    const documents = Array.from({ length: count }, () => ({
      kind: campaign.kind,
      id: systemRandom.id(),
      partition: 0,
      version: 1,
      writer: 'an older release',
      position: '1-0',
      schema: 1,
      deleted: false,
      state: {
        ...older,
        accountId: running.accountId,
        dspId: 'dsp-1',
        status: 'active',
        createdAt: at,
        updatedAt: at,
        campaign: { campaign_id: 'older', campaign_name: 'older', creative: { creative_id: 'c', ...creative } },
      },
      outbox: [],
      viewPending: false,
      received: {},
      replies: {},
      published: null,
    }));
    expect(new Set(await running.store.save(documents))).to.deep.equal(new Set(['saved']));
  };
  const unindexed = async () => {
    const { total } = await running.store.query(campaign.kind, { where: { assetIds: null }, limit: 0 });
    return total;
  };
  const refresh = (signal: AbortSignal) => {
    const { messenger } = running.node;
    return refreshAllDue({ ingest: creatives.ingest, messenger, store: running.store }, Date.now(), signal);
  };

  it('goes on while there is more than a round takes, and says what all of it came to', async () => {
    await saveOlder(700, { html: '<b>An ad</b>' });
    const sums = await refresh(new AbortController().signal);
    expect(sums).to.include({ failed: 0 });
    expect(sums.campaigns).to.be.at.least(700);
    await eventually('all of them to name their assets', async () => (await unindexed()) === 0);
  });

  it('gives up what it is fetching when it is stopped', async () => {
    const url = origin.url('/held');
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    origin.answer('/held', (_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' });
      response.write('a beginning');
      asked();
    });
    await saveOlder(1, { audio_url: url });
    const stopping = new AbortController();
    const refreshing = refresh(stopping.signal).catch((error) => error);
    await isAsked;
    const began = performance.now();
    stopping.abort(new Error('told to stop'));
    expect(await refreshing).to.have.property('message', 'told to stop');
    // A transfer may last 20 s.
    expect(performance.now() - began).to.be.below(2_000);
    expect(await unindexed(), 'left for the next run').to.equal(1);
  });
});
