import type { CatalogueLog } from './catalogue-log.ts';
import type { LeaseTable } from './leases.ts';
import type { MessageLog } from './log.ts';
import type { ReplyChannel } from './replies.ts';

/** Everything one log technology provides. It owns its connections and leaks no client type. */
export interface LogProvider {
  readonly log: MessageLog;
  readonly leases: LeaseTable;
  readonly catalogue: CatalogueLog;
  readonly replies: ReplyChannel;
  /** What the provider found at start that an operator should know (law 12), e.g. that fsync is not `always`. */
  readonly warnings: readonly string[];
  /** True while the log answers. */
  healthy(): Promise<boolean>;
  /** Ends waiting reads, then closes connections and timers. */
  close(): Promise<void>;
}
