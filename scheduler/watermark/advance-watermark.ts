import { LEDGER_WATERMARK_ID, watermark } from '../../actors/watermark/watermark.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { StoreToken } from '../../runtime/ports/store-token.ts';

export interface AdvanceWatermarkDeps {
  readonly messenger: Pick<Messenger, 'ask'>;
  readonly clock: Clock;
  /** Resolves when the ledgers hold everything that the log holds now; see runtime/node/log-barrier.ts. */
  readonly passBarrier: (signal: AbortSignal) => Promise<{ readonly throughMs: number; readonly token: StoreToken }>;
}

/** Raises the watermark of the books to the present, or gives up after `withinMs`. Rejects when it cannot. */
export type AdvanceWatermark = (withinMs: number) => Promise<void>;

/**
 * Makes the function for callers that cannot wait for the watermark worker, or that run where no such worker is at
 * work. Calls that come while one is under way share its result.
 */
export function createAdvanceWatermark({ messenger, clock, passBarrier }: AdvanceWatermarkDeps): AdvanceWatermark {
  let underWay: Promise<void> | null = null;
  const complete = async (withinMs: number) => {
    const stop = new AbortController();
    const cancel = clock.after(withinMs, () => stop.abort(new Error('the books could not be completed in time')));
    try {
      const { throughMs, token } = await passBarrier(stop.signal);
      await messenger.ask(watermark, LEDGER_WATERMARK_ID, 'raise', { throughMs, token });
    } finally {
      cancel();
    }
  };
  return (withinMs) => {
    underWay ??= complete(withinMs).finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
