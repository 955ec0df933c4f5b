import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { creativesOf } from '#exchange/strategy/document/campaign';
import { ApiError } from '#gateways/errors';
import { defineRoute } from '#gateways/management/routing/route';
import { loadCampaign } from '../campaign.ts';
import { loadFetchedCreatives } from '../fetched-creatives.ts';
import { CreativePreview, previewOf } from './preview.ts';
import { previewDocument } from './preview-document.ts';

/** The policy isolates a buyer's markup from the person who looks at it: an opaque origin, no forms, no windows. */
const POLICY = 'sandbox allow-scripts';

export const previewCreative = defineRoute({
  method: 'GET',
  path: '/api/campaigns/:id/creatives/:creative_id/preview',
  tag: 'Campaigns',
  operationId: 'previewCreative',
  summary: 'Preview a creative',
  description:
    "What a creative of a campaign shows: its files, which the exchange hosts, or its markup or parts. `Accept: text/html` gets a document that shows it, for a sandboxed frame of this origin. Nothing is counted and no tracker of the campaign or of its VAST document is called; an HTML5 ad's own markup runs as it is.",
  access: 'account',
  params: Type.Object({
    id: Uuid,
    creative_id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The `creative_id` of one of its creatives.',
    }),
  }),
  answer: {
    status: 200,
    schema: CreativePreview,
    html: {
      write: (preview) => previewDocument(preview),
      headers: { 'Content-Security-Policy': POLICY, 'X-Frame-Options': 'SAMEORIGIN' },
    },
  },
  async handle({ params, caller, parts }) {
    const { state } = await loadCampaign(parts, params.id, caller);
    const creative =
      state.campaign === null
        ? undefined
        : creativesOf(state.campaign).find(({ creative_id }) => creative_id === params.creative_id);
    if (state.campaign === null || creative === undefined) {
      throw new ApiError('NOT_FOUND', 'The campaign has no creative of that id.');
    }
    const assets = await loadFetchedCreatives(parts, [state.campaign]);
    return previewOf(creative, assets, parts.settings.publicCreativesUrl);
  },
});
