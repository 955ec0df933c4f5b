import type { Logger } from '../../../runtime/actor/logger.ts';
import type { Clock } from '../../../runtime/ports/clock.ts';
import { type RefreshParts, refreshDueAssets } from './refresh-due-assets.ts';

const EVERY_MS = 5 * 60_000;

export interface RefreshLoop {
  /** Resolves when the round under way is over. */
  close(): Promise<void>;
}

/** A round of `refreshDueAssets` every five minutes, one after the other; the first after five. */
export function startRefreshLoop(
  parts: RefreshParts & { readonly clock: Clock; readonly logger: Logger },
): RefreshLoop {
  const { clock, logger } = parts;
  let underWay: Promise<void> = Promise.resolve();
  let closed = false;
  let cancel = () => {};
  const round = async () => {
    try {
      const counts = await refreshDueAssets(parts, clock.now());
      if (Object.values(counts).some((count) => count > 0)) logger.info(counts, 'creatives were fetched again');
    } catch (err) {
      logger.warn({ err }, 'creatives could not be fetched again; the next round goes on');
    }
    if (!closed) next();
  };
  const next = () => {
    cancel = clock.after(EVERY_MS, () => {
      underWay = round();
    });
  };
  next();
  return {
    async close() {
      closed = true;
      cancel();
      await underWay;
    },
  };
}
