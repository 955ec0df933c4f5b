import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { budgetWindowStart } from '#actors/budget/budget-window';
import { ledger } from '#actors/ledger/ledger';
import { hourLedgerId, PLATFORM_OWNER_ID } from '#actors/ledger/ledger-id';
import { unpackLedger } from '#actors/ledger/stored-ledger';
import { actorKinds } from '#composition/actor-kinds';
import { encodeEnvelope } from '#runtime/node/envelope';
import { hashAddress } from '#runtime/node/kind-registry';
import { passBarrier } from '#runtime/node/log-barrier';
import { SILENT } from '#runtime/node/logger';
import { type ActorNode, createNode } from '#runtime/node/node';
import type { Clock } from '#runtime/ports/clock';
import type { Lease } from '#runtime/ports/leases';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { auditBooks } from '#scheduler/audit/audit-books';
import { type FreezeOutcome, freezeStatement } from '#scheduler/billing/freeze-statement';
import { freezeWhenComplete } from '#scheduler/billing/freeze-when-complete';
import { finaliseBilling } from '#scheduler/jobs/finalise-billing';
import { createAdvanceWatermark } from '#scheduler/watermark/advance-watermark';
import { readWatermark } from '#scheduler/watermark/read-watermark';
import { WatermarkMetrics } from '#scheduler/watermark/watermark-metrics';
import { watermarkWorker } from '#scheduler/workers/watermark';
import { eventually } from '../../support/eventually.ts';

const PARTITIONS = 4;
const HOUR_MS = 3_600_000;
const MONTH = '2031-03';
const MONTH_END_MS = Date.parse('2031-04-01T00:00:00Z');
const PLATFORM_LEDGER = hourLedgerId('platform', PLATFORM_OWNER_ID, MONTH_END_MS - 1, false);
/** Not the one in which the ledger lives that the test looks at. */
const STALLED = (hashAddress(`ledger/${PLATFORM_LEDGER}`) + 1) % PARTITIONS;
const PRICE = 2_345_678;
const PUBLISHER = { scope: 'publisher', id: 'publisher-a', feePpm: 150_000 } as const;
const DSP = { scope: 'dsp', id: 'dsp-x', feePpm: 50_000 } as const;

