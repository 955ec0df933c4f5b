import type { Member } from '../ports/leases.ts';
import { assignPartitions } from './assign-partitions.ts';
import { assignAsBefore } from './legacy-assignment.ts';

/**
 * Which of the partitions `self` is to have, if all living members are as they say. Members that are unfit get none; are all
 * of them, it is nobody's fault, and all count as fit.
 */
export function wishesOf(self: string, partitions: number, members: readonly Member[]): ReadonlySet<number> {
  const fit = members.filter(({ condition }) => condition?.fitness !== 'unfit');
  const candidates = fit.length > 0 ? fit : members;
  const assigned = candidates.some(({ condition }) => condition === null)
    ? assignAsBefore(
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
