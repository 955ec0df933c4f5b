import type { ViewedImpression } from '../actors/feed-page/view-row.ts';
import { Facts } from '../edge/facts/facts.ts';
import { TrackingVerifier } from '../edge/tracking/verify.ts';
import { ViewabilityIngest } from '../edge/viewability/viewability-ingest.ts';
import { WinFeed } from '../edge/win-feed.ts';
import type { ActorNode } from '../runtime/node/node.ts';
import type { MessageLog } from '../runtime/ports/log.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import type { Settings } from '../settings.ts';
import type { FactsRoute } from './facts/facts-log.ts';

export interface ViewabilityIntake {
  readonly views: ViewabilityIngest;
  /** Sends what was counted. */
  close(): Promise<void>;
}

/** Takes in viewability events where this process has no edge. */
export function startViewabilityIngest(
  { region, renderWindowMs, previousSecretKeys, logLevelData }: Settings,
  secretKey: string,
  log: MessageLog,
  node: ActorNode,
  factsRoute: FactsRoute,
): ViewabilityIntake {
  const { replica } = node;
  const clock = systemClock;
  const facts = new Facts({ ...factsRoute, replica, clock, region });
  const verifier = new TrackingVerifier({ secretKey, previousSecretKeys });
  const feed =
    logLevelData === null ? null : new WinFeed({ log, replica, clock, edge: `${region}-${systemRandom.id()}` });
  const viewability = new ViewabilityIngest({
    ...{ log, verifier, facts, clock, windowMs: renderWindowMs },
    ...(feed !== null && { seen: (dspId: string, view: ViewedImpression) => feed.addView(dspId, view) }),
  });
  feed?.start();
  facts.start();
  viewability.start();
  return {
    views: viewability,
    async close() {
      await viewability.close();
      await feed?.close();
      await facts.close();
    },
  };
}
