import { expect } from 'chai';
import { fillRateWatch } from '#actors/fill-rate-watch/fill-rate-watch';
import { GRAINS } from '#actors/ledger/grain';
import { ledger } from '#actors/ledger/ledger';
import { hourLedgerId } from '#actors/ledger/ledger-id';
import { readLedgerPages } from '#actors/ledger/read-ledgers';
import { countOf } from '#actors/ledger/report/ledger-sum';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { LEDGER_WATERMARK_ID, watermark } from '#actors/watermark/watermark';
import type { WebhookQueueState } from '#actors/webhook-queue/reduce';
import { webhookQueue } from '#actors/webhook-queue/webhook-queue';
import { watchFillRates } from '#scheduler/jobs/watch-fill-rates';
import { type RunningManagement, startManagement } from '../../gateways/management/running-management.ts';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';

const MINUTE_MS = 60_000;

for (const pair of PROVIDER_PAIRS)
  describe(`scheduler/jobs/watch-fill-rates on ${pair}`, () => {
    let running: RunningManagement;
    /** A full minute that is over. */
    let nowMs: number;
    before(async function () {
      running = await startManagement(this, pair);
      nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    });
    after(() => running?.close());

    const run = (atMs = nowMs) =>
      watchFillRates({ store: running.store, messenger: running.node.messenger }).run({
        dueMs: atMs,
        nowMs: atMs,
        signal: new AbortController().signal,
      });
    const raise = (throughMs: number) =>
      running.node.messenger.ask(watermark, LEDGER_WATERMARK_ID, 'raise', { throughMs });
    const book = (id: string, minuteMs: number, imps: number, filledImps: number) =>
      running.node.messenger.tell(ledger, hourLedgerId('publisher', id, minuteMs, false), 'facts', {
        minuteMs,
        region: 'fra',
        counts: { imps, filledImps },
        counterparties: [],
        creatives: [],
        latency: {},
      });
    const booked = (id: string, minuteMs: number, imps: number) =>
      eventually('the ledger to be saved', async () => {
        const window = { grain: GRAINS[0]!, fromMs: minuteMs, toMs: minuteMs + MINUTE_MS };
        const ledgers = await readLedgerPages(running.store, [{ scope: 'publisher', id, sandbox: false }], window);
        return countOf(sumLedgers(ledgers, window), 'imps') === imps;
      });

    it('reports only a source with a fallen rate in the hour that the ledgers have', async () => {
      const { api } = running;
      const events = ['publisher.fill_rate_alert'];
      const hook = (await api.post('/api/webhooks', { url: 'https://receiver.example/', events })).body.id;
      const create = async (name: string, threshold: number | null) => {
        const body = { name, domain: 'news.com', type: 'web', fill_rate_alert_threshold: threshold };
        return (await api.post('/api/supply/sources', body)).body.id as string;
      };
      const fallen = await create('Fallen', 0.5);
      const well = await create('Well', 0.2);
      const careless = await create('Careless', null);
      // Before the window, within it, and after the books' end.
      const [before, within, beyond] = [nowMs - 65 * MINUTE_MS, nowMs - 30 * MINUTE_MS, nowMs];
      await book(fallen, before, 9_001, 9_000);
      for (const id of [fallen, well, careless]) await book(id, within, 4_000, 1_000);
      await book(fallen, beyond, 9_002, 9_000);
      for (const id of [fallen, well, careless]) await booked(id, within, 4_000);
      await booked(fallen, beyond, 9_002);

      expect(await run()).to.equal('the books are behind: nothing was looked at');
      await raise(nowMs);
      expect(await run()).to.equal('sources looked at: 2');
      const openOf = async () => {
        const [document] = await running.store.load([{ kind: webhookQueue.kind, id: hook }]);
        return ((document?.state ?? { open: [] }) as Pick<WebhookQueueState, 'open'>).open;
      };
      await eventually('the alert', async () => (await openOf()).length > 0);
      expect((await openOf()).map(({ type, data }) => ({ type, data }))).to.deep.equal([
        {
          type: 'publisher.fill_rate_alert',
          data: {
            publisher_id: fallen,
            publisher_name: 'Fallen',
            fill_rate: 0.25,
            threshold: 0.5,
            imps: 4_000,
            window_start: new Date(nowMs - 60 * MINUTE_MS).toISOString(),
            window_end: new Date(nowMs).toISOString(),
          },
        },
      ]);
      await run();
      const [watch] = await running.store.load([{ kind: fillRateWatch.kind, id: fallen }]);
      expect(watch?.state).to.include({ low: true, toMs: nowMs });
      await run(nowMs + 9 * MINUTE_MS).then((said) => expect(said).to.match(/^the books are behind/));
    });
  });
