import { expect } from 'chai';
import { StoreUnavailable } from '#runtime/ports/errors';
import { eventually } from '../../support/eventually.ts';
import { skipWithReason } from '../../support/skipped-tests.ts';
import { collect, document, freshlyPrepared, letter, loadOne, saveOne } from './documents.ts';
import type { OpenStore, StoreFixture } from './fixture.ts';

/** What a call that may meet a lost connection came to: true when it went through. Fails on any other error. */
async function wentThrough(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    expect(error).to.be.instanceOf(StoreUnavailable);
    return false;
  }
}

export function faultCases(open: OpenStore): void {
  let fixture: StoreFixture | undefined;
  beforeEach(async function () {
    fixture = await open(this);
  });
  afterEach(async () => {
    await fixture?.end();
    fixture = undefined;
  });

  it('keeps everything over a restart', async function () {
    const { store: before, restart } = fixture!;
    if (!restart) return skipWithReason(this, 'this store is not restarted by itself');
    const kind = await freshlyPrepared(before, 'status');
    const saved = document(kind, 'a', { state: { status: 'active', 'a.b': [[1]] } });
    await before.save([saved]);
    await before.park([letter('4:1795250000000-1')]);
    await before.raiseHighWater({ partition: 11, position: '1795250000000-4' });
    await before.putIfAbsent('kept', 'first');

    const after = await restart();
    await after.prepare([{ kind, indexes: ['status'] }]);
    expect(await loadOne(after, kind, 'a')).to.deep.equal(saved);
    expect(await after.idsBetween(kind, { after: '', limit: 9 })).to.deep.equal(['a']);
    expect((await after.query(kind, { where: { status: 'active' } })).documents).to.deep.equal([saved]);
    expect(await after.deadLetter('4:1795250000000-1')).to.deep.equal(letter('4:1795250000000-1'));
    expect(await after.highWater({ partition: 11 })).to.equal('1795250000000-4');
    expect(await after.putIfAbsent('kept', 'second')).to.equal('first');
    expect(await saveOne(after, { ...saved, writer: 'late' })).to.equal('conflict');
    expect(await saveOne(after, { ...saved, version: 2, writer: 'next' })).to.equal('saved');
  });

  it('fails with StoreUnavailable while the connection is lost, and goes on by itself', async function () {
    const { store, connection } = fixture!;
    if (!connection) return skipWithReason(this, 'this store has no connection to lose');
    const kind = await freshlyPrepared(store, 'status');
    await store.save([document(kind, 'a')]);
    await connection.lose();
    const calls = [
      store.load([{ kind, id: 'a' }]),
      store.save([document(kind, 'a', { version: 2 })]),
      store.query(kind, {}),
      store.find(kind, { limit: 1 }),
      store.idsBetween(kind, { after: '', limit: 1 }),
      store.purge(kind, [{ id: 'other', version: 1 }]),
      collect(store.scan(kind)),
      store.park([letter('5:1795250000000-1')]),
      store.deadLetters({ limit: 1 }),
      store.highWater({ partition: 12 }),
      store.raiseHighWater({ partition: 12, position: '1795250000000-1' }),
      store.putIfAbsent('lost', 'value'),
    ];
    expect(await Promise.all(calls.map(wentThrough))).not.to.include(true);
    expect(await store.healthy()).to.equal(false);
    await connection.restore();

    await eventually('the store to answer again', () => store.healthy(), { timeoutMs: 60_000 });
    const found = await loadOne(store, kind, 'a');
    expect(found?.version).to.be.oneOf([1, 2]);
    const next = document(kind, 'a', { version: found!.version + 1, writer: 'after' });
    expect(await saveOne(store, next)).to.equal('saved');
    expect(await loadOne(store, kind, 'a')).to.deep.equal(next);
  });

  it('never calls saved what is not, nor conflict what may be its own, while connections come and go', async function () {
    const { store, connection } = fixture!;
    if (!connection) return skipWithReason(this, 'this store has no connection to lose');
    const kind = await freshlyPrepared(store);
    const ids = ['a', 'b', 'c', 'd'];
    const versions = new Map<string, number>();
    let saves = 0;
    let writing = true;
    // The one writer of its document: whatever is lost, the next version is always the one after the last it knows of.
    const write = async (id: string): Promise<void> => {
      while (writing) {
        const version = (versions.get(id) ?? 0) + 1;
        const next = document(kind, id, { version, writer: `only/${id}/${version}` });
        try {
          expect(await saveOne(store, next), `${id} at ${version}`).to.equal('saved');
          versions.set(id, version);
          saves += 1;
        } catch (error) {
          if (!(error instanceof StoreUnavailable)) throw error;
        }
      }
    };
    const writers = Promise.all(ids.map(write));
    for (let fault = 0; fault < 3; fault += 1) {
      const goal = saves + 40;
      await eventually('40 more saves', () => saves >= goal, { timeoutMs: 60_000 });
      await connection.lose();
      await connection.restore();
    }
    const goal = saves + 40;
    await eventually('saves after the last fault', () => saves >= goal, { timeoutMs: 60_000 });
    writing = false;
    await writers;
    for (const id of ids) expect((await loadOne(store, kind, id))?.version, id).to.equal(versions.get(id));
  });

  it('fails with StoreUnavailable once it is closed', async () => {
    const { store } = fixture!;
    const kind = await freshlyPrepared(store);
    await store.close();
    const calls = [
      store.load([{ kind, id: 'a' }]),
      store.save([document(kind, 'a')]),
      store.putIfAbsent('closed', 'a'),
    ];
    expect(await Promise.all(calls.map(wentThrough))).not.to.include(true);
    expect(await store.healthy()).to.equal(false);
  });
}
