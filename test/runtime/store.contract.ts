import { expect } from 'chai';
import type { Context } from 'mocha';
import { StoreUnavailable } from '../../runtime/ports/errors.ts';
import type { ActorDocument, Condition, DeadLetter, Query, StateStore } from '../../runtime/ports/store.ts';

/** One store on fresh data, and what may be done to it. */
export interface StoreFixture {
  readonly store: StateStore;
  /** A second process's view of the same data; left out where only one process may hold it. */
  readonly other?: StateStore;
  /** Closes `store` and opens the same data again. The fixture's `end` closes what it answers. */
  restart?(): Promise<StateStore>;
  /** Where there is a network to lose. The test calls `restore` in every case. */
  readonly connection?: { lose(): Promise<void>; restore(): Promise<void> };
  /** Closes everything and removes the data. */
  end(): Promise<void>;
}

let names = 0;
/** A kind that no other test uses. */
function freshKind(): string {
  names += 1;
  return `kind-${names}`;
}

function document(kind: string, id: string, change: Partial<ActorDocument> = {}): ActorDocument {
  return {
    kind,
    id,
    partition: 3,
    version: 1,
    writer: `writer-${id}-${change.version ?? 1}`,
    position: '1795250000000-0',
    schema: 1,
    deleted: false,
    state: { name: id },
    outbox: [],
    viewPending: false,
    received: {},
    replies: {},
    published: null,
    ...change,
  };
}

function letter(id: string, change: Partial<DeadLetter> = {}): DeadLetter {
  const [partition, position] = id.split(':') as [string, string];
  return {
    id,
    partition: Number(partition),
    position,
    to: 'publisher/p1',
    type: 'rename',
    payload: '{"name":"ö"}',
    reason: 'TypeError: x is undefined',
    parkedAtMs: 1_795_250_000_000,
    replayedAtMs: null,
    ...change,
  };
}

function nested(depth: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? { down: value } : [value];
  return value;
}

const AWKWARD: Readonly<Record<string, unknown>> = {
  unicode: 'Zürich — 東京 — \u{1f6d2} — \u0000 — \u2028 — e\u0301',
  keysWithDots: { 'a.b': { 'c.d': 1 }, '.': 2, '..': 3, 'site.page': { in: [1] } },
  keysWithDollars: { $set: { a: 1 }, $: 1, a$b: 2, $ref: 'r', $id: 'i', $db: 'd', 'x.$': 3 },
  keysWithEscapes: { '%2E': 1, '%': 2, '%25': 3, 'a%b': 4, '\u0000': 5, '': 6, ' ': 7, '%json': '[1]' },
  keysOfOtherTrades: {
    _id: 'not yours',
    _bsontype: 'ObjectId',
    toBSON: 1,
    toJSON: 2,
    constructor: 3,
    length: 4,
    hasOwnProperty: 5,
  },
  prototypes: JSON.parse('{"__proto__":{"polluted":true},"prototype":1}'),
  addresses: { 'tally/5:2026-11-21': 1, 'ledger/publisher:a.b:2026-11-21': 2, '1795250000000-17': 3, '12': 4, '3': 5 },
  numbers: [0, 1, -1, 0.1, 1e-9, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 1.5e300, 5e-324],
  empties: { object: {}, array: [], string: '', arrays: [[], {}, [[]]], nothing: null, falsehood: false },
  nulls: [null, null, { a: null }],
  matrix: [
    [1, 2],
    [3, [4, { 'five.six': [[7]] }]],
  ],
  dates: ['2026-11-21T00:00:00.000Z', { $date: '2026-11-21' }],
  scalar: 'just a string',
  deep: nested(300),
};

async function collect(documents: AsyncIterable<ActorDocument>): Promise<ActorDocument[]> {
  const all: ActorDocument[] = [];
  for await (const one of documents) all.push(one);
  return all;
}

async function saveOne(store: StateStore, one: ActorDocument) {
  return (await store.save([one]))[0];
}

async function loadOne(store: StateStore, kind: string, id: string): Promise<ActorDocument | null> {
  return (await store.load([{ kind, id }]))[0] ?? null;
}

