import { expect } from 'chai';
import fc from 'fast-check';
import { assignPartitions, type Candidate } from '#runtime/node/assign-partitions';

const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 24 }), { minLength: 1, maxLength: 12 });
const partitionCounts = fc.integer({ min: 1, max: 256 });

function willing(members: readonly string[]): Candidate[] {
  return members.map((name) => ({ name, declines: [] }));
}

function loads(assigned: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of assigned) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function movedBetween(before: readonly string[], after: readonly string[]): number {
  return before.filter((name, partition) => name !== after[partition]).length;
}

describe('the assignment of partitions to members', () => {
  it('gives each partition to a member, and no member more than its share, rounded up', () => {
    fc.assert(
      fc.property(partitionCounts, names, (partitions, members) => {
        const assigned = assignPartitions(partitions, willing(members));
        expect(assigned).to.have.length(partitions);
        for (const name of assigned) expect(members).to.include(name);
        for (const load of loads(assigned).values()) expect(load).to.be.at.most(Math.ceil(partitions / members.length));
      }),
    );
    expect(assignPartitions(4, [])).to.deep.equal([]);
  });

  it('is the same in whatever order the members are named', () => {
    fc.assert(
      fc.property(partitionCounts, names, (partitions, members) => {
        const assigned = assignPartitions(partitions, willing(members));
        expect(assignPartitions(partitions, willing([...members].reverse()))).to.deep.equal(assigned);
      }),
    );
  });

  it('gives a member nothing that it declines while another takes it, and the others at most that much more', () => {
    const declining = fc.uniqueArray(fc.nat({ max: 255 }), { maxLength: 20 });
    fc.assert(
      fc.property(partitionCounts, names, declining, fc.nat(), (partitions, members, declines, at) => {
        fc.pre(members.length > 1);
        const sick = members[at % members.length]!;
        const candidates = members.map((name) => ({ name, declines: name === sick ? declines : [] }));
        const assigned = assignPartitions(partitions, candidates);
        for (const partition of declines) expect(assigned[partition]).not.to.equal(sick);
        const most = Math.ceil(partitions / members.length) + declines.length;
        for (const load of loads(assigned).values()) expect(load).to.be.at.most(most);
        expect(assigned.filter((name) => !members.includes(name))).to.deep.equal([]);
      }),
    );
  });

  it('takes a partition that every member declines for one that none declines', () => {
    const members = ['a', 'b', 'c'];
    const all = members.map((name) => ({ name, declines: [3] }));
    expect(assignPartitions(16, all)).to.deep.equal(assignPartitions(16, willing(members)));
  });

  it('moves about 20 of 128 partitions when one of 10 members leaves or joins', () => {
    let left = 0;
    let joined = 0;
    let busiest = 0;
    const rounds = 50;
    for (let round = 0; round < rounds; round++) {
      const members = Array.from({ length: 11 }, (_, member) => `actors-${member}.${round * 7_919 + member}`);
      const ten = assignPartitions(128, willing(members.slice(0, 10)));
      busiest = Math.max(busiest, ...loads(ten).values());
      left += movedBetween(ten, assignPartitions(128, willing(members.slice(1, 10))));
      joined += movedBetween(ten, assignPartitions(128, willing(members)));
    }
    expect(busiest).to.equal(13);
    expect(left / rounds, 'moved by a leave').to.be.within(13, 24);
    expect(joined / rounds, 'moved by a join').to.be.within(11, 24);
  });
});
