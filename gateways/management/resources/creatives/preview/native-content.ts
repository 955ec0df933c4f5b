import type { PreviewContent } from '../../campaigns/preview/preview.ts';

type PreviewFile = NonNullable<PreviewContent['files']>[number];

type Json = Readonly<Record<string, unknown>>;

/** Types of images (Native 1.2 §7.3) and of data (§7.4). */
const ICON = 1;
const MAIN = 3;
const SPONSORED = 1;
const DESCRIPTION = 2;
const CALL_TO_ACTION = 12;

/** What a native response shows; null for text that is none. */
export function nativeContent(markup: string): PreviewContent | null {
  const root = objectOf(parsed(markup));
  const native = objectOf(root?.native) ?? root;
  if (native === null || !Array.isArray(native.assets)) return null;
  const assets = objectsIn(native.assets);
  const partsOf = (name: 'title' | 'img' | 'data') => objectsIn(assets.map((asset) => asset[name]));
  const textOf = (type: number) =>
    partsOf('data').find((data) => data.type === type && typeof data.value === 'string')?.value as string | undefined;
  const images = partsOf('img');
  const imageOf = (image: Json | undefined) => (image === undefined ? null : fileOf(image));
  const icon = imageOf(images.find(({ type }) => type === ICON));
  const image = imageOf(
    images.find(({ type }) => type === MAIN) ?? images.find(({ type }) => type !== ICON && type !== 2),
  );
  const title = partsOf('title').find(({ text }) => typeof text === 'string')?.text;
  const landing = objectOf(native.link)?.url;
  return {
    ready: true,
    landingUrl: typeof landing === 'string' ? landing : undefined,
    native: {
      title: typeof title === 'string' ? title : '',
      body: textOf(DESCRIPTION) ?? null,
      cta: textOf(CALL_TO_ACTION) ?? null,
      sponsored: textOf(SPONSORED) ?? null,
      image,
      icon,
    },
  };
}

function fileOf({ url, w, h }: Json): PreviewFile | null {
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return null;
  return { url, mime_type: 'image/*', width: pixelsOf(w), height: pixelsOf(h) };
}

function pixelsOf(value: unknown): number | null {
  return Number.isInteger(value) && (value as number) >= 0 ? (value as number) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function objectsIn(values: readonly unknown[]): Json[] {
  return values.flatMap((value) => {
    const object = objectOf(value);
    return object === null ? [] : [object];
  });
}

function objectOf(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}
