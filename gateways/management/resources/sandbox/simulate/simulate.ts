import Type from 'typebox';
import { explainCampaigns } from '#exchange/strategy/index/explain-campaigns';
import { defineRoute } from '#gateways/management/routing/route';
import { loadBiddingCampaigns } from '../../campaigns/delegate.ts';
import { DspId, loadSandboxDsp } from '../sandbox-dsp.ts';
import { SimulationResult, showSimulation } from './result.ts';
import { Auction, buildSimulatedAuction } from './simulated-auction.ts';

export const simulateAuction = defineRoute({
  method: 'POST',
  path: '/api/sandbox/simulate-auction',
  tag: 'Sandbox',
  operationId: 'simulateAuction',
  summary: 'See what a sandbox delegate would bid in an auction, and why',
  description: [
    'Evaluates the saved strategy and campaigns as an auction would, at this moment. It has no rivals: a bid wins when it',
    'is not below the floor. Budgets, pacing and frequency caps are left aside, as is the imp: every creative fits, and',
    'conditions on `imp` find nothing; `POST /api/demand/sources/{id}/strategy/simulate` takes a whole bid request.',
    'Nothing is counted.',
  ].join(' '),
  access: 'account',
  trail: 'none',
  sandbox: 'always',
  body: Type.Object({ dsp_id: DspId, auction: Type.Optional(Auction) }, { additionalProperties: false }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  examples: {
    body: {
      dsp_id: '3b0c2f0a-8d1e-4c55-9c2d-5f0a4a1f6a11',
      auction: {
        device: { devicetype: 3, geo: { country: 'ARE', city: 'Dubai' } },
        content: { genre: 'drama' },
        categories: ['IAB1-7'],
        bidfloor: 2.5,
      },
    },
  },
  answer: { status: 200, schema: SimulationResult },
  async handle({ body: { dsp_id: dspId, auction = {} }, caller, parts }) {
    await loadSandboxDsp(parts, dspId, caller, 'delegate');
    const { view, floorCpm } = await buildSimulatedAuction(parts, caller, auction);
    const random = () => parts.random.next();
    const campaigns = await loadBiddingCampaigns(parts, dspId);
    const evaluation = explainCampaigns(campaigns, view, { nowMs: parts.clock.now(), random });
    return showSimulation(evaluation, floorCpm, random);
  },
});
