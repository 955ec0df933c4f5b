import type { Member } from '../ports/leases.ts';
import { assignPartitions } from './assign-partitions.ts';
import { hashAddress } from './kind-registry.ts';

/**
 * Which of the partitions `self` is to have, if all living members are as they say. Members that are unfit get none; are all
 * of them, it is nobody's fault, and all count as fit.
 */
export function desiredPartitions(self: string, partitions: number, members: readonly Member[]): ReadonlySet<number> {
  const fit = members.filter(({ condition }) => condition?.fitness !== 'unfit');
  const candidates = fit.length > 0 ? fit : members;
  const assigned = candidates.some(({ condition }) => condition === null)
    ? assignPartitionsLegacy(
        partitions,
        candidates.map(({ name }) => name),
      )
    : assignPartitions(
        partitions,
        candidates.map(({ name, condition }) => ({ name, declines: condition!.declines })),
      );
  const wishes = new Set<number>();
  for (const [partition, name] of assigned.entries()) if (name === self) wishes.add(partition);
  return wishes;
}

/**
 * Rendezvous hashing as releases up to 0.4 do it: the member whose hash with a partition is highest has it. All members do so while
 * one of them is of such a release, so that every partition is wished by exactly one.
 */
function assignPartitionsLegacy(partitions: number, members: readonly string[]): string[] {
  if (members.length === 0) return [];
  return Array.from({ length: partitions }, (_, partition) => {
    const weighed = members.map((name) => ({ name, weight: hashAddress(`${partition}@${name}`) }));
    return weighed.reduce((heaviest, other) => (other.weight > heaviest.weight ? other : heaviest)).name;
  });
}
