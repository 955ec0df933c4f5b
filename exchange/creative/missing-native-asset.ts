import type { NativeAssetRequest, NativeRequest } from './render/native-request.ts';

/** The field of a response's asset that holds its content, by kind (OpenRTB Native 1.2 §5.2 to §5.6). */
const CONTENT = { title: 'text', img: 'url', video: 'vasttag', data: 'value' } as const;
const KINDS = ['title', 'img', 'video', 'data'] as const;

/**
 * The first asset that a native request requires (Native 1.2 §4.2, `required`) and a response lacks; null where it has
 * all. An asset belongs to the request's of its `id`; where either gives none, to any of its kind.
 */
export function missingNativeAsset(
  { assets: asked }: Pick<NativeRequest, 'assets'>,
  brought: readonly unknown[],
): NativeAssetRequest | null {
  return asked.find((asset) => asset.required === 1 && !brought.some((one) => isFor(asset, one))) ?? null;
}

function isFor(asked: NativeAssetRequest, brought: unknown): boolean {
  if (typeof brought !== 'object' || brought === null) return false;
  const { id, ...parts } = brought as Readonly<Record<string, unknown>>;
  if (asked.id !== undefined && id !== undefined && id !== null && String(id) !== String(asked.id)) return false;
  const kind = KINDS.find((one) => asked[one] !== undefined);
  if (kind === undefined) return true;
  const part = parts[kind] as Readonly<Record<string, unknown>> | null | undefined;
  const content = part?.[CONTENT[kind]];
  return typeof content === 'string' ? content.trim() !== '' : typeof content === 'number';
}
