import type { Replica } from '../runtime/actor/replica.ts';
import type { LogProvider } from '../runtime/ports/log-provider.ts';
import type { StateStore } from '../runtime/ports/store.ts';

/** What a process needs before it serves. Each is null until it is opened. */
interface Needed {
  readonly log: Pick<LogProvider, 'healthy'> | null;
  readonly store: Pick<StateStore, 'healthy' | 'unindexed'> | null;
  readonly replica: Pick<Replica & { readonly ready: boolean }, 'ready'> | null;
}

/** What `GET /readyz` answers: whether a process serves, and what is missing as long as it does not. */
export class Readiness {
  /** `start` until the ports are open, `stop` from the first signal on. */
  phase: 'start' | 'serving' | 'stop' = 'start';
  #needed: Needed = { log: null, store: null, replica: null };

  /** Notes what was opened. */
  opened(parts: Partial<Needed>): void {
    this.#needed = { ...this.#needed, ...parts };
  }

  /** Names of what is missing; ready when empty. */
  async missing(): Promise<string[]> {
    const { log, store, replica } = this.#needed;
    return [
      ...(this.phase === 'serving' ? [] : [this.phase]),
      ...((await log?.healthy()) ? [] : ['log']),
      ...((await store?.healthy()) ? [] : ['store']),
      ...(replica?.ready ? [] : ['catalogue']),
    ];
  }

  /** What goes on beside serving, and makes some of it slower, for people. */
  get underWay(): string[] {
    return (this.#needed.store?.unindexed() ?? []).map((kind) => `indexes of ${kind}`);
  }
}
