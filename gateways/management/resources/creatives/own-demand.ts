import Type from 'typebox';
import { defineRoute } from '../../routing/route.ts';
import { CreativeParams, MOST_PUBLISHERS_SHOWN, SourceCreative, showListed, showParts } from './creative.ts';
import { creativePage, dspNames, filtersWhere, listCreatives, ownFilters } from './query.ts';
import { reviewOf } from './review.ts';
import { loadCreativeOfSource, loadPublishers } from './visible.ts';

export const listDemandCreatives = defineRoute({
  method: 'GET',
  path: '/api/demand/creatives',
  tag: 'Source reports',
  operationId: 'listDemandCreatives',
  summary: "List the creatives of the key's demand source, with what was found and decided",
  description: '`GET /api/demand/creatives/{id}` says where each may be shown.',
  access: 'dsp-key',
  query: Type.Object(ownFilters),
  errors: ['INVALID_PARAMS'],
  answer: { status: 200, schema: creativePage },
  handle: ({ query, source: { id: dspId }, parts }) => listCreatives(parts, { dspId, ...filtersWhere(query) }, query),
});

export const readDemandCreative = defineRoute({
  method: 'GET',
  path: '/api/demand/creatives/:id',
  tag: 'Source reports',
  operationId: 'getDemandCreative',
  summary: "Read a creative of the key's demand source: what scans found, and where it may be shown",
  description:
    '`review` has the standing in the exchange, in the account, and for the publishers it was last offered to, at most 50.',
  access: 'dsp-key',
  params: CreativeParams,
  answer: { status: 200, schema: SourceCreative },
  async handle({ params: { id }, source, parts }) {
    const state = await loadCreativeOfSource(parts, id, source);
    const publishers = await loadPublishers(parts, state.publisherIds.slice(0, MOST_PUBLISHERS_SHOWN));
    const [names, review] = await Promise.all([
      dspNames(parts, [state.dspId]),
      reviewOf(parts, { id, state, publishers, withPools: false, mayDecide: () => false }),
    ]);
    return {
      ...showListed(id, state, names(state.dspId)),
      ...showParts(state, (hash) => `${parts.settings.publicCreativesUrl}/creative/${hash}`),
      review,
    };
  },
});
