import { expect } from 'chai';
import { collect, document, freshlyPrepared, loadOne, saveOne } from './documents.ts';
import type { DeclareTest } from './fixture.ts';

export function purgeCases(it: DeclareTest): void {
  it('finds documents by name and version, in order, as many as are wanted', async ({ store }) => {
    const kind = await freshlyPrepared(store, 'day');
    const days = ['2026-03-01', '2026-01-01', '2026-02-01', '2026-04-01'];
    await store.save(days.map((day) => document(kind, `"${day}\\ö`, { state: { day, rest: ['x'] } })));
    await saveOne(store, document(kind, '"2026-02-01\\ö', { version: 2, state: { day: '2026-02-01' } }));
    const where = { day: { lt: '2026-04-01' } };
    expect(await store.find(kind, { where, orderBy: 'day', limit: 2 })).to.deep.equal([
      { id: '"2026-01-01\\ö', version: 1 },
      { id: '"2026-02-01\\ö', version: 2 },
    ]);
    expect(await store.find(kind, { where, limit: 9 })).to.have.lengthOf(3);
    expect(await store.find(kind, { where, limit: 0 })).to.deep.equal([]);
  });

  it('deletes what has the version that was found, and nothing else', async ({ store, other }) => {
    const kind = await freshlyPrepared(store, 'day');
    const named = ['a', 'b', 'c', 'd'];
    await store.save(named.map((id) => document(kind, id, { state: { day: '2026-01-01' } })));
    const found = await store.find(kind, { where: { day: '2026-01-01' }, limit: 3 });
    await saveOne(other, document(kind, 'b', { version: 2, state: { day: '2026-01-02' } }));

    expect(await store.purge(kind, [...found, { id: 'never there', version: 1 }])).to.equal(2);
    expect(await store.purge(kind, found), 'again').to.equal(0);
    expect(await loadOne(other, kind, 'a')).to.equal(null);
    expect((await loadOne(other, kind, 'b'))?.version).to.equal(2);
    expect((await store.query(kind, { orderBy: 'id' })).documents.map(({ id }) => id)).to.deep.equal(['b', 'd']);
    expect((await collect(store.scan(kind))).map(({ id }) => id).sort()).to.deep.equal(['b', 'd']);
    expect([...(await store.countBy(kind, 'day'))]).to.have.deep.members([
      ['2026-01-01', 1],
      ['2026-01-02', 1],
    ]);
  });

  it('lets a purged actor begin anew, and refuses what was meant for the old one', async ({ store, other }) => {
    const kind = await freshlyPrepared(store);
    await saveOne(store, document(kind, 'a'));
    await saveOne(store, document(kind, 'a', { version: 2 }));
    expect(await store.purge(kind, [{ id: 'a', version: 2 }])).to.equal(1);
    expect(await saveOne(other, document(kind, 'a', { version: 3 }))).to.equal('conflict');
    expect(await saveOne(other, document(kind, 'a', { writer: 'anew' }))).to.equal('saved');
    expect((await loadOne(store, kind, 'a'))?.writer).to.equal('anew');
  });

  it('decides between a save and a purge of the same version for one of them', async ({ store, other }) => {
    const kind = await freshlyPrepared(store);
    const ids = Array.from({ length: 40 }, (_, index) => `r${index}`);
    await store.save(ids.map((id) => document(kind, id)));
    const [purged, outcomes] = await Promise.all([
      store.purge(
        kind,
        ids.map((id) => ({ id, version: 1 })),
      ),
      other.save(ids.map((id) => document(kind, id, { version: 2 }))),
    ]);
    const saved = outcomes.filter((outcome) => outcome === 'saved').length;
    expect(purged + saved).to.equal(ids.length);
    expect((await store.query(kind, {})).total).to.equal(saved);
  });

  it('finds tombstones that are old enough, and no living document', async ({ store }) => {
    const kind = await freshlyPrepared(store, 'day');
    const gone = { deleted: true, state: null };
    await store.save([
      document(kind, 'old', { ...gone, position: '1795250000000-3' }),
      document(kind, 'young', { ...gone, position: '1795250000001-0' }),
      document(kind, 'living', { position: '1795240000000-0', state: { day: '2026-01-01' } }),
    ]);
    const tombstones = await store.tombstones(kind, '1795250000001-0', 5);
    expect(tombstones).to.deep.equal([{ id: 'old', version: 1 }]);
    expect(await store.find(kind, { where: {}, limit: 5 })).to.deep.equal([{ id: 'living', version: 1 }]);
    expect(await store.purge(kind, tombstones)).to.equal(1);
    expect(await loadOne(store, kind, 'old')).to.equal(null);
    expect(await loadOne(store, kind, 'young')).not.to.equal(null);
  });
}
