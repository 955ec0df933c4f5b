import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import Type from 'typebox';
import { defineActor } from '#runtime/actor/define-actor';
import { encodeEnvelope } from '#runtime/node/envelope';
import { createNode } from '#runtime/node/node';
import type { LogProvider } from '#runtime/ports/log-provider';
import { positionOf, positionTimeMs } from '#runtime/ports/position';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';

const bell = defineActor({
  kind: 'bell',
  schemaVersion: 1,
  saving: 'eager',
  state: Type.Object({ rings: Type.Integer() }),
  messages: { ring: Type.Object({}) },
  initial: () => ({ rings: 0 }),
  handlers: { ring: ({ rings }) => ({ state: { rings: rings + 1 }, reply: rings + 1 }) },
});

describe('a partition that saved states reflect and whose cursor never moved', () => {
  /** How many alarms its next owner raises. */
  async function alarmsAfter(noted: boolean): Promise<number> {
    const folder = await mkdtemp(join(tmpdir(), 'high-water-'));
    const embedded = await openEmbedded({ folder, partitions: 1, clock: systemClock });
    const registry = new Registry();
    const node = createNode({
      name: 'test',
      provider: embedded.log,
      store: embedded.store,
      clock: systemClock,
      random: systemRandom,
      definitions: [bell],
      hostsActors: true,
      replicates: [],
      registry,
    });
    try {
      const { leases, log } = embedded.log;
      await log.append(0, [encodeEnvelope({ to: 'bell/one', type: 'ring', body: {} })]);
      const [acquired] = await leases.acquire([0], 'first', 1_000);
      if (noted) await leases.note(acquired!.lease, JSON.stringify(['0-0', 1, '', 0]));
      await embedded.store.raiseHighWater({ partition: 0, position: positionOf(Date.now() + 2_000, 0) });
      await leases.release(acquired!.lease);
      await node.start();
      expect(await node.messenger.ask(bell, 'one', 'ring', {})).to.equal(2);
      const { values } = await registry.getSingleMetric('actor_alarms_total')!.get();
      return values.reduce((sum, { value }) => sum + value, 0);
    } finally {
      await node.stop();
      await embedded.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  it('raises no alarm when its first owner died before it moved the cursor', async () => {
    expect(await alarmsAfter(true)).to.equal(0);
  });

  it('raises one when the log knows of no owner: it has lost what it knew', async () => {
    expect(await alarmsAfter(false)).to.equal(1);
  });
});

describe('two logs whose actors are in one store', () => {
  const horn = defineActor({ ...bell, kind: 'horn' });

  it('say nothing of each other: no alarm, and no log is raised to the clock of the other', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'high-water-'));
    const aheadMs = 600_000;
    const open = (name: string, byMs: number) =>
      openEmbedded({
        folder: join(folder, name),
        partitions: 2,
        clock: { ...systemClock, now: () => Date.now() + byMs },
      });
    const [main, facts] = await Promise.all([open('main', 0), open('facts', aheadMs)]);
    const registries: Registry[] = [];
    const use = async (log: LogProvider, definition: typeof bell, logName?: string) => {
      const registry = new Registry();
      registries.push(registry);
      const node = createNode({
        ...{ name: 'test', provider: log, store: main.store, clock: systemClock, random: systemRandom },
        ...{ definitions: [definition], hostsActors: true, replicates: [], registry, ...(logName && { logName }) },
      });
      await node.start();
      for (const id of ['a', 'b', 'c', 'd', 'e']) await node.messenger.ask(definition, id, 'ring', {});
      await node.stop();
    };
    try {
      // Each log begins once beside marks of the other, and once again.
      for (let round = 0; round < 2; round++) {
        await use(main.log, bell);
        await use(facts.log, horn, 'facts');
      }
      for (const partition of [0, 1]) {
        const { last } = await main.log.log.tail(partition);
        expect(positionTimeMs(last)).to.be.below(Date.now() + aheadMs / 2);
        expect(positionTimeMs(await main.store.highWater({ partition }))).to.be.below(Date.now() + aheadMs / 2);
      }
      for (const registry of registries) {
        const { values } = await registry.getSingleMetric('actor_alarms_total')!.get();
        expect(values.reduce((sum, { value }) => sum + value, 0)).to.equal(0);
      }
    } finally {
      await Promise.all([main.close(), facts.close()]);
      await rm(folder, { recursive: true, force: true });
    }
  });
});
