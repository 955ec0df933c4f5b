import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import type { StateStore } from '#runtime/ports/store';
import { openMongodbStore } from '#runtime/providers/mongodb/open-mongodb-store';
import { type MongodbProxy, openMongodbProxy } from '#test/faults/mongodb-proxy';
import { mongodbUrl } from '#test/support/real-servers';
import { collect, document } from '../../store-contract/documents.ts';

const KIND = 'slow';
const TIMEOUT_MS = 1_000;
/** One command takes most of its time. */
const SLOW_MS = 400;

describe('the store on a MongoDB that is slow', () => {
  const database = `test-${randomUUID()}`;
  let url: string;
  let proxy: MongodbProxy;
  let store: StateStore;

  before(async function () {
    url = mongodbUrl(this);
  });
  beforeEach(async () => {
    proxy = await openMongodbProxy(url, 20);
    store = await openMongodbStore({
      url: proxy.url,
      database,
      requestTimeoutMs: TIMEOUT_MS,
      pages: true,
      writeBatch: 20,
    });
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
    const direct = await new MongoClient(url).connect();
    await direct.db(database).dropDatabase();
    await direct.close();
  });

  const ids = Array.from({ length: 400 }, (_, index) => `d${index}`);

  it('loads what takes longer than one command may', async () => {
    await store.save(ids.map((id) => document(KIND, id)));
    proxy.delayCommands(['find'], SLOW_MS);
    const startMs = performance.now();
    const found = await store.load([...ids, 'absent'].map((id) => ({ kind: KIND, id })));
    expect(performance.now() - startMs).to.be.above(2 * TIMEOUT_MS);
    expect(found.map((one) => one?.id)).to.deep.equal([...ids, undefined]);
  });

  it('scans what takes longer than one command may', async () => {
    await store.save(ids.map((id) => document(KIND, id)));
    proxy.delayCommands(['find'], SLOW_MS);
    const found = await collect(store.scan(KIND));
    expect(found.map(({ id }) => id).sort()).to.deep.equal([...ids].sort());
    expect(proxy.counted('getMore')).to.equal(0);
  });

  it('finds versions in pages, each by a command of its own', async () => {
    const many = Array.from({ length: 2_100 }, (_, index) => `v${index}`);
    const patient = await openMongodbStore({ url: proxy.url, database, requestTimeoutMs: 30_000, pages: true });
    try {
      for (let start = 0; start < many.length; start += 20) {
        await patient.save(many.slice(start, start + 20).map((id) => document(KIND, id)));
      }
      const before = proxy.counted('find');
      const found = await collect(patient.versions(KIND));
      expect(
        found
          .flat()
          .map(({ id }) => id)
          .sort(),
      ).to.deep.equal([...many].sort());
      expect(proxy.counted('find') - before).to.equal(2);
      expect(proxy.counted('getMore')).to.equal(0);
    } finally {
      await patient.close();
    }
  });

  it('saves what takes longer than one command may', async () => {
    proxy.delayCommands(['insert', 'update'], SLOW_MS);
    const startMs = performance.now();
    const outcomes = await store.save(ids.map((id) => document(KIND, id)));
    expect(performance.now() - startMs).to.be.above(TIMEOUT_MS);
    expect(new Set(outcomes)).to.deep.equal(new Set(['saved']));
  });
});
