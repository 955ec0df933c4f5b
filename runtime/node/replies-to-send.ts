import type { Activation, PendingReply } from './activation.ts';
import type { NodeDeps } from './node-deps.ts';

/**
 * The actors of one partition whose replies wait for their states to be saved. The asker sees a lost reply as a
 * timeout, and may ask again under the same request id.
 */
export class RepliesToSend {
  readonly #deps: NodeDeps;
  readonly #answering = new Set<Activation>();

  constructor(deps: NodeDeps) {
    this.#deps = deps;
  }

  get waiting(): boolean {
    return this.#answering.size > 0;
  }

  /** Notes an actor that has handled a message. */
  note(activation: Activation): void {
    if (activation.replies.length > 0) this.#answering.add(activation);
  }

  forget(activation: Activation): void {
    this.#answering.delete(activation);
  }

  /** Sends the replies of all actors whose states are saved. */
  sendSaved(): void {
    const unsavedToo = this.#deps.brokenLaws.has('nothing-unsaved-leaves');
    for (const activation of this.#answering) {
      if (activation.dirty && !unsavedToo) continue;
      this.send(activation.replies.splice(0));
      this.#answering.delete(activation);
    }
  }

  send(replies: readonly PendingReply[]): void {
    const { provider, logger } = this.#deps;
    for (const { replyTo, payload } of replies) {
      provider.replies.send(replyTo, payload).catch((error) => {
        logger.warn({ error: String(error) }, 'a reply could not be sent');
      });
    }
  }
}
