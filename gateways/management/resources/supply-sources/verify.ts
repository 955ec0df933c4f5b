import { ApiError } from '#gateways/errors';
import { defineRoute } from '../../routing/route.ts';
import { loadSupplySource, SupplySourceParams } from './supply-source.ts';
import { showVerification, Verification } from './verification.ts';

export const verifySupplySource = defineRoute({
  method: 'POST',
  path: '/api/supply/sources/:id/verify',
  tag: 'Supply',
  operationId: 'verifySupplySource',
  summary: 'Look at the ads.txt or app-ads.txt of a supply source now',
  description:
    'Answers what is known after the look, which takes 25 seconds at most; 503 while four looks of the account, or sixteen of the process, are under way. Sources of the sandbox are looked at by this alone.',
  access: 'account',
  trail: 'none',
  params: SupplySourceParams,
  errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
  answer: { status: 200, schema: Verification },
  async handle({ params: { id }, caller, identity, parts }) {
    const source = await loadSupplySource(parts, id, caller);
    if (source.status === 'archived') throw new ApiError('CONFLICT', 'The supply source is archived.');
    const known = await parts.verifier.verifyNow(id, source, identity.askId());
    return showVerification(parts, id, source, known);
  },
});
