import { expect } from 'chai';
import type { AcquiredPartition, Lease, LeaseTable, MemberCondition } from '#runtime/ports/leases';
import { comparePositions, positionOf, positionTimeMs, START } from '#runtime/ports/position';
import { tokenOf } from '#runtime/ports/store-token';
import { eventually } from '../../support/eventually.ts';
import { type DeclareTest, required } from './harness.ts';
import { payloadsOf } from './reading.ts';

const FIT: MemberCondition = { fitness: 'fit', declines: [] };
const LONG_MS = 60_000;
const SHORT_MS = 60;

async function acquireOne(
  leases: LeaseTable,
  partition: number,
  owner: string,
  ttlMs = LONG_MS,
): Promise<AcquiredPartition> {
  const acquired = await leases.acquire([partition], owner, ttlMs);
  expect(acquired.map(({ lease }) => [lease.partition, lease.owner])).to.deep.equal([[partition, owner]]);
  return acquired[0]!;
}

/** Another owner takes the partition once the lease has run out. */
function takeOver(leases: LeaseTable, partition: number, owner: string): Promise<AcquiredPartition> {
  return eventually(`${owner} to take over partition ${partition}`, async () => {
    const [acquired] = await leases.acquire([partition], owner, LONG_MS);
    return acquired;
  });
}

async function expectStale(leases: LeaseTable, stale: Lease): Promise<void> {
  expect(await leases.commit(stale, positionOf(9_999_999_999_999, 0)), 'commit').to.equal(false);
  expect(await leases.note(stale, 'stale'), 'note').to.equal(false);
  expect(await leases.raise(stale, positionOf(9_999_999_999_999, 0)), 'raise').to.equal(false);
  expect(await leases.renew([stale], LONG_MS), 'renew').to.deep.equal([]);
  await leases.release(stale);
}

