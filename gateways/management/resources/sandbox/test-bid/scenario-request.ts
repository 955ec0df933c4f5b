import Type from 'typebox';
import { v4 as uuid } from 'uuid';
import { publisher } from '../../../../../actors/publisher/publisher.ts';
import type { PublisherState } from '../../../../../actors/publisher/reduce.ts';
import type { BidRequest } from '../../../../../exchange/openrtb/bid-request.ts';
import { type ScenarioName, scenarioNames, scenarios } from '../../../../../exchange/sandbox/scenario.ts';
import { testPublishersOf } from '../../../bootstrap/account-sandbox.ts';
import type { Caller } from '../../../identity/caller.ts';
import type { ManagementParts } from '../../../parts.ts';

export const defaultScenario = scenarioNames[0];

export const Scenario = Type.Enum(scenarioNames, {
  default: defaultScenario,
  description: scenarioNames.map((name) => `\`${name}\`: ${scenarios[name].summary}.`).join(' '),
});

/** Sources of the caller that one is looked for among. */
const MOST_LOOKED_AT = 50;

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
 * The request of a scenario, new each time. Its inventory is the caller's oldest sandbox supply source of that type that is in a
 * pool, so that it can be sent to {rtb_url} as it is; without one, the account's test publisher, which the synthetic demand buys.
 */
export async function scenarioRequest(
  { store, random }: ManagementParts,
  { accountId, partnerId }: Caller,
  name: ScenarioName,
): Promise<BidRequest> {
  const { publisherType, request } = scenarios[name];
  const own = { accountId, status: 'sandbox', type: publisherType, ...(partnerId === null ? {} : { partnerId }) };
  const { documents } = await store.query(publisher.kind, { where: own, orderBy: 'createdAt', limit: MOST_LOOKED_AT });
  const known = documents.find(({ state }) => (state as PublisherState).poolId !== null);
  const { id: publisherId, domain } = known
    ? { id: known.id, domain: (known.state as PublisherState).domain }
    : testPublishersOf(accountId).find(({ type }) => type === publisherType)!;
  return request({ publisherId, domain, newId: () => uuid({ random: Buffer.from(random.id(), 'base64url') }) });
}
