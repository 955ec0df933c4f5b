import { campaign } from '../../../../actors/campaign/campaign.ts';
import type { ActorDocument, Query, StateStore } from '../../../../runtime/ports/store.ts';

type Where = NonNullable<Query['where']>;

/**
 * Conditions of which a campaign of this status meets exactly one. Its saved status knows nothing of budgets: one that is spent pauses
 * beside it, that of a day on that day alone (paused-by.ts).
 */
export function withStatus(status: 'active' | 'paused' | 'retired' | undefined, day: string): readonly Where[] {
  switch (status) {
    case undefined:
      return [{}];
    case 'active':
      return [{ status: 'active', exhaustedDay: { not: day }, totalExhausted: { not: true } }];
    case 'paused':
      return [
        { status: 'paused' },
        { status: 'active', exhaustedDay: day },
        { status: 'active', exhaustedDay: { not: day }, totalExhausted: true },
      ];
    case 'retired':
      return [{ status: 'retired' }];
  }
}

/** A page of all campaigns that meet `where` and one of the conditions, oldest first. */
export async function queryAll(
  store: StateStore,
  where: Where,
  conditions: readonly Where[],
  skip: number,
  limit: number,
): Promise<{ readonly documents: readonly ActorDocument[]; readonly total: number }> {
  const [only, ...more] = conditions;
  const ask = (condition: Where, from: number, most: number) =>
    store.query(campaign.kind, { where: { ...where, ...condition }, orderBy: 'createdAt', skip: from, limit: most });
  if (more.length === 0) return ask(only!, skip, limit);
  const found = await Promise.all(conditions.map((condition) => ask(condition, 0, skip + limit)));
  const documents = found.flatMap((each) => each.documents).sort(byAge);
  return {
    documents: documents.slice(skip, skip + limit),
    total: found.reduce((sum, each) => sum + each.total, 0),
  };
}

function byAge(one: ActorDocument, other: ActorDocument): number {
  const [a, b] = [one, other].map(({ state, id }) => `${(state as { readonly createdAt: string }).createdAt} ${id}`);
  return a! < b! ? -1 : 1;
}
