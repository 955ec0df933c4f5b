import { inTime } from '../async/in-time.ts';
import { systemTimer, type Timer } from '../async/pause.ts';
import { SERVERS_WITHIN_MS } from '../gateways/operations-deadlines.ts';
import type { Replica } from '../runtime/actor/replica.ts';
import type { LogProvider } from '../runtime/ports/log-provider.ts';
import type { StateStore } from '../runtime/ports/store.ts';

/** The parts that a process needs before it serves. Each is null until it is opened. */
interface Needed {
  readonly log: Pick<LogProvider, 'healthy'> | null;
  readonly store: Pick<StateStore, 'healthy' | 'unindexed'> | null;
  readonly replica: Pick<Replica & { readonly ready: boolean }, 'ready'> | null;
}

/** The answer of `GET /readyz`: whether a process serves, and what is missing while it does not. */
export class Readiness {
  /** `start` until the ports are open, `stop` from the first signal on. */
  phase: 'start' | 'serving' | 'stop' = 'start';
  #needed: Needed = { log: null, store: null, replica: null };
  #regionWrittenOff: () => string | null = () => null;
  readonly #timer: Timer;

  constructor(timer: Timer = systemTimer) {
    this.#timer = timer;
  }

  /** Notes the parts that were opened. */
  opened(parts: Partial<Needed>): void {
    this.#needed = { ...this.#needed, ...parts };
  }

  /** `writtenOff`: why home has written off the log into which this process sells; null while it has not. */
  sellsInto(writtenOff: () => string | null): void {
    this.#regionWrittenOff = writtenOff;
  }

  /**
   * The names of the missing parts but those left out, which are not asked; the process is ready when there are none. A
   * part that does not answer within `SERVERS_WITHIN_MS` is missing.
   */
  async missing(leftOut: ReadonlySet<'log' | 'store'> = new Set()): Promise<string[]> {
    const { phase } = this;
    const { log, store, replica } = this.#needed;
    const [logAnswers, storeAnswers] = await Promise.all([
      leftOut.has('log') || this.#answers(log),
      leftOut.has('store') || this.#answers(store),
    ]);
    return [
      ...(phase === 'serving' ? [] : [phase]),
      ...(logAnswers ? [] : ['log']),
      ...(storeAnswers ? [] : ['store']),
      ...(replica?.ready ? [] : ['catalogue']),
      ...(this.#regionWrittenOff() === null ? [] : ['region']),
    ];
  }

  /** Work for people to see that goes on beside serving and makes some requests slower. */
  get underWay(): string[] {
    return (this.#needed.store?.unindexed() ?? []).map((kind) => `indexes of ${kind}`);
  }

  async #answers(part: Pick<LogProvider, 'healthy'> | null): Promise<boolean> {
    return part !== null && inTime(this.#timer, SERVERS_WITHIN_MS, part.healthy(), false);
  }
}
