import type { AdFormat } from '../../auction/ad-format.ts';
import type { BidRequest } from '../../openrtb/bid-request.ts';
import type { Imp } from '../../openrtb/fields/imp.ts';
import type { ViewabilityUrl } from '../viewability-url.ts';

/** The circumstances for which a winner's markup is made. */
export interface RenderContext {
  /** The format that the imp was sold as. */
  readonly format: AdFormat;
  readonly imp: Imp;
  readonly device: BidRequest['device'];
  /** The exchange's impression URL, which becomes the first impression tracker of the markup. */
  readonly trackingUrl: string;
  /** Makes the exchange's viewability URLs; undefined where viewability is not measured. */
  readonly viewUrl: ViewabilityUrl | undefined;
  /** The name of this serving of the ad (VAST 4.1 §3.4.2, AdServingId), such as the tracking id. */
  readonly servingId: string;
  /** The prefix of the paths of hosted media: the public edge URL, without a slash at the end. */
  readonly edgeUrl: string;
}

export type RenderResult =
  | { readonly ok: true; readonly adm: string }
  | { readonly ok: false; readonly refused: RenderRefusal };

/** Why a creative has no markup for an imp. */
export type RenderRefusal =
  /** An asset of the creative is missing, or is of another kind than the creative says. */
  | 'asset-missing'
  /** The imp does not offer the creative's format. */
  | 'format-not-offered'
  /** The imp allows no version of VAST that the exchange writes. */
  | 'version-not-allowed'
  /** The imp demands secure parts, and some are not. */
  | 'insecure'
  /** MRAID is not offered, or the device is a television. */
  | 'mraid-not-offered'
  /** No file that plays is of the imp's types, or the ad is too short or too long. */
  | 'media-not-allowed'
  /** The native request demands an asset that the creative does not have. */
  | 'native-asset-missing'
  | 'native-request-malformed'
  /** A native ad must have a landing page (Native 1.2 §5.7). */
  | 'landing-url-missing';

export function refuseRender(reason: RenderRefusal): RenderResult {
  return { ok: false, refused: reason };
}
