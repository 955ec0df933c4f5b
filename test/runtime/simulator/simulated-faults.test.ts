import { expect } from 'chai';
import { NO_BROKEN_LAWS } from '#runtime/node/laws';
import { LogUnavailable } from '#runtime/ports/errors';
import { type Position, positionOf, START } from '#runtime/ports/position';
import { Link } from '#runtime/simulator/link';
import { LogServer } from '#runtime/simulator/log-server';
import type { GroupServer } from '#runtime/simulator/replicas/group-server';
import { LogGroup } from '#runtime/simulator/replicas/log-group';
import type { Replication } from '#runtime/simulator/replicas/replication';
import { SimulatedLog } from '#runtime/simulator/simulated-log';
import { SimulatedProcess } from '#runtime/simulator/simulated-process';
import { simulate } from '#runtime/simulator/simulation';
import { createWorld } from '#runtime/simulator/world';
import { simulateMoney } from '../../simulation/money/simulate-money.ts';
import { pacedWorld } from './paced-world.ts';

const SIZE = { partitions: 2, catalogueBound: 100 };
const PLAN: Replication = {
  servers: 2,
  members: 2,
  minReplicas: 1,
  lagMs: 1,
  dropAfterMs: 1_000,
  approvalMs: 1_000,
  faultKinds: new Map(),
};

describe('the faults of the simulator', () => {
  it('reject a read that does not wait while one of its partitions is away, and leave the partition out of one that waits', async () => {
    const { world, stop } = pacedWorld('a shard is away');
    const server = new LogServer(world, SIZE.partitions, SIZE.catalogueBound, NO_BROKEN_LAWS);
    const process = new SimulatedProcess('process', world.time, world.random);
    const provider = new SimulatedLog(server, process, world, 200);
    try {
      await provider.log.append(0, ['a']);
      await provider.log.append(1, ['b']);
      world.shards.set([1]);
      const both = new Map([
        [0, START],
        [1, START],
      ]);
      const refused = await provider.log.read(both, 10, 0).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(LogUnavailable);
      expect([...(await provider.log.read(both, 10, 1_000)).keys()]).to.deep.equal([0]);
      world.shards.set([]);
      expect([...(await provider.log.read(both, 10, 0)).keys()]).to.deep.equal([0, 1]);
    } finally {
      await provider.close();
      await stop();
    }
  });

  it('lose entries of a region whole as they came: not the rest of a batch that was read and trimmed in part', async () => {
    const { world, stop } = pacedWorld('a torn batch');
    const server = new LogServer(world, 1, SIZE.catalogueBound, NO_BROKEN_LAWS);
    const batches = new Map<Position, number>();
    let batch = 0;
    server.observer = {
      ...server.observer,
      appended(_, entries) {
        batch += 1;
        for (const { position } of entries) batches.set(position, batch);
      },
    };
    const provider = new SimulatedLog(server, new SimulatedProcess('process', world.time, world.random), world, 2_000);
    const bring = (after: number, ids: readonly number[]) => {
      const entry = (id: number) => ({ id: `${id}`, bucketMs: 0, expiresAtMs: server.nowMs, payload: `${id}` });
      const entries = ids.map((id) => ({ ...entry(id), from: positionOf(id, 0), isOwn: true }));
      const at = after === 0 ? START : positionOf(after, 0);
      return provider.relayed.appendRelayed(0, 'nyc#1', { after: at, entries, throughMs: 0 });
    };
    try {
      await bring(0, [1, 2]);
      await bring(2, [3, 4]);
      const [first] = (await provider.log.read(new Map([[0, START]]), 1, 0)).get(0)!;
      const [acquired] = await provider.leases.acquire([0], 'owner', 60_000);
      await provider.leases.commit(acquired!.lease, first!.position);
      expect(server.loseUnread(0, (position) => batches.get(position))).to.equal(2);
      expect(server.partition(0).entries.map(({ payload }) => payload)).to.deep.equal(['2']);
      expect(await bring(2, [])).to.equal(positionOf(2, 0));
    } finally {
      await provider.close();
      await stop();
    }
  });

  it('let a reply cross a link in its time, and lose what is on the way when the link is cut', async () => {
    const world = createWorld('a reply over a link');
    const server = new LogServer(world, SIZE.partitions, SIZE.catalogueBound, NO_BROKEN_LAWS);
    const process = new SimulatedProcess('process', world.time, world.random);
    const provider = new SimulatedLog(server, process, world, 2_000);
    const link = new Link(150);
    provider.connection.link = link;
    const heard: string[] = [];
    void provider.replies.listen('address', (payload) => heard.push(payload));
    await world.time.run(() => false, 1_000);
    const near = new SimulatedLog(server, new SimulatedProcess('near', world.time, world.random), world, 2_000);
    void near.replies.send('address', 'first');
    await world.time.run(() => heard.length > 0, 3_000);
    expect([heard, world.time.nowMs > 1_150]).to.deep.equal([['first'], true]);
    void near.replies.send('address', 'second');
    await world.time.run(() => false, world.time.nowMs + 100);
    link.isCut = true;
    await world.time.run(() => false, 5_000);
    expect(heard).to.deep.equal(['first']);
  });

  it('never write to a replica, whose offset acknowledgements stand on', () => {
    const group = new LogGroup(createWorld('a replica'), PLAN, SIZE, NO_BROKEN_LAWS);
    const [primary, replica] = group.servers;
    primary!.server.publish(['taken']);
    expect(() => replica!.server.publish(['refused'])).to.throw('is a replica');
  });

  it('show readers no entry that a server of the set lacks', async () => {
    const world = createWorld('a cut link');
    const group = new LogGroup(world, PLAN, SIZE, NO_BROKEN_LAWS);
    const [primary, replica] = group.servers;
    const append = (one: GroupServer, payload: string) =>
      new Promise<void>((resolve, reject) => one.server.append(1, [payload], undefined, () => resolve(), reject));
    const payloads = () => group.readable.map((entries) => entries.map(({ payload }) => payload));
    const until = (done: () => boolean) => world.time.run(done, world.time.nowMs + 60_000);

    await until(() => replica!.attached);
    let synced = append(primary!, 'everywhere');
    await until(() => payloads()[1]!.length > 0);
    await synced;
    expect(payloads()).to.deep.equal([[], ['everywhere']]);

    group.cut(primary!.name, replica!.name);
    synced = append(primary!, 'one side');
    await until(() => primary!.server.visible[1]!.length > 1);
    await synced;
    expect(payloads(), 'during the cut').to.deep.equal([[], ['everywhere']]);
    group.heal(primary!.name, replica!.name);
    await until(() => payloads()[1]!.length > 1);
    expect(payloads(), 'after it').to.deep.equal([[], ['everywhere', 'one side']]);
  });

  // Each told of a difference that the simulator had made itself: a partition on a shard that was away read as empty, a
  // catalogue recreated at a replica, whose acknowledgements then covered entries that it did not have, and a barrier
  // that was to cover an entry of one side of a split brain, which no other server had and which its producer appended
  // again behind the barrier.
  for (const seed of [5_200_122, 5_200_440, 5_200_922, 9_910_025]) {
    it(`keep every promise under the seed ${seed}`, async () => {
      const { violations } = await simulate(seed);
      expect(violations).to.deep.equal([]);
    });
  }

  it('keep no server that has lost its data as the last one in sync (a drop that is kept late)', async () => {
    const { violations } = await simulateMoney(6_200_343);
    expect(violations).to.deep.equal([]);
  });
});
