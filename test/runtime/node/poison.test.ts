import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import Type from 'typebox';
import { defineActor } from '../../../runtime/actor/define-actor.ts';
import { encodeEnvelope } from '../../../runtime/node/envelope.ts';
import { createNode } from '../../../runtime/node/node.ts';
import type { LeaseTable } from '../../../runtime/ports/leases.ts';
import type { StateStore } from '../../../runtime/ports/store.ts';
import { type Embedded, openEmbedded } from '../../../runtime/providers/embedded/open-embedded.ts';
import { systemClock } from '../../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../../runtime/providers/system/system-random.ts';
import { eventually } from '../../support/eventually.ts';

const MESSAGES = 30;
const POISON = 20;
const TUNING = { leaseTtlMs: 60, placementIntervalMs: 20, commitIntervalMs: 5, carefulAfter: 2, parkAfterDeaths: 2 };

describe('a message that ends the processes that handle it', () => {
  let folder: string;
  let embedded: Embedded;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'poison-'));
    embedded = await openEmbedded({ folder, partitions: 1, clock: systemClock });
  });

  afterEach(async () => {
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A process that is never heard of again once its reducer meets the poison. */
  function start() {
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
      handle(state, { body }) {
        if (body.number === POISON) {
          alive = false;
          dead();
        }
        return { state: { had: [...state.had, body.number] } };
      },
      partitionOf: () => 0,
    });
    const { log } = embedded;
    const node = createNode({
      name: 'mortal',
      provider: { ...log, log: mortal(log.log), leases: mortal<LeaseTable>(log.leases) },
      store: mortal<StateStore>(embedded.store),
      clock: systemClock,
      random: systemRandom,
      definitions: [list],
      hostsActors: true,
      replicates: [],
      tuning: TUNING,
    });
    return { node, died };
  }

  it('is parked after a few, wherever in a batch it stands, and the rest is handled', async () => {
    const message = (number: number) => encodeEnvelope({ to: 'list/one', type: 'add', body: { number } });
    await embedded.log.log.append(
      0,
      Array.from({ length: MESSAGES }, (_, number) => message(number)),
    );
    const had = async () => {
      const [document] = await embedded.store.load([{ kind: 'list', id: 'one' }]);
      return (document?.state as { had: number[] } | undefined)?.had ?? [];
    };
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
