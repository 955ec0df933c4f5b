import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Impression } from '#actors/impression-rollup/messages';
import { ledger } from '#actors/ledger/ledger';
import { hourLedgerId, hourOfLedger, ledgerId, PLATFORM_OWNER_ID } from '#actors/ledger/ledger-id';
import { assembleDays, readLedgerPages, readLedgers } from '#actors/ledger/read-ledgers';
import { daysBetween, hoursBetween, type LedgerOwner, reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import type { LedgerState } from '#actors/ledger/state';
import { unpackLedger } from '#actors/ledger/stored-ledger';
import { canonicalLedgerText } from '#actors/statement/canonical-text';
import { FILED_HOURS_ID } from '#actors/watermark/watermark';
import { actorKinds } from '#composition/actor-kinds';
import type { AnyActorDefinition } from '#runtime/actor/define-actor';
import { encodeEnvelope } from '#runtime/node/envelope';
import { passBarrier } from '#runtime/node/log-barrier';
import { type ActorNode, createNode } from '#runtime/node/node';
import type { Clock } from '#runtime/ports/clock';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { auditBooks } from '#scheduler/audit/audit-books';
import { parkedMoney } from '#scheduler/billing/parked-money';
import { fileLedgerHours } from '#scheduler/jobs/file-ledger-hours';
import { createAdvanceWatermark } from '#scheduler/watermark/advance-watermark';
import { readWatermark } from '#scheduler/watermark/read-watermark';

const PARTITIONS = 4;
const HOUR_MS = 3_600_000;
/** The last minutes of an hour. */
const START_MS = Date.parse('2031-03-10T13:58:00Z');
const DAY_MS = Date.parse('2031-03-10T00:00:00Z');
const DAY = { fromMs: DAY_MS, toMs: DAY_MS + 24 * HOUR_MS };
const PRICE = 2_345_678;
const OWNERS: readonly LedgerOwner[] = [
  { scope: 'publisher', id: 'publisher-a', sandbox: false },
  { scope: 'dsp', id: 'dsp-x', sandbox: false },
  { scope: 'platform', id: PLATFORM_OWNER_ID, sandbox: false },
];

describe('the job file-ledger-hours', () => {
  let shiftMs = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + shiftMs };
  let folder: string;
  let embedded: Embedded;
  let node: ActorNode;
  let rendered = 0;
  /** What the job has told of each kind last. */
  const filed = new Map<string, number>();
  const { signal } = new AbortController();

  beforeEach(async () => {
    shiftMs = START_MS - systemClock.now();
    folder = await mkdtemp(join(tmpdir(), 'ledger-hours-'));
    embedded = await openEmbedded({ folder, partitions: PARTITIONS, clock });
    node = newNode();
    await node.start();
  });
  afterEach(async () => {
    await node.stop();
    await embedded.close();
    await rm(folder, { recursive: true });
  });

  const newNode = (definitions: readonly AnyActorDefinition[] = actorKinds) =>
    createNode({
      ...{ name: 'actors', provider: embedded.log, store: embedded.store, clock, random: systemRandom },
      ...{ definitions, hostsActors: true, replicates: [] },
      tuning: { lazySaveMs: 50, placementIntervalMs: 100 },
    });

  async function render(count: number, fields: Partial<Impression> = {}): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const [partition, soldAtMs] = [rendered % PARTITIONS, clock.now() - 90_000];
      const body = {
        ...{ id: `impression-${rendered}`, auction: 'a', publisher: 'publisher-a', dsp: 'dsp-x', account: 'account' },
        ...{ soldAtMs, priceCpmMicros: PRICE + rendered, feePpm: 150_000, region: 'fra', ...fields },
      };
      rendered += 1;
      const payload = encodeEnvelope({ to: `tally/${partition}`, type: 'impression', body });
      const bucketMs = Math.floor(soldAtMs / HOUR_MS) * HOUR_MS;
      const entry = { id: body.id, bucketMs, expiresAtMs: soldAtMs + HOUR_MS, payload };
      expect(await embedded.log.log.appendOnce(partition, [entry])).to.deep.equal(['appended']);
    }
  }

  const barrier = (stop: AbortSignal) => passBarrier({ ...embedded.log, clock, signal: stop });
  const completeBooks = () =>
    createAdvanceWatermark({ messenger: node.messenger, clock, passBarrier: barrier })(10_000);
  const runJob = async () => {
    await completeBooks();
    const figures = { hoursFiled: (kind: string, throughMs: number) => void filed.set(kind, throughMs) };
    const job = fileLedgerHours({ store: embedded.store, messenger: node.messenger, passBarrier: barrier, figures });
    return job.run({ dueMs: clock.now(), nowMs: clock.now(), signal });
  };
  const stateOf = async (id: string) => {
    const [document] = await embedded.store.load([{ kind: ledger.kind, id }]);
    return document?.state ? (unpackLedger(document.state) as LedgerState) : null;
  };
  const sums = async () => {
    const texts: string[] = [];
    for (const owner of OWNERS) {
      for (const window of [
        daysBetween(DAY.fromMs, DAY.toMs),
        hoursBetween(DAY.fromMs, DAY.toMs),
        reportWindowOf('6h', clock.now()),
      ]) {
        const { impressions, grossNanos, feeNanos, counterparties } = sumLedgers(
          await readLedgerPages(embedded.store, [owner], window),
          window,
        );
        const rows = [...counterparties].map(([name, row]) => `${name}: ${row.impressions} ${row.grossNanos}`);
        texts.push(`${owner.scope} ${window.grain.name} ${impressions} ${grossNanos} ${feeNanos} ${rows}`);
      }
    }
    return texts;
  };
  /** What reports of whole days and of hours say: minutes of a day that is over are gone. */
  const sumsWithoutMinutes = async () => (await sums()).filter((text) => !/^\S+ minutes /.test(text));
  const canonicalText = async () => {
    const [owner] = OWNERS as [LedgerOwner];
    const parts = await readLedgers(embedded.store, [{ owner, ...DAY }], ['hours', 'slots']);
    return canonicalLedgerText(assembleDays(parts));
  };

  it('moves hours that are over into their days, and every report, the hash of statements and the audit say the same', async () => {
    await render(20);
    shiftMs += 4 * 60_000;
    await render(30);
    await completeBooks();
    const [before, text] = [await sums(), await canonicalText()];
    expect(before[0]).to.match(/^publisher days 50 /);
    shiftMs += HOUR_MS;
    const whole = before.map((line) => line);
    expect(await runJob()).to.match(/^before 2031-03-10T14: \d+ hours filed, 0 deleted$/);
    expect(await readWatermark({ store: embedded.store }, FILED_HOURS_ID)).to.equal(DAY_MS + 14 * HOUR_MS);
    expect([...filed]).to.deep.equal([['ledger', DAY_MS + 14 * HOUR_MS]]);
    expect(await sums()).to.deep.equal(whole);
    expect(await canonicalText()).to.equal(text);
    const day = await stateOf(ledgerId('publisher', 'publisher-a', DAY_MS, false));
    expect(day).to.include({ filed: 1 << 13 });
    expect(Object.keys(day!.hours)).to.deep.equal(['13']);
    expect(Object.keys(day!.minutes), 'minutes stay with the hour').to.deep.equal([]);
    const { differences } = await auditBooks(embedded.store, { fromMs: 0, toMs: DAY_MS + 14 * HOUR_MS });
    expect(differences).to.deep.equal([]);
    shiftMs += HOUR_MS;
    expect(await runJob()).to.match(/^before 2031-03-10T15: \d+ hours filed, 0 deleted$/);
    expect(await sums()).to.deep.equal(whole);
    expect(await canonicalText()).to.equal(text);
    expect(await runJob(), 'a second run finds nothing').to.equal('before 2031-03-10T15: 0 hours filed, 0 deleted');
  });

  it('deletes hours when reports read their minutes no more, and keeps what the day has received', async () => {
    await render(12);
    shiftMs += 2 * HOUR_MS;
    await runJob();
    shiftMs += 10 * HOUR_MS;
    await runJob();
    expect(await runJob()).to.match(/^before 2031-03-11T01: 0 hours filed, [1-9]\d* deleted$/);
    expect(await stateOf(hourLedgerId('publisher', 'publisher-a', START_MS, false))).to.equal(null);
    const [days] = await sums();
    expect(days).to.match(/^publisher days 12 /);
    const { differences } = await auditBooks(embedded.store, { fromMs: 0, toMs: DAY.toMs });
    expect(differences).to.deep.equal([]);
  });

  it('takes no totals for an hour that is closed, and counts those once that are repeated after it was deleted', async () => {
    await render(8);
    await completeBooks();
    const id = hourLedgerId('dsp', 'dsp-x', START_MS, false);
    const { open } = (await stateOf(id))!;
    const [partition, told] = Object.entries(open)[0]!;
    const regions = [
      { region: 'fra', impressions: 1, grossNanos: PRICE, feeNanos: 0, counterparties: [], creatives: [] },
    ];
    const totals = { partition: Number(partition), minuteMs: told.minuteMs, regions };
    shiftMs += 2 * HOUR_MS;
    await runJob();
    await node.messenger.tell(ledger, id, 'totals', { ...totals, version: told.version });
    await completeBooks();
    expect(await embedded.store.deadLetters({ limit: 10 }), 'a repetition is no harm').to.deep.equal([]);
    await node.messenger.tell(ledger, id, 'totals', { ...totals, version: `${clock.now()}-7` });
    await completeBooks();
    const [letter] = await embedded.store.deadLetters({ limit: 10 });
    expect(letter).to.include({ to: `ledger/${id}`, type: 'totals' });
    expect(letter!.reason).to.contain('is closed');
    await embedded.store.markDiscarded(letter!.id, { atMs: clock.now(), by: 'test', why: 'made up' });
    shiftMs += 10 * HOUR_MS;
    await runJob();
    await runJob();
    expect(await stateOf(id)).to.equal(null);
    await node.messenger.tell(ledger, id, 'totals', { ...totals, version: told.version });
    await completeBooks();
    expect(hourOfLedger(id)).to.equal(13);
    expect((await stateOf(id))!.filed, 'begun anew').to.equal(undefined);
    const lines = await sums();
    expect(lines.filter((line) => line.startsWith('dsp days'))[0]).to.match(/^dsp days 8 /);
    await runJob();
    expect((await sums()).filter((line) => line.startsWith('dsp days'))[0]).to.match(/^dsp days 8 /);
    const audit = await auditBooks(embedded.store, { fromMs: 0, toMs: DAY.toMs });
    expect(audit.differences).to.deep.equal([]);
  });

  it('keeps hours until their day is over, so that what rollups tell again hours later is known to be told', async () => {
    shiftMs -= 10 * HOUR_MS;
    const [publisherHour, dspHour] = [
      hourLedgerId('publisher', 'publisher-a', clock.now(), false),
      hourLedgerId('dsp', 'dsp-x', clock.now(), false),
    ];
    await render(PARTITIONS);
    shiftMs += 2 * HOUR_MS;
    await runJob();
    shiftMs += 10 * HOUR_MS;
    await runJob();
    expect(await runJob()).to.match(/ 0 hours filed, 0 deleted$/);
    await node.stop();
    node = newNode();
    await node.start();
    // One partition after the other loads its rollup, and the job runs between.
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      await render(1);
      await completeBooks();
      await runJob();
    }
    expect(await embedded.store.deadLetters({ limit: 10 })).to.deep.equal([]);
    for (const id of [publisherHour, dspHour]) expect((await stateOf(id))!.closedAt).to.be.a('string');
    const [days] = await sums();
    expect(days).to.match(new RegExp(`^publisher days ${2 * PARTITIONS} `));
    shiftMs += 12 * HOUR_MS;
    await runJob();
    await runJob();
    expect(await stateOf(publisherHour)).to.equal(null);
  });

  it('waits for hours of which totals are parked', async () => {
    await render(8);
    await completeBooks();
    const to = `ledger/${hourLedgerId('publisher', 'publisher-b', START_MS, false)}`;
    const parked = { id: `0:${START_MS}-9`, partition: 0, position: `${START_MS}-9`, to, type: 'totals' };
    const payload = encodeEnvelope({ to, type: 'totals', body: { minuteMs: START_MS, regions: [] } });
    await embedded.store.park([{ ...parked, payload, reason: 'test', parkedAtMs: clock.now(), replayedAtMs: null }]);
    shiftMs += 2 * HOUR_MS;
    const held = `before 2031-03-10T13: 0 hours filed, 0 deleted; later ones wait for dead letter ${parked.id}`;
    expect(await runJob()).to.equal(held);
    expect(filed.get('ledger')).to.equal(DAY_MS + 13 * HOUR_MS);
    await embedded.store.markReplayed(parked.id, clock.now());
    expect(await runJob(), 'what is replayed may be on its way').to.equal(held);
    shiftMs += HOUR_MS / 2;
    expect(await runJob()).to.match(/^before 2031-03-10T16: [1-9]\d* hours filed, 0 deleted$/);
    expect(filed.get('ledger')).to.equal(DAY_MS + 16 * HOUR_MS);
  });

  it('waits for nothing that is parked of the sandbox, also where it is replayed for an hour that is closed', async () => {
    await node.stop();
    node = newNode(withFaultyLedgers('publisher:publisher-s:', 'totals'));
    await node.start();
    await render(PARTITIONS);
    await render(PARTITIONS, { publisher: 'publisher-s', dsp: 'dsp-s', sandbox: true });
    await completeBooks();
    const before = await sumsWithoutMinutes();
    const to = `ledger/${hourLedgerId('publisher', 'publisher-s', START_MS, true)}`;
    const parked = await embedded.store.deadLetters({ limit: 10 });
    expect(parked.map((letter) => `${letter.type} ${letter.to}`)).to.deep.equal(Array(PARTITIONS).fill(`totals ${to}`));
    await node.stop();
    node = newNode();
    await node.start();
    shiftMs += 2 * HOUR_MS;
    expect(await runJob()).to.match(/^before 2031-03-10T15: [1-9]\d* hours filed, 0 deleted$/);
    for (const { id } of parked) expect(await node.deadLetters.replay(id)).to.equal('replayed');
    await completeBooks();
    const again = (await embedded.store.deadLetters({ limit: 10 })).filter(({ replayedAtMs }) => replayedAtMs === null);
    expect(again.map((letter) => [letter.to, /is closed/.test(letter.reason)])).to.deep.equal(
      Array(PARTITIONS).fill([to, true]),
    );
    shiftMs += HOUR_MS;
    expect(await runJob(), 'nothing is held').to.match(/^before 2031-03-10T16: \d+ hours filed, 0 deleted$/);
    expect(await sumsWithoutMinutes(), 'live books are what they were').to.deep.equal(before);
    for (const { id } of again)
      await embedded.store.markDiscarded(id, { atMs: clock.now(), by: 'test', why: 'of the sandbox' });
    const audit = await auditBooks(embedded.store, { fromMs: 0, toMs: DAY_MS + 16 * HOUR_MS });
    expect(audit.differences).to.deep.equal([]);
  });

  for (const [type, ofUnit] of [
    ['close', 'the ledger of an hour'],
    ['hour', 'the ledger of a day'],
  ] as const) {
    it(`files no hour that is parked on its way to its day, as \`${type}\` to ${ofUnit}, and has it once that is replayed`, async () => {
      await render(20);
      await completeBooks();
      const before = await sumsWithoutMinutes();
      await node.stop();
      node = newNode(withFaultyLedgers('publisher:publisher-a:', type));
      await node.start();
      shiftMs += HOUR_MS;
      await runJob();
      const [parked, ...others] = await embedded.store.deadLetters({ limit: 10 });
      expect([parked?.type, others]).to.deep.equal([type, []]);
      expect(filed.get('ledger')).to.equal(DAY_MS + 13 * HOUR_MS);
      const held = `before 2031-03-10T13: 0 hours filed, 0 deleted; later ones wait for dead letter ${parked!.id}`;
      shiftMs += 24 * HOUR_MS;
      expect(await runJob()).to.equal(held);
      expect(await sumsWithoutMinutes(), 'both sides have the hour').to.deep.equal(before);
      const [money] = await parkedMoney(embedded.store, clock.now());
      expect([money?.month, [...(money?.of ?? [])]]).to.deep.equal(['2031-03', ['publisher:publisher-a']]);
      await node.stop();
      node = newNode();
      await node.start();
      expect(await node.deadLetters.replay(parked!.id)).to.equal('replayed');
      for (let run = 0; run < 3; run++) {
        shiftMs += HOUR_MS;
        await runJob();
      }
      expect(filed.get('ledger')).to.be.greaterThan(DAY_MS + 24 * HOUR_MS);
      expect(await stateOf(hourLedgerId('publisher', 'publisher-a', START_MS, false)), 'deleted').to.equal(null);
      expect(await sumsWithoutMinutes(), 'the day has it').to.deep.equal(before);
      expect(await parkedMoney(embedded.store, clock.now())).to.deep.equal([]);
      const { differences } = await auditBooks(embedded.store, { fromMs: DAY_MS, toMs: clock.now() });
      expect(differences).to.deep.equal([]);
    });
  }
});

/** A release in which ledgers whose ids begin so cannot take messages of a type. */
function withFaultyLedgers(idPrefix: string, type: string): AnyActorDefinition[] {
  return (actorKinds as readonly AnyActorDefinition[]).map((definition) => {
    if (definition.kind !== ledger.kind) return definition;
    const handle: AnyActorDefinition['handle'] = (state, message, context) => {
      if (message.type === type && context.id.startsWith(idPrefix)) throw new Error('a fault of this release');
      return definition.handle(state, message, context);
    };
    return { ...definition, handle };
  });
}
