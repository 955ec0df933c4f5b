import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { LogUnavailable, Overloaded } from '#runtime/actor/errors';
import { decodeEnvelope } from '#runtime/node/envelope';
import { Producer } from '#runtime/node/producer';
import { DEFAULT_TUNING, type Tuning } from '#runtime/node/tuning';
import type { MessageLog } from '#runtime/ports/log';
import { START } from '#runtime/ports/position';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { SteppedClock } from './stepped-clock.ts';

/** What becomes of one append: it happens and is answered; it happens and the answer is lost; or it does not happen. */
type Fate = 'answered' | 'answer lost' | 'lost' | 'overloaded' | 'broken';

/** Enough turns for an append in the data folder to end. */
const settled = (promise: Promise<unknown>) =>
  promise.then(
    () => 'sent',
    (error: Error) => error,
  );

describe('the producer', () => {
  let folder: string;
  let embedded: Embedded;
  let clock: SteppedClock;
  /** The next appends' fates; the last one stays. */
  let fates: Fate[];
  let appends: { partition: number; numbers: number[] }[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'exchange-producer-'));
    embedded = await openEmbedded({ folder, partitions: 2, clock: systemClock });
    clock = new SteppedClock();
    fates = ['answered'];
    appends = [];
  });
  afterEach(async () => {
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The real log, behind a connection that fails as the test says. */
  function faulty(): MessageLog {
    const { log } = embedded.log;
    const append: MessageLog['append'] = async (partition, payloads, options) => {
      appends.push({ partition, numbers: payloads.map((payload) => Number(decodeEnvelope(payload).sequence)) });
      const fate = fates.length > 1 ? fates.shift()! : fates[0]!;
      if (fate === 'overloaded') throw new Overloaded('full');
      if (fate === 'broken') throw new Error('a bug');
      if (fate === 'lost') throw new LogUnavailable('no answer');
      const positions = await log.append(partition, payloads, options);
      if (fate === 'answer lost') throw new LogUnavailable('no answer');
      return positions;
    };
    return new Proxy(log, { get: (target, name) => (name === 'append' ? append : Reflect.get(target, name)) });
  }

  function producer(tuning: Partial<Tuning> = {}): Producer {
    return new Producer(faulty(), 'process-1', clock, { ...DEFAULT_TUNING, ...tuning });
  }

  async function inLog(partition: number) {
    const read = await embedded.log.log.read(new Map([[partition, START]]), 10_000, 0);
    return (read.get(partition) ?? []).map(({ payload }) => decodeEnvelope(payload));
  }

  /** Moves the clock until `promise` has settled. */
  async function stepUntilSettled(promise: Promise<unknown>): Promise<void> {
    let done = false;
    void settled(promise).then(() => {
      done = true;
    });
    while (!done) {
      if (clock.timers > 0) await clock.step();
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('numbers its messages, and sends those of one tick together and in order', async () => {
    const sender = producer();
    await Promise.all([0, 1, 2, 3].map((n) => sender.send(n % 2, `counter/${n}`, 'add', { n })));
    expect(appends).to.deep.equal([
      { partition: 0, numbers: [1, 3] },
      { partition: 1, numbers: [2, 4] },
    ]);
    const [first] = await inLog(0);
    const named = { from: 'process-1', sequence: '1' };
    expect(first).to.deep.equal({ to: 'counter/0', type: 'add', body: { n: 0 }, ...named, ask: null });
  });

  it('has one append to a partition under way, whatever comes meanwhile', async () => {
    const sender = producer();
    const sends = [sender.send(0, 'counter/a', 'add', { n: 0 })];
    await Promise.resolve();
    for (let n = 1; n < 50; n++) sends.push(sender.send(0, 'counter/a', 'add', { n }));
    await Promise.all(sends);
    expect(appends.map(({ numbers }) => numbers.length)).to.deep.equal([1, 49]);
    expect((await inLog(0)).map(({ sequence }) => Number(sequence))).to.deep.equal(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
  });

  it('repeats the same numbers, so that a receiver can tell', async () => {
    fates = ['answer lost', 'lost', 'answered'];
    const sender = producer();
    const sent = Promise.all([sender.send(0, 'counter/a', 'add', {}), sender.send(0, 'counter/b', 'add', {})]);
    await stepUntilSettled(sent);
    await sent;
    expect(appends.map(({ numbers }) => numbers)).to.deep.equal([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    expect((await inLog(0)).map(({ sequence }) => sequence)).to.deep.equal(['1', '2', '1', '2']);
  });

  it('waits longer between retries, up to a bound', async () => {
    fates = ['lost'];
    const sender = producer({ sendTimeoutMs: 500, backoffMs: [10, 80] });
    const at: number[] = [];
    const sent = sender.send(0, 'counter/a', 'add', {});
    let done = false;
    void settled(sent).then(() => {
      done = true;
    });
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve));
      if (clock.timers === 0) continue;
      await clock.step();
      at.push(clock.monotonic());
    }
    expect(at).to.deep.equal([10, 30, 70, 150, 230, 310, 390, 470, 550]);
  });

  it('ends its retries: the outcome is unknown then, and no number is used again', async () => {
    fates = ['lost'];
    const sender = producer({ sendTimeoutMs: 100 });
    const first = sender.send(0, 'counter/a', 'add', {});
    await stepUntilSettled(first);
    expect(await settled(first)).to.be.instanceOf(LogUnavailable);
    const tried = appends.length;
    fates = ['answered'];
    await sender.send(0, 'counter/a', 'add', {});
    expect(appends.slice(tried)).to.deep.equal([{ partition: 0, numbers: [2] }]);
    expect(clock.timers).to.equal(0);
  });

  it('is overloaded at its bound, sends nothing of what it refuses, and recovers', async () => {
    const sender = producer({ maxUnsent: 3 });
    const sends = Array.from({ length: 5 }, (_, n) => settled(sender.send(0, 'counter/a', 'add', { n })));
    const outcomes = await Promise.all(sends);
    expect(outcomes.slice(0, 3)).to.deep.equal(['sent', 'sent', 'sent']);
    for (const outcome of outcomes.slice(3)) expect(outcome).to.be.instanceOf(Overloaded);
    await sender.send(0, 'counter/a', 'add', {});
    expect(await inLog(0)).to.have.length(4);
  });

  it('hands on that the partition is full, but only when nothing can have been appended', async () => {
    const sender = producer({ maxPartitionLength: 1 });
    await sender.send(0, 'counter/a', 'add', {});
    expect(await settled(sender.send(0, 'counter/a', 'add', {}))).to.be.instanceOf(Overloaded);
    expect(await inLog(0)).to.have.length(1);

    fates = ['lost', 'overloaded'];
    const unknown = sender.send(1, 'counter/a', 'add', {});
    await stepUntilSettled(unknown);
    expect(await settled(unknown)).to.be.instanceOf(LogUnavailable);
  });

  it('retries nothing that is no outage', async () => {
    fates = ['broken'];
    const failed = await settled(producer().send(0, 'counter/a', 'add', {}));
    expect(failed).to.be.instanceOf(Error).and.have.property('message', 'a bug');
    expect(appends).to.have.length(1);
  });

  it('splits what is too much for one append', async () => {
    const sender = producer();
    const text = 'x'.repeat(400_000);
    await Promise.all([1, 2, 3].map(() => sender.send(0, 'counter/a', 'add', { text })));
    expect(appends.map(({ numbers }) => numbers)).to.deep.equal([[1, 2], [3]]);
    appends = [];
    await Promise.all(Array.from({ length: 1_200 }, () => sender.send(1, 'counter/a', 'add', {})));
    expect(appends.map(({ numbers }) => numbers.length)).to.deep.equal([500, 500, 200]);
  });

  it('is settled when nothing waits any more', async () => {
    fates = ['lost', 'answered'];
    const sender = producer();
    let sent = false;
    const sending = sender.send(0, 'counter/a', 'add', {}).then(() => {
      sent = true;
    });
    const ended = sender.settled().then(() => expect(sent, 'settled before it was sent').to.equal(true));
    await stepUntilSettled(sending);
    await ended;
    await sender.settled();
  });
});
