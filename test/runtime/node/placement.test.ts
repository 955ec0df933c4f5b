import { expect } from 'chai';
import { LogUnavailable } from '#runtime/ports/errors';
import type { Lease, LeaseTable } from '#runtime/ports/leases';
import type { LogProvider } from '#runtime/ports/log-provider';
import { eventually } from '../../support/eventually.ts';
import { counter } from './counter.ts';
import { PARTITIONS, RunningNodes } from './running-nodes.ts';

/** The log, with some of its lease table replaced. */
function withLeases(log: LogProvider, changes: Partial<LeaseTable>): LogProvider {
  const over = <T extends object>(target: T, replaced: Partial<T>): T =>
    new Proxy(target, {
      get(_, name) {
        const found = Reflect.get(name in replaced ? replaced : target, name);
        return typeof found === 'function' && !(name in replaced) ? found.bind(target) : found;
      },
    });
  return over(log, { leases: over(log.leases, changes) });
}

describe('placement', () => {
  describe('of a node that could not renew its leases in time', () => {
    const tuning = { leaseTtlMs: 400, placementIntervalMs: 100 };
    let nodes: RunningNodes;
    /** The number of owners in each note that was kept, and the partitions and epochs under which they were. */
    let owners: number[];
    let epochs: Set<string>;
    beforeEach(async () => {
      nodes = await RunningNodes.open();
      [owners, epochs] = [[], new Set()];
    });
    afterEach(() => nodes.close());

    const noting = (leases: LeaseTable) => async (lease: Lease, note: string) => {
      owners.push(JSON.parse(note)[1]);
      epochs.add(`${lease.partition}:${lease.epoch}`);
      return leases.note(lease, note);
    };

    it('keeps them if it had been too busy to ask', async () => {
      const { log } = nodes.embedded;
      let renewals = 0;
      const provider = withLeases(log, {
        note: noting(log.leases),
        renew: (...args) => {
          renewals += 1;
          return log.leases.renew(...args);
        },
      });
      const node = await nodes.start([counter()], { tuning, provider });
      await eventually('its leases to be renewed', () => renewals > PARTITIONS);
      const busyUntil = performance.now() + 2 * tuning.leaseTtlMs;
      while (performance.now() < busyUntil);
      renewals = 0;
      await eventually('its leases to be renewed again', () => renewals > 2 * PARTITIONS);
      expect(node.ownedPartitions).to.have.length(PARTITIONS);
      expect(epochs.size).to.equal(PARTITIONS);
      expect(await nodes.metric('actor_session_failures_total')).to.equal(0);
    });

    it('does not count as an owner that has died when nobody else has had them meanwhile', async () => {
      const { log } = nodes.embedded;
      let away = false;
      const provider = withLeases(log, {
        note: noting(log.leases),
        renew: async (...args) => {
          if (away) throw new LogUnavailable('away');
          return log.leases.renew(...args);
        },
      });
      await nodes.start([counter()], { tuning, provider });
      const first = epochs.size;
      away = true;
      await eventually('each partition to be acquired again', () => epochs.size >= first + PARTITIONS);
      away = false;
      expect(Math.max(...owners)).to.equal(1);
    });
  });

  describe('of a node that stops', () => {
    let nodes: RunningNodes;
    beforeEach(async () => {
      nodes = await RunningNodes.open();
    });
    afterEach(() => nodes.close());

    it('hands everything over: handled, saved, and free at once for the next', async () => {
      // Lazy saves would come hours from now, and a lease that is not released would last a minute.
      const tuning = { lazySaveMs: 16 * 24 * 3_600_000, leaseTtlMs: 60_000 };
      const first = await nodes.start([counter({ saving: 'lazy' })], { tuning });
      expect(first.ownedPartitions).to.have.length(PARTITIONS);
      const told = Array.from({ length: 200 }, (_, n) =>
        first.messenger.tell(counter(), `c${n % 20}`, 'add', { n: 1 }),
      );
      await Promise.all(told);
      await eventually('all to be handled', async () => (await nodes.metric('actor_messages_total')) === 200);
      expect(await nodes.metric('actor_saved_documents_total')).to.equal(0);
      await first.stop();
      expect(first.ownedPartitions).to.deep.equal([]);
      expect(await nodes.unhandled()).to.equal(0);
      const { documents } = await nodes.embedded.store.query('counter', {});
      expect(documents.map(({ state }) => state)).to.deep.equal(Array.from({ length: 20 }, () => ({ value: 10 })));

      const second = await nodes.start([counter()], { tuning });
      expect(second.ownedPartitions).to.have.length(PARTITIONS);
      expect(await second.messenger.ask(counter(), 'c0', 'add', { n: 1 })).to.deep.equal({ value: 11 });
    });

    it('takes partitions that were left behind once their leases have run out', async () => {
      const { leases } = nodes.embedded.log;
      await leases.acquire([0, 1], 'a process that is gone', 300);
      const node = await nodes.start([counter()], { tuning: { placementIntervalMs: 20 } });
      expect(node.ownedPartitions).to.have.length(PARTITIONS - 2);
      await eventually('the rest to be taken', () => node.ownedPartitions.length === PARTITIONS);
    });
  });
});
