import Type, { type Static } from 'typebox';
import type { CreativeState } from '#actors/creative/reduce';
import type { HostedMarkup } from '#exchange/creative/hosted-markup';
import { Creative } from '#exchange/strategy/document/creative';
import { readVast } from '#exchange/vast/read-vast';
import type { CreativeStorage } from '#gateways/creatives/storage/creative-storage';
import type { ManagementDeps } from '#gateways/management/deps';
import type { Answer } from '#gateways/management/routing/route';
import { SchemaValidator } from '#runtime/schema-validator';
import { loadFetchedCreatives } from '../../campaigns/fetched-creatives.ts';
import { type PreviewContent, playedContent, previewFields, previewOf } from '../../campaigns/preview/preview.ts';
import { previewDocument } from '../../campaigns/preview/preview-document.ts';
import { filledMarkup } from './filled-markup.ts';
import { inertHtml } from './inert-html.ts';
import { nativeContent } from './native-content.ts';

/** Nothing in the document runs, and it loads nothing but what its own policy names. */
const POLICY =
  "sandbox; script-src 'none'; connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'";
/** A hosted document that is larger is not read for a preview. */
const MOST_HOSTED_BYTES = 1_048_576;
const VAST = /^\s{0,100}(?:<\?xml|<!--|<vast[\s>])/i;

/** What a bidder's creative shows, without anything that runs, or counts it as shown. */
export const ReviewedPreview = Type.Object(
  {
    ...previewFields,
    html: {
      ...previewFields.html,
      description: 'A document of its markup in which nothing runs, for a sandboxed frame.',
    },
    hosted: Type.Boolean({ description: 'Whether it is shown as the exchange hosts it.' }),
    left_out: Type.Boolean({
      description: 'Whether it has scripts or frames, which a preview leaves out: it may show little or nothing.',
    }),
    note: Type.Union([Type.String(), Type.Null()], {
      description: 'Why there is nothing to see; null where there is.',
    }),
  },
  { title: 'ReviewedCreativePreview' },
);
export type ReviewedPreview = Answer<Static<typeof ReviewedPreview>>;

/** The answer of the routes that preview a creative. */
export const previewAnswer = {
  status: 200 as const,
  schema: ReviewedPreview,
  html: {
    write: (preview: ReviewedPreview) => previewDocument(preview, preview.note ?? undefined),
    headers: { 'Content-Security-Policy': POLICY, 'X-Frame-Options': 'SAMEORIGIN' },
  },
};

interface Content extends PreviewContent {
  readonly format: ReviewedPreview['format'];
  readonly leftOut?: boolean;
  readonly note?: string;
}

/** The preview of a creative: of its hosted markup where there is some, else of its template. */
export async function previewOfCreative(
  { creativeFiles, store, settings, logger }: PreviewDeps,
  id: string,
  { markup, hosting, formats, campaignId }: CreativeState,
): Promise<ReviewedPreview> {
  const mediaUrl = settings.publicCreativesUrl;
  const ofCampaign = campaignId === null ? null : campaignsCreative(markup);
  if (ofCampaign !== null) {
    const shown = previewOf(ofCampaign, await loadFetchedCreatives({ store }, [{ creative: ofCampaign }]), mediaUrl);
    const inert = shown.html === null ? null : inertHtml(shown.html);
    return {
      ...{ ...shown, creative_id: id, html: inert?.document ?? null, hosted: shown.ready && inert === null },
      left_out: inert?.leftOut ?? false,
      note: shown.ready ? null : 'What it is made of has not been fetched yet.',
    };
  }
  let hosted: string | null = null;
  try {
    if (hosting.file !== null) hosted = await loadHosted(creativeFiles, hosting.file);
  } catch (error) {
    logger.warn({ err: error, creative: id }, 'the hosted markup of a creative could not be read');
  }
  const content = contentOf(filledMarkup(hosted ?? markup, mediaUrl), formats, mediaUrl);
  const [first] = content.files ?? [];
  return {
    creative_id: id,
    format: content.format,
    ready: content.ready,
    width: first?.width ?? null,
    height: first?.height ?? null,
    duration_ms: content.durationMs ?? null,
    landing_url: content.landingUrl ?? null,
    files: content.files ?? [],
    companion: content.companion ?? null,
    html: content.html ?? null,
    native: content.native ?? null,
    hosted: hosted !== null,
    left_out: content.leftOut ?? false,
    note: content.note ?? null,
  };
}

type PreviewDeps = Pick<ManagementDeps, 'creativeFiles' | 'store' | 'settings' | 'logger'>;

/** The creative in the document of a campaign, which edges tell as its markup; null for text that is none. */
function campaignsCreative(markup: string): Creative | null {
  try {
    const document: unknown = JSON.parse(markup);
    return campaignCreative.check(document) ? (document as Creative) : null;
  } catch {
    return null;
  }
}

const campaignCreative = new SchemaValidator(Creative);

function contentOf(markup: string, formats: CreativeState['formats'], mediaUrl: string): Content {
  if (markup === '') {
    return { format: 'html5', ready: false, note: 'Its markup is too large to be kept.' };
  }
  if (VAST.test(markup)) {
    const format = formats.includes('audio') && !formats.includes('video') ? 'audio' : 'video';
    return { format, ...vastContent(markup, mediaUrl) };
  }
  const native = nativeContent(markup);
  if (native !== null) return { format: 'native', ...native };
  const { document, landingUrl, leftOut } = inertHtml(markup);
  return { format: 'html5', ready: true, html: document, leftOut, landingUrl: landingUrl ?? undefined };
}

function vastContent(markup: string, mediaUrl: string): PreviewContent & { readonly note?: string } {
  const read = readVast(markup);
  if (!read.ok) return { ready: false, note: `Its VAST document cannot be read: ${read.message}.` };
  const ad = read.ads.find((one) => one.kind === 'inline');
  if (ad === undefined) {
    return { ready: false, note: 'It is a VAST wrapper: what it leads to is seen once it is hosted.' };
  }
  const content = playedContent(ad, mediaUrl);
  const progressive = (content.files ?? []).filter(({ url }) => /^https?:\/\//i.test(url));
  if (progressive.length === 0)
    return { ...content, files: [], ready: false, note: 'It has no file that can be played here.' };
  return { ...content, files: progressive };
}

async function loadHosted(files: Pick<CreativeStorage, 'open'>, hash: string): Promise<string | null> {
  const file = await files.open(hash);
  if (file === null || file.bytes > MOST_HOSTED_BYTES) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of await file.read()) chunks.push(chunk as Buffer);
  return (JSON.parse(Buffer.concat(chunks).toString('utf8')) as HostedMarkup).markup;
}
