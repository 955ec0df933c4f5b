import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import Type from 'typebox';
import { defineActor } from '#runtime/actor/define-actor';
import { encodeEnvelope } from '#runtime/node/envelope';
import { createNode } from '#runtime/node/node';
import { positionOf } from '#runtime/ports/position';
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
      await embedded.store.raiseHighWater(0, positionOf(Date.now() + 2_000, 0));
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
