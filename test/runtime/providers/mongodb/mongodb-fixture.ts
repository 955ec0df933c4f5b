import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import type { StateStore } from '#runtime/ports/store';
import { type MongodbStoreOptions, openMongodbStore } from '#runtime/providers/mongodb/open-mongodb-store';
import { openTcpProxy, type TcpProxy } from '#test/support/tcp-proxy';
import type { StoreFixture } from '../../store-contract/fixture.ts';

/** A store in a database of its own, reached through a proxy that can be broken. */
export interface MongodbFixture extends StoreFixture {
  readonly proxy: TcpProxy;
  readonly other: StateStore;
  /** A plain client of the server, past the proxy. */
  readonly direct: MongoClient;
  readonly database: string;
}

/** How many statements one write command may carry on the server under test. */
function writeBatch(): Pick<MongodbStoreOptions, 'writeBatch'> {
  const given = process.env.MONGODB_WRITE_BATCH;
  return given === undefined ? {} : { writeBatch: Number(given) };
}

function throughProxy(url: string, port: number): string {
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${port}`;
  // Else a client of a replica set goes past the proxy, to the addresses that the members name.
  proxied.searchParams.set('directConnection', 'true');
  return proxied.href;
}

export async function openMongodbFixture(
  url: string,
  options: Partial<MongodbStoreOptions> = {},
): Promise<MongodbFixture> {
  const server = new URL(url);
  const proxy = await openTcpProxy(server.hostname, Number(server.port || 27017));
  const database = `test-${randomUUID()}`;
  const open = () =>
    openMongodbStore({
      url: throughProxy(url, proxy.port),
      database,
      requestTimeoutMs: 3000,
      ...writeBatch(),
      ...options,
    });
  const opened = [await open(), await openMongodbStore({ url, database, ...writeBatch() })] as [StateStore, StateStore];
  const direct = await new MongoClient(url).connect();
  return {
    store: opened[0],
    other: opened[1],
    proxy,
    direct,
    database,
    async restart() {
      await opened[0].close();
      opened[0] = await open();
      return opened[0];
    },
    connection: {
      async lose() {
        proxy.cut();
      },
      async restore() {
        proxy.restore();
      },
    },
    async end() {
      await Promise.all(opened.map((store) => store.close()));
      await proxy.close();
      await direct.db(database).dropDatabase();
      await direct.close();
    },
  };
}
