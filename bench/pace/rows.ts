import { randomUUID } from 'node:crypto';
import { READ_AGAIN_MS, SharedCampaignPace } from '../../edge/pace/shared-campaign-pace.ts';
import { accountName, accountNumber, type SpendChange } from '../../edge/pace/spend-account.ts';
import { toldText } from '../../edge/pace/told-text.ts';
import type { Counters } from '../../runtime/ports/counters.ts';
import { openRedisCounters } from '../../runtime/providers/redis/open-redis-counters.ts';
import { type Row, skipped } from '../row.ts';

const CAMPAIGNS = 100_000;
/** The campaigns are all asked for within this many seconds. */
const ASKED_WITHIN_S = 60;
/** Sales and renders of the whole exchange, a second, and the edges that share them. */
const SALES_PER_SECOND = 20_000;
const EDGES = 50;
const MEASURED_S = 70;
const READ_AT_ONCE = 1_000;
const PRICE_NANOS = 2_500_000;
const BUDGET = { daily_cents: 1_000_000, pacing: 'linear' } as const;
const TARGET_SHARE = 0.05;
const WHAT = `pace of ${CAMPAIGNS.toLocaleString('en-US')} budgeted campaigns asked within a minute, share of an edge’s core`;

/**
 * Measures what pacing costs an edge of the target's size: all campaigns known, all asked within a minute, its share of
 * the sales made here, and those of 49 other edges told each second. Time is compressed: seconds follow each other at
 * once, and what is counted is processor time.
 */
export async function paceRows(redisUrl: string | null): Promise<Row[]> {
  if (redisUrl === null) return [skipped(WHAT, 'redis-server')];
  const prefix = `bench-${randomUUID()}`;
  const counters = await openRedisCounters({ url: redisUrl, prefix });
  const others = await openRedisCounters({ url: redisUrl, prefix });
  const ids = Array.from({ length: CAMPAIGNS }, () => randomUUID());
  const numbers = ids.map((id) => accountNumber(accountName(id, '')));
  let nowMs = Date.now();
  const clock = { now: () => nowMs, monotonic: () => nowMs, after: () => () => {} };
  const pace = new SharedCampaignPace({ counters, clock, edge: 'measured', scopeOf: () => '' });
  const probability = (id: string) => pace.bidProbability(id, 'dsp', BUDGET, PRICE_NANOS, nowMs);
  try {
    for (let from = 0; from < CAMPAIGNS; from += READ_AT_ONCE) {
      for (const id of ids.slice(from, from + READ_AT_ONCE)) probability(id);
      await pace.sync();
      // So that some are due to be read again in each second that is measured.
      nowMs += READ_AGAIN_MS / (CAMPAIGNS / READ_AT_ONCE);
    }
    await pace.sync();
    const unknown = ids.filter((id) => probability(id) === null).length;
    if (unknown > 0) throw new Error(`the spend of ${unknown} campaigns is not known`);
    let [askedMicros, syncedMicros, next] = [0, 0, 0];
    const cpu = () => process.cpuUsage().user + process.cpuUsage().system;
    for (let second = 0; second < MEASURED_S; second += 1) {
      nowMs += 1_000;
      await tellOfOthers(others, numbers, nowMs);
      const beganAt = cpu();
      for (let asked = 0; asked < CAMPAIGNS / ASKED_WITHIN_S; asked += 1) probability(ids[next++ % CAMPAIGNS]!);
      for (let sale = 0; sale < SALES_PER_SECOND / EDGES; sale += 1) {
        const id = anyOf(ids);
        pace.reserve(id, 'dsp', PRICE_NANOS);
        pace.onBilled(id, 'dsp', PRICE_NANOS, nowMs - 20_000, nowMs);
      }
      const askedAt = cpu();
      await pace.sync();
      askedMicros += askedAt - beganAt;
      syncedMicros += cpu() - askedAt;
    }
    if (pace.syncFailures > 0) throw new Error(`${pace.syncFailures} exchanges failed`);
    const share = (micros: number) => micros / (MEASURED_S * 1e6);
    const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
    return [
      {
        what: WHAT,
        figure: `${percent(share(askedMicros + syncedMicros))} (exchange ${percent(share(syncedMicros))})`,
        ...{ floor: '', ratio: '', target: `< ${percent(TARGET_SHARE)}` },
        reached: share(askedMicros + syncedMicros) < TARGET_SHARE,
      },
    ];
  } finally {
    await pace.close();
    await Promise.all([counters.close(), others.close()]);
  }
}

/** What 49 edges tell in a second: each sale and each render once, at some edge. */
async function tellOfOthers({ broadcasts }: Counters, numbers: readonly number[], nowMs: number): Promise<void> {
  const day = Math.floor(nowMs / 86_400_000);
  for (let edge = 1; edge < EDGES; edge += 1) {
    const changes: SpendChange[] = [];
    for (let count = 0; count < SALES_PER_SECOND / EDGES; count += 1) {
      changes.push({ account: anyOf(numbers), day, soldNanos: PRICE_NANOS, billedNanos: 0 });
      changes.push({ account: anyOf(numbers), day, soldNanos: 0, billedNanos: PRICE_NANOS });
    }
    await broadcasts.publish('spend', toldText(`edge-${edge}`, day, changes));
  }
}

function anyOf<T>(ids: readonly T[]): T {
  return ids[Math.floor(Math.random() * ids.length)]!;
}
