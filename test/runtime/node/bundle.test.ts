import { expect } from 'chai';
import { Registry } from 'prom-client';
import { bundle, messagesOf } from '#runtime/node/bundle';
import { StoreUnavailable } from '#runtime/ports/errors';
import type { StateStore } from '#runtime/ports/store';
import { eventually } from '../../support/eventually.ts';
import { counter } from './counter.ts';
import { RunningNodes } from './running-nodes.ts';

const COUNTERS = 50;
const lazy = counter({ saving: 'lazy' });
const onePartition = counter({ saving: 'lazy', partitionOf: () => 0 });

describe('bundles of messages', () => {
  it('have every message in its order, and each receiver once in an entry', () => {
    const messages = Array.from({ length: 1_000 }, (_, n) => ({ to: `counter/${(n * 7) % 90}`, payload: `["${n}"]` }));
    const entries = bundle(messages);
    expect(entries.length).to.be.below(30);
    const read = entries.map((payload, at) => messagesOf({ position: `${at}-0`, payload }));
    expect(read.flat().map(({ payload }) => payload)).to.deep.equal(messages.map(({ payload }) => payload));
    const receivers = new Map(messages.map(({ to, payload }) => [payload, to]));
    for (const [at, inEntry] of read.entries()) {
      expect(new Set(inEntry.map(({ payload }) => receivers.get(payload))).size).to.equal(inEntry.length);
      expect(inEntry.map(({ position }) => position)).to.deep.equal(inEntry.map(() => `${at}-0`));
      expect(inEntry.map(({ index }) => index)).to.deep.equal(inEntry.map((_, index) => index));
    }
  });

  describe('in the log of a node', () => {
    let nodes: RunningNodes;
    beforeEach(async () => {
      nodes = await RunningNodes.open();
    });
    afterEach(() => nodes.close());

    const stored = async () => {
      const { documents } = await nodes.embedded.store.query('counter', {});
      return documents.map(({ state }) => (state as { value: number }).value);
    };
    const appended = async () => {
      const { log } = nodes.embedded.log;
      const tails = await Promise.all(Array.from({ length: log.partitions }, (_, at) => log.tail(at)));
      return tails.reduce((sum, tail) => sum + tail.appended, 0);
    };

    it('are handled as messages by themselves are', async () => {
      const node = await nodes.start([lazy], { bundles: true, tuning: { lazySaveMs: 50 } });
      for (let time = 0; time < 4; time++)
        await Promise.all(Array.from({ length: COUNTERS }, (_, n) => node.messenger.tell(lazy, `c${n}`, 'add', { n })));
      await eventually('all to be saved', async () => (await nodes.unhandled()) === 0);
      expect((await stored()).sort((a, b) => a - b)).to.deep.equal(Array.from({ length: COUNTERS }, (_, n) => 4 * n));
      expect(await appended()).to.be.at.most(4 * 4);
    });

    it('count once where some of their actors were saved when the session ended', async () => {
      let failures = 2;
      const store: StateStore = new Proxy(nodes.embedded.store, {
        get(target, name) {
          const value = Reflect.get(target, name);
          if (name !== 'save') return typeof value === 'function' ? value.bind(target) : value;
          return async (...[documents, mark]: Parameters<StateStore['save']>) => {
            if (failures === 0 || documents.length < 2) return target.save(documents, mark);
            failures -= 1;
            await target.save(documents.slice(0, documents.length / 2), mark);
            throw new StoreUnavailable('gone after half of it');
          };
        },
      });
      const registry = new Registry();
      const node = await nodes.start([onePartition], { bundles: true, store, registry, tuning: { lazySaveMs: 50 } });
      await Promise.all(
        Array.from({ length: COUNTERS }, (_, n) => node.messenger.tell(onePartition, `c${n}`, 'add', { n: 1 })),
      );
      await eventually('all to be saved', async () => failures === 0 && (await nodes.unhandled()) === 0);
      expect(await stored()).to.deep.equal(Array.from({ length: COUNTERS }, () => 1));
      const { values } = await registry.getSingleMetric('actor_messages_total')!.get();
      const skipped = values.find(({ labels }) => labels.outcome === 'skipped');
      expect(skipped?.value, 'what was saved is read again and skipped').to.be.above(0);
    });

    it('park each message by itself, under ids of their log, and no other log takes a replay', async () => {
      const node = await nodes.start([onePartition], { bundles: true, logName: 'facts', tuning: { lazySaveMs: 50 } });
      await Promise.all([
        ...[0, 1, 2].map((n) => node.messenger.tell(onePartition, `bad${n}`, 'fail', {})),
        node.messenger.tell(onePartition, 'good', 'add', { n: 5 }),
      ]);
      await eventually('three dead letters', async () => (await node.deadLetters.list({ limit: 9 })).length === 3);
      const letters = await node.deadLetters.list({ limit: 9 });
      expect(letters.map(({ to }) => to).sort()).to.deep.equal(['counter/bad0', 'counter/bad1', 'counter/bad2']);
      expect(new Set(letters.map(({ position }) => position)).size).to.equal(1);
      const [first, ...others] = letters.map(({ id }) => id).sort();
      expect(first).to.match(/^facts-0:\d+-\d+$/);
      expect(others).to.deep.equal([`${first}.1`, `${first}.2`]);
      await eventually('the other to be saved', async () => (await stored()).includes(5));

      const main = await nodes.start([onePartition], { hostsActors: false });
      const before = await appended();
      expect(await main.deadLetters.replay(first!)).to.equal('foreign');
      expect(await appended()).to.equal(before);
      expect(await main.deadLetters.discard(first!, { by: 'test', why: 'counts' })).to.equal('discarded');
      expect(await node.deadLetters.replay(others[0]!)).to.equal('replayed');
      expect(await node.deadLetters.replay(first!)).to.equal('discarded');
    });
  });
});
