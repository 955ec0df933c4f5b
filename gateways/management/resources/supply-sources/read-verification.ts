import { defineRoute } from '../../routing/route.ts';
import { loadSupplySource, SupplySourceParams } from './supply-source.ts';
import { findVerification, showVerification, Verification } from './verification.ts';

export const readVerification = defineRoute({
  method: 'GET',
  path: '/api/supply/sources/:id/verification',
  tag: 'Supply',
  operationId: 'getSupplySourceVerification',
  summary: 'Read whether the ads.txt or app-ads.txt of a supply source names the exchange',
  description:
    'Active sources are looked at once a day, by the rules of ads.txt 1.1: the ads.txt of a web source is on its root domain, the app-ads.txt of an app on `developer_domain`. Webhooks are told by `publisher.verified` and `publisher.verification_failed` when the status becomes another.',
  access: 'account',
  params: SupplySourceParams,
  answer: { status: 200, schema: Verification },
  async handle({ params: { id }, caller, parts }) {
    const source = await loadSupplySource(parts, id, caller);
    return showVerification(parts, id, source, await findVerification(parts, id));
  },
});
