import { apiKey } from '#actors/api-key/api-key';
import type { ManagementDeps } from '../deps.ts';

/** The shortest time in ms between two records of the use of one key. */
const recordIntervalMs = 60_000;
/** Above this many keys the recorder forgets which uses it has recorded. */
const keysKept = 10_000;

/** Records when keys are used: at most once a minute for each key, by a message to the key. */
export function createKeyUseRecorder({
  messenger,
  clock,
  logger,
}: Pick<ManagementDeps, 'messenger' | 'clock' | 'logger'>) {
  const recordedAtMs = new Map<string, number>();
  return (hash: string): void => {
    const atMs = clock.now();
    if (atMs - (recordedAtMs.get(hash) ?? Number.NEGATIVE_INFINITY) < recordIntervalMs) return;
    if (recordedAtMs.size >= keysKept) recordedAtMs.clear();
    recordedAtMs.set(hash, atMs);
    messenger.tell(apiKey, hash, 'used', { atMs }).catch((err: unknown) => {
      logger.warn({ err }, 'the use of an API key was not written down');
    });
  };
}
