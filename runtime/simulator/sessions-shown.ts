import type { Replica, ViewChange } from '../actor/replica.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { type SessionView, session } from './workload/session.ts';

/** The longest that a follower takes over one change. */
const SLOWEST_MS = 40;

/** What one process sees of the sessions: what its replica holds, or what it has handed over to a follower. */
export interface SessionsShown {
  readonly views: ReadonlyMap<string, SessionView>;
  /** Called with each change from now on, and with what is known. */
  watch(changed: (change: ViewChange) => void): void;
}

export function held(replica: Replica): SessionsShown {
  return {
    get views() {
      return replica.all<SessionView>(session.kind);
    },
    watch: (changed) => void replica.subscribe(session.kind, changed),
  };
}

/** By a follower that now and then takes its time; what comes next must wait for it. */
export function followed(replica: Replica, process: SimulatedProcess, random: SeededRandom): SessionsShown {
  const views = new Map<string, SessionView>();
  const watchers: ((change: ViewChange) => void)[] = [];
  let busy = false;
  replica.follow(session.kind, (change) => {
    if (busy) throw new Error('a follower was handed two changes at once');
    for (const changed of watchers) changed(change);
    const take = () => {
      busy = false;
      if (change.view === null) views.delete(change.id);
      else views.set(change.id, change.view as SessionView);
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
  return { views, watch: (changed) => void watchers.push(changed) };
}
