import { LogUnavailable, StoreUnavailable } from '../ports/errors.ts';
import type { NodeDeps } from './node-deps.ts';

/**
 * The reason why a session ended. `stopped`: it was asked to. `stale`: the partition has, or is about to have, another
 * owner. `failed`: it was in doubt, and a new session begins.
 */
export type SessionEnd = 'stopped' | 'stale' | 'failed';

/** Another process has saved an actor that this session held: a new session must load it from the store. */
export class SaveConflict extends Error {
  override readonly name = 'SaveConflict';
}

/** Another process has acquired the partition. */
export class StaleLease extends Error {
  override readonly name = 'StaleLease';
}

/** Counts and logs what ended a session, at a level that fits the cause. */
export function explainEnd({ metrics, logger }: NodeDeps, partition: number, error: Error): SessionEnd {
  metrics.sessionFailures.inc({ cause: error.name });
  if (error instanceof StaleLease) {
    logger.info({ partition, error: error.message }, 'the partition has, or may have, another owner');
    return 'stale';
  }
  const outage = error instanceof StoreUnavailable || error instanceof LogUnavailable || error instanceof SaveConflict;
  if (outage) logger.warn({ partition, error: error.message }, 'the session of the partition starts again');
  else logger.error({ partition, error: error.stack ?? error.message }, 'the session of the partition starts again');
  return 'failed';
}
