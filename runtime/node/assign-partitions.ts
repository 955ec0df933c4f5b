import { hashAddress } from './kind-registry.ts';

/** A member to which partitions can be assigned. */
export interface Candidate {
  readonly name: string;
  /** The partitions that it cannot hold for now. */
  readonly declines: readonly number[];
}

interface Pair {
  readonly weight: number;
  readonly partition: number;
  readonly candidate: Candidate;
}

/**
 * Bounded-load rendezvous hashing: of all pairs of a partition and a member the heaviest is assigned first, and a
 * member with ⌈P/N⌉ partitions gets no more. Every member that sees the same candidates computes the same result,
 * whatever their order. When every candidate declines a partition, its declines are ignored: one of them must try.
 *
 * Returns the name of the member for each partition; empty without candidates.
 */
export function assignPartitions(partitions: number, candidates: readonly Candidate[]): string[] {
  if (candidates.length === 0) return [];
  const maxLoad = Math.ceil(partitions / candidates.length);
  const declined = new Map(candidates.map((candidate) => [candidate, new Set(candidate.declines)]));
  const pairs: Pair[] = [];
  for (let partition = 0; partition < partitions; partition++) {
    const willing = candidates.filter((candidate) => !declined.get(candidate)!.has(partition));
    for (const candidate of willing.length > 0 ? willing : candidates) {
      pairs.push({ weight: hashAddress(`${partition}@${candidate.name}`), partition, candidate });
    }
  }
  pairs.sort(heavierFirst);

  const assigned = new Array<string | undefined>(partitions).fill(undefined);
  const load = new Map(candidates.map((candidate) => [candidate, 0]));
  const assign = ({ partition, candidate }: Pair) => {
    assigned[partition] = candidate.name;
    load.set(candidate, load.get(candidate)! + 1);
  };
  for (const pair of pairs) {
    if (assigned[pair.partition] === undefined && load.get(pair.candidate)! < maxLoad) assign(pair);
  }
  // The willing members of these partitions are full: each partition goes to the willing member with the least load,
  // above its bound.
  for (const pair of pairs) {
    if (assigned[pair.partition] !== undefined) continue;
    const willing = pairs.filter(({ partition }) => partition === pair.partition);
    assign(willing.reduce((least, other) => (load.get(other.candidate)! < load.get(least.candidate)! ? other : least)));
  }
  return assigned as string[];
}

function heavierFirst(one: Pair, other: Pair): number {
  if (one.weight !== other.weight) return other.weight - one.weight;
  if (one.partition !== other.partition) return one.partition - other.partition;
  return one.candidate.name < other.candidate.name ? -1 : 1;
}
