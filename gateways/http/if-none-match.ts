import type { Context } from 'koa';

/**
 * Whether the caller already has the response: `If-None-Match` names the `ETag` of the response by weak comparison, or
 * is `*` (RFC 9110 §13.1.2). A `Cache-Control` of the request, which some clients add by themselves, addresses caches
 * on the way and changes nothing here.
 */
export function isNotModified(ctx: Context): boolean {
  const tag = opaqueTag(ctx.response.get('ETag'));
  const known = ctx.get('If-None-Match').split(',');
  return tag !== '' && known.some((given) => given.trim() === '*' || opaqueTag(given) === tag);
}

/** The tag without the prefix `W/` of weak tags. */
function opaqueTag(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
