import { expect } from 'chai';
import { Binary, type ClientSession, type ClusterTime, Long, MongoClient, Timestamp } from 'mongodb';
import type { StateStore } from '#runtime/ports/store';
import { CausalTimes, decodeTimes, encodeTimes } from '#runtime/providers/mongodb/causal-times';
import { openMongodbStore } from '#runtime/providers/mongodb/open-mongodb-store';
import { collect, document, letter } from '../../store-contract/documents.ts';
import { type CausalServer, openCausalServer } from './causal-server.ts';

const timestamp = (seconds: number, number: number) => new Timestamp({ t: seconds, i: number });
const clusterTime = (seconds: number): ClusterTime => ({
  clusterTime: timestamp(seconds, 1),
  signature: { hash: new Binary(Buffer.alloc(20, seconds % 256)), keyId: Long.fromString('7223372036854775807') },
});

/** What a server's answer does to the session of its command. */
const answered = (operation: Timestamp, cluster: ClusterTime) => async (session?: ClientSession) => {
  session!.advanceClusterTime(cluster);
  session!.advanceOperationTime(operation);
};

describe('the times that MongoDB tells', () => {
  // Sessions begin and end without a server.
  const client = new MongoClient('mongodb://127.0.0.1:1');
  after(() => client.close());

  it('come through a token as they were', () => {
    const operationTime = timestamp(1_795_250_000, 7);
    const token = encodeTimes({ operationTime, clusterTime: clusterTime(1_795_250_001) });
    expect(token).to.match(/^[0-9a-f]{16}\.[\w-]+$/);
    expect(token.length).to.be.below(300);
    const times = decodeTimes(token)!;
    expect(times.operationTime.equals(operationTime)).to.equal(true);
    expect(times.clusterTime.clusterTime.equals(timestamp(1_795_250_001, 1))).to.equal(true);
    const { hash, keyId } = times.clusterTime.signature!;
    expect(hash.buffer).to.deep.equal(clusterTime(1_795_250_001).signature!.hash.buffer);
    expect(keyId.toString()).to.equal('7223372036854775807');
    expect(encodeTimes(times)).to.equal(token);
  });

  it('are none where the server tells none', async () => {
    expect(encodeTimes({})).to.equal('');
    expect(decodeTimes('')).to.equal(null);
    const times = new CausalTimes(client, false);
    expect(await times.after('')(async (session) => session)).to.equal(undefined);
    expect(times.token).to.equal('');
  });

  it('go from each command to the next, and by a token to those of another process', async () => {
    const [here, there] = [new CausalTimes(client, true), new CausalTimes(client, true)];
    await here.after('')(answered(timestamp(20, 2), clusterTime(20)));
    const { token } = here;
    await here.after('')(async (session) => {
      expect(session!.operationTime?.equals(timestamp(20, 2))).to.equal(true);
      expect(session!.clusterTime?.clusterTime.equals(timestamp(20, 1))).to.equal(true);
    });
    await there.after('')(answered(timestamp(10, 1), clusterTime(30)));
    await there.after(token)(async (session) => {
      expect(session!.operationTime?.equals(timestamp(20, 2))).to.equal(true);
    });
    // Its own are newer: the token takes nothing back.
    await there.after('')(answered(timestamp(40, 1), clusterTime(40)));
    await there.after(token)(async (session) => {
      expect(session!.operationTime?.equals(timestamp(40, 1))).to.equal(true);
    });
  });

  it('are noted of commands that fail, too: what they wrote may stand', async () => {
    const times = new CausalTimes(client, true);
    const failing = async (session?: ClientSession) => {
      await answered(timestamp(20, 2), clusterTime(20))(session);
      throw new Error('no majority in time');
    };
    await times
      .after('')(failing)
      .catch(() => {});
    expect(decodeTimes(times.token)?.operationTime.equals(timestamp(20, 2))).to.equal(true);
  });
});

describe('a store on a server that tells times', () => {
  let server: CausalServer;
  let store: StateStore;
  before(async () => {
    server = await openCausalServer();
    store = await openMongodbStore({ url: server.url });
  });
  after(async () => {
    await store?.close();
    await server?.close();
  });

  const KIND = 'ledger';
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    load: () => store.load([{ kind: KIND, id: 'a' }]),
    save: async () => expect(await store.save([document(KIND, 'a')])).to.deep.equal(['saved']),
    'save over a version': async () =>
      expect(await store.save([document(KIND, 'a', { version: 2 })])).to.deep.equal(['saved']),
    'save with a mark': () => store.save([document(KIND, 'b')], { partition: 0, position: '1795250000000-0' }),
    query: () => store.query(KIND, { where: { name: 'a' }, limit: 1 }),
    page: () => store.page(KIND, { after: '', limit: 1 }),
    countBy: () => store.countBy(KIND, 'name'),
    find: () => store.find(KIND, { limit: 1 }),
    idsBetween: () => store.idsBetween(KIND, { after: '', limit: 1 }),
    tombstones: () => store.tombstones(KIND, '1795250000000-0', 1),
    scan: () => collect(store.scan(KIND)),
    versions: () => collect(store.versions(KIND)),
    purge: () => store.purge(KIND, [{ id: 'a', version: 1 }]),
    park: () => store.park([letter('0:1795250000000-0')]),
    deadLetters: () => store.deadLetters({ limit: 1 }),
    deadLetter: () => store.deadLetter('0:1795250000000-0'),
    markReplayed: () => store.markReplayed('0:1795250000000-0', 1),
    markDiscarded: () => store.markDiscarded('0:1795250000000-0', { atMs: 1, by: 'operator', why: 'obsolete' }),
    highWater: () => store.highWater({ partition: 0 }),
    raiseHighWater: () => store.raiseHighWater({ partition: 0, position: '1795250000000-0' }),
    putIfAbsent: () => store.putIfAbsent('name', 'value'),
    getValue: () => store.getValue('name'),
    withdraw: () => store.withdraw('name'),
    latestToken: () => store.latestToken(),
  };
  const READS = ['find', 'aggregate'];

  for (const [name, call] of Object.entries(calls)) {
    it(`has a token of what ${name} was answered, and begins after the token before`, async () => {
      await store.latestToken();
      const before = server.lastTime;
      server.take();
      await call();
      const seen = server.take();
      expect(seen).to.not.be.empty;
      expect(decodeTimes(store.token())!.operationTime.toString()).to.equal(server.lastTime.toString());
      for (const { name: command, after } of seen.filter(({ name: one }) => READS.includes(one))) {
        expect(after?.greaterThanOrEqual(before), `${command} after ${after}`).to.equal(true);
      }
    });
  }

  it('has a token of all saves that go side by side', async () => {
    const kinds = ['ledger', 'account', 'budget', 'pool', 'tally', 'campaign'];
    const saves = await Promise.all(kinds.map((kind) => store.save([document(kind, 'a')])));
    expect(saves).to.deep.equal(kinds.map(() => ['saved']));
    expect(decodeTimes(store.token())!.operationTime.toString()).to.equal(server.lastTime.toString());
  });
});
