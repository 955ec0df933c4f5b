import Type from 'typebox';
import { publisher } from '#actors/publisher/publisher';
import type { PublisherState } from '#actors/publisher/reduce';
import { ApiError } from '#gateways/errors';
import { defineRoute } from '../../routing/route.ts';
import {
  accountFilters,
  creativePage,
  type FoundCreative,
  filtersWhere,
  listByDecisionsSeen,
  listCreatives as listPage,
} from './query.ts';
import { seenBy } from './seen-by.ts';
import { loadReached, ownCreativesWhere } from './visible.ts';

export const listCreatives = defineRoute({
  method: 'GET',
  path: '/api/creatives',
  tag: 'Creatives',
  operationId: 'listCreatives',
  summary: 'List the creatives that demand sources have brought',
  description: [
    'A creative is what a demand source has sold, or tried to sell: its demand source, its `crid` and the fingerprint of its markup.',
    'It is listed within seconds of the first auction. Those of your demand sources are listed, of the environment of the call;',
    'with `publisher_id` those that were offered to that supply source. Markup stands with each creative alone.',
  ].join(' '),
  access: 'account',
  query: Type.Object(accountFilters),
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
  answer: { status: 200, schema: creativePage },
  async handle({ query: { dsp_id: dspId, publisher_id: publisherId, ...filters }, caller, parts }) {
    const { partnerId: _, ...ofAccount } = ownCreativesWhere(caller);
    let own = ownCreativesWhere(caller);
    if (publisherId !== undefined) {
      const reached = { ...caller, scope: { ...caller.scope, sandboxOnly: caller.sandboxKey } };
      if ((await loadReached<PublisherState>(parts, publisher.kind, publisherId, reached)) === null) {
        throw new ApiError('NOT_FOUND', 'The supply source does not exist.');
      }
      own = { ...ofAccount, publisherIds: publisherId };
    }
    const where = { ...own, ...(dspId !== undefined && { dspId }) };
    const redact = (found: readonly FoundCreative[]) => seenBy(parts, caller, found);
    const { decision, ...others } = filters;
    // Only a partner that asks by its supply source finds creatives about which it does not see every decision.
    if (decision !== undefined && publisherId !== undefined && caller.partnerId !== null) {
      return listByDecisionsSeen(parts, { ...where, ...filtersWhere(others) }, others, decision, redact);
    }
    return listPage(parts, { ...where, ...filtersWhere(filters) }, filters, redact);
  },
});
