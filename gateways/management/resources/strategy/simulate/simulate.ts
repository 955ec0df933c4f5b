import Type from 'typebox';
import type { PublisherState } from '#actors/publisher/reduce';
import { cpmMicros, cpmOf } from '#exchange/money/price';
import { MAX_STRATEGY_BYTES, Strategy } from '#exchange/strategy/document/strategy';
import { explainCampaigns } from '#exchange/strategy/index/explain-campaigns';
import { ApiError } from '#gateways/errors';
import { isUuid } from '#gateways/http/uuid';
import type { ManagementDeps } from '#gateways/management/deps';
import type { Caller } from '#gateways/management/identity/caller';
import { defineRoute } from '#gateways/management/routing/route';
import { assertDelegate } from '../../campaigns/delegate.ts';
import { DemandSourceParams, loadDemandSource } from '../../demand-sources/demand-source.ts';
import { SimulationResult, showSimulation } from '../../sandbox/simulate/result.ts';
import { nullIfAbsent, poolFloor } from '../../sandbox/simulate/simulated-auction.ts';
import { loadSupplySource } from '../../supply-sources/supply-source.ts';
import { strategyExample } from '../example.ts';
import { readTrialCampaigns } from '../trial-campaigns.ts';
import { MAX_REQUEST_BYTES, readTestRequest } from './read-test-request.ts';
import { shortenActualValue } from './shorten-actual-value.ts';

const Body = Type.Object(
  {
    bid_request: Type.Object(
      {},
      {
        additionalProperties: true,
        description: `An OpenRTB 2.5 or 2.6 bid request of at most ${MAX_REQUEST_BYTES} bytes; its first imp is bid on.`,
      },
    ),
    strategy: Type.Optional(Strategy),
    publisher_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'A supply source of yours: its genre fills a missing one, its floor and its pool’s count.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const simulateStrategy = defineRoute({
  method: 'POST',
  path: '/api/demand/sources/:id/strategy/simulate',
  tag: 'Demand',
  operationId: 'simulateStrategy',
  summary: 'See what a strategy would bid on a bid request, and why, before it is uploaded',
  description: [
    'Judges every campaign of the strategy, or, where none is given, of those that the delegate has, on the first imp of the',
    'bid request, at this moment, by the code that auctions use; each condition is shown with what the request has there. It has no',
    'rivals: a bid wins when it is not below the floor. Budgets, pacing, frequency caps and block lists are left aside. Nothing is',
    'saved, fetched or counted, in the sandbox or outside.',
  ].join(' '),
  access: 'account',
  trail: 'none',
  params: DemandSourceParams,
  body: Body,
  bodyCheck: 'by-handler',
  bodyLimitBytes: MAX_STRATEGY_BYTES + MAX_REQUEST_BYTES + 1024,
  errors: ['STRATEGY_INVALID', 'VALIDATION_ERROR', 'CONFLICT'],
  examples: {
    body: {
      strategy: strategyExample,
      bid_request: {
        id: 'try-1',
        imp: [{ id: '1', banner: { w: 300, h: 250 }, bidfloor: 2 }],
        site: { content: { genre: 'drama' } },
        device: { devicetype: 4, geo: { country: 'ARE' } },
      },
    },
  },
  answer: { status: 200, schema: SimulationResult },
  async handle({ params: { id }, body, caller, parts }) {
    assertDelegate(await loadDemandSource(parts, id, caller), undefined);
    const { strategy, bidRequest, publisherId } = readBody(body);
    const request = readTestRequest(bidRequest);
    const publisher = publisherId === undefined ? null : await loadPublisher(parts, caller, publisherId);
    const campaigns = await readTrialCampaigns(parts, id, strategy);
    const imp = request.imp[0] ?? null;
    const random = () => parts.random.next();
    const context = { request, imp, publisherGenre: publisher?.contentGenre ?? null };
    const evaluation = explainCampaigns(campaigns, context, { nowMs: parts.clock.now(), random });
    const floors = [cpmMicros(imp?.bidfloor ?? 0), publisher?.floorCpmMicros ?? 0, await poolFloor(parts, publisher)];
    const shown = showSimulation(evaluation, cpmOf(Math.max(...floors)), random);
    for (const { targeting, rules } of shown.conditions_evaluated) {
      for (const conditions of [targeting, ...rules.map((rule) => rule.conditions)]) {
        for (const [index, condition] of conditions.entries()) {
          conditions[index] = { ...condition, actual: shortenActualValue(condition.actual) };
        }
      }
    }
    return shown;
  },
});

/** Checks the body. The handler does it itself, so that the answer lists all faults of a strategy at once. */
function readBody(body: unknown) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('VALIDATION_ERROR', 'The body must be an object.');
  }
  const { strategy, bid_request: bidRequest, publisher_id: publisherId, ...unknown } = body as Record<string, unknown>;
  const [other] = Object.keys(unknown);
  if (other !== undefined) throw new ApiError('VALIDATION_ERROR', `${other} is not known here.`, other);
  return { strategy, bidRequest, publisherId };
}

async function loadPublisher(deps: ManagementDeps, caller: Caller, id: unknown): Promise<PublisherState> {
  const state =
    typeof id === 'string' && isUuid(id) ? await loadSupplySource(deps, id, caller).catch(nullIfAbsent) : null;
  if (state === null) {
    throw new ApiError('VALIDATION_ERROR', 'publisher_id names no supply source of yours.', 'publisher_id');
  }
  return state;
}
