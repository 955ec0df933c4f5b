import { cluster } from '../scenarios/cluster.ts';
import { sentinel } from '../scenarios/sentinel.ts';
import type { Scenario } from './scenario.ts';

/** In the order of the table. */
export const SCENARIOS: readonly Scenario[] = [sentinel, cluster];
