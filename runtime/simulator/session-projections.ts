import type { ProjectionChange, Replica } from '../actor/replica.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { type SessionProjection, session } from './workload/session.ts';

/** The maximum time that a follower takes for one change, ms. */
const SLOWEST_MS = 40;

/** The sessions that one process sees: those that its replica holds, or that it has handed to a follower. */
export interface SessionProjections {
  readonly projections: ReadonlyMap<string, SessionProjection>;
  /** Called with each change from now on, and first with what is known. */
  watch(changed: (change: ProjectionChange) => void): void;
}

export function heldSessions(replica: Replica): SessionProjections {
  return {
    get projections() {
      return replica.all<SessionProjection>(session.kind);
    },
    watch: (changed) => void replica.subscribe(session.kind, changed),
  };
}

/** Follows sessions with a follower that is sometimes slow; the next change must wait for it. */
export function followedSessions(
  replica: Replica,
  process: SimulatedProcess,
  random: SeededRandom,
): SessionProjections {
  const views = new Map<string, SessionProjection>();
  const watchers: ((change: ProjectionChange) => void)[] = [];
  let busy = false;
  replica.follow(session.kind, (change) => {
    if (busy) throw new Error('a follower was handed two changes at once');
    for (const changed of watchers) changed(change);
    const take = () => {
      busy = false;
      if (change.projection === null) views.delete(change.id);
      else views.set(change.id, change.projection as SessionProjection);
    };
    if (random.chance(0.7)) return take();
    busy = true;
    return new Promise<void>((resolve) => {
      process.after(random.between(0, SLOWEST_MS), () => {
        take();
        resolve();
      });
    });
  });
  return { projections: views, watch: (changed) => void watchers.push(changed) };
}
