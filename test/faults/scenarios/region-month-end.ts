import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../support/eventually.ts';
import { clockMissing, ShiftedClock } from '../clock/shifted-clock.ts';
import type { Deployment } from '../exchange/deployment.ts';
import { settledThroughMs } from '../regions/budget-settlement.ts';
import { REGIONAL, RegionServers, waitUntilDrained } from '../regions/region-servers.ts';
import type { Outcome, Run, Scenario } from '../suite/scenario.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { readBilled, soldAtMsOf, trackingIdOf } from '../verification/billed-ids.ts';
import { ExchangeInUse } from './exchange-in-use.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Until midnight, at the start. */
const BEFORE_MIDNIGHT_MS = 31 * MINUTE_MS;
const CUT_FOR_MS = 70 * MINUTE_MS;
const STEP_MS = 5 * MINUTE_MS;
/** Longer than the render window and an hour. */
const UNTIL_SETTLED_MS = 130 * MINUTE_MS;
const IMPRESSIONS_BETWEEN = 120;
/** Sold before midnight, and rendered an hour later at the latest. */
const HELD_BACK = 40;
const BUDGET_CENTS = 8;
const NANOS_PER_CENT = 10_000_000;
const LEAST_SPENT = 0.6;

export const regionMonthEnd: Scenario = {
  name: 'region-month-end',
  done: "A region cut off for 70 min across midnight and a month's end, with a budget that all regions share and pixels at the wrong one",
  rounds: 1,
  missing: clockMissing,
  run: cutAcrossMonthEnd,
};

/**
 * All windows have their full length: the clocks of all processes and servers jump ahead, or, in the long form, the
 * time is waited for.
 */
async function cutAcrossMonthEnd(run: Run): Promise<Outcome> {
  const midnightMs = monthEndAfter(Date.now());
  const clock = await ShiftedClock.start(run.folder, midnightMs - BEFORE_MIDNIGHT_MS);
  const servers = await RegionServers.start(run, clock.environment);
  const used = await ExchangeInUse.start(run, {
    ...REGIONAL,
    settings: { REDIS_URL: servers.home.url, ...clock.environment },
    edgeSettings: servers.edgeSettings,
    hasLongFeeds: run.long,
    nowMs: () => clock.nowMs(),
    prepare: (made) => made.call('PUT', `/api/demand/sources/${made.dsps[0]}`, { daily_budget_cents: BUDGET_CENTS }),
  });
  const { deployment, traffic } = used;
  const limited = deployment.dsps[0]!;
  await traffic.waitForImpressions(IMPRESSIONS_BETWEEN);

  servers.nyc.link.cut();
  run.say(`nyc is cut off at ${timeOf(clock)}`);
  const held = await traffic.renderer.holdBack(HELD_BACK);
  for (let passedMs = 0; passedMs < CUT_FOR_MS; passedMs += STEP_MS) {
    if (run.long) await pause(STEP_MS);
    else await clock.advance(STEP_MS);
    await traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
    if (passedMs === CUT_FOR_MS / 2) await traffic.renderer.renderHeld(held);
  }
  run.say(`the link is back at ${timeOf(clock)}; ${traffic.rendered} impressions`);
  const sinceMs = performance.now();
  servers.nyc.link.restore();
  await used.waitUntilRecovered(sinceMs);
  await traffic.stop();
  await waitUntilDrained(deployment);
  run.say(`all regions are at home ${((performance.now() - sinceMs) / 1000).toFixed(1)} s after the link`);

  await clock.advance(UNTIL_SETTLED_MS);
  await eventually(
    'the budget to be settled',
    async () => (await settledThroughMs(deployment, limited)) >= midnightMs,
    {
      timeoutMs: 400_000,
      everyMs: 500,
    },
  );
  const wrong = [
    ...overspend(traffic, limited, midnightMs, run),
    ...(await statementDifferences(deployment, traffic, midnightMs, run)),
  ];
  return used.finish(servers.home.url, { wrong });
}

/** The first instant of the next month that is a day ahead or more. */
function monthEndAfter(nowMs: number): number {
  const ahead = new Date(nowMs + DAY_MS);
  return Date.UTC(ahead.getUTCFullYear(), ahead.getUTCMonth() + 1, 1);
}

function timeOf(clock: ShiftedClock): string {
  return new Date(clock.nowMs()).toISOString();
}

/**
 * On the day of its sale, what was rendered of the demand source with a budget; on both days, the budget must have been
 * short.
 */
function overspend({ renderer }: Traffic, dsp: string, midnightMs: number, run: Run): string[] {
  const budgetNanos = BUDGET_CENTS * NANOS_PER_CENT;
  const spent = new Map([
    ['before', 0],
    ['after', 0],
  ]);
  for (const [url, { dspId, priceCpmMicros }] of renderer.rendered) {
    const day = soldAtMsOf(url) < midnightMs ? 'before' : 'after';
    if (dspId === dsp) spent.set(day, spent.get(day)! + priceCpmMicros);
  }
  return Array.from(spent).flatMap(([day, nanos]) => {
    run.say(`sold ${day} midnight: ${((100 * nanos) / budgetNanos).toFixed(1)}% of the budget`);
    if (nanos > budgetNanos) return [`sold ${day} midnight: ${nanos} nano-dollars of a budget of ${budgetNanos}`];
    if (nanos < LEAST_SPENT * budgetNanos)
      return [`sold ${day} midnight: only ${nanos} nano-dollars of ${budgetNanos}`];
    return [];
  });
}

/** The month that is over and the one after it, against what the feeds say was billed in each. */
async function statementDifferences(
  deployment: Deployment,
  { renderer }: Traffic,
  midnightMs: number,
  run: Run,
): Promise<string[]> {
  const soldAt = new Map([...renderer.rendered.keys()].map((url) => [trackingIdOf(url), soldAtMsOf(url)]));
  const billed = await readBilled(deployment);
  const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);
  const wrong: string[] = [];
  let late = 0;
  for (const dsp of deployment.dsps) {
    const own = billed.filter((one) => one.dsp === dsp);
    const before = own.filter(({ atMs }) => atMs < midnightMs);
    const lateHere = own.filter(({ id, atMs }) => atMs >= midnightMs && soldAt.get(id)! < midnightMs).length;
    late += lateHere;
    const of = async (ms: number) => {
      const { body } = await deployment.call('GET', `/api/demand/sources/${dsp}/billing?month=${monthOf(ms)}`);
      return [body.status, body.invoice?.wins, body.late_impressions ?? 0];
    };
    for (const [ms, expected] of [
      [midnightMs - 1, ['finalized', before.length, 0]],
      [midnightMs, ['in_progress', own.length - before.length, lateHere]],
    ] as const) {
      const found = await eventually('the statement', async () => {
        const answer = await of(ms);
        return answer[0] === undefined ? null : answer;
      });
      if (found.join() === expected.join()) continue;
      wrong.push(`the statement of ${dsp} for ${monthOf(ms)} is ${found.join(', ')}, not ${expected.join(', ')}`);
    }
  }
  run.say(`${late} impressions that were sold before midnight are on statements of the month after`);
  if (late === 0) wrong.push('nothing that was sold before midnight is billed in the month after');
  return wrong;
}
