import Type, { type Static } from 'typebox';
import { Nullable } from '#actors/api-schemas';
import { sourceAd } from '#exchange/creative/render/ad-for-creative';
import { type AssetLookup, mediaFileOf } from '#exchange/creative/render/assets';
import { CREATIVE_FORMATS, type Creative, formatOfCreative } from '#exchange/strategy/document/creative';
import type { VastAd } from '#exchange/vast/ad';
import type { Companion } from '#exchange/vast/model/companion';
import type { Answer } from '#gateways/management/routing/route';

const Pixels = Nullable(Type.Integer({ minimum: 0, description: 'Pixels; null where it is not known.' }));

const PreviewFile = Type.Object({
  url: Type.String({ description: 'Hosted by the exchange, but for files that are streamed in parts.' }),
  mime_type: Type.String({ description: 'By RFC 6838: `video/mp4`.' }),
  width: Pixels,
  height: Pixels,
});
type PreviewFile = Static<typeof PreviewFile>;

const fileOr = (description: string) => Type.Union([PreviewFile, Type.Null()], { description });
const text = (description: string) => Nullable(Type.String({ description }));

export const previewFields = {
  creative_id: Type.String(),
  format: Type.Enum([...CREATIVE_FORMATS]),
  ready: Type.Boolean({ description: 'Whether what it is made of has been fetched, so that it can be served.' }),
  width: Pixels,
  height: Pixels,
  duration_ms: Nullable(Type.Integer({ minimum: 0, description: 'Of video and audio, as far as it is known.' })),
  landing_url: text('Where a click leads.'),
  files: Type.Array(PreviewFile, {
    description: 'What is played or shown: renditions of the same, if more than one.',
  }),
  companion: fileOr('The banner beside an audio or video ad; null where there is none.'),
  html: text('Markup of an HTML5 or MRAID ad, as it was saved.'),
  native: Nullable(
    Type.Object(
      {
        title: Type.String(),
        body: text('The text.'),
        cta: text('The call to action.'),
        sponsored: text('The label that names the advertiser.'),
        image: fileOr('The main image.'),
        icon: fileOr('The icon.'),
      },
      { description: 'A native ad by its parts.' },
    ),
  ),
};

/** What a creative shows, without anything that counts it as shown. */
export const CreativePreview = Type.Object(previewFields, { title: 'CreativePreview' });
export type CreativePreview = Answer<Static<typeof CreativePreview>>;

/**
 * The preview of a creative with the assets that its URLs have led to so far. Media are on `mediaUrl`, which has no
 * trailing slash.
 */
export function previewOf(creative: Creative, assets: AssetLookup, mediaUrl: string): CreativePreview {
  const parts = previewContentOf(creative, assets, mediaUrl);
  const [first] = parts.files ?? [];
  return {
    creative_id: creative.creative_id,
    format: formatOfCreative(creative),
    ready: parts.ready,
    width: creative.width ?? first?.width ?? null,
    height: creative.height ?? first?.height ?? null,
    duration_ms: parts.durationMs ?? null,
    landing_url: parts.landingUrl ?? creative.landing_url ?? null,
    files: parts.files ?? [],
    companion: parts.companion ?? null,
    html: parts.html ?? null,
    native: parts.native ?? null,
  };
}

export interface PreviewContent {
  readonly ready: boolean;
  readonly durationMs?: number | undefined;
  readonly landingUrl?: string | undefined;
  readonly files?: PreviewFile[];
  readonly companion?: PreviewFile | null;
  readonly html?: string | undefined;
  readonly native?: CreativePreview['native'];
}

function previewContentOf(creative: Creative, assets: AssetLookup, mediaUrl: string): PreviewContent {
  const imageOf = (url: string | undefined): PreviewFile | null => {
    const media = mediaFileOf(assets, url, 'image');
    if (media === null) return null;
    const { path, mimeType, width = null, height = null } = media;
    return { url: mediaUrl + path, mime_type: mimeType, width, height };
  };
  const { native } = creative;
  if (native !== undefined) {
    const image = imageOf(native.image_url);
    const icon = imageOf(native.icon_url);
    const { title, body = null, cta = null, sponsored = null } = native;
    const fetched = (url: string | undefined, file: PreviewFile | null) => url === undefined || file !== null;
    const ready = fetched(native.image_url, image) && fetched(native.icon_url, icon);
    return { ready, native: { title, body, cta, sponsored, image, icon } };
  }
  if (creative.html !== undefined) return { ready: true, html: creative.html };
  if (creative.vast_url === undefined && creative.audio_url === undefined) {
    const image = imageOf(creative.image_url);
    return { ready: image !== null, files: image === null ? [] : [image] };
  }
  return playedContentOf(creative, assets, mediaUrl);
}

/** The first part that plays, in all its renditions, and the first image beside it. */
function playedContentOf(creative: Creative, assets: AssetLookup, mediaUrl: string): PreviewContent {
  const ad = sourceAd(creative, assets);
  return ad === null ? { ready: false } : playedContent(ad, mediaUrl);
}

/** What an ad plays, and the image beside it. Media on paths are on `mediaUrl`, which has no trailing slash. */
export function playedContent(ad: VastAd, mediaUrl: string): PreviewContent {
  const hosted = (url: string) => (url.startsWith('/') ? mediaUrl + url : url);
  const linear = ad.creatives.find((part) => part.linear !== undefined)?.linear;
  const companions = ad.creatives.flatMap((part) => part.companionAds?.companions ?? []);
  const files = (linear?.mediaFiles ?? []).map(({ url, type, width, height }) => ({
    url: hosted(url),
    mime_type: type,
    width: width || null,
    height: height || null,
  }));
  return {
    ready: true,
    durationMs: linear?.durationMs ?? undefined,
    landingUrl: linear?.videoClicks.clickThrough?.url,
    files,
    companion: companions.map((one) => companionFile(one, hosted)).find((one) => one !== null) ?? null,
  };
}

function companionFile(companion: Companion, hosted: (url: string) => string): PreviewFile | null {
  const [file] = companion.resources.static;
  if (file === undefined) return null;
  const { width, height } = companion;
  return { url: hosted(file.url), mime_type: file.creativeType, width, height };
}
