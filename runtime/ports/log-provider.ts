import type { CatalogueLog } from './catalogue-log.ts';
import type { LeaseTable } from './leases.ts';
import type { MessageLog } from './log.ts';
import type { RelayedAppends } from './relayed.ts';
import type { ReplyChannel } from './replies.ts';

/**
 * All ports that one log technology provides. The provider owns its connections; no type of its client library leaves
 * it.
 */
export interface LogProvider {
  readonly log: MessageLog;
  readonly relayed: RelayedAppends;
  readonly leases: LeaseTable;
  readonly catalogue: CatalogueLog;
  readonly replies: ReplyChannel;
  /** Warnings for the operator that the provider found at start (law 12), e.g. that fsync is not `always`. */
  readonly warnings: readonly string[];
  /** True while the log answers. */
  healthy(): Promise<boolean>;
  /** Ends waiting reads, then closes connections and timers. */
  close(): Promise<void>;
}
