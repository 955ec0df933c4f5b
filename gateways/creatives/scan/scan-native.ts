import { mapLimit } from '#async/map-limit';
import type { MediaFacts } from '#exchange/creative/media-facts';
import { nativeWarnings } from '#exchange/creative/warnings/native';
import { type NativeMarkup, nativeMarkup } from './native-markup.ts';
import { type HtmlDeps, scanHtml } from './scan-html.ts';
import type { ScanLoad } from './scan-load.ts';
import { scanVast } from './scan-vast.ts';
import type { ScannedMarkup } from './scanned-markup.ts';
import { insecure, type UnwrapDeps } from './unwrap-markup.ts';

const MAX_IMAGES = 10;
const LOADS_AT_ONCE = 4;
const MAIN_IMAGE = 3;
const ICON = 1;

/** Scans a native response: its images, its video, its scripts, and where a click leads. */
export async function scanNative(
  deps: UnwrapDeps & HtmlDeps,
  load: ScanLoad,
  markup: string,
  stop: AbortSignal,
): Promise<ScannedMarkup> {
  insecure(load, markup);
  const native = nativeMarkup(markup);
  if (native === null) {
    load.findings.add('unreadable-markup', 'It is no native response that can be read.');
    return { media: [], wrappers: 0, links: [], warnings: [] };
  }
  const factsOf = new Map<string, MediaFacts>();
  await mapLimit(native.images.slice(0, MAX_IMAGES), LOADS_AT_ONCE, async ({ url }) => {
    const file = await load.file(url, 'image');
    if (file === null) return;
    factsOf.set(url, { use: 'image', bytes: file.staged.bytes, ...(file.facts ?? { container: null }) });
  });
  const parts: ScannedMarkup[] = [];
  for (const vast of native.vasts) parts.push(await scanVast(deps, load, vast, false, stop));
  const code = [...native.code, ...native.scripts.map((url) => `<script src="${url}"></script>`)].join('\n');
  // The recommendations for banners are not for what a native ad runs.
  if (code !== '') parts.push({ ...(await scanHtml(deps, load, code, [], stop)), warnings: [] });
  const own = [...nativeWarnings(summary(native), (url) => (factsOf.has(url) ? [factsOf.get(url)!] : null))];
  return {
    media: [...factsOf.values(), ...parts.flatMap(({ media }) => media)],
    wrappers: Math.max(0, ...parts.map(({ wrappers }) => wrappers)),
    links: [...native.links, ...parts.flatMap(({ links }) => links)],
    warnings: [...own, ...parts.flatMap(({ warnings }) => warnings)],
  };
}

function summary({ title, data, images }: NativeMarkup): Parameters<typeof nativeWarnings>[0] {
  const image = images.find(({ type }) => type === MAIN_IMAGE)?.url;
  const icon = images.find(({ type }) => type === ICON)?.url;
  const rating = Number(data.get(3));
  const [sponsored, body, cta] = [data.get(1), data.get(2), data.get(12)];
  return {
    title,
    ...(sponsored !== undefined && { sponsored }),
    ...(body !== undefined && { body }),
    ...(cta !== undefined && { cta }),
    ...(data.has(3) && Number.isFinite(rating) && { rating }),
    ...(image !== undefined && { image_url: image }),
    ...(icon !== undefined && { icon_url: icon }),
  };
}
