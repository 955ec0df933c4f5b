import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import type { StateStore } from '#runtime/ports/store';
import { openMongodbStore } from '#runtime/providers/mongodb/open-mongodb-store';
import { type MongodbProxy, openMongodbProxy } from '#test/faults/mongodb-proxy';
import { eventually } from '#test/support/eventually';
import { mongodbUrl } from '#test/support/real-servers';
import { document } from '../../store-contract/documents.ts';

const TIMEOUT_MS = 500;

describe('indexes on MongoDB', () => {
  const database = `test-${randomUUID()}`;
  let proxy: MongodbProxy;
  let direct: MongoClient;
  let store: StateStore;
  let told: string[];

  let url: string;
  before(function () {
    url = mongodbUrl(this);
  });
  beforeEach(async () => {
    told = [];
    direct = await new MongoClient(url).connect();
    proxy = await openMongodbProxy(url, 20);
    const report = (message: string) => told.push(message);
    store = await openMongodbStore({ url: proxy.url, database, requestTimeoutMs: TIMEOUT_MS, report });
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
    await direct.db(database).dropDatabase();
    await direct.close();
  });

  const paths = async (kind: string) => {
    const indexes = await direct.db(database).collection(`actors.${kind}`).indexes();
    return indexes.flatMap(({ key }) => Object.keys(key)).sort();
  };
  const built = () => eventually('all indexes', () => store.unindexed().length === 0, { timeoutMs: 60_000 });

  it('are made beside serving, with one command for each kind, however long that takes', async () => {
    proxy.delayCommands(['createIndexes'], 4 * TIMEOUT_MS);
    await store.save([document('a', 'one', { state: { status: 'active' } })]);
    await store.prepare([
      { kind: 'a', indexes: ['status', 'owner'] },
      { kind: 'b', indexes: ['status'] },
    ]);
    expect(store.unindexed()).to.deep.equal(['a', 'b']);
    expect((await store.query('a', { where: { status: 'active' } })).total).to.equal(1);
    await built();
    expect(proxy.counted('createIndexes')).to.equal(2);
    expect(await paths('a')).to.deep.equal(['_id', 'state.owner', 'state.status']);
    expect(await paths('b')).to.deep.equal(['_id', 'state.status']);
    expect(told).to.deep.equal([
      'indexes are being made beside serving: what they are for is slower meanwhile',
      'indexes were made',
    ]);
  });

  it('that exist are not built again, and one that no query uses is dropped', async () => {
    await direct.db(database).collection('actors.c').createIndex({ partition: 1 });
    await direct.db(database).collection('actors.c').createIndex({ 'state.status': 1 });
    await store.prepare([{ kind: 'c', indexes: ['status'] }]);
    await built();
    await eventually('the drop', async () => !(await paths('c')).includes('partition'), { timeoutMs: 60_000 });
    expect(proxy.counted('createIndexes')).to.equal(0);
    expect(await paths('c')).to.deep.equal(['_id', 'state.status']);
    expect(told).to.deep.equal([]);
  });

  it('are tried again after a failure', async () => {
    proxy.delayCommands(['createIndexes'], 60_000);
    await store.prepare([{ kind: 'd', indexes: ['status'] }]);
    await eventually('the command', () => proxy.counted('createIndexes') > 0);
    proxy.delayCommands(['createIndexes'], 0);
    proxy.cut();
    proxy.restore();
    await built();
    expect(await paths('d')).to.deep.equal(['_id', 'state.status']);
    expect(told).to.include('indexes could not be made: trying again');
  });

  it('do not keep the store from closing', async () => {
    proxy.delayCommands(['createIndexes'], 60_000);
    await store.prepare([{ kind: 'e', indexes: ['status'] }]);
    await eventually('the command', () => proxy.counted('createIndexes') > 0);
    await store.close();
    expect(store.unindexed()).to.deep.equal(['e']);
  });
});
