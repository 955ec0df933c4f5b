import type { CachedReply } from '../ports/store.ts';

/** What the replies may take up of their actor's document, which a store must be able to take whole. */
const MAX_CHARACTERS = 1_000_000;
/** Of a reply besides its request's id and its payload. */
const OVERHEAD_CHARACTERS = 50;

/**
 * Law 6: what an actor has answered, by request id, so that asking again is safe. Each is kept for its time, as long as
 * those that came after it leave room.
 */
export class ReplyCache {
  /** Oldest first. */
  readonly #replies = new Map<string, CachedReply>();
  readonly #lengths = new Map<string, number>();
  #characters = 0;

  constructor(kept: Readonly<Record<string, CachedReply>>) {
    for (const [requestId, reply] of Object.entries(kept)) this.#add(requestId, reply);
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

  /** As the actor's document holds them. */
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
