import type { Context } from 'koa';
import { ApiError } from '../../errors.ts';

/** Of a resource's revision, as `ETag` and `If-Match` write it. */
const tagForm = /^"(\d{1,15})"$/;
/** What no resource ever has: a tag that is not ours matches nothing. */
const noRevision = -1;

/**
 * The revisions of which one must be the resource's (RFC 9110 §13.1.1); undefined when any will do. Weak tags and tags
 * that this API never gave match nothing.
 */
export function readIfMatch(ctx: Context): number[] | undefined {
  const header = ctx.get('If-Match').trim();
  if (header === '' || header === '*') return undefined;
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.length > 20) throw new ApiError('INVALID_PARAMS', 'If-Match lists too many tags.', 'If-Match');
  return tags.map((tag) => Number(tagForm.exec(tag)?.[1] ?? noRevision));
}

/** The tag of the revision that was answered. */
export function writeEtag(ctx: Context, revision: number): void {
  ctx.set('ETag', `"${revision}"`);
}

/**
 * Whether the caller has what is answered already, by `If-None-Match` (RFC 9110 §13.1.2). A `Cache-Control` in the
 * request, which clients add by themselves, speaks to caches on the way and changes nothing here.
 */
export function callerHasIt(ctx: Context): boolean {
  const tag = ctx.response.get('ETag');
  const known = ctx.get('If-None-Match').split(',');
  return tag !== '' && known.some((given) => ['*', tag, `W/${tag}`].includes(given.trim()));
}
