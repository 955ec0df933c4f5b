import { budgetWindowStart } from '#actors/budget/budget-window';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { eventually } from '../../support/eventually.ts';
import { exchangeCommand } from '../../support/exchange-command.ts';
import { clockMissing, ShiftedClock } from '../clock/shifted-clock.ts';
import { PARTITIONS } from '../exchange/deployment.ts';
import type { ExchangeProcess } from '../exchange/exchange-process.ts';
import { settledThroughMs } from '../regions/budget-settlement.ts';
import { backlogOf, REGIONAL, RegionServers, waitUntilDrained } from '../regions/region-servers.ts';
import type { Outcome, Run, Scenario } from '../suite/scenario.ts';
import type { Acknowledgement } from '../traffic/traffic.ts';
import { trackingIdOf } from '../verification/billed-ids.ts';
import { spooledBelow } from '../verification/wait-until-at-rest.ts';
import { ExchangeInUse } from './exchange-in-use.ts';

const IMPRESSIONS_BETWEEN = 200;
const BUDGET_CENTS = 100;
const MOST_READ = 100_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** From midnight, at the start. */
const NOON_MS = 12 * 60 * MINUTE_MS;
/** Longer than the render window and an hour. */
const UNTIL_SETTLED_MS = 130 * MINUTE_MS;
const PATIENT = { timeoutMs: 400_000, everyMs: 200 };

export const regionLost: Scenario = {
  name: 'region-lost',
  done: 'The Redis of a region that is cut off killed and started, then lost: what it alone had is named, and not counted here',
  rounds: 1,
  missing: clockMissing,
  run: loseRegion,
};

/** A region as `exchange regions --json` lists it. */
interface Listed {
  readonly name: string;
  readonly drained_through: string | null;
  readonly written_off: string | null;
  readonly too_late: { readonly impressions: number };
}

