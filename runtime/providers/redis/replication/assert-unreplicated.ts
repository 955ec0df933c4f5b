import { LogUnsafe } from '../../../ports/errors.ts';
import type { StateStore } from '../../../ports/store.ts';
import { InSyncSetStore } from './in-sync-set-store.ts';

/** @throws {LogUnsafe} where servers are waited for, which whoever does not wait would make false */
export async function assertUnreplicated(store: Pick<StateStore, 'load' | 'save'>): Promise<void> {
  const { set } = await new InSyncSetStore(store, '').read();
  if (!set) return;
  throw new LogUnsafe(
    'this log has servers in sync that are waited for: set REDIS_WAIT_REPLICAS as it was, or stop all processes and `npm run redis-servers -- forget`',
  );
}
