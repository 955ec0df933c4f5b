import { expect } from 'chai';
import { LogUnavailable } from '#runtime/ports/errors';
import { type Position, START } from '#runtime/ports/position';
import { eventually } from '../../support/eventually.ts';
import { type DeclareTest, required } from './harness.ts';
import { payloadsOf, readOne } from './reading.ts';

const LONG_WAIT_MS = 60_000;

/** What a call that may meet a lost connection came to: true when it went through. Fails on any other error. */
async function wentThrough(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    expect(error).to.be.instanceOf(LogUnavailable);
    return false;
  }
}

export function faultCases(it: DeclareTest): void {
  it('keeps everything across a restart', async (harness, test) => {
    const reopen = required(harness, 'reopen', test);
    const before = harness.provider;
    const positions = await before.log.append(0, ['a', 'b', 'c']);
    const [acquired] = await before.leases.acquire([0], 'owner', LONG_WAIT_MS);
    await before.leases.commit(acquired!.lease, positions[0]!);
    await before.leases.note(acquired!.lease, 'noted');
    await before.catalogue.publish(['view']);
    const number = await before.catalogue.tail();

    const after = await reopen();
    try {
      expect(after.log.partitions).to.equal(before.log.partitions);
      expect(await payloadsOf(after.log, 0)).to.deep.equal(['b', 'c']);
      expect(await after.log.tail(0)).to.deep.include({ last: positions[2], length: 2, appended: 3 });
      expect(await after.leases.renew([acquired!.lease], LONG_WAIT_MS)).to.deep.equal([acquired!.lease]);
      const [again] = await after.leases.acquire([0], 'owner', LONG_WAIT_MS);
      expect(again).to.deep.include({ cursor: positions[0], last: positions[2], note: 'noted' });
      expect(again!.lease.epoch).to.be.above(acquired!.lease.epoch);
      expect(await after.catalogue.tail()).to.equal(number);
      expect(await after.catalogue.read(number - 1, 10, 0)).to.deep.equal([{ number, payload: 'view' }]);
      const [next] = await after.log.append(0, ['d']);
      expect((await readOne(after.log, 0, positions[2])).map((entry) => entry.position)).to.deep.equal([next]);
    } finally {
      await after.close();
    }
  });

  it('is healthy while it answers', async ({ provider }) => {
    expect(await provider.healthy()).to.equal(true);
    expect(provider.warnings).to.be.an('array');
  });

  it('ends waiting reads when it is closed', async ({ provider }) => {
    const reading = wentThrough(provider.log.read(new Map([[0, START]]), 10, LONG_WAIT_MS));
    const following = wentThrough(provider.catalogue.read(0, 10, LONG_WAIT_MS));
    await provider.log.tail(0);
    await provider.close();
    await Promise.all([reading, following]);
    expect(await provider.healthy()).to.equal(false);
  });

  it('fails with LogUnavailable once it is closed', async ({ provider }) => {
    await provider.close();
    await provider.close();
    const refused = [
      provider.log.append(0, ['a']),
      provider.log.tail(0),
      provider.log.read(new Map([[0, START]]), 10, 0),
      provider.leases.acquire([0], 'a', 1000),
      provider.leases.cursors([0]),
      provider.catalogue.publish(['a']),
    ];
    expect(await Promise.all(refused.map(wentThrough))).not.to.include(true);
  });

  it('fails with LogUnavailable while the connection is lost, and goes on by itself', async (harness, test) => {
    const interrupt = required(harness, 'interrupt', test);
    const { log, leases, catalogue, replies, ...provider } = {
      ...harness.provider,
      healthy: () => harness.provider.healthy(),
    };
    const heard: string[] = [];
    let missed = 0;
    await replies.listen(
      'me',
      (payload) => heard.push(payload),
      () => {
        missed += 1;
      },
    );
    await log.append(0, ['before']);

    const restore = await interrupt();
    expect(await provider.healthy()).to.equal(false);
    const calls = [
      log.append(0, ['maybe']),
      log.tail(0),
      log.read(new Map([[1, START]]), 10, LONG_WAIT_MS),
      log.read(new Map([[0, START]]), 10, 0),
      leases.heartbeat('me', 1000, { fitness: 'fit', declines: [] }),
      catalogue.publish(['maybe']),
      catalogue.read(0, 10, 0),
    ];
    expect(await Promise.all(calls.map(wentThrough))).not.to.include(true);
    await restore();

    await eventually('the log to answer again', () => provider.healthy());
    await eventually('an append to go through', () => wentThrough(log.append(0, ['after'])));
    const payloads = await eventually('a read to go through', () => payloadsOf(log, 0));
    expect(payloads[0]).to.equal('before');
    expect(payloads.filter((payload) => payload === 'maybe').length).to.be.at.most(1);
    expect(payloads).to.include('after');
    await eventually('the listener to be told that it may have missed some', () => missed > 0);
    await eventually('replies to arrive again', async () => {
      await replies.send('me', 'again');
      return heard.length > 0;
    });
  });

  it('loses and doubles nothing that it acknowledged while connections come and go', async (harness, test) => {
    const interrupt = required(harness, 'interrupt', test);
    const { log } = harness.provider;
    const acknowledged: string[] = [];
    const received: string[] = [];
    let writing = true;
    const writer = (async () => {
      for (let at = 0; writing; at++) {
        const payloads = [`${at}`, `${at}'`];
        if (await wentThrough(log.append(0, payloads))) acknowledged.push(...payloads);
      }
    })();
    const reader = (async () => {
      let after: Position = START;
      for (;;) {
        const entries = await readOne(log, 0, after, 100, 1000).catch((error: unknown) => {
          expect(error).to.be.instanceOf(LogUnavailable);
          return [];
        });
        for (const entry of entries) received.push(entry.payload);
        after = entries.at(-1)?.position ?? after;
        if (received.at(-1) === 'the end') return;
      }
    })();
    for (let fault = 0; fault < 3; fault++) {
      const goal = acknowledged.length + 100;
      await eventually('100 more appends', () => acknowledged.length >= goal);
      const restore = await interrupt();
      await restore();
    }
    const goal = acknowledged.length + 100;
    await eventually('appends after the last fault', () => acknowledged.length >= goal);
    writing = false;
    await writer;
    await eventually('the last append', () => wentThrough(log.append(0, ['the end'])));
    await reader;

    const all = await payloadsOf(log, 0);
    const unique = new Set(all.filter((payload) => payload !== 'the end'));
    expect(all.filter((payload) => payload !== 'the end')).to.have.length(unique.size);
    expect(acknowledged.filter((payload) => !unique.has(payload))).to.deep.equal([]);
    expect(received).to.deep.equal(all.slice(0, received.length));
    const order = all.filter((payload) => payload !== 'the end').map((payload) => Number.parseInt(payload, 10));
    expect(order).to.deep.equal([...order].sort((a, b) => a - b));
  });
}
