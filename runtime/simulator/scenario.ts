import { DEFAULT_TUNING, type Tuning } from '../node/tuning.ts';
import type { FaultRates } from './faults.ts';
import type { SeededRandom } from './seeded-random.ts';

/** The faults of the nemesis. */
export type FaultKind =
  | 'pause'
  | 'crash'
  | 'rolling restart'
  | 'log unreachable'
  | 'store unreachable'
  | 'log crash'
  | 'stream wiped'
  | 'log set back'
  | 'catalogue trimmed'
  | 'catalogue recreated'
  | 'wall clock jumps'
  /** One actor's state cannot be stored once it has grown. */
  | 'unstorable';

/** Everything about a run that its seed determines in advance. */
export interface Scenario {
  readonly partitions: number;
  readonly actorNodes: number;
  /** Nodes without actors: they send, ask and follow the catalogue. */
  readonly edgeNodes: number;
  readonly logDeadlineMs: number;
  readonly storeDeadlineMs: number;
  readonly catalogueBound: number;
  readonly rates: FaultRates;
  /** Mean time between two faults of a kind, ms. */
  readonly faultKinds: ReadonlyMap<FaultKind, number>;
  /** The time during which faults are injected, ms. */
  readonly faultsMs: number;
  /** Mean pause of a client between two messages, ms. */
  readonly thinkMs: number;
  /** The number of lethal messages, each of which ends every process that handles it. */
  readonly lethal: number;
  /** The number of actors of each kind. */
  readonly actors: number;
}

const FAULT_KINDS: readonly (readonly [FaultKind, number])[] = [
  ['pause', 4_000],
  ['crash', 5_000],
  ['rolling restart', 8_000],
  ['log unreachable', 5_000],
  ['store unreachable', 5_000],
  ['log crash', 8_000],
  ['stream wiped', 10_000],
  ['log set back', 10_000],
  ['catalogue trimmed', 3_000],
  ['catalogue recreated', 8_000],
  ['wall clock jumps', 5_000],
];

/**
 * Draws a scenario. Each run has only some faults, because faults that are always present hide those that need quiet:
 * "swarm testing" (Groce et al., ISSTA 2012).
 */
export function drawScenario(random: SeededRandom): Scenario {
  const sometimes = (highest: number) => (random.chance(0.5) ? random.next() * highest : 0);
  const blows = new Map<FaultKind, number>();
  for (const [blow, meanMs] of FAULT_KINDS) if (random.chance(0.4)) blows.set(blow, meanMs * random.between(0.5, 2));
  const scenario: Scenario = {
    partitions: random.pick([1, 2, 4, 7]),
    actorNodes: random.pick([1, 2, 2, 3]),
    edgeNodes: 1,
    logDeadlineMs: random.between(300, 1_200),
    storeDeadlineMs: random.between(300, 1_500),
    catalogueBound: random.pick([5, 50, 1_000]),
    rates: {
      requestLost: sometimes(0.03),
      replyLost: sometimes(0.03),
      late: sometimes(0.03),
      slow: sometimes(0.03),
      partialSave: sometimes(0.1),
      channelLost: sometimes(0.2),
      overtaking: sometimes(1),
    },
    faultKinds: blows,
    faultsMs: random.between(8_000, 25_000),
    thinkMs: random.pick([30, 60, 150]),
    lethal: random.chance(0.2) ? 1 : 0,
    actors: random.pick([2, 3, 5]),
  };
  // This fault is drawn last, so that older seeds that show a fault still show it.
  if (random.chance(0.3)) blows.set('unstorable', 3_000 * random.between(0.5, 2));
  return scenario;
}

/** Draws the tuning of one process; each start of a process has its own. */
export function drawTuning(random: SeededRandom): Tuning {
  return {
    ...DEFAULT_TUNING,
    leaseTtlMs: 2_000,
    placementIntervalMs: random.pick([300, 600]),
    lazySaveMs: random.pick([50, 300, 1_000]),
    batchSize: random.pick([1, 2, 7, 500]),
    readAhead: random.pick([1, 10, 2_000]),
    readWaitMs: random.pick([200, 1_000]),
    commitIntervalMs: random.pick([1, 20, 100]),
    maxPartitionLength: random.pick([20, 200_000, 200_000, 200_000]),
    sendTimeoutMs: random.pick([300, 2_000]),
    publishTimeoutMs: 400,
    askTimeoutMs: random.pick([200, 2_000]),
    idleMs: random.pick([20, 200, 10_000]),
    maxActive: random.pick([1, 3, 5_000]),
    highWaterStepMs: random.pick([50, 2_000]),
    carefulAfter: random.pick([1, 3]),
    parkAfterDeaths: 3,
    storeSilenceMs: 1_000,
    doubtGraceMs: 800,
    fitAfterMs: 3_000,
    declineMs: [2_000, 10_000],
    backoffMs: [20, 300],
  };
}
