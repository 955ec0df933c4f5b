import { expect } from 'chai';
import type { IdempotentEntry } from '#runtime/ports/log';
import { Keys } from '#runtime/providers/redis/keys';
import { SharedAppends } from '#runtime/providers/redis/shared-appends';

const HOUR_MS = 3_600_000;
const keys = new Keys('adx');

interface Call {
  readonly stream: string;
  readonly keys: readonly string[];
  /** The number of partitions that the call keeps; '' where it keeps none. */
  readonly partitions: string;
  /** The name that the data must have. */
  readonly ofData: string;
  /** The stream and the id of each message. */
  readonly messages: readonly string[];
  readonly answer: (answers: readonly number[]) => void;
  readonly fail: (error: Error) => void;
}

describe('SharedAppends', () => {
  let calls: Call[];

  beforeEach(() => {
    calls = [];
  });

  function sharedAppends(spansPartitions: boolean): SharedAppends {
    return new SharedAppends(
      keys,
      64,
      spansPartitions,
      (stream, count, all) =>
        new Promise((answer, fail) => {
          const [partitions, ofData, ...sent] = all.slice(count) as [string, string, ...string[]];
          const messages = sent.map((message) => {
            const [head, id] = message.split('\n');
            return `${all[Number.parseInt(head!, 10) - 1]} ${id}`;
          });
          calls.push({ stream, keys: all.slice(0, count), partitions, ofData, messages, answer, fail });
        }),
    );
  }

  it('sends the appends of one turn in one call, to the keys of each partition and hour', async () => {
    const appends = sharedAppends(true);
    const outcomes = Promise.all([
      appends.add(3, [entry('a'), entry('b', HOUR_MS)]),
      appends.add(5, [entry('c')]),
      appends.add(3, [entry('d')]),
    ]);
    expect(calls, 'in the same turn').to.have.length(0);
    await turn();
    expect(calls).to.have.length(1);
    const [{ stream, keys: used, partitions, messages, answer }] = calls as [Call];
    expect(partitions).to.equal('64');
    expect(stream).to.equal(keys.stream(3));
    expect(used).to.deep.equal([
      ...[keys.stream(3), keys.seen(3, 0), keys.notes(3, 0)],
      ...[keys.stream(3), keys.seen(3, HOUR_MS), keys.notes(3, HOUR_MS)],
      ...[keys.stream(5), keys.seen(5, 0), keys.notes(5, 0)],
      ...[keys.partitions(), keys.identity()],
    ]);
    expect(messages).to.deep.equal([
      `${keys.stream(3)} a`,
      `${keys.stream(3)} b`,
      `${keys.stream(5)} c`,
      `${keys.stream(3)} d`,
    ]);
    answer([1, 0, -1, 1]);
    expect(await outcomes).to.deep.equal([['appended', 'repeated'], ['expired'], ['appended']]);
  });

  it('sends what comes in a later turn in a call of its own, without waiting for the answer', async () => {
    const appends = sharedAppends(true);
    void appends.add(0, [entry('a')]);
    await turn();
    void appends.add(0, [entry('b')]);
    await turn();
    expect(calls.map(({ messages }) => messages)).to.deep.equal([[`${keys.stream(0)} a`], [`${keys.stream(0)} b`]]);
  });

  it('sends a call for each partition where they are on several servers', async () => {
    const appends = sharedAppends(false);
    for (const [partition, id] of [
      [3, 'a'],
      [5, 'b'],
      [3, 'c'],
    ] as const)
      void appends.add(partition, [entry(id)]);
    await turn();
    expect(calls.map(({ messages }) => messages)).to.deep.equal([
      [`${keys.stream(3)} a`, `${keys.stream(3)} c`],
      [`${keys.stream(5)} b`],
    ]);
    expect(calls.flatMap(({ keys: used, partitions }) => [used.length, partitions])).to.deep.equal([3, '', 3, '']);
  });

  it('sends a call for the data of each name', async () => {
    const appends = sharedAppends(true);
    void appends.add(3, [entry('a')], 'one');
    void appends.add(5, [entry('b')], 'one');
    void appends.add(3, [entry('c')], 'other');
    void appends.add(3, [entry('d')]);
    await turn();
    expect(calls.map(({ ofData, messages }) => [ofData, messages.length])).to.deep.equal([
      ['one', 2],
      ['other', 1],
      ['', 1],
    ]);
  });

  it('sends at most 500 messages in a call that appends share, and keeps their order', async () => {
    const appends = sharedAppends(true);
    for (let from = 0; from < 1200; from += 200) {
      void appends.add(
        0,
        Array.from({ length: 200 }, (_, index) => entry(`${from + index}`)),
      );
    }
    await turn();
    expect(calls.map(({ messages }) => messages.length)).to.deep.equal([400, 400, 400]);
    const sent = calls.flatMap(({ messages }) => messages);
    expect(sent).to.deep.equal(Array.from({ length: 1200 }, (_, id) => `${keys.stream(0)} ${id}`));
  });

  it('fails all appends that shared a call, and no others', async () => {
    const appends = sharedAppends(true);
    const outcome = (append: Promise<unknown>) => append.catch((error: Error) => error.message);
    const shared = Promise.all([outcome(appends.add(0, [entry('a')])), outcome(appends.add(1, [entry('b')]))]);
    await turn();
    const later = outcome(appends.add(0, [entry('c')]));
    await turn();
    calls[0]!.fail(new Error('no answer'));
    calls[1]!.answer([1]);
    expect(await shared).to.deep.equal(['no answer', 'no answer']);
    expect(await later).to.deep.equal(['appended']);
  });
});

function entry(id: string, bucketMs = 0): IdempotentEntry {
  return { id, bucketMs, expiresAtMs: 2 * HOUR_MS, payload: `of ${id}`, noteBefore: 0 };
}

/** Resolves after the present turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
