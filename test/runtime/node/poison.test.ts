import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import Type from 'typebox';
import { defineActor } from '#runtime/actor/define-actor';
import { encodeEnvelope } from '#runtime/node/envelope';
import { createNode } from '#runtime/node/node';
import type { Tuning } from '#runtime/node/tuning';
import { StoreUnavailable } from '#runtime/ports/errors';
import type { LeaseTable } from '#runtime/ports/leases';
import type { StateStore } from '#runtime/ports/store';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';

import { systemRandom } from '#runtime/providers/system/system-random';
import { eventually } from '../../support/eventually.ts';
import { steadyClock } from '../../support/steady-clock.ts';

const MESSAGES = 30;
const POISON = 20;
const TUNING = { leaseTtlMs: 60, placementIntervalMs: 20, commitIntervalMs: 5, carefulAfter: 2, parkAfterDeaths: 2 };

describe('a message that ends the processes that handle it', () => {
  let folder: string;
  let embedded: Embedded;

  beforeEach(async () => {
    notes = 0;
    lethal = true;
    folder = await mkdtemp(join(tmpdir(), 'poison-'));
    embedded = await openEmbedded({ folder, partitions: 1, clock: steadyClock });
  });

  afterEach(async () => {
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** How often something was noted beside a cursor. */
  let notes = 0;
  let lethal = true;
  const counted = (leases: LeaseTable): LeaseTable =>
    new Proxy(leases, {
      get(target, name) {
        const value = Reflect.get(target, name, target) as (...call: unknown[]) => unknown;
        return (...call: unknown[]) => {
          if (name === 'note') notes++;
          return value.apply(target, call);
        };
      },
    });

  /** A process that is never heard of again once its reducer meets the poison. */
  function start(tuning: Partial<Tuning> = {}, store: StateStore = embedded.store) {
    let dead = () => {};
    const died = new Promise<'died'>((resolve) => {
      dead = () => resolve('died');
    });
    let alive = true;
    const mortal = <T extends object>(part: T): T =>
      new Proxy(part, {
        get(target, name) {
          const value = Reflect.get(target, name, target) as unknown;
          if (typeof value !== 'function') return value;
          return (...call: unknown[]) => (alive ? value.apply(target, call) : new Promise(() => {}));
        },
      });
    const list = defineActor({
      kind: 'list',
      schemaVersion: 1,
      saving: 'eager',
      state: Type.Object({ had: Type.Array(Type.Integer()) }),
      messages: { add: Type.Object({ number: Type.Integer() }) },
      initial: () => ({ had: [] as number[] }),
      handlers: {
        add(state, { number }) {
          if (number === POISON && lethal) {
            alive = false;
            dead();
          }
          return { state: { had: [...state.had, number] } };
        },
      },
      partitionOf: () => 0,
    });
    const { log } = embedded;
    const node = createNode({
      name: 'mortal',
      provider: { ...log, log: mortal(log.log), leases: mortal<LeaseTable>(counted(log.leases)) },
      store: mortal<StateStore>(store),
      clock: steadyClock,
      random: systemRandom,
      definitions: [list],
      hostsActors: true,
      replicates: [],
      tuning: { ...TUNING, ...tuning },
    });
    return { node, died, list };
  }

  const message = (number: number) => encodeEnvelope({ to: 'list/one', type: 'add', body: { number } });
  const had = async () => {
    const [document] = await embedded.store.load([{ kind: 'list', id: 'one' }]);
    return (document?.state as { had: number[] } | undefined)?.had ?? [];
  };
  const lastHandled = (last: number) => eventually('the last message', async () => (await had()).at(-1) === last);

  it('is handled with care from the first takeover on', async () => {
    const messages = Array.from({ length: MESSAGES }, (_, number) => message(number));
    await embedded.log.log.append(0, messages);
    let deaths = 0;
    for (; ; deaths++) {
      expect(deaths, 'processes that died').to.be.at.most(2 + TUNING.parkAfterDeaths);
      const { node, died } = start({ carefulAfter: 1_000 });
      await node.start();
      const done = lastHandled(MESSAGES - 1);
      done.catch(() => {});
      if ((await Promise.race([done, died])) === 'died') continue;
      await node.stop();
      break;
    }
    expect(await embedded.store.deadLetters({ limit: 10 })).to.have.length(1);
  });

  it('costs a backlog little when the process ended of something else', async () => {
    const first = start();
    await first.node.start();
    await first.node.messenger.tell(first.list, 'one', 'add', { number: POISON });
    await first.died;
    const backlog = 5_000;
    const numbers = Array.from({ length: backlog }, (_, number) => number).filter((number) => number !== POISON);
    await embedded.log.log.append(0, numbers.map(message));
    notes = 0;
    lethal = false;
    const second = start();
    await second.node.start();
    await lastHandled(backlog - 1);
    await second.node.stop();
    expect(await had()).to.deep.equal([POISON, ...numbers]);
    expect(notes, 'notes').to.be.within(20, 120);
  });

  it('is not what an outage of the store makes of a message in hand', async () => {
    const dying = start();
    await dying.node.start();
    await dying.node.messenger.tell(dying.list, 'one', 'add', { number: POISON });
    await dying.died;
    await embedded.log.log.append(0, [message(POISON + 1)]);
    let failures = 0;
    const failing = new Proxy(embedded.store, {
      get(target, name) {
        if (name === 'save' && failures < 5 * TUNING.parkAfterDeaths) {
          failures++;
          return () => Promise.reject(new StoreUnavailable('away'));
        }
        const value = Reflect.get(target, name, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    lethal = false;
    const { node } = start({}, failing);
    await node.start();
    await lastHandled(POISON + 1);
    await node.stop();
    expect(await had()).to.deep.equal([POISON, POISON + 1]);
    expect(await embedded.store.deadLetters({ limit: 10 })).to.deep.equal([]);
  });

  it('is parked after a few, wherever in a batch it stands, and the rest is handled', async () => {
    await embedded.log.log.append(
      0,
      Array.from({ length: MESSAGES }, (_, number) => message(number)),
    );
    for (let deaths = 0; ; deaths++) {
      expect(deaths, 'processes that died').to.be.at.most(TUNING.carefulAfter + TUNING.parkAfterDeaths);
      const { node, died } = start();
      await node.start();
      const done = eventually('the last message', async () => (await had()).at(-1) === MESSAGES - 1 && 'done');
      done.catch(() => {});
      if ((await Promise.race([done, died])) === 'died') continue;
      await node.stop();
      break;
    }
    expect(await had()).to.deep.equal(Array.from({ length: MESSAGES }, (_, at) => at).filter((at) => at !== POISON));
    const letters = await embedded.store.deadLetters({ limit: 10 });
    expect(letters.map(({ payload }) => payload)).to.deep.equal([message(POISON)]);
  });
});
