import type { ReplyChannel } from '../../ports/replies.ts';

/** Replies within the process, delivered after the sender's turn and in order, like those of another process. */
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
        // A reply is delivered at most once: when its receiver fails on it the reply is lost, and the asker times out.
      }
    });
  }

  close(): void {
    this.#listeners.clear();
  }
}
