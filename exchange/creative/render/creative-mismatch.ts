import type { BidRequest } from '../../openrtb/bid-request.ts';
import type { Imp } from '../../openrtb/fields/imp.ts';
import type { Creative } from '../../strategy/document/creative.ts';
import { offersMraid } from '../../strategy/offers-mraid.ts';
import { newestAllowed } from '../../vast/vast-version.ts';
import { LINEAR } from '../linear-misfit.ts';
import { takesMime } from '../same-mime.ts';
import type { AssetLookup } from './assets.ts';
import type { DescribedCreative } from './describe-creative.ts';
import { nativeAsset } from './native-assets.ts';
import { nativeRequestOf } from './native-request.ts';
import type { RenderRefusal } from './render-context.ts';

/**
 * Why an imp cannot take what a creative would be rendered as; null when it can. Sizes and durations are judged later,
 * as for all bids.
 */
export function creativeMismatch(
  creative: Creative,
  described: DescribedCreative,
  assets: AssetLookup,
  imp: Imp,
  device: BidRequest['device'],
): RenderRefusal | null {
  const { format } = described;
  if (imp[format] === undefined) return 'format-not-offered';
  if (imp.secure === 1 && described.insecureUrl !== null) return 'insecure';
  if (described.mraid && !(format === 'banner' && offersMraid(imp, device))) return 'mraid-not-offered';
  if (format === 'video' || format === 'audio') return mediaMismatch(described, imp, format);
  if (format === 'native') return nativeMismatch(creative, assets, imp);
  return null;
}

function mediaMismatch(
  { mimeTypes, linear }: DescribedCreative,
  imp: Imp,
  format: 'video' | 'audio',
): RenderRefusal | null {
  const requested = imp[format]!;
  if (newestAllowed(requested.protocols) === null) return 'version-not-allowed';
  const { linearity } = format === 'video' ? imp.video! : {};
  if (linearity !== undefined && (linearity === LINEAR) !== linear) return 'media-not-allowed';
  if (!linear || requested.mimes.length === 0) return null;
  return mimeTypes.some((type) => takesMime(requested.mimes, type)) ? null : 'media-not-allowed';
}

function nativeMismatch(creative: Creative, assets: AssetLookup, imp: Imp): RenderRefusal | null {
  const request = nativeRequestOf(imp);
  const { native, landing_url: landing } = creative;
  if (request === null) return 'native-request-malformed';
  if (native === undefined) return 'asset-missing';
  if (landing === undefined) return 'landing-url-missing';
  const isMissing = request.assets.some(
    (requested) => requested.required === 1 && nativeAsset(requested, native, creative, assets, '') === null,
  );
  return isMissing ? 'native-asset-missing' : null;
}
