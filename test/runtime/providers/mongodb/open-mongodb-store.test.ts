import { expect } from 'chai';
import type { Context } from 'mocha';
import { StoreUnavailable } from '#runtime/ports/errors';
import { type MongodbStoreOptions, openMongodbStore } from '#runtime/providers/mongodb/open-mongodb-store';
import { eventually } from '#test/support/eventually';
import { mongodbUrl } from '#test/support/real-servers';
import { openTcpProxy } from '#test/support/tcp-proxy';
import { document } from '../../store-contract/documents.ts';
import { type MongodbFixture, openMongodbFixture } from './mongodb-fixture.ts';

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => null,
    (error: unknown) => error,
  );
}

describe('the store on MongoDB', () => {
  let fixture: MongodbFixture | undefined;
  afterEach(async () => {
    await fixture?.end();
    fixture = undefined;
  });
  const open = async (test: Context, options?: Partial<MongodbStoreOptions>): Promise<MongodbFixture> => {
    fixture = await openMongodbFixture(mongodbUrl(test), options);
    return fixture;
  };

  it('is unavailable when no server answers at the start', async () => {
    const proxy = await openTcpProxy('127.0.0.1', 1);
    proxy.cut();
    const opening = openMongodbStore({ url: `mongodb://127.0.0.1:${proxy.port}`, requestTimeoutMs: 300 });
    expect(await failure(opening)).to.be.instanceOf(StoreUnavailable);
    await proxy.close();
  });

  it('keeps its deadline when the server falls silent, and finds another connection', async function () {
    const requestTimeoutMs = 700;
    const { store, proxy } = await open(this, { requestTimeoutMs });
    await store.save([document('silent', 'a')]);
    proxy.stall();
    const start = performance.now();
    const failures = await Promise.all([
      failure(store.load([{ kind: 'silent', id: 'a' }])),
      failure(store.save([document('silent', 'a', { version: 2 })])),
      failure(store.putIfAbsent('silent', 'a')),
    ]);
    // A call may find a connection made after the silence began; what fails must do so in time.
    expect(performance.now() - start).to.be.below(requestTimeoutMs * 2);
    for (const error of failures) if (error !== null) expect(error).to.be.instanceOf(StoreUnavailable);
    expect(failures.some((error) => error !== null)).to.equal(true);
    await eventually('an answer again', () => store.healthy(), { timeoutMs: 60_000 });
    const [found] = await store.load([{ kind: 'silent', id: 'a' }]);
    expect(found?.version).to.be.oneOf([1, 2]);
  });

  it('names the operation that had no answer', async function () {
    const { store, proxy } = await open(this, { requestTimeoutMs: 300 });
    proxy.cut();
    const messageOf = async (call: Promise<unknown>) => ((await failure(call)) as Error | null)?.message ?? '';
    expect(await messageOf(store.putIfAbsent('name', 'value'))).to.match(/^put if absent: /);
    expect(await messageOf(store.getValue('name'))).to.match(/^get value: /);
    expect(await messageOf(store.withdraw('name'))).to.match(/^withdraw: /);
  });

  it('keeps the actors of two databases apart, by name or by URL', async function () {
    const url = mongodbUrl(this);
    const { store, direct, database } = await open(this);
    await store.save([document('apart', 'a')]);
    const named = new URL(url);
    named.pathname = `/${database}`;
    const same = await openMongodbStore({ url: named.href });
    const another = await openMongodbStore({ url, database: `${database}-2` });
    expect((await same.load([{ kind: 'apart', id: 'a' }]))[0]).to.deep.equal(document('apart', 'a'));
    expect(await another.load([{ kind: 'apart', id: 'a' }])).to.deep.equal([null]);
    await Promise.all([same.close(), another.close()]);
    await direct.db(`${database}-2`).dropDatabase();
  });

  it('refuses a document that the database cannot take, and saves the others', async function () {
    const { store } = await open(this);
    const huge = document('huge', 'huge', { state: { text: 'x'.repeat(17 * 1024 * 1024) } });
    const saves = [store.save([huge]), store.save([document('huge', 'small')])] as const;
    expect(await saves[0]).to.deep.equal(['unstorable']);
    expect(await saves[1]).to.deep.equal(['saved']);
  });
});
