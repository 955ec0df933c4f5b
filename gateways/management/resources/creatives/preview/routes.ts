import { defineRoute } from '#gateways/management/routing/route';
import { CreativeParams } from '../creative.ts';
import { loadCreative, loadCreativeOfSource } from '../visible.ts';
import { previewAnswer, previewOfCreative } from './preview.ts';

const description =
  "Of its hosted markup where it is hosted, else of what the bidder sent, with macros and placeholders filled as for no auction. `Accept: text/html` gets a document that shows it, for a sandboxed frame of this origin. Nothing of the bidder's runs, no link leads anywhere, and nothing is loaded but pictures and media that the markup shows: no tracker is called.";

export const previewReviewed = defineRoute({
  method: 'GET',
  path: '/api/creatives/:id/preview',
  tag: 'Creatives',
  operationId: 'previewReviewedCreative',
  summary: 'Preview a creative of a demand source',
  description,
  access: 'account',
  reach: { operators: 'every-account' },
  params: CreativeParams,
  answer: previewAnswer,
  async handle({ params: { id }, caller, parts }) {
    return previewOfCreative(parts, id, await loadCreative(parts, id, caller));
  },
});

export const previewSourceCreative = defineRoute({
  method: 'GET',
  path: '/api/source/creatives/:id/preview',
  tag: 'Source reports',
  operationId: 'previewSourceCreative',
  summary: "Preview a creative that was offered to the key's publisher",
  description,
  access: 'publisher-key',
  params: CreativeParams,
  answer: previewAnswer,
  async handle({ params: { id }, source, parts }) {
    return previewOfCreative(parts, id, await loadCreativeOfSource(parts, id, source));
  },
});

export const previewDemandCreative = defineRoute({
  method: 'GET',
  path: '/api/demand/creatives/:id/preview',
  tag: 'Source reports',
  operationId: 'previewDemandCreative',
  summary: "Preview a creative of the key's demand source",
  description,
  access: 'dsp-key',
  params: CreativeParams,
  answer: previewAnswer,
  async handle({ params: { id }, source, parts }) {
    return previewOfCreative(parts, id, await loadCreativeOfSource(parts, id, source));
  },
});
