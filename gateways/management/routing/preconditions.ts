import type { Context } from 'koa';
import { ApiError } from '../../errors.ts';

/** The form of a tag: the revision, then the uncounted values of the answer (see `writeEtag`). */
const tagForm = /^"(\d{1,15})(?:-[\w.-]*)?"$/;
/** A revision that no resource has, so that a foreign tag matches nothing. */
const noRevision = -1;

/**
 * Reads the revisions of which one must be the resource's (RFC 9110 §13.1.1); undefined when any will do. Weak tags and
 * tags that this API never issued match nothing.
 */
export function readIfMatch(ctx: Context): number[] | undefined {
  const header = ctx.get('If-Match').trim();
  if (header === '' || header === '*') return undefined;
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.length > 20) throw new ApiError('INVALID_PARAMS', 'If-Match lists too many tags.', 'If-Match');
  return tags.map((tag) => Number(tagForm.exec(tag)?.[1] ?? noRevision));
}

/**
 * Writes the tag of the revision that was answered. Values that the answer shows and no revision counts, such as a
 * pool's members, follow it: `"3-12-4"`. A conditional GET therefore sees changes of these values too, while a change
 * under `If-Match` depends on the revision alone.
 */
export function writeEtag(ctx: Context, revision: number, uncounted: readonly (number | string)[] = []): void {
  ctx.set('ETag', `"${[revision, ...uncounted].join('-')}"`);
}
