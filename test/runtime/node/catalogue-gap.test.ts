import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import type { ProjectionChange } from '#runtime/actor/replica';
import { type ActorNode, createNode, type NodeOptions } from '#runtime/node/node';
import { openMongodbStore } from '#runtime/providers/mongodb/open-mongodb-store';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { eventually } from '../../support/eventually.ts';
import { mongodbUrl, redisUrl } from '../../support/real-servers.ts';
import { openMongodbFixture } from '../providers/mongodb/mongodb-fixture.ts';
import { openRedisHarness } from '../providers/redis/redis-log-harness.ts';
import { counter } from './counter.ts';

const ACTORS = 200;
const KEPT = 100;

describe('a replica that is held up while the catalogue log on Redis goes on', () => {
  const kind = counter();
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** A node with a log and a store of its own, as in a process of its own. */
  async function startNode(
    place: { readonly url: string; readonly prefix: string; readonly database: string; readonly mongodb: string },
    options: Partial<NodeOptions>,
    prepare: (node: ActorNode) => void = () => undefined,
  ) {
    const kept = { entries: KEPT, bytes: 1_048_576 };
    const provider = await openRedisLog({ url: place.url, prefix: place.prefix, partitions: 4, keptCatalogue: kept });
    ends.push(() => provider.close());
    const store = await openMongodbStore({ url: place.mongodb, database: place.database, writeBatch: 16 });
    ends.push(() => store.close());
    const registry = new Registry();
    const warnings: string[] = [];
    const warn = (_fields: object, message: string) => void warnings.push(message);
    const node = createNode({
      name: randomUUID(),
      provider,
      store,
      clock: systemClock,
      random: systemRandom,
      definitions: [kind],
      hostsActors: false,
      replicates: [],
      logger: { debug: () => undefined, info: () => undefined, warn, error: warn },
      registry,
      ...options,
    });
    prepare(node);
    await node.start();
    ends.push(() => node.stop());
    const metric = async (name: string) => (await registry.getSingleMetric(name)!.get()).values[0]?.value ?? 0;
    return { node, metric, warnings, catalogue: provider.catalogue };
  }

  it('loads what has changed and nothing else, and tells of each change once', async function () {
    const harness = await openRedisHarness(redisUrl(this));
    ends.push(() => harness.close());
    const mongodb = mongodbUrl(this);
    const { database, end } = await openMongodbFixture(mongodb);
    ends.push(end);
    const place = { url: redisUrl(this), prefix: harness.prefix, database, mongodb };
    const { node, catalogue } = await startNode(place, { hostsActors: true });
    const add = (id: string, n: number) => node.messenger.ask(kind, id, 'add', { n });
    await Promise.all(Array.from({ length: ACTORS }, (_, index) => add(`a${index}`, 1)));

    const changes: ProjectionChange[] = [];
    let go: (() => void) | null = null;
    const reader = await startNode(place, {}, ({ replica }) =>
      replica.follow('counter', (change) => {
        changes.push(change);
        if (change.id !== 'held') return undefined;
        return new Promise<void>((resolve) => (go = resolve));
      }),
    );
    expect(changes).to.have.length(ACTORS);
    expect(await reader.metric('catalogue_documents_total')).to.equal(ACTORS);
    await add('held', 1);
    await eventually('the follower to be held up', () => go !== null);

    const heldAt = await catalogue.tail();
    // Changes of one actor that are under way together have one projection.
    for (let round = 0; round < 80; round += 1) {
      await Promise.all(Array.from({ length: 5 }, (_, index) => add(`a${index}`, 1)));
    }
    await node.messenger.ask(kind, 'a5', 'remove', {});
    await add('a6', -1);
    await add('new', 7);
    await eventually('the entries to be dropped', async () => {
      const [oldest] = await catalogue.read(heldAt, 1, 0);
      return oldest !== undefined && oldest.number > heldAt + KEPT;
    });
    const newest = await catalogue.tail();
    changes.length = 0;
    go!();
    // On a busy machine the read that is held up may fail first, which begins a snapshot too.
    const gap = 'the catalogue has a gap; taking a new snapshot';
    await eventually('the gap to be found', () => reader.warnings.includes(gap));
    await eventually('the gap to be closed', () => changes.some(({ id }) => id === 'new'));
    expect(newest - heldAt).to.be.at.least(4 * KEPT + 3);
    // The document whose entry was held up is loaded again where its read has failed.
    expect(await reader.metric('catalogue_documents_total')).to.be.within(ACTORS + 8, ACTORS + 9);
    const counted = Array.from({ length: 5 }, (_, index) => ({ id: `a${index}`, projection: { value: 81 } }));
    expect(changes.map(({ id, projection }) => ({ id, projection }))).to.have.deep.members([
      ...counted,
      { id: 'a5', projection: null },
      { id: 'a6', projection: null },
      { id: 'new', projection: { value: 7 } },
    ]);

    await add('a7', 1);
    await eventually('the log to be followed again', () => changes.some(({ id }) => id === 'a7'));
    expect(changes).to.have.length(9);
  });

  it('loads what has changed when the log was lost and began anew', async function () {
    const harness = await openRedisHarness(redisUrl(this));
    ends.push(() => harness.close());
    const mongodb = mongodbUrl(this);
    const { database, end } = await openMongodbFixture(mongodb);
    ends.push(end);
    const place = { url: redisUrl(this), prefix: harness.prefix, database, mongodb };
    const { node } = await startNode(place, { hostsActors: true });
    const add = (id: string, n: number) => node.messenger.ask(kind, id, 'add', { n });
    await Promise.all(Array.from({ length: 20 }, (_, index) => add(`a${index}`, 1)));
    const reader = await startNode(place, { replicates: ['counter'] });
    const view = (id: string) => reader.node.replica.get<{ value: number }>('counter', id)?.value;
    expect(reader.node.replica.all('counter').size).to.equal(20);

    await harness.wipeCatalogue!();
    await add('a3', 4);
    await eventually('the change', () => view('a3') === 5);
    expect(view('a4')).to.equal(1);
    await eventually('the gap to be closed', async () => (await reader.metric('catalogue_snapshots_total')) >= 2);
    expect(await reader.metric('catalogue_documents_total')).to.be.within(20, 21);
  });
});
