import { comparePositions } from '../../ports/position.ts';
import type { Violations } from '../auditor/violations.ts';
import type { Member } from '../cluster.ts';
import type { SessionProjection } from '../workload/session.ts';

/**
 * Law 11: after its first snapshot, a replica never shows or hands over a projection that is older than one it has
 * shown.
 */
export function watchReplica(member: Member, violations: Violations): void {
  const newest = new Map<string, string>();
  member.sessions?.watch(({ id, projection: view }) => {
    if (view === null) return;
    const { at } = view as SessionProjection;
    const before = newest.get(id);
    if (before !== undefined && comparePositions(at, before) < 0) {
      violations.add(
        'replicas go forward',
        `${member.process.name} went back from ${before} to ${at} for session/${id}`,
      );
    }
    newest.set(id, at);
  });
}
