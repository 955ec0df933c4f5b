import { expect } from 'chai';
import { comparePositions, type Position, START } from '#runtime/ports/position';
import { type DeclareTest, required } from './harness.ts';
import { payloadsOf, readOne } from './reading.ts';

/** Longer than any of these tests may take: a read that ends earlier was ended by what the test did. */
const LONG_WAIT_MS = 60_000;

export function readCases(it: DeclareTest): void {
  it('takes nothing by reading', async ({ provider: { log } }) => {
    const positions = await log.append(0, ['a', 'b', 'c']);
    const first = await readOne(log, 0);
    expect(await readOne(log, 0)).to.deep.equal(first);
    expect(await payloadsOf(log, 0, positions[0])).to.deep.equal(['b', 'c']);
    expect(await payloadsOf(log, 0, positions[2])).to.deep.equal([]);
  });

  it('answers at most the limit of each partition, and goes on from there', async ({ provider: { log } }) => {
    await log.append(0, ['a', 'b', 'c', 'd', 'e']);
    await log.append(1, ['A', 'B']);
    const first = await log.read(
      new Map([
        [0, START],
        [1, START],
        [2, START],
      ]),
      2,
      0,
    );
    expect([...first.keys()].sort()).to.deep.equal([0, 1]);
    expect(first.get(0)!.map((entry) => entry.payload)).to.deep.equal(['a', 'b']);
    expect(first.get(1)!.map((entry) => entry.payload)).to.deep.equal(['A', 'B']);
    expect(await payloadsOf(log, 0, first.get(0)![1]!.position)).to.deep.equal(['c', 'd', 'e']);
  });

  it('reads every entry once, in order, while writers append', async ({ provider: { log } }) => {
    const count = 2000;
    const writing = (async () => {
      for (let at = 0; at < count; at += 10) {
        await Promise.all(
          [0, 1].map((partition) =>
            log.append(
              partition,
              Array.from({ length: 10 }, (_, offset) => `${at + offset}`),
            ),
          ),
        );
      }
    })();
    const after = new Map<number, Position>([
      [0, START],
      [1, START],
    ]);
    const seen: string[][] = [[], []];
    while (seen[0]!.length < count || seen[1]!.length < count) {
      for (const [partition, entries] of await log.read(after, 64, LONG_WAIT_MS)) {
        for (const entry of entries) {
          expect(comparePositions(entry.position, after.get(partition)!)).to.be.above(0);
          after.set(partition, entry.position);
          seen[partition]!.push(entry.payload);
        }
      }
    }
    await writing;
    const wanted = Array.from({ length: count }, (_, at) => `${at}`);
    expect(seen).to.deep.equal([wanted, wanted]);
  });

  it('ends a wait when an entry arrives', async ({ provider: { log } }) => {
    const last = (await log.append(1, ['old']))[0]!;
    const reading = log.read(
      new Map([
        [0, START],
        [1, last],
      ]),
      10,
      LONG_WAIT_MS,
    );
    await log.append(1, ['new']);
    const entries = await reading;
    expect([...entries.keys()]).to.deep.equal([1]);
    expect(entries.get(1)!.map((entry) => entry.payload)).to.deep.equal(['new']);
  });

  it('ends a wait when another process appends', async (harness, test) => {
    const other = await required(harness, 'connect', test)();
    try {
      const reading = readOne(harness.provider.log, 3, START, 10, LONG_WAIT_MS);
      await other.log.append(3, ['from afar']);
      expect((await reading).map((entry) => entry.payload)).to.deep.equal(['from afar']);
    } finally {
      await other.close();
    }
  });

  it('ends a wait without entries when the time is up', async ({ provider: { log } }) => {
    const began = performance.now();
    expect((await log.read(new Map([[0, START]]), 10, 80)).size).to.equal(0);
    expect(performance.now() - began).to.be.at.least(70);
  });

  it('ends a wait by wake, at once and whenever it comes, and then reads on', async ({ provider: { log } }) => {
    for (let round = 0; round < 20; round++) {
      const reading = log.read(new Map([[0, START]]), 10, LONG_WAIT_MS);
      if (round % 2 === 1) await log.tail(0);
      log.wake();
      expect((await reading).size).to.equal(0);
    }
    await log.append(2, ['after the wake']);
    expect(await payloadsOf(log, 2)).to.deep.equal(['after the wake']);
  });

  it('answers reads that wait for nothing while another waits', async ({ provider: { log } }) => {
    await log.append(1, ['there']);
    const waiting = log.read(new Map([[0, START]]), 10, LONG_WAIT_MS);
    for (let round = 0; round < 3; round++) {
      const [now, nothing] = await Promise.all([
        log.read(new Map([[1, START]]), 10, 0),
        log.read(new Map([[2, START]]), 10, 0),
      ]);
      expect(now.get(1)?.map(({ payload }) => payload)).to.deep.equal(['there']);
      expect(nothing.size).to.equal(0);
    }
    await log.append(0, ['awaited']);
    expect((await waiting).get(0)?.map(({ payload }) => payload)).to.deep.equal(['awaited']);
  });

  it('reads on however often it is woken', async ({ provider: { log } }) => {
    let reading = true;
    const waking = (async () => {
      while (reading) {
        log.wake();
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const wanted = Array.from({ length: 300 }, (_, at) => `${at}`);
    await log.append(0, wanted);
    const seen: string[] = [];
    let after: Position = START;
    while (seen.length < wanted.length) {
      const entries = await readOne(log, 0, after, 50, LONG_WAIT_MS);
      seen.push(...entries.map((entry) => entry.payload));
      after = entries.at(-1)?.position ?? after;
    }
    reading = false;
    await waking;
    expect(seen).to.deep.equal(wanted);
  });

  it('waits for wake when no partition is asked for', async ({ provider: { log } }) => {
    const reading = log.read(new Map(), 10, LONG_WAIT_MS);
    log.wake();
    expect((await reading).size).to.equal(0);
    expect((await log.read(new Map(), 10, 5)).size).to.equal(0);
  });

  it('is not kept from ending a later wait by an earlier wake', async ({ provider: { log } }) => {
    log.wake();
    const reading = readOne(log, 0, START, 10, LONG_WAIT_MS);
    await log.append(0, ['a']);
    expect((await reading).map((entry) => entry.payload)).to.deep.equal(['a']);
  });
}
