import Type from 'typebox';
import { dsp } from '#actors/dsp/dsp';
import { publisher } from '#actors/publisher/publisher';
import { feePpmOf } from '#exchange/money/fee';
import { ApiError } from '#gateways/errors';
import { defineRoute } from '../../routing/route.ts';
import { Fee, FeeParams, loadChargedSource, showFee } from './fee.ts';

export const updateFee = defineRoute({
  method: 'PUT',
  partial: true,
  path: '/api/fees/:source_id',
  tag: 'Operators',
  operationId: 'updateFee',
  summary: "Set the exchange's fee on a source of any account",
  description:
    "A publisher's fee counts for the impressions from now on: those before keep the fee of their moment. A DSP's fee is put on its spend when an invoice is drawn up. The revision is the source's own.",
  access: 'operator',
  revised: true,
  params: FeeParams,
  body: Type.Object(
    { fee_percent: Type.Number({ minimum: 0, maximum: 100, description: 'At most 4 decimals.' }) },
    { additionalProperties: false },
  ),
  examples: { body: { fee_percent: 12.5 } },
  answer: { status: 200, schema: Fee },
  async handle({ params: { source_id: id }, body, caller, identity, expecting, revision, parts }) {
    const feePpm = readPercent(body.fee_percent);
    const { kind } = await loadChargedSource(parts, id, caller);
    const change = { feePpm, ...(expecting && { expecting }) };
    const options = { requestId: identity.askId() };
    const state = await (kind === 'publisher'
      ? parts.messenger.ask(publisher, id, 'set-fee', change, options)
      : parts.messenger.ask(dsp, id, 'set-fee', change, options));
    revision(state.revision);
    return showFee(id, { kind, state });
  },
});

function readPercent(percent: number): number {
  try {
    return feePpmOf(percent);
  } catch {
    throw new ApiError('VALIDATION_ERROR', 'fee_percent must have at most 4 decimals.', 'fee_percent');
  }
}
