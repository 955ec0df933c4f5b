import { expect } from 'chai';
import type { IdempotentEntry, MessageLog } from '#runtime/ports/log';
import { positionTimeMs } from '#runtime/ports/position';
import { type DeclareTest, required } from './harness.ts';
import { payloadsOf } from './reading.ts';

const HOUR_MS = 3_600_000;

/** The log's own clock, ms since the epoch. */
async function logTimeMs(log: MessageLog): Promise<number> {
  return positionTimeMs((await log.append(log.partitions - 1, ['what time is it?']))[0]!);
}

function entry(id: string, nowMs: number, changes: Partial<IdempotentEntry> = {}): IdempotentEntry {
  return {
    id,
    bucketMs: Math.floor(nowMs / HOUR_MS) * HOUR_MS,
    expiresAtMs: nowMs + HOUR_MS,
    payload: `of ${id}`,
    ...changes,
  };
}

export function onceCases(it: DeclareTest): void {
  it('appends an id once', async ({ provider: { log } }) => {
    const nowMs = await logTimeMs(log);
    expect(await log.appendOnce(0, [entry('a', nowMs), entry('b', nowMs)])).to.deep.equal(['appended', 'appended']);
    expect(await log.appendOnce(0, [entry('b', nowMs), entry('c', nowMs), entry('c', nowMs)])).to.deep.equal([
      'repeated',
      'appended',
      'repeated',
    ]);
    expect(await log.appendOnce(0, [])).to.deep.equal([]);
    expect(await payloadsOf(log, 0)).to.deep.equal(['of a', 'of b', 'of c']);
  });

  it('refuses what has expired, and does not remember it', async ({ provider: { log } }) => {
    const nowMs = await logTimeMs(log);
    const outcomes = await log.appendOnce(0, [
      entry('late', nowMs, { expiresAtMs: nowMs }),
      entry('in time', nowMs),
      entry('very late', nowMs, { bucketMs: 0, expiresAtMs: HOUR_MS }),
    ]);
    expect(outcomes).to.deep.equal(['expired', 'appended', 'expired']);
    expect(await log.appendOnce(0, [entry('late', nowMs)])).to.deep.equal(['appended']);
    expect(await payloadsOf(log, 0)).to.deep.equal(['of in time', 'of late']);
  });

  it('tells the same id of different hours apart, several hours in one call', async ({ provider: { log } }) => {
    const nowMs = await logTimeMs(log);
    const hours = [0, 1, 0, 2, 3, 1, 4, 5, 0].map((hoursAgo) =>
      entry('same', nowMs - hoursAgo * HOUR_MS, { expiresAtMs: nowMs + HOUR_MS, payload: `${hoursAgo}` }),
    );
    expect(await log.appendOnce(0, hours)).to.deep.equal([
      'appended',
      'appended',
      'repeated',
      'appended',
      'appended',
      'repeated',
      'appended',
      'appended',
      'repeated',
    ]);
    expect(await payloadsOf(log, 0)).to.deep.equal(['0', '1', '2', '3', '4', '5']);
  });

  it('appends one provisional entry and after it one final one, which carries its note', async ({
    provider: { log },
  }) => {
    const nowMs = await logTimeMs(log);
    const provisional = (id: string, note: string) => entry(id, nowMs, { payload: `[${id}?]`, provisional: note });
    const final = (id: string) => entry(id, nowMs, { payload: `[${id}]`, noteBefore: 1 });
    expect(
      await log.appendOnce(0, [
        provisional('a', ' first'),
        provisional('a', ' second'),
        final('a'),
        provisional('a', ' third'),
        final('a'),
        final('b'),
        provisional('b', ' late'),
      ]),
    ).to.deep.equal(['appended', 'repeated', 'appended', 'repeated', 'repeated', 'appended', 'repeated']);
    expect(await payloadsOf(log, 0)).to.deep.equal(['[a?]', '[a first]', '[b]']);
    expect(await log.appendOnce(1, [final('a')]), 'another partition').to.deep.equal(['appended']);
    expect(await payloadsOf(log, 1)).to.deep.equal(['[a]']);
  });

  it('knows a note in a later call, only in the hour of its id, and in payloads beyond ASCII', async ({
    provider: { log },
  }) => {
    const nowMs = await logTimeMs(log);
    const changes = { expiresAtMs: nowMs + HOUR_MS, provisional: '+note' };
    await log.appendOnce(0, [
      entry('a', nowMs, changes),
      entry('b', nowMs - HOUR_MS, changes),
      entry('c', nowMs - HOUR_MS, { ...changes, provisional: '' }),
    ]);
    const final = (id: string, hoursAgo: number, payload = `<${id}${hoursAgo}>`) =>
      entry(id, nowMs - hoursAgo * HOUR_MS, { expiresAtMs: nowMs + HOUR_MS, payload, noteBefore: 1 });
    const all = [
      final('a', 1),
      final('b', 1),
      final('a', 0, '<ä→😀>'),
      final('b', 0),
      final('c', 1),
      { ...final('d', 0), noteBefore: 0 },
    ];
    expect(await log.appendOnce(0, all)).to.deep.equal(Array.from(all, () => 'appended'));
    expect((await payloadsOf(log, 0)).slice(3)).to.deep.equal([
      '<a1>',
      '<b1+note>',
      '<ä→😀+note>',
      '<b0>',
      '<c1>',
      '<d0>',
    ]);
  });

  it('leaves a final entry without a place for the note as it is, and refuses provisional entries that have expired', async ({
    provider: { log },
  }) => {
    const nowMs = await logTimeMs(log);
    const late = entry('late', nowMs, { expiresAtMs: nowMs, provisional: ' note' });
    expect(await log.appendOnce(0, [late, entry('a', nowMs, { provisional: ' note' })])).to.deep.equal([
      'expired',
      'appended',
    ]);
    expect(await log.appendOnce(0, [entry('a', nowMs), entry('late', nowMs, { noteBefore: 0 })])).to.deep.equal([
      'appended',
      'appended',
    ]);
    expect(await payloadsOf(log, 0)).to.deep.equal(['of a', 'of a', 'of late']);
  });

  it('takes an id with a provisional entry alone for unknown', async ({ provider: { log } }) => {
    const nowMs = await logTimeMs(log);
    const a = entry('a', nowMs);
    await log.appendOnce(0, [{ ...a, provisional: 'note' }]);
    expect(await log.remembers(0, [a])).to.deep.equal([false]);
    expect(await log.markOnce(0, [{ ...a, mark: 'seen' }])).to.deep.equal(['unknown']);
    await log.appendOnce(0, [a]);
    expect(await log.remembers(0, [a])).to.deep.equal([true]);
    expect(await log.markOnce(0, [{ ...a, mark: 'seen' }])).to.deep.equal(['marked']);
  });

  it('appends one provisional and one final entry among concurrent callers, and remembers both across a restart', async (harness, test) => {
    const { log } = harness.provider;
    const other = await harness.connect?.();
    const nowMs = await logTimeMs(log);
    const provisional = entry('a', nowMs, { payload: 'a?', provisional: '!' });
    const final = entry('a', nowMs, { payload: 'a', noteBefore: 0 });
    const alone = entry('b', nowMs, { payload: 'b?', provisional: '!' });
    await Promise.all(
      Array.from({ length: 20 }, (_, caller) =>
        (caller % 2 === 1 && other ? other.log : log).appendOnce(0, caller % 5 === 4 ? [final] : [provisional, alone]),
      ),
    );
    await other?.close();
    const payloads = (await payloadsOf(log, 0)).join(' ');
    expect(['a? b? a!', 'a b?', 'a? a! b?']).to.include(payloads.replace('what time is it? ', ''));
    const reopened = await required(harness, 'reopen', test)();
    try {
      const again = [provisional, final, alone, { ...alone, payload: 'b', provisional: undefined, noteBefore: 0 }];
      expect(await reopened.log.appendOnce(0, again as IdempotentEntry[])).to.deep.equal([
        'repeated',
        'repeated',
        'repeated',
        'appended',
      ]);
      expect((await payloadsOf(reopened.log, 0)).at(-1)).to.equal('b!');
    } finally {
      await reopened.close();
    }
  });

  it('keeps partitions and hours apart when appends to several are made at once', async ({ provider: { log } }) => {
    const nowMs = await logTimeMs(log);
    const earlierMs = nowMs - HOUR_MS;
    const provisional = entry('b', earlierMs, { expiresAtMs: nowMs + HOUR_MS, payload: 'b', provisional: '!' });
    expect(
      await Promise.all([
        log.appendOnce(0, [entry('a', nowMs), provisional]),
        log.appendOnce(1, [entry('a', nowMs), entry('late', nowMs, { expiresAtMs: nowMs })]),
        log.appendOnce(0, [entry('a', nowMs), entry('b', nowMs)]),
      ]),
    ).to.deep.equal([
      ['appended', 'appended'],
      ['appended', 'expired'],
      ['repeated', 'appended'],
    ]);
    const final = { payload: 'b', provisional: undefined, noteBefore: 0 };
    expect(
      await Promise.all(
        [0, 1].map((partition) => log.appendOnce(partition, [{ ...provisional, ...final }] as IdempotentEntry[])),
      ),
    ).to.deep.equal([['appended'], ['appended']]);
    expect(await payloadsOf(log, 0)).to.deep.equal(['of a', 'b', 'of b', 'b!']);
    expect(await payloadsOf(log, 1)).to.deep.equal(['of a', 'b']);
  });

  it('appends once among concurrent callers', async (harness) => {
    const { log } = harness.provider;
    const other = await harness.connect?.();
    try {
      const nowMs = await logTimeMs(log);
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, caller) =>
          (caller % 2 === 1 && other ? other.log : log).appendOnce(
            1,
            Array.from({ length: 25 }, (_, id) => entry(`${(id * 7 + caller) % 25}`, nowMs)),
          ),
        ),
      );
      expect(outcomes.flat().filter((outcome) => outcome === 'appended')).to.have.length(25);
      expect(outcomes.flat().filter((outcome) => outcome === 'repeated')).to.have.length(39 * 25);
      expect(new Set(await payloadsOf(log, 1)).size).to.equal(25);
      expect((await log.tail(1)).length).to.equal(25);
    } finally {
      await other?.close();
    }
  });

  it('remembers ids after their entries were trimmed', async ({ provider: { log, leases } }) => {
    const nowMs = await logTimeMs(log);
    await log.appendOnce(0, [entry('a', nowMs)]);
    const [acquired] = await leases.acquire([0], 'owner', 10_000);
    await leases.commit(acquired!.lease, (await log.tail(0)).last);
    expect((await log.tail(0)).length).to.equal(0);
    expect(await log.appendOnce(0, [entry('a', nowMs)])).to.deep.equal(['repeated']);
  });

  it('remembers ids across a restart', async (harness, test) => {
    const reopen = required(harness, 'reopen', test);
    const nowMs = await logTimeMs(harness.provider.log);
    await harness.provider.log.appendOnce(0, [entry('a', nowMs)]);
    const reopened = await reopen();
    try {
      expect(await reopened.log.appendOnce(0, [entry('a', nowMs), entry('b', nowMs)])).to.deep.equal([
        'repeated',
        'appended',
      ]);
    } finally {
      await reopened.close();
    }
  });

  it('sets a mark once, beside an id that was appended', async ({ provider: { log } }) => {
    const nowMs = await logTimeMs(log);
    const [a, b] = [entry('a', nowMs), entry('b', nowMs - HOUR_MS, { expiresAtMs: nowMs + HOUR_MS })];
    await log.appendOnce(0, [a, b]);
    const never = { ...a, id: 'never' };
    expect(
      await log.markOnce(0, [
        { ...a, mark: 'seen' },
        { ...a, mark: 'seen' },
        { ...a, mark: 'heard' },
        { ...b, mark: 'seen' },
        { ...b, bucketMs: a.bucketMs, mark: 'seen' },
        { ...never, mark: 'seen' },
      ]),
    ).to.deep.equal(['marked', 'repeated', 'marked', 'marked', 'unknown', 'unknown']);
    expect(await log.markOnce(1, [{ ...a, mark: 'seen' }]), 'another partition').to.deep.equal(['unknown']);
    expect(await log.markOnce(0, [])).to.deep.equal([]);
    expect(await payloadsOf(log, 0), 'no mark is an entry').to.deep.equal(['of a', 'of b']);
    expect(await log.appendOnce(0, [a]), 'no mark is an id').to.deep.equal(['repeated']);
  });

  it('sets a mark once among concurrent callers, and across a restart', async (harness, test) => {
    const { log } = harness.provider;
    const other = await harness.connect?.();
    const nowMs = await logTimeMs(log);
    const a = entry('a', nowMs);
    await log.appendOnce(0, [a]);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, caller) =>
        (caller % 2 === 1 && other ? other.log : log).markOnce(0, [{ ...a, mark: 'seen' }]),
      ),
    );
    await other?.close();
    expect(outcomes.flat().filter((outcome) => outcome === 'marked')).to.have.length(1);
    const reopened = await required(harness, 'reopen', test)();
    try {
      expect(await reopened.log.markOnce(0, [{ ...a, mark: 'seen' }])).to.deep.equal(['repeated']);
    } finally {
      await reopened.close();
    }
  });

  it('tells which ids it remembers', async ({ provider: { log } }) => {
    const nowMs = await logTimeMs(log);
    const [a, b] = [entry('a', nowMs), entry('b', nowMs - HOUR_MS, { expiresAtMs: nowMs + HOUR_MS })];
    await log.appendOnce(0, [a, b]);
    await log.markOnce(0, [{ ...a, mark: 'seen' }]);
    const asked = [a, { ...a, id: 'never' }, b, { ...a, bucketMs: b.bucketMs }];
    expect(await log.remembers(0, asked)).to.deep.equal([true, false, true, false]);
    expect(await log.remembers(1, [a])).to.deep.equal([false]);
    expect(await log.remembers(0, [])).to.deep.equal([]);
  });
}
