import Type from 'typebox';
import { defineRoute } from '#gateways/management/routing/route';
import { BidRequestDocument, defaultScenario, Scenario, scenarioRequest } from './scenario-request.ts';

export const readTestBid = defineRoute({
  method: 'GET',
  path: '/api/sandbox/test-bid',
  tag: 'Sandbox',
  operationId: 'getTestBidRequest',
  summary: 'Write the OpenRTB 2.5 bid request of a scenario; nothing is sent to anybody',
  description:
    'Ids are new with each call. The publisher is your oldest sandbox supply source of the scenario’s type in a pool that the synthetic demand buys from, or else your account’s test publisher, so that the request is sold when it is posted to `{rtb_url}/rtb` as it is.',
  access: 'account',
  sandbox: 'always',
  query: Type.Object({ scenario: Type.Optional(Scenario) }),
  answer: { status: 200, schema: BidRequestDocument, headers: { 'Cache-Control': 'no-store' } },
  handle: ({ query: { scenario = defaultScenario }, caller, parts }) => scenarioRequest(parts, caller, scenario),
});