/** Every provider of `StateStore` keeps these. `open` gives fresh data each time, or skips through `test`. */
export function storeContract(name: string, open: (test: Context) => Promise<StoreFixture>): void {
  describe(`a state store: ${name}`, () => {
    let fixture: StoreFixture;
    let store: StateStore;

    before(async function () {
      fixture = await open(this);
      store = fixture.store;
    });
    after(async () => fixture?.end());

    async function kindWith(...indexes: string[]): Promise<string> {
      const kind = freshKind();
      await store.prepare([{ kind, indexes }]);
      return kind;
    }

    describe('documents', () => {
      for (const [what, state] of Object.entries(AWKWARD)) {
        it(`keeps any JSON as it is: ${what}`, async () => {
          const kind = await kindWith();
          const saved = document(kind, `awkward-${what}`, {
            state,
            outbox: [{ to: 'pool/a.b', type: 't', body: state, sequence: '1795250000000-0.0' }],
            replies: { 'request.1$': { payload: state, keepUntilMs: 1_795_250_000_000 } },
          });
          expect(await store.save([saved])).to.deep.equal(['saved']);
          expect(await loadOne(store, kind, saved.id)).to.deep.equal(saved);
        });
      }

      it('keeps every field, ids and keys with dots and dollars too', async () => {
        const kind = await kindWith();
        const saved = document(kind, 'publisher:a.b$c/d é:2026-11-21', {
          partition: 63,
          writer: 'node-1.5#7',
          position: '1795250000123-42',
          schema: 7,
          viewPending: true,
          outbox: [
            { to: 'dsp/d.1', type: 'joined', body: { $pool: 'x' }, sequence: '1795250000123-42.0' },
            { to: 'dsp/d.2', type: 'left', body: null, sequence: '1795250000123-42.1' },
          ],
          received: {
            'tally/5:2026-11-21': { sequence: '1795250000000-9.3', atMs: 1_795_250_000_000 },
            'edge.fra$1': { sequence: '12', atMs: 2 },
            $gateway: { sequence: '13', atMs: 3 },
          },
          replies: { 'key.with.dots': { payload: null, keepUntilMs: 2 ** 45 }, $key: { payload: 1, keepUntilMs: 5 } },
          published: '1795250000123-41',
        });
        await store.save([saved]);
        expect(await loadOne(store, kind, saved.id)).to.deep.equal(saved);
      });

      it('keeps 4 MB', async () => {
        const kind = await kindWith();
        const rows = Array.from({ length: 4096 }, (_, index) => ({ index, text: `${index}-`.padEnd(1000, 'é') }));
        const saved = document(kind, 'large', { state: { rows } });
        expect(await store.save([saved])).to.deep.equal(['saved']);
        expect(await loadOne(store, kind, 'large')).to.deep.equal(saved);
        const next = { ...saved, version: 2, writer: 'w2', state: { rows: rows.slice(1) } };
        expect(await store.save([next])).to.deep.equal(['saved']);
        expect(await loadOne(store, kind, 'large')).to.deep.equal(next);
      });

      it('loads in the order of the keys, across kinds, null where there is none', async () => {
        const [one, two] = [await kindWith(), await kindWith()];
        const documents = [document(one, 'b'), document(two, 'a'), document(one, 'a')];
        await store.save(documents);
        const loaded = await store.load([
          { kind: one, id: 'a' },
          { kind: two, id: 'b' },
          { kind: one, id: 'b' },
          { kind: two, id: 'a' },
          { kind: one, id: 'a' },
        ]);
        expect(loaded).to.deep.equal([documents[2], null, documents[0], documents[1], documents[2]]);
        expect(await store.load([])).to.deep.equal([]);
      });

      it('prepares again without harm', async () => {
        const kind = await kindWith('status');
        await store.save([document(kind, 'a', { state: { status: 'active' } })]);
        await store.prepare([{ kind, indexes: ['status', 'owner.id'] }]);
        await (fixture.other ?? store).prepare([{ kind, indexes: ['status'] }]);
        expect((await store.query(kind, { where: { status: 'active' } })).total).to.equal(1);
      });
    });

    describe('saves', () => {
      it('writes only over the version before', async () => {
        const kind = await kindWith();
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

      it('knows its own save when that is repeated', async () => {
        const kind = await kindWith();
        const first = document(kind, 'a', { writer: 'mine-1' });
        const second = document(kind, 'a', { version: 2, writer: 'mine-2' });
        for (const one of [first, first, second, second]) expect(await saveOne(store, one)).to.equal('saved');
        expect(await saveOne(store, first), 'overwritten since').to.equal('conflict');
        expect(await loadOne(store, kind, 'a')).to.deep.equal(second);
      });

      it('reports each outcome of a batch in its place', async () => {
        const [one, two] = [await kindWith(), await kindWith()];
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
        expect(outcomes).to.deep.equal([
          'saved',
          'conflict',
          'saved',
          'conflict',
          'conflict',
          'saved',
          'saved',
          'saved',
        ]);
        expect(await store.save([])).to.deep.equal([]);
      });

      it('lets one of two inserts win', async () => {
        const kind = await kindWith();
        const writers = [store, fixture.other ?? store];
        for (let round = 0; round < 20; round += 1) {
          const id = `race-${round}`;
          const candidates = ['left', 'right'].map((writer) => document(kind, id, { writer, state: { writer } }));
          const outcomes = await Promise.all(candidates.map((one, side) => saveOne(writers[side]!, one)));
          expect([...outcomes].sort(), `round ${round}`).to.deep.equal(['conflict', 'saved']);
          const winner = candidates[outcomes.indexOf('saved')];
          expect(await loadOne(store, kind, id)).to.deep.equal(winner);
        }
      });

      it('lets exactly one writer win each version, in whatever order they come', async () => {
        const kind = await kindWith();
        const writers = [store, fixture.other ?? store];
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

      it('takes many saves at the same time and loses none', async () => {
        const kind = await kindWith();
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

      it('shows a save at once to whoever reads after it', async () => {
        const kind = await kindWith('step');
        const reader = fixture.other ?? store;
        for (let version = 1; version <= 15; version += 1) {
          await store.save([document(kind, 'a', { version, state: { step: version } })]);
          expect((await loadOne(reader, kind, 'a'))?.version).to.equal(version);
          expect((await reader.query(kind, { where: { step: version } })).total).to.equal(1);
          expect((await reader.query(kind, { where: { step: version - 1 } })).total).to.equal(0);
        }
      });

      it('keeps tombstones: loaded and scanned, but in no query', async () => {
        const kind = await kindWith('name');
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
    });

    describe('queries', () => {
      let kind: string;
      const sources: Readonly<Record<string, unknown>> = {
        a: { status: 'active', floor: 1.5, pool: 'p1', tags: ['news', 'sport'], owner: { id: 'o1' }, at: '2026-11-01' },
        b: { status: 'paused', floor: 2, pool: null, tags: [], owner: { id: 'o2' }, at: '2026-11-15', sandbox: true },
        c: { status: 'active', floor: 0, tags: ['sport'], owner: {}, at: '2026-12-01', sandbox: false },
        d: { status: 'archived', floor: 10, pool: 'p2', at: '2025-01-01', seats: [{ id: 's1' }, { id: 's2' }] },
        e: { status: 'active', floor: 2, pool: 'p1', tags: ['2'], 'odd.key': { $x: 1 }, seats: [{ id: 's2' }] },
      };

      before(async () => {
        kind = await kindWith('status', 'floor', 'owner.id', 'tags', 'seats.id');
        await store.save(Object.entries(sources).map(([id, state]) => document(kind, id, { state })));
      });

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
        ['not true', { sandbox: { not: true } }, 'acde'],
        ['the id', { id: 'c' }, ''],
      ];
      for (const [what, where, expected] of cases) {
        it(`finds by ${what}`, async () => {
          const { documents, total } = await store.query(kind, { where });
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
        it(`orders and pages by ${what}`, async () => {
          const { documents, total } = await store.query(kind, query);
          expect([documents.map((one) => one.id).join(''), total]).to.deep.equal([expected, expectedTotal]);
        });
      }

      it('pages through equal values without loss or repetition', async () => {
        const paged = await kindWith('status');
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

      it('answers nothing for a kind that has no documents', async () => {
        const empty = await kindWith('status');
        expect(await store.query(empty, { where: { status: 'active' } })).to.deep.equal({ documents: [], total: 0 });
        expect(await collect(store.scan(empty))).to.deep.equal([]);
      });
    });

    it('scans every document while others are written', async () => {
      const kind = await kindWith();
      const ids = Array.from({ length: 600 }, (_, index) => `s${index}`);
      await store.save(ids.map((id) => document(kind, id)));
      const seen = new Map<string, number>();
      let writing: Promise<unknown> = Promise.resolve();
      let count = 0;
      for await (const one of store.scan(kind)) {
        expect(seen.has(one.id), `${one.id} came twice`).to.equal(false);
        seen.set(one.id, one.version);
        if (count % 30 === 0) {
          const before = ids.slice(count, count + 5).map((id) => document(kind, id, { version: 2 }));
          writing = Promise.all([writing, store.save([...before, document(kind, `later-${count}`)])]);
        }
        count += 1;
      }
      await writing;
      for (const id of ids) expect(seen.get(id), id).to.be.oneOf([1, 2]);
    });

    it('ends a scan that is left early', async () => {
      const kind = await kindWith();
      await store.save(Array.from({ length: 300 }, (_, index) => document(kind, `s${index}`)));
      for (let round = 0; round < 12; round += 1) {
        for await (const one of store.scan(kind)) {
          expect(one.kind).to.equal(kind);
          break;
        }
      }
      expect((await store.query(kind, { limit: 1 })).total).to.equal(300);
    });

    describe('dead letters', () => {
      it('parks twice what is one letter, and leaves the first as it is', async () => {
        const first = letter('1:1795250000000-1', { payload: JSON.stringify(AWKWARD.keysWithDots) });
        await store.park([first]);
        await store.park([{ ...first, reason: 'another' }, letter('1:1795250000000-2')]);
        await store.park([]);
        expect(await store.deadLetter(first.id)).to.deep.equal(first);
        expect(await store.deadLetter('1:1795250000000-2')).to.deep.equal(letter('1:1795250000000-2'));
        expect(await store.deadLetter('1:none-0')).to.equal(null);
      });

      it('lists by id, page by page', async () => {
        const letters = Array.from({ length: 25 }, (_, index) =>
          letter(`2:17952500000${String(index).padStart(2, '0')}-0`),
        );
        await store.park([...letters].reverse());
        const seen: DeadLetter[] = [];
        let after = '2:';
        for (;;) {
          const page = await store.deadLetters({ limit: 7, after });
          const own = page.filter((one) => one.partition === 2);
          seen.push(...own);
          if (own.length < 7) break;
          after = own.at(-1)!.id;
        }
        expect(seen).to.deep.equal(letters);
        expect(await store.deadLetters({ limit: 1 })).to.have.lengthOf(1);
      });

      it('marks what was replayed, and parking it again leaves the mark', async () => {
        const parked = letter('3:1795250000000-7');
        await store.park([parked]);
        await store.markReplayed(parked.id, 1_795_250_111_000);
        await store.markReplayed('3:none-0', 1);
        await store.park([parked]);
        expect(await store.deadLetter(parked.id)).to.deep.equal({ ...parked, replayedAtMs: 1_795_250_111_000 });
        expect(await store.deadLetter('3:none-0')).to.equal(null);
      });
    });

    describe('marks', () => {
      it('raises the high water of a partition and never lowers it', async () => {
        expect(await store.highWater(7)).to.equal('0-0');
        await store.raiseHighWater(7, '1795250000000-9');
        await store.raiseHighWater(7, '1795250000000-10');
        await store.raiseHighWater(7, '1795250000000-2');
        await store.raiseHighWater(7, '999-99');
        expect(await store.highWater(7)).to.equal('1795250000000-10');
        expect(await store.highWater(8)).to.equal('0-0');
        await store.raiseHighWater(7, '1795250000001-0');
        expect(await (fixture.other ?? store).highWater(7)).to.equal('1795250000001-0');
      });

      it('keeps the highest of those raised at the same time', async () => {
        const writers = [store, fixture.other ?? store];
        const sequences = [3, 17, 2, 29, 5, 11, 23, 7];
        await Promise.all(
          sequences.map((sequence, index) => writers[index % 2]!.raiseHighWater(9, `1795250000000-${sequence}`)),
        );
        expect(await store.highWater(9)).to.equal('1795250000000-29');
      });

      it('settles a name once, whoever asks', async () => {
        const writers = [store, fixture.other ?? store];
        for (let round = 0; round < 10; round += 1) {
          const name = `secret.$${round}`;
          const values = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${letter}-${round}`);
          const kept = await Promise.all(values.map((value, index) => writers[index % 2]!.settle(name, value)));
          expect(new Set(kept).size, `round ${round}: ${kept}`).to.equal(1);
          expect(values).to.include(kept[0]);
          expect(await store.settle(name, 'late')).to.equal(kept[0]);
        }
      });

      it('is healthy', async () => {
        expect(await store.healthy()).to.equal(true);
      });
    });

    it('keeps everything over a restart', async function () {
      if (!fixture.restart) return this.skip();
      const kind = await kindWith('status');
      const saved = document(kind, 'a', { version: 1, state: { status: 'active', 'a.b': [[1]] } });
      await store.save([saved]);
      await store.park([letter('4:1795250000000-1')]);
      await store.raiseHighWater(11, '1795250000000-4');
      const settled = await store.settle('kept', 'first');
      store = await fixture.restart();
      await store.prepare([{ kind, indexes: ['status'] }]);
      expect(await loadOne(store, kind, 'a')).to.deep.equal(saved);
      expect((await store.query(kind, { where: { status: 'active' } })).documents).to.deep.equal([saved]);
      expect(await store.deadLetter('4:1795250000000-1')).to.deep.equal(letter('4:1795250000000-1'));
      expect(await store.highWater(11)).to.equal('1795250000000-4');
      expect(await store.settle('kept', 'second')).to.equal(settled);
      expect(await saveOne(store, { ...saved, writer: 'late' })).to.equal('conflict');
      expect(await saveOne(store, { ...saved, version: 2, writer: 'next' })).to.equal('saved');
    });

    it('says that it is unavailable while the connection is lost, and recovers by itself', async function () {
      const connection = fixture.connection;
      if (!connection) return this.skip();
      this.timeout(40_000);
      const kind = await kindWith('status');
      const saved = document(kind, 'a');
      await store.save([saved]);
      await connection.lose();
      try {
        const calls: readonly [string, () => Promise<unknown>][] = [
          ['load', () => store.load([{ kind, id: 'a' }])],
          ['save', () => store.save([document(kind, 'a', { version: 2 })])],
          ['query', () => store.query(kind, {})],
          ['scan', () => collect(store.scan(kind))],
          ['park', () => store.park([letter('5:1795250000000-1')])],
          ['deadLetters', () => store.deadLetters({ limit: 1 })],
          ['highWater', () => store.highWater(12)],
          ['raiseHighWater', () => store.raiseHighWater(12, '1795250000000-1')],
          ['settle', () => store.settle('lost', 'value')],
        ];
        const outcomes = await Promise.allSettled(calls.map(([, call]) => call()));
        for (const [index, outcome] of outcomes.entries()) {
          expect(outcome.status, calls[index]![0]).to.equal('rejected');
          expect((outcome as PromiseRejectedResult).reason, calls[index]![0]).to.be.instanceOf(StoreUnavailable);
        }
        expect(await store.healthy()).to.equal(false);
      } finally {
        await connection.restore();
      }
      const deadlineMs = Date.now() + 10_000;
      while (!(await store.healthy())) {
        if (Date.now() > deadlineMs) throw new Error('the store was not healthy 10 s after its connection was back');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const found = await loadOne(store, kind, 'a');
      expect(found?.version).to.be.oneOf([1, 2]);
      const next = document(kind, 'a', { version: found!.version + 1, writer: 'after' });
      expect(await saveOne(store, next)).to.equal('saved');
      expect(await loadOne(store, kind, 'a')).to.deep.equal(next);
    });
  });
}
