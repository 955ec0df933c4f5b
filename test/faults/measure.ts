import { expect } from 'chai';
import type { Load } from './load.ts';

/** The promise: so long after a fault's end messages flow again. */
const FLOWS_WITHIN_MS = 10_000;

/**
 * Called at a fault's end: measures how long it takes until every partition answers, prints it and holds it to the
 * promise.
 */
export async function assertRecovers(load: Load, fault: string): Promise<void> {
  const tookMs = await load.timeToRecoverMs();
  process.stdout.write(`      ${fault}: messages flow again after ${(tookMs / 1000).toFixed(1)} s\n`);
  expect(tookMs, `messages flow again after: ${fault}`).to.be.below(FLOWS_WITHIN_MS);
}
