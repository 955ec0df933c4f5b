import type { AdFormat } from '../../auction/ad-format.ts';
import type { BidRequest } from '../../openrtb/bid-request.ts';
import type { Imp } from '../../openrtb/fields/imp.ts';
import type { ViewabilityUrl } from '../viewability-url.ts';

/** What a winner's markup is made for. */
export interface RenderContext {
  /** What the imp was sold as. */
  readonly format: AdFormat;
  readonly imp: Imp;
  readonly device: BidRequest['device'];
  /** Our impression URL: the first impression tracker of the markup. */
  readonly trackingUrl: string;
  /** Our URLs for what is seen of it; absent: whoever shows it is not asked. */
  readonly viewUrl?: ViewabilityUrl | undefined;
  /** Names this serving of the ad (VAST 4.1 §3.4.2, AdServingId), such as the tracking id. */
  readonly servingId: string;
  /** What the paths of hosted media are on: the public edge URL, without a slash at the end. */
  readonly edgeUrl: string;
}

export type RenderResult =
  | { readonly ok: true; readonly adm: string }
  | { readonly ok: false; readonly refused: RenderRefusal };

/** Why a creative has no markup for an imp. */
export type RenderRefusal =
  /** Its asset is not here (yet), or is not what the creative takes it for. */
  | 'asset-missing'
  /** The imp does not offer the creative's format. */
  | 'format-not-offered'
  /** It allows no version of VAST that we write. */
  | 'version-not-allowed'
  /** It asks for secure parts, and some are not. */
  | 'insecure'
  /** MRAID is not offered, or on CTV. */
  | 'mraid-not-offered'
  /** Nothing that plays is of the imp's types, or it is too short or too long. */
  | 'media-not-allowed'
  /** The native request wants an asset that the creative has not. */
  | 'native-asset-missing'
  | 'native-request-malformed'
  /** A native ad has to lead somewhere (Native 1.2 §5.7). */
  | 'landing-url-missing';

export function refuseRender(reason: RenderRefusal): RenderResult {
  return { ok: false, refused: reason };
}
