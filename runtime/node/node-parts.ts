import type { Logger } from '../actor/logger.ts';
import type { Trail } from '../actor/trail.ts';
import type { Clock } from '../ports/clock.ts';
import type { LogProvider } from '../ports/log-provider.ts';
import type { Random } from '../ports/random.ts';
import type { StateStore } from '../ports/store.ts';
import type { Destinations } from './destinations.ts';
import type { Kinds } from './kinds.ts';
import type { BrokenLaws } from './laws.ts';
import type { NodeMetrics } from './metrics.ts';
import type { Tuning } from './tuning.ts';

/** What every part of a node works with. */
export interface NodeParts {
  /** Unique for each start of a process: lease owner, producer and reply address. */
  readonly incarnation: string;
  readonly provider: LogProvider;
  readonly store: StateStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly kinds: Kinds;
  readonly tuning: Tuning;
  readonly brokenLaws: BrokenLaws;
  readonly trail: Trail | null;
  readonly logger: Logger;
  readonly metrics: NodeMetrics;
  readonly destinations: Destinations;
}