async function loseRegion(run: Run): Promise<Outcome> {
  const todayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const clock = await ShiftedClock.start(run.folder, todayMs + NOON_MS);
  const servers = await RegionServers.start(run, clock.environment);
  const used = await ExchangeInUse.start(run, {
    ...REGIONAL,
    settings: { REDIS_URL: servers.home.url, ...clock.environment },
    edgeSettings: servers.edgeSettings,
    nowMs: () => clock.nowMs(),
  });
  const { deployment, traffic } = used;
  const { nyc } = servers;
  const edge = deployment.edges[1]!;
  const limited = deployment.dsps[0]!;
  const [fraUrl, nycUrl, lonUrl] = deployment.edgeUrls as [string, string, string];
  await deployment.call('PUT', `/api/demand/sources/${limited}`, { daily_budget_cents: BUDGET_CENTS });
  await traffic.waitForImpressions(IMPRESSIONS_BETWEEN);

  traffic.renderer.useEdges([fraUrl, lonUrl]);
  await waitUntilDrained(deployment, [edge]);
  nyc.link.cut();
  const cutAtMs = performance.now();
  const cutAtClockMs = clock.nowMs();
  traffic.renderer.useEdges([fraUrl, nycUrl, lonUrl]);
  run.say('nyc is cut off');
  /** Ids that the region acknowledged between two instants. */
  const takenIn = (fromMs: number, toMs: number) =>
    [...traffic.acknowledgements.values()].filter((of) => of.some(isOf(nycUrl, fromMs, toMs))).length;
  await eventually(
    'impressions in the region',
    () => takenIn(cutAtMs, performance.now()) >= IMPRESSIONS_BETWEEN,
    PATIENT,
  );
  await nyc.log.kill();
  run.say("the region's Redis is killed");
  const spooling = async () => (await spooledBelow(deployment.folder)).some((path) => path.startsWith(edge.name));
  await eventually('the edge to spool', spooling, PATIENT);
  await traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
  await nyc.log.start();
  await eventually('the spool to be replayed', async () => !(await spooling()), PATIENT);
  traffic.renderer.useEdges([fraUrl, lonUrl]);

  const isCounted = async () => {
    const [seen, ids] = [await backlogOf(deployment, [edge]), await idsWaiting(servers)];
    if (seen !== ids.size) throw new Error(`${ids.size} wait, the relay sees ${seen}`);
    return ids;
  };
  const waiting = await eventually('the relay to see all that waits', isCounted, PATIENT);
  const lostAtMs = performance.now();
  const isIn = isOf(nycUrl, cutAtMs, lostAtMs);
  const taken = [...traffic.acknowledgements].flatMap(([url, of]) => (of.some(isIn) ? [trackingIdOf(url)] : []));
  const missing = taken.filter((id) => !waiting.has(id));
  const wrong = missing.length > 0 ? [`${missing.length} acknowledged impressions are not in the region's log`] : [];
  await nyc.log.wipe();
  run.say(`the region's Redis is lost, with ${waiting.size} impressions that were not at home`);
  const alarm = await eventually('the alarm', () => alarmOf(edge), PATIENT);
  traffic.renderer.useEdges([fraUrl, nycUrl, lonUrl]);
  await traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
  const sinceMs = performance.now();
  nyc.link.restore();
  await used.waitUntilRecovered(sinceMs);
  await traffic.stop();
  await waitUntilDrained(deployment);

  const isLost = (of: readonly Acknowledgement[]) => of.every(isIn);
  const lost = new Set([...traffic.acknowledgements].flatMap(([url, of]) => (isLost(of) ? [url] : [])));
  run.say(`${lost.size} of them were acknowledged nowhere else`);
  if (alarm.lost !== waiting.size) wrong.push(`the alarm names ${alarm.lost} impressions, lost are ${waiting.size}`);

  const environment = { REDIS_URL: servers.home.url, ...clock.environment };
  const listed = async (...args: string[]): Promise<Listed[]> => {
    const { code, stdout, stderr } = await exchangeCommand(environment, 'regions', ...args, '--json');
    if (code !== 0) throw new Error(`exchange regions ${args.join(' ')}: ${code} ${stderr}`);
    return JSON.parse(stdout);
  };
  const old = (await listed('list')).find(({ name }) => name === alarm.source);
  const drainedMs = Date.parse(old?.drained_through ?? '');
  if (!(Math.abs(drainedMs - cutAtClockMs) < 5_000)) {
    wrong.push(
      `${alarm.source} is listed as ${JSON.stringify(old)}, cut off at ${new Date(cutAtClockMs).toISOString()}`,
    );
  }

  await clock.advance(UNTIL_SETTLED_MS);
  await waitUntilDrained(deployment);
  const isComplete = async () => {
    const { body } = await deployment.call('GET', `/api/dsp/${limited}/feed?type=impression&limit=1`);
    return Date.parse(body.complete_through) > cutAtClockMs + UNTIL_SETTLED_MS;
  };
  await eventually('the books to be complete', isComplete, PATIENT);
  const windowMs = budgetWindowStart(cutAtClockMs);
  const before = await settledThroughMs(deployment, limited);
  if (before >= windowMs) wrong.push(`the budget is settled up to ${before}, and the lost log is not written off`);
  const [given] = await listed('write-off', alarm.source, '--why', 'its Redis was lost');
  if (given?.written_off !== 'its Redis was lost') wrong.push(`written off, it is listed as ${JSON.stringify(given)}`);
  if (given?.too_late.impressions !== 0)
    wrong.push(`something of the lost log came too late: ${JSON.stringify(given)}`);
  const isSettled = async () => (await settledThroughMs(deployment, limited)) >= windowMs;
  await eventually('the budget to be settled', isSettled, PATIENT);
  run.say('written off, the budget is settled');
  return used.finish(servers.home.url, { wrong, lost });
}

function isOf(edge: string, fromMs: number, toMs: number): (one: Acknowledgement) => boolean {
  return (one) => one.edge === edge && one.atMs >= fromMs && one.atMs <= toMs;
}

/** The ids in the log of nyc that home does not have. */
async function idsWaiting({ home, nyc }: RegionServers): Promise<ReadonlySet<string>> {
  const [atHome, region] = await Promise.all([
    openRedisLog({ url: home.url, prefix: 'exchange', partitions: PARTITIONS }),
    openRedisLog({ url: nyc.log.url, prefix: 'exchange-nyc', partitions: PARTITIONS }),
  ]);
  try {
    const after = new Map<number, string>();
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const sources = await atHome.relayed.sources(partition);
      after.set(partition, sources.find(({ source }) => source.startsWith('nyc#'))!.position);
    }
    const entries = [...(await region.log.read(after, MOST_READ, 0)).values()].flat();
    return new Set(entries.map(({ payload }) => JSON.parse(payload.slice(0, payload.indexOf('\n'))).id));
  } finally {
    await Promise.all([atHome.close(), region.close()]);
  }
}

/** What the process has written of the loss of its region's log; null while it has not. */
function alarmOf({ output }: ExchangeProcess): { readonly source: string; readonly lost: number } | null {
  const line = output.split('\n').find((one) => one.includes("the region's log was made anew"));
  return line === undefined ? null : JSON.parse(line.slice(line.indexOf('{')));
}
