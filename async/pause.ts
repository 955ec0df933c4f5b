/** A timer: the part of a clock that the tools in this folder need. */
export interface Timer {
  /** Calls `fire` once after `delayMs`; the returned function cancels. */
  after(delayMs: number, fire: () => void): () => void;
}

/** The timers of Node.js. */
export const systemTimer: Timer = {
  after(delayMs, fire) {
    const timer = setTimeout(fire, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delayMs`, or at once when `signal` is aborted, before or during the pause. Never rejects. */
export function pause(timer: Timer, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = timer.after(delayMs, end);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
