import { apiKey } from '../../../actors/api-key/api-key.ts';
import type { ManagementDeps } from '../deps.ts';

/** How often a key is told that it is in use. */
const recordIntervalMs = 60_000;
/** Past this many keys the memory of what was told begins anew. */
const keysKept = 10_000;

/** Notes when keys are used: in memory, and with the key itself at most once a minute. */
export function createKeyUseRecorder({
  messenger,
  clock,
  logger,
}: Pick<ManagementDeps, 'messenger' | 'clock' | 'logger'>) {
  const toldAtMs = new Map<string, number>();
  return (hash: string): void => {
    const atMs = clock.now();
    if (atMs - (toldAtMs.get(hash) ?? Number.NEGATIVE_INFINITY) < recordIntervalMs) return;
    if (toldAtMs.size >= keysKept) toldAtMs.clear();
    toldAtMs.set(hash, atMs);
    messenger.tell(apiKey, hash, 'used', { atMs }).catch((err: unknown) => {
      logger.warn({ err }, 'the use of an API key was not written down');
    });
  };
}
