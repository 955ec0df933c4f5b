import { expect } from 'chai';
import Type from 'typebox';
import { defineActor } from '#runtime/actor/define-actor';
import type { Clock } from '#runtime/ports/clock';
import type { StateStore } from '#runtime/ports/store';
import { systemClock } from '#runtime/providers/system/system-clock';
import { eventually } from '../../support/eventually.ts';
import { counter } from './counter.ts';
import { PARTITIONS, RunningNodes } from './running-nodes.ts';

const DAY_MS = 86_400_000;

describe('an actor', () => {
  let aheadMs: number;
  let nodes: RunningNodes;
  const clock: Clock = { ...systemClock, now: () => Date.now() + aheadMs };
  beforeEach(async () => {
    aheadMs = 0;
    nodes = await RunningNodes.open(clock);
  });
  afterEach(() => nodes.close());

  const tuning = { idleMs: 30, placementIntervalMs: 10, lazySaveMs: 20 };
  const inMemory = () => nodes.metric('actor_activations');

  for (const saving of ['eager', 'lazy'] as const) {
    it(`leaves memory when it is idle and comes back as it was, saved ${saving}`, async () => {
      let loads = 0;
      const { store } = nodes.embedded;
      const load: StateStore['load'] = (keys) => {
        loads++;
        return store.load(keys);
      };
      const counting = new Proxy(store, {
        get: (target, name) => (name === 'load' ? load : Reflect.get(target, name).bind(target)),
      });
      const kind = counter({ saving });
      const { messenger } = await nodes.start([kind], { tuning, store: counting });
      let value = 0;
      const cameBack = async () => {
        await messenger.ask(kind, 'a', 'add', { n: 1 });
        value++;
        return loads >= 5;
      };
      await eventually('the actor to come back four times', cameBack, {
        // Far longer than an actor may stay idle, so that asking does not keep it in memory.
        everyMs: 10 * tuning.idleMs,
        timeoutMs: 15_000,
      });
      expect(await messenger.ask(kind, 'a', 'read', {})).to.deep.equal({ value });
    });
  }

  it('gives way when too many are in memory', async () => {
    const kind = counter({ partitionOf: () => 0 });
    const crowded = { ...tuning, idleMs: 60_000, maxActive: 10 };
    const { messenger } = await nodes.start([kind], { tuning: crowded });
    for (let n = 0; n < 40; n++) await messenger.ask(kind, `a${n}`, 'add', { n });
    await eventually('the idlest to leave', async () => {
      await messenger.ask(kind, 'a39', 'read', {});
      return (await inMemory()) <= 11;
    });
    for (let n = 0; n < 40; n++) expect(await messenger.ask(kind, `a${n}`, 'read', {})).to.deep.equal({ value: n });
  });

  it('begins anew once it is deleted, and is still known to have had what it had', async () => {
    const kind = counter();
    const { messenger } = await nodes.start([kind], { tuning });
    await messenger.ask(kind, 'a', 'add', { n: 3 }, { requestId: 'adding' });
    expect(await messenger.ask(kind, 'a', 'remove', {})).to.equal('removed');
    const [tombstone] = await nodes.embedded.store.load([{ kind: 'counter', id: 'a' }]);
    expect(tombstone).to.include({ deleted: true, state: null });
    expect((await nodes.embedded.store.query('counter', {})).total).to.equal(0);
    await eventually('the actor to leave', async () => (await inMemory()) === 0);
    expect(await messenger.ask(kind, 'a', 'add', { n: 3 }, { requestId: 'adding' })).to.deep.equal({ value: 3 });
    expect(await messenger.ask(kind, 'a', 'read', {}), 'the request was not done again').to.deep.equal({ value: 0 });
    expect(await messenger.ask(kind, 'a', 'add', { n: 1 })).to.deep.equal({ value: 1 });
  });

  it('lives in the partition that its kind chooses', async () => {
    const kind = counter({ partitionOf: (id, partitions) => Number(id) % partitions });
    const { messenger } = await nodes.start([kind]);
    for (let id = 0; id < 2 * PARTITIONS; id++) {
      await messenger.ask(kind, String(id), 'add', { n: 1 });
      const [document] = await nodes.embedded.store.load([{ kind: 'counter', id: String(id) }]);
      expect(document!.partition).to.equal(id % PARTITIONS);
    }
  });

  it('is another one each day where its kind says so, by the log’s clock', async () => {
    const kind = counter({
      saving: 'lazy',
      idAt: (id, logTimeMs) => `${id}:${Math.floor(logTimeMs / DAY_MS)}`,
      partitionOf: () => 1,
    });
    const { messenger } = await nodes.start([kind], { tuning });
    const today = Math.floor(clock.now() / DAY_MS);
    await messenger.tell(kind, 'a', 'add', { n: 1 });
    await messenger.tell(kind, 'a', 'add', { n: 2 });
    aheadMs = DAY_MS;
    await messenger.tell(kind, 'a', 'add', { n: 4 });
    const values = async () => {
      const { documents } = await nodes.embedded.store.query('counter', { orderBy: 'id' });
      return documents.map(({ id, state }) => [id, (state as { value: number }).value]);
    };
    await eventually('both days', async () => (await values()).length === 2);
    expect(await values()).to.deep.equal([
      [`a:${today}`, 3],
      [`a:${today + 1}`, 4],
    ]);
  });

  it('gets the log’s time, its own address, and the same random numbers on every replay', async () => {
    const seen: unknown[] = [];
    const observer = defineActor({
      kind: 'observer',
      schemaVersion: 1,
      saving: 'eager',
      state: Type.Object({}),
      messages: { look: Type.Object({}) },
      initial: () => ({}),
      handlers: {
        look(_state, _body, { id, address, nowMs, position, random }) {
          const draws = [random(), random()];
          seen.push({ id, address, nowMs, position, draws });
          return { reply: draws };
        },
      },
    });
    const before = clock.now();
    const { messenger } = await nodes.start([observer]);
    const draws = await messenger.ask(observer, 'x/y', 'look', {});
    expect(seen).to.have.length(1);
    const [{ nowMs, position, ...rest }] = seen as [{ nowMs: number; position: string }];
    expect(rest).to.deep.equal({ id: 'x/y', address: 'observer/x/y', draws });
    expect(nowMs).to.be.within(before, clock.now());
    expect(position).to.match(new RegExp(`^${nowMs}-\\d+$`));
    expect(draws[0]).to.be.within(0, 1).and.not.equal(draws[1]);
  });
});
