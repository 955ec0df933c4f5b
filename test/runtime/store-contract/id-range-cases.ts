import { expect } from 'chai';
import type { IdRange, StateStore } from '#runtime/ports/store';
import { document, freshlyPrepared, saveOne } from './documents.ts';
import type { DeclareTest } from './fixture.ts';

function idsBetween(store: StateStore, kind: string, range: Partial<IdRange>): Promise<string[]> {
  return store.idsBetween(kind, { after: '', limit: 1_000, ...range });
}

/** As UTF-8 sorts, which JavaScript does not. */
function inOrder(ids: readonly string[]): string[] {
  return [...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

export function idRangeCases(it: DeclareTest): void {
  it('finds what lies between two ids, neither of them included, in order', async ({ store }) => {
    const kind = await freshlyPrepared(store);
    await store.save(['d', 'b', 'a', 'c', 'e'].map((id) => document(kind, id)));
    const ranges: readonly [Partial<IdRange>, string][] = [
      [{}, 'abcde'],
      [{ after: 'a', below: 'd' }, 'bc'],
      [{ below: 'c' }, 'ab'],
      [{ after: 'c' }, 'de'],
      [{ after: 'bb', below: 'dd' }, 'cd'],
      [{ after: 'b', below: 'c' }, ''],
      [{ after: 'c', below: 'c' }, ''],
      [{ after: 'd', below: 'b' }, ''],
      [{ after: 'e' }, ''],
      [{ limit: 2 }, 'ab'],
      [{ after: 'a', below: 'e', limit: 1 }, 'b'],
      [{ limit: 0 }, ''],
    ];
    for (const [ids, expected] of ranges) {
      expect((await idsBetween(store, kind, ids)).join(''), JSON.stringify(ids)).to.equal(expected);
    }
  });

  it('finds what begins alike, and not what another kind has', async ({ store }) => {
    const kind = await freshlyPrepared(store, 'name');
    const others = [`${kind}0`, `${kind}-`];
    await store.prepare(others.map((other) => ({ kind: other, indexes: [] })));
    await store.save(others.map((other) => document(other, 'dsp:live:5')));
    const ids = [
      'dsp',
      'dsp:live',
      'dsp:live-2:1',
      'dsp:live.2:1',
      'dsp:live:',
      'dsp:live:1',
      'dsp:live:10',
      'dsp:live:2',
    ];
    await store.save([...ids, 'dsp:live;', 'dsp:liveö:1', 'dsq:live:1'].map((id) => document(kind, id)));
    expect(await idsBetween(store, kind, { after: 'dsp:live:', below: 'dsp:live;' })).to.deep.equal([
      'dsp:live:1',
      'dsp:live:10',
      'dsp:live:2',
    ]);
    expect(await idsBetween(store, kind, { after: 'dsp:live;', limit: 1 })).to.deep.equal(['dsp:liveö:1']);
  });

  it('sorts all characters by their code points, in ids short and long', async ({ store }) => {
    const kind = await freshlyPrepared(store);
    const odd = [
      ...' !"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~',
      'é',
      'ß',
      '中',
      '\ud7ff',
      '\ue000',
      '～',
      '\uffee',
      '😀',
      '🛰',
    ];
    const long = (character: string) => `${'x'.repeat(200)}${character}${'y'.repeat(200)}`;
    const ids = odd.flatMap((one) => [one, `a${one}`, `a${one}b`, long(one)]);
    await store.save([...new Set(ids)].map((id) => document(kind, id)));
    const sorted = inOrder([...new Set(ids)]);
    expect(await idsBetween(store, kind, {})).to.deep.equal(sorted);
    for (const after of ['a\uffee', 'a~', '😀', long('～'), 'x'.repeat(200), 'a#']) {
      const below = long('😀');
      const expected = sorted.filter(
        (id) => inOrder([after, id])[1] === id && id !== after && inOrder([id, below])[0] === id,
      );
      const found = await idsBetween(store, kind, { after, below });
      expect(found, after).to.deep.equal(expected.filter((id) => id !== below));
    }
  });

  it('answers ids of others right where one is too long for a place among them', async ({ store }) => {
    const kind = await freshlyPrepared(store);
    await store.save(['"', '#', '#a', '$', 'z', `#${'n'.repeat(900)}`].map((id) => document(kind, id)));
    const found = await idsBetween(store, kind, {});
    expect(found.filter((id) => id.length < 500)).to.deep.equal(['"', '#', '#a', '$', 'z']);
    expect(await idsBetween(store, kind, { after: '#z', below: 'z' })).to.deep.equal(['$']);
  });

  it('leaves out tombstones and what was purged, and counts neither against the limit', async ({ store, other }) => {
    const kind = await freshlyPrepared(store, 'name');
    const ids = Array.from({ length: 9 }, (_, index) => `t${index}`);
    await store.save(ids.map((id) => document(kind, id)));
    await store.save(['t0', 't2', 't3'].map((id) => document(kind, id, { version: 2, deleted: true, state: null })));
    await other.purge(kind, [{ id: 't5', version: 1 }]);
    expect(await idsBetween(store, kind, { limit: 4 })).to.deep.equal(['t1', 't4', 't6', 't7']);
    expect(await idsBetween(other, kind, { after: 't7' })).to.deep.equal(['t8']);
    await saveOne(store, document(kind, 't2', { version: 3 }));
    await saveOne(store, document(kind, 't5', { writer: 'anew' }));
    expect(await idsBetween(other, kind, { limit: 4 })).to.deep.equal(['t1', 't2', 't4', 't5']);
  });

  it('reads what was acknowledged last', async ({ store, other }) => {
    const kind = await freshlyPrepared(store);
    for (let version = 1; version <= 20; version += 1) {
      const gone = version % 2 === 0 ? { deleted: true, state: null } : {};
      await store.save([document(kind, 'comes and goes', { version, ...gone }), document(kind, `once-${version}`)]);
      expect(await idsBetween(other, kind, { after: 'once' })).to.have.lengthOf(version);
      expect(await idsBetween(other, kind, { below: 'once' })).to.have.lengthOf(version % 2);
    }
  });

  it('comes page by page to all that stood before, once and in order, while others are written', async ({
    store,
    other,
  }) => {
    const kind = await freshlyPrepared(store);
    const idOf = (number: number) => `p${String(number).padStart(5, '0')}`;
    const standing = Array.from({ length: 400 }, (_, index) => idOf(index * 10));
    await store.save(standing.map((id) => document(kind, id)));
    const seen: string[] = [];
    let writing: Promise<unknown> = Promise.resolve();
    for (let after = '', round = 1; ; round += 1) {
      const found = await idsBetween(store, kind, { after, limit: 23 });
      seen.push(...found);
      if (found.length < 23) break;
      after = found.at(-1)!;
      const between = [1, 2_001, 3_991].map((number) => document(kind, idOf(number + round)));
      const again = document(kind, standing[round * 15]!, { version: 2 });
      writing = Promise.all([writing, other.save([...between, again])]);
    }
    await writing;
    expect(seen).to.deep.equal(inOrder([...new Set(seen)]));
    expect(seen).to.include.members(standing);
  });

  it('answers nothing for a kind that was never saved', async ({ store }) => {
    expect(await idsBetween(store, await freshlyPrepared(store), {})).to.deep.equal([]);
    expect(await idsBetween(store, 'never-prepared', { after: 'a', below: 'b' })).to.deep.equal([]);
  });
}
