import { expect } from 'chai';
import { auctionRecord } from '#actors/auction-record/auction-record';
import type { RecordedSale } from '#actors/auction-record/record';
import type { AuctionRecordState } from '#actors/auction-record/state';
import { LOG_MEMORY_MS, readRenderStatuses } from '#edge/impressions/billed-impressions';
import { impressionIdempotencyKey, impressionPartition } from '#edge/impressions/impression-entry';
import { systemClock } from '#runtime/providers/system/system-clock';
import { settleAuctionRecords } from '#scheduler/jobs/settle-auction-records';
import { type RunningActors, startActors } from '../../gateways/management/running-actors.ts';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { tellAuctionRecord } from '../../support/recorded-auction.ts';

const MINUTE_MS = 60_000;
const WINDOW_MS = 60 * MINUTE_MS;

for (const pair of PROVIDER_PAIRS) {
  describe(`scheduler/jobs: what recorded auctions have shown, on ${pair}`, () => {
    let actors: RunningActors;
    before(async function () {
      actors = await startActors(this, pair);
    });
    after(() => actors?.close());

    const nowMs = Date.now();
    const sale = (trackingId: string, agoMinutes: number): RecordedSale => ({
      ...{ impId: '1', dspId: 'dsp-1', trackingId, clearingCpmMicros: 1_000_000, format: 'banner' },
      soldAtMs: nowMs - agoMinutes * MINUTE_MS,
    });
    const record = (agoMinutes: number, sold: readonly RecordedSale[]) =>
      tellAuctionRecord(
        { messenger: actors.node.messenger, store: actors.store },
        { atMs: nowMs - agoMinutes * MINUTE_MS, outcome: sold.length > 0 ? 'filled' : 'unfilled', sold },
      );
    const bill = async ({ trackingId, soldAtMs }: RecordedSale) => {
      const entry = {
        ...impressionIdempotencyKey(trackingId, soldAtMs!),
        expiresAtMs: nowMs + WINDOW_MS,
        payload: '{}',
      };
      await actors.messages.appendOnce(impressionPartition(trackingId, actors.messages.partitions), [entry]);
    };
    const stateOf = async (id: string) => {
      const [document] = await actors.store.load([{ kind: auctionRecord.kind, id }]);
      return document!.state as AuctionRecordState;
    };

    it('is written down when spools have been replayed, and while it is known', async () => {
      const { store, messages, node } = actors;
      const [shown, not] = [sale('shown', 100), sale('not', 100)];
      const older: RecordedSale = { ...sale('older', 100) };
      delete (older as { soldAtMs?: number }).soldAtMs;
      const over = await record(100, [shown, not]);
      const neverShown = await record(105, [sale('another', 105)]);
      const unfilled = await record(100, []);
      const open = await record(10, [sale('open', 10)]);
      // What it has sold may be in the spool of an edge that the log is away from.
      const spooled = await record(80, [sale('spooled', 80)]);
      const tooLate = await record(130, [sale('late', 130)]);
      const ofBefore = await record(100, [older]);
      await bill(shown);
      await bill(sale('open', 10));
      await eventually('the auctions to be recorded', async () => {
        const all = [over, neverShown, unfilled, open, spooled, tooLate, ofBefore].map((id) => ({
          kind: auctionRecord.kind,
          id,
        }));
        return (await actors.store.load(all)).every((document) => document !== null);
      });

      const job = settleAuctionRecords({
        ...{ store, messenger: node.messenger, renderWindowMs: WINDOW_MS, rememberedMs: LOG_MEMORY_MS },
        renderings: readRenderStatuses({ log: messages, clock: systemClock, renderWindowMs: WINDOW_MS }),
      });
      const run = () => job.run({ dueMs: nowMs, nowMs, signal: new AbortController().signal });
      expect(await run()).to.equal('2 settled');
      await eventually('the records to be saved', async () => {
        const states = await Promise.all([over, neverShown].map(stateOf));
        return states.every(({ settled }) => settled);
      });
      expect((await stateOf(over)).shown).to.deep.equal(['shown']);
      expect((await stateOf(neverShown)).shown).to.deep.equal([]);
      expect(await stateOf(unfilled)).to.deep.include({ settled: true, shown: [] });
      for (const left of [open, spooled, tooLate, ofBefore]) expect((await stateOf(left)).settled).to.equal(false);
      expect(await run(), 'what is settled is left alone').to.equal('0 settled');
    });
  });
}
