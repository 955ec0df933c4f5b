import { randomUUID } from 'node:crypto';
import { pause } from '../../async/pause.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { ExpiringMarks } from '../../runtime/ports/expiring-marks.ts';

/** A turn ends by itself after this many ms, as its process may have died; the next one waits for it no longer. */
const TURN_MS = 5_000;
const ASK_AGAIN_MS = 20;

/**
 * Runs `flush` when no other flush of the account runs, in any process. Where the marks cannot be reached, it runs at
 * once.
 */
export async function inFlushTurn(
  { marks, clock }: { readonly marks: ExpiringMarks; readonly clock: Clock },
  accountId: string,
  flush: () => Promise<void>,
): Promise<void> {
  const turn = { group: `live-flush/${accountId}`, key: 'turn' };
  const mark = randomUUID();
  const untilMs = clock.monotonic() + TURN_MS;
  const takeTurn = () => {
    const nowMs = clock.now();
    return marks.putWithin(turn, mark, nowMs + TURN_MS, 1, nowMs).catch(() => true);
  };
  while (!(await takeTurn()) && clock.monotonic() < untilMs) await pause(clock, ASK_AGAIN_MS);
  try {
    await flush();
  } finally {
    await marks.remove(turn, mark).catch(() => undefined);
  }
}
