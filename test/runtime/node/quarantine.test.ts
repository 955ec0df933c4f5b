import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import Type from 'typebox';
import { defineActor } from '#runtime/actor/define-actor';
import { Parked } from '#runtime/actor/errors';
import { type ActorNode, createNode } from '#runtime/node/node';
import type { StateStore } from '#runtime/ports/store';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';

import { systemRandom } from '#runtime/providers/system/system-random';
import { eventually } from '../../support/eventually.ts';
import { steadyClock } from '../../support/steady-clock.ts';

const MEGABYTE = 1_048_576;

/** Collects what it is given; `compact`: a release that keeps its length alone. */
function hoard(kind: 'hoard' | 'shelf', compact: boolean) {
  return defineActor({
    kind,
    schemaVersion: 1,
    saving: kind === 'hoard' ? 'lazy' : 'eager',
    state: Type.Object({ count: Type.Integer(), kept: Type.Array(Type.String()) }),
    messages: { put: Type.Object({ text: Type.String() }) },
    initial: () => ({ count: 0, kept: [] as string[] }),
    handlers: {
      put(state, { text }) {
        const kept = compact ? [] : [...state.kept, text];
        if (kind === 'shelf') return { state: { count: state.count + 1, kept }, reply: state.count + 1 };
        state.count += 1;
        state.kept = kept;
        return {};
      },
    },
    partitionOf: () => 0,
  });
}

