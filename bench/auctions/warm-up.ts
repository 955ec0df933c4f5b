import type { ClosedLoop } from '../http/closed-loop.ts';

const STEP_SECONDS = 0.8;

/**
 * Warms an exchange up, with few requests in flight at first: code that is not compiled yet is so slow that bidders
 * would count as timed out.
 */
export async function warmUp(
  loop: ClosedLoop,
  next: () => Buffer,
  mostInFlight: number,
  seconds: number,
): Promise<void> {
  for (let inFlight = 1; inFlight <= mostInFlight; inFlight *= 2) await loop.run(STEP_SECONDS, next, inFlight);
  await loop.run(seconds, next);
}
