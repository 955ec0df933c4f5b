import type { Logger } from '../../../runtime/actor/logger.ts';
import type { Clock } from '../../../runtime/ports/clock.ts';
import { FetchFailed } from '../fetch/failures.ts';
import { type RefreshParts, refreshDueAssets } from './refresh-due-assets.ts';

/** Soon: campaigns that an older release saved do not bid before their assets have been fetched. */
const FIRST_MS = 5_000;
const EVERY_MS = 5 * 60_000;
/** While there is more to do than a round takes. */
const GOING_ON_MS = 100;

export interface RefreshLoop {
  /** Gives up what is being fetched; resolves when nothing is under way. */
  close(): Promise<void>;
}

/** A round of `refreshDueAssets` every five minutes, one after the other, and at once where one was not enough. */
export function startRefreshLoop(
  parts: Omit<RefreshParts, 'stop'> & { readonly clock: Clock; readonly logger: Logger },
): RefreshLoop {
  const { clock, logger } = parts;
  const stopping = new AbortController();
  const { signal: stop } = stopping;
  let underWay: Promise<void> = Promise.resolve();
  let cancel = () => {};
  const round = async () => {
    let nextMs = EVERY_MS;
    try {
      const { more, ...counts } = await refreshDueAssets({ ...parts, stop }, clock.now());
      if (Object.values(counts).some((count) => count > 0)) logger.info(counts, 'creatives were fetched again');
      if (more) nextMs = GOING_ON_MS;
    } catch (err) {
      logger.warn({ err }, 'creatives could not be fetched again; the next round goes on');
    }
    if (!stop.aborted) next(nextMs);
  };
  const next = (inMs: number) => {
    cancel = clock.after(inMs, () => {
      underWay = round();
    });
  };
  next(FIRST_MS);
  return {
    async close() {
      stopping.abort(new FetchFailed('was given up'));
      cancel();
      await underWay;
    },
  };
}
