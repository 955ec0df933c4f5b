import Type from 'typebox';
import { IsDateTime } from 'typebox/format';
import { Timestamp } from '#actors/api-schemas';
import { MAX_STRATEGY_BYTES, Strategy } from '#exchange/strategy/document/strategy';
import { ApiError } from '#gateways/errors';
import { defineRoute } from '#gateways/management/routing/route';
import { assertDelegate } from '../../campaigns/delegate.ts';
import { DemandSourceParams, loadDemandSource } from '../../demand-sources/demand-source.ts';
import { strategyExample } from '../example.ts';
import { readTrialCampaigns } from '../trial-campaigns.ts';
import { BacktestResult } from './result.ts';
import { MOST_AUCTIONS, runBacktest } from './run-backtest.ts';

const DAY_MS = 86_400_000;
/**
 * The number of concurrent backtests in a process, at most one of each account: each uses the processor for as long as
 * it runs.
 */
const AT_ONCE = 2;
const accountsUnderWay = new Set<string>();

const Body = Type.Object(
  {
    strategy: Type.Optional(Strategy),
    from: Type.Optional(Type.String({ ...Timestamp, description: 'By default a day before `to`.' })),
    to: Type.Optional(Type.String({ ...Timestamp, description: 'By default now.' })),
  },
  { additionalProperties: false },
);

export const backtestStrategy = defineRoute({
  method: 'POST',
  path: '/api/demand/sources/:id/strategy/backtest',
  tag: 'Demand',
  operationId: 'backtestStrategy',
  summary: 'Try a strategy on recorded auctions: what it would have bid, won and spent',
  description: [
    'Holds the recorded auctions of the pools that the delegate subscribes to again, with this strategy among the demand, or, where',
    'none is given, with the campaigns that it has. Matching, order of campaigns, floors and block lists are the same code as in',
    'auctions. A bid wins when it is above all that others bid then; what the demand source itself bid is left out. Nothing is saved,',
    `fetched or counted, and the same auctions give the same figures. At most ${MOST_AUCTIONS} recorded auctions, the sampling of`,
    'which is told: `sample` is what is certain of them, `extrapolated` an estimate for all that they stand for.',
    'What the figures leave aside is in `assumptions`.',
  ].join(' '),
  access: 'account',
  trail: 'none',
  params: DemandSourceParams,
  body: Body,
  bodyCheck: 'by-handler',
  bodyLimitBytes: MAX_STRATEGY_BYTES + 1024,
  errors: ['STRATEGY_INVALID', 'VALIDATION_ERROR', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  examples: { body: { strategy: strategyExample, from: '2026-03-14T00:00:00.000Z', to: '2026-03-15T00:00:00.000Z' } },
  answer: { status: 200, schema: BacktestResult },
  async handle({ params: { id }, body, caller, parts }) {
    const state = await loadDemandSource(parts, id, caller);
    assertDelegate(state, undefined);
    const { strategy, fromMs, toMs } = readBody(body, parts.clock.now());
    const campaigns = await readTrialCampaigns(parts, id, strategy);
    const { accountId } = caller;
    if (accountsUnderWay.size >= AT_ONCE || accountsUnderWay.has(accountId)) {
      throw new ApiError('SERVICE_UNAVAILABLE', 'Other backtests are under way: try again in a moment.');
    }
    accountsUnderWay.add(accountId);
    try {
      return await runBacktest(parts, {
        dspId: id,
        dspDailyCents: state.dailyBudgetCents,
        campaigns,
        poolIds: state.poolIds,
        sandbox: state.status === 'sandbox',
        fromMs,
        toMs,
      });
    } finally {
      accountsUnderWay.delete(accountId);
    }
  },
});

/** Checks the body. The handler does it itself, so that the answer lists all faults of a strategy at once. */
function readBody(body: unknown, nowMs: number): { strategy: unknown; fromMs: number; toMs: number } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('VALIDATION_ERROR', 'The body must be an object.');
  }
  const { strategy, from, to, ...unknown } = body as Record<string, unknown>;
  const [other] = Object.keys(unknown);
  if (other !== undefined) throw new ApiError('VALIDATION_ERROR', `${other} is not known here.`, other);
  const toMs = timeOf(to, 'to') ?? nowMs;
  const fromMs = timeOf(from, 'from') ?? toMs - DAY_MS;
  if (fromMs >= toMs) throw new ApiError('VALIDATION_ERROR', 'from must be before to.', 'from');
  return { strategy, fromMs, toMs };
}

function timeOf(stated: unknown, field: string): number | undefined {
  if (stated === undefined) return undefined;
  const atMs = typeof stated === 'string' && IsDateTime(stated) ? Date.parse(stated) : Number.NaN;
  if (Number.isNaN(atMs)) throw new ApiError('VALIDATION_ERROR', `${field} must be a date and time.`, field);
  return atMs;
}
