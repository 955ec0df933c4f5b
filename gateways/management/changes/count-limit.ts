import type { Query } from '../../../runtime/ports/store.ts';
import { ApiError } from '../../errors.ts';
import type { ManagementDeps } from '../deps.ts';

interface CountLimit {
  readonly kind: string;
  /** Of what is to be made. */
  readonly id: string;
  readonly most: number;
  /** What counts: what matches any of these, which have nothing in common. */
  readonly counted: readonly NonNullable<Query['where']>[];
  /** A whole sentence. */
  readonly refusal: string;
}

/**
 * CONFLICT when there are `most` already; what exists under `id` was made by the same request before, and is not one more.
 * Requests at the same moment do not see each other's: a few too many may come about, a number without bounds not.
 */
export async function assertBelowCountLimit(
  { store }: Pick<ManagementDeps, 'store'>,
  { kind, id, most, counted, refusal }: CountLimit,
): Promise<void> {
  const [made] = await store.load([{ kind, id }]);
  if (made && !made.deleted) return;
  const results = await Promise.all(counted.map((where) => store.query(kind, { where, limit: 1 })));
  if (results.reduce((sum, { total }) => sum + total, 0) >= most) throw new ApiError('CONFLICT', refusal);
}
