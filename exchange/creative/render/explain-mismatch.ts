import { fitsBanner } from '../../auction/creative-size.ts';
import { fitsDuration } from '../../auction/durations.ts';
import type { BidRequest } from '../../openrtb/bid-request.ts';
import type { Format } from '../../openrtb/fields/banner.ts';
import type { Imp } from '../../openrtb/fields/imp.ts';
import type { Creative } from '../../strategy/document/creative.ts';
import { LINEAR } from '../linear-misfit.ts';
import type { AssetLookup } from './assets.ts';
import { creativeMismatch } from './creative-mismatch.ts';
import { type DescribedCreative, describeCreative } from './describe-creative.ts';
import { nativeAsset } from './native-assets.ts';
import { type NativeAssetRequest, nativeRequestOf } from './native-request.ts';
import type { RenderRefusal } from './render-context.ts';

/** Why an imp cannot show a creative. `asset-missing`: a file of it is not fetched (yet), or is of another kind. */
export type MismatchReason = RenderRefusal | 'size-not-allowed' | 'duration-not-allowed';

/** The explanation of why an imp cannot show a creative. */
export interface CreativeMismatch {
  readonly creativeId: string;
  readonly reason: MismatchReason;
  /** The fault, and the field or setting that would change it, in sentences. */
  readonly words: string;
}

/** The reason why an imp cannot show a creative whose assets are present; null when it can. */
export function mismatchOf(
  creative: Creative,
  described: DescribedCreative,
  assets: AssetLookup,
  imp: Imp,
  device: BidRequest['device'],
): MismatchReason | null {
  const misfit = creativeMismatch(creative, described, assets, imp, device);
  if (misfit !== null) return misfit;
  const { format, durationSeconds: dur } = described;
  if (format === 'banner') return fitsBanner(described, imp, device) ? null : 'size-not-allowed';
  return fitsDuration(dur === undefined ? {} : { dur }, imp, format) ? null : 'duration-not-allowed';
}

/**
 * Explains in words why an imp cannot show a creative; null when it can. It is too slow for auctions and is called
 * after them.
 */
export function explainMismatch(
  creative: Creative,
  assets: AssetLookup,
  imp: Imp,
  device: BidRequest['device'],
): CreativeMismatch | null {
  const { creative_id: creativeId } = creative;
  const described = describeCreative(creative, assets);
  if (described === null) return { creativeId, reason: 'asset-missing', words: missing(creative, assets) };
  const reason = mismatchOf(creative, described, assets, imp, device);
  return reason === null ? null : { creativeId, reason, words: inWords(reason, creative, described, assets, imp) };
}

function inWords(
  reason: MismatchReason,
  creative: Creative,
  described: DescribedCreative,
  assets: AssetLookup,
  imp: Imp,
): string {
  const { format, w, h, durationSeconds, insecureUrl, mimeTypes, linear } = described;
  switch (reason) {
    case 'insecure':
      return `It loads ${insecureUrl} over plain HTTP, and the imp is secure. Serve that by HTTPS, or ask with imp.secure 0 (secure=0 in a tag), unless HTTPS_CREATIVES_ONLY forbids it.`;
    case 'size-not-allowed':
      return `It is ${w}x${h}, and the imp takes ${sizesOf(imp)}. Change its width and height, or imp.banner.format (sizes in a tag).`;
    case 'duration-not-allowed':
      return durationSeconds === undefined
        ? `How long it is is not known, which a break of several ads has to know. Its VAST document lacks Duration.`
        : `It is ${durationSeconds} s long, and the imp takes ${lengthsOf(imp, format)}. Change ${lengthFields(imp, format)}.`;
    case 'media-not-allowed':
      return mediaInWords(mimeTypes, linear, imp, format);
    case 'format-not-offered':
      return `It is ${format}, and the imp offers ${formatsOf(imp)}. Add imp.${format} (format=${format} in a tag).`;
    case 'version-not-allowed':
      return `imp.${format}.protocols allows no in-line VAST from 2.0 to 4.2. Add 2, 3, 7, 11 or 13 (version in a tag).`;
    case 'mraid-not-offered':
      return 'It is MRAID, which runs where imp.banner.api has 5 or 6 (mraid=2 or 3 in a tag), never on televisions.';
    case 'native-request-malformed':
      return 'imp.native.request is no native request that can be read.';
    case 'native-asset-missing':
      return nativeInWords(creative, assets, imp);
    case 'landing-url-missing':
      return 'A native ad has to lead somewhere. Give the creative a landing_url.';
    case 'asset-missing':
      return missing(creative, assets);
  }
}

