import type { CachedReply } from '../ports/store.ts';

/** Upper bound of the replies in their actor's document, which must stay small enough for the store. */
const MAX_CHARACTERS = 1_000_000;
/** The size of a cached reply besides its request id and its payload. */
const OVERHEAD_CHARACTERS = 50;

/**
 * Law 6: the replies of an actor by request id, so that repeating a request is safe. Each reply is kept for its time,
 * as long as newer replies leave room.
 */
export class ReplyCache {
  /** The replies, oldest first. */
  readonly #replies = new Map<string, CachedReply>();
  readonly #lengths = new Map<string, number>();
  #characters = 0;

  constructor(saved: Readonly<Record<string, CachedReply>>) {
    for (const [requestId, reply] of Object.entries(saved)) this.#add(requestId, reply);
  }

  get(requestId: string): CachedReply | undefined {
    return this.#replies.get(requestId);
  }

  keep(requestId: string, payload: object, nowMs: number, keepMs: number): void {
    for (const [earlier, { keepUntilMs }] of this.#replies) if (keepUntilMs < nowMs) this.#forget(earlier);
    this.#forget(requestId);
    this.#add(requestId, { payload, keepUntilMs: nowMs + keepMs });
    for (const earlier of this.#replies.keys()) {
      if (this.#characters <= MAX_CHARACTERS || earlier === requestId) break;
      this.#forget(earlier);
    }
  }

  /** The replies in the form of the actor's document. */
  atRest(): Record<string, CachedReply> {
    return Object.fromEntries(this.#replies);
  }

  #add(requestId: string, reply: CachedReply): void {
    const length = requestId.length + JSON.stringify(reply.payload).length + OVERHEAD_CHARACTERS;
    this.#replies.set(requestId, reply);
    this.#lengths.set(requestId, length);
    this.#characters += length;
  }

  #forget(requestId: string): void {
    this.#characters -= this.#lengths.get(requestId) ?? 0;
    this.#lengths.delete(requestId);
    this.#replies.delete(requestId);
  }
}
