import Type from 'typebox';
import { Nullable } from '#actors/api-schemas';
import { dsp as dspKind } from '#actors/dsp/dsp';
import type { DspProjection } from '#actors/dsp/fields';
import { DEFAULT_BIDDER_SETTINGS } from '#gateways/bidders/settings';
import { defineRoute } from '#gateways/management/routing/route';
import { DspId, loadSandboxDsp } from '../sandbox-dsp.ts';
import { judgeTrial, testBidOutcomes } from './judge.ts';
import { parseResponseBody } from './parse-response-body.ts';
import { BidRequestDocument, defaultScenario, Scenario, scenarioRequest } from './scenario-request.ts';
import { sendTestBid } from './send.ts';

export const runTestBid = defineRoute({
  method: 'POST',
  path: '/api/sandbox/test-bid',
  tag: 'Sandbox',
  operationId: 'runTestBid',
  summary: 'Send the bid request of a scenario to a sandbox demand source and judge its answer',
  description: [
    'The request that GET shows, another each time, goes to the registered endpoint in the dialect and with the time limit',
    '(`tmax`) of the demand source; `request` is what was sent, word for word. The',
    'answer is judged by the code that auctions use. The time to open a connection is not counted: in traffic they are',
    'kept open. Nothing is counted or billed, no notice is sent, no circuit breaker hears of it. An endpoint that cannot',
    'be reached is the outcome `error`, not an error of this call.',
  ].join(' '),
  access: 'account',
  trail: 'none',
  sandbox: 'always',
  body: Type.Object({ dsp_id: DspId, scenario: Type.Optional(Scenario) }, { additionalProperties: false }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  examples: { body: { dsp_id: '00000000-0000-4000-8000-0000000000d0', scenario: 'mobile-uk-sport' } },
  answer: {
    status: 200,
    schema: Type.Object({
      request: BidRequestDocument,
      response_status: Nullable(Type.Integer({ description: 'HTTP status; null when no answer came.' })),
      response_body: Type.Unknown({ description: 'The parsed JSON, or else the text, cut after 8,192 characters.' }),
      response_time_ms: Type.Number({ description: 'From the first byte sent to the last one received.' }),
      outcome: Type.Enum([...testBidOutcomes]),
      clearing_price: Nullable(Type.Number({ description: 'USD CPM, what the bid would pay; null unless it wins.' })),
      floor: Type.Number({ description: 'USD CPM.' }),
      reason: Nullable(Type.String({ description: 'Why it did not win.' })),
    }),
  },
  async handle({ body: { dsp_id: id, scenario = defaultScenario }, caller, parts }) {
    const { clock } = parts;
    const { allowPrivateNetworks, ownEndpoints, bidderContext, publicCreativesUrl: creativesUrl } = parts.settings;
    const settings = {
      ...DEFAULT_BIDDER_SETTINGS,
      allowPrivateNetworks,
      creativesUrl,
      ...(ownEndpoints && { ownEndpoints }),
      ...(bidderContext && { secureContext: bidderContext }),
    };
    const state = await loadSandboxDsp(parts, id, caller, 'rtb');
    const dsp = dspKind.projection!(state, id) as DspProjection;
    const request = await scenarioRequest(parts, caller, scenario);
    const { sent, trial } = await sendTestBid(dsp, request, settings, clock);
    const { outcome, clearingPriceCpm, reason } = judgeTrial(
      dsp,
      request,
      trial,
      clock.now(),
      parts.currencyRates.current(),
    );
    return {
      request: sent,
      response_status: trial.status,
      response_body: parseResponseBody(trial),
      response_time_ms: Math.round(trial.latencyMs * 10) / 10,
      outcome,
      clearing_price: clearingPriceCpm,
      floor: request.imp[0]!.bidfloor!,
      reason,
    };
  },
});
