import type { SeededRandom } from '../seeded-random.ts';

/** What a seed decides beforehand about the servers of a log group. */
export interface Replication {
  readonly servers: number;
  /** How many of them are in the set from the start on: the first ones. */
  readonly members: number;
  /** A member is dropped only while at least so many other replicas are in the set. */
  readonly minReplicas: number;
  readonly lagMs: number;
  /** A member that was not heard of for so long is dropped. */
  readonly dropAfterMs: number;
  /** How long a process takes a server for what the set said of it. */
  readonly approvalMs: number;
  /** Mean times between two strikes, by their names. */
  readonly faultKinds: ReadonlyMap<ReplicaFaultKind, number>;
}

/** What can happen to the servers of a group, and to the links between them. */
export type ReplicaFaultKind =
  | 'replication link cut'
  | 'processes cut off from a log server'
  | 'replica restarts'
  /** The primary ends, and a replica of the set is promoted. */
  | 'failover'
  /** The primary is taken for dead and goes on, for some processes. */
  | 'split brain'
  /** The primary ends, and by hand a server is promoted that the set does not name. */
  | 'promoted outside the set';

const REPLICA_FAULT_KINDS: readonly (readonly [ReplicaFaultKind, number])[] = [
  ['replication link cut', 2_000],
  ['processes cut off from a log server', 4_000],
  ['replica restarts', 4_000],
  ['failover', 6_000],
  ['split brain', 4_000],
  ['promoted outside the set', 8_000],
];

/** Half of the scenarios have one log server, as was so before there were groups: null. */
export function drawReplication(random: SeededRandom): Replication | null {
  if (random.chance(0.5)) return null;
  const servers = random.pick([2, 3, 3, 4]);
  const strikes = new Map<ReplicaFaultKind, number>();
  for (const [strike, meanMs] of REPLICA_FAULT_KINDS)
    if (random.chance(0.7)) strikes.set(strike, meanMs * random.between(0.5, 2));
  return {
    servers,
    members: servers > 2 && random.chance(0.5) ? servers - 1 : servers,
    minReplicas: servers === 2 ? random.pick([0, 1]) : 1,
    lagMs: random.pick([0.5, 3, 20]),
    dropAfterMs: random.between(600, 2_500),
    approvalMs: random.between(500, 2_000),
    faultKinds: strikes,
  };
}
