import { expect } from 'chai';
import { Overloaded } from '#runtime/ports/errors';
import { comparePositions, positionTimeMs, START } from '#runtime/ports/position';
import type { DeclareTest } from './harness.ts';
import { required } from './harness.ts';
import { payloadsOf, readOne } from './reading.ts';

export function appendCases(it: DeclareTest): void {
  it('is empty at first', async ({ provider: { log } }) => {
    expect(log.partitions).to.be.at.least(4);
    expect(await log.tail(0)).to.deep.include({ last: START, length: 0, appended: 0 });
    expect((await log.read(new Map([[0, START]]), 10, 0)).size).to.equal(0);
  });

  it('gives ascending positions that carry the time', async ({ provider: { log } }) => {
    const before = Date.now();
    const first = await log.append(1, ['a', 'b']);
    const second = await log.append(1, ['c']);
    const positions = [...first, ...second];
    expect(positions).to.have.length(3);
    expect(comparePositions(positions[0]!, positions[1]!)).to.be.below(0);
    expect(comparePositions(positions[1]!, positions[2]!)).to.be.below(0);
    expect(positionTimeMs(positions[0]!)).to.be.within(before - 60_000, Date.now() + 60_000);
    expect(await readOne(log, 1)).to.deep.equal(
      positions.map((position, at) => ({ position, payload: 'abc'.charAt(at) })),
    );
    expect(await log.tail(1)).to.deep.include({ last: positions[2], length: 3, appended: 3 });
  });

  it('says what time it is: nothing appended later carries an earlier one', async ({ provider: { log } }) => {
    const { nowMs } = await log.tail(1);
    expect(nowMs).to.be.within(Date.now() - 60_000, Date.now() + 60_000);
    for (let round = 0; round < 50; round++) {
      const before = await log.tail(1);
      const [position] = await log.append(1, ['a']);
      const after = await log.tail(1);
      expect(positionTimeMs(position!)).to.be.within(before.nowMs, after.nowMs);
    }
  });

  it('keeps partitions apart', async ({ provider: { log } }) => {
    await Promise.all([log.append(0, ['zero']), log.append(3, ['three'])]);
    expect(await payloadsOf(log, 0)).to.deep.equal(['zero']);
    expect(await payloadsOf(log, 3)).to.deep.equal(['three']);
    expect(await payloadsOf(log, 2)).to.deep.equal([]);
  });

  it('appends nothing for no payloads', async ({ provider: { log } }) => {
    expect(await log.append(0, [])).to.deep.equal([]);
    expect((await log.tail(0)).length).to.equal(0);
  });

  it('keeps the payloads of one call together and in order among concurrent writers', async ({ provider: { log } }) => {
    const writers = 8;
    const rounds = 20;
    const perCall = 7;
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let round = 0; round < rounds; round++) {
          await log.append(
            2,
            Array.from({ length: perCall }, (_, at) => `${writer}:${round}:${at}`),
          );
        }
      }),
    );
    const payloads = await payloadsOf(log, 2);
    expect(payloads).to.have.length(writers * rounds * perCall);
    const nextRound = new Array<number>(writers).fill(0);
    for (let start = 0; start < payloads.length; start += perCall) {
      const writer = Number(payloads[start]!.split(':')[0]);
      const round = nextRound[writer]!++;
      expect(payloads.slice(start, start + perCall)).to.deep.equal(
        Array.from({ length: perCall }, (_, at) => `${writer}:${round}:${at}`),
      );
    }
  });

  it('keeps the order of calls that one writer does not wait for', async ({ provider: { log } }) => {
    const calls = Array.from({ length: 300 }, (_, at) => log.append(0, at % 3 === 0 ? [`${at}`, `${at}+`] : [`${at}`]));
    const positions = (await Promise.all(calls)).flat();
    const entries = await readOne(log, 0);
    expect(entries.map((entry) => entry.position)).to.deep.equal(positions);
    expect(entries.filter((entry) => !entry.payload.endsWith('+')).map((entry) => entry.payload)).to.deep.equal(
      Array.from({ length: 300 }, (_, at) => `${at}`),
    );
  });

  it('is one log for several processes', async (harness, test) => {
    const connect = required(harness, 'connect', test);
    const { log } = harness.provider;
    const other = await connect();
    try {
      await log.append(1, ['here']);
      await other.log.append(1, ['there']);
      expect(other.log.partitions).to.equal(log.partitions);
      expect(await payloadsOf(log, 1)).to.deep.equal(['here', 'there']);
      expect(await payloadsOf(other.log, 1)).to.deep.equal(['here', 'there']);
    } finally {
      await other.close();
    }
  });

  it('takes appends of many payloads at once', async ({ provider: { log } }) => {
    const payloads = Array.from({ length: 9000 }, (_, at) => `payload ${at}`);
    const positions = await log.append(1, payloads);
    expect(positions).to.have.length(9000);
    expect(await payloadsOf(log, 1)).to.deep.equal(payloads);
  });

  it('carries large payloads unharmed', async ({ provider: { log } }) => {
    const large = `${'x'.repeat(1024 * 1024 - 1)}y`;
    await log.append(0, [large, 'small', large]);
    expect((await payloadsOf(log, 0)).map((payload) => payload === large)).to.deep.equal([true, false, true]);
  });

  it('carries any text unharmed', async ({ provider: { log } }) => {
    const texts = ['', 'žluťoučký kůň', '日本語', '😀👩‍👩‍👧', 'a\0b\r\n\t"\\', '\u2028\u2029', '*3\r\n$1\r\n'];
    await log.append(0, texts);
    expect(await payloadsOf(log, 0)).to.deep.equal(texts);
  });

  it('refuses with Overloaded at the bound, appending nothing', async ({ provider: { log } }) => {
    await log.append(0, ['a', 'b', 'c'], { maxLength: 2 });
    for (const refused of [['d'], ['d', 'e']]) {
      const error = await log.append(0, refused, { maxLength: 3 }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(Overloaded);
    }
    expect(await payloadsOf(log, 0)).to.deep.equal(['a', 'b', 'c']);
    await log.append(0, ['d'], { maxLength: 4 });
    await log.append(1, ['elsewhere'], { maxLength: 1 });
    expect((await log.tail(0)).length).to.equal(4);
  });
}
