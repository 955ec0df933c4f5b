import { parseSavedStrategy, type StrategyState } from '#actors/strategy/reduce';
import { strategy } from '#actors/strategy/strategy';
import { Strategy } from '#exchange/strategy/document/strategy';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';
import { defineRoute } from '../../routing/route.ts';
import { DemandSourceParams, loadDemandSource } from '../demand-sources/demand-source.ts';

export const readStrategy = defineRoute({
  method: 'GET',
  path: '/api/demand/sources/:id/strategy',
  tag: 'Demand',
  operationId: 'getStrategy',
  summary: 'Read the strategy that was last uploaded',
  description: 'As it was uploaded; campaigns that were made one by one are not in it.',
  access: 'account',
  revised: true,
  params: DemandSourceParams,
  answer: { status: 200, schema: Strategy },
  async handle({ params: { id }, caller, revision, parts }) {
    await loadDemandSource(parts, id, caller);
    const { uploaded, revision: read } = await uploadedStrategy(parts, id);
    revision(read);
    return uploaded;
  },
});

/**
 * Loads the last uploaded strategy of a demand source with its revision.
 * @throws ApiError NOT_FOUND when none was uploaded
 */
export async function uploadedStrategy({ store }: Pick<ManagementDeps, 'store'>, id: string) {
  const [document] = await store.load([{ kind: strategy.kind, id }]);
  const state = (document?.state ?? null) as StrategyState | null;
  const uploaded = state === null ? null : parseSavedStrategy(state);
  if (state === null || uploaded === null) throw new ApiError('NOT_FOUND', 'No strategy was uploaded.');
  return { uploaded, revision: state.revision };
}
