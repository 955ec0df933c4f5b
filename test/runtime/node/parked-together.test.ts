import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import Type from 'typebox';
import { defineActor } from '#runtime/actor/define-actor';
import { encodeEnvelope } from '#runtime/node/envelope';
import { createNode } from '#runtime/node/node';
import type { StateStore } from '#runtime/ports/store';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { eventually } from '../../support/eventually.ts';

/** A database takes documents of 16 MiB; an actor's state needs some of that. */
const LARGEST_OUTBOX = 8 * 1_048_576;
const MESSAGES = 48;
const MESSAGE_BYTES = 400_000;

const refusing = defineActor({
  kind: 'refusing',
  schemaVersion: 1,
  saving: 'lazy',
  state: Type.Object({}),
  messages: { take: Type.Object({ text: Type.String() }) },
  initial: () => ({}),
  handlers: {
    take() {
      throw new Error('a fault of this release');
    },
  },
  partitionOf: () => 0,
});

describe('messages for one actor that are parked together', () => {
  it('leave in several saves when one document could not hold them all', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parked-together-'));
    const embedded = await openEmbedded({ folder, partitions: 1, clock: systemClock });
    const text = 'x'.repeat(MESSAGE_BYTES);
    const payload = encodeEnvelope({ to: 'refusing/all', type: 'take', body: { text } });
    const positions = await embedded.log.log.append(0, Array<string>(MESSAGES).fill(payload));
    let largest = 0;
    const store: StateStore = new Proxy(embedded.store, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name !== 'save') return typeof value === 'function' ? value.bind(target) : value;
        return (...saved: Parameters<StateStore['save']>) => {
          for (const { outbox } of saved[0]) largest = Math.max(largest, JSON.stringify(outbox).length);
          return target.save(...saved);
        };
      },
    });
    const node = createNode({
      name: 'test',
      provider: embedded.log,
      store,
      clock: systemClock,
      random: systemRandom,
      definitions: [refusing],
      hostsActors: true,
      replicates: [],
      tuning: { batchSize: MESSAGES },
    });
    try {
      await node.start();
      const letters = () => node.deadLetters.list({ limit: 2 * MESSAGES });
      await eventually('every letter', async () => (await letters()).length === MESSAGES, { timeoutMs: 60_000 });
      expect((await letters()).map(({ position }) => position)).to.have.members(positions);
      expect(largest).to.be.above(MESSAGE_BYTES).and.at.most(LARGEST_OUTBOX);
    } finally {
      await node.stop();
      await embedded.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
