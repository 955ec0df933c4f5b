import { expect } from 'chai';
import { campaign } from '../../../../actors/campaign/campaign.ts';
import { noCampaign } from '../../../../actors/campaign/reduce.ts';
import { openCreatives } from '../../../../gateways/creatives/open-creatives.ts';
import { startRefreshLoop } from '../../../../gateways/creatives/refresh/refresh-loop.ts';
import { DEFAULT_CREATIVE_SETTINGS } from '../../../../gateways/creatives/settings.ts';
import { systemClock } from '../../../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../../../runtime/providers/system/system-random.ts';
import { type CreativeOrigin, startCreativeOrigin } from '../../../support/creative-origin.ts';
import { eventually } from '../../../support/eventually.ts';
import { type RunningManagement, startManagement } from '../../management/running-management.ts';

const NEVER = () => undefined;

describe('the loop that fetches creatives again', () => {
  let running: RunningManagement;
  let origin: CreativeOrigin;
  let creatives: Awaited<ReturnType<typeof openCreatives>>;
  let waitMs: number;
  let wake: () => void;
  const clock = {
    now: () => systemClock.now(),
    monotonic: () => systemClock.monotonic(),
    after: (ms: number, act: () => void) => {
      waitMs = ms;
      wake = act;
      return NEVER;
    },
  };

  before(async function () {
    running = await startManagement(this, 'embedded');
    origin = await startCreativeOrigin();
    creatives = await openCreatives({
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
  const start = () => {
    const { messenger } = running.node;
    const logger = { debug: NEVER, info: NEVER, warn: NEVER, error: NEVER };
    return startRefreshLoop({ intake: creatives.intake, messenger, store: running.store, clock, logger });
  };
  /** The next round; resolves with how long the one after it will be waited for. */
  const round = async (): Promise<number> => {
    const [before, act] = [waitMs, wake];
    act();
    await eventually('the end of the round', async () => wake !== act || waitMs !== before);
    return waitMs;
  };

  it('begins soon after a start, goes on while there is more than a round takes, and then waits', async () => {
    await saveOlder(700, { html: '<b>An ad</b>' });
    const loop = start();
    expect(waitMs).to.be.at.most(10_000);
    expect(await round()).to.be.at.most(1_000);
    let rounds = 1;
    for (; waitMs < 60_000; rounds += 1) await round();
    expect(rounds).to.be.at.least(2);
    await eventually('all of them to name their assets', async () => (await unindexed()) === 0);
    await loop.close();
  });

  it('gives up what it is fetching when it is closed', async () => {
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
    const loop = start();
    wake();
    await isAsked;
    const began = performance.now();
    await loop.close();
    // A transfer may last 20 s.
    expect(performance.now() - began).to.be.below(2_000);
    expect(await unindexed(), 'left for the next start').to.equal(1);
  });
});
