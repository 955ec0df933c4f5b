import type { Logger } from 'pino';
import type { CreativeIngest } from '../gateways/creatives/creative-ingest.ts';
import type { Verifier } from '../gateways/verification/verifier.ts';
import type { ActorNode } from '../runtime/node/node.ts';
import type { StateStore } from '../runtime/ports/store.ts';
import type { Settings } from '../settings.ts';
import type { Providers } from './create-providers.ts';

/** What more than one role of a process is opened with. */
export interface RoleDeps {
  readonly settings: Settings;
  /** Master secret, from which the keys for what is kept sealed are derived. */
  readonly secretKey: string;
  readonly providers: Providers;
  readonly node: ActorNode;
  /** States as the newest release has them. */
  readonly store: StateStore;
  readonly intake: CreativeIngest;
  readonly verifier: Verifier;
  readonly logger: Logger;
}
