import type { DspState } from '#actors/dsp/reduce';
import type { PublisherState } from '#actors/publisher/reduce';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';
import type { SourceCaller } from '../../identity/caller.ts';

/** Loads the source whose key is used. */
export async function loadOwnSource(
  { store }: ManagementDeps,
  source: SourceCaller,
): Promise<PublisherState | DspState> {
  const [document] = await store.load([{ kind: source.kind, id: source.id }]);
  if (!document || document.deleted) throw new ApiError('UNAUTHORIZED');
  return document.state as PublisherState | DspState;
}
