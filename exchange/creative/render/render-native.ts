import type { Creative } from '../../strategy/document/creative.ts';
import { type NativeTracker, placeNativeTrackers } from '../native-trackers.ts';
import { nativeViewabilityTrackers } from '../native-viewability-trackers.ts';
import type { AssetLookup } from './assets.ts';
import { nativeAsset } from './native-assets.ts';
import { type NativeRequest, nativeRequestOf } from './native-request.ts';
import { type RenderContext, type RenderResult, refuseRender } from './render-context.ts';

/** Renders a response to the imp's request (OpenRTB Native 1.2 §5), in the form of the request's version. */
export function renderNative(creative: Creative, assets: AssetLookup, terms: RenderContext): RenderResult {
  const { native, landing_url: landing, impression_trackers: own = [], click_trackers: clicks = [] } = creative;
  if (native === undefined) return refuseRender('asset-missing');
  const request = nativeRequestOf(terms.imp);
  if (request === null)
    return refuseRender(terms.imp.native === undefined ? 'format-not-offered' : 'native-request-malformed');
  if (landing === undefined) return refuseRender('landing-url-missing');
  const answered: object[] = [];
  for (const requested of request.assets) {
    const asset = nativeAsset(requested, native, creative, assets, terms.edgeUrl);
    if (asset !== null) {
      const { id, required } = requested;
      answered.push({ ...(id === undefined ? {} : { id }), ...(required === 1 ? { required } : {}), ...asset });
    } else if (requested.required === 1) return refuseRender('native-asset-missing');
  }
  const response = {
    ver: request.ver,
    assets: answered,
    link: { url: landing, ...(clicks.length > 0 && { clicktrackers: clicks }) },
    ...impressionTrackers(
      [terms.trackingUrl, ...own],
      request,
      nativeViewabilityTrackers(request, answered, terms.viewUrl),
    ),
  };
  return { ok: true, adm: JSON.stringify(request.wrapped ? { native: response } : response) };
}

function impressionTrackers(
  urls: readonly string[],
  { callsImpressionEvents }: NativeRequest,
  views: readonly NativeTracker[],
): object {
  const { imptrackers, eventtrackers } = placeNativeTrackers(urls, views, callsImpressionEvents);
  return { ...(imptrackers.length > 0 && { imptrackers }), ...(eventtrackers.length > 0 && { eventtrackers }) };
}
