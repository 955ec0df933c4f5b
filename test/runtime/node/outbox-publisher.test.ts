import { expect } from 'chai';
import { Type } from 'typebox';
import type { AnyActorDefinition } from '#runtime/actor/define-actor';
import { defineActor } from '#runtime/actor/define-actor';
import { hashAddress } from '#runtime/node/kind-registry';
import { LogUnavailable } from '#runtime/ports/errors';
import type { LogProvider } from '#runtime/ports/log-provider';
import { eventually } from '../../support/eventually.ts';
import { counter } from './counter.ts';
import { PARTITIONS, RunningNodes } from './running-nodes.ts';

const AWAY = 3;
const SENDER = 1;

/** An id whose actor lives in that partition. */
function idIn(kind: string, partition: number): string {
  for (let number = 0; ; number++) if (hashAddress(`${kind}/${number}`) % PARTITIONS === partition) return `${number}`;
}

const NEAR = idIn('counter', 0);
const FAR = idIn('counter', AWAY);
const ID = idIn('sender', SENDER);

/** Sends each number to two counters, one of them in the partition that goes away. */
const sender = defineActor({
  kind: 'sender',
  schemaVersion: 1,
  saving: 'eager',
  state: Type.Object({ sent: Type.Integer() }),
  messages: { send: Type.Object({ n: Type.Integer(), pad: Type.Optional(Type.String()) }) },
  initial: () => ({ sent: 0 }),
  handlers: {
    send: ({ sent }, body) => ({
      state: { sent: sent + 1 },
      reply: sent + 1,
      sends: [NEAR, FAR].map((id) => ({ to: `counter/${id}`, type: 'add', body })),
    }),
  },
});

/** A lazy actor that tells two sums what it counted. */
const tally = defineActor({
  kind: 'lazy-tally',
  schemaVersion: 1,
  saving: 'lazy',
  state: Type.Object({ count: Type.Integer(), told: Type.Array(Type.String()) }),
  messages: { add: Type.Object({ n: Type.Integer() }) },
  initial: () => ({ count: 0, told: [] }),
  handlers: {
    add(state, { n }) {
      state.count += n;
    },
  },
  totals: ({ count }, published) =>
    [NEAR, FAR].map((id) => ({ to: `sum/${id}`, type: 'total', body: { count, after: published ?? '' } })),
});

const sum = defineActor({
  kind: 'sum',
  schemaVersion: 1,
  saving: 'eager',
  state: Type.Object({ count: Type.Integer(), heard: Type.Integer() }),
  messages: { total: Type.Object({ count: Type.Integer(), after: Type.String() }), read: Type.Object({}) },
  initial: () => ({ count: 0, heard: 0 }),
  handlers: {
    total: (state, { count }) => ({ state: { count: Math.max(state.count, count), heard: state.heard + 1 } }),
    read: (state) => ({ reply: state }),
  },
  // The sums live where the counters of their names do.
  partitionOf: (id, partitions) => hashAddress(`counter/${id}`) % partitions,
});

