import { expect } from 'chai';
import { AWKWARD } from './awkward-json.ts';
import { document, freshlyPrepared, loadOne } from './documents.ts';
import type { DeclareTest } from './fixture.ts';

export function documentCases(it: DeclareTest): void {
  for (const [what, state] of Object.entries(AWKWARD)) {
    it(`keeps any JSON as it is: ${what}`, async ({ store }) => {
      const kind = await freshlyPrepared(store);
      const saved = document(kind, `awkward-${what}`, {
        state,
        outbox: [{ to: 'pool/a.b', type: 't', body: state, sequence: '1795250000000-0.0' }],
        replies: { 'request.1$': { payload: state, keepUntilMs: 1_795_250_000_000 } },
      });
      expect(await store.save([saved])).to.deep.equal(['saved']);
      expect(await loadOne(store, kind, saved.id)).to.deep.equal(saved);
    });
  }

  it('reads what is asked for of a large state, exactly, and may leave the rest unread', async ({ store }) => {
    const kind = await freshlyPrepared(store);
    const large = {
      text: 'line\nfeed, "quoted" \u2028 é\u0000'.repeat(2_000),
      'a.b$': { c: [1, null] },
      __proto: 1,
      last: 0,
    };
    const saved = document(kind, 'large', {
      state: { ...AWKWARD, ...large },
      received: { 'edge/1': { sequence: '1', atMs: 1 } },
    });
    const small = document(kind, 'small', { state: { last: 7 } });
    const gone = document(kind, 'gone', { state: null, deleted: true });
    await store.save([saved, small, gone]);
    expect(await loadOne(store, kind, 'large'), 'whole').to.deep.equal(saved);
    const keys = ['large', 'absent', 'small', 'gone'].map((id) => ({ kind, id }));
    const [some, absent, few, tombstone] = await store.load(keys, ['a.b$', 'last', 'there is no field of this name']);
    expect(some).to.include({ id: 'large', version: 1, schema: 1, deleted: false, position: saved.position });
    expect(some!.state).to.deep.include({ 'a.b$': large['a.b$'], last: 0 });
    expect(some!.state).not.to.have.property('there is no field of this name');
    expect([absent, few!.state]).to.deep.equal([null, { last: 7 }]);
    expect(tombstone).to.include({ deleted: true, state: null });
    const [none] = await store.load(keys.slice(0, 1), []);
    expect(none).to.include({ id: 'large', version: 1 });
  });

  it('keeps every field, ids and keys with dots and dollars too', async ({ store }) => {
    const kind = await freshlyPrepared(store);
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

  it('keeps 4 MB', async ({ store }) => {
    const kind = await freshlyPrepared(store);
    const rows = Array.from({ length: 4096 }, (_, index) => ({ index, text: `${index}-`.padEnd(1000, 'é') }));
    const saved = document(kind, 'large', { state: { rows } });
    expect(await store.save([saved])).to.deep.equal(['saved']);
    expect(await loadOne(store, kind, 'large')).to.deep.equal(saved);
    const next = { ...saved, version: 2, writer: 'w2', state: { rows: rows.slice(1) } };
    expect(await store.save([next])).to.deep.equal(['saved']);
    expect(await loadOne(store, kind, 'large')).to.deep.equal(next);
  });

  it('loads in the order of the keys, across kinds, null where there is none', async ({ store }) => {
    const [one, two] = [await freshlyPrepared(store), await freshlyPrepared(store)];
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

  it('prepares again without harm', async ({ store, other }) => {
    const kind = await freshlyPrepared(store, 'status');
    await store.save([document(kind, 'a', { state: { status: 'active' } })]);
    await store.prepare([{ kind, indexes: ['status', 'owner.id'] }]);
    await other.prepare([{ kind, indexes: ['status'] }]);
    expect((await store.query(kind, { where: { status: 'active' } })).total).to.equal(1);
  });
}
