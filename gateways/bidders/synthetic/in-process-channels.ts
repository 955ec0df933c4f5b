import type { Dispatcher } from 'undici';
import type { Clock } from '#runtime/ports/clock';
import type { Channel, ChannelPool } from '../connection-pool.ts';
import { answerFor, type SyntheticAnswer } from './answer.ts';
import { type SyntheticBidder, syntheticBidders } from './synthetic-bidders.ts';

/**
 * Scheme of the synthetic demand's endpoints, `synthetic:high-bidder`: they are called in the process, without a
 * socket. The API accepts http and https only, so no other endpoint can have this scheme.
 */
const SCHEME = 'synthetic:';

/** Endpoint of a persona, in any process with an edge or a management API. */
export function syntheticUrl({ path }: SyntheticBidder): string {
  return SCHEME + path.slice(1);
}

export function isSyntheticUrl(url: string | null): boolean {
  return url?.startsWith(SCHEME) === true;
}

/** Null where there is no persona. */
export function syntheticBidderAt(url: string): SyntheticBidder | null {
  return syntheticBidders.find((persona) => syntheticUrl(persona) === url) ?? null;
}

/**
 * Calls a persona as HTTP would: in a later turn of the event loop, with the hooks of the HTTP client in their order,
 * so that deadlines, bounds, breakers and counts apply as for any bidder. A call that is given up costs nothing from
 * then on.
 */
export class InProcessChannels implements ChannelPool {
  readonly #calls = new Set<SyntheticCall>();
  readonly #channel: Channel;

  /** `creativesUrl`: where the edges serve the persona's files; `random`: uniform in [0, 1). */
  constructor(persona: SyntheticBidder, creativesUrl: string, clock: Clock, random: () => number) {
    const dispatch = ({ body }: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean => {
      const call = new SyntheticCall(handler, () => this.#calls.delete(call));
      this.#calls.add(call);
      const answer = () => answerFor(persona, (body as Buffer).toString(), creativesUrl, random);
      setImmediate(() => call.start(persona.answersAfterMs, answer, clock));
      return true;
    };
    this.#channel = { client: { dispatch }, release: () => undefined };
  }

  take(): Channel {
    return this.#channel;
  }

  /** Calls under way continue to their end. */
  async close(): Promise<void> {}

  async destroy(): Promise<void> {
    for (const call of this.#calls) call.abort(new Error('the bidder is closed'));
  }
}

class SyntheticCall {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #ended: () => void;
  #cancelTimer: (() => void) | null = null;
  #over = false;

  constructor(handler: Dispatcher.DispatchHandler, ended: () => void) {
    this.#handler = handler;
    this.#ended = ended;
  }

  start(answersAfterMs: number, answer: () => SyntheticAnswer, clock: Clock): void {
    if (this.#over) return;
    try {
      this.#handler.onConnect?.((error) => this.abort(error ?? new Error('aborted')));
    } catch (error) {
      this.abort(error as Error);
      return;
    }
    if (answersAfterMs === 0) this.#answer(answer());
    else this.#cancelTimer = clock.after(answersAfterMs, () => this.#answer(answer()));
  }

  abort(error: Error): void {
    if (!this.#end()) return;
    this.#handler.onError?.(error);
  }

  #answer(answer: SyntheticAnswer): void {
    this.#handler.onHeaders?.(answer.status, [], () => undefined, '');
    if (answer.status === 200) this.#handler.onData?.(answer.body);
    // The handler may have given the call up because of an earlier hook.
    if (this.#end()) this.#handler.onComplete?.(null);
  }

  /** Ends the call; false when it has already ended. */
  #end(): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.#cancelTimer?.();
    this.#ended();
    return true;
  }
}
