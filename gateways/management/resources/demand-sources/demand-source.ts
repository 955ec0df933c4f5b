import Type, { type Static } from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { dsp } from '#actors/dsp/dsp';
import { dspFields } from '#actors/dsp/fields';
import type { DspState } from '#actors/dsp/reduce';
import { exampleOf, shownProperties, toApi } from '#actors/field-table';
import { parseUrl } from '#exchange/parse-url';
import { unknownSyncMacros } from '#gateways/edge/sync/sync-macros';
import { ApiError } from '#gateways/errors';
import { loadVisible } from '../../changes/load-visible.ts';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';

/** A demand source as the API shows it (specification, "Demand source (DSP)"). */
export const DemandSource = Type.Object(shownProperties(dspFields), {
  title: 'DemandSource',
  examples: [exampleOf(dspFields)],
});
export type DemandSource = Static<typeof DemandSource>;

export const DemandSourceParams = Type.Object({ id: Uuid });

export function showDemandSource(id: string, state: DspState): DemandSource {
  return toApi(dspFields, state, { id });
}

export function loadDemandSource(deps: ManagementDeps, id: string, caller: Caller): Promise<DspState> {
  return loadVisible<DspState>(deps, dsp.kind, id, caller.scope, 'The demand source');
}

/** Asserts that a bidder's URLs are HTTP or HTTPS and hold no password. */
export function assertBidderUrls({
  endpoint_url: endpointUrl,
  user_sync_url: userSyncUrl,
}: {
  readonly endpoint_url?: string | null;
  readonly user_sync_url?: string | null;
}): void {
  if (endpointUrl && httpUrl(endpointUrl) === null) {
    throw new ApiError('VALIDATION_ERROR', 'endpoint_url must be an http or https URL.', 'endpoint_url');
  }
  // A macro in the host would let the party that fills it choose where browsers go.
  if (userSyncUrl && !/^[^${}]+$/.test(httpUrl(userSyncUrl)?.host ?? '')) {
    const message = 'user_sync_url must be an http or https URL, with macros in its path and query alone.';
    throw new ApiError('VALIDATION_ERROR', message, 'user_sync_url');
  }
  const [unknown] = unknownSyncMacros(userSyncUrl ?? '');
  if (unknown !== undefined) {
    throw new ApiError('VALIDATION_ERROR', `user_sync_url has ${unknown}, which is no macro.`, 'user_sync_url');
  }
}

function httpUrl(text: string): URL | null {
  const url = parseUrl(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url : null;
}
