import type { ReplyChannel } from '../../ports/replies.ts';

/** Replies within the process. Delivered after the sender's turn, in order, as another process's would be. */
export class EmbeddedReplies implements ReplyChannel {
  readonly #listeners = new Map<string, (payload: string) => void>();

  async listen(address: string, receive: (payload: string) => void): Promise<void> {
    this.#listeners.set(address, receive);
  }

  async send(address: string, payload: string): Promise<void> {
    const receive = this.#listeners.get(address);
    if (!receive) return;
    queueMicrotask(() => {
      try {
        receive(payload);
      } catch {
        // A reply is delivered at most once: what its receiver cannot use is lost, and the asker times out.
      }
    });
  }

  close(): void {
    this.#listeners.clear();
  }
}
