import type { Context } from 'koa';
import { ApiError } from '../../errors.ts';

/** The revision first, then whatever else the answer shows: see `writeEtag`. */
const tagForm = /^"(\d{1,15})(?:-[\w.-]*)?"$/;
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

/**
 * The tag of the revision that was answered. What the answer shows and no revision counts, as a pool's members, stands
 * behind it: `"3-12-4"`. So a caller who asks whether anything is new hears of those too, while a change, which does not
 * touch them, depends on the revision alone.
 */
export function writeEtag(ctx: Context, revision: number, uncounted: readonly (number | string)[] = []): void {
  ctx.set('ETag', `"${[revision, ...uncounted].join('-')}"`);
}
