import Type, { type Static } from 'typebox';
import { isInScope, type ScopedResource } from '#actors/account/scope';
import { Uuid } from '#actors/api-schemas';
import { dsp } from '#actors/dsp/dsp';
import { publisher } from '#actors/publisher/publisher';
import { feePercentOf } from '#exchange/money/fee';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import { scopeForOwner } from '../../identity/scope-for-owner.ts';

/** The fee of the exchange: it is kept of a publisher's gross, or added to a DSP's spend. */
export const Fee = Type.Object(
  {
    source_id: Uuid,
    kind: Type.Enum(['publisher', 'dsp']),
    fee_percent: Type.Number({ description: '0 until configured. At most 4 decimals.' }),
  },
  { title: 'Fee' },
);
export type Fee = Static<typeof Fee>;

export const FeeParams = Type.Object({ source_id: Uuid });

/** The state that publishers and DSPs have in common here. */
export interface ChargedState extends ScopedResource {
  readonly feePpm: number;
  readonly revision: number;
}

export interface ChargedSource {
  readonly kind: Fee['kind'];
  readonly state: ChargedState;
}

/**
 * Loads the source whose fee the request names: one that the caller sees, or for an operator one of any account.
 * NOT_FOUND when there is none.
 */
export async function loadChargedSource({ store }: ManagementDeps, id: string, caller: Caller): Promise<ChargedSource> {
  const documents = await store.load([publisher, dsp].map(({ kind }) => ({ kind, id })));
  for (const [index, kind] of (['publisher', 'dsp'] as const).entries()) {
    const document = documents[index];
    if (!document || document.deleted) continue;
    const state = document.state as ChargedState;
    if (isInScope(scopeForOwner(caller, state), state)) return { kind, state };
  }
  throw new ApiError('NOT_FOUND', 'The source does not exist.');
}

export function showFee(id: string, { kind, state }: ChargedSource): Fee {
  return { source_id: id, kind, fee_percent: feePercentOf(state.feePpm) };
}