/** The fields of a creative that name files, each with its URL. */
function filesOf({ vast_url, audio_url, image_url, native }: Creative): readonly (readonly [string, string])[] {
  const all: readonly (readonly [string, string | undefined])[] = [
    ['vast_url', vast_url],
    ['audio_url', audio_url],
    ['image_url', image_url],
    ['native.image_url', native?.image_url],
    ['native.icon_url', native?.icon_url],
  ];
  return all.flatMap(([field, url]) => (url === undefined ? [] : [[field, url] as const]));
}

function missing(creative: Creative, assets: AssetLookup): string {
  const files = filesOf(creative);
  const absent = files.find(([, url]) => assets.get(url) === undefined);
  if (absent !== undefined) {
    const [field, url] = absent;
    return `Its ${field} ${url} is not fetched yet. It is fetched when its campaign is saved, whose creative_warnings say what failed.`;
  }
  const named = files.map(([field, url]) => `${field} ${url}`).join(', ');
  return named === ''
    ? 'It has nothing to show.'
    : `What its ${named} leads to is of another kind than the field says.`;
}

function mediaInWords(mimeTypes: readonly string[], linear: boolean, imp: Imp, format: string): string {
  const { linearity } = imp.video ?? {};
  if (format === 'video' && linearity !== undefined && (linearity === LINEAR) !== linear) {
    return `It plays ${linear ? 'in the break' : 'over the content'}, and imp.video.linearity is ${linearity}.`;
  }
  const { mimes = [] } = (format === 'audio' ? imp.audio : imp.video) ?? {};
  return `It is ${listed(mimeTypes)}, and the imp takes ${listed(mimes)}. Change imp.${format}.mimes (mimes in a tag), or give it a file of those types.`;
}

/** Describes a native request by the names of its assets (Native 1.2 §4.2 to §4.6). */
function nativeInWords(creative: Creative, assets: AssetLookup, imp: Imp): string {
  const { native } = creative;
  const asked = nativeRequestOf(imp)?.assets.find(
    (asset) =>
      asset.required === 1 && (native === undefined || nativeAsset(asset, native, creative, assets, '') === null),
  );
  return `imp.native.request requires ${asked === undefined ? 'an asset' : nameOf(asked)}, which the creative does not have.`;
}

function nameOf({ title, img, video, data }: NativeAssetRequest): string {
  if (title) return 'a title';
  if (img) return `an image of type ${img.type ?? 3}${img.mimes?.length ? ` as ${listed(img.mimes)}` : ''}`;
  if (video) return 'a video';
  return `data of type ${data?.type}`;
}

function formatsOf(imp: Imp): string {
  return listed((['banner', 'video', 'audio', 'native'] as const).filter((format) => imp[format] !== undefined));
}

function sizesOf({ banner }: Imp): string {
  const sizes: readonly Format[] = [
    ...(banner?.w && banner.h ? [{ w: banner.w, h: banner.h }] : []),
    ...(banner?.format ?? []),
  ];
  const names = sizes.map(({ w, h, wratio, hratio }) => (w && h ? `${w}x${h}` : `${wratio}:${hratio}`));
  return listed([...new Set(names)]);
}

function lengthsOf(imp: Imp, format: string): string {
  const { minduration = 0, maxduration, rqddurs, poddur } = (format === 'audio' ? imp.audio : imp.video) ?? {};
  if (rqddurs?.length) return `${listed(rqddurs.map(String))} s`;
  const longest = Math.min(maxduration ?? Number.POSITIVE_INFINITY, poddur || Number.POSITIVE_INFINITY);
  return longest === Number.POSITIVE_INFINITY ? `${minduration} s or more` : `${minduration} to ${longest} s`;
}

function lengthFields(imp: Imp, format: string): string {
  const { rqddurs, poddur } = (format === 'audio' ? imp.audio : imp.video) ?? {};
  if (rqddurs?.length) return `imp.${format}.rqddurs`;
  return `imp.${format}.minduration and maxduration${poddur ? ', or poddur' : ''}`;
}

/** The most entries of a list that an explanation shows. */
const MAX_LISTED = 5;

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'nothing';
  const shown = names.slice(0, MAX_LISTED).join(', ');
  return names.length > MAX_LISTED ? `${shown}, …` : shown;
}
