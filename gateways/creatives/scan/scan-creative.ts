import type { CreativeState } from '#actors/creative/reduce';
import type { Finding, ScanReport } from '#actors/creative/scan';
import type { MediaFacts } from '#exchange/creative/media-facts';
import type { HostingDeps } from '../host-file.ts';
import type { HtmlReading } from './html/read-html.ts';
import { landingDomain } from './landing-page.ts';
import type { Renderer } from './render/renderer.ts';
import { type HtmlDeps, scanHtml } from './scan-html.ts';
import type { ScanLoad } from './scan-load.ts';
import { scanNative } from './scan-native.ts';
import { clicksOf, scanVast } from './scan-vast.ts';
import type { ScannedMarkup } from './scanned-markup.ts';
import type { UnwrappedMarkup } from './unwrap-markup.ts';

export interface ScanDeps extends HostingDeps, HtmlDeps {
  /** Null where nothing is rendered. */
  readonly renderer: Pick<Renderer, 'render'> | null;
}

export type MarkupKind = 'vast' | 'native' | 'html';

export interface Scanned {
  readonly report: ScanReport;
  readonly findings: readonly Finding[];
  readonly media: readonly MediaFacts[];
  readonly kind: MarkupKind;
  /** What hosting goes on with: the ad of VAST markup, and what was read of HTML. */
  readonly unwrapped: UnwrappedMarkup | null;
  readonly reading: HtmlReading | null;
}

const MOST = 50;

/** Recommendations about the length of files, which have a code of their own. */
const TOO_LARGE: ReadonlySet<string> = new Set([
  'audio_oversized',
  'banner_oversized',
  'html5_oversized',
  'large_file',
  'native_image_oversized',
]);

/**
 * Looks into all that a creative is made of. @throws what says nothing of the creative: a storage that fails, an abort
 */
export async function scanCreative(
  deps: ScanDeps,
  load: ScanLoad,
  state: Pick<CreativeState, 'markup' | 'formats' | 'sizes' | 'advertiserDomains'>,
  stop: AbortSignal,
): Promise<Scanned> {
  const { markup, formats, sizes, advertiserDomains } = state;
  const kind = markupKind(state);
  const unwrapDeps = { clock: deps.clock, random: deps.random, maxDocumentBytes: deps.settings.maxDocumentBytes };
  let scanned: ScannedMarkup;
  let unwrapped: UnwrappedMarkup | null = null;
  let reading: HtmlReading | null = null;
  let screenshot: string | null = null;
  if (markup === '') {
    load.findings.add(
      'unreadable-markup',
      'It is longer than what is kept of a creative, so it could not be looked into.',
    );
    scanned = { media: [], wrappers: 0, links: [], warnings: [] };
  } else if (kind === 'vast') {
    const isAudio = formats.includes('audio') && !formats.includes('video');
    const vast = await scanVast(unwrapDeps, load, markup, isAudio, stop);
    unwrapped = vast.unwrapped;
    scanned = vast;
  } else if (kind === 'native') {
    scanned = await scanNative({ ...unwrapDeps, reader: deps.reader }, load, markup, stop);
  } else {
    const html = await scanHtml(deps, load, markup, sizes, stop);
    reading = html.reading;
    scanned = html;
    screenshot = (await deps.renderer?.render(load, markup, sizes[0] ?? '', stop)) ?? null;
  }
  // Each ad of VAST markup may be of an advertiser of its own.
  const linksOfAds = unwrapped?.ads.map(clicksOf) ?? [scanned.links];
  let landing: string | null = null;
  for (const links of markup === '' ? [] : linksOfAds) {
    const domain = await landingDomain(deps, load, links, advertiserDomains, stop);
    landing ??= domain;
  }
  for (const warning of new Set(scanned.warnings)) {
    const code = TOO_LARGE.has(warning) ? 'too-large' : 'recommendation';
    load.findings.add(code, `It deviates from the recommendations: ${warning}.`);
  }
  const { domains, redirects, loadMs, bytes } = load.measured;
  return {
    report: {
      domains: domains.slice(0, MOST),
      redirects,
      wrappers: scanned.wrappers,
      loadMs,
      bytes,
      landingDomain: landing,
      screenshot,
    },
    findings: load.findings.all,
    media: scanned.media.slice(0, MOST),
    kind,
    unwrapped,
    reading,
  };
}

/** What markup is, by the formats that it was sold as, or by how it begins where they say no more. */
function markupKind({ markup, formats }: Pick<CreativeState, 'markup' | 'formats'>): MarkupKind {
  const text = markup.replace(/^\ufeff/, '').trimStart();
  const looksLikeVast = /^(?:<\?xml[^>]{0,200}>\s{0,40})?(?:<!--[^>]{0,500}-->\s{0,40})?<(?:\w{1,20}:)?VAST[\s>]/i.test(
    text,
  );
  if (text.startsWith('{') && formats.includes('native')) return 'native';
  if (looksLikeVast) return 'vast';
  if (formats.length > 0 && formats.every((format) => format === 'video' || format === 'audio')) return 'vast';
  return formats.length > 0 && formats.every((format) => format === 'native') ? 'native' : 'html';
}
