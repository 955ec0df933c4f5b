/** What a native response (OpenRTB Native 1.0 to 1.2) is made of, for whoever looks into it. */
export interface NativeMarkup {
  readonly title: string;
  /** Texts of data assets by their type (§7.4). */
  readonly data: ReadonlyMap<number, string>;
  /** `type` is that of §7.3; 0 where the response states none. `holder` is the object whose `url` it is. */
  readonly images: readonly { readonly url: string; readonly type: number; readonly holder: { url: string } }[];
  readonly vasts: readonly string[];
  /** Markup that runs scripts (`jstracker`). */
  readonly code: readonly string[];
  /** Addresses of scripts (`eventtrackers` of method 2). */
  readonly scripts: readonly string[];
  readonly links: readonly string[];
  /** The whole document; a change of an image's holder is a change of it. */
  readonly document: unknown;
}

const METHOD_SCRIPT = 2;
const MOST = 50;

type Json = Record<string, unknown>;

/** Reads a native response; null for what is none. */
export function nativeMarkup(text: string): NativeMarkup | null {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(document)) return null;
  const native = isObject(document.native) ? document.native : document;
  const assets = listOf(native.assets);
  const images: NativeMarkup['images'][number][] = [];
  const data = new Map<number, string>();
  const links = [linkOf(native)];
  const vasts: string[] = [];
  let title = '';
  for (const asset of assets) {
    links.push(linkOf(asset));
    const { img, title: titled, video, data: datum } = asset;
    if (isObject(titled) && typeof titled.text === 'string') title ||= titled.text;
    if (isObject(video) && typeof video.vasttag === 'string') vasts.push(video.vasttag);
    if (isObject(img) && isAddress(img.url)) {
      images.push({ url: img.url, type: typeOf(img) || typeOf(asset), holder: img as { url: string } });
    }
    if (isObject(datum) && typeof datum.value === 'string') data.set(typeOf(datum), datum.value);
  }
  const scripts = listOf(native.eventtrackers).flatMap(({ method, url }) =>
    method === METHOD_SCRIPT && isAddress(url) ? [url] : [],
  );
  const code = typeof native.jstracker === 'string' ? [native.jstracker] : [];
  return { title, data, images, vasts, code, scripts, links: links.flatMap((one) => one ?? []), document };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.slice(0, MOST).filter(isObject) : [];
}

function typeOf({ type }: Json): number {
  return typeof type === 'number' ? type : 0;
}

function linkOf({ link }: Json): string | null {
  return isObject(link) && isAddress(link.url) ? link.url : null;
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/[^\s"'<>]+$/i.test(value);
}
