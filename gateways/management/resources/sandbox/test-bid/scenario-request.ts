import Type from 'typebox';
import { v4 as uuid } from 'uuid';
import { dsp } from '#actors/dsp/dsp';
import type { DspState } from '#actors/dsp/reduce';
import { publisher } from '#actors/publisher/publisher';
import type { PublisherState } from '#actors/publisher/reduce';
import { PROHIBITED_CATEGORIES } from '#exchange/auction/prohibited';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import { writeBidRequest } from '#exchange/openrtb/dialect';
import { exchangeNode } from '#exchange/openrtb/supply-chain';
import { type ScenarioName, scenarioNames, scenarios } from '#exchange/sandbox/scenarios';
import { syntheticDspId, testPublishersOf } from '#gateways/management/bootstrap/account-sandbox';
import type { ManagementDeps } from '#gateways/management/deps';
import type { Caller } from '#gateways/management/identity/caller';

export const defaultScenario = scenarioNames[0];

export const Scenario = Type.Enum(scenarioNames, {
  default: defaultScenario,
  description: scenarioNames.map((name) => `\`${name}\`: ${scenarios[name].summary}.`).join(' '),
});

/** A bid request as the API shows it. */
export const BidRequestDocument = Type.Unsafe<BidRequest>(
  Type.Object(
    {
      id: Type.String({ description: 'Another one each time.' }),
      imp: Type.Array(Type.Object({ id: Type.String(), bidfloor: Type.Number() }), { minItems: 1, maxItems: 1 }),
      site: Type.Optional(Type.Object({})),
      app: Type.Optional(Type.Object({})),
      device: Type.Object({}),
      user: Type.Object({}),
      test: Type.Literal(1),
      at: Type.Literal(1, { description: 'First price.' }),
      tmax: Type.Integer({ description: 'Milliseconds.' }),
      cur: Type.Array(Type.String()),
      source: Type.Object({}),
      regs: Type.Object({}),
    },
    { description: 'An OpenRTB bid request; objects hold more fields than are listed here.' },
  ),
);

/**
 * Builds the request of a scenario as this exchange writes it for bidders that speak 2.5, new each time: with the
 * exchange's node of the supply chain and the categories that it prohibits. Its inventory is the caller's oldest
 * sandbox supply source of that type in a pool that the synthetic demand buys from, so that the request can be sold.
 * Without such a source, the inventory is the account's test publisher, which is in such a pool.
 */
export async function scenarioRequest(
  { store, random, settings }: ManagementDeps,
  { accountId, partnerId }: Caller,
  name: ScenarioName,
): Promise<BidRequest> {
  const { publisherType, request } = scenarios[name];
  const own = { accountId, status: 'sandbox', type: publisherType, ...(partnerId === null ? {} : { partnerId }) };
  const poolId = { in: await poolsWithSyntheticDemand(store, accountId) };
  const { documents } = await store.query(publisher.kind, {
    where: { ...own, poolId },
    orderBy: 'createdAt',
    limit: 1,
  });
  const [known] = documents;
  const { id: publisherId, domain } = known
    ? { id: known.id, domain: (known.state as PublisherState).domain }
    : testPublishersOf(accountId).find(({ type }) => type === publisherType)!;
  const newId = () => uuid({ random: Buffer.from(random.id(), 'base64url') });
  const bidRequest: BidRequest = request({ publisherId, domain, newId });
  const text = writeBidRequest(bidRequest, '2.5', {
    tmaxMs: bidRequest.tmax!,
    blockedCategories: PROHIBITED_CATEGORIES,
    prohibits: true,
    blockedDomains: [],
    contentGenre: null,
    floorCpmMicros: 0,
    supplyChain: { node: exchangeNode(settings.exchangeDomain, publisherId, bidRequest.id), begunComplete: 1 },
  });
  return JSON.parse(text) as BidRequest;
}

/**
 * The pools in which the synthetic demand buys every sandbox request: those that HighBidder, the first synthetic demand
 * source, subscribes to.
 */
async function poolsWithSyntheticDemand(store: ManagementDeps['store'], accountId: string): Promise<readonly string[]> {
  const [document] = await store.load([{ kind: dsp.kind, id: syntheticDspId(0, accountId) }]);
  if (!document || document.deleted) return [];
  const { status, poolIds } = document.state as DspState;
  return status === 'sandbox' ? poolIds : [];
}