describe('what saved states cause, where a part of the log is away', () => {
  const kind = counter({
    messages: { ...counter().messages, add: Type.Object({ n: Type.Integer(), pad: Type.Optional(Type.String()) }) },
  });
  const kinds: readonly AnyActorDefinition[] = [kind, sender, tally, sum];
  let nodes: RunningNodes;
  let provider: LogProvider;
  /** Calls about the partition are refused, or never answered. */
  let away: 'no' | 'refused' | 'silent';
  let catalogueAway: boolean;
  let appends: number;

  beforeEach(async () => {
    nodes = await RunningNodes.open();
    away = 'no';
    catalogueAway = false;
    appends = 0;
    const { log: inner } = nodes.embedded;
    const { log, catalogue } = inner;
    const unlessAway = <T>(isAway: boolean, call: () => Promise<T>): Promise<T> => {
      if (!isAway) return call();
      return away === 'silent' ? new Promise(() => {}) : Promise.reject(new LogUnavailable('the shard is away'));
    };
    provider = {
      relayed: inner.relayed,
      leases: inner.leases,
      replies: inner.replies,
      warnings: [],
      log: {
        partitions: log.partitions,
        append: (partition, payloads, options) => {
          if (partition === AWAY) appends += 1;
          return unlessAway(partition === AWAY && away !== 'no', () => log.append(partition, payloads, options));
        },
        appendOnce: (partition, entries) => log.appendOnce(partition, entries),
        markOnce: (partition, marks) => log.markOnce(partition, marks),
        remembers: (partition, names) => log.remembers(partition, names),
        read: (after, limit, waitMs) => log.read(after, limit, waitMs),
        wake: () => log.wake(),
        tail: (partition) => unlessAway(partition === AWAY && away !== 'no', () => log.tail(partition)),
      },
      catalogue: {
        publish: (payloads) => unlessAway(catalogueAway, () => catalogue.publish(payloads)),
        tail: () => unlessAway(catalogueAway, () => catalogue.tail()),
        read: (after, limit, waitMs) => unlessAway(catalogueAway, () => catalogue.read(after, limit, waitMs)),
      },
      healthy: () => inner.healthy(),
      close: () => inner.close(),
    };
  });
  afterEach(() => nodes.close());

  const start = (tuning = {}) => nodes.start(kinds, { provider, tuning: { publishTimeoutMs: 50, ...tuning } });
  const stored = async (id: string) => {
    const [document] = await nodes.embedded.store.load([{ kind: 'counter', id }]);
    return (document?.state as { value: number } | undefined)?.value ?? 0;
  };

  for (const how of ['refused', 'silent'] as const) {
    it(`holds back what is for it, and nothing else, when calls are ${how}; then sends it once`, async () => {
      const { messenger } = await start();
      await messenger.ask(sender, ID, 'send', { n: 1 });
      await eventually('the first', async () => (await stored(FAR)) === 1);
      away = how;
      for (let n = 2; n <= 20; n++) expect(await messenger.ask(sender, ID, 'send', { n })).to.equal(n);
      await eventually('what the other is sent', async () => (await stored(NEAR)) === 210);
      expect(await stored(FAR)).to.equal(1);
      expect(await nodes.metric('actor_destinations_away')).to.equal(1);
      expect(await nodes.metric('actor_session_failures_total')).to.equal(0);
      const { length } = await nodes.embedded.log.log.tail(SENDER);
      expect(length, 'messages that the cursor has not passed').to.be.at.least(19);
      if (how === 'silent') return;
      away = 'no';
      await eventually('what was held back', async () => (await stored(FAR)) === 210);
      await eventually('the cursor to pass all', async () => (await nodes.unhandled()) === 0);
      expect(await nodes.metric('actor_destinations_away')).to.equal(0);
    });
  }

  it('asks for it once for all, however many wait', async () => {
    const { messenger } = await start({ backoffMs: [60_000, 60_000] });
    away = 'refused';
    const before = appends;
    for (let n = 1; n <= 20; n++) await messenger.ask(sender, ID, 'send', { n });
    expect(appends - before).to.equal(1);
  });

  it('leaves what is held back to the next owner of the partition', async () => {
    const first = await start();
    away = 'refused';
    for (let n = 1; n <= 5; n++) await first.messenger.ask(sender, ID, 'send', { n });
    await first.stop();
    const second = await start();
    await second.messenger.ask(kind, NEAR, 'read', {});
    expect(await stored(FAR)).to.equal(0);
    away = 'no';
    await eventually('what was held back', async () => (await stored(FAR)) === 15);
    await eventually('the cursor to pass all', async () => (await nodes.unhandled()) === 0);
    expect([await stored(NEAR), await stored(FAR)]).to.deep.equal([15, 15]);
  });

  it('tells the others totals meanwhile, and those there all of them later', async () => {
    const { messenger } = await start({ lazySaveMs: 20 });
    const countOf = async (id: string) => {
      const [document] = await nodes.embedded.store.load([{ kind: 'sum', id }]);
      return (document?.state as { count: number } | undefined)?.count ?? 0;
    };
    away = 'refused';
    for (let n = 1; n <= 3; n++) {
      await messenger.tell(tally, 'a', 'add', { n: 1 });
      await eventually(`${n} told to the one`, async () => (await countOf(NEAR)) === n);
    }
    expect(await countOf(FAR)).to.equal(0);
    away = 'no';
    await eventually('all told to the other', async () => (await countOf(FAR)) === 3);
    await eventually('the cursor to pass all', async () => (await nodes.unhandled()) === 0);
  });

  it('goes on while the catalogue is away, which has every projection later', async () => {
    const { messenger } = await start();
    const follower = await nodes.start(kinds, { hostsActors: false, replicates: ['counter'] });
    catalogueAway = true;
    for (let n = 1; n <= 5; n++) expect(await messenger.ask(kind, NEAR, 'add', { n: 1 })).to.deep.equal({ value: n });
    expect(follower.replica.get('counter', NEAR)).to.equal(undefined);
    catalogueAway = false;
    await eventually('the view', () => {
      const view = follower.replica.get<{ value: number }>('counter', NEAR);
      return view?.value === 5;
    });
  });

  it('holds no more of one actor than its document has room for', async () => {
    const { messenger } = await start();
    away = 'refused';
    const pad = 'x'.repeat(700_000);
    for (let n = 1; n <= 6; n++) {
      await messenger.ask(sender, ID, 'send', { n, pad }, { timeoutMs: 500 }).catch(() => {});
    }
    await eventually('the session to end', async () => (await nodes.metric('actor_session_failures_total')) > 0);
    away = 'no';
    await eventually('everything', async () => (await stored(FAR)) === 21 && (await stored(NEAR)) === 21);
  });
});
