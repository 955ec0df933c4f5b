import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { feedPage } from '#actors/feed-page/feed-page';
import { impressionRollup } from '#actors/impression-rollup/impression-rollup';
import { ledger } from '#actors/ledger/ledger';
import { PLATFORM_OWNER_ID, utcDay } from '#actors/ledger/ledger-id';
import { readLedgerPages } from '#actors/ledger/read-ledgers';
import type { LedgerSum } from '#actors/ledger/report/ledger-sum';
import { reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { createProviders, type Providers } from '#composition/create-providers';
import { impressionEntry, impressionPartition } from '#edge/impressions/impression-entry';
import { newTrackingId } from '#edge/tracking/tracking-id';
import { type ActorNode, createNode } from '#runtime/node/node';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { readSettings } from '#settings';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS, realProviders } from '../../support/exchange.ts';

const PRICE_CPM_MICROS = 2_500_000;
const FEE_PPM = 150_000;
const WINDOW_MS = 3_600_000;

for (const pair of PROVIDER_PAIRS) {
  describe(`the ledgers at work on ${pair}`, () => {
    let folder: string;
    let providers: Providers;
    let node: ActorNode;
    let nodes = 0;

    const startNode = async (): Promise<void> => {
      node = createNode({
        name: `books ${++nodes}`,
        provider: providers.log,
        store: providers.store,
        clock: systemClock,
        random: systemRandom,
        definitions: [impressionRollup, ledger, feedPage],
        hostsActors: true,
        replicates: [],
      });
      await node.start();
    };

    beforeEach(async function () {
      const real = pair === 'embedded' ? {} : realProviders(this);
      folder = await mkdtemp(join(tmpdir(), 'books-'));
      const settings = readSettings({ DATA_DIR: folder, PARTITIONS: '4', ...real });
      providers = await createProviders(settings, pino({ level: 'silent' }));
      await startNode();
    });

    afterEach(async () => {
      await node?.stop();
      await providers?.close();
      if (folder) await rm(folder, { recursive: true });
    });

    async function render(count: number): Promise<void> {
      const { log } = providers.log;
      const outcomes = await Promise.all(
        Array.from({ length: count }, async (_, number) => {
          const trackingId = newTrackingId();
          const partition = impressionPartition(trackingId, log.partitions);
          const sale = {
            auctionId: `auction-${number}`,
            publisherId: `publisher-${number % 3}`,
            partnerId: null,
            dspId: `dsp-${number % 2}`,
            campaignId: null,
            capped: null,
            crid: `crid.${number % 2}`,
            priceCpmMicros: PRICE_CPM_MICROS + number,
            region: 'fra',
            sandbox: false,
            issuedAtMs: Date.now(),
          };
          const entry = impressionEntry(
            sale,
            trackingId,
            { accountId: 'account-1', feePpm: FEE_PPM },
            partition,
            WINDOW_MS,
            null,
          );
          const [first] = await log.appendOnce(partition, [entry]);
          const [second] = await log.appendOnce(partition, [entry]);
          return [first, second];
        }),
      );
      for (const outcome of outcomes) expect(outcome).to.deep.equal(['appended', 'repeated']);
    }

    async function sumOf(scope: 'publisher' | 'dsp' | 'platform', whose: string): Promise<LedgerSum> {
      const window = reportWindowOf('24h', Date.now());
      const owner = { scope, id: whose, sandbox: false };
      return sumLedgers(await readLedgerPages(providers.store, [owner], window), window);
    }

    it('balance once all that was rendered is reported, over a change of owner', async () => {
      await render(100);
      await node.stop();
      await render(100);
      await startNode();
      await eventually(
        'the platform to have heard of all',
        async () => (await sumOf('platform', PLATFORM_OWNER_ID)).impressions === 200,
        {
          timeoutMs: 60_000,
        },
      );
      const bothSides = async () => {
        const publishers = await Promise.all([0, 1, 2].map((number) => sumOf('publisher', `publisher-${number}`)));
        const dsps = await Promise.all([0, 1].map((number) => sumOf('dsp', `dsp-${number}`)));
        return { publishers, dsps };
      };
      const impressionsOf = (sums: readonly LedgerSum[]) => sums.reduce((all, { impressions }) => all + impressions, 0);
      const grossOf = (sums: readonly LedgerSum[]) => sums.reduce((all, { grossNanos }) => all + grossNanos, 0n);
      const { publishers, dsps } = await eventually('both sides to have heard of all', async () => {
        const sums = await bothSides();
        return impressionsOf(sums.publishers) === 200 && impressionsOf(sums.dsps) === 200 ? sums : null;
      });
      const gross = 2n * 100n * BigInt(PRICE_CPM_MICROS) + 2n * ((99n * 100n) / 2n);
      expect(grossOf(publishers)).to.equal(gross);
      expect(grossOf(dsps)).to.equal(gross);
      expect((await sumOf('platform', PLATFORM_OWNER_ID)).grossNanos).to.equal(gross);
      expect([...dsps[1]!.creatives.keys()]).to.deep.equal(['crid.1']);
    });

    it('keep rollups by day and partition', async () => {
      await render(40);
      const day = utcDay(Date.now());
      await eventually('the tallies to be saved', async () => {
        const { documents } = await providers.store.query(impressionRollup.kind, {});
        return (
          documents.reduce((all, { state }) => all + (state as { day: { impressions: number } }).day.impressions, 0) ===
          40
        );
      });
      for (const { id, partition } of (await providers.store.query(impressionRollup.kind, {})).documents) {
        expect([day, utcDay(Date.now())].map((one) => `${partition}:${one}`)).to.include(id);
      }
    });
  });
}
