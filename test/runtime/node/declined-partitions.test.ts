import { expect } from 'chai';
import { desiredPartitions } from '#runtime/node/desired-partitions';
import { hashAddress } from '#runtime/node/kind-registry';
import type { Member, MemberCondition } from '#runtime/ports/leases';
import type { ActorKey } from '#runtime/ports/store';
import { eventually } from '../../support/eventually.ts';
import { counter } from './counter.ts';
import { PARTITIONS, RunningNodes } from './running-nodes.ts';

const TUNING = {
  leaseTtlMs: 2_000,
  placementIntervalMs: 20,
  storeSilenceMs: 100,
  backoffMs: [5, 20] as const,
  declineMs: [60_000, 60_000] as const,
};

function member(name: string, fitness: MemberCondition['fitness'] | null, declines: readonly number[] = []): Member {
  return { name, leftMs: 5_000, condition: fitness === null ? null : { fitness, declines } };
}

function wished(members: readonly Member[]): number[][] {
  return members.map(({ name }) => [...desiredPartitions(name, 16, members)]);
}

describe('a partition whose sessions fail in one process alone', () => {
  let nodes: RunningNodes;
  beforeEach(async () => {
    nodes = await RunningNodes.open();
  });
  afterEach(() => nodes.close());

  it('is handed to another member, and stays there', async () => {
    const partitionOf = (id: string) => hashAddress(`counter/${id}`) % PARTITIONS;
    let broken = -1;
    const store = new Proxy(nodes.embedded.store, {
      get(target, name) {
        const value = Reflect.get(target, name, target) as unknown;
        if (typeof value !== 'function') return value;
        return async (...call: unknown[]) => {
          const fails = name === 'load' && (call[0] as ActorKey[]).some(({ id }) => partitionOf(id) === broken);
          if (fails) throw new Error('written by a newer release');
          return value.apply(target, call) as unknown;
        };
      },
    });
    const failing = await nodes.start([counter()], { tuning: TUNING, store });
    const other = await nodes.start([counter()], { tuning: TUNING });
    await eventually('both to have partitions', () => failing.ownedPartitions.length === 2);
    broken = failing.ownedPartitions[0]!;
    const ids = Array.from({ length: 100 }, (_, number) => `c${number}`);
    const inBroken = ids.find((id) => partitionOf(id) === broken)!;
    const reply = await other.messenger.ask(counter(), inBroken, 'add', { n: 1 });
    expect(reply).to.deep.equal({ value: 1 });
    expect(other.ownedPartitions).to.include(broken);
    expect(failing.ownedPartitions).not.to.include(broken);
    await eventually('all partitions to be held', () => {
      const held = [...failing.ownedPartitions, ...other.ownedPartitions];
      return new Set(held).size === PARTITIONS;
    });
    expect(failing.ownedPartitions, 'the node holds others').not.to.be.empty;
    expect(failing.ownedPartitions).not.to.include(broken);
  });
});

describe('the wishes of members', () => {
  it('leave an unfit member nothing, and a doubtful one what it has', () => {
    const [unfit, doubtful, fit] = wished([member('a', 'unfit'), member('b', 'doubtful'), member('c', 'fit')]);
    expect(unfit).to.deep.equal([]);
    expect([doubtful!.length, fit!.length]).to.deep.equal([8, 8]);
  });

  it('are those of fit members when all are unfit', () => {
    const names = ['a', 'b', 'c'];
    expect(wished(names.map((name) => member(name, 'unfit')))).to.deep.equal(
      wished(names.map((name) => member(name, 'fit'))),
    );
  });

  it('are those of the older release, which knows no bound, while a member is of it', () => {
    const names = ['a', 'b', 'c'];
    const mixed = wished(names.map((name, at) => member(name, at === 0 ? null : 'fit')));
    expect(mixed.flat().sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 16 }, (_, partition) => partition));
    for (const [at, partitions] of mixed.entries()) {
      for (const partition of partitions) {
        const weights = names.map((name) => hashAddress(`${partition}@${name}`));
        expect(weights[at]).to.equal(Math.max(...weights));
      }
    }
  });
});
