import { expect } from 'chai';
import type { Document } from 'mongodb';
import { type Router, shardCollections } from '#runtime/providers/mongodb/shard-collections';
import { exchangeCommand } from '#test/support/exchange-command';
import { mongodbUrl } from '#test/support/real-servers';

const KINDS = [
  { kind: 'account', readByRange: false },
  { kind: 'feed-page', readByRange: true },
];

/** What a router is asked, in order, and what it says; no sharded cluster can be run here. */
class ScriptedRouter implements Router {
  readonly asked: [string, Document][] = [];
  readonly #keys = new Map<string, Document>();
  readonly #hello: Document;

  constructor(hello: Document) {
    this.#hello = hello;
  }

  async command(database: string, command: Document): Promise<Document> {
    if ('hello' in command) return this.#hello;
    this.asked.push([database, command]);
    if (typeof command.shardCollection === 'string') this.#keys.set(command.shardCollection, command.key as Document);
    return { ok: 1 };
  }

  async shardKeyOf(namespace: string): Promise<Document | null> {
    return this.#keys.get(namespace) ?? null;
  }
}

describe('the division of collections among shards', () => {
  async function divide(router: Router): Promise<string[]> {
    const told: string[] = [];
    await shardCollections(router, 'books', KINDS, (collection, outcome) => told.push(`${collection}: ${outcome}`));
    return told;
  }

  it('asks for the hash of the id, and for the id where ranges are read, each once', async () => {
    const router = new ScriptedRouter({ msg: 'isdbgrid' });
    expect(await divide(router)).to.deep.equal(['actors.account: divided', 'actors.feed-page: divided']);
    const once = [
      ['books', { createIndexes: 'actors.account', indexes: [{ key: { _id: 'hashed' }, name: '_id_hashed' }] }],
      ['admin', { shardCollection: 'books.actors.account', key: { _id: 'hashed' } }],
      ['admin', { shardCollection: 'books.actors.feed-page', key: { _id: 1 } }],
    ];
    expect(router.asked).to.deep.equal(once);
    expect(await divide(router)).to.deep.equal(['actors.account: divided before', 'actors.feed-page: divided before']);
    expect(router.asked).to.deep.equal(once);
  });

  it('refuses a server that is no router, and a collection that is divided by something else', async () => {
    const replicaSet = new ScriptedRouter({ setName: 'rs0' });
    expect(await divide(replicaSet).catch(String)).to.include('is no mongos');
    expect(replicaSet.asked).to.deep.equal([]);
    const router = new ScriptedRouter({ msg: 'isdbgrid' });
    await router.command('admin', { shardCollection: 'books.actors.account', key: { partition: 1 } });
    expect(await divide(router).catch(String)).to.include('divided by {"partition":1}');
  });

  it('is refused by the program, with the reason, where the server has no shards', async function () {
    const environment = { MONGODB_URL: mongodbUrl(this), SECRET_KEY: 's'.repeat(32) };
    const run = await exchangeCommand(environment, 'shard-database');
    expect([run.code, run.stdout]).to.deep.equal([2, '']);
    expect(run.stderr).to.equal(
      'Not all is divided: the server at MONGODB_URL is no mongos: only a sharded cluster divides collections\n',
    );
  });
});
