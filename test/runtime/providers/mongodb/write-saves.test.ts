import { expect } from 'chai';
import { type Collection, MongoBulkWriteError, MongoNetworkError } from 'mongodb';
import { StoreUnavailable } from '#runtime/ports/errors';
import type { ActorDocument, SaveOutcome } from '#runtime/ports/store';
import {
  actorsOf,
  type DocumentAtRest,
  documentFromRest,
  documentToRest,
} from '#runtime/providers/mongodb/document-at-rest';
import { writeSaves } from '#runtime/providers/mongodb/write-saves';
import { mongodbUrl } from '#test/support/real-servers';
import { document } from '../../store-contract/documents.ts';
import { type MongodbFixture, openMongodbFixture } from './mongodb-fixture.ts';

const KIND = 'account';

/** The real collection, but what it answers to a write is lost on the way: after the write, or before it. */
function losing(collection: Collection<DocumentAtRest>, lost: 'answer' | 'command'): Collection<DocumentAtRest> {
  return new Proxy(collection, {
    get(target, name) {
      if (name !== 'bulkWrite') {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return async (...call: Parameters<typeof target.bulkWrite>) => {
        if (lost === 'answer') await target.bulkWrite(...call).catch(() => {});
        throw new MongoNetworkError('connection closed');
      };
    },
  });
}

/** The real collection, but no majority confirms a write in time. */
function unconfirmed(collection: Collection<DocumentAtRest>): Collection<DocumentAtRest> {
  const wait = { code: 64, errmsg: 'waiting for replication timed out', errInfo: { wtimeout: true } };
  return new Proxy(collection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'bulkWrite') return typeof value === 'function' ? value.bind(target) : value;
      return async (...call: Parameters<typeof target.bulkWrite>) => {
        try {
          const result = await target.bulkWrite(...call);
          throw new MongoBulkWriteError({ message: wait.errmsg, code: wait.code, writeErrors: [] }, result);
        } catch (error) {
          if (error instanceof MongoBulkWriteError) error.result.getWriteConcernError = () => wait as never;
          throw error;
        }
      };
    },
  });
}

describe('saves whose answer is lost on the way from MongoDB', () => {
  let fixture: MongodbFixture;
  let actors: Collection<DocumentAtRest>;

  before(async function () {
    fixture = await openMongodbFixture(mongodbUrl(this));
    actors = actorsOf(fixture.direct.db(fixture.database), KIND);
  });
  after(async () => fixture?.end());

  async function write(
    collection: Collection<DocumentAtRest>,
    documents: readonly ActorDocument[],
  ): Promise<(SaveOutcome | Error)[]> {
    const outcomes: (SaveOutcome | Error)[] = [];
    const settle = (index: number) => (outcome: SaveOutcome | Error) => {
      expect(outcomes[index], 'settled twice').to.equal(undefined);
      outcomes[index] = outcome;
    };
    const saves = documents.map((one, index) => ({
      document: documentToRest(one),
      bytes: 0,
      askedAtMs: performance.now(),
      resolve: settle(index),
      reject: settle(index),
    }));
    await writeSaves(collection, saves, 3000, (work) => work());
    return outcomes;
  }

  it('count as saved when they are found, and as conflict when another stands there', async () => {
    const taken = document(KIND, 'taken', { writer: 'another' });
    const old = document(KIND, 'old');
    expect(await write(actors, [taken, old])).to.deep.equal(['saved', 'saved']);
    const documents = [
      document(KIND, 'new'),
      document(KIND, 'taken', { writer: 'mine' }),
      document(KIND, 'old', { version: 2 }),
    ];
    expect(await write(losing(actors, 'answer'), documents)).to.deep.equal(['saved', 'conflict', 'saved']);
    const stored = await actors.find({}, { sort: { _id: 1 } }).toArray();
    expect(stored.map((one) => documentFromRest(KIND, one))).to.deep.equal([documents[0], documents[2], taken]);
  });

  it('are unknown as long as they may yet come, even over a version that does not fit', async () => {
    await write(actors, [document(KIND, 'before')]);
    const outcomes = await write(losing(actors, 'command'), [
      document(KIND, 'never'),
      document(KIND, 'before', { version: 2 }),
      document(KIND, 'before-its-time', { version: 3 }),
    ]);
    for (const outcome of outcomes) expect(outcome).to.be.instanceOf(StoreUnavailable);
    expect((outcomes[0] as StoreUnavailable).cause).to.be.instanceOf(MongoNetworkError);
  });

  it('are read back when no majority confirmed them, though all that was refused is a duplicate', async () => {
    await write(actors, [document(KIND, 'u1', { writer: 'another' }), document(KIND, 'u2')]);
    const read: string[] = [];
    const watched = new Proxy(unconfirmed(actors), {
      get(target, name) {
        const value = Reflect.get(target, name, target) as unknown;
        if (name !== 'find') return value;
        return (filter: { _id: { $in: string[] } }, options: object) => {
          read.push(...filter._id.$in);
          return target.find(filter, options);
        };
      },
    });
    const outcomes = await write(watched, [document(KIND, 'u1'), document(KIND, 'u2', { version: 2 })]);
    expect(outcomes).to.deep.equal(['conflict', 'saved']);
    expect(read).to.deep.equal(['u1', 'u2']);
  });

  it('decide each document on its own when the database refuses some', async () => {
    await write(actors, [document(KIND, 'r1'), document(KIND, 'r2'), document(KIND, 'r3')]);
    const outcomes = await write(actors, [
      document(KIND, 'r1', { version: 2 }),
      document(KIND, 'r2', { version: 3 }),
      document(KIND, 'r3', { writer: 'late' }),
      document(KIND, 'r4'),
      document(KIND, 'r5', { version: 2 }),
    ]);
    expect(outcomes).to.deep.equal(['saved', 'conflict', 'conflict', 'saved', 'conflict']);
  });
});
