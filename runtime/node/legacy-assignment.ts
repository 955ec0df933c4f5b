import { hashAddress } from './kinds.ts';

/**
 * Rendezvous hashing as releases up to 0.4 do it: the member whose hash with a partition is highest has it. All members do so while
 * one of them is of such a release, so that every partition is wished by exactly one.
 */
export function assignAsBefore(partitions: number, members: readonly string[]): string[] {
  if (members.length === 0) return [];
  return Array.from({ length: partitions }, (_, partition) => {
    const weighed = members.map((name) => ({ name, weight: hashAddress(`${partition}@${name}`) }));
    return weighed.reduce((heaviest, other) => (other.weight > heaviest.weight ? other : heaviest)).name;
  });
}
