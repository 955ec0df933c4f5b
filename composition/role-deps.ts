import type { Logger } from 'pino';
import type { CreativeIngest } from '../gateways/creatives/creative-ingest.ts';
import type { Verifier } from '../gateways/verification/verifier.ts';
import type { ActorNode } from '../runtime/node/node.ts';
import type { StateStore } from '../runtime/ports/store.ts';
import type { Settings } from '../settings.ts';
import type { Providers } from './create-providers.ts';

/** The collaborators that more than one role of a process needs. */
export interface RoleDeps {
  readonly settings: Settings;
  /** The master secret, from which the keys for sealed data are derived. */
  readonly secretKey: string;
  readonly providers: Providers;
  readonly node: ActorNode;
  /** The store, with states in the form of the newest release. */
  readonly store: StateStore;
  readonly ingest: CreativeIngest;
  readonly verifier: Verifier;
  readonly logger: Logger;
}
