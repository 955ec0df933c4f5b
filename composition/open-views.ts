import { Facts } from '../gateways/edge/facts.ts';
import { TrackingVerifier } from '../gateways/edge/tracking/verify.ts';
import { ViewIntake } from '../gateways/edge/viewability/view-intake.ts';
import type { ActorNode } from '../runtime/node/node.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import type { Settings } from '../settings.ts';

export interface OpenedViews {
  readonly views: ViewIntake;
  /** Tells what was counted. */
  close(): Promise<void>;
}

/** Takes views in where there is no edge in this process. */
export function openViews({ region, renderWindowMs }: Settings, secretKey: string, node: ActorNode): OpenedViews {
  const { messenger, replica } = node;
  const facts = new Facts({ messenger, replica, clock: systemClock, region });
  const verifier = new TrackingVerifier({ secretKey });
  facts.start();
  return {
    views: new ViewIntake({ verifier, facts, clock: systemClock, windowMs: renderWindowMs }),
    close: () => facts.close(),
  };
}
