import { LogUnavailable, StoreUnavailable } from '../ports/errors.ts';
import type { NodeDeps } from './node-deps.ts';

/** Why a session ended: asked to; the partition is, or is to be, another owner's; in doubt, and to begin anew. */
export type SessionEnd = 'stopped' | 'stale' | 'failed';

/** Another process has saved what this one held: begin anew from the store. */
export class SaveConflict extends Error {
  override readonly name = 'SaveConflict';
}

/** Another process has acquired the partition since. */
export class StaleLease extends Error {
  override readonly name = 'StaleLease';
}

/** Says what ended a session, as loudly as it deserves. */
export function explainEnd({ metrics, logger }: NodeDeps, partition: number, error: Error): SessionEnd {
  metrics.sessionFailures.inc({ cause: error.name });
  if (error instanceof StaleLease) {
    logger.info({ partition }, 'the partition has another owner');
    return 'stale';
  }
  const outage = error instanceof StoreUnavailable || error instanceof LogUnavailable || error instanceof SaveConflict;
  if (outage) logger.warn({ partition, error: error.message }, 'the partition begins anew');
  else logger.error({ partition, error: error.stack ?? error.message }, 'the partition begins anew');
  return 'failed';
}
