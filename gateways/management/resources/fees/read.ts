import { defineRoute } from '../../routing/route.ts';
import { Fee, FeeParams, loadChargedSource, showFee } from './fee.ts';

export const readFee = defineRoute({
  method: 'GET',
  path: '/api/fees/:source_id',
  tag: 'Account',
  operationId: 'getFee',
  summary: "Read the exchange's fee on a source of the account; an operator reads any source's",
  description: 'The exchange takes it from what a publisher is paid, or adds it to what a demand source owes.',
  access: 'account',
  reach: { operators: 'every-account' },
  revised: true,
  params: FeeParams,
  answer: { status: 200, schema: Fee },
  async handle({ params: { source_id: id }, caller, revision, parts }) {
    const charged = await loadChargedSource(parts, id, caller);
    revision(charged.state.revision);
    return showFee(id, charged);
  },
});