describe('scheduler/billing at a month’s end', () => {
  let shiftMs = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + shiftMs };
  let folder: string;
  let embedded: Embedded;
  let node: ActorNode;
  let stall: Lease;
  let books: { close(): Promise<void> };
  const parts = () => ({
    ...{ store: embedded.store, messenger: node.messenger, logger: SILENT, clock },
    completeBooks: createAdvanceWatermark({
      ...{ messenger: node.messenger, clock },
      passBarrier: (signal) => passBarrier({ ...embedded.log, clock, signal }),
    }),
  });

  beforeEach(async () => {
    shiftMs = MONTH_END_MS - 60_000 - systemClock.now();
    folder = await mkdtemp(join(tmpdir(), 'month-end-'));
    embedded = await openEmbedded({ folder, partitions: PARTITIONS, clock });
    const { log, leases } = embedded.log;
    // A node that has hung: it holds a partition for days and does nothing.
    stall = (await leases.acquire([STALLED], 'a node that hangs', 240 * HOUR_MS))[0]!.lease;
    node = createNode({
      ...{ name: 'actors', provider: embedded.log, store: embedded.store, clock, random: systemRandom },
      ...{
        definitions: actorKinds,
        hostsActors: true,
        replicates: [],
        tuning: { lazySaveMs: 50, placementIntervalMs: 100 },
      },
    });
    await node.start();
    books = watermarkWorker({
      ...parts(),
      metrics: new WatermarkMetrics(new Registry()),
      renderWindowMs: HOUR_MS,
      everyMs: 50,
      passBarrier: (signal, onWaiting) => passBarrier({ log, leases, clock, signal, onWaiting }),
    }).start();
  });
  afterEach(async () => {
    await books.close();
    await node.stop();
    await embedded.close();
    await rm(folder, { recursive: true });
  });

  /** Impressions in all partitions, each sold at `soldAtMs` by the clock of an edge. */
  async function render(name: string, count: number, soldAtMs: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const partition = index % PARTITIONS;
      const body = {
        ...{ id: `${name}-${index}`, auction: name, publisher: PUBLISHER.id, dsp: DSP.id, account: 'account' },
        ...{ soldAtMs, priceCpmMicros: PRICE + index, feePpm: PUBLISHER.feePpm, region: 'fra' },
      };
      const [outcome] = await embedded.log.log.appendOnce(partition, [
        {
          ...{ id: body.id, bucketMs: Math.floor(soldAtMs / HOUR_MS) * HOUR_MS, expiresAtMs: soldAtMs + HOUR_MS },
          payload: encodeEnvelope({ to: `tally/${partition}`, type: 'impression', body }),
        },
      ]);
      expect(outcome).to.equal('appended');
    }
  }

  const grossOf = (count: number) =>
    Array.from({ length: count }, (_, index) => PRICE + index).reduce((a, b) => a + b, 0);
  const waitsFor = (outcome: FreezeOutcome) => (outcome.frozen === null ? outcome.waitsFor : 'nothing');
  const run = { dueMs: MONTH_END_MS + 5 * 60_000, nowMs: MONTH_END_MS, signal: new AbortController().signal };

  it('waits for a partition that stalls, and then is all of count × price, on both sides', async () => {
    await render('before', 40, clock.now());
    // Three partitions come to the books; the stalled one's ten impressions are durable, answered, and in nobody's.
    const heldOf = async () => {
      const [document] = await embedded.store.load([{ kind: ledger.kind, id: PLATFORM_LEDGER }]);
      return Object.values(unpackLedger(document?.state ?? {}).hours ?? {})[0]?.fra?.impressions;
    };
    await eventually('three partitions to be in the books', async () => (await heldOf()) === 30);
    shiftMs += 60_000 + 5 * 60_000;
    await render('after', 4, clock.now());

    for (const source of [PUBLISHER, DSP]) {
      const outcome = await freezeWhenComplete(parts(), source, MONTH, 300);
      expect(waitsFor(outcome)).to.match(/not known to be complete|not to the end of 2031-03/);
    }
    const failure = await finaliseBilling(parts())
      .run(run)
      .then(
        () => 'it was done',
        (error: Error) => error.message,
      );
    expect(failure, 'the job comes again').to.match(/^statements of 2031-03 wait: /);

    await embedded.log.leases.release(stall);
    for (const source of [PUBLISHER, DSP]) {
      const { frozen } = await freezeWhenComplete(parts(), source, MONTH, 15_000);
      expect(frozen).to.include({ impressions: 40, grossNanos: String(grossOf(40)), lateImpressions: 0 });
    }
    // No source was made through the API: the job finds none, and says so.
    expect(await finaliseBilling(parts()).run(run)).to.equal('2031-03: 0 statements frozen, 0 before');
    const { differences } = await auditBooks(embedded.store, { fromMs: 0, toMs: MONTH_END_MS });
    expect(differences).to.deep.equal([]);
  });

  it('is closed for a caller though no scheduler runs', async () => {
    await books.close();
    await embedded.log.leases.release(stall);
    await render('before', 8, clock.now());
    shiftMs += 60_000 + 5 * 60_000;
    const both = [PUBLISHER, DSP].map((source) => freezeWhenComplete(parts(), source, MONTH, 15_000));
    for (const { frozen } of await Promise.all(both)) {
      expect(frozen).to.include({ impressions: 8, grossNanos: String(grossOf(8)) });
    }
  });

  it('bills by the log’s clock and charges by the edge’s, however these differ around midnight', async () => {
    await embedded.log.leases.release(stall);
    // Sold by an edge whose clock is two minutes ahead, in April by its clock; rendered in March by the log's.
    await render('ahead', 8, MONTH_END_MS + 60_000);
    shiftMs += 60_000 + 60_000;
    // Sold by an edge whose clock is right, in March; rendered in April.
    await render('late', 8, MONTH_END_MS - 120_000);
    await eventually(
      'the books to be complete past the month',
      async () => (await readWatermark(parts())) > MONTH_END_MS,
      {
        timeoutMs: 60_000,
      },
    );
    const { frozen } = await freezeStatement(parts(), PUBLISHER, MONTH);
    expect(frozen).to.include({ impressions: 8, grossNanos: String(grossOf(8)), lateImpressions: 0 });

    shiftMs += 31 * 24 * HOUR_MS;
    await render('may', 8, clock.now());
    const april = await freezeWhenComplete(parts(), DSP, '2031-04', 15_000);
    expect(april.frozen).to.include({ impressions: 8, lateImpressions: 8, lateGrossNanos: String(grossOf(8)) });
    const stored = async (atMs: number) => {
      const id = hourLedgerId('dsp', DSP.id, atMs, false);
      const [document] = await embedded.store.load([{ kind: ledger.kind, id }]);
      return Object.keys(unpackLedger(document!.state).slots!).map(Number);
    };
    expect(await stored(MONTH_END_MS - 1), 'charged to April’s budget').to.deep.equal([
      budgetWindowStart(MONTH_END_MS + 60_000),
    ]);
    expect(await stored(MONTH_END_MS), 'charged to March’s budget').to.deep.equal([
      budgetWindowStart(MONTH_END_MS - 120_000),
    ]);
  });
});
