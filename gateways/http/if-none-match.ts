import type { Context } from 'koa';

/**
 * Whether the caller has what is answered already: `If-None-Match` names the answer's `ETag` by weak comparison, or is `*` (RFC 9110
 * §13.1.2). A `Cache-Control` in the request, which clients add by themselves, speaks to caches on the way and changes nothing here.
 */
export function isNotModified(ctx: Context): boolean {
  const tag = opaqueTag(ctx.response.get('ETag'));
  const known = ctx.get('If-None-Match').split(',');
  return tag !== '' && known.some((given) => given.trim() === '*' || opaqueTag(given) === tag);
}

/** Without the mark of a weak one. */
function opaqueTag(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
