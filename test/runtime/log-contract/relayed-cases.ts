import { expect } from 'chai';
import { LogUnavailable } from '#runtime/ports/errors';
import type { LogProvider } from '#runtime/ports/log-provider';
import { positionTimeMs, START } from '#runtime/ports/position';
import type { RelayedEntry } from '#runtime/ports/relayed';
import { type DeclareTest, required } from './harness.ts';
import { payloadsOf } from './reading.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const SOURCE = 'iad#one';

async function logTimeMs({ log }: LogProvider): Promise<number> {
  return positionTimeMs((await log.append(log.partitions - 1, ['what time is it?']))[0]!);
}

/** An entry at position `<at>-0` of its source. */
function entry(at: number, id: string, nowMs: number, changes: Partial<RelayedEntry> = {}): RelayedEntry {
  return {
    from: `${at}-0`,
    isOwn: true,
    id,
    bucketMs: Math.floor(nowMs / HOUR_MS) * HOUR_MS,
    expiresAtMs: nowMs + HOUR_MS,
    payload: `of ${id}`,
    ...changes,
  };
}

export function relayedCases(it: DeclareTest): void {
  it('has one name until its data are lost', async ({ provider, connect }) => {
    const name = await provider.relayed.identity();
    expect(name).to.match(/^[0-9a-z]+-/);
    expect(await provider.relayed.identity()).to.equal(name);
    const other = await connect?.();
    if (other) expect(await other.relayed.identity()).to.equal(name);
    await other?.close();
  });

  it('takes entries for data of its name alone, but in a cluster', async ({ provider, isCluster }, test) => {
    if (isCluster) test.skip();
    const { log, relayed } = provider;
    const nowMs = await logTimeMs(provider);
    const once = (id: string) => ({ ...entry(1, id, nowMs), noteBefore: 0 });
    const refusal = () => log.appendOnce(0, [once('a')], 'another').catch((error: Error) => error);
    expect(await refusal(), 'they have no name').to.be.instanceOf(LogUnavailable);
    const name = await relayed.identity();
    expect(await log.appendOnce(0, [once('a')], name)).to.deep.equal(['appended']);
    expect(await refusal()).to.be.instanceOf(LogUnavailable);
    expect(await log.appendOnce(0, [once('b')])).to.deep.equal(['appended']);
    expect(await payloadsOf(log, 0)).to.deep.equal(['of a', 'of b']);
  });

  it('takes each entry once, however often and in whatever pieces it is sent', async ({ provider }) => {
    const { relayed, log } = provider;
    const nowMs = await logTimeMs(provider);
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id, index) => entry(index + 1, id, nowMs));
    expect(await relayed.appendRelayed(0, SOURCE, { after: START, entries: [a!, b!], throughMs: 0 })).to.equal('2-0');
    expect(await relayed.appendRelayed(0, SOURCE, { after: START, entries: [a!, b!, c!], throughMs: 0 })).to.equal(
      '3-0',
    );
    expect(await relayed.appendRelayed(0, SOURCE, { after: '1-0', entries: [b!, c!, d!], throughMs: 0 })).to.equal(
      '4-0',
    );
    expect(await relayed.appendRelayed(0, SOURCE, { after: START, entries: [a!], throughMs: 0 })).to.equal('4-0');
    expect(await payloadsOf(log, 0)).to.deep.equal(['of a', 'of b', 'of c', 'of d']);
  });

  it('changes nothing where entries are missing before the batch', async ({ provider }) => {
    const { relayed, log } = provider;
    const nowMs = await logTimeMs(provider);
    await relayed.appendRelayed(0, SOURCE, { after: START, entries: [entry(1, 'a', nowMs)], throughMs: 5 });
    const later = { after: '2-0', entries: [entry(3, 'c', nowMs)], throughMs: 9 };
    expect(await relayed.appendRelayed(0, SOURCE, later)).to.equal('1-0');
    expect(await relayed.sources(0)).to.deep.equal([
      { source: SOURCE, position: '1-0', throughMs: 5, writtenOff: null },
    ]);
    expect(await payloadsOf(log, 0)).to.deep.equal(['of a']);
  });

  it('compares positions as numbers', async ({ provider }) => {
    const { relayed, log } = provider;
    const nowMs = await logTimeMs(provider);
    const entries = ['9-9', '9-10', '10-0'].map((from) => entry(0, from, nowMs, { from }));
    expect(await relayed.appendRelayed(0, SOURCE, { after: START, entries, throughMs: 0 })).to.equal('10-0');
    expect(await relayed.appendRelayed(0, SOURCE, { after: '9-10', entries, throughMs: 0 })).to.equal('10-0');
    expect(await payloadsOf(log, 0)).to.deep.equal(['of 9-9', 'of 9-10', 'of 10-0']);
  });

  it('has each source and each partition by itself', async ({ provider }) => {
    const { relayed, log } = provider;
    const nowMs = await logTimeMs(provider);
    await relayed.appendRelayed(0, SOURCE, { after: START, entries: [entry(7, 'a', nowMs)], throughMs: 0 });
    await relayed.appendRelayed(0, 'sin#two', { after: START, entries: [entry(1, 'b', nowMs)], throughMs: 3 });
    await relayed.appendRelayed(1, SOURCE, { after: START, entries: [], throughMs: 0 });
    expect(await payloadsOf(log, 0)).to.deep.equal(['of a', 'of b']);
    const positions = (await relayed.sources(0)).map(({ source, position }) => `${source} ${position}`).sort();
    expect(positions).to.deep.equal([`${SOURCE} 7-0`, 'sin#two 1-0']);
    expect((await relayed.sources(1)).map(({ position }) => position)).to.deep.equal([START]);
    expect(await relayed.sources(2)).to.deep.equal([]);
  });

  it('raises the time to which a source is drained, and never lowers it', async ({ provider: { relayed } }) => {
    const throughs: number[] = [];
    for (const throughMs of [1_000.7, 3_000, 2_000]) {
      await relayed.appendRelayed(0, SOURCE, { after: START, entries: [], throughMs });
      throughs.push((await relayed.sources(0))[0]!.throughMs);
    }
    expect(throughs).to.deep.equal([1_000, 3_000, 3_000]);
  });

  it('knows ids of its own appends, and its own appends know relayed ids', async ({ provider }) => {
    const { relayed, log } = provider;
    const nowMs = await logTimeMs(provider);
    await log.appendOnce(0, [entry(0, 'here first', nowMs)]);
    const entries = [entry(1, 'here first', nowMs), entry(2, 'there first', nowMs), entry(3, 'there first', nowMs)];
    expect(await relayed.appendRelayed(0, SOURCE, { after: START, entries, throughMs: 0 })).to.equal('3-0');
    expect(await log.appendOnce(0, [entry(0, 'there first', nowMs)])).to.deep.equal(['repeated']);
    expect(await log.remembers(0, [entry(0, 'there first', nowMs)])).to.deep.equal([true]);
    const mark = { ...entry(0, 'there first', nowMs), mark: 'seen' };
    expect(await log.markOnce(0, [mark])).to.deep.equal(['marked']);
    expect(await payloadsOf(log, 0)).to.deep.equal(['of here first', 'of there first']);
  });

  it('adds the note of a provisional entry, wherever that came from', async ({ provider }) => {
    const { relayed, log } = provider;
    const nowMs = await logTimeMs(provider);
    const provisional = { payload: '[?]', provisional: ' noted' };
    const final = { payload: '[!]', noteBefore: 1 };
    await log.appendOnce(0, [entry(0, 'a', nowMs, provisional)]);
    const entries = [
      entry(1, 'a', nowMs, provisional),
      entry(2, 'a', nowMs, final),
      entry(3, 'b', nowMs, provisional),
      entry(4, 'b', nowMs, final),
      entry(5, 'b', nowMs, provisional),
    ];
    await relayed.appendRelayed(0, SOURCE, { after: START, entries, throughMs: 0 });
    expect(await payloadsOf(log, 0)).to.deep.equal(['[?]', '[! noted]', '[?]', '[! noted]']);
  });

  it('takes own entries late, and parks what nobody can know to be new', async ({ provider }) => {
    const { relayed, log } = provider;
    const nowMs = await logTimeMs(provider);
    const sold = (agoMs: number, changes: Partial<RelayedEntry> = {}) => ({
      bucketMs: Math.floor((nowMs - agoMs) / HOUR_MS) * HOUR_MS,
      expiresAtMs: nowMs - agoMs + HOUR_MS,
      ...changes,
    });
    const entries = [
      entry(1, 'own, late', nowMs, sold(7 * DAY_MS)),
      entry(2, 'own, far too late', nowMs, sold(9 * DAY_MS)),
      entry(3, 'foreign, late', nowMs, sold(3 * HOUR_MS, { isOwn: false })),
      entry(4, 'foreign, expired', nowMs, sold(1.5 * HOUR_MS, { isOwn: false })),
    ];
    expect(await relayed.appendRelayed(0, SOURCE, { after: START, entries, throughMs: 0 })).to.equal('4-0');
    expect(await payloadsOf(log, 0)).to.deep.equal(['of own, late', 'of foreign, expired']);
    expect(await relayed.tooLate(0, 10)).to.deep.equal([
      { source: SOURCE, from: '2-0', payload: 'of own, far too late' },
      { source: SOURCE, from: '3-0', payload: 'of foreign, late' },
    ]);
    expect(await relayed.tooLate(0, 1)).to.have.lengthOf(1);
    expect(await relayed.tooLate(1, 10)).to.deep.equal([]);
  });

  it('remembers a foreign id until its seller has come, days later', async ({ provider }) => {
    const { relayed, log } = provider;
    const nowMs = await logTimeMs(provider);
    // In time by a moment when it came from elsewhere, and long forgotten by the memory of an hour when the seller
    // comes.
    const sale = { bucketMs: Math.floor(nowMs / HOUR_MS) * HOUR_MS - 2 * HOUR_MS, expiresAtMs: nowMs - HOUR_MS + 500 };
    const elsewhere = entry(1, 'a', nowMs, { ...sale, isOwn: false });
    await relayed.appendRelayed(0, 'sin#two', { after: START, entries: [elsewhere], throughMs: 0 });
    while ((await log.tail(0)).nowMs < nowMs + 1_000) await new Promise((resolve) => setTimeout(resolve, 100));
    await relayed.appendRelayed(0, SOURCE, { after: START, entries: [entry(1, 'a', nowMs, sale)], throughMs: 0 });
    expect(await payloadsOf(log, 0)).to.deep.equal(['of a']);
  });

  it('remembers a foreign id that came here directly, where there are sources that may bring it', async ({
    provider,
  }) => {
    const { relayed, log } = provider;
    const nowMs = await logTimeMs(provider);
    const sale = { bucketMs: Math.floor(nowMs / HOUR_MS) * HOUR_MS, expiresAtMs: nowMs + 500 };
    await relayed.appendRelayed(0, SOURCE, { after: START, entries: [], throughMs: 0 });
    const note = { provisional: ' noted', payload: '[?]' };
    const direct = { ...entry(0, 'a', nowMs, sale), isForeign: true as const, payload: '[!]', noteBefore: 1 };
    await log.appendOnce(0, [{ ...direct, ...note }]);
    expect(await log.appendOnce(0, [direct, direct])).to.deep.equal(['appended', 'repeated']);
    const batch = { after: START, entries: [entry(1, 'a', nowMs, sale)], throughMs: 0 };
    expect(await relayed.appendRelayed(0, SOURCE, batch)).to.equal('1-0');
    expect(await payloadsOf(log, 0)).to.deep.equal(['[?]', '[! noted]']);
  });

  it('parks what comes of a source that was written off', async ({ provider }) => {
    const { relayed, log } = provider;
    const nowMs = await logTimeMs(provider);
    await relayed.appendRelayed(0, SOURCE, { after: START, entries: [entry(1, 'a', nowMs)], throughMs: 0 });
    await relayed.writeOff(0, SOURCE, 'the data centre burnt down');
    await relayed.writeOff(0, SOURCE, 'once more');
    const batch = { after: START, entries: [entry(1, 'a', nowMs), entry(2, 'b', nowMs)], throughMs: 0 };
    expect(await relayed.appendRelayed(0, SOURCE, batch)).to.equal('2-0');
    expect(await relayed.appendRelayed(0, SOURCE, batch)).to.equal('2-0');
    await relayed.appendRelayed(0, 'iad#anew', { after: START, entries: [entry(1, 'c', nowMs)], throughMs: 0 });
    expect(await payloadsOf(log, 0)).to.deep.equal(['of a', 'of c']);
    expect(await relayed.tooLate(0, 10)).to.deep.equal([{ source: SOURCE, from: '2-0', payload: 'of b' }]);
    const whys = (await relayed.sources(0)).map(({ source, writtenOff }) => [source, writtenOff]).sort();
    expect(whys).to.deep.equal([
      ['iad#anew', null],
      [SOURCE, 'the data centre burnt down'],
    ]);
  });

  it('keeps what it has of a source when it is closed and opened again', async (harness, test) => {
    const { provider } = harness;
    const reopen = required(harness, 'reopen', test);
    const nowMs = await logTimeMs(provider);
    const batch = { after: START, entries: [entry(1, 'a', nowMs)], throughMs: 7 };
    await provider.relayed.appendRelayed(0, SOURCE, batch);
    await provider.relayed.writeOff(1, SOURCE, 'gone');
    await provider.relayed.appendRelayed(1, SOURCE, batch);
    const name = await provider.relayed.identity();
    const again = await reopen();
    try {
      expect(await again.relayed.identity()).to.equal(name);
      expect(await again.relayed.sources(0)).to.deep.equal([
        { source: SOURCE, position: '1-0', throughMs: 7, writtenOff: null },
      ]);
      expect((await again.relayed.sources(1))[0]!.writtenOff).to.equal('gone');
      expect(await again.relayed.appendRelayed(0, SOURCE, batch)).to.equal('1-0');
      expect(await payloadsOf(again.log, 0)).to.deep.equal(['of a']);
      expect(await again.relayed.tooLate(1, 10)).to.have.lengthOf(1);
    } finally {
      await again.close();
    }
  });
}
