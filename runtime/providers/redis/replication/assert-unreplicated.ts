import { LogUnsafe } from '#runtime/ports/errors';
import type { StateStore } from '#runtime/ports/store';
import { InSyncSetStore } from './in-sync-set-store.ts';

/**
 * Asserts that this log is not replicated.
 *
 * @throws {LogUnsafe} when other processes wait for replicas: a process that does not would break their guarantee
 */
export async function assertUnreplicated(store: Pick<StateStore, 'load' | 'save'>): Promise<void> {
  const { set } = await new InSyncSetStore(store, '').read();
  if (!set) return;
  throw new LogUnsafe(
    'this log has servers in sync that are waited for: set REDIS_WAIT_REPLICAS as it was, or stop all processes and `exchange redis-servers forget`',
  );
}
