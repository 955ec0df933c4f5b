import { parseUrl } from '../../parse-url.ts';
import type { Creative } from '../../strategy/document/creative.ts';
import { takesMime } from '../same-mime.ts';
import { type AssetLookup, mediaFileOf } from './assets.ts';
import type { NativeAssetRequest } from './native-request.ts';

/** Types of images (Native 1.2 §7.3) and data (§7.4). */
const ICON = 1;
const LOGO = 2;
const MAIN = 3;

type NativeAd = NonNullable<Creative['native']>;

/**
 * The response's part for one requested asset; null when the ad has no such asset. Text longer than the request allows
 * is cut at a word. `edgeUrl` is the prefix of hosted images.
 */
export function nativeAsset(
  asked: NativeAssetRequest,
  ad: NativeAd,
  creative: Creative,
  assets: AssetLookup,
  edgeUrl: string,
): object | null {
  if (asked.title !== undefined) return { title: { text: shortened(ad.title, asked.title.len) } };
  if (asked.img !== undefined) return imageAsset(asked.img, ad, assets, edgeUrl);
  if (asked.data !== undefined) {
    const value = dataValue(asked.data.type, ad, creative);
    return value === undefined ? null : { data: { type: asked.data.type, value: shortened(value, asked.data.len) } };
  }
  return null;
}

function imageAsset(
  { type = MAIN, mimes }: NonNullable<NativeAssetRequest['img']>,
  ad: NativeAd,
  assets: AssetLookup,
  edgeUrl: string,
): object | null {
  const url = type === ICON || type === LOGO ? ad.icon_url : type === MAIN ? ad.image_url : undefined;
  const media = mediaFileOf(assets, url, 'image');
  if (media === null) return null;
  if (mimes?.length && !takesMime(mimes, media.mimeType)) return null;
  const { path, width, height } = media;
  const size = width === undefined || height === undefined ? {} : { w: width, h: height };
  return { img: { type, url: edgeUrl + path, ...size } };
}

function dataValue(type: number, ad: NativeAd, creative: Creative): string | undefined {
  switch (type) {
    case 1:
      return ad.sponsored;
    case 2:
      return ad.body;
    case 3:
      return textOf(ad.rating);
    case 5:
      return textOf(ad.downloads);
    case 6:
      return textOf(ad.price);
    case 11:
      return creative.landing_url === undefined ? undefined : hostOf(creative.landing_url);
    case 12:
      return ad.cta;
    default:
      return undefined;
  }
}

function textOf(value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function hostOf(url: string): string | undefined {
  return parseUrl(url)?.hostname.replace(/^www\./, '');
}

function shortened(text: string, length: number | undefined): string {
  const characters = [...text];
  if (length === undefined || length < 1 || characters.length <= length) return text;
  const cut = characters.slice(0, length - 1).join('');
  const word = cut.lastIndexOf(' ');
  return `${(word > length / 2 ? cut.slice(0, word) : cut).trimEnd()}…`;
}
