import { Linked, LinkedList } from '#async/linked-list';
import type { Clock } from '#runtime/ports/clock';
import type { Channel, ChannelCall, ChannelPool } from '../channels/channel.ts';
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
 * Calls a persona as HTTP would: in a later turn of the event loop, with the reports of a channel in their order, so
 * that deadlines, bounds, breakers and counts apply as for any bidder. A call that is given up costs nothing from then
 * on.
 */
export class InProcessChannels implements ChannelPool {
  readonly #underWay = new LinkedList<InProcessChannel>();
  readonly #persona: SyntheticBidder;
  readonly #creativesUrl: string;
  readonly #clock: Clock;
  readonly #random: () => number;

  /** `creativesUrl`: where the edges serve the persona's files; `random`: uniform in [0, 1). */
  constructor(persona: SyntheticBidder, creativesUrl: string, clock: Clock, random: () => number) {
    this.#persona = persona;
    this.#creativesUrl = creativesUrl;
    this.#clock = clock;
    this.#random = random;
  }

  take(): Channel {
    const { answersAfterMs } = this.#persona;
    const answer = (body: Buffer) => answerFor(this.#persona, body.toString(), this.#creativesUrl, this.#random);
    const channel = new InProcessChannel(answersAfterMs, answer, this.#clock, () => this.#underWay.delete(channel));
    this.#underWay.add(channel);
    return channel;
  }

  /** Calls under way continue to their end. */
  close(): void {}

  destroy(): void {
    for (let channel = this.#underWay.first; channel !== null; channel = this.#underWay.first) channel.destroy();
  }
}

class InProcessChannel extends Linked<InProcessChannel> implements Channel {
  readonly #answersAfterMs: number;
  readonly #answerTo: (body: Buffer) => SyntheticAnswer;
  readonly #clock: Clock;
  readonly #ended: () => void;
  #call: ChannelCall | null = null;
  #cancelTimer: (() => void) | null = null;

  constructor(answersAfterMs: number, answerTo: (body: Buffer) => SyntheticAnswer, clock: Clock, ended: () => void) {
    super();
    this.#answersAfterMs = answersAfterMs;
    this.#answerTo = answerTo;
    this.#clock = clock;
    this.#ended = ended;
  }

  send(call: ChannelCall, body: Buffer): void {
    this.#call = call;
    setImmediate(() => this.#start(body));
  }

  abandon(): void {
    this.#end();
  }

  destroy(): void {
    this.#end()?.failed('the bidder is closed');
  }

  #start(body: Buffer): void {
    if (this.#call === null) return;
    if (!this.#call.sending()) this.#end()?.dropped();
    else if (this.#answersAfterMs === 0) this.#answer(body);
    else this.#cancelTimer = this.#clock.after(this.#answersAfterMs, () => this.#answer(body));
  }

  #answer(body: Buffer): void {
    let answer: SyntheticAnswer;
    try {
      answer = this.#answerTo(body);
    } catch (error) {
      // A timer calls this: an error thrown from here would end the process.
      this.#end()?.failed(`the synthetic bidder failed: ${error instanceof Error ? error.message : error}`);
      return;
    }
    this.#call?.head(answer.status, 'identity');
    if (answer.status === 200 && this.#call?.body(answer.body, 0, answer.body.length, true) === false) this.#end();
    else this.#end()?.complete();
  }

  /** Ends the call, which is returned; null when it has already ended. */
  #end(): ChannelCall | null {
    const call = this.#call;
    this.#call = null;
    this.#cancelTimer?.();
    this.#ended();
    return call;
  }
}
