import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { facts } from '#actors/facts/facts';
import { hourLedgerId, ledgerId } from '#actors/ledger/ledger-id';
import { readLedgerPages } from '#actors/ledger/read-ledgers';
import { daysBetween, hoursBetween, type LedgerOwner, reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import type { LedgerState } from '#actors/ledger/state';
import { unpackLedger } from '#actors/ledger/stored-ledger';
import { factsMinutes } from '#actors/ledger-minutes/ledger-minutes';
import { FILED_FACT_HOURS_ID, LEDGER_WATERMARK_ID, watermark } from '#actors/watermark/watermark';
import { actorKinds } from '#composition/actor-kinds';
import type { AnyActorDefinition } from '#runtime/actor/define-actor';
import { passBarrier } from '#runtime/node/log-barrier';
import { type ActorNode, createNode } from '#runtime/node/node';
import type { Clock } from '#runtime/ports/clock';
import { LogUnavailable } from '#runtime/ports/errors';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { fileFactHours } from '#scheduler/jobs/file-ledger-hours';
import { readWatermark } from '#scheduler/watermark/read-watermark';

const HOUR_MS = 3_600_000;
const DAY_MS = Date.parse('2031-03-10T00:00:00Z');
const START_MS = DAY_MS + 13 * HOUR_MS;
const OWNER: LedgerOwner = { scope: 'publisher', id: 'publisher-a', sandbox: false };

describe('the job file-fact-hours', () => {
  let shiftMs = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + shiftMs };
  let folders: string[];
  let money: Embedded;
  let counts: Embedded;
  let moneyNode: ActorNode;
  let factsNode: ActorNode;
  let registry: Registry;
  /** What the job has told of each kind last. */
  const filed = new Map<string, number>();
  const { signal } = new AbortController();

  beforeEach(async () => {
    shiftMs = START_MS - systemClock.now();
    folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'fact-hours-'))));
    money = await openEmbedded({ folder: folders[0]!, partitions: 4, clock });
    counts = await openEmbedded({ folder: folders[1]!, partitions: 4, clock });
    registry = new Registry();
    moneyNode = nodeOn(money, actorKinds, 'main');
    factsNode = nodeOn(counts, [facts, factsMinutes], 'facts');
    await moneyNode.start();
    await factsNode.start();
  });
  afterEach(async () => {
    await factsNode.stop();
    await moneyNode.stop();
    await counts.close();
    await money.close();
    for (const folder of folders) await rm(folder, { recursive: true });
  });

  const nodeOn = (log: Embedded, definitions: readonly AnyActorDefinition[], logName: string) =>
    createNode({
      ...{ name: 'actors', provider: log.log, store: money.store, clock, random: systemRandom },
      ...{ definitions, hostsActors: true, replicates: [], registry, logName },
      tuning: { lazySaveMs: 50, placementIntervalMs: 100 },
    });
  /** Has the counts handled by another release. */
  const upgradeTo = async (definitions: readonly AnyActorDefinition[]) => {
    await factsNode.stop();
    registry = new Registry();
    factsNode = nodeOn(counts, definitions, 'facts');
    await factsNode.start();
  };

  const barrier = (stop: AbortSignal) => passBarrier({ ...counts.log, clock, signal: stop });
  const raise = (id: string, throughMs: number) => moneyNode.messenger.ask(watermark, id, 'raise', { throughMs });
  const runJob = async (passCounts: typeof barrier = barrier) => {
    await raise(LEDGER_WATERMARK_ID, clock.now());
    const figures = { hoursFiled: (kind: string, throughMs: number) => void filed.set(kind, throughMs) };
    const deps = { store: money.store, messenger: moneyNode.messenger, factsMessenger: factsNode.messenger, figures };
    return fileFactHours({ ...deps, passBarrier: passCounts }).run({ dueMs: clock.now(), nowMs: clock.now(), signal });
  };
  const count = async (auctions: number, atMs = clock.now(), unleased = {}) => {
    const minuteMs = Math.floor(atMs / 60_000) * 60_000;
    const body = {
      ...unleased,
      minuteMs,
      region: 'fra',
      counts: { auctions },
      counterparties: [],
      creatives: [],
      latency: { 3: 1 },
    };
    await factsNode.messenger.tell(facts, hourLedgerId('publisher', 'publisher-a', minuteMs, false), 'facts', body);
    await barrier(signal);
  };
  const stateOf = async (id: string) => {
    const [document] = await money.store.load([{ kind: facts.kind, id }]);
    return document?.state ? (unpackLedger(document.state) as LedgerState) : null;
  };
  const auctions = async () => {
    const windows = [
      daysBetween(DAY_MS, DAY_MS + 24 * HOUR_MS),
      hoursBetween(DAY_MS, DAY_MS + 24 * HOUR_MS),
      reportWindowOf('6h', clock.now()),
    ];
    const sums = windows.map(async (window) => {
      return sumLedgers(await readLedgerPages(money.store, [OWNER], window), window).counts.get('auctions') ?? 0;
    });
    return Promise.all(sums);
  };

  it('moves counts of hours that are over into their days, and reports of every grain say the same', async () => {
    await count(5);
    expect(await auctions(), 'no report looks for counts before their log was used').to.deep.equal([0, 0, 0]);
    await raise(FILED_FACT_HOURS_ID, 1);
    expect(await auctions()).to.deep.equal([5, 5, 5]);
    shiftMs += HOUR_MS;
    await count(7);
    expect(await auctions()).to.deep.equal([12, 12, 12]);
    shiftMs += HOUR_MS / 2;
    expect(await runJob()).to.equal('before 2031-03-10T14: 1 hours filed, 0 deleted');
    expect(await readWatermark({ store: money.store }, FILED_FACT_HOURS_ID)).to.equal(DAY_MS + 14 * HOUR_MS);
    expect(await stateOf(ledgerId('publisher', 'publisher-a', DAY_MS, false))).to.include({ filed: 1 << 13 });
    expect(await auctions()).to.deep.equal([12, 12, 12]);
    await count(1);
    expect(await auctions()).to.deep.equal([13, 13, 13]);
    expect(await runJob(), 'a second run finds nothing').to.equal('before 2031-03-10T14: 0 hours filed, 0 deleted');
    shiftMs += 12 * HOUR_MS;
    await runJob();
    expect(await runJob()).to.match(/: 0 hours filed, [1-9]\d* deleted$/);
    expect(await stateOf(hourLedgerId('publisher', 'publisher-a', START_MS, false))).to.equal(null);
    expect((await auctions()).slice(0, 2)).to.deep.equal([13, 13]);
  });

  it('raises nothing while the log of counts does not answer, and loses nothing by that', async () => {
    await raise(FILED_FACT_HOURS_ID, 1);
    await count(5);
    shiftMs += 2 * HOUR_MS;
    const failed = await runJob(() => Promise.reject(new LogUnavailable('away'))).catch((error) => error);
    expect(failed).to.be.instanceOf(LogUnavailable);
    expect(await readWatermark({ store: money.store }, FILED_FACT_HOURS_ID)).to.equal(1);
    expect(filed.get('facts')).to.equal(1);
    expect(await auctions()).to.deep.equal([5, 5, 5]);
    await runJob();
    expect(filed.get('facts')).to.equal(DAY_MS + 14 * HOUR_MS);
    expect(await readWatermark({ store: money.store }, FILED_FACT_HOURS_ID)).to.equal(DAY_MS + 14 * HOUR_MS);
    expect(await auctions()).to.deep.equal([5, 5, 5]);
  });

  it('counts what comes for a closed hour as refused, and parks nothing of it', async () => {
    await raise(FILED_FACT_HOURS_ID, 1);
    await count(5);
    const atMs = clock.now();
    shiftMs += 2 * HOUR_MS;
    await runJob();
    await count(7, atMs);
    expect(await auctions()).to.deep.equal([5, 5, 5]);
    expect(await money.store.deadLetters({ limit: 10 })).to.deep.equal([]);
    const { values } = await registry.getSingleMetric('actor_messages_total')!.get();
    const refused = values.filter(({ labels, value }) => labels.outcome === 'rejected' && value > 0);
    expect(refused.map(({ labels, value }) => ({ ...labels, value }))).to.deep.equal([
      { kind: 'facts', outcome: 'rejected', log: 'facts', value: 1 },
    ]);
  });

  it('parks what bounds money, as releases before sent it, for a decision', async () => {
    await raise(FILED_FACT_HOURS_ID, 1);
    await count(5);
    const atMs = clock.now();
    shiftMs += 2 * HOUR_MS;
    await runJob();
    await count(0, atMs, { unleased: [{ slotMs: START_MS, nanos: 1_000_000 }] });
    const [letter] = await money.store.deadLetters({ limit: 10 });
    expect(letter).to.include({ type: 'facts' });
    expect(letter!.reason).to.contain('is closed');
  });

  for (const [type, ofUnit] of [
    ['close', 'the counts of an hour'],
    ['hour', 'the counts of a day'],
  ] as const) {
    it(`files no hour that is parked on its way to its day, as \`${type}\` to ${ofUnit}, and has it once that is replayed`, async () => {
      await raise(FILED_FACT_HOURS_ID, 1);
      await count(5);
      await upgradeTo([withFault('publisher:publisher-a:', type), factsMinutes]);
      shiftMs += HOUR_MS;
      await count(7);
      shiftMs += HOUR_MS / 2;
      await runJob();
      const [parked, ...others] = await money.store.deadLetters({ limit: 10 });
      expect([parked?.type, others]).to.deep.equal([type, []]);
      expect(filed.get('facts')).to.equal(DAY_MS + 13 * HOUR_MS);
      const held = `before 2031-03-10T13: 0 hours filed, 0 deleted; later ones wait for dead letter ${parked!.id}`;
      shiftMs += 24 * HOUR_MS;
      expect(await runJob()).to.equal(held);
      expect((await auctions()).slice(0, 2), 'reports have the hour').to.deep.equal([12, 12]);
      await upgradeTo([facts, factsMinutes]);
      expect(await factsNode.deadLetters.replay(parked!.id)).to.equal('replayed');
      await barrier(signal);
      expect(await runJob(), 'what is replayed may be on its way').to.equal(held);
      for (let run = 0; run < 3; run++) {
        shiftMs += HOUR_MS;
        await runJob();
      }
      expect(filed.get('facts')).to.be.greaterThan(DAY_MS + 24 * HOUR_MS);
      expect(await stateOf(hourLedgerId('publisher', 'publisher-a', START_MS, false)), 'deleted').to.equal(null);
      expect((await auctions()).slice(0, 2), 'the day has it').to.deep.equal([12, 12]);
    });
  }

  it('files later hours when an hour that is parked on its way to its day is discarded', async () => {
    await raise(FILED_FACT_HOURS_ID, 1);
    await count(5);
    await upgradeTo([withFault('publisher:publisher-a:', 'hour'), factsMinutes]);
    shiftMs += 2 * HOUR_MS;
    await runJob();
    const [parked] = await money.store.deadLetters({ limit: 10 });
    expect(filed.get('facts')).to.equal(DAY_MS + 13 * HOUR_MS);
    await money.store.markDiscarded(parked!.id, { atMs: clock.now(), by: 'test', why: 'made up' });
    shiftMs += HOUR_MS;
    await runJob();
    expect(filed.get('facts')).to.equal(DAY_MS + 15 * HOUR_MS);
  });
});

/** A release in which counts whose ids begin so cannot take messages of a type. */
function withFault(idPrefix: string, type: string): AnyActorDefinition {
  const definition = facts as AnyActorDefinition;
  const handle: AnyActorDefinition['handle'] = (state, message, context) => {
    if (message.type === type && context.id.startsWith(idPrefix)) throw new Error('a fault of this release');
    return definition.handle(state, message, context);
  };
  return { ...definition, handle };
}