describe('an actor whose state can no longer be stored', () => {
  let folder: string;
  let embedded: Embedded;
  let registry: Registry;
  let node: ActorNode | undefined;
  const errors: string[] = [];
  const infos: [fields: object, message: string][] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarantine-'));
    embedded = await openEmbedded({ folder, partitions: 1, clock: steadyClock });
    errors.length = 0;
    infos.length = 0;
  });

  afterEach(async () => {
    await node?.stop();
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function run(compact: boolean, store: StateStore = embedded.store): Promise<ActorNode> {
    await node?.stop();
    registry = new Registry();
    node = createNode({
      name: 'node',
      provider: embedded.log,
      store,
      clock: steadyClock,
      random: systemRandom,
      definitions: [hoard('hoard', compact), hoard('shelf', compact)],
      hostsActors: true,
      replicates: [],
      tuning: { lazySaveMs: 10, backoffMs: [5, 20], leaseTtlMs: 400, placementIntervalMs: 50 },
      logger: {
        debug() {},
        info: (fields, message) => infos.push([fields, message]),
        warn() {},
        error: (_, message) => errors.push(message),
      },
      registry,
    });
    await node.start();
    return node;
  }

  const metric = async (name: string) => {
    const { values } = await registry.getSingleMetric(name)!.get();
    return values.reduce((sum, { value }) => sum + value, 0);
  };
  const countOf = async (kind: 'hoard' | 'shelf', id: string) => {
    const [document] = await embedded.store.load([{ kind, id }]);
    return (document?.state as { count: number } | undefined)?.count ?? 0;
  };
  const put = (kind: 'hoard' | 'shelf', id: string, megabytes: number) =>
    node!.messenger.tell(hoard(kind, false), id, 'put', { text: 'x'.repeat(megabytes * MEGABYTE) });
  const covered = () =>
    eventually('the cursor past all of it', async () => (await embedded.log.log.tail(0)).length === 0);
  const letters = () => node!.deadLetters.list({ limit: 1_000 });

  for (const kind of ['hoard', 'shelf'] as const) {
    it(`is quarantined alone (${kind === 'hoard' ? 'lazy' : 'eager'}): its partition goes on, its messages are parked and none is lost`, async () => {
      await run(false);
      for (let number = 0; number < 20; number++) {
        await put(kind, 'greedy', 1);
        await put(kind, 'modest', 0);
      }
      await covered();
      const stored = await countOf(kind, 'greedy');
      expect(stored).to.be.within(8, 16);
      expect(await countOf(kind, 'modest')).to.equal(20);
      const parked = await letters();
      expect(parked).to.have.length(20 - stored);
      expect(parked.every(({ to, reason }) => to === `${kind}/greedy` && /can never be stored/.test(reason))).to.equal(
        true,
      );
      expect(await metric('actor_quarantined')).to.equal(1);
      expect(await metric('actor_alarms_total')).to.equal(1);
      expect(await metric('actor_session_failures_total')).to.equal(0);
      expect(errors.filter((message) => message.startsWith('ALARM'))).to.have.length(1);

      await run(true);
      for (const { id } of parked) expect(await node!.deadLetters.replay(id)).to.equal('replayed');
      await covered();
      expect(await countOf(kind, 'greedy')).to.equal(20);
      expect(await letters(), 'nothing was parked again').to.have.length(parked.length);
      expect(await metric('actor_quarantined')).to.equal(0);
    });
  }

  it('answers that the message is parked, also when asked again', async () => {
    await run(false);
    for (let number = 0; number < 15; number++) await put('shelf', 'full', 1);
    await covered();
    const ask = () =>
      node!.messenger.ask(
        hoard('shelf', false),
        'full',
        'put',
        { text: 'x'.repeat(2 * MEGABYTE) },
        { requestId: 'one' },
      );
    for (let time = 0; time < 2; time++) {
      const error = await ask().catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(Parked);
    }
    await covered();
    expect(await letters()).to.have.length(1);
  });

  it('has one line in the log for all that is parked, with their number in the end', async () => {
    await run(false);
    for (let number = 0; number < 30; number++) await put('shelf', 'full', 1);
    await covered();
    const parked = await letters();
    expect(parked.length).to.be.at.least(2);
    const PARKED = 'a message to an actor in quarantine was parked';
    expect(errors.filter((message) => message.includes('was parked'))).to.deep.equal([PARKED]);
    await node!.stop();
    const [[fields] = [], ...others] = infos.filter(([, message]) => message === `${PARKED}; no more of it`);
    expect(others).to.deep.equal([]);
    expect(fields).to.include({ to: 'shelf/full', times: parked.length });
  });

  it('is passed over also where not even its dead letters fit beside the state', async () => {
    // Nothing more of this actor goes into this store.
    let full = false;
    const store = new Proxy(embedded.store, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name !== 'save') return typeof value === 'function' ? value.bind(target) : value;
        const save: StateStore['save'] = async (documents, mark) => {
          const taken = documents.filter(({ id }) => !full || id !== 'greedy');
          const outcomes = (await target.save(taken, mark)).values();
          return documents.map((one) => (taken.includes(one) ? outcomes.next().value! : 'unstorable'));
        };
        return save;
      },
    });
    await run(false, store);
    await put('hoard', 'greedy', 0);
    await covered();
    full = true;
    for (let number = 0; number < 5; number++) {
      await put('hoard', 'greedy', 0);
      await put('hoard', 'modest', 0);
      await covered();
    }
    expect(await countOf('hoard', 'modest')).to.equal(5);
    const parked = await letters();
    expect(parked).to.have.length(5);
    full = false;
    await run(false);
    for (const { id } of parked) await node!.deadLetters.replay(id);
    await covered();
    expect(await countOf('hoard', 'greedy')).to.equal(6);
  });

  it('is saved before its time when much has come to it, so that it grows by little between two saves', async () => {
    await run(false);
    const saves: number[] = [];
    const { save } = embedded.store;
    embedded.store.save = async (documents, mark) => {
      for (const { state } of documents) saves.push((state as { count: number }).count);
      return save.call(embedded.store, documents, mark);
    };
    const entries = Array.from({ length: 12 }, () =>
      JSON.stringify(['hoard/greedy', 'put', { text: 'x'.repeat(MEGABYTE) }]),
    );
    await embedded.log.log.append(0, entries);
    await covered();
    const growths = saves.map((count, at) => count - (saves[at - 1] ?? 0));
    expect(Math.max(...growths), `${saves}`).to.be.at.most(3);
    expect(saves.at(-1)).to.equal(12);
  });
});
