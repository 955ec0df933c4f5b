import { expect } from 'chai';
import { Registry } from 'prom-client';
import { NodeMetrics } from '#runtime/node/metrics';
import { eventually } from '../../support/eventually.ts';
import { counter } from './counter.ts';
import { PARTITIONS, RunningNodes } from './running-nodes.ts';

/** The samples of a metric, as `label="value" … value`, the labels in their order. */
async function samples(registry: Registry, name: string): Promise<string[]> {
  const { values } = await registry.getSingleMetric(name)!.get();
  return values.map(({ labels, value }) => `${Object.values(labels).join(' ')} ${value}`).sort();
}

describe('the metrics of nodes', () => {
  it('tell two nodes of a process apart by their logs', async () => {
    const registry = new Registry();
    const [main, facts] = [new NodeMetrics(registry), new NodeMetrics(registry, 'facts')];
    main.partitionsOwned.set(4);
    main.countMessage('account', 'applied');
    facts.countMessage('facts', 'applied', 3);
    facts.deadLetters.inc({ kind: 'facts' });
    main.measurePartition(1, 7);
    facts.measurePartition(1, 9);
    expect(await samples(registry, 'actor_partitions_owned')).to.deep.equal(['facts 0', 'main 4']);
    expect(await samples(registry, 'actor_messages_total')).to.deep.equal([
      'account applied main 1',
      'facts applied facts 3',
    ]);
    expect(await samples(registry, 'actor_dead_letters_total')).to.deep.equal(['facts facts 1']);
    facts.forgetPartition(1);
    expect(await samples(registry, 'actor_partition_length')).to.deep.equal(['1 main 7']);
    expect(await samples(registry, 'actor_asks_timed_out_total')).to.deep.equal(['facts 0', 'main 0']);
  });

  it('are 0 for each kind before any message was parked or rejected', async () => {
    const registry = new Registry();
    new NodeMetrics(registry, 'facts', ['facts', 'ledger']);
    expect(await samples(registry, 'actor_dead_letters_total')).to.deep.equal(['facts facts 0', 'ledger facts 0']);
    expect(await samples(registry, 'actor_messages_total')).to.deep.equal([
      'facts rejected facts 0',
      'ledger rejected facts 0',
    ]);
  });

  it('say nothing of the lag of partitions that a node has handed over', async () => {
    const nodes = await RunningNodes.open();
    try {
      const registry = new Registry();
      const node = await nodes.start([counter()], { registry, tuning: { placementIntervalMs: 20 } });
      const measured = () => samples(registry, 'actor_partition_length');
      await eventually('all partitions to be measured', async () => (await measured()).length === PARTITIONS);
      await node.stop();
      expect(await measured()).to.deep.equal([]);
    } finally {
      await nodes.close();
    }
  });
});
