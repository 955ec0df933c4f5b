import Type from 'typebox';
import { isInScope } from '#actors/account/scope';
import { Uuid } from '#actors/api-schemas';
import { dsp } from '#actors/dsp/dsp';
import type { DspState } from '#actors/dsp/reduce';
import { publisher } from '#actors/publisher/publisher';
import type { PublisherState } from '#actors/publisher/reduce';
import { ApiError } from '#gateways/errors';
import { loadVisible } from '../../changes/load-visible.ts';
import type { ManagementDeps } from '../../deps.ts';
import { type Caller, isOperator } from '../../identity/caller.ts';
import { scopeForOwner } from '../../identity/scope-for-owner.ts';
import { defineRoute } from '../../routing/route.ts';
import { billDsp, DspBilling, dspBilling } from './dsp-billing.ts';
import { billPublisher, PublisherBilling, publisherBilling } from './publisher-billing.ts';
import { BillingQuery } from './report-query.ts';
import { billingRow } from './statement-extras.ts';

const description =
  'What the source itself reads with its own key, of the running month too, without that key: for the account that it belongs to and, of any account, for operators. In the sandbox context nothing of what a source did live is read: its sandbox books alone.';

/**
 * Loads the source whose billing is read: a source of any account for operators, who explain statements to its owner;
 * otherwise one of the caller's own.
 */
async function loadBilled<State extends PublisherState | DspState>(
  deps: ManagementDeps,
  kind: string,
  id: string,
  caller: Caller,
): Promise<State> {
  const what = kind === publisher.kind ? 'The supply source' : 'The demand source';
  if (!isOperator(caller) || caller.partnerId !== null) return loadVisible<State>(deps, kind, id, caller.scope, what);
  const [document] = await deps.store.load([{ kind, id }]);
  const state = document && !document.deleted ? (document.state as State) : null;
  if (state === null || !isInScope(scopeForOwner(caller, state), state))
    throw new ApiError('NOT_FOUND', `${what} does not exist.`);
  return state;
}

export const supplySourceBilling = defineRoute({
  operationId: 'getSupplySourceBilling',
  method: 'GET',
  path: '/api/supply/sources/:id/billing',
  tag: 'Supply',
  summary: "Read a month's payout of a supply source",
  description,
  access: 'account',
  reach: { operators: 'every-account' },
  params: Type.Object({ id: Uuid }),
  query: BillingQuery,
  answer: { status: 200, schema: PublisherBilling, csv: billingRow },
  examples: publisherBilling.examples,
  async handle({ params: { id }, query, caller, parts }) {
    const own = await loadBilled<PublisherState>(parts, publisher.kind, id, caller);
    return billPublisher(parts, id, own, query.month, caller.scope);
  },
});

export const demandSourceBilling = defineRoute({
  operationId: 'getDemandSourceBilling',
  method: 'GET',
  path: '/api/demand/sources/:id/billing',
  tag: 'Demand',
  summary: "Read a month's invoice of a demand source",
  description,
  access: 'account',
  reach: { operators: 'every-account' },
  params: Type.Object({ id: Uuid }),
  query: BillingQuery,
  answer: { status: 200, schema: DspBilling, csv: billingRow },
  examples: dspBilling.examples,
  async handle({ params: { id }, query, caller, parts }) {
    const own = await loadBilled<DspState>(parts, dsp.kind, id, caller);
    return billDsp(parts, id, own, query.month, caller.scope);
  },
});
