import Type, { type Static } from 'typebox';
import { Timestamp } from '#actors/api-schemas';
import { campaign } from '#actors/campaign/campaign';
import { dsp } from '#actors/dsp/dsp';
import { DAY_MS } from '#actors/ledger/ledger-id';
import { daysBetween, hoursBetween, type ReportWindow } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { supplyFunnel } from '#actors/ledger/report/supply-funnel';
import { pool } from '#actors/pool/pool';
import { publisher } from '#actors/publisher/publisher';
import { centsOf } from '#exchange/money/cents';
import { REGIONS } from '#exchange/region';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import { defineRoute } from '../../routing/route.ts';
import { loadScopeLedgers } from '../metrics/scope-ledgers.ts';
import { visibleSourcesWhere } from '../sources-where.ts';

const HOUR_MS = 3_600_000;
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Cents = (description: string) => Type.Number({ description: `Cents, up to 4 decimals: ${description}` });

const Funnel = Type.Object(
  {
    from: Type.String({ format: 'date-time', description: 'From this instant on, up to now.' }),
    requests: Count('Ad requests that could be read.'),
    blocked: Count('Of these, answered 403.'),
    auctions: Count('Requests that reached the auction.'),
    imps: Count('Auctioned; a request may have several.'),
    filled: Count('Answered with an ad.'),
    rendered: Count('Billed impressions; ads of a pod share an imp.'),
    revenue_cents: Cents("the payout, gross less the exchange's fee."),
    gross_cents: Cents('what demand paid for it.'),
  },
  { title: 'OverviewFunnel' },
);
type Funnel = Static<typeof Funnel>;

const ResourceCounts = Type.Object(
  {
    publishers: Count('Supply sources of the context.'),
    pools: Count('Pools of the account.'),
    demand_sources: Count('Demand sources of the context.'),
    campaigns: Count('Campaigns of the account, of every status.'),
  },
  { description: 'How much there is of what.' },
);

const example = {
  from: '2026-03-14T00:00:00.000Z',
  requests: 5100,
  blocked: 100,
  auctions: 5000,
  imps: 5000,
  filled: 1250,
  rendered: 1000,
  revenue_cents: 212.5,
  gross_cents: 250,
};

export const overview = defineRoute({
  method: 'GET',
  path: '/api/overview',
  tag: 'Metrics',
  operationId: 'getOverview',
  summary: 'Read what came, was filled, shown and earned today and in the running month, and how much there is of what',
  description:
    'Of the account, or of the partner; days and months are UTC. `yesterday` is the day before up to the hour that is under way today.',
  access: 'account',
  query: Type.Object({
    region: Type.Optional(
      Type.Enum([...REGIONS], { description: 'What this region served; without it, all regions.' }),
    ),
  }),
  answer: {
    status: 200,
    schema: Type.Object({
      generated_at: Timestamp,
      today: Funnel,
      yesterday: Funnel,
      month: Funnel,
      counts: ResourceCounts,
    }),
  },
  examples: {
    answer: {
      generated_at: '2026-03-14T09:26:53.589Z',
      today: example,
      yesterday: { ...example, from: '2026-03-13T00:00:00.000Z' },
      month: { ...example, from: '2026-03-01T00:00:00.000Z' },
      counts: { publishers: 12, pools: 3, demand_sources: 7, campaigns: 40 },
    },
  },
  async handle({ query: { region = null }, caller, parts }) {
    const nowMs = parts.clock.now();
    const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
    const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS + HOUR_MS;
    const now = new Date(nowMs);
    const monthMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
    const read = (window: ReportWindow) => funnelOf(parts, caller, window, region);
    const [today, yesterday, month, counts] = await Promise.all([
      read(hoursBetween(todayMs, hourMs)),
      read(hoursBetween(todayMs - DAY_MS, hourMs - DAY_MS)),
      read(daysBetween(monthMs, todayMs + DAY_MS)),
      countsOf(parts, caller),
    ]);
    return { generated_at: now.toISOString(), today, yesterday, month, counts };
  },
});

async function funnelOf(
  deps: ManagementDeps,
  caller: Caller,
  window: ReportWindow,
  region: string | null,
): Promise<Funnel> {
  const { supply } = await loadScopeLedgers(deps, caller, window);
  const sum = sumLedgers(supply, window, region);
  const { blocked, requests, auctions, imps, filled, rendered, revenueCents } = supplyFunnel(sum);
  return {
    from: new Date(window.fromMs).toISOString(),
    requests,
    blocked: blocked.total,
    auctions,
    imps,
    filled,
    rendered,
    revenue_cents: revenueCents,
    gross_cents: centsOf(sum.grossNanos),
  };
}

async function countsOf({ store }: ManagementDeps, caller: Caller): Promise<Static<typeof ResourceCounts>> {
  const { accountId } = caller;
  const count = async (kind: string, where: object) =>
    (await store.query(kind, { where: where as never, limit: 1 })).total;
  const [publishers, pools, demandSources, campaigns] = await Promise.all([
    count(publisher.kind, visibleSourcesWhere(caller)),
    count(pool.kind, { accountId }),
    count(dsp.kind, visibleSourcesWhere(caller)),
    count(campaign.kind, { accountId }),
  ]);
  return { publishers, pools, demand_sources: demandSources, campaigns };
}
