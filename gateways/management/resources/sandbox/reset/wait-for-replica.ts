import type { ManagementDeps } from '#gateways/management/deps';

/** The longest wait in ms. An edge that lags further behind still counts new figures for the flushed ledgers. */
const LONGEST_WAIT_MS = 2_000;

/**
 * Resolves when this process's replica holds these sandbox generations, or after 2 s. From then on an edge in the same
 * process counts for the new ledgers; other processes follow as fast as they follow any change.
 */
export function waitForReplica(
  { replica, clock }: Pick<ManagementDeps, 'replica' | 'clock'>,
  kind: string,
  generations: ReadonlyMap<string, number>,
): Promise<void> {
  return new Promise((resolve) => {
    const awaited = new Map(generations);
    let unsubscribe = (): void => undefined;
    const end = () => {
      cancelTimer();
      unsubscribe();
      resolve();
    };
    const cancelTimer = clock.after(LONGEST_WAIT_MS, end);
    unsubscribe = replica.subscribe(kind, ({ id, projection }) => {
      const generation = (projection as { sandboxGeneration?: number } | null)?.sandboxGeneration ?? 0;
      if (generation >= (awaited.get(id) ?? Number.POSITIVE_INFINITY)) awaited.delete(id);
      if (awaited.size === 0) end();
    });
    if (awaited.size === 0) end();
  });
}
