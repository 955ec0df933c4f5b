import { expect } from 'chai';
import { collect, document, freshlyPrepared, loadOne, saveOne } from './documents.ts';
import type { DeclareTest } from './fixture.ts';

export function saveCases(it: DeclareTest): void {
  it('writes only over the version before', async ({ store }) => {
    const kind = await freshlyPrepared(store);
    const first = document(kind, 'a');
    const second = document(kind, 'a', { version: 2, state: { name: 'second' } });
    expect(await saveOne(store, second), 'nothing stands there yet').to.equal('conflict');
    expect(await loadOne(store, kind, 'a')).to.equal(null);
    expect(await saveOne(store, first)).to.equal('saved');
    expect(await saveOne(store, { ...second, version: 3 }), 'a hole').to.equal('conflict');
    expect(await saveOne(store, second)).to.equal('saved');
    expect(await saveOne(store, { ...first, writer: 'late' }), 'an insert that comes late').to.equal('conflict');
    expect(await saveOne(store, { ...second, writer: 'late' }), 'an update that comes late').to.equal('conflict');
    expect(await loadOne(store, kind, 'a')).to.deep.equal(second);
  });

  it('knows its own save when that is repeated', async ({ store }) => {
    const kind = await freshlyPrepared(store);
    const first = document(kind, 'a', { writer: 'mine-1' });
    const second = document(kind, 'a', { version: 2, writer: 'mine-2' });
    for (const one of [first, first, second, second]) expect(await saveOne(store, one)).to.equal('saved');
    expect(await saveOne(store, first), 'overwritten since').to.equal('conflict');
    expect(await loadOne(store, kind, 'a')).to.deep.equal(second);
  });

  it('reports each outcome of a batch in its place', async ({ store }) => {
    const [one, two] = [await freshlyPrepared(store), await freshlyPrepared(store)];
    await store.save([document(one, 'stands'), document(one, 'next'), document(two, 'next')]);
    const outcomes = await store.save([
      document(one, 'new'),
      document(one, 'stands', { writer: 'another' }),
      document(two, 'next', { version: 2 }),
      document(two, 'absent', { version: 2 }),
      document(one, 'next', { version: 3 }),
      document(two, 'new'),
      document(one, 'stands', { version: 2 }),
      document(one, 'next', { writer: 'writer-next-1' }),
    ]);
    expect(outcomes).to.deep.equal(['saved', 'conflict', 'saved', 'conflict', 'conflict', 'saved', 'saved', 'saved']);
    expect(await store.save([])).to.deep.equal([]);
  });

  it('says of what can never be stored that it is so, and saves the rest of its batch', async ({ store }) => {
    const kind = await freshlyPrepared(store, 'name');
    const endless: Record<string, unknown> = { name: 'endless' };
    endless.itself = endless;
    // In parts, as a state that has grown: some stores count characters of one string, others bytes of the whole.
    const pages = Array.from({ length: 17 }, (_, page) => `${page}`.repeat(600_000).slice(0, 1_048_576));
    const large = (pagesKept: number) => ({ name: 'large', pages: pages.slice(0, pagesKept) });
    await store.save([document(kind, 'grown', { state: large(12) })]);
    const outcomes = await store.save([
      document(kind, 'before'),
      document(kind, 'new', { state: { name: 'large', pages, more: pages } }),
      document(kind, 'endless', { state: endless }),
      document(kind, 'grown', { version: 2, state: { name: 'large', pages, more: pages } }),
      document(kind, 'after'),
    ]);
    expect(outcomes).to.deep.equal(['saved', 'unstorable', 'unstorable', 'unstorable', 'saved']);
    expect(await loadOne(store, kind, 'new')).to.equal(null);
    expect(await loadOne(store, kind, 'grown')).to.deep.equal(document(kind, 'grown', { state: large(12) }));
    expect((await store.query(kind, { where: { name: 'large' } })).total).to.equal(1);
    expect(await saveOne(store, document(kind, 'grown', { version: 2 })), 'smaller again').to.equal('saved');
    expect(await saveOne(store, document(kind, 'new'))).to.equal('saved');
  });

  it('lets one of two inserts win', async ({ store, other }) => {
    const kind = await freshlyPrepared(store);
    const writers = [store, other];
    for (let round = 0; round < 20; round += 1) {
      const id = `race-${round}`;
      const candidates = ['left', 'right'].map((writer) => document(kind, id, { writer, state: { writer } }));
      const outcomes = await Promise.all(candidates.map((one, side) => saveOne(writers[side]!, one)));
      expect([...outcomes].sort(), `round ${round}`).to.deep.equal(['conflict', 'saved']);
      const winner = candidates[outcomes.indexOf('saved')];
      expect(await loadOne(store, kind, id)).to.deep.equal(winner);
    }
  });

  it('lets exactly one writer win each version, in whatever order they come', async ({ store, other }) => {
    const kind = await freshlyPrepared(store);
    const writers = [store, other];
    await store.save([document(kind, 'hot')]);
    for (let version = 2; version <= 12; version += 1) {
      const candidates = Array.from({ length: 6 }, (_, index) =>
        document(kind, 'hot', { version, writer: `${version}-${index}`, state: { index } }),
      );
      const outcomes = await Promise.all(candidates.map((one, index) => saveOne(writers[index % 2]!, one)));
      expect(outcomes.filter((outcome) => outcome === 'saved').length, `version ${version}`).to.equal(1);
      expect(await loadOne(store, kind, 'hot')).to.deep.equal(candidates[outcomes.indexOf('saved')]);
    }
  });

  it('takes many saves at the same time and loses none', async ({ store }) => {
    const kind = await freshlyPrepared(store);
    const ids = Array.from({ length: 120 }, (_, index) => `many-${index}`);
    for (let version = 1; version <= 3; version += 1) {
      const outcomes = await Promise.all(
        ids.map((id, index) => saveOne(store, document(kind, id, { version, state: { version, index } }))),
      );
      expect(new Set(outcomes)).to.deep.equal(new Set(['saved']));
    }
    const loaded = await store.load(ids.map((id) => ({ kind, id })));
    expect(loaded.map((one) => one?.state)).to.deep.equal(ids.map((_, index) => ({ version: 3, index })));
  });

  it('takes a document as it is at the call', async ({ store }) => {
    const kind = await freshlyPrepared(store);
    const state = { count: 1, pages: [{ total: 1 }] };
    const received = { 'edge/1': { sequence: '1', atMs: 1 } };
    const saved = document(kind, 'a', { state, received });
    const asItWas = structuredClone(saved);
    const saving = saveOne(store, saved);
    state.count = 2;
    state.pages[0]!.total = 2;
    received['edge/1'].atMs = 2;
    expect(await saving).to.equal('saved');
    expect(await loadOne(store, kind, 'a')).to.deep.equal(asItWas);
  });

  it('shows a save at once to every later read', async ({ store, other }) => {
    const kind = await freshlyPrepared(store, 'step');
    const reader = other;
    for (let version = 1; version <= 15; version += 1) {
      await store.save([document(kind, 'a', { version, state: { step: version } })]);
      expect((await loadOne(reader, kind, 'a'))?.version).to.equal(version);
      expect((await reader.query(kind, { where: { step: version } })).total).to.equal(1);
      expect((await reader.query(kind, { where: { step: version - 1 } })).total).to.equal(0);
    }
  });

  it('keeps tombstones: loaded and scanned, but in no query', async ({ store }) => {
    const kind = await freshlyPrepared(store, 'name');
    await store.save([document(kind, 'gone'), document(kind, 'here')]);
    const tombstone = document(kind, 'gone', {
      version: 2,
      deleted: true,
      state: null,
      position: '1795250000009-0',
    });
    expect(await saveOne(store, tombstone)).to.equal('saved');
    expect(await loadOne(store, kind, 'gone')).to.deep.equal(tombstone);
    const listed = await store.query(kind, {});
    expect([listed.total, listed.documents.map((one) => one.id)]).to.deep.equal([1, ['here']]);
    expect((await store.query(kind, { where: { name: null } })).total).to.equal(0);
    expect((await collect(store.scan(kind))).map((one) => one.id).sort()).to.deep.equal(['gone', 'here']);
    const again = document(kind, 'gone', { version: 3, state: { name: 'again' } });
    expect(await saveOne(store, again)).to.equal('saved');
    expect((await store.query(kind, {})).total).to.equal(2);
  });
}
