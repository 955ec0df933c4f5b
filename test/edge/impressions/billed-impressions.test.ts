import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { LOG_MEMORY_MS, MAX_CLOCK_SKEW_MS, readRenderStatuses } from '#edge/impressions/billed-impressions';
import { impressionIdempotencyKey, impressionPartition } from '#edge/impressions/impression-entry';
import { newTrackingId } from '#edge/tracking/tracking-id';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { InterruptedLog } from './interrupted-log.ts';

const WINDOW_MS = 3_600_000;

describe('what has become of sold imps', () => {
  let folder: string;
  let provider: Awaited<ReturnType<typeof openEmbedded>>;
  let log: InterruptedLog;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'renderings-'));
    provider = await openEmbedded({ folder, partitions: 4, clock: systemClock });
    log = new InterruptedLog(provider.log.log);
  });

  afterEach(async () => {
    await provider.close();
    await rm(folder, { recursive: true });
  });

  /** Sold so long ago. */
  const sale = (agoMs: number) => ({ trackingId: newTrackingId(), soldAtMs: Date.now() - agoMs });

  async function bill({ trackingId, soldAtMs }: ReturnType<typeof sale>): Promise<void> {
    const entry = {
      ...impressionIdempotencyKey(trackingId, soldAtMs),
      expiresAtMs: Date.now() + 60_000,
      payload: '{}',
    };
    await log.appendOnce(impressionPartition(trackingId, log.partitions), [entry]);
  }

  const read = readRenderingsOf(() => log);

  it('is billed once the log has its impression, wherever that was called', async () => {
    const sales = Array.from({ length: 20 }, (_, index) => sale(index * 200_000));
    for (const [index, one] of sales.entries()) if (index % 3 === 0) await bill(one);
    const expected = sales.map((_, index) =>
      index % 3 === 0 ? 'billed' : index * 200_000 < WINDOW_MS ? 'awaited' : 'x',
    );
    const found = await read(sales);
    expect(found.map((one, index) => (expected[index] === 'x' ? 'x' : one))).to.deep.equal(expected);
    expect(await read([])).to.deep.equal([]);
  });

  it('is awaited until it can come no more, none while the log would know, and not known then', async () => {
    const moment = 10_000;
    const over = WINDOW_MS + MAX_CLOCK_SKEW_MS;
    const forgotten = WINDOW_MS + LOG_MEMORY_MS - MAX_CLOCK_SKEW_MS;
    const ages = [0, WINDOW_MS, over - moment, over + moment, forgotten - moment, forgotten + moment];
    expect(await read(ages.map(sale))).to.deep.equal(['awaited', 'awaited', 'awaited', 'none', 'none', 'unknown']);
  });

  it('is not known while the log is away', async () => {
    const sold = sale(0);
    await bill(sold);
    log.line = 'cut';
    expect(await read([sold, sale(0)])).to.deep.equal(['unknown', 'unknown']);
    log.line = 'open';
    expect(await read([sold])).to.deep.equal(['billed']);
  });
});

function readRenderingsOf(log: () => InterruptedLog): ReturnType<typeof readRenderStatuses> {
  return (sales) => readRenderStatuses({ log: log(), clock: systemClock, renderWindowMs: WINDOW_MS })(sales);
}
