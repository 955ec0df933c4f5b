import { expect } from 'chai';
import type { Condition, Query, StateStore } from '#runtime/ports/store';
import { collect, document, freshlyPrepared } from './documents.ts';
import type { DeclareTest } from './fixture.ts';

export function queryCases(it: DeclareTest): void {
  const sources: Readonly<Record<string, unknown>> = {
    a: { status: 'active', floor: 1.5, pool: 'p1', tags: ['news', 'sport'], owner: { id: 'o1' }, at: '2026-11-01' },
    b: { status: 'paused', floor: 2, pool: null, tags: [], owner: { id: 'o2' }, at: '2026-11-15', sandbox: true },
    c: { status: 'active', floor: 0, tags: ['sport'], owner: {}, at: '2026-12-01', sandbox: false },
    d: { status: 'archived', floor: 10, pool: 'p2', at: '2025-01-01', seats: [{ id: 's1' }, { id: 's2' }] },
    e: { status: 'active', floor: 2, pool: 'p1', tags: ['2'], 'odd.key': { $x: 1 }, seats: [{ id: 's2' }] },
  };

  let prepared: Promise<string> | undefined;
  /** The kind that holds the sources, made when the first test asks. */
  const sourcesIn = (store: StateStore): Promise<string> => {
    prepared ??= (async () => {
      const kind = await freshlyPrepared(store, 'status', 'floor', 'owner.id', 'tags', 'seats.id');
      await store.save(Object.entries(sources).map(([id, state]) => document(kind, id, { state })));
      return kind;
    })();
    return prepared;
  };

  const cases: readonly [string, Record<string, Condition>, string][] = [
    ['no condition', {}, 'abcde'],
    ['a string', { status: 'active' }, 'ace'],
    ['a number', { floor: 2 }, 'be'],
    ['zero', { floor: 0 }, 'c'],
    ['true', { sandbox: true }, 'b'],
    ['false, which absent is not', { sandbox: false }, 'c'],
    ['null, which absent is', { pool: null }, 'bc'],
    ['null below an absent field', { 'owner.id': null }, 'cde'],
    ['a path', { 'owner.id': 'o2' }, 'b'],
    ['several fields at once', { status: 'active', pool: 'p1', floor: 2 }, 'e'],
    ['a string is not a number', { floor: '2' }, ''],
    ['an element of an array', { tags: 'sport' }, 'ac'],
    ['an array, and a string is not a number', { tags: 2 }, ''],
    ['a field of objects in an array', { 'seats.id': 's2' }, 'de'],
    ['in', { status: { in: ['paused', 'archived', 'unknown'] } }, 'bd'],
    ['in, on an array', { tags: { in: ['news', '2'] } }, 'ae'],
    ['in, with null', { pool: { in: ['p2', null] } }, 'bcd'],
    ['in, of numbers', { floor: { in: [0, 10] } }, 'cd'],
    ['in, of nothing', { status: { in: [] } }, ''],
    ['gte', { floor: { gte: 2 } }, 'bde'],
    ['lt', { floor: { lt: 2 } }, 'ac'],
    ['gte and lt', { floor: { gte: 1.5, lt: 10 } }, 'abe'],
    ['a range of dates; absent is in none', { at: { gte: '2026-11-01', lt: '2026-12-01' } }, 'ab'],
    ['a range of the other type', { floor: { gte: '0' } }, ''],
    ['not', { status: { not: 'active' } }, 'bd'],
    ['not, which absent is too', { pool: { not: 'p1' } }, 'bcd'],
    ['not null', { pool: { not: null } }, 'ade'],
    ['not, on an array: no element is', { tags: { not: 'sport' } }, 'bde'],
    ['null, which an empty array is not', { tags: null }, 'd'],
    ['in with null, on arrays', { tags: { in: ['news', null] } }, 'ad'],
    ['not null, as an empty array is not', { tags: { not: null } }, 'abce'],
    ['a range, which nothing in an empty array is in', { tags: { gte: '' } }, 'ace'],
    ['not, below objects in an array: none is', { 'seats.id': { not: 's1' } }, 'abce'],
    ['a field below an empty array', { 'tags.id': 'x' }, ''],
    ['not, below an empty array', { 'tags.id': { not: 'x' }, tags: { not: 'sport' } }, 'bde'],
    ['a part of text', { status: { contains: 'CTI' } }, 'ace'],
    ['a part of text, which stands for itself', { status: { contains: 'a.*' } }, ''],
    ['a part of text, on an array', { tags: { contains: 'POR' } }, 'ac'],
    ['a part of text, which no number has', { floor: { contains: '2' } }, ''],
    ['not true', { sandbox: { not: true } }, 'acde'],
    ['the id', { id: 'c' }, ''],
  ];
  for (const [what, where, expected] of cases) {
    it(`finds by ${what}`, async ({ store }) => {
      const { documents, total } = await store.query(await sourcesIn(store), { where });
      expect([documents.map((one) => one.id).join(''), total]).to.deep.equal([expected, expected.length]);
      expect(documents.map((one) => one.state)).to.deep.equal([...expected].map((id) => sources[id]));
    });
  }

  const orders: readonly [string, Query, string, number][] = [
    ['a number, ties by id', { orderBy: 'floor' }, 'cabed', 5],
    ['a number, descending, ties by id', { orderBy: 'floor', descending: true }, 'dbeac', 5],
    ['a string, absent first', { orderBy: 'at' }, 'edabc', 5],
    ['a string, descending, absent last', { orderBy: 'at', descending: true }, 'cbade', 5],
    ['a path', { orderBy: 'owner.id', where: { 'owner.id': { not: null } } }, 'ab', 2],
    ['the id', { orderBy: 'id' }, 'abcde', 5],
    ['the id, descending', { orderBy: 'id', descending: true }, 'edcba', 5],
    ['the id, when nothing is asked', {}, 'abcde', 5],
    ['limit', { orderBy: 'floor', limit: 2 }, 'ca', 5],
    ['skip', { orderBy: 'floor', skip: 3 }, 'ed', 5],
    ['skip and limit', { orderBy: 'floor', skip: 1, limit: 2 }, 'ab', 5],
    ['skip past the end', { skip: 9, limit: 2 }, '', 5],
    ['a limit of none', { limit: 0 }, '', 5],
    ['limit and condition', { where: { status: 'active' }, limit: 1 }, 'a', 3],
  ];
  for (const [what, query, expected, expectedTotal] of orders) {
    it(`orders and pages by ${what}`, async ({ store }) => {
      const { documents, total } = await store.query(await sourcesIn(store), query);
      expect([documents.map((one) => one.id).join(''), total]).to.deep.equal([expected, expectedTotal]);
    });
  }

  const counts: readonly [string, string, Record<string, Condition> | undefined, [string | number, number][]][] = [
    [
      'a string',
      'status',
      undefined,
      [
        ['active', 3],
        ['paused', 1],
        ['archived', 1],
      ],
    ],
    [
      'a number',
      'floor',
      undefined,
      [
        [1.5, 1],
        [2, 2],
        [0, 1],
        [10, 1],
      ],
    ],
    [
      'a path, where absent is left out',
      'owner.id',
      undefined,
      [
        ['o1', 1],
        ['o2', 1],
      ],
    ],
    [
      'a field, where null is left out',
      'pool',
      undefined,
      [
        ['p1', 2],
        ['p2', 1],
      ],
    ],
    [
      'the elements of an array',
      'tags',
      undefined,
      [
        ['news', 1],
        ['sport', 2],
        ['2', 1],
      ],
    ],
    ['a field of those that match', 'tags', { status: 'active', floor: { lt: 1 } }, [['sport', 1]]],
    ['a field of none that match', 'status', { status: 'unknown' }, []],
    ['a field that none has', 'nowhere.at.all', undefined, []],
  ];
  for (const [what, path, where, expected] of counts) {
    it(`counts by ${what}`, async ({ store }) => {
      const counted = await store.countBy(await sourcesIn(store), path, where);
      expect([...counted]).to.have.deep.members(expected);
    });
  }

  it('counts what was saved last, and no tombstones', async ({ store }) => {
    const kind = await freshlyPrepared(store, 'status');
    await store.save(['a', 'b', 'c'].map((id) => document(kind, id, { state: { status: 'active' } })));
    expect(await store.countBy(kind, 'status')).to.deep.equal(new Map([['active', 3]]));
    await store.save([
      document(kind, 'a', { version: 2, state: { status: 'archived' } }),
      document(kind, 'b', { version: 2, deleted: true, state: null }),
    ]);
    expect([...(await store.countBy(kind, 'status'))]).to.have.deep.members([
      ['active', 1],
      ['archived', 1],
    ]);
  });

  it('pages through equal values without loss or repetition', async ({ store }) => {
    const paged = await freshlyPrepared(store, 'status');
    const ids = Array.from({ length: 57 }, (_, index) => `p${String(index * 7919).padStart(7, '0')}`);
    await store.save(ids.map((id) => document(paged, id, { state: { status: 'active' } })));
    const seen: string[] = [];
    for (let skip = 0; skip < ids.length; skip += 10) {
      const page = await store.query(paged, { orderBy: 'status', skip, limit: 10 });
      expect(page.total).to.equal(ids.length);
      seen.push(...page.documents.map((one) => one.id));
    }
    expect(seen).to.deep.equal([...ids].sort());
  });

  it('answers nothing for a kind that has no documents', async ({ store }) => {
    const empty = await freshlyPrepared(store, 'status');
    expect(await store.query(empty, { where: { status: 'active' } })).to.deep.equal({
      documents: [],
      total: 0,
    });
    expect(await collect(store.scan(empty))).to.deep.equal([]);
  });
}
