import { expect } from 'chai';
import fc from 'fast-check';
import type { Condition, Query } from '#runtime/ports/store';
import type { Embedded } from '#runtime/providers/embedded/open-embedded';
import { answerQuery, countValues } from '#runtime/simulator/query';
import { document } from '../../store-contract/documents.ts';
import { type DataFolder, freshDataFolder } from './data-folder.ts';

const scalar = fc.constantFrom<string | number | boolean | null>('a', 'b', '2', '', 0, 1, 2, -1.5, true, false, null);
const someState = fc.record(
  {
    color: scalar,
    rank: fc.constantFrom<string | number | null>('a', 'b', 'B', '10', 9, 10, -1, null),
    size: fc.oneof(
      scalar,
      fc.array(fc.oneof(scalar, fc.constantFrom([], [1], {})), { maxLength: 3 }),
      fc.constant({ id: 1 }),
    ),
    owner: fc.oneof(
      fc.record({ id: scalar }, { requiredKeys: [] }),
      fc.array(fc.record({ id: scalar }), { maxLength: 3 }),
    ),
  },
  { requiredKeys: [] },
);
const path = fc.constantFrom('color', 'rank', 'size', 'owner.id', 'nowhere.at.all');
const named = fc.constantFrom<string | number | null>('a', 'b', '2', 0, 1, 2, null);
const condition: fc.Arbitrary<Condition> = fc.oneof(
  scalar,
  fc.record({ in: fc.array(named, { maxLength: 3 }) }),
  fc.record({ not: scalar }),
  fc.record({ contains: fc.constantFrom('a', 'B', '.', '') }),
  fc.record({ gte: fc.constantFrom<string | number>(0, 1, 'a') }),
  fc.record({ gte: fc.constantFrom(-2, 0), lt: fc.constantFrom(1, 2) }),
  fc.record({ gte: fc.constantFrom('', '10', 'b'), lt: fc.constantFrom('2', 'a', 'b') }),
  fc.record({ lt: fc.constantFrom<string | number>(10, 'b') }),
);
const someQuery: fc.Arbitrary<Query> = fc.record(
  {
    where: fc.dictionary(path, condition, { maxKeys: 2 }),
    orderBy: fc.constantFrom('id', 'rank'),
    descending: fc.boolean(),
    skip: fc.nat(5),
    limit: fc.nat(10),
  },
  { requiredKeys: [] },
);

/** In an order that says nothing. */
function sorted(counts: ReadonlyMap<unknown, number>): string[] {
  return [...counts].map((count) => JSON.stringify(count)).sort();
}

describe('queries of the embedded store', () => {
  let data: DataFolder;
  let opened: Embedded;
  let kinds = 0;
  before(async () => {
    data = await freshDataFolder();
    opened = await data.open();
  });
  after(async () => {
    await opened.close();
    await data.remove();
  });

  it('find what looking at every document finds, in the same order, before and after changes', async () => {
    const { store } = opened;
    await fc.assert(
      fc.asyncProperty(
        fc.array(someState, { maxLength: 12 }),
        fc.array(fc.tuple(fc.nat(11), fc.option(someState)), { maxLength: 6 }),
        fc.subarray(['color', 'rank', 'size', 'owner.id']),
        fc.array(someQuery, { minLength: 1, maxLength: 4 }),
        async (states, changes, indexes, queries) => {
          const kind = `thing-${kinds++}`;
          await store.prepare([{ kind, indexes }]);
          const stands = new Map(states.map((state, at) => [`id-${at}`, document(kind, `id-${at}`, { state })]));
          const agree = async () => {
            for (const query of queries) {
              const naive = answerQuery([...stands.values()], query);
              expect(await store.query(kind, query)).to.deep.equal(naive);
              for (const counted of ['color', 'rank']) {
                const counts = await store.countBy(kind, counted, query.where);
                expect(sorted(counts)).to.deep.equal(sorted(countValues([...stands.values()], counted, query.where)));
              }
            }
          };
          await store.save([...stands.values()]);
          await agree();
          for (const [at, state] of changes) {
            const id = `id-${at}`;
            const version = (stands.get(id)?.version ?? 0) + 1;
            const next = document(kind, id, { state, version, deleted: state === null });
            expect(await store.save([next])).to.deep.equal(['saved']);
            stands.set(id, next);
            await agree();
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('use an index that was added to documents saved long before, while more are saved', async () => {
    const { store } = opened;
    const saved = Array.from({ length: 2500 }, (_, at) =>
      document('late', `d${at}`, { state: { group: at % 10, size: at } }),
    );
    await store.save(saved);
    const preparing = store.prepare([{ kind: 'late', indexes: ['group', 'size'] }]);
    const meanwhile = saved
      .slice(0, 500)
      .map((one) => ({ ...one, version: 2, writer: 'w2', state: { group: 'moved', size: -1 } }));
    const saving = store.save(meanwhile);
    const [, , during] = await Promise.all([preparing, saving, store.query('late', { where: { group: 3 }, limit: 0 })]);
    expect(during.total).to.be.within(200, 250);
    await opened.close();
    opened = await data.open();
    await opened.store.prepare([{ kind: 'late', indexes: ['group', 'size'] }]);
    expect((await opened.store.query('late', { where: { group: 3 } })).total).to.equal(200);
    expect((await opened.store.query('late', { where: { group: 'moved' }, limit: 1 })).total).to.equal(500);
    const page = await opened.store.query('late', { orderBy: 'size', descending: true, limit: 3 });
    expect(page.documents.map((one) => one.id)).to.deep.equal(['d2499', 'd2498', 'd2497']);
  });

  it('miss no save that becomes durable while the first of them reads the kind', async () => {
    const { store } = opened;
    const saved = Array.from({ length: 3000 }, (_, at) => document('filling', `d${at}`, { state: { flag: false } }));
    await store.save(saved);
    const first = store.query('filling', { where: { flag: true } });
    await store.save(saved.map((one) => ({ ...one, version: 2, writer: 'w2', state: { flag: true } })));
    await first;
    expect((await store.query('filling', { where: { flag: true }, limit: 0 })).total).to.equal(3000);
    expect((await store.query('filling', { where: { flag: false }, limit: 0 })).total).to.equal(0);
  });

  it('take ids that no database key could hold', async () => {
    const { store } = opened;
    const ids = ['x'.repeat(5000), `${'x'.repeat(5000)}y`, 'with\0null', '#sha256:abc', ''];
    const documents = ids.map((id) => document('odd-ids', id, { state: { id } }));
    expect(await store.save(documents)).to.deep.equal(ids.map(() => 'saved'));
    expect(await store.load(ids.map((id) => ({ kind: 'odd-ids', id })))).to.deep.equal(documents);
    expect((await store.query('odd-ids', {})).total).to.equal(ids.length);
  });

  it('let others run while many documents are read', async () => {
    const { store } = opened;
    const saved = Array.from({ length: 2000 }, (_, at) => document('many', `d${String(at).padStart(4, '0')}`));
    await store.save(saved);
    await store.query('many', { limit: 0 });
    for (const read of [() => store.query('many', {}).then((result) => result.documents), () => store.load(saved)]) {
      let turns = 0;
      let reading = true;
      const others = (async () => {
        for (; reading; turns++) await new Promise(setImmediate);
      })();
      expect(await read()).to.deep.equal(saved);
      reading = false;
      await others;
      expect(turns).to.be.at.least(9);
    }
  });
});
