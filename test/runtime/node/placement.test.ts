import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { counter } from './counter.ts';
import { PARTITIONS, RunningNodes } from './running-nodes.ts';

describe('placement', () => {
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
