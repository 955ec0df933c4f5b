import type { LogProvider } from '../../runtime/ports/log-provider.ts';
import type { StateStore } from '../../runtime/ports/store.ts';

/** The steps of an owner at work between which a process may end. */
export type Step = 'save' | 'publish' | 'commit';

/** Where exactly a process ends itself, as kill −9 would: at the `at`-th such step, counted from 1. */
export interface KillPoint {
  readonly step: Step;
  /** `midway`: of a save of several documents, when one half is durable. Saves of one document do not count for it. */
  readonly moment: 'before' | 'midway' | 'after';
  readonly at: number;
}

/** Makes the process end at that step of what it does with `provider` and `store`. */
export function killSelfAt(death: KillPoint, provider: LogProvider, store: StateStore): void {
  let steps = 0;
  const around = async <T>(step: Step, take: () => Promise<T>): Promise<T> => {
    const now = step === death.step && death.moment !== 'midway' && ++steps === death.at;
    if (now && death.moment === 'before') killSelf();
    const answer = await take();
    if (now) killSelf();
    return answer;
  };

  const save = store.save.bind(store);
  store.save = async (documents) => {
    if (death.step === 'save' && death.moment === 'midway' && documents.length > 1 && ++steps === death.at) {
      await save(documents.slice(0, Math.floor(documents.length / 2)));
      killSelf();
    }
    return around('save', () => save(documents));
  };
  const append = provider.log.append.bind(provider.log);
  provider.log.append = (...call) => around('publish', () => append(...call));
  const commit = provider.leases.commit.bind(provider.leases);
  provider.leases.commit = (...call) => around('commit', () => commit(...call));
}

/** The signal cannot be caught: nothing after this runs. */
function killSelf(): void {
  process.kill(process.pid, 'SIGKILL');
}
