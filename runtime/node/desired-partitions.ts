import type { Member } from '../ports/leases.ts';
import { assignPartitions } from './assign-partitions.ts';
import { hashAddress } from './kind-registry.ts';

/**
 * The partitions that `self` should own, given the conditions of all living members. Unfit members get none; when all
 * members are unfit, the cause is not a member, and all count as fit.
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
  const desired = new Set<number>();
  for (const [partition, name] of assigned.entries()) if (name === self) desired.add(partition);
  return desired;
}

/**
 * Rendezvous hashing of releases up to 0.4: the member with the highest hash for a partition owns it. All members use
 * it while one of them is of such a release, so that exactly one member wants each partition.
 */
function assignPartitionsLegacy(partitions: number, members: readonly string[]): string[] {
  if (members.length === 0) return [];
  return Array.from({ length: partitions }, (_, partition) => {
    const weighed = members.map((name) => ({ name, weight: hashAddress(`${partition}@${name}`) }));
    return weighed.reduce((heaviest, other) => (other.weight > heaviest.weight ? other : heaviest)).name;
  });
}
