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
