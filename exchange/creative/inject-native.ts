import type { Imp } from '../openrtb/fields/imp.ts';
import { isObject, isWithinDepth, MAX_DEPTH } from '../openrtb/shape.ts';
import { dropNulls } from './drop-nulls.ts';
import { type Injection, refuseInjection } from './injection.ts';
import { missingNativeAsset } from './missing-native-asset.ts';
import { placeNativeTrackers } from './native-trackers.ts';
import { nativeViewabilityTrackers } from './native-viewability-trackers.ts';
import { nativeRequestOf } from './render/native-request.ts';
import type { ViewabilityUrl } from './viewability-url.ts';

/**
 * Adds an impression tracker to a native response: an event tracker, or an entry of the older `imptrackers` where the
 * `imp`'s renderer calls no event trackers for impressions, or the response has only those. The root gets the form of
 * the `imp`'s request, whatever the bidder sent: `{"native": {…}}` (1.0) or the object itself (1.1 on). Without a
 * readable request the form stays as it is. Where the `imp` asks for it, two more trackers report viewability
 * (native-viewability-trackers.ts). A response that lacks an asset that the request requires is refused, unless its
 * assets come from elsewhere. A null field counts as absent.
 */
export function injectNativeTracker(adm: string, trackingUrl: string, imp?: Imp, viewUrl?: ViewabilityUrl): Injection {
  const root = parsedObject(adm);
  if (!root) return refuseInjection('native-malformed', 'adm of a native bid is not a JSON object');
  // A document that nests without bound can be parsed, but not written again.
  if (!isWithinDepth(root, MAX_DEPTH))
    return refuseInjection('native-malformed', `nests deeper than ${MAX_DEPTH} levels`);
  const native = isObject(root.native) ? root.native : root;
  dropNulls(native);
  const isElsewhere = native.assetsurl !== undefined || native.dcourl !== undefined;
  if (!Array.isArray(native.assets) && !isElsewhere) {
    return refuseInjection('native-malformed', 'native response has neither assets nor assetsurl nor dcourl');
  }
  const { eventtrackers, imptrackers } = native;
  if (eventtrackers !== undefined && !Array.isArray(eventtrackers)) {
    return refuseInjection('native-malformed', 'eventtrackers is not an array');
  }
  if (imptrackers !== undefined && !Array.isArray(imptrackers)) {
    return refuseInjection('native-malformed', 'imptrackers is not an array');
  }
  const request = imp === undefined ? null : nativeRequestOf(imp);
  if (request !== null && !isElsewhere && missingNativeAsset(request, native.assets as unknown[]) !== null) {
    return refuseInjection('native-asset-missing', 'an asset that the request requires is missing');
  }
  const hasOlderForm = imptrackers !== undefined && eventtrackers === undefined;
  const views = hasOlderForm ? [] : nativeViewabilityTrackers(request, native.assets, viewUrl);
  const callsImpressionEvents = !hasOlderForm && (request?.callsImpressionEvents ?? true);
  const placed = placeNativeTrackers([trackingUrl], views, callsImpressionEvents);
  if (placed.imptrackers.length > 0) native.imptrackers = [...(imptrackers ?? []), ...placed.imptrackers];
  if (placed.eventtrackers.length > 0) native.eventtrackers = [...(eventtrackers ?? []), ...placed.eventtrackers];
  const wrapped = request?.wrapped ?? root !== native;
  return { ok: true, adm: JSON.stringify(wrapped ? { native } : native) };
}

function parsedObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
