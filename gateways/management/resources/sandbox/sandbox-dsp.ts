import Type from 'typebox';
import type { DspState } from '#actors/dsp/reduce';
import { ApiError } from '#gateways/errors';
import { isUuid } from '#gateways/http/uuid';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import { loadDemandSource } from '../demand-sources/demand-source.ts';

export const DspId = Type.String({ minLength: 1, maxLength: 100, description: 'Of a sandbox demand source.' });

/**
 * Loads a demand source for a trial. NOT_FOUND when the sandbox has none with that id, VALIDATION_ERROR for one of the
 * other mode, CONFLICT for an archived one.
 */
export async function loadSandboxDsp(
  deps: ManagementDeps,
  id: string,
  caller: Caller,
  mode: DspState['mode'],
): Promise<DspState> {
  if (!isUuid(id)) throw new ApiError('NOT_FOUND', 'The demand source does not exist in the sandbox.');
  const state = await loadDemandSource(deps, id, caller);
  if (state.mode !== mode) {
    throw new ApiError('VALIDATION_ERROR', `dsp_id must name a demand source of mode ${mode}.`, 'dsp_id');
  }
  if (state.status === 'archived') throw new ApiError('CONFLICT', 'The demand source is archived.');
  return state;
}
