import type { Query } from '#runtime/ports/store';
import { ApiError } from '../../errors.ts';
import type { ManagementDeps } from '../deps.ts';

interface CountLimit {
  readonly kind: string;
  /** The id of the resource that is about to be created. */
  readonly id: string;
  readonly most: number;
  /** The conditions of what counts. No resource meets two of them. */
  readonly counted: readonly NonNullable<Query['where']>[];
  /** The message of the refusal, a whole sentence. */
  readonly refusal: string;
}

/**
 * Throws CONFLICT when there are `most` resources already. A resource that exists under `id` was created by the same
 * request before and does not count again. Concurrent requests do not see each other's resources, so the limit may be
 * passed by a few, but not without bound.
 */
export async function assertBelowCountLimit(
  { store }: Pick<ManagementDeps, 'store'>,
  { kind, id, most: limit, counted, refusal }: CountLimit,
): Promise<void> {
  const [made] = await store.load([{ kind, id }]);
  if (made && !made.deleted) return;
  const results = await Promise.all(counted.map((where) => store.query(kind, { where, limit: 1 })));
  if (results.reduce((sum, { total }) => sum + total, 0) >= limit) throw new ApiError('CONFLICT', refusal);
}