export function leaseCases(it: DeclareTest): void {
  it('gives a fresh partition with an empty cursor', async ({ provider: { leases } }) => {
    const { lease, cursor, last, note } = await acquireOne(leases, 0, 'a');
    expect({ cursor, last, note }).to.deep.equal({ cursor: START, last: START, note: '' });
    expect(lease.epoch).to.be.at.least(1);
  });

  it('gives the free ones of many partitions', async ({ provider: { leases } }) => {
    await acquireOne(leases, 1, 'a');
    const acquired = await leases.acquire([3, 1, 0], 'b', LONG_MS);
    expect(acquired.map(({ lease }) => lease.partition).sort()).to.deep.equal([0, 3]);
    expect(await leases.acquire([], 'b', LONG_MS)).to.deep.equal([]);
  });

  it('refuses a held partition, and gives it to its owner again under a higher epoch', async ({
    provider: { leases },
  }) => {
    const first = await acquireOne(leases, 0, 'a');
    expect(await leases.acquire([0], 'b', LONG_MS)).to.deep.equal([]);
    const second = await acquireOne(leases, 0, 'a');
    expect(second.lease.epoch).to.be.above(first.lease.epoch);
    await expectStale(leases, first.lease);
    expect(await leases.renew([second.lease], LONG_MS)).to.deep.equal([second.lease]);
  });

  it('lets another take over after expiry; the old owner can change nothing', async ({ provider: { log, leases } }) => {
    const positions = await log.append(0, ['a', 'b', 'c']);
    const first = await acquireOne(leases, 0, 'a', SHORT_MS);
    expect(await leases.commit(first.lease, positions[0]!)).to.equal(true);
    expect(await leases.note(first.lease, 'handled a')).to.equal(true);
    const second = await takeOver(leases, 0, 'b');
    expect(second.lease.epoch).to.be.above(first.lease.epoch);
    expect(second.cursor).to.equal(positions[0]);
    expect(second.last).to.equal(positions[2]);
    expect(second.note).to.equal('handled a');
    await expectStale(leases, first.lease);
    expect(await payloadsOf(log, 0)).to.deep.equal(['b', 'c']);
    expect(await leases.acquire([0], 'c', LONG_MS)).to.deep.equal([]);
    expect(await leases.commit(second.lease, positions[1]!)).to.equal(true);
  });

  it('keeps a renewed lease past its first expiry', async ({ provider: { leases } }) => {
    const short = await acquireOne(leases, 0, 'a', SHORT_MS);
    const other = await acquireOne(leases, 1, 'a', SHORT_MS);
    expect(await leases.renew([short.lease], LONG_MS)).to.deep.equal([short.lease]);
    await takeOver(leases, 1, 'b');
    expect(await leases.acquire([0], 'b', LONG_MS)).to.deep.equal([]);
    expect(await leases.renew([other.lease, short.lease], LONG_MS)).to.deep.equal([short.lease]);
  });

  it('frees a released lease at once', async ({ provider: { leases } }) => {
    const first = await acquireOne(leases, 2, 'a');
    await leases.release(first.lease);
    const second = await acquireOne(leases, 2, 'b');
    expect(second.lease.epoch).to.be.above(first.lease.epoch);
    await leases.release(first.lease);
    expect(await leases.acquire([2], 'c', LONG_MS)).to.deep.equal([]);
  });

  it('gives a contested partition to one owner only', async (harness) => {
    const other = await harness.connect?.();
    try {
      const tables = [harness.provider.leases, other?.leases ?? harness.provider.leases];
      const acquired = await Promise.all(
        Array.from({ length: 10 }, (_, at) => tables[at % 2]!.acquire([0, 1, 2], `owner ${at}`, LONG_MS)),
      );
      expect(
        acquired
          .flat()
          .map(({ lease }) => lease.partition)
          .sort(),
      ).to.deep.equal([0, 1, 2]);
    } finally {
      await other?.close();
    }
  });

  it('trims at a commit what is at or below the cursor', async ({ provider: { log, leases } }) => {
    const positions = await log.append(0, ['a', 'b', 'c', 'd']);
    const { lease } = await acquireOne(leases, 0, 'a');
    expect(await leases.commit(lease, positions[1]!)).to.equal(true);
    expect(await payloadsOf(log, 0)).to.deep.equal(['c', 'd']);
    expect(await log.tail(0)).to.deep.include({ last: positions[3], length: 2, appended: 4 });
    expect((await acquireOne(leases, 0, 'a')).cursor).to.equal(positions[1]);
  });

  it('says how far each cursor is, to those who hold no lease too', async (harness) => {
    const { log, leases } = harness.provider;
    const positions = await log.append(0, ['a', 'b']);
    const { lease } = await acquireOne(leases, 0, 'a');
    const other = await harness.connect?.();
    try {
      const seen = other?.leases ?? leases;
      expect(await seen.cursors([0, 3])).to.deep.equal([START, START]);
      expect(await leases.commit(lease, positions[0]!)).to.equal(true);
      expect(await seen.cursors([3, 0])).to.deep.equal([START, positions[0]]);
      await leases.release(lease);
      expect(await seen.cursors([0])).to.deep.equal([positions[0]]);
      expect(await seen.cursors([])).to.deep.equal([]);
    } finally {
      await other?.close();
    }
  });

  it('keeps the newest token beside a cursor, of those who hold the lease, for all to see', async (harness) => {
    const { log, leases } = harness.provider;
    const [older, newer, newest] = [tokenOf(9n, 'zzz'), tokenOf(16n, 'b'), tokenOf(300n, 'a')];
    const positions = await log.append(0, ['a', 'b', 'c']);
    const first = await acquireOne(leases, 0, 'a', SHORT_MS);
    expect(await leases.commit(first.lease, positions[0]!, newer)).to.equal(true);
    const second = await takeOver(leases, 0, 'b');
    expect(await leases.commit(first.lease, positions[1]!, newest)).to.equal(false);
    const other = await harness.connect?.();
    try {
      const seen = other?.leases ?? leases;
      expect(await seen.tokens([3, 0])).to.deep.equal(['', newer]);
      expect(await leases.commit(second.lease, positions[1]!, older)).to.equal(true);
      expect(await leases.commit(second.lease, positions[1]!)).to.equal(true);
      expect(await seen.tokens([0])).to.deep.equal([newer]);
      // The cursor stays where it is.
      expect(await leases.commit(second.lease, positions[1]!, newest)).to.equal(true);
      expect(await seen.tokens([0])).to.deep.equal([newest]);
    } finally {
      await other?.close();
    }
  });

  it('never moves the cursor back', async ({ provider: { log, leases } }) => {
    const positions = await log.append(0, ['a', 'b', 'c']);
    const { lease } = await acquireOne(leases, 0, 'a');
    expect(await leases.commit(lease, positions[2]!)).to.equal(true);
    expect(await leases.commit(lease, positions[0]!)).to.equal(true);
    expect(await leases.commit(lease, START)).to.equal(true);
    expect((await acquireOne(leases, 0, 'a')).cursor).to.equal(positions[2]);
  });

  it('compares cursors as numbers, not as text', async ({ provider: { log, leases } }) => {
    const positions = await log.append(
      0,
      Array.from({ length: 12 }, (_, at) => `${at}`),
    );
    const { lease } = await acquireOne(leases, 0, 'a');
    expect(await leases.commit(lease, positions[8]!)).to.equal(true);
    expect(await leases.commit(lease, positions[10]!)).to.equal(true);
    expect(await payloadsOf(log, 0)).to.deep.equal(['11']);
    expect((await acquireOne(leases, 0, 'a')).cursor).to.equal(positions[10]);
  });

  it('never lowers the tail by trimming, nor gives a position twice', async ({ provider: { log, leases } }) => {
    const positions = await log.append(0, ['a', 'b']);
    const { lease } = await acquireOne(leases, 0, 'a');
    expect(await leases.commit(lease, positions[1]!)).to.equal(true);
    expect(await log.tail(0)).to.deep.include({ last: positions[1], length: 0, appended: 2 });
    const [next] = await log.append(0, ['c']);
    expect(comparePositions(next!, positions[1]!)).to.be.above(0);
    expect(await payloadsOf(log, 0)).to.deep.equal(['c']);
  });

  it('keeps the last note', async ({ provider: { leases } }) => {
    const { lease } = await acquireOne(leases, 0, 'a');
    expect(await leases.note(lease, 'first')).to.equal(true);
    expect(await leases.note(lease, 'attempts: 2 😀')).to.equal(true);
    expect((await acquireOne(leases, 0, 'a')).note).to.equal('attempts: 2 😀');
    expect((await acquireOne(leases, 1, 'a')).note).to.equal('');
  });

  it('raises the positions given out from now on', async ({ provider: { log, leases } }) => {
    const [before] = await log.append(0, ['a']);
    const { lease } = await acquireOne(leases, 0, 'a');
    const raised = positionOf(positionTimeMs(before!) + 3_600_000, 7);
    expect(await leases.raise(lease, raised)).to.equal(true);
    expect((await log.tail(0)).last).to.equal(raised);
    const [after] = await log.append(0, ['b']);
    expect(comparePositions(after!, raised)).to.be.above(0);
    expect(await leases.raise(lease, before!)).to.equal(true);
    expect((await log.tail(0)).last).to.equal(after);
    expect(await payloadsOf(log, 0)).to.deep.equal(['a', 'b']);
    expect((await log.tail(0)).nowMs, 'the time of what is given out next').to.be.at.least(positionTimeMs(after!));
  });

  it('raises a partition that never had an entry', async ({ provider: { log, leases } }) => {
    const { lease } = await acquireOne(leases, 3, 'a');
    expect(await leases.raise(lease, START)).to.equal(true);
    expect(await log.tail(3)).to.deep.include({ last: START, length: 0, appended: 0 });
    const raised = positionOf(Date.now() + 3_600_000, 0);
    expect(await leases.raise(lease, raised)).to.equal(true);
    expect(await log.tail(3)).to.deep.include({ last: raised, length: 0, appended: 0 });
    const [after] = await log.append(3, ['a']);
    expect(comparePositions(after!, raised)).to.be.above(0);
  });

  it('brings a cursor back to the end of a wiped partition, so that what follows is read', async (harness, test) => {
    const wipePartition = required(harness, 'wipePartition', test);
    const { log, leases } = harness.provider;
    const positions = await log.append(0, ['a', 'b']);
    const ahead = positionOf(positionTimeMs(positions[1]!) + 3_600_000, 0);
    const { lease } = await acquireOne(leases, 0, 'a');
    expect(await leases.commit(lease, ahead)).to.equal(true);
    await wipePartition(0);
    expect((await log.tail(0)).last).to.equal(START);
    expect(await leases.raise(lease, positions[1]!)).to.equal(true);
    const [after] = await log.append(0, ['c']);
    expect((await log.tail(0)).appended, 'lower than before: the loss can be seen').to.equal(1);
    expect(comparePositions(after!, positions[1]!)).to.be.above(0);
    const again = await acquireOne(leases, 0, 'a');
    expect(again.cursor).to.equal(positions[1]);
    expect(await payloadsOf(log, 0, again.cursor)).to.deep.equal(['c']);
  });

  it('knows who lives', async ({ provider: { leases } }) => {
    const beat = async (member: string, ttlMs: number) =>
      (await leases.heartbeat(member, ttlMs, FIT)).map(({ name }) => name);
    expect(await beat('b', LONG_MS)).to.deep.equal(['b']);
    expect(await beat('a', LONG_MS)).to.deep.equal(['a', 'b']);
    expect(await beat('short-lived', SHORT_MS)).to.deep.equal(['a', 'b', 'short-lived']);
    await eventually('the short-lived member to be forgotten', async () => {
      const living = await beat('a', LONG_MS);
      return living.join() === 'a,b';
    });
    await leases.leave('b');
    await leases.leave('unheard of');
    expect(await beat('a', LONG_MS)).to.deep.equal(['a']);
  });

  it('knows how those are who live, and how long they do', async ({ provider: { leases } }) => {
    const sick: MemberCondition = { fitness: 'unfit', declines: [] };
    const picky: MemberCondition = { fitness: 'doubtful', declines: [2, 3] };
    await leases.heartbeat('sick', LONG_MS, sick);
    await leases.heartbeat('picky', SHORT_MS, picky);
    const members = await leases.heartbeat('fit', LONG_MS, FIT);
    expect(members.map(({ name, condition }) => [name, condition])).to.deep.equal([
      ['fit', FIT],
      ['picky', picky],
      ['sick', sick],
    ]);
    expect(members[1]!.leftMs).to.be.within(0, SHORT_MS);
    expect(members[2]!.leftMs).to.be.within(LONG_MS - 10_000, LONG_MS);
    const later = await leases.heartbeat('sick', LONG_MS, FIT);
    expect(later.find(({ name }) => name === 'sick')!.condition).to.deep.equal(FIT);
    await leases.heartbeat('sick', LONG_MS, sick);
    await leases.leave('sick');
    expect((await leases.heartbeat('fit', LONG_MS, FIT)).map(({ name }) => name)).not.to.include('sick');
  });
}
