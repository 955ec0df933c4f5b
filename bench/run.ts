import { cpus } from 'node:os';
import { askRows, messageRows } from './actors/rows.ts';
import { compareAuctions } from './against/compare-auctions.ts';
import { addedLatency } from './auctions/added-latency.ts';
import { cpuPerAuction, type FloorRow } from './auctions/cpu-per-auction.ts';
import { delegateRows } from './auctions/delegate-auctions.ts';
import { http2Cost } from './auctions/http2-cost.ts';
import { measuringCost } from './auctions/measuring-cost.ts';
import { overloadRows } from './auctions/overload.ts';
import { recordingCost } from './auctions/recording-cost.ts';
import { workerRows } from './auctions/workers.ts';
import { catalogueRows } from './catalogue/rows.ts';
import { dashboardRows } from './dashboard/rows.ts';
import { freshnessRows } from './freshness/rows.ts';
import { confirmedImpressions } from './impressions/confirmed.ts';
import { liveRows } from './live/rows.ts';
import { managementRows } from './management/rows.ts';
import { matchingRows } from './matching/rows.ts';
import { knownCreatives } from './memory/known-creatives.ts';
import { redisGrowth } from './memory/redis-growth.ts';
import { startAndRest } from './memory/start-and-rest.ts';
import { GROUPS, type Group, readOptions } from './options.ts';
import { paceRows } from './pace/rows.ts';
import { canPin, pinToOtherCore } from './processes/cores.ts';
import { findRedis } from './processes/redis.ts';
import { propagationRows } from './propagation/rows.ts';
import { replicaRows } from './replicas/rows.ts';
import { reportRows } from './reports/rows.ts';
import { orFailed, type Row, table } from './row.ts';
import { countsRows } from './scale/counts/rows.ts';
import { drawsRows } from './scale/draws/rows.ts';
import { scaleRows } from './scale/rows.ts';
import { soakRows } from './soak/rows.ts';

/**
 * Measures the figures of docs/performance.md and prints them as a table. Each ratio is taken in one run: the measure
 * and its floor alternate, and the median of the ratios counts.
 *
 * - `npm run bench`: everything
 * - `npm run bench -- --only auctions,actors`: some groups
 * - `npm run bench -- --only growth --minutes 10`
 * - `npm run bench -- --only soak --minutes 60`
 * - `npm run bench -- --only soak --strict`: fails when a row is not reached
 * - `npm run bench -- --only scale --minutes 2`
 * - `npm run bench -- --only counts --minutes 0.5`
 * - `npm run bench -- --only draws --minutes 10`
 * - `npm run bench -- --only freshness --minutes 3`
 * - `npm run bench -- --only auctions --against <revision> --rounds 20`
 */
const FLOORS: readonly FloorRow[] = [
  { client: 'undici', most: 1.5 },
  { client: 'sockets', most: 2.1 },
];
const TLS_FLOORS: readonly FloorRow[] = [
  { client: 'undici', most: 1.5 },
  { client: 'sockets', most: null },
];
const options = readOptions(process.argv.slice(2));
pinToOtherCore();
const redis = await findRedis();
const redisUrl = redis?.url ?? null;
const mongodbUrl = process.env.MONGODB_URL ?? null;
const { rounds, minutes, against } = options;

const groups: Record<Group, () => Promise<Row[]>> = {
  auctions: async () => {
    if (against !== null) return [await compareAuctions(5, against, rounds)];
    return [
      ...(await orFailed('auctions, 5 bidders', () => cpuPerAuction(5, FLOORS, rounds))),
      ...(await orFailed('auctions, 10 bidders', () => cpuPerAuction(10, [{ client: 'undici', most: 1.3 }], rounds))),
      ...(await orFailed('auctions over TLS', () => cpuPerAuction(5, TLS_FLOORS, rounds, true))),
      ...(await orFailed('auctions recorded', async () => [await recordingCost(1.03, rounds)])),
    ];
  },
  workers: () => workerRows(redisUrl, mongodbUrl, rounds),
  http2: async () => [...(await http2Cost(5, rounds)), ...(await http2Cost(10, rounds))],
  delegates: () => delegateRows(redisUrl, mongodbUrl, rounds),
  matching: () => matchingRows(),
  catalogue: () => catalogueRows(mongodbUrl),
  latency: () => addedLatency(rounds),
  overload: () => overloadRows(),
  // A hundredth of an auction.
  metrics: async () => [measuringCost(4_000)],
  actors: () => messageRows(redisUrl, mongodbUrl, Math.min(rounds, 3)),
  asks: () => askRows(redisUrl),
  impressions: () => confirmedImpressions(redisUrl, Math.min(rounds, 3)),
  replicas: () => replicaRows(Math.min(rounds, 3)),
  management: () => managementRows(redisUrl, mongodbUrl, rounds),
  reports: () => reportRows(),
  live: () => liveRows(),
  pace: () => paceRows(redisUrl),
  propagation: () => propagationRows(redisUrl, mongodbUrl),
  freshness: () => freshnessRows(minutes ?? 1),
  memory: async () => [...(await startAndRest(rounds)), await knownCreatives()],
  growth: async () => [await redisGrowth(redisUrl, minutes ?? 1)],
  dashboard: () => dashboardRows(),
  scale: () => scaleRows(redisUrl, mongodbUrl, minutes ?? 1),
  counts: () => countsRows((minutes ?? 0.5) * 60),
  draws: () => drawsRows((minutes ?? 30) * 60),
  soak: () => soakRows(redisUrl, minutes ?? 15),
};
const rows: Row[] = [];
try {
  for (const group of GROUPS) {
    if (!options.only.has(group)) continue;
    process.stderr.write(`${group} …\n`);
    rows.push(...(await orFailed(group, groups[group])));
  }
} finally {
  await redis?.stop();
}
const pinned = canPin ? 'what is measured on a core of its own' : 'no taskset here: nothing is pinned';
console.log(`\n${cpus().length} cores, Node ${process.version}, ${pinned}\n\n${table(rows)}`);
if (options.strict && rows.some(({ reached }) => reached === false)) process.exitCode = 1;
