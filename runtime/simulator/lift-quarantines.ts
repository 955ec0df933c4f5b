import { type HistoryObserver, isOfQuarantine } from './auditor/history-observer.ts';
import type { Operations } from './auditor/operations.ts';
import type { Violations } from './auditor/violations.ts';
import { PARKED } from './checkers/dead-letters.ts';
import type { Cluster } from './cluster.ts';

const LOOK_EVERY_MS = 500;
const LIFTED_WITHIN_MS = 60_000;

/** The context of lifting quarantines. */
export interface LiftContext {
  readonly cluster: Cluster;
  readonly operations: Operations;
  readonly observer: HistoryObserver;
  readonly violations: Violations;
  readonly gaveUp: () => boolean;
}

/**
 * Does what an operator does once states can be stored again: restarts processes, so that actors are tried again, and
 * replays their dead letters. Does nothing when no actor was in quarantine.
 */
export async function liftQuarantines({
  cluster,
  operations,
  observer,
  violations,
  gaveUp,
}: LiftContext): Promise<void> {
  const { time } = cluster.world;
  if (observer.quarantined.size === 0) return;
  for (const tag of observer.quarantined.keys()) {
    if (operations.all.get(tag)?.mayRepeat) observer.repeatable.add(tag);
  }
  for (const member of cluster.members) if (member.hostsActors) void cluster.restart(member);
  const limitMs = time.nowMs + LIFTED_WITHIN_MS;
  for (;;) {
    await time.run(gaveUp, time.nowMs + LOOK_EVERY_MS);
    const waiting = [...observer.quarantined].flatMap(([tag, parked]) =>
      PARKED.has(operations.all.get(tag)?.type ?? '') ? [] : parked.filter(isOfQuarantine),
    );
    const ids = waiting.map(({ id }) => id).filter((id) => cluster.store.deadLetter(id)?.replayedAtMs === null);
    if (ids.length === 0 || gaveUp()) return;
    if (time.nowMs > limitMs) {
      violations.add('quarantine', `${ids.length} dead letters could not be replayed`);
      return;
    }
    const all = cluster.members.every(({ started, hostsActors }) => started || !hostsActors);
    const [member] = cluster.reachable;
    if (!all || !member) continue;
    for (const id of ids) void member.node.deadLetters.replay(id).catch(() => {});
  }
}
