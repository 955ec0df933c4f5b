import { ActorTimeout, Overloaded, Parked, Rejected } from '../actor/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { NodeMetrics } from './metrics.ts';

/** The outcome of an ask at the actor. */
export interface ReplyOutcome {
  readonly value?: unknown;
  readonly rejected?: { readonly code: string; readonly message: string; readonly details: Record<string, unknown> };
  readonly parked?: string;
}

export function encodeReply(askId: string, outcome: ReplyOutcome): string {
  return JSON.stringify([askId, outcome]);
}

interface PendingAsk {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly cancel: () => void;
  readonly askAgain: () => void;
  readonly since: number;
}

/** The asks of this process that wait for their reply. */
export class PendingAsks {
  readonly #pending = new Map<string, PendingAsk>();
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #metrics: NodeMetrics;

  constructor(clock: Clock, limit: number, metrics: NodeMetrics) {
    this.#clock = clock;
    this.#limit = limit;
    this.#metrics = metrics;
  }

  /**
   * Resolves or rejects with the reply to `askId`, or rejects with `ActorTimeout`. Throws `Overloaded` when too many
   * asks wait. `askAgain` is called when the reply may have been lost.
   */
  wait(askId: string, to: string, timeoutMs: number, askAgain: () => void = () => {}): Promise<unknown> {
    if (this.#pending.size >= this.#limit) throw new Overloaded('too many asks wait in this process');
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(timeoutMs, () => {
        this.#pending.delete(askId);
        this.#metrics.asksTimedOut.inc();
        reject(
          new ActorTimeout(`${to} did not answer within ${timeoutMs} ms; whether it did what was asked is unknown`),
        );
      });
      this.#pending.set(askId, { resolve, reject, cancel, askAgain, since: this.#clock.monotonic() });
    });
  }

  fail(askId: string, error: Error): void {
    this.#settle(askId)?.reject(error);
  }

  /** Handles a payload of the reply channel. Replies without a waiting ask are dropped. */
  receive(payload: string): void {
    const [askId, outcome] = JSON.parse(payload) as [string, ReplyOutcome];
    const waiting = this.#settle(askId);
    if (!waiting) return;
    this.#metrics.askSeconds.observe((this.#clock.monotonic() - waiting.since) / 1000);
    const { rejected, parked } = outcome;
    if (rejected) waiting.reject(new Rejected(rejected.code, rejected.message, rejected.details));
    else if (parked !== undefined) waiting.reject(new Parked(parked));
    else waiting.resolve(outcome.value);
  }

  /**
   * Repeats all waiting asks because their replies may have been lost. An actor that has replied replies again, because
   * a repeated request gets its first reply (law 6).
   */
  askAgain(): void {
    for (const { askAgain } of this.#pending.values()) askAgain();
  }

  /** Fails all waiting asks because the process is stopping. */
  close(): void {
    for (const askId of [...this.#pending.keys()]) this.fail(askId, new ActorTimeout('this process is stopping'));
  }

  #settle(askId: string): PendingAsk | undefined {
    const waiting = this.#pending.get(askId);
    if (!waiting) return undefined;
    this.#pending.delete(askId);
    waiting.cancel();
    return waiting;
  }
}
