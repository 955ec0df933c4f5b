import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import Type from 'typebox';
import { defineActor } from '#runtime/actor/define-actor';
import { encodeEnvelope } from '#runtime/node/envelope';
import { type ActorNode, createNode } from '#runtime/node/node';
import type { Clock } from '#runtime/ports/clock';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { eventually } from '../../support/eventually.ts';

const DAY_MS = 86_400_000;

/** A day's sum, as a tally is: what a message is added to depends on its log time. */
const sum = (refuses: boolean) =>
  defineActor({
    kind: 'sum',
    schemaVersion: 1,
    saving: 'lazy',
    state: Type.Object({ total: Type.Integer() }),
    messages: { add: Type.Object({ amount: Type.Integer() }) },
    initial: () => ({ total: 0 }),
    handlers: {
      add(state, { amount }) {
        if (refuses) throw new Error('not yet');
        state.total += amount;
      },
    },
    partitionOf: () => 0,
    idAt: (id, logTimeMs) => `${id}:${Math.floor(logTimeMs / DAY_MS)}`,
  });

describe('dead letters', () => {
  let folder: string;
  let aheadMs: number;
  let embedded: Embedded;
  const clock: Clock = { ...systemClock, now: () => Date.now() + aheadMs };

  beforeEach(async () => {
    aheadMs = 0;
    folder = await mkdtemp(join(tmpdir(), 'dead-letters-'));
    embedded = await openEmbedded({ folder, partitions: 1, clock });
  });

  afterEach(async () => {
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function whileRunning(refuses: boolean, work: (node: ActorNode) => Promise<void>): Promise<void> {
    const node = createNode({
      name: 'test',
      provider: embedded.log,
      store: embedded.store,
      clock,
      random: systemRandom,
      definitions: [sum(refuses)],
      hostsActors: true,
      replicates: [],
      tuning: { lazySaveMs: 10 },
    });
    await node.start();
    await work(node);
    await node.stop();
  }

  it('are replayed once, however often and on whatever day they are asked for again', async () => {
    const { log, store } = { log: embedded.log.log, store: embedded.store };
    await whileRunning(true, async (node) => {
      await log.append(0, [encodeEnvelope({ to: 'sum/all', type: 'add', body: { amount: 5 } })]);
      await eventually('the letter', async () => (await node.deadLetters.list({ limit: 10 })).length === 1);
    });
    const totals = async () => {
      const { documents } = await store.query('sum', {});
      return documents.map(({ state }) => (state as { total: number }).total).sort();
    };
    await whileRunning(false, async (node) => {
      const [letter] = await node.deadLetters.list({ limit: 10 });
      expect(await node.deadLetters.replay(letter!.id)).to.equal('replayed');
      await eventually('the message replayed', async () => (await totals()).includes(5));
      aheadMs = DAY_MS;
      expect(await node.deadLetters.replay(letter!.id)).to.equal('replayed');
      expect(await node.deadLetters.replay('0:1-1')).to.equal('absent');
      const discarding = { by: 'u1', why: 'too late' };
      expect(await node.deadLetters.discard(letter!.id, discarding), 'what was replayed').to.equal('replayed');
      expect((await store.deadLetter(letter!.id))!.discarded).to.equal(undefined);
    });
    expect(await totals()).to.deep.equal([5]);
  });

  describe('when the process that replayed them died before it recorded that', () => {
    const amount = { to: 'sum/all', type: 'add', body: { amount: 5 } };
    const discarding = { by: 'u1', why: 'it never was' };

    async function park(): Promise<string> {
      const [kind, reason, parkedAtMs] = ['add', 'not yet', clock.now()];
      const place = { id: '0:1-1', partition: 0, position: '1-1' };
      const payload = encodeEnvelope(amount);
      await embedded.store.park([
        { ...place, to: amount.to, type: kind, payload, reason, parkedAtMs, replayedAtMs: null },
      ]);
      return place.id;
    }

    const total = async () => {
      const { documents } = await embedded.store.query('sum', {});
      return documents.reduce((sum, { state }) => sum + (state as { total: number }).total, 0);
    };

    it('are not discarded: an older release sent them and did not write down that it would', async () => {
      const id = await park();
      const sent = { id: `dead-letter/${id}`, bucketMs: 0, expiresAtMs: Date.UTC(9999, 0) };
      await embedded.log.log.appendOnce(0, [{ ...sent, payload: encodeEnvelope(amount) }]);
      await whileRunning(false, async ({ deadLetters }) => {
        expect(await deadLetters.discard(id, discarding)).to.equal('replayed');
        const { discarded, replayedAtMs } = (await embedded.store.deadLetter(id))!;
        expect(discarded).to.equal(undefined);
        expect(replayedAtMs, 'no statement waits for it any more').not.to.equal(null);
        await eventually('the message', async () => (await total()) === 5);
      });
      expect(await total()).to.equal(5);
    });

    it('are sent, once, when an operator would discard them', async () => {
      const id = await park();
      await embedded.store.putIfAbsent(`dead-letter/${id}`, 'replayed');
      await whileRunning(false, async ({ deadLetters }) => {
        expect(await deadLetters.discard(id, discarding)).to.equal('replayed');
        expect((await embedded.store.deadLetter(id))!.replayedAtMs).not.to.equal(null);
        await eventually('the message', async () => (await total()) === 5);
        expect(await deadLetters.discard(id, discarding)).to.equal('replayed');
      });
      expect(await total()).to.equal(5);
    });
  });

  it('are not replayed again when the log has forgotten that they were', async () => {
    const { log } = embedded.log;
    const payload = encodeEnvelope({ to: 'sum/all', type: 'add', body: { amount: 5 } });
    const letter = { id: '0:1-1', partition: 0, position: '1-1', to: 'sum/all', type: 'add', payload };
    await embedded.store.park([{ ...letter, reason: 'not yet', parkedAtMs: 1, replayedAtMs: null }]);
    await embedded.store.markReplayed(letter.id, 2);
    await whileRunning(false, async ({ deadLetters }) => {
      expect(await deadLetters.replay(letter.id)).to.equal('replayed');
      expect((await log.tail(0)).appended).to.equal(0);
    });
    expect((await embedded.store.deadLetter(letter.id))!.replayedAtMs).to.equal(2);
  });

  it('are discarded or replayed, never both, also by simultaneous calls', async () => {
    const { log, store } = { log: embedded.log.log, store: embedded.store };
    const AMOUNTS = [1, 2, 4, 8, 16, 32, 64, 128];
    await whileRunning(true, async (node) => {
      await log.append(
        0,
        AMOUNTS.map((amount) => encodeEnvelope({ to: 'sum/all', type: 'add', body: { amount } })),
      );
      await eventually('the letters', async () => (await node.deadLetters.list({ limit: 10 })).length === 8);
    });
    await whileRunning(false, async ({ deadLetters }) => {
      const letters = await deadLetters.list({ limit: 10 });
      const discard = (id: string) => deadLetters.discard(id, { by: 'u1', why: 'it never was' });
      const fates = await Promise.all(
        letters.map(async ({ id }, index) => {
          const replay = () => deadLetters.replay(id);
          // Discarding asks the log before it decides.
          const asked = async () => {
            await store.deadLetter(id);
            await log.remembers(0, [{ id, bucketMs: 0 }]);
          };
          const both = index % 2 === 0 ? [replay(), discard(id)] : [discard(id), asked().then(replay)];
          const [first, second] = await Promise.all(both);
          expect(first, id).to.equal(second);
          return first;
        }),
      );
      expect(new Set(fates)).to.deep.equal(new Set(['replayed', 'discarded']));
      let sum = 0;
      for (const [index, { id }] of letters.entries()) {
        const { discarded, replayedAtMs } = (await store.deadLetter(id))!;
        expect(discarded !== undefined, id).to.equal(replayedAtMs === null);
        if (discarded === undefined) sum += AMOUNTS[index]!;
        else expect(discarded).to.include({ by: 'u1', why: 'it never was' });
        expect(await deadLetters.replay(id)).to.equal(await discard(id));
      }
      await eventually('what was replayed, and no more', async () => {
        const { documents } = await store.query('sum', {});
        return documents.some(({ state }) => (state as { total: number }).total === sum);
      });
    });
  });
});
