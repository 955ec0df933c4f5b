import { deviceTypesOf } from '../../strategy/devices.ts';
import { type Campaign, creativesOf } from '../../strategy/document/campaign.ts';
import { type Creative, formatOfCreative } from '../../strategy/document/creative.ts';
import type { MediaFactsLookup } from '../media-facts.ts';
import type { AssetLookup } from '../render/assets.ts';
import { describeCreative } from '../render/describe-creative.ts';
import { audioWarnings } from './audio.ts';
import { bannerWarnings } from './banner.ts';
import { markupWarnings } from './markup.ts';
import { nativeWarnings } from './native.ts';
import { videoWarnings } from './video.ts';

/** A deviation of a creative from the recommendations; the creative serves nevertheless (specification, "Errors"). */
export interface CreativeWarning {
  readonly creative_id: string;
  readonly warning: string;
}

/** Connected TV, connected device, set-top box (AdCOM, list "Device Types"). */
const CTV_TYPES: readonly number[] = [3, 6, 7];

/**
 * All deviations of a campaign's creatives from the specification ("Creative specifications"), each once for a
 * creative, in the order of the creatives; and what keeps them from some imps, or from all.
 */
export function creativeWarnings(
  campaign: Campaign,
  factsOf: MediaFactsLookup,
  assets: AssetLookup,
): CreativeWarning[] {
  const ctvOnly = bidsOnCtvAlone(campaign);
  return creativesOf(campaign).flatMap((creative) =>
    [...new Set(warningsOf(creative, ctvOnly, factsOf, assets))].map((warning) => ({
      creative_id: creative.creative_id,
      warning,
    })),
  );
}

function* warningsOf(
  creative: Creative,
  ctvOnly: boolean,
  factsOf: MediaFactsLookup,
  assets: AssetLookup,
): Generator<string> {
  const { vast_url, audio_url, image_url, native } = creative;
  const urls = [vast_url, audio_url, image_url, native?.image_url, native?.icon_url];
  // A creative does not serve while a file of it is unknown.
  if (urls.some((url) => url !== undefined && factsOf(url) === null)) yield 'not_fetched';
  if ((describeCreative(creative, assets)?.insecureUrl ?? null) !== null) yield 'insecure_url';
  yield* markupWarnings(creative);
  const image = image_url === undefined ? undefined : factsOf(image_url)?.[0];
  switch (formatOfCreative(creative)) {
    case 'video':
      yield* videoWarnings(factsOf(vast_url ?? '') ?? [], ctvOnly);
      break;
    case 'audio':
      yield* audioWarnings(factsOf(audio_url ?? vast_url ?? '') ?? []);
      break;
    case 'native':
      if (native) yield* nativeWarnings(native, factsOf);
      if (creative.landing_url === undefined) yield 'native_landing_url_missing';
      break;
    case 'banner':
    case 'html5':
      yield* bannerWarnings(creative, image);
      break;
    case 'mraid':
      break;
  }
}

function bidsOnCtvAlone({ targeting }: Campaign): boolean {
  const types = (targeting?.devices ?? []).flatMap((device) => deviceTypesOf(device) ?? []);
  return types.length > 0 && types.every((type) => CTV_TYPES.includes(type));
}
