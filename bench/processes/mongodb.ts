import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';

export interface OwnDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A database that only this benchmark uses, on the server at `url`. */
export function ownMongodb(url: string): OwnDatabase {
  const name = `bench_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    url: own.href,
    async drop() {
      const client = await MongoClient.connect(url);
      try {
        await client.db(name).dropDatabase();
      } finally {
        await client.close();
      }
    },
  };
}
