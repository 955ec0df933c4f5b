import { expect } from 'chai';
import type { Clock } from '#runtime/ports/clock';
import { LogUnavailable } from '#runtime/ports/errors';
import { comparePositions, positionTimeMs, START } from '#runtime/ports/position';
import { CommitGroup } from '#runtime/providers/embedded/commit-group';
import { RESERVED_BYTES } from '#runtime/providers/embedded/disk-room';
import { openEnvironment } from '#runtime/providers/embedded/environment';
import { IdempotencyKeys } from '#runtime/providers/embedded/idempotency-keys';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { Partition } from '#runtime/providers/embedded/partition';
import { freeBytesOf } from '#runtime/providers/system/free-bytes';
import { systemClock } from '#runtime/providers/system/system-clock';
import { type DataFolder, freshDataFolder } from './data-folder.ts';

const HOUR_MS = 3_600_000;

class SteppedClock implements Clock {
  nowMs = Date.UTC(2026, 10, 21, 12);
  now(): number {
    return this.nowMs;
  }
  monotonic(): number {
    return systemClock.monotonic();
  }
  after(delayMs: number, fire: () => void): () => void {
    return systemClock.after(delayMs, fire);
  }
}

describe('the embedded log, inside', () => {
  let data: DataFolder;
  let clock: SteppedClock;
  beforeEach(async () => {
    data = await freshDataFolder();
    clock = new SteppedClock();
  });
  afterEach(() => data.remove());

  const open = (partitions = 4) => openEmbedded({ folder: data.folder, partitions, clock });

  it('never gives a lower position when the clock steps back, nor after a trim and a restart', async () => {
    const first = await open();
    const [before] = await first.log.log.append(0, ['before']);
    expect(positionTimeMs(before!)).to.equal(clock.nowMs);
    clock.nowMs -= 5 * HOUR_MS;
    const [after] = await first.log.log.append(0, ['after']);
    expect(comparePositions(after!, before!)).to.be.above(0);
    const [acquired] = await first.log.leases.acquire([0], 'owner', HOUR_MS);
    await first.log.leases.commit(acquired!.lease, after!);
    await first.close();

    const second = await open();
    expect(await second.log.log.tail(0)).to.deep.include({ last: after, length: 0, appended: 2 });
    const [next] = await second.log.log.append(0, ['next']);
    expect(comparePositions(next!, after!)).to.be.above(0);
    await second.close();
  });

  it('keeps the number of partitions of its first use, and says so', async () => {
    await (await open(4)).close();
    const again = await open(8);
    expect(again.log.log.partitions).to.equal(4);
    expect(again.log.warnings.join()).to.include('4 partitions');
    await again.close();
  });

  it('frees every partition for a new owner at a restart', async () => {
    const first = await open();
    const [acquired] = await first.log.leases.acquire([0], 'old', HOUR_MS);
    await first.close();
    const second = await open();
    const [taken] = await second.log.leases.acquire([0], 'new', HOUR_MS);
    expect(taken!.lease.epoch).to.be.above(acquired!.lease.epoch);
    expect(await second.log.leases.commit(acquired!.lease, START)).to.equal(false);
    await second.close();
  });

  it('reads from disk what no longer fits in memory, in order and without a hole', async () => {
    const environment = openEnvironment(data.folder);
    const group = new CommitGroup(environment.root);
    const partition = new Partition(0, environment, 1000);
    group.join({ seal: () => partition.seal(), durable: () => void partition.durable(), lost: () => partition.load() });
    const payloads = Array.from({ length: 1500 }, (_, at) => `payload ${at}`);
    for (let at = 0; at < payloads.length; at += 750) {
      const nowMs = clock.nowMs + at;
      await group.write(() => payloads.slice(at, at + 750).map((one) => partition.append(nowMs, one)), LogUnavailable);
    }
    let after = START;
    const seen: string[] = [];
    for (;;) {
      const entries = partition.read(after, 70);
      if (entries.length === 0) break;
      seen.push(...entries.map((entry) => entry.payload));
      after = entries.at(-1)!.position;
    }
    expect(seen).to.deep.equal(payloads);
    await group.write(() => partition.commit(partition.read(START, 600).at(-1)!.position), LogUnavailable);
    expect(partition.length).to.equal(900);
    expect(partition.read(START, 1)[0]!.payload).to.equal('payload 600');
    const reopened = new Partition(0, environment, 1000);
    expect([reopened.length, reopened.appended]).to.deep.equal([900, 1500]);
    expect(reopened.read(START, 2000).map((entry) => entry.payload)).to.deep.equal(payloads.slice(600));
    await environment.root.close();
  });

  it('refuses appends before the disk is full, goes on with leases, and takes them again once there is room', async () => {
    let freeBytes = RESERVED_BYTES;
    const steady = { ...systemClock, now: () => clock.now(), monotonic: () => monotonicMs };
    let monotonicMs = 0;
    const { log, store, close } = await openEmbedded({
      folder: data.folder,
      partitions: 4,
      clock: steady,
      freeBytes: () => freeBytes,
    });
    const once = { id: 'an id', bucketMs: 0, expiresAtMs: clock.nowMs + HOUR_MS, payload: 'once' };
    const batch = { after: START, entries: [], throughMs: 0 };
    for (const append of [
      () => log.log.append(0, ['refused']),
      () => log.log.appendOnce(0, [once]),
      () => log.relayed.appendRelayed(0, 'a source', batch),
    ]) {
      const error = await append().catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(LogUnavailable);
      expect((error as Error).message).to.equal('the disk of the data folder has less than 64 MB left');
    }
    expect(await log.healthy()).to.equal(false);
    expect(await log.leases.acquire([0], 'owner', HOUR_MS)).to.have.length(1);
    expect(await store.healthy()).to.equal(true);
    freeBytes += 1;
    monotonicMs += 100;
    expect(await log.healthy()).to.equal(true);
    expect(await log.log.appendOnce(0, [once])).to.deep.equal(['appended']);
    expect((await log.log.read(new Map([[0, START]]), 10, 0)).get(0)!.map(({ payload }) => payload)).to.deep.equal([
      'once',
    ]);
    await close();
  });

  it('takes a disk whose room is not told for one that has some: a write itself tells', () => {
    expect(freeBytesOf(data.folder)).to.be.within(1, Number.MAX_SAFE_INTEGER);
    expect(freeBytesOf(`${data.folder}/that is not there`)).to.equal(Number.POSITIVE_INFINITY);
    // A file system without blocks.
    if (process.platform === 'linux') expect(freeBytesOf('/proc')).to.equal(Number.POSITIVE_INFINITY);
  });

  it('gives the space of trimmed entries back to later ones', async () => {
    const { log, close } = await open();
    const [acquired] = await log.leases.acquire([0], 'owner', HOUR_MS);
    const environmentSize = async () => (await import('node:fs')).statSync(`${data.folder}/exchange.mdb`).size;
    const payloads = Array.from({ length: 20 }, () => 'x'.repeat(10_000));
    let early = 0;
    for (let round = 0; round < 60; round++) {
      const positions = await log.log.append(0, payloads);
      await log.leases.commit(acquired!.lease, positions.at(-1)!);
      if (round === 9) early = await environmentSize();
    }
    expect(await environmentSize()).to.be.at.most(2 * early);
    await close();
  });

  it('forgets ids an hour after their entries expired, and not before', async () => {
    const environment = openEnvironment(data.folder);
    const group = new CommitGroup(environment.root);
    const ids = new IdempotencyKeys(environment, group, clock);
    const bucketMs = clock.nowMs;
    const remember = (id: string, expiresAtMs: number) =>
      group.write(() => ids.remember(0, { id, bucketMs, expiresAtMs, payload: '' }), LogUnavailable);
    for (let n = 0; n < 1200; n++) void remember(`id ${n}`, bucketMs + HOUR_MS);
    expect(await remember('id 7', bucketMs + HOUR_MS)).to.equal('repeated');
    clock.nowMs = bucketMs + 2 * HOUR_MS - 1;
    expect(await ids.purge()).to.equal(0);
    expect(await remember('id 7', bucketMs + HOUR_MS)).to.equal('repeated');
    clock.nowMs = bucketMs + 2 * HOUR_MS + 600_000;
    expect(await ids.purge()).to.equal(1200);
    expect([...environment.once.getKeys()]).to.deep.equal([]);
    expect([...environment.onceHours.getKeys()]).to.deep.equal([]);
    expect(await remember('id 7', clock.nowMs + HOUR_MS)).to.equal(null);
    ids.close();
    await environment.root.close();
  });
});
