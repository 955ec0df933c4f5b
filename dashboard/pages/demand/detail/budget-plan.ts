interface Bucket {
  /** When the hour begins. */
  readonly timestamp: string;
  readonly revenue_cents: number;
}

interface BudgetPlan {
  /** Ms since the epoch: midnight UTC, the end of each hour that has begun, and the midnight that ends the day. */
  readonly at: readonly number[];
  /** Cents spent since midnight; null where the day has not come to. */
  readonly spent: readonly (number | null)[];
  /** Cents that would be spent by then, were the budget spent evenly; none without a budget. */
  readonly planned: readonly number[] | null;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The spend of a UTC day, hour by hour added up, beside a plan that spends the budget evenly. */
export function budgetPlan(buckets: readonly Bucket[], dailyBudgetCents: number, nowMs: number): BudgetPlan {
  const midnight = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const at = [midnight];
  const spent: (number | null)[] = [0];
  let sum = 0;
  for (const { timestamp, revenue_cents: cents } of buckets) {
    const start = Date.parse(timestamp);
    if (start < midnight) continue;
    sum += cents;
    at.push(Math.min(start + HOUR_MS, Math.max(nowMs, start)));
    spent.push(sum);
  }
  at.push(midnight + DAY_MS);
  spent.push(null);
  const planned = dailyBudgetCents === 0 ? null : at.map((one) => (dailyBudgetCents * (one - midnight)) / DAY_MS);
  return { at, spent, planned };
}

/** Spent so far ÷ what an even plan would have spent by now; null when there is nothing to compare with. */
export function paceOf(spentCents: number, dailyBudgetCents: number, nowMs: number): number | null {
  const planned = (dailyBudgetCents * (nowMs % DAY_MS)) / DAY_MS;
  return planned === 0 ? null : spentCents / planned;
}
