import { cluster } from '../scenarios/cluster.ts';
import { fullMemory } from '../scenarios/full-memory.ts';
import { monthEnd } from '../scenarios/month-end.ts';
import { nodeKilled } from '../scenarios/node-killed.ts';
import { promotedOutside } from '../scenarios/promoted-outside.ts';
import { regionBack } from '../scenarios/region-back.ts';
import { regionLost } from '../scenarios/region-lost.ts';
import { regionMonthEnd } from '../scenarios/region-month-end.ts';
import { sentinel } from '../scenarios/sentinel.ts';
import { shardAway } from '../scenarios/shard-away.ts';
import { sickNode } from '../scenarios/sick-node.ts';
import { spools } from '../scenarios/spools.ts';
import { upgrade } from '../scenarios/upgrade.ts';
import type { Scenario } from './scenario.ts';

/** In the order of the table. */
export const SCENARIOS: readonly Scenario[] = [
  ...[sentinel, cluster, promotedOutside, shardAway],
  ...[nodeKilled, sickNode, fullMemory, spools],
  ...[upgrade, monthEnd],
  ...[regionMonthEnd, regionLost, regionBack],
];
