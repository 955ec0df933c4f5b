import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import Type from 'typebox';
import { defineActor } from '#runtime/actor/define-actor';
import { encodeEnvelope } from '#runtime/node/envelope';
import { type ActorNode, createNode } from '#runtime/node/node';
import { StoreUnavailable } from '#runtime/ports/errors';
import type { StateStore } from '#runtime/ports/store';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';

import { systemRandom } from '#runtime/providers/system/system-random';
import { eventually } from '../../support/eventually.ts';
import { steadyClock } from '../../support/steady-clock.ts';

const sum = (refuses: boolean) =>
  defineActor({
    kind: 'sum',
    schemaVersion: 1,
    saving: 'lazy',
    state: Type.Object({ total: Type.Integer(), parked: Type.Optional(Type.Array(Type.Unknown())) }),
    messages: { add: Type.Object({ amount: Type.Integer() }) },
    initial: () => ({ total: 0 }),
    handlers: {
      add(state, { amount }) {
        if (refuses) throw new Error('a fault of this release');
        state.total += amount;
      },
    },
    onParked: (state, message) => {
      state.parked = [...(state.parked ?? []), message];
    },
    partitionOf: () => 0,
  });

describe('a message that one release parks and another can handle', () => {
  let folder: string;
  let embedded: Embedded;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parked-with-state-'));
    embedded = await openEmbedded({ folder, partitions: 1, clock: steadyClock });
    await embedded.log.log.append(0, [encodeEnvelope({ to: 'sum/all', type: 'add', body: { amount: 5 } })]);
  });

  afterEach(async () => {
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The real store, of which this method fails; counts how often. */
  function failing(method: 'save' | 'park'): { readonly store: StateStore; readonly failures: () => number } {
    let failures = 0;
    const store = new Proxy(embedded.store, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name !== method) return value.bind(target);
        return async () => {
          failures += 1;
          throw new StoreUnavailable('the store is gone');
        };
      },
    });
    return { store, failures: () => failures };
  }

  async function whileRunning(refuses: boolean, store: StateStore, work: (node: ActorNode) => Promise<unknown>) {
    const node = createNode({
      name: `test that ${refuses ? 'refuses' : 'takes'}`,
      provider: embedded.log,
      store,
      clock: steadyClock,
      random: systemRandom,
      definitions: [sum(refuses)],
      hostsActors: true,
      replicates: [],
      tuning: { lazySaveMs: 10, backoffMs: [5, 20], leaseTtlMs: 400, placementIntervalMs: 50 },
    });
    await node.start();
    await work(node);
    await node.stop();
  }

  const saved = async () => {
    const [document] = await embedded.store.load([{ kind: 'sum', id: 'all' }]);
    return document?.state as { readonly total: number; readonly parked?: unknown } | undefined;
  };
  const total = async () => (await saved())?.total ?? null;

  it('is parked by none when the state that covers it was never saved: it would be billed, and billed again by a replay', async () => {
    const { store, failures } = failing('save');
    await whileRunning(true, store, () => eventually('saves that fail', () => failures() > 1));
    await whileRunning(false, embedded.store, async (node) => {
      await eventually('the message handled', async () => (await total()) === 5);
      expect(await node.deadLetters.list({ limit: 10 })).to.deep.equal([]);
    });
  });

  it('is parked by the next when the one that saved so could not', async () => {
    const { store, failures } = failing('park');
    await whileRunning(true, store, () => eventually('letters that fail', () => failures() > 0));
    await whileRunning(false, embedded.store, async (node) => {
      await eventually('the letter', async () => (await node.deadLetters.list({ limit: 10 })).length === 1);
      expect(await total(), 'not handled').to.equal(0);
      const [letter] = await node.deadLetters.list({ limit: 10 });
      await node.deadLetters.replay(letter!.id);
      await eventually('the message replayed', async () => (await total()) === 5);
    });
  });

  it('is noted by its actor in the state that covers it, once, also where the body fits no schema', async () => {
    const body = { amount: 'five' };
    await embedded.log.log.append(0, [encodeEnvelope({ to: 'sum/all', type: 'add', body })]);
    await whileRunning(true, embedded.store, async (node) => {
      await eventually('the letters', async () => (await node.deadLetters.list({ limit: 10 })).length === 2);
    });
    const noted = [
      { type: 'add', body: { amount: 5 } },
      { type: 'add', body },
    ];
    expect(await saved()).to.deep.equal({ total: 0, parked: noted });
  });
});
