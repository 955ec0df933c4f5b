import type { SharedTurns } from '../../async/shared-turns.ts';
import type { AuditTrail } from '../actor/audit-trail.ts';
import type { Logger } from '../actor/logger.ts';
import type { Clock } from '../ports/clock.ts';
import type { LogProvider } from '../ports/log-provider.ts';
import type { Random } from '../ports/random.ts';
import type { StateStore } from '../ports/store.ts';
import type { Tracer } from '../ports/tracer.ts';
import type { DestinationHealth } from './destination-health.ts';
import type { KindRegistry } from './kind-registry.ts';
import type { BrokenLaws } from './laws.ts';
import type { NodeMetrics } from './metrics.ts';
import type { Tuning } from './tuning.ts';

/** The dependencies that the parts of a node share. */
export interface NodeDeps {
  /** Unique for each start of a process; used as lease owner, producer name and reply address. */
  readonly incarnation: string;
  readonly provider: LogProvider;
  readonly store: StateStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly kinds: KindRegistry;
  readonly tuning: Tuning;
  readonly brokenLaws: BrokenLaws;
  readonly auditTrail: AuditTrail | null;
  readonly logger: Logger;
  readonly metrics: NodeMetrics;
  /** The name of the log in metrics, in ids of dead letters and in high-water marks. */
  readonly logName: string;
  readonly destinations: DestinationHealth;
  /** Null: nothing is traced. */
  readonly tracer: Tracer | null;
  /** The turns of all partitions that handle messages with care: see `DeliveryAttempts.inTurn`. */
  readonly carefulTurns: SharedTurns;
}
