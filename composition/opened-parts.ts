import type { Logger } from 'pino';
import type { CreativeIntake } from '../gateways/creatives/creative-intake.ts';
import type { Verifier } from '../gateways/verification/verifier.ts';
import type { ActorNode } from '../runtime/node/node.ts';
import type { StateStore } from '../runtime/ports/store.ts';
import type { Settings } from '../settings.ts';
import type { Providers } from './open-providers.ts';

/** What more than one role of a process is opened with. */
export interface OpenedParts {
  readonly settings: Settings;
  /** Master secret, from which the keys for what is kept sealed are derived. */
  readonly secretKey: string;
  readonly providers: Providers;
  readonly node: ActorNode;
  /** States as the newest release has them. */
  readonly store: StateStore;
  readonly intake: CreativeIntake;
  readonly verifier: Verifier;
  readonly logger: Logger;
}
