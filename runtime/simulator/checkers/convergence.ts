import type { Cluster } from '../cluster.ts';
import { WORKLOAD } from '../workload/definitions.ts';
import type { SessionView } from '../workload/session.ts';
import { session } from '../workload/session.ts';
import { staleSums } from './totals.ts';

/**
 * What is still to happen before the cluster is at rest; nothing when it is. When the log server has lost messages, an
 * outbox may wait for the next message to its actor: `allHeard` says that every actor has had one since.
 */
export function unsettled(cluster: Cluster, openRequests: number, allHeard: boolean): string[] {
  const waiting: string[] = [];
  if (openRequests > 0) waiting.push(`${openRequests} requests are unanswered`);
  for (const { partition, entries } of cluster.log.partitions) {
    if (entries.length > 0) waiting.push(`partition ${partition} holds ${entries.length} entries`);
  }
  const mayWait = cluster.log.losses > 0 && !allHeard;
  for (const { kind } of mayWait ? [] : WORKLOAD) {
    for (const document of cluster.store.all(kind)) {
      if (document.outbox.length > 0) waiting.push(`the outbox of ${kind}/${document.id} is not empty`);
    }
  }
  for (const { started, name } of cluster.members) if (!started) waiting.push(`${name} has not started`);
  if (!mayWait) waiting.push(...staleReplicas(cluster), ...staleSums(cluster.store));
  return waiting;
}

/** Law 11: every replica holds the views of the stored states, those and no others. */
function staleReplicas(cluster: Cluster): string[] {
  const stale: string[] = [];
  const expected = new Map<string, string>();
  for (const { id, deleted, state } of cluster.store.all(session.kind)) {
    const view = deleted ? null : session.view!(state as never, id);
    if (view) expected.set(id, JSON.stringify(view));
  }
  for (const { node, name, started, replicates } of cluster.members) {
    if (!started || !replicates) continue;
    const held = node.replica.all<SessionView>(session.kind);
    for (const [id, view] of expected) {
      if (JSON.stringify(held.get(id)) !== view) stale.push(`the replica at ${name} has an old session/${id}`);
    }
    for (const id of held.keys()) if (!expected.has(id)) stale.push(`the replica at ${name} keeps session/${id}`);
  }
  return stale;
}
