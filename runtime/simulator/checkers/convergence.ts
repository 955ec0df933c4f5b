import type { HistoryObserver } from '../auditor/history-observer.ts';
import type { Cluster } from '../cluster.ts';
import { WORKLOAD } from '../workload/definitions.ts';
import { session } from '../workload/session.ts';
import { tagOf } from '../workload/tag.ts';
import { staleSums } from './totals.ts';

export interface Progress {
  readonly openRequests: number;
  /** True when every actor has had a message since the faults ended. */
  readonly allHeard: boolean;
  readonly observer: HistoryObserver;
}

/**
 * The work that is pending before the cluster is at rest; empty when it is. A published outbox is emptied in the store
 * when its actor is next saved; when the log server has lost messages, it may not be published before.
 */
export function pendingWork(cluster: Cluster, { openRequests, allHeard, observer }: Progress): string[] {
  const waiting: string[] = [];
  if (openRequests > 0) waiting.push(`${openRequests} requests are unanswered`);
  for (const { partition, entries } of cluster.log.partitions) {
    if (entries.length > 0) waiting.push(`partition ${partition} holds ${entries.length} entries`);
  }
  const mayWait = cluster.log.losses > 0 && !allHeard;
  for (const { kind } of mayWait ? [] : WORKLOAD) {
    for (const { id, outbox: stored } of cluster.store.all(kind)) {
      // A dead letter that is stored leaves the document with the next save; the check does not wait for that.
      const outbox = stored.filter(({ to }) => !cluster.store.deadLetter(to.replace(/^dead-letter\//, '')));
      if (allHeard && outbox.length > 0) waiting.push(`the outbox of ${kind}/${id} is not empty`);
      for (const { body } of outbox) {
        const tag = tagOf(body);
        if (tag && !observer.everAppended.has(tag)) waiting.push(`${tag} was never published`);
      }
    }
  }
  for (const { started, name } of cluster.members) if (!started) waiting.push(`${name} has not started`);
  if (!mayWait) waiting.push(...staleReplicas(cluster), ...staleSums(cluster.store));
  return waiting;
}

/** Law 11: every replica has exactly the projections of the stored states, and so does every follower. */
function staleReplicas(cluster: Cluster): string[] {
  const stale: string[] = [];
  const expected = new Map<string, string>();
  for (const { id, deleted, state } of cluster.store.all(session.kind)) {
    const view = deleted ? null : session.projection!(state as never, id);
    if (view) expected.set(id, JSON.stringify(view));
  }
  for (const { name, started, sessions } of cluster.members) {
    if (!started || sessions === null) continue;
    const held = sessions.projections;
    for (const [id, view] of expected) {
      if (JSON.stringify(held.get(id)) !== view) stale.push(`the replica at ${name} has an old session/${id}`);
    }
    for (const id of held.keys()) if (!expected.has(id)) stale.push(`the replica at ${name} keeps session/${id}`);
  }
  return stale;
}
